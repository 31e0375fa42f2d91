"""Many problems from arrays give what they give one by one."""

from __future__ import annotations

import numpy as np
import pytest

import limber


def cloud(figure: limber.Figure, handle: limber.Handle, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    poses = rng.uniform(figure.lower, figure.upper, (count, len(figure.names)))
    return figure.evaluate(handle, poses)


def test_an_array_of_goals_is_met(arm: limber.Figure) -> None:
    tip = arm.point(arm.segments[-1])
    problem = limber.Problem(arm)
    problem.add(tip, limber.Position([0.4, 0.4, 0]))
    targets = cloud(arm, tip, 3000, 1)
    batch = limber.solve_batch(problem, targets)
    assert len(batch) == 3000 and batch.met_count == batch.met.sum() and batch.met.mean() > 0.999
    assert batch.in_lanes + batch.one_by_one >= 3000
    assert ((batch.poses >= arm.lower - 1e-12) & (batch.poses <= arm.upper + 1e-12)).all()
    errors = np.linalg.norm(arm.evaluate(tip, batch.poses) - targets, axis=1)
    assert (errors[batch.met] <= 1e-3 + 1e-9).all()


def test_threads_order_and_strides_change_nothing(arm: limber.Figure) -> None:
    tip = arm.point(arm.segments[-1])
    problem = limber.Problem(arm)
    kept = problem.add(tip, limber.Position([0.4, 0.4, 0]))
    targets = cloud(arm, tip, 800, 2)
    one = limber.solve_batch(problem, targets, threads=1).poses
    assert np.array_equal(one, limber.solve_batch(problem, {kept: targets}, threads=2).poses)
    assert np.array_equal(one[::-1], limber.solve_batch(problem, targets[::-1]).poses)
    assert np.array_equal(one[::2], limber.solve_batch(problem, np.asfortranarray(targets)[::2]).poses)


def test_several_goals_and_starts(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    left = problem.add(human.point("left_palm"), limber.Position([0.3, 1.1, 0.4]), chain_from="waist")
    right = problem.add(human.point("right_palm"), limber.Position([-0.3, 1.1, 0.4]), chain_from="waist")
    n = 5
    lefts = np.array([0.3, 1.1, 0.4]) + 0.02 * np.arange(n)[:, None]
    starts = np.repeat(human.rest().theta[None], n, axis=0)
    batch = limber.solve_batch(problem, {left: lefts}, starts)
    assert batch.met.all() and "5 of 5" in repr(batch)
    for k in range(n):
        pose = human.pose(batch.poses[k])
        assert np.linalg.norm(pose.point("left_palm") - lefts[k]) < 1.001e-3
        assert np.linalg.norm(pose.point("right_palm") - [-0.3, 1.1, 0.4]) < 1.001e-3
    assert right.goal.p.tolist() == [-0.3, 1.1, 0.4]
    for wrong in ({left: lefts, right: lefts[:2]}, {}, {"left": lefts}, lefts):
        with pytest.raises(limber.Error, match="targets"):
            limber.solve_batch(problem, wrong)
    with pytest.raises(limber.Error, match="one per problem"):
        limber.solve_batch(problem, {left: lefts}, starts[:2])


def test_orientations_and_placements(arm: limber.Figure) -> None:
    hand = arm.frame(arm.segments[-1])
    rng = np.random.default_rng(3)
    poses = [arm.pose(rng.uniform(arm.lower, arm.upper)) for _ in range(20)]
    frames = np.array([pose.frame(arm.segments[-1]) for pose in poses])
    problem = limber.Problem(arm)
    problem.add(hand, limber.Placement(np.eye(4)))
    batch = limber.solve_batch(problem, frames, restarts=20)
    assert batch.met.mean() >= 0.9
    found = np.array([arm.pose(theta).frame(arm.segments[-1]) for theta in batch.poses[batch.met]])
    assert np.allclose(found[:, :3, 3], frames[batch.met][:, :3, 3], atol=1.001e-3)
    turned = limber.Problem(arm)
    turned.add(hand.part("directions"), limber.Orientation(np.eye(3)))
    assert limber.solve_batch(turned, frames[:, :3, :3]).met.all()
    with pytest.raises(limber.Error, match=r"\(N, 4, 4\)"):
        limber.solve_batch(problem, frames[:, :3, 3])


def test_progress_can_end_a_batch(arm: limber.Figure) -> None:
    tip = arm.point(arm.segments[-1])
    problem = limber.Problem(arm)
    problem.add(tip, limber.Position([0.4, 0.4, 0]))
    seen: list[tuple[int, int]] = []
    limber.solve_batch(problem, cloud(arm, tip, 10, 4), progress=lambda done, of: seen.append((done, of)))
    assert seen == [(10, 10)]
    assert len(limber.solve_batch(problem, np.zeros((0, 3)))) == 0


def test_lanes_are_those_that_are_asked_for(arm: limber.Figure) -> None:
    problem = limber.Problem(arm)
    problem.add(arm.point("panda_hand_tcp"), limber.Position([0, 0, 0]))
    rng = np.random.default_rng(3)
    targets = arm.evaluate(arm.point("panda_hand_tcp"), rng.uniform(arm.lower, arm.upper, (500, len(arm.names))))
    narrow = limber.solve_batch(problem, targets, lanes=4)
    assert narrow.met.all() and np.array_equal(narrow.poses, limber.solve_batch(problem, targets, lanes=4).poses)
    with pytest.raises(limber.Error, match="found 5; expected 0, or 4, 8 or 16"):
        limber.solve_batch(problem, targets, lanes=5)


def test_a_gpu_is_used_where_there_is_one(arm: limber.Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    tip = arm.point("panda_hand_tcp")  # which the coupled fingers do not move
    problem = limber.Problem(arm)
    problem.add(tip, limber.Position([0.4, 0.4, 0]))
    targets = cloud(arm, tip, 200, 3)
    monkeypatch.setenv("LIMBER_CUDA", "no/such/module.so")
    batch = limber.solve_batch(problem, targets, device="gpu")
    assert batch.card == "" and batch.no_card.startswith("No GPU: found no no/such/module.so")
    expected = limber.solve_batch(problem, targets)
    assert np.array_equal(batch.poses, expected.poses) and expected.no_card == ""
    with pytest.raises(limber.Error, match="'cpu' or 'gpu'"):
        limber.solve_batch(problem, targets, device="tpu")
