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
