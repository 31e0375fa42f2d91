"""Every method and every option of the library's table."""

from __future__ import annotations

import inspect

import pytest

import limber


@pytest.mark.parametrize("method", limber.methods)
def test_every_method_solves(method: str, arm: limber.Figure) -> None:
    middle = (arm.lower + arm.upper) / 2
    tip = arm.segments[-1]
    problem = limber.Problem(arm)
    problem.add(arm.point(tip), limber.Position(arm.pose(middle + 0.1).point(tip)))
    report = limber.solve(problem, middle, method=method)
    assert report.met, method
    assert method in (report.method, "automatic")


def test_options_have_the_defaults_of_the_library_and_keep_what_is_set() -> None:
    options = limber.Options()
    values = {"restarts": 3, "iterations": 77, "tolerance": 1e-5, "met_mm": 2.5, "met_degrees": 0.5, "until_met": True,
              "longest_step": float("inf"), "as_printed": True, "secondary": "comfort", "integration": "euler",
              "step": 0.1, "feedback": 2.0, "truncation": 0.5, "gain": [1.0], "method": "pseudoinverse"}  # fmt: skip
    assert set(values) == set(limber.option_names)
    for name, value in values.items():
        assert getattr(options, name) != value
        setattr(options, name, value)
        kept = getattr(options, name)
        assert (kept.tolist() if name == "gain" else kept) == value
    assert repr(limber.Options(options=options)) == repr(options)
    assert "iterations=77" in repr(options) and options.__doc__


def test_every_option_is_in_the_signature_of_solve() -> None:
    for call in (limber.solve, limber.Solver.solve, limber.solve_batch):
        signature = call.__nb_signature__[0][0]
        for name in limber.option_names:
            assert f"{name}: " in signature
    assert inspect.getdoc(limber.solve)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"iteration": 5}, "'iterations'"),
        ({"until_mett": True}, "'until_met'"),
        ({"iterations": 1.5}, "whole"),
        ({"iterations": -1}, "whole number from 0"),
        ({"iterations": "many"}, "number"),
        ({"until_met": 1}, "True or False"),
        ({"truncation": 2.0}, "1"),
        ({"tolerance": float("nan")}, "above 0"),
        ({"secondary": "grace"}, "joint-range"),
        ({"method": "magic"}, "levenberg-marquardt"),
        ({"restarts": "a"}, "number"),
        ({"truncation": 0.5}, "pseudoinverse"),
    ],
    ids=str,
)
def test_wrong_options_are_refused(given: dict[str, object], expected: str, human: limber.Figure) -> None:
    problem = limber.Problem(human)
    problem.add(human.point("right_palm"), limber.Position([0, 1, 0.3]))
    with pytest.raises(limber.Error, match=expected):
        limber.solve(problem, **given)


def test_options_reach_the_solver(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    problem.add(human.point("right_palm"), limber.Position([-0.2, 1.3, 0.5]))
    assert limber.solve(problem, iterations=1).iterations == 1
    assert limber.solve(problem, options=limber.Options(iterations=1)).iterations == 1
    still = limber.solve(problem, method="jacobian_transpose", gain={"right_elbow.flexion": 0.0})
    assert still.pose["right_elbow.flexion"] == 0.0
