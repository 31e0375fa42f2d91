"""What is done to one input. Each gives files, which the worker writes, and numbers for the manifest.

None of them cuts a take: cleaning and retargeting look at the whole motion, and tracking begins each frame where the one
before ended, so a take cut in two would give other poses. Takes are begun in the order of their sizes instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from .. import _limber
from .._error import Error
from .._files import _bytes, read
from .._limber import Clip, Content, Figure
from ._inputs import MOTIONS, Item
from ._record import sha256


@dataclass
class Result:
    """What came of an input: files to write, by name, and numbers for the manifest and the report."""

    files: dict[str, bytes] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


class Operation:
    """What a worker does to each input. It is sent to each worker once."""

    name: str = ""
    suffixes: Sequence[str] = MOTIONS
    """Of files that folders are searched for."""
    measure: tuple[str, str] | None = None
    """The number that says how good a result is, and its unit: the report shows the ten largest."""

    def options(self) -> Mapping[str, Any]:
        """All that decides the result, for the hash."""
        raise NotImplementedError

    def __call__(self, item: Item) -> Result:
        """Does it."""
        raise NotImplementedError


def content_hash(item: Item) -> str:
    """Of the input: the file, and the skeleton that it needs."""
    if not item.is_file:
        return ""
    digest = sha256(_bytes(item.value))
    skeleton = _skeleton_of(item.value)
    return sha256((digest + sha256(_bytes(skeleton))).encode()) if skeleton else digest


def _skeleton_of(path: Path) -> Path | None:
    if not _limber._needs_skeleton(path.name):
        return None
    name = _limber._skeleton_of(path.name, sorted(other.name for other in path.parent.iterdir()))
    return path.parent / name if name else None


def _content(item: Item, skeleton: str | None = None) -> Content:
    if not item.is_file:
        raise Error(item.name, repr(item.value), "the path of a file")
    content = read(item.value, skeleton=skeleton)
    if not content.clips:
        raise Error(item.name, "no motion", "a file with a motion")
    return content


def as_files(item: Item, to: str, content: Content, clips: Sequence[Clip]) -> dict[str, bytes]:
    """The files of motions, named after the input with the suffix `to`; one per motion where a file holds only one."""
    stem = PurePosixPath(item.name).with_suffix("")
    files: dict[str, bytes] = {}

    def add(name: PurePosixPath, some: Sequence[Clip]) -> None:
        for written, data in _limber._write_bytes(content, list(some), name.name, None, None):
            files[str(name.parent / PurePosixPath(written).name)] = data

    if len(clips) == 1 or to in (".glb", ".gltf"):
        add(stem.with_name(stem.name + to), clips)
    else:
        for k, clip in enumerate(clips):
            add(stem.with_name(f"{stem.name}.{k + 1}{to}"), [clip])
    return files


def _total(clips: Sequence[Clip]) -> dict[str, Any]:
    return {"frames": sum(map(len, clips)), "duration": sum(clip.duration for clip in clips)}


def named(figure: Figure) -> Figure:
    """With the common names, where it is a body of a kind that is known."""
    return figure if "right_palm" in figure.sites else figure.with_common_names()


def widened(clip: Clip) -> Figure:
    """The figure of a motion with common names and with limits that the motion keeps."""
    description = named(clip.figure).description
    lower, upper = clip.angles.min(axis=0), clip.angles.max(axis=0)
    place = {name: k for k, name in enumerate(clip.figure.names)}
    joints = []
    for joint in description.joints:
        freedoms = []
        for freedom in joint.freedoms:
            k = place.get(f"{joint.name}.{freedom.name}")
            if k is not None:
                freedom.lower = min(freedom.lower, float(lower[k]))
                freedom.upper = max(freedom.upper, float(upper[k]))
            freedoms.append(freedom)
        joint.freedoms = freedoms
        joints.append(joint)
    description.joints = joints
    return Figure(description)


def _ends_with(to: str) -> str:
    return to if to.startswith(".") else f".{to}"


@dataclass
class Convert(Operation):
    """Reads each file and writes it in another format."""

    to: str = ".glb"
    name = "convert"

    def options(self) -> Mapping[str, Any]:
        return {"to": _ends_with(self.to)}

    def __call__(self, item: Item) -> Result:
        content = _content(item)
        return Result(as_files(item, _ends_with(self.to), content, content.clips), _total(content.clips))


@dataclass
class Clean(Operation):
    """Removes foot sliding."""

    to: str = ".bvh"
    places: Sequence[str] = ()
    ease: float | None = None
    iterations: int | None = None
    name = "clean"
    measure = ("sliding_after", "m/s")

    def options(self) -> Mapping[str, Any]:
        return {"to": _ends_with(self.to), "places": list(self.places), "ease": self.ease, "iterations": self.iterations}

    def __call__(self, item: Item) -> Result:
        content = _content(item)
        given = {key: value for key, value in (("ease", self.ease), ("iterations", self.iterations)) if value is not None}
        cleaned = [
            _limber.clean_feet(Clip(widened(clip), clip.angles, clip.frame_time, clip.name), list(self.places), **given)
            for clip in content.clips
        ]
        clips = [c.clip for c in cleaned]
        values = _total(clips) | {
            "contacts": sum(len(c.contacts) for c in cleaned),
            "sliding_before": max(c.sliding_before for c in cleaned),
            "sliding_after": max(c.sliding_after for c in cleaned),
            "met": all(c.met for c in cleaned),
        }
        return Result(as_files(item, _ends_with(self.to), content, clips), values)


@dataclass
class Retarget(Operation):
    """Transfers motions to another body: `figure` as it is written, `body` the same with the names of its parts."""

    figure: Figure
    body: Figure
    to: str = ".bvh"
    every: int = 1
    iterations: int = 50
    contacts: bool = True
    name = "retarget"
    suffixes = tuple(suffix for suffix in MOTIONS if suffix not in (".trc", ".c3d"))
    measure = ("mean_deviation", "rad")

    def options(self) -> Mapping[str, Any]:
        return {
            "body": self.body,
            "to": _ends_with(self.to),
            "every": self.every,
            "iterations": self.iterations,
            "contacts": self.contacts,
        }

    def __call__(self, item: Item) -> Result:
        made = []
        for clip in _content(item).clips:
            source = Clip(named(clip.figure), clip.angles, clip.frame_time, clip.name)
            made.append(
                _limber.retarget(
                    source, self.body, every=self.every, iterations=self.iterations, contacts=self.contacts
                )
            )
        clips = [m.clip for m in made]
        values = _total(clips) | {"scale": made[0].scale, "mean_deviation": max(m.mean_deviation for m in made)}
        return Result(as_files(item, _ends_with(self.to), _limber._content_of(self.figure), clips), values)


@dataclass
class Track(Operation):
    """Follows a few places of each motion, or its markers, with a body that keeps its limits."""

    to: str = ".bvh"
    places: Sequence[str] = ("head", "left_hand", "right_hand", "left_foot", "right_foot")
    orientations: bool = False
    root_given: bool = False
    natural: bool = False
    solver: Mapping[str, Any] = field(default_factory=dict)
    figure: Figure | None = None
    markers: Any = None
    name = "track"
    measure = ("max_error", "m")

    def options(self) -> Mapping[str, Any]:
        return {
            "to": _ends_with(self.to),
            "places": list(self.places),
            "orientations": self.orientations,
            "root_given": self.root_given,
            "natural": self.natural,
            "solver": dict(self.solver),
            "figure": self.figure,
            "markers": self.markers.to_json() if self.markers is not None else None,
        }

    def _follow(self, item: Item) -> tuple[Content, list[Any]]:
        if self.figure is not None and self.markers is not None:
            markers = read(item.value).markers
            if markers is None:
                raise Error(item.name, "no markers", "a file with markers: TRC or C3D")
            tracked = _limber.track_markers(
                self.figure, markers, self.markers, natural=self.natural, **({"restarts": 0} | dict(self.solver))
            )
            return _limber._content_of(self.figure), [tracked]
        content = _content(item)
        made = []
        for clip in content.clips:
            figure = widened(clip)
            made.append(
                _limber.track(
                    figure,
                    Clip(figure, clip.angles, clip.frame_time, clip.name),
                    list(self.places),
                    orientations=self.orientations,
                    root_given=self.root_given,
                    natural=self.natural,
                    **dict(self.solver),
                )
            )
        return content, made

    def __call__(self, item: Item) -> Result:
        content, made = self._follow(item)
        clips = [m.clip for m in made]
        errors = np.concatenate([np.asarray(m.errors) for m in made])
        values = _total(clips) | {"mean_error": float(errors.mean()), "max_error": float(errors.max())}
        return Result(as_files(item, _ends_with(self.to), content, clips), values)


@dataclass
class Assess(Operation):
    """Comfort, joint torques, RULA and REBA over a motion."""

    loads: Mapping[str, float] = field(default_factory=dict)
    every: float = 0.1
    settings: Mapping[str, Any] = field(default_factory=dict)
    name = "assess"
    suffixes = tuple(suffix for suffix in MOTIONS if suffix not in (".trc", ".c3d"))
    measure = ("max_reba", "REBA")

    def options(self) -> Mapping[str, Any]:
        return {"loads": dict(self.loads), "every": self.every, "settings": dict(self.settings)}

    def _rows(self, clip: Clip) -> list[dict[str, Any]]:
        figure = named(clip.figure)
        loads = {place: float(mass) for place, mass in self.loads.items()}
        rows = []
        for frame in range(0, len(clip), max(1, round(self.every / clip.frame_time))):
            found = _limber.assess(figure.pose(clip.angles[frame]), loads, **dict(self.settings))
            shares = [(joint.share, joint.name) for joint in found.joints if not joint.at_stop]
            share, joint = max(shares, default=(0.0, ""))
            rows.append(
                {
                    "time": frame * clip.frame_time,
                    "discomfort": found.discomfort,
                    "max_load": _finite(found.max_load),
                    "max_share": share,
                    "joint": joint,
                    "rula": list(found.rula),
                    "reba": list(found.reba),
                }
            )
        return rows

    def __call__(self, item: Item) -> Result:
        content = _content(item)
        takes = [{"motion": clip.name, "frames": self._rows(clip)} for clip in content.clips]
        rows = [row for take in takes for row in take["frames"]]
        values = _total(content.clips) | {
            "mean_discomfort": float(np.mean([row["discomfort"] for row in rows])),
            "max_share": max(row["max_share"] for row in rows),
            "max_rula": max((score for row in rows for score in row["rula"] if score), default=None),
            "max_reba": max((score for row in rows for score in row["reba"] if score), default=None),
        }
        name = str(PurePosixPath(item.name).with_suffix(".json"))
        text = json.dumps({"file": item.name, "takes": takes}, indent=1, allow_nan=False)
        return Result({name: (text + "\n").encode()}, values)


def _finite(x: float) -> float | None:
    return x if np.isfinite(x) else None


@dataclass
class Reach(Operation):
    """The reach of a place of each figure."""

    handle: str = "right_palm"
    chain_from: str = "right_shoulder"
    to: str = "reach"
    resolution: float = 0.02
    options_of_reach: Mapping[str, Any] = field(default_factory=dict)
    lanes: int = 0
    solve: Callable[..., Any] | None = None
    threads: int = 1
    name = "reach"
    suffixes = (".urdf", ".json", ".asf")

    def options(self) -> Mapping[str, Any]:
        return {
            "handle": self.handle,
            "chain_from": self.chain_from,
            "to": self.to,
            "resolution": self.resolution,
            "reach": dict(self.options_of_reach),
            "lanes": self.lanes,
        }

    def problem(self, item: Item) -> _limber.Problem:
        """What is mapped: a figure, or a problem with constraints."""
        value = item.value
        if isinstance(value, Path):
            value = read(value).figure
        return value if isinstance(value, _limber.Problem) else _limber.Problem(value)

    def __call__(self, item: Item) -> Result:
        problem = self.problem(item)
        made = _limber.reach(
            problem,
            problem.figure.point(self.handle),
            resolution=self.resolution,
            chain_from=self.chain_from,
            lanes=self.lanes,
            threads=self.threads,
            **({"solve": self.solve} if self.solve else {}),
            **dict(self.options_of_reach),
        )
        name = f"{PurePosixPath(item.name).with_suffix('') if item.is_file else item.name}.{self.to}"
        values = {"cells": len(made), "volume": made.surface().volume, "finished": made.finished}
        return Result({name: made.to_bytes(self.to)}, values)


@dataclass
class Own(Operation):
    """A function of one's own: of a path, or of what the iterator gave."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    suffixes: Sequence[str] = MOTIONS
    measure: tuple[str, str] | None = None
    version: str = ""
    name: str = "run"

    def options(self) -> Mapping[str, Any]:
        named_as = f"{getattr(self.function, '__module__', '')}.{getattr(self.function, '__qualname__', '')}"
        return {"function": named_as, "arguments": dict(self.arguments), "version": self.version}

    def __call__(self, item: Item) -> Result:
        value = self.function(item.value, **dict(self.arguments))
        stem = str(PurePosixPath(item.name).with_suffix("")) if item.is_file else item.name
        if value is None:
            return Result()
        if isinstance(value, Result):
            return value
        if isinstance(value, bytes):
            return Result({f"{stem}.bin": value})
        if isinstance(value, Clip):
            return Result(as_files(item, ".bvh", _limber._content_of(value.figure), [value]), _total([value]))
        if isinstance(value, np.ndarray):
            return Result({f"{stem}.npy": _npy(value)})
        try:
            text = json.dumps(value, indent=1)
        except TypeError as error:
            raise Error("function", repr(value)[:100], "bytes, an array, a Clip, a Result, or what JSON can hold") from error
        return Result({f"{stem}.json": (text + "\n").encode()})


def _npy(array: np.ndarray) -> bytes:
    import io

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
