"""Many takes, or many maps, on this machine or on many: each once, and none half.

    limber.jobs.retarget_all("takes/", "out/", to="g1.urdf")

does every motion below takes/, on all processors. A second call does only what is missing or has changed. Inputs are
folders, patterns, lists, mappings from names to paths, or an iterator; outputs are files of the output folder, named
after the inputs, and its page report.html.

`executor` says who does it: None, processes of this machine (`workers` of them); "ray" or the address of a Ray cluster;
or any concurrent.futures.Executor, such as that of a Dask client. With `shard=(i, n)`, a call does its share of a job
array whose members have one output folder. All of them give the same bytes.

What cannot be read or solved is recorded with the reason, and does not stop the others. A worker that dies is replaced,
and what it did is done again, `attempts` times at most. A call that was killed goes on when it is made again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import _limber
from .._error import Error
from .._files import read
from .._limber import Figure
from ._inputs import Item as Item
from ._operations import Assess, Clean, Convert, Own, Reach, Retarget, Track, named
from ._operations import Result as Result
from ._record import Output as Output
from ._record import Record as Record
from ._record import latest
from ._run import Summary as Summary
from ._run import run_operation

__all__ = [
    "Item",
    "Output",
    "Record",
    "Result",
    "Summary",
    "assess_all",
    "clean_all",
    "convert_all",
    "reach_maps",
    "records",
    "retarget_all",
    "run",
    "track_all",
]

PathLike = str | os.PathLike[str]


def convert_all(inputs: Any, output: PathLike, *, to: str = ".glb", **job: Any) -> Summary:
    """Writes motions in another format.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     limber.jobs.convert_all("data/bvh/mh_*.bvh", folder, to=".glb", workers=0).done
    4
    """
    return run_operation(Convert(to), inputs, output, **job)


def clean_all(
    inputs: Any,
    output: PathLike,
    *,
    to: str = ".bvh",
    places: Sequence[str] = (),
    ease: float | None = None,
    iterations: int | None = None,
    **job: Any,
) -> Summary:
    """Removes foot sliding from motions, as limber.clean_feet() does. Limits are widened to what was recorded."""
    return run_operation(Clean(to, tuple(places), ease, iterations), inputs, output, **job)


def retarget_all(
    inputs: Any,
    output: PathLike,
    *,
    to: PathLike | Figure,
    format: str = ".bvh",
    every: int = 1,
    iterations: int = 50,
    contacts: bool = True,
    **job: Any,
) -> Summary:
    """Transfers motions to another body, a file with a figure or "human", as limber.retarget() does."""
    return run_operation(Retarget(*_body(to), format, every, iterations, contacts), inputs, output, **job)


def track_all(
    inputs: Any,
    output: PathLike,
    *,
    to: str = ".bvh",
    places: Sequence[str] = ("head", "left_hand", "right_hand", "left_foot", "right_foot"),
    orientations: bool = False,
    root_given: bool = False,
    natural: bool = False,
    figure: Figure | PathLike | None = None,
    markers: _limber.MarkerSet | None = None,
    solver: Mapping[str, Any] | None = None,
    **job: Any,
) -> Summary:
    """Follows a few places of each motion, as limber.track() does; or with a `figure` and its `markers`, those of TRC
    and C3D files. `solver` has options of the solver."""
    if (figure is None) != (markers is None):
        raise Error("figure, markers", "one of them", "both, to follow markers, or neither")
    body = None if figure is None else figure if isinstance(figure, Figure) else read(figure).figure
    operation = Track(to, tuple(places), orientations, root_given, natural, dict(solver or {}), body, markers)
    return run_operation(operation, inputs, output, **job)


def assess_all(
    inputs: Any,
    output: PathLike,
    *,
    loads: Mapping[str, float] | None = None,
    every: float = 0.1,
    settings: Mapping[str, Any] | None = None,
    **job: Any,
) -> Summary:
    """Comfort, joint torques, RULA and REBA of motions, `every` so many seconds, as JSON. `loads` are kilograms by place;
    `settings` further arguments of limber.assess()."""
    return run_operation(Assess(dict(loads or {}), every, dict(settings or {})), inputs, output, **job)


def reach_maps(
    inputs: Any,
    output: PathLike,
    *,
    handle: str = "right_palm",
    chain_from: str = "right_shoulder",
    resolution: float = 0.05,
    format: str = "reach",
    lanes: int = 8,
    cut: bool = False,
    options: Mapping[str, Any] | None = None,
    **job: Any,
) -> Summary:
    """Maps what a place of each figure can reach, as limber.reach() does. Inputs are figures, problems with further
    constraints, or files with a figure; or a mapping from names to any of these.

    Each map is made by one worker; with `cut`, one map after the other is made by all of them: its waves are cut in
    parts. Both give the same bytes. `lanes` is pinned, so that processors of other kinds give them too; 8 needs AVX2.
    `options` are further arguments of limber.reach().
    """
    if format not in ("reach", "glb", "ply", "nrrd", "vtk"):
        raise Error("format", repr(format), "'reach', 'glb', 'ply', 'nrrd' or 'vtk'")
    settings = dict(options or {})
    if not cut:
        return run_operation(Reach(handle, chain_from, format, resolution, settings, lanes), inputs, output, **job)
    from ._maps import CutReach

    operation = CutReach(handle, chain_from, format, resolution, settings, lanes)
    operation.executor, operation.workers = job.pop("executor", None), job.pop("workers", None)
    return run_operation(operation, inputs, output, workers=0, **job)


def run(
    function: Callable[..., Any],
    inputs: Any,
    output: PathLike,
    *,
    arguments: Mapping[str, Any] | None = None,
    suffixes: Sequence[str] | None = None,
    measure: tuple[str, str] | None = None,
    version: str = "",
    **job: Any,
) -> Summary:
    """Does function(input, **arguments) for each input: a path, or what the iterator gave.

    It gives what is to be written: bytes, an array, a Clip, what JSON can hold, None, or a Result with files and numbers.
    `suffixes` are those of files that folders are searched for; `measure` is the number of Result.values whose ten
    largest the page shows, and its unit. With another `version` of the function, everything is done again.
    """
    operation = Own(function, dict(arguments or {}), version=version, measure=measure)
    if suffixes is not None:
        operation.suffixes = tuple(suffix.lower() for suffix in suffixes)
    return run_operation(operation, inputs, output, **job)


def records(output: PathLike) -> Iterator[Record]:
    """What is known of an output folder: the last record of each input."""
    yield from latest(Path(output)).values()


def _body(to: PathLike | Figure) -> tuple[Figure, Figure]:
    """A figure with a root that moves, and the same with the names of its parts."""
    if isinstance(to, Figure):
        figure = to
    elif os.fspath(to) == "human":
        figure = _limber.human()
    else:
        figure = read(to).figure
    figure = figure.with_free_root()
    return figure, named(figure)
