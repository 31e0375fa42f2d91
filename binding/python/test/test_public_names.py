"""Every public name is documented, its examples run, and some test uses it."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import limber

PUBLIC = sorted(name for name in dir(limber) if not name.startswith("_"))


def documented() -> Iterator[tuple[str, Any]]:
    yield "limber", limber
    for name in PUBLIC:
        thing = getattr(limber, name)
        if isinstance(thing, (float, str, tuple)):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "thing"), list(documented()), ids=lambda x: x if isinstance(x, str) else "")
def test_is_documented(name: str, thing: Any) -> None:
    if isinstance(thing, str):  # a string constant
        return
    assert inspect.getdoc(thing), f"{name} has no docstring"


def examples() -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    found = []
    for name, thing in documented():
        text = inspect.getdoc(thing) or ""
        if ">>>" in text:
            found.append(parser.get_doctest(text, {"limber": limber}, name, None, 0))
    return found


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_examples_in_docstrings_run(example: doctest.DocTest) -> None:
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(example, out=output.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(output)


@pytest.mark.parametrize("name", PUBLIC)
def test_is_used_by_a_test(name: str) -> None:
    folder = Path(__file__).parent
    text = "".join(path.read_text() for path in folder.glob("test_*.py") if path.name != Path(__file__).name)
    text += "".join(example.docstring or "" for example in examples())
    text += "".join(path.read_text() for path in (folder.parents[2] / "example/python").glob("*.py"))
    used_as_type = {"Batch", "Content", "ConstraintReport", "GripReport", "PosingReport", "HoldingLimit", "Touch", "DemandReport", "SolvedMotion"}
    assert name in used_as_type or re.search(rf"limber\.{name}\b", text), f"no test uses limber.{name}"


def test_example_names_say_what_is_wrong() -> None:
    with pytest.raises(limber.Error) as caught:
        limber.human().point("right_plam")
    assert "right_palm" in caught.value.expected
