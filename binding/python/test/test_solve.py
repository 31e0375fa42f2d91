"""Problems are solved, and reports say what became of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import forward, site_of

import limber


def reach(figure: limber.Figure, target: list[float]) -> tuple[limber.Problem, limber.Constraint]:
    problem = limber.Problem(figure)
    return problem, problem.add(figure.point("right_palm"), limber.Position(target), chain_from="waist")


def test_a_goal_is_met_and_a_hard_one_holds(human: limber.Figure) -> None:
    problem, hand = reach(human, [-0.2, 1.1, 0.5])
    foot = problem.add(human.frame("left_foot"), limber.hold(), weight=limber.must, name="foot stays")
    report = limber.solve(problem)
    assert report.met and report[hand].met and report[foot].name == "foot stays"
    assert np.linalg.norm(report.pose.point("right_palm") - [-0.2, 1.1, 0.5]) < 1e-3
    assert np.allclose(report.pose.frame("left_foot"), human.rest().frame("left_foot"), atol=1e-6)
    assert "right_palm position" in str(report) and len(report) == 2


def test_the_start_stays_as_it_is_and_the_answer_is_a_pose_of_its_own(human: limber.Figure) -> None:
    problem, _ = reach(human, [-0.2, 1.1, 0.5])
    start = human.rest()
    report = limber.solve(problem, start)
    assert start == human.rest() and report.pose != start
    report.pose.theta[:] = 0
    assert report.pose.theta.any(), "the pose of a report was changed from outside"


def test_what_blocks_a_goal_is_named(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    knee = problem.add(human.point("left_ankle"), limber.Position([0.1, 0.4, 0.6]), chain_from="left_knee")
    report = limber.solve(problem)
    assert not report.met and report[knee].metres is not None and report[knee].metres > 0.01
    limits = report[knee].held_back_by
    assert limits[0].name == "left_knee.flexion lower limit" and 0 < limits[0].share <= 1


def test_a_robot_arm_reaches_where_numpy_says_it_is(arm: limber.Figure) -> None:
    goal = arm.pose(np.clip(np.linspace(-1, 1, len(arm.names)), arm.lower, arm.upper))
    tip = arm.segments[-1]
    problem = limber.Problem(arm)
    problem.add(arm.frame(tip), limber.Placement(goal.frame(tip)))
    report = limber.solve(problem)
    assert report.met
    found = forward(arm, report.pose.theta)[tip]
    assert np.linalg.norm(found[:3, 3] - forward(arm, goal.theta)[tip][:3, 3]) < 1.01e-3


def test_frames_are_those_of_numpy(arm: limber.Figure) -> None:
    pose = arm.pose((arm.lower + 2 * arm.upper) / 3)
    frames = forward(arm, pose.theta)
    for k, name in enumerate(arm.segments):
        assert np.allclose(pose.frames()[k], frames[name], atol=1e-12)


def test_sites_are_those_of_numpy() -> None:
    figure = limber.simple_human()
    pose = figure.pose({"left_elbow.flexion": 1.0, "right_knee.flexion": 0.5})
    frames = forward(figure, pose.theta)
    for site in figure.sites:
        assert np.allclose(pose.frame(site), site_of(figure, frames, site), atol=1e-12)


def test_jacobians_are_differences(human: limber.Figure) -> None:
    pose, handle, step = human.pose({"spine.forward": 0.2, "right_elbow.flexion": 0.7}), human.frame("right_palm"), 1e-6
    J = human.jacobian(handle, pose)
    for k in range(len(human.names)):
        ahead, behind = pose.copy(), pose.copy()
        ahead.theta[k] += step
        behind.theta[k] -= step
        difference = (human.evaluate(handle, ahead) - human.evaluate(handle, behind)).ravel() / (2 * step)
        assert np.allclose(J[:, k], difference, atol=1e-8), human.names[k]


def test_a_solver_is_kept_while_a_goal_moves(human: limber.Figure) -> None:
    problem, hand = reach(human, [-0.2, 1.0, 0.5])
    solver, pose = limber.Solver(problem), human.rest()
    for height in np.linspace(1.0, 1.3, 10):
        hand.goal = limber.Position([-0.2, height, 0.5])
        report = solver.solve(pose, iterations=50)
        pose = report.pose
        assert report[hand].met
    solver.forget()
    assert solver.problem is problem


def test_constraints_can_be_changed_and_removed(human: limber.Figure) -> None:
    problem, hand = reach(human, [-0.2, 1.1, 0.5])
    hand.weight, hand.enabled = 2.0, False
    assert hand.weight == 2.0 and not hand.enabled and hand.priority == 1 and not hand.soft
    assert hand.goal.p.tolist() == [-0.2, 1.1, 0.5]
    assert "right_elbow.flexion" in hand.chain and hand.problem is problem
    assert problem.constraints == (hand,)
    hand.remove()
    assert len(problem) == 0
    with pytest.raises(limber.Error, match="removed"):
        hand.weight = 1.0


def test_alternatives_pulls_balance_and_priorities(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    either = problem.add_one_of(
        [
            (human.point("right_palm"), limber.Position([-0.2, 5.0, 0.5])),
            (human.point("left_palm"), limber.Position([0.2, 1.1, 0.5])),
        ]
    )
    problem.add(human.frame("left_foot"), limber.hold(), weight=limber.must)
    problem.add(human.frame("right_foot"), limber.Hold(), weight=limber.must)
    problem.add(human.ray("eyes"), limber.AimAt([0.2, 1.1, 0.5]), priority=2)
    for towards in ("rest", "middle", "comfort", human.rest()):
        problem.add_pull(towards, weight=1e-6)
    balance = problem.add_balance(["left_foot", "right_foot"])
    report = limber.solve(problem)
    assert report[either].met and report[balance].met


def test_obstacles_are_kept_clear(human: limber.Figure) -> None:
    target = [-0.25, 0.95, 0.45]
    problem, hand = reach(human, target)
    table = limber.Obstacle.box("table", [1.2, 0.04, 0.8], [0, 0.8, 0.6])
    clear = problem.add_clearance([table], self_collision=True)
    report = limber.solve(problem)
    assert report[hand].met and report[clear].met
    found: tuple[limber.Overlap, ...] = limber.overlaps(report.pose, [table])
    assert not [overlap.text for overlap in found if overlap.clearance < -1e-6]
    assert limber.overlaps(human.rest(), [limber.Obstacle.ball("ball", [0, 1, 0], 0.3)])[0].clearance < 0
    clear.move_obstacle(0, [0, 5, 0])
    assert limber.solve(problem).met


def test_a_goal_of_ones_own_with_its_derivative(human: limber.Figure) -> None:
    def on_sphere(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d = x - np.array([-0.3, 1.2, 0.3])
        length = np.linalg.norm(d)
        return np.array([length - 0.2]), (d / length)[None, :]

    problem = limber.Problem(human)
    own = problem.add(human.point("right_palm"), limber.CustomGoal(on_sphere, rows=1, error=lambda x: abs(on_sphere(x)[0][0])))
    report = limber.solve(problem)
    assert report[own].met
    assert abs(np.linalg.norm(report.pose.point("right_palm") - [-0.3, 1.2, 0.3]) - 0.2) < 1e-3


def test_the_exception_of_a_goal_of_ones_own_comes_out(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    problem.add(human.point("right_palm"), limber.CustomGoal(lambda x: 1 / 0, rows=1))
    with pytest.raises(ZeroDivisionError):
        limber.solve(problem)
    with pytest.raises(ZeroDivisionError):
        limber.solve(problem.copy())
    other = limber.Problem(human)
    other.add(human.point("right_palm"), limber.CustomGoal(lambda x: ([0.0, 0.0], [[0, 0, 0]]), rows=1))
    with pytest.raises(limber.Error, match=r"found an array of shape \(2,\); expected one of shape \(1,\)"):
        limber.solve(other)


def test_an_observer_sees_the_iterations_and_ends_them(human: limber.Figure) -> None:
    problem, _ = reach(human, [-0.2, 1.1, 0.5])
    seen: list[tuple[int, float]] = []

    def observe(iteration: int, objective: float, pose: limber.Pose) -> bool:
        seen.append((iteration, objective))
        return iteration < 2

    assert limber.solve(problem, observer=observe).exit == "cancelled"
    assert [k for k, _ in seen] == [1, 2]
    full = limber.solve(problem)
    assert limber.solve(problem, observer=lambda *_: None).pose == full.pose

    def broken(*_: object) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        limber.solve(problem, observer=broken)


def test_handles_goals_and_their_numbers(human: limber.Figure) -> None:
    palm, other = human.point("right_palm"), human.point("left_palm")
    assert (palm - other).shape == "point" and human.frame("eyes").part("ray").shape == "ray"
    assert limber.together([palm, other]).shape == "two-points"
    assert human.direction("eyes", [0, 1, 0]).shape == "direction" and human.mass_centre().shape == "point"
    goals = [
        limber.Direction([0, 0, 1]),
        limber.Orientation(np.eye(3)),
        limber.Line([0, 1, 0], [1, 0, 0]),
        limber.Plane([0, 1, 0], [0, 1, 0]),
        limber.HalfSpace([0, 1, 0], [0, 1, 0]),
        limber.Distance([0, 1, 0], 0.4, "at-most"),
        limber.InsideCapsule(limber.sphere([0, 1, 0], 0.2)),
        limber.OutsideCapsule(limber.Capsule([0, 1, 0], [0, 2, 0], 0.2)),
        limber.InsidePolyhedron([[0, 1.2, 0]], [[0, 1, 0]]),
        limber.OutsidePolyhedron([[0, 1.2, 0]], [[0, 1, 0]]),
        limber.Coincide(),
    ]
    handles = {limber.Direction: human.direction("eyes"), limber.Orientation: human.frame("right_palm").part("directions")}
    for goal in goals:
        problem = limber.Problem(human)
        constraint = problem.add(handles.get(type(goal), palm - other if isinstance(goal, limber.Coincide) else palm), goal)
        assert limber.solve(problem)[constraint].value >= 0
        assert type(constraint.goal) is type(goal)
    with pytest.raises(limber.Error):
        limber.Problem(human).add(palm, limber.Orientation(np.eye(3)))


def test_priors_strength_rigidity_and_the_jacobian_of_goals(human: limber.Figure) -> None:
    problem, hand = reach(human, [-0.2, 1.1, 0.5])
    assert human.has_prior
    problem.add_prior(0.1)
    problem.add_strength([("right_palm", 2.0)])
    problem.set_rigidity("right_elbow.flexion", 1.0)
    assert problem.rigidities[human.names.index("right_elbow.flexion")] == 1.0
    report = limber.solve(problem)
    assert math.isclose(report.pose["right_elbow.flexion"], 0.0) and report.variables == len(problem.variables) - 1
    jacobian = problem.jacobian(report.pose)
    assert jacobian.J.shape[0] >= 3 and jacobian.rank >= 1 and jacobian.condition >= 1
    assert isinstance(jacobian, limber.GoalJacobian)


def test_figures_are_joined_hung_and_named() -> None:
    two = limber.join({"host": limber.human(), "guest": (limber.simple_human(), [0, 0, 1])})
    assert two.parts == ("host", "guest") and "guest.right_palm" in two.sites
    hung = limber.human().hung_from("left_foot")
    assert np.allclose(hung.rest().point("right_palm"), limber.human().rest().point("right_palm"))
    rig = limber.read("data/bvh/cmu_02_01.bvh").figure
    assert "right_palm" in rig.with_common_names().sites
    assert 1.6 < limber.stature_at("male", 50) < 1.8
    figure = limber.human(sex="female", stature=1.6)
    assert math.isclose(figure.rest().point("head_top")[1], 1.6, abs_tol=1e-6)


def test_a_figure_is_built_and_changed() -> None:
    freedoms = [limber.Freedom("turn", [0, 1, 0], lower=-1, upper=1), limber.Freedom("out", [1, 0, 0], motion="translate")]
    description = limber.FigureDescription(
        "crane",
        [limber.Segment("base", 5.0), limber.Segment("boom", 2.0, [0.5, 0, 0])],
        [limber.free_root("root", "base"), limber.Joint("mast", "base", "boom", freedoms, in_parent=[0, 2, 0])],
        [limber.Site("hook", "boom", [1, -0.5, 0])],
        [limber.Limit("balance", [("mast.turn", 1.0), ("mast.out", 0.5)], "at-most", 1.2)],
    )
    crane = limber.Figure(description)
    parameter: limber.Parameter = crane.parameters[crane.names.index("mast.turn")]
    assert (parameter.lower, parameter.upper, parameter.translates) == (-1, 1, False)
    assert crane.pose({"mast.out": 0.25}).point("hook").tolist() == [1.25, 1.5, 0.0]
    problem = limber.Problem(crane)
    problem.add(crane.point("hook"), limber.Position([0.5, 1.5, -3.0]), chain_from="mast")
    report: limber.Report = limber.solve(problem)
    assert report.pose["mast.turn"] + 0.5 * report.pose["mast.out"] <= 1.2 + 1e-9
    joints = description.joints
    joints[1].freedoms = [freedoms[0]]
    description.joints = joints
    assert limber.Figure(description.__class__("crane", description.segments, joints)).names[-1] == "mast.turn"
    with pytest.raises(limber.Error, match="lower"):
        joints[1].freedoms = [limber.Freedom("turn", lower=2, upper=1)]
        description.joints = joints
        limber.Figure(description)
    with pytest.raises(AttributeError):
        description.segments.append(limber.Segment("lost"))
    prior: limber.Prior = limber.human().description.prior
    assert len(prior.parameters) == len(prior.mean) == len(prior.spread)
    assert limber.human().with_prior(prior).has_prior
