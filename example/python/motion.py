"""A recorded walk: read, measured, cut, drawn and written in another format."""

import tempfile
from pathlib import Path

import numpy as np

import limber

here = Path(__file__).resolve().parents[2]
content = limber.read(here / "data/acclaim/02_01.amc")
clip = content.clip
print(clip, f"{clip.duration:.2f} s")

feet = clip.positions(["ltoes", "rtoes"])  # (frames, 2, 3), metres
speed = np.linalg.norm(np.diff(feet, axis=0), axis=2) / clip.frame_time
print(f"the feet move at up to {speed.max():.1f} m/s")

step = clip.cut(100, 219).resampled(1 / 30)
with tempfile.TemporaryDirectory() as folder:
    written = limber.write(Path(folder) / "step.glb", step)
    again = limber.read(written[0]).clip
    (Path(folder) / "step.svg").write_text(limber.draw_strip(step, places=["ltoes"]), encoding="utf-8")
assert len(again) == len(step)
