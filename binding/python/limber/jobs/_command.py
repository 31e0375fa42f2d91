"""limber-jobs: the jobs from the shell."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__, jobs
from .._error import Error

ALL_DONE, SOME_FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def _shard(text: str) -> tuple[int, int]:
    first, slash, count = text.partition("/")
    if not slash or not first.isdecimal() or not count.isdecimal() or not int(first) < int(count):
        raise argparse.ArgumentTypeError(f"found {text!r}; expected I/N with 0 <= I < N, such as 3/40")
    return int(first), int(count)


def _load(text: str) -> tuple[str, float]:
    place, equals, mass = text.partition("=")
    try:
        return place, float(mass if equals else "nothing")
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}; expected PLACE=KILOGRAMS, such as right_palm=5") from None


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="folders, patterns and files")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="where the outputs go")
    who = parser.add_argument_group("who does it")
    who.add_argument("-w", "--workers", type=int, metavar="N", help="so many processes (default: one per processor); 0: this one")
    who.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster; auto: the one that runs here, else one of this machine's own")
    who.add_argument("--shard", type=_shard, metavar="I/N", help="the share I of N of a job array, from 0")
    parser.add_argument("--attempts", type=int, default=3, metavar="N", help="for an input whose worker dies (3)")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="for one input; its worker is killed then")
    parser.add_argument("--failed-again", action="store_true", help="try inputs again that could not be read or solved")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="limber-jobs",
        description="Many takes at once, each once: what is done is not done again. Exit status: 0 all have a result, "
        "1 some failed, 2 wrong arguments.",
    )
    parser.add_argument("--version", action="version", version=f"limber-jobs {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name: str, text: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, help=text, description=text)
        _common(added)
        return added

    def writes(added: argparse.ArgumentParser, suffix: str) -> None:
        added.add_argument("--format", default=suffix, metavar="SUFFIX", help=f"of the outputs ({suffix})")

    writes(verb("convert", "write motions in another format"), ".glb")
    clean = verb("clean", "remove foot sliding")
    writes(clean, ".bvh")
    clean.add_argument("--place", action="append", default=[], metavar="NAME", help="that stands on the ground (the feet)")
    retarget = verb("retarget", "transfer motions to another body")
    retarget.add_argument("--to", required=True, metavar="FIGURE", help="a file with a figure, or human")
    retarget.add_argument("--every", type=int, default=1, metavar="N", help="solve every Nth frame")
    retarget.add_argument("--slide", action="store_true", help="feet need not stay where they stand")
    writes(retarget, ".bvh")
    track = verb("track", "follow a few places of each motion")
    writes(track, ".bvh")
    track.add_argument("--place", action="append", default=[], metavar="NAME", help="(head, hands and feet)")
    track.add_argument("--orientations", action="store_true", help="follow orientations too")
    track.add_argument("--natural", action="store_true", help="what the places leave open is as in the figure's prior")
    assess = verb("assess", "comfort, joint torques, RULA and REBA")
    assess.add_argument("--load", type=_load, action="append", default=[], metavar="PLACE=KG", help="what is carried")
    assess.add_argument("--every", type=float, default=0.1, metavar="SECONDS", help="between two poses (0.1)")
    reach = verb("reach", "map the reach of each figure")
    reach.add_argument("--handle", default="right_palm", metavar="PLACE")
    reach.add_argument("--from", dest="chain_from", default="right_shoulder", metavar="JOINT", help="the first that moves")
    reach.add_argument("--resolution", type=float, default=0.05, metavar="METRES", help="side of the finest cells (0.05)")
    reach.add_argument("--cut", action="store_true", help="all workers on one map after the other")
    reach.add_argument("--lanes", type=int, default=8, metavar="N", help="4, 8 (AVX2) or 16 (AVX-512): the same on all (8)")
    reach.add_argument("--format", default="reach", metavar="NAME", help="reach, glb, ply, nrrd or vtk")
    return parser


def _run(given: argparse.Namespace) -> jobs.Summary:
    common: dict[str, Any] = {
        "executor": given.ray,
        "workers": given.workers,
        "shard": given.shard,
        "attempts": given.attempts,
        "timeout": given.timeout,
        "failed_again": given.failed_again,
        "progress": False if given.quiet else None,
    }
    inputs, output = given.inputs, given.output
    if given.verb == "convert":
        return jobs.convert_all(inputs, output, to=given.format, **common)
    if given.verb == "clean":
        return jobs.clean_all(inputs, output, to=given.format, places=given.place, **common)
    if given.verb == "retarget":
        return jobs.retarget_all(
            inputs, output, to=given.to, format=given.format, every=given.every, contacts=not given.slide, **common
        )
    if given.verb == "track":
        places = {"places": given.place} if given.place else {}
        return jobs.track_all(
            inputs, output, to=given.format, orientations=given.orientations, natural=given.natural, **places, **common
        )
    if given.verb == "assess":
        return jobs.assess_all(inputs, output, loads=dict(given.load), every=given.every, **common)
    return jobs.reach_maps(
        inputs,
        output,
        handle=given.handle,
        chain_from=given.chain_from,
        resolution=given.resolution,
        format=given.format,
        lanes=given.lanes,
        cut=given.cut,
        **common,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a verb; the exit status."""
    given = _parser().parse_args(arguments)
    missing = [path for path in given.inputs if not any(c in path for c in "*?[") and not Path(path).exists()]
    try:
        if missing:
            raise Error(missing[0], "nothing", "a folder, a pattern or a file")
        summary = _run(given)
    except Error as error:
        print(f"limber-jobs: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("limber-jobs: stopped; the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    print(summary)
    if summary.report:
        print(f"report: {os.path.relpath(summary.report)}")
    return ALL_DONE if summary.ok else SOME_FAILED


def entry() -> None:
    """For the command."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
