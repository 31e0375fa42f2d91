"""Files: the library takes bytes and names, this opens them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from . import _limber
from ._error import Error
from ._limber import Clip, Content, Figure, Scene

PathLike = str | os.PathLike[str]


def _beside(folder: Path, name: str) -> Path | None:
    """A file that another one names: within its folder, or nothing."""
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) and path.is_file() else None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Error(str(path), error.strerror or str(error), "a file that can be read") from error


def read(
    path: PathLike,
    *,
    skeleton: PathLike | None = None,
    metres_per_unit: float | None = None,
    up: str | None = None,
    root_offset: str = "automatic",
    frames_per_second: float | None = None,
) -> Content:
    """Reads a file of any format: Acclaim, BVH, C3D, glTF, skeleton script, TRC, URDF, VRM, or a figure in JSON.

    A motion in AMC needs its `skeleton`, an ASF file; without it, the one beside it of the same name. `metres_per_unit`
    and `up` ("y" or "z") override what the file states; `root_offset` ("automatic", "added", "replaced") is about the
    position channels of BVH; `frames_per_second` is the sampling rate for glTF.

    >>> content = limber.read("data/bvh/mh_walk1.bvh")
    >>> content.clip.angles.shape[0] == len(content.clip)
    True
    """
    path = Path(path)

    def load(name: str) -> bytes | None:
        found = _beside(path.parent, name)
        return _bytes(found) if found else None

    base = None
    if skeleton is not None:
        base = read(skeleton, metres_per_unit=metres_per_unit, up=up)
    elif _limber._needs_skeleton(path.name):
        beside = sorted(other.name for other in path.parent.iterdir()) if path.parent.is_dir() else []
        name = _limber._skeleton_of(path.name, beside)
        if name is None:
            raise Error(str(path), "no skeleton beside it", "an ASF file of its name, or the argument skeleton")
        base = read(path.parent / name, metres_per_unit=metres_per_unit, up=up)
    return _limber._read_bytes(
        _bytes(path), path.name, load, base, metres_per_unit, up, root_offset, frames_per_second
    )


def write(
    path: PathLike,
    what: Content | Figure | Clip | Sequence[Clip],
    *,
    clips: Sequence[Clip] | None = None,
    metres_per_unit: float | None = None,
    up: str | None = None,
) -> list[Path]:
    """Writes a figure or motions; the name says the format. Gives the files that were written.

    `what` may be what read() gave: then axes and unit stay, and meshes of glTF. `clips` come in place of its own.
    """
    path = Path(path)
    if isinstance(what, Content):
        content, motions = what, list(what.clips if clips is None else clips)
    elif isinstance(what, Figure):
        content, motions = _limber._content_of(what), list(clips or ())
    else:
        motions = [what] if isinstance(what, Clip) else list(what)
        if clips is not None or not motions:
            raise Error("what", "no motion" if not motions else "motions twice", "a figure, a motion or motions")
        content = _limber._content_of(motions[0].figure)
    written = []
    for name, data in _limber._write_bytes(content, motions, path.name, metres_per_unit, up):
        target = path.parent / Path(name).name
        try:
            target.write_bytes(data)
        except OSError as error:
            raise Error(str(target), error.strerror or str(error), "a file that can be written") from error
        written.append(target)
    return written


def read_scene(path: PathLike) -> Scene:
    """Reads a scene, and the file of its figure from the same folder.

    >>> scene = limber.read_scene("example/scene/tube.json")
    >>> scene.solve().met
    True
    """
    path = Path(path)

    def load(name: str) -> Figure:
        found = _beside(path.parent, name)
        if found is None:
            raise Error(name, "no such file in the folder of the scene", "the file of its figure")
        return read(found).figure

    try:
        text = _bytes(path).decode()
    except UnicodeDecodeError as error:
        raise Error(str(path), str(error), "UTF-8") from error
    return Scene.from_json(text, path.name, load)


def write_scene(path: PathLike, scene: Scene) -> None:
    """Writes a scene."""
    Path(path).write_text(scene.to_json(), encoding="utf-8")
