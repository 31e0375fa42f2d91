"""Inverse kinematics of articulated figures: people, animated characters, robots.

>>> figure = limber.human()
>>> problem = limber.Problem(figure)
>>> hand = problem.add(figure.point("right_palm"), limber.Position([-0.2, 1.1, 0.5]), chain_from="waist")
>>> foot = problem.add(figure.frame("left_foot"), limber.hold(), weight=limber.must)
>>> report = limber.solve(problem)
>>> report.met, report[hand].metres < 1e-3
(True, True)

Units are metres and radians; Y is up. Names of parameters, places and options are those of the C++ library, the
command-line tool and scenes. doc/python.md leads through it.
"""

from importlib.metadata import version as _version
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import _limber
from ._editor import edit as edit
from ._editor import editor_page as editor_page
from ._error import Error as Error
from ._files import read as read
from ._files import read_scene as read_scene
from ._files import write as write
from ._files import write_scene as write_scene
from ._limber import *

__version__ = _version("limber-ik")

if _TYPE_CHECKING:
    from . import jobs as jobs

    Editor: type[_Any]


def __getattr__(name: str) -> _Any:
    # Loaded when it is used: it needs more of the standard library than the rest, or other packages.
    if name == "jobs":
        from importlib import import_module

        return import_module(".jobs", __name__)
    if name == "Editor":
        from ._editor import _widget

        return _widget()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
