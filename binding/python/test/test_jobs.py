"""Jobs: each input once, none half, the same bytes whoever does it; what dies is replaced, what is wrong is named."""

from __future__ import annotations

import concurrent.futures
import errno
import hashlib
import html.parser
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import limber
from limber.jobs import _run

COUNT = 6


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short motions in two folders."""
    folder = tmp_path_factory.mktemp("takes")
    content = limber.read(ROOT / "data/acclaim/02_01.amc")
    for k in range(COUNT):
        path = folder / ("a" if k % 2 else "b") / f"walk{k}.bvh"
        path.parent.mkdir(exist_ok=True)
        limber.write(path, content.clip.cut(20 * k, 20 * k + 4 + k))
    return folder


def digest(folder: Path) -> dict[str, str]:
    """Of all outputs; not of manifests and the page, which have times."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".limber-jobs" not in path.parts and path.name != "report.html"
    }


def leftovers(folder: Path) -> list[Path]:
    return [path for path in (folder / ".limber-jobs").rglob("*") if path.is_file() and "part" in path.parts]


# --- Functions that workers do

def name_of(path: Path, log: str = "") -> dict[str, str]:
    if log:
        with open(log, "a") as file:
            file.write(path.name + "\n")
    return {"name": path.name}


def slowly(path: Path, log: str) -> dict[str, str]:
    time.sleep(0.1)
    return name_of(path, log)


def die(path: Path, always: str, once: str, seen: str) -> str:
    dies = path.name == always
    if path.name == once and not Path(seen).exists():
        Path(seen).touch()
        dies = True
    if dies:
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def no_space(path: Path, tries: str, until: int) -> str:
    with open(tries, "a") as file:
        file.write(".")
    if path.name == "walk3.bvh" and Path(tries).stat().st_size <= until:
        raise OSError(errno.ENOSPC, "No space left on device")
    return path.name


def sleeps(path: Path) -> str:
    time.sleep(30 if path.name == "walk2.bvh" else 0)
    return path.name


def whatever(value: Any) -> Any:
    return value


def twice(value: int, factor: int = 2) -> limber.jobs.Result:
    return limber.jobs.Result({f"{value}.txt": str(factor * value).encode()}, {"size": value})


def unhurried(value: int) -> limber.jobs.Result:
    time.sleep(0.002)
    return twice(value)


def beyond(value: int) -> limber.jobs.Result:
    return limber.jobs.Result({"../y.txt": str(value).encode()})


# --- Once

