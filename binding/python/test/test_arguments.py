"""Arrays of any kind are taken, and wrong arguments of every kind are refused with what was expected; nothing crashes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import limber

P = [-0.2, 1.1, 0.5]


@pytest.mark.parametrize(
    "array",
    [
        P,
        tuple(P),
        np.array(P),
        np.array(P, dtype=np.float32),
        np.array(P, dtype=np.float16),
        np.array([-1, 2, 3]),
        np.array([P, P]).T[:, 1],
        np.array(P[::-1])[::-1],
        np.repeat(P, 5)[::5],
        np.array([True, False, True]),
        np.matrix(P).A1,
        memoryview(np.array(P)),
    ],
    ids=str,
)
def test_vectors_of_any_type_and_stride(array: Any) -> None:
    assert np.array_equal(limber.Position(array).p, np.asarray(array, dtype=float))


def test_dlpack_is_taken() -> None:
    class Exporter:
        def __init__(self) -> None:
            self.array = np.array(P)

        def __dlpack__(self, **_: object) -> object:
            return self.array.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    assert limber.Position(Exporter()).p.tolist() == P


WRONG: list[Any] = [
    None,
    "right_palm",
    b"123",
    1.5,
    [],
    [1.0],
    [1.0, 2.0],
    [1.0, 2.0, 3.0, 4.0],
    [[1.0, 2.0, 3.0]],
    [1.0, "a", 2.0],
    [1.0, None, 2.0],
    [1.0, [2.0], 3.0],
    np.zeros((3, 3, 3)),
    np.zeros(0),
    np.zeros(10**6),
    np.array([1j, 2, 3]),
    np.array(["a", "b", "c"]),
    np.array([object(), 1, 2]),
    {"x": 1},
    {1, 2, 3},
    object(),
    np.datetime64("2000-01-01"),
    limber.human,
]
NOT_FINITE = [[np.nan, 0, 0], [np.inf, 0, 0], [0, -np.inf, 0]]


def calls() -> list[Callable[[Any], Any]]:
    figure, other = limber.human(), limber.simple_human()
    problem = limber.Problem(figure)
    palm = figure.point("right_palm")
    kept = problem.add(palm, limber.Position(P))
    pose = figure.rest()
    clip = limber.Clip(figure, np.zeros((4, len(figure.names))))
    posing = limber.Posing(figure)
    grip = posing.grab(palm)
    solver = limber.Solver(problem)
    options = limber.Options()
    description = other.description

    def set_to(thing: Any, name: str) -> Callable[[Any], Any]:
        def call(value: Any) -> Any:
            setattr(thing, name, value)

        return call

    return [
        limber.Position,
        limber.Direction,
        limber.Orientation,
        limber.Placement,
        lambda x: limber.Line(x, [0, 1, 0]),
        lambda x: limber.Plane([0, 1, 0], x),
        lambda x: limber.Distance([0, 0, 0], x),
        lambda x: limber.sphere(x, 1.0),
        lambda x: limber.InsidePolyhedron(x, [[0, 1, 0]]),
        lambda x: limber.CustomGoal(x, rows=1),
        lambda x: problem.add(palm, x),
        lambda x: problem.add(x, limber.Position(P)),
        lambda x: problem.add(palm, limber.Position(P), weighting=x).remove(),
        lambda x: problem.add(palm, limber.Position(P), weight=x).remove(),
        lambda x: problem.add(palm, limber.Position(P), chain_from=x).remove(),
        lambda x: problem.add_one_of(x),
        lambda x: problem.add_pull(x),
        lambda x: problem.add_clearance(x),
        lambda x: problem.add_balance(x),
        lambda x: problem.set_rigidity("right_elbow.flexion", x),
        set_to(kept, "goal"),
        set_to(kept, "weight"),
        lambda x: limber.solve(problem, x),
        lambda x: limber.solve(problem, iterations=x),
        lambda x: limber.solve(problem, method=x),
        lambda x: limber.solve(problem, gain=x, method="jacobian-transpose"),
        lambda x: solver.solve(x),
        lambda x: limber.solve_batch(problem, x),
        lambda x: limber.solve_batch(problem, {kept: x}),
        lambda x: limber.solve_batch(problem, [P], start=x),
        lambda x: limber.solve_batch(problem, [P], met_mm=x),
        lambda x: limber.Solver(x),
        lambda x: limber.Problem(x),
        lambda x: limber.Figure(x),
        lambda x: limber.Pose(figure, x),
        lambda x: limber.Clip(figure, x),
        lambda x: figure.pose(x),
        lambda x: figure.point(x),
        lambda x: figure.evaluate(x, pose),
        lambda x: figure.evaluate(palm, x),
        lambda x: figure.jacobian(palm, x),
        lambda x: limber.join(x),
        lambda x: limber.together(x),
        lambda x: pose[x],
        set_to(pose, "theta"),
        lambda x: clip[x],
        lambda x: clip.positions(x),
        lambda x: clip.resampled(x),
        lambda x: clip.blended(x, 0.5),
        lambda x: clip.cut(x, x),
        lambda x: limber.Posing(figure, pins=x),
        lambda x: limber.Posing(figure, stiffness=x),
        lambda x: posing.grab(x),
        lambda x: posing.grab_parameter(x),
        grip.move,
        grip.turn,
        set_to(options, "iterations"),
        set_to(options, "method"),
        lambda x: limber.Obstacle.box("box", x),
        lambda x: limber.Obstacle.hull("hull", x),
        lambda x: limber.Obstacle.mesh("mesh", x, [[0, 1, 2]]),
        lambda x: limber.Obstacle.mesh("mesh", np.eye(3), x),
        lambda x: limber.Obstacle.floor("floor", x),
        lambda x: limber.Freedom("turn", x),
        lambda x: limber.Joint("a", "", "b", x),
        lambda x: limber.Segment("a", x),
        lambda x: limber.FigureDescription("a", x, []),
        set_to(description, "joints"),
        lambda x: limber.Scene(x),
        limber.Scene.from_json,
        lambda x: limber.Markers(["a"], x, 100.0),
        lambda x: limber.draw(problem, x),
        lambda x: limber.overlaps(x),
        lambda x: limber.human(stature=x),
        lambda x: limber.read(x),
    ]


@pytest.mark.parametrize("number", range(len(calls())))
def test_wrong_arguments_are_refused(number: int) -> None:
    call = calls()[number]
    refused = 0
    for value in [*WRONG, *NOT_FINITE]:
        try:
            call(value)
        except (limber.Error, TypeError, IndexError, OSError, AttributeError, OverflowError) as error:
            assert str(error), "an error without a word"
            refused += 1
    assert refused >= 10, f"{len(WRONG) - refused} wrong arguments were taken"


def test_goals_that_are_not_finite_are_refused() -> None:
    figure = limber.human()
    for wrong in NOT_FINITE:
        with pytest.raises(limber.Error, match="finite"):
            limber.Problem(figure).add(figure.point("right_palm"), limber.Position(wrong))


def test_wrong_shapes_name_the_expected_one() -> None:
    with pytest.raises(limber.Error, match=r"^p: found an array of shape \(2,\); expected one of shape \(3,\)$"):
        limber.Position([1, 2])
    figure = limber.human()
    with pytest.raises(limber.Error, match=rf"expected one of shape \(N, {len(figure.names)}\)"):
        limber.Clip(figure, np.zeros((3, 4)))


def test_errors_have_their_parts() -> None:
    with pytest.raises(limber.Error) as caught:
        limber.Scene.from_json('{"limber": "scene 1",\n "figure": {"human": {}},\n "constraints": [{"goal": 3}]}', "a.json")
    error = caught.value
    assert error.file == "a.json" and error.line == 3 and error.column and error.field
    assert error.found and error.expected and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == 3


def sphere(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    length = np.linalg.norm(x - [0, 1, 0.3])
    return np.array([length - 0.2]), ((x - [0, 1, 0.3]) / length)[None]


def test_goals_and_problems_pickle() -> None:
    figure = limber.human()
    palm, other = figure.point("right_palm"), figure.point("left_palm")
    goals: list[tuple[Any, Any]] = [
        (palm, limber.Position([1 / 3, 1, 0])),
        (figure.direction("eyes"), limber.Direction([0, 0.6, 0.8], 50)),
        (figure.frame("head").part("directions"), limber.Orientation(np.eye(3))),
        (figure.frame("head"), limber.Placement(np.eye(4), 0.25)),
        (figure.ray("eyes"), limber.AimAt([0, 1, 2])),
        (palm, limber.Line([0, 1, 0], [0, 0, 1])),
        (palm, limber.Plane([0, 1, 0], [0, 0, 1])),
        (palm, limber.HalfSpace([0, 1, 0], [0, 0, 1])),
        (palm, limber.Distance([0, 1, 0], 0.5, "at-least")),
        (palm, limber.InsidePolyhedron([[0, 1, 0]], [[0, 1, 0]])),
        (palm, limber.OutsidePolyhedron([[0, 1, 0]], [[0, 1, 0]])),
        (palm, limber.InsideCapsule(limber.sphere([0, 1, 0], 0.5))),
        (palm, limber.OutsideCapsule(limber.Capsule([0, 1, 0], [0, 2, 0], 0.1))),
        (palm - other, limber.Coincide(25)),
        (palm, limber.Hold(25)),
        (palm, limber.CustomGoal(sphere, 1, name="sphere")),
    ]
    for handle, goal in goals:
        problem = limber.Problem(figure)
        problem.add(handle, goal, weight=0.5, chain_from="waist", weighting=None, name="it")
        problem.add_one_of([(handle, goal), (other, limber.Position([0.3, 1, 0.3]))], priority=2)
        problem.add_pull("rest")
        problem.set_rigidity("right_elbow.flexion", 0.5)
        problem.constraints[2].enabled = False
        again = pickle.loads(pickle.dumps(problem))
        assert limber.solve(again).pose == limber.solve(problem).pose, goal
        assert [c.name for c in again.constraints] == [c.name for c in problem.constraints]
        assert [c.chain for c in again.constraints] == [c.chain for c in problem.constraints]
        assert limber.solve(copy.deepcopy(problem)).pose == limber.solve(problem).pose


def test_whatever_a_problem_has_pickles(human: limber.Figure) -> None:
    corners = [[x, y, z] for x in (0.2, 0.6) for y in (0.6, 0.8) for z in (0.3, 0.7)]
    shapes = [
        limber.Obstacle.floor(),
        limber.Obstacle.ball("ball", [0, 1, 0.6], 0.1),
        limber.Obstacle.box("box", [0.3, 0.02, 0.3], frame=[0, 0.9, 0.4]),
        limber.Obstacle.capsule("post", limber.Capsule([0.3, 0, 0.4], [0.3, 2, 0.4], 0.05)),
        limber.Obstacle.hull("hull", corners),
        limber.Obstacle.mesh("sheet", [[-1, 0.5, 1], [1, 0.5, 1], [0, 2, 1]], [[0, 1, 2]]),
    ]
    problem = limber.Problem(human)
    removed = problem.add(human.point("left_palm"), limber.Position([0, 0, 0]))
    hand = problem.add(human.point("right_palm"), limber.Position([-0.1, 1.0, 0.55]), chain_from="waist")
    problem.add_clearance(shapes, self_collision=True, margin=0.01)
    problem.add_balance(["left_foot", "right_foot"])
    problem.add_strength([("right_palm", 2.0)])
    problem.add_prior(0.5)
    problem.add_pull("comfort", weight=1e-4)
    problem.constraints[-2].weight = 0.25  # the up direction of the prior
    removed.remove()
    report = limber.solve(problem)

    again, kept, hand_again, report_again = pickle.loads(pickle.dumps((problem, problem, hand, report)))
    assert kept is again and hand_again.problem is again and hand_again == again.constraints[0]
    assert [(c.name, c.weight, c.chain, c.soft) for c in again.constraints] == [
        (c.name, c.weight, c.chain, c.soft) for c in problem.constraints
    ]
    assert limber.solve(again).pose == report.pose
    assert report_again.pose == report.pose and str(report_again) == str(report)
    assert report_again[hand_again].metres == report[hand].metres


def test_reports_pickle_with_all_they_say(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    problem.add(human.point("right_palm"), limber.Position([0, 3, 0]), chain_from="right_shoulder")
    problem.add_clearance([limber.Obstacle.ball("ball", [-0.2, 1.6, 0], 0.3)])
    report = limber.solve(problem)
    for again in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
        assert str(again) == str(report) and again.exit == report.exit and again.objective == report.objective
        first = again.constraints[0]
        assert [h.name for h in first.held_back_by] == [h.name for h in report.constraints[0].held_back_by] != []
        assert again.constraints[1].touching == report.constraints[1].touching


def test_views_are_views_and_live_as_long_as_they_are_needed() -> None:
    pose = limber.human().rest()
    theta = pose.theta
    theta[3] = 0.25
    assert pose[pose.figure.names[3]] == 0.25
    del pose
    assert theta[3] == 0.25
    angles = limber.Clip(limber.human(), np.zeros((5, 42))).angles
    assert angles.shape == (5, 42) and angles.flags.c_contiguous and not angles.any()


def test_values_copy_and_pickle_bit_for_bit() -> None:
    figure = limber.human(sex="female", spine="independent")
    again = pickle.loads(pickle.dumps(figure))
    assert again.names == figure.names and np.array_equal(again.upper, figure.upper)
    assert np.array_equal(again.rest().frames(), figure.rest().frames()) and again.has_prior == figure.has_prior
    two = limber.join({"a": limber.human(), "b": (limber.simple_human(), [0, 0, 1])})
    assert pickle.loads(pickle.dumps(two)).parts == two.parts
    pose = figure.pose({"right_elbow.flexion": 1 / 3})
    clip = limber.Clip(figure, [pose, figure.rest()], 1 / 60, "nod")
    for value in (pose, copy.copy(pose), copy.deepcopy(pose), pickle.loads(pickle.dumps(pose))):
        assert value == pose
    for motion in (copy.deepcopy(clip), pickle.loads(pickle.dumps(clip))):
        assert np.array_equal(motion.angles, clip.angles) and motion.name == "nod" and motion.frame_time == 1 / 60
    handle = pickle.loads(pickle.dumps(figure.frame("right_palm")))
    assert np.array_equal(figure.evaluate(handle, pose), figure.evaluate(figure.frame("right_palm"), pose))
    options = limber.Options(method="jacobian-transpose", iterations=7, restarts=None, gain=[1.0, 2.0])
    assert repr(pickle.loads(pickle.dumps(options))) == repr(options)
    description = pickle.loads(pickle.dumps(figure.description))
    assert limber.Figure(description).names == figure.names
