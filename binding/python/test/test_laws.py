"""Laws that hold for every problem."""

from __future__ import annotations

import numpy as np
from conftest import forward
from hypothesis import given
from hypothesis import strategies as st

import limber

ARM = limber.read("data/urdf/ur5.urdf").figure
TIP = "tool0"
HUMAN = limber.human()
fractions = st.floats(0.0, 1.0, width=32)
targets = st.tuples(st.floats(-1, 1, width=32), st.floats(-0.5, 1.5, width=32), st.floats(-1, 1, width=32))


@given(target=targets, start=st.lists(fractions, min_size=len(ARM.names), max_size=len(ARM.names)))
def test_limits_hold_and_met_means_met_in_numpy(target: tuple[float, float, float], start: list[float]) -> None:
    problem = limber.Problem(ARM)
    problem.add(ARM.point(TIP), limber.Position(target))
    theta = ARM.lower + (ARM.upper - ARM.lower) * start
    report = limber.solve(problem, theta)
    assert (report.pose.theta >= ARM.lower).all() and (report.pose.theta <= ARM.upper).all()
    error = np.linalg.norm(forward(ARM, report.pose.theta)[TIP][:3, 3] - target)
    assert abs(error - (report.constraints[0].metres or 0.0)) < 1e-9
    assert report.met == (error <= 1e-3)
    again = limber.solve(problem, theta)
    assert again.pose == report.pose, "the same problem has two answers"


@given(target=targets)
def test_reports_never_raise_for_hard_problems(target: tuple[float, float, float]) -> None:
    problem = limber.Problem(HUMAN)
    hand = problem.add(HUMAN.point("right_palm"), limber.Position(target), chain_from="right_clavicle")
    report = limber.solve(problem)
    lower, upper = HUMAN.lower, HUMAN.upper
    assert ((report.pose.theta >= lower - 1e-12) & (report.pose.theta <= upper + 1e-12)).all()
    assert report[hand].met or report[hand].metres > 1e-3
    assert 0 <= sum(limit.share for limit in report[hand].held_back_by) <= 1 + 1e-9


@given(rows=st.lists(targets, min_size=1, max_size=12))
def test_a_batch_is_as_good_as_one_by_one(rows: list[tuple[float, float, float]]) -> None:
    problem = limber.Problem(ARM)
    problem.add(ARM.point(TIP), limber.Position([0, 0, 0]))
    batch = limber.solve_batch(problem, rows)
    for k, row in enumerate(rows):
        error = np.linalg.norm(forward(ARM, batch.poses[k])[TIP][:3, 3] - row)
        assert batch.met[k] == (error <= 1e-3 + 1e-9)
        single = limber.Problem(ARM)
        single.add(ARM.point(TIP), limber.Position(row))
        if limber.solve(single).met:
            assert batch.met[k]