def test_what_is_done_is_not_done_again(takes: Path, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(takes, given)
    first = limber.jobs.convert_all(given, out, to="glb", workers=0)
    assert first.ok and (first.done, first.kept) == (COUNT, 0)
    assert sorted(digest(out)) == sorted(f"{'a' if k % 2 else 'b'}/walk{k}.glb" for k in range(COUNT))
    assert len(limber.read(out / "a/walk3.glb").clip) == len(limber.read(given / "a/walk3.bvh").clip)
    again = limber.jobs.convert_all(given, out, to="glb", workers=0)
    assert (again.done, again.kept) == (0, COUNT)

    os.utime(given / "b/walk0.bvh")  # another time, the same content
    (out / "b/walk2.glb").unlink()  # an output that is gone
    (given / "b/walk4.bvh").write_bytes((given / "a/walk1.bvh").read_bytes())  # another content
    (given / "a/new.bvh").write_bytes((given / "a/walk1.bvh").read_bytes())
    some = limber.jobs.convert_all(given, out, to="glb", workers=0)
    assert (some.done, some.kept) == (3, COUNT - 2)
    other = limber.jobs.convert_all(given, out, to="bvh", workers=0)
    assert (other.done, other.kept) == (COUNT + 1, 0)
    assert not leftovers(out)


def test_records_say_what_was_done(takes: Path, tmp_path: Path) -> None:
    limber.jobs.assess_all(takes, tmp_path, loads={"right_palm": 5}, workers=0)
    found = {record.name: record for record in limber.jobs.records(tmp_path)}
    record = found["a/walk3.bvh"]
    assert isinstance(record, limber.jobs.Record) and isinstance(record.outputs[0], limber.jobs.Output)
    data = (tmp_path / record.outputs[0].name).read_bytes()
    assert record.outputs[0].sha256 == hashlib.sha256(data).hexdigest() and record.outputs[0].size == len(data)
    assert record.version == limber.__version__ and record.values["frames"] == 8 and record.seconds > 0
    frame = json.loads(data)["takes"][0]["frames"][0]
    figure = limber.read(takes / "a/walk3.bvh").figure.with_common_names()
    clip = limber.read(takes / "a/walk3.bvh").clip
    assert frame["discomfort"] == limber.assess(figure.pose(clip.angles[0]), {"right_palm": 5.0}).discomfort


# --- The same bytes, whoever does it

def test_all_executors_give_the_same_bytes(takes: Path, tmp_path: Path) -> None:
    def retarget(name: str, **who: Any) -> dict[str, str]:
        summary = limber.jobs.retarget_all(takes, tmp_path / name, to="human", report=False, **who)
        assert summary.ok, summary
        return digest(tmp_path / name)

    here = retarget("here", workers=0)
    assert len(here) == COUNT
    figure = limber.human()
    clip = limber.read(takes / "a/walk1.bvh").clip
    named = limber.Clip(clip.figure.with_common_names(), clip.angles, clip.frame_time)
    plain = limber.retarget(named, figure).clip
    written = limber.read(tmp_path / "here/a/walk1.bvh").clip
    assert np.allclose(written.positions(["right_knee"]), plain.positions(["right_knee"]), atol=1e-4)

    assert retarget("processes", workers=2) == here
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert retarget("threads", executor=pool) == here
    counts = [0]
    for shard in ((0, 3), (1, 3), (2, 3)):
        counts.append(len(retarget("shards", workers=0, shard=shard)))
    assert digest(tmp_path / "shards") == here
    assert counts == sorted(counts) and 0 < counts[2] < COUNT, "a shard did what is another one's"


def test_other_processes_can_be_ones_own(takes: Path, tmp_path: Path) -> None:
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        summary = limber.jobs.run(name_of, takes, tmp_path / "out", executor=pool)
    assert summary.ok and json.loads((tmp_path / "out/a/walk3.json").read_text()) == {"name": "walk3.bvh"}


def test_maps_are_the_same_whole_or_cut(tmp_path: Path) -> None:
    bodies = {"tall": limber.human(stature=1.9, root="fixed"), "small": limber.human(stature=1.5, root="fixed")}
    job: dict[str, Any] = {"resolution": 0.15, "lanes": 4, "report": False}
    whole = limber.jobs.reach_maps(bodies, tmp_path / "whole", workers=0, **job)
    assert whole.ok and sorted(digest(tmp_path / "whole")) == ["small.reach", "tall.reach"]
    assert limber.jobs.reach_maps(bodies, tmp_path / "cut", workers=2, cut=True, **job).ok
    assert digest(tmp_path / "cut") == digest(tmp_path / "whole")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert limber.jobs.reach_maps(bodies, tmp_path / "pool", executor=pool, cut=True, **job).ok
    assert digest(tmp_path / "pool") == digest(tmp_path / "whole")
    with pytest.raises(limber.Error, match="'reach', 'glb'"):
        limber.jobs.reach_maps(bodies, tmp_path, format="stl")


# --- What goes wrong

def test_broken_files_are_named_and_stop_nothing(takes: Path, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(takes, given)
    whole = (given / "a/walk3.bvh").read_bytes()
    (given / "a/walk3.bvh").write_bytes(whole[: len(whole) // 2])
    (given / "b/nothing.bvh").write_bytes(b"")
    command = [sys.executable, "-m", "limber.jobs._command", "clean", str(given), "-o", str(out), "-w", "2", "-q"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert f"{COUNT - 1} done" in ended.stdout and "2 failed" in ended.stdout
    assert "a/walk3.bvh: walk3.bvh:" in ended.stdout, "the place in the file is not named"
    page = (out / "report.html").read_text()
    assert "b/nothing.bvh" in page and "a/walk3.bvh" in page and "http" not in page.replace("http://www.w3.org", "")
    html.parser.HTMLParser().feed(page)
    assert page.count("<figure>") > COUNT - 2 and page.count("<svg") == page.count("</svg>")
    # What is wrong is not read again until it changes.
    again = limber.jobs.clean_all(given, out, workers=0)
    assert (again.done, again.kept, again.failed) == (0, COUNT - 1, 2)
    assert limber.jobs.clean_all(given, out, workers=0, failed_again=True).failed == 2
    (given / "a/walk3.bvh").write_bytes(whole)
    assert limber.jobs.clean_all(given, out, workers=0).done == 1
    missing = subprocess.run([*command[:4], "no_such_folder", *command[5:]], capture_output=True, text=True, check=False)
    assert missing.returncode == 2 and "no_such_folder" in missing.stderr


def test_a_worker_that_dies_is_replaced(takes: Path, tmp_path: Path) -> None:
    arguments = {"always": "walk3.bvh", "once": "walk2.bvh", "seen": str(tmp_path / "seen")}
    out = tmp_path / "out"
    summary = limber.jobs.run(die, takes, out, arguments=arguments, workers=2)
    assert (summary.done, summary.failed, summary.lost) == (COUNT - 1, 1, 4)
    record = next(record for record in limber.jobs.records(out) if not record.ok)
    assert record.name == "a/walk3.bvh" and record.attempts == 3 and record.error is not None
    assert record.error["kind"] == "killed" and "SIGKILL" in record.error["text"]
    assert not leftovers(out)
    # Another start tries it again: it may have been the machine.
    assert limber.jobs.run(die, takes, out, arguments=arguments, workers=1, attempts=1).failed == 1


def test_one_that_takes_too_long_is_ended(takes: Path, tmp_path: Path) -> None:
    summary = limber.jobs.run(sleeps, takes, tmp_path, workers=2, timeout=1.5, attempts=1)
    assert (summary.done, summary.failed) == (COUNT - 1, 1) and "more than 1.5 s" in summary.errors[0][1]


def test_a_driver_that_is_killed_goes_on_where_it_was(takes: Path, tmp_path: Path) -> None:
    given, out, log = tmp_path / "in", tmp_path / "out", tmp_path / "log"
    given.mkdir()
    for k in range(16):
        shutil.copy(takes / "a/walk1.bvh", given / f"{k:02}.bvh")
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import limber, test_jobs; "
        f"limber.jobs.run(test_jobs.slowly, {str(given)!r}, {str(out)!r}, arguments={{'log': {str(log)!r}}}, workers=2)"
    )
    driver = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while len(list(out.glob("*.json"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    time.sleep(1.0)  # until its workers have noticed
    recorded = len(list(limber.jobs.records(out)))
    assert 5 <= recorded < 16
    began = log.read_text().splitlines()
    assert recorded <= len(began) <= recorded + 2, "more than the inputs in flight was lost"
    rest = limber.jobs.run(slowly, given, out, arguments={"log": str(log)}, workers=2)
    assert (rest.kept, rest.done) == (recorded, 16 - recorded)
    names = log.read_text().splitlines()
    assert len(set(names)) == 16 and len(names) <= 18
    assert digest(out).keys() == {f"{k:02}.json" for k in range(16)}
    for path in out.glob("*.json"):
        assert json.loads(path.read_text()) == {"name": f"{path.stem}.bvh"}


def test_a_full_disk_is_tried_again_and_recorded(takes: Path, tmp_path: Path) -> None:
    passing = {"tries": str(tmp_path / "passing"), "until": 4}
    assert limber.jobs.run(no_space, takes, tmp_path / "a", arguments=passing, workers=0).ok
    staying = {"tries": str(tmp_path / "staying"), "until": 10**6}
    summary = limber.jobs.run(no_space, takes, tmp_path / "b", arguments=staying, workers=0)
    assert (summary.done, summary.failed) == (COUNT - 1, 1) and "No space left" in summary.errors[0][1]
    assert (tmp_path / "staying").stat().st_size == COUNT - 1 + 3, "not three attempts"
    assert limber.jobs.run(no_space, takes, tmp_path / "b", arguments=staying, workers=0).kept == COUNT - 1
    assert (tmp_path / "staying").stat().st_size == COUNT - 1 + 6, "another start does not try it again"


def test_outputs_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from limber.jobs._record import write_whole

    write_whole(tmp_path, "x", b"old", tmp_path / "part" / "1")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path, "x", b"new and longer", tmp_path / "part" / "2")
    assert (tmp_path / "x").read_bytes() == b"old" and not list((tmp_path / "part").iterdir())


def test_what_the_killed_have_left_is_swept(takes: Path, tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    parts = tmp_path / ".limber-jobs/part"
    for pid in (gone.pid, os.getpid()):
        (parts / f"worker-{socket.gethostname()}-{pid}-0").mkdir(parents=True)
        (parts / f"worker-{socket.gethostname()}-{pid}-0/1").write_bytes(b"half")
    (parts / f"worker-another-machine-{gone.pid}-0").mkdir()
    limber.jobs.convert_all(takes, tmp_path, workers=0)
    assert sorted(path.name.rsplit("-", 2)[0] for path in parts.iterdir()) == sorted(
        ["worker-another-machine", f"worker-{socket.gethostname()}"]
    )
    assert leftovers(tmp_path) == [parts / f"worker-{socket.gethostname()}-{os.getpid()}-0/1"]


def test_a_line_that_was_cut_off_is_ignored(takes: Path, tmp_path: Path) -> None:
    limber.jobs.convert_all(takes, tmp_path, workers=0)
    manifest = next((tmp_path / ".limber-jobs").glob("manifest-*.jsonl"))
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    again = limber.jobs.convert_all(takes, tmp_path, workers=0)
    assert (again.done, again.kept) == (1, COUNT - 1)


# --- Inputs

def test_inputs_of_every_kind(tmp_path: Path) -> None:
    for k, value in enumerate((b"bytes", [1, 2], np.arange(3), None)):
        assert limber.jobs.run(whatever, {f"x{k}": value}, tmp_path, workers=0).done == 1
    assert (tmp_path / "x0.bin").read_bytes() == b"bytes" and json.loads((tmp_path / "x1.json").read_text()) == [1, 2]
    assert np.load(tmp_path / "x2.npy").tolist() == [0, 1, 2] and not list(tmp_path.glob("x3*"))
    limber.jobs.run(whatever, {"clip": limber.Clip(limber.human(), np.zeros((2, 42)))}, tmp_path, workers=0)
    assert len(limber.read(tmp_path / "clip.bvh").clip) == 2
    assert limber.jobs.run(twice, range(5), tmp_path / "n", arguments={"factor": 3}, measure=("size", ""), workers=0).ok
    assert (tmp_path / "n/4.txt").read_text() == "12"
    item = limber.jobs.Item("own/name", 7)
    assert limber.jobs.run(whatever, [item], tmp_path, workers=0).done == 1 and (tmp_path / "own/name.json").exists()


def test_an_iterator_is_read_as_it_is_needed(tmp_path: Path) -> None:
    ahead = []

    def many() -> Iterator[int]:
        for k in range(400):
            ahead.append(k - len(list((tmp_path / "out").glob("*.txt"))) if k % 20 == 0 else 0)
            yield k

    summary = limber.jobs.run(unhurried, many(), tmp_path / "out", workers=0, task_seconds=0.01, measure=("size", "m"))
    assert summary.ok and summary.done == 400
    assert max(ahead) < 200, "inputs are taken long before they are done"
    assert [record.values["size"] for record in summary.worst] == list(range(399, 389, -1))


def test_tasks_have_about_the_asked_time() -> None:
    costs = _run._Costs(2.0)
    items = [limber.jobs.Item(str(k), k, size=1000 if k < 50 else 100_000) for k in range(100)]
    waiting = iter(items)
    assert len(costs.fill(waiting).items) == 1, "the first task measures"  # type: ignore[union-attr]
    record = limber.jobs.Record("0", size=1000, elapsed=0.1)
    costs.add(record)
    assert len(costs.fill(waiting).items) == 20  # type: ignore[union-attr]
    many = _run._Costs(2.0, slots=1980)
    many.add(record)
    assert len(many.fill(iter(items)).items) == 50, "with many workers, tasks are longer"  # type: ignore[union-attr]
    waiting = iter(items[50:])
    assert len(costs.fill(waiting).items) == 1, "one long take is a task"  # type: ignore[union-attr]


def test_what_cannot_be_is_refused(takes: Path, tmp_path: Path) -> None:
    def run(inputs: Any = takes, function: Any = whatever, **job: Any) -> None:
        limber.jobs.run(function, inputs, tmp_path, **({"workers": 0} | job))

    with pytest.raises(limber.Error, match="0 <= i < n"):
        run(shard=(3, 3))
    with pytest.raises(limber.Error, match=r"'ray'.*Executor"):
        run(executor=3)
    with pytest.raises(limber.Error, match="two with the name 'walk1.bvh'"):
        run([takes / "a/walk1.bvh", takes / "a/walk1.bvh"])
    with pytest.raises(limber.Error, match="a folder, a pattern"):
        run(3)
    with pytest.raises(limber.Error, match="1 or more"):
        run(attempts=0)
    with pytest.raises(limber.Error, match="both"):
        limber.jobs.track_all(takes, tmp_path, figure=limber.human())
    outside = limber.jobs.run(beyond, {"x": 1}, tmp_path / "out", workers=0)
    assert outside.failed == 1 and not (tmp_path / "y.txt").exists()
    unknown = limber.jobs.run(whatever, {"x": object()}, tmp_path / "out", workers=0)
    assert "JSON" in unknown.errors[0][1]


def test_ctrl_c_ends_a_run_that_goes_on_later(takes: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    timer = threading.Timer(0.8, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    given = {f"{k:03}": takes / "a/walk1.bvh" for k in range(200)}
    with pytest.raises(KeyboardInterrupt):
        limber.jobs.run(slowly, given, tmp_path / "out", arguments={"log": str(log)}, workers=1)
    timer.join()
    assert not leftovers(tmp_path / "out")


def test_markers_are_tracked(tmp_path: Path, human: limber.Figure) -> None:
    places = ["right_palm", "left_palm", "head", "right_foot", "left_foot", "waist"]
    clip = limber.Clip(human, [human.rest(), human.pose({"right_elbow.flexion": 0.5})], 1 / 30)
    markers = limber.Markers(places, clip.positions(places), 30)
    attached = limber.MarkerSet([limber.Attachment(place, place) for place in places])
    trc = tmp_path / "take.trc"
    trc.write_text(as_trc(markers))
    summary = limber.jobs.track_all(trc, tmp_path / "out", figure=human, markers=attached, workers=0)
    assert summary.ok, summary
    assert summary.worst[0].values["max_error"] < 1e-2
    followed = limber.jobs.track_all(ROOT / "data/bvh/mh_walk1.bvh", tmp_path / "out", workers=0)
    assert followed.ok and followed.worst[0].values["frames"] == 14


def as_trc(markers: limber.Markers) -> str:
    names = markers.names
    rows = [f"{k + 1}\t{k / markers.rate:.6f}\t" + "\t".join(f"{1000 * x:.4f}" for x in row.ravel())
            for k, row in enumerate(markers.positions)]
    head = [
        "PathFileType\t4\t(X/Y/Z)\ttake.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{markers.rate}\t{markers.rate}\t{len(markers)}\t{len(names)}\tmm\t{markers.rate}\t1\t{len(markers)}",
        "Frame#\tTime\t" + "\t\t\t".join(names),
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(names) + 1)),
        "",
    ]
    return "\n".join(head + rows) + "\n"
