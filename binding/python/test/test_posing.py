"""Parts are pulled, and the body follows."""

from __future__ import annotations

import numpy as np
import pytest

import limber


def settle(posing: limber.Posing) -> limber.PosingReport:
    for _ in range(200):
        report = posing.frame()
        if report.settled:
            return report
    raise AssertionError("it does not settle")


def test_a_hand_is_dragged_while_the_feet_stay(human: limber.Figure) -> None:
    posing = limber.Posing(human, pins=["left_foot", limber.Pin("right_foot", turns=True)])
    hand = posing.grab(human.point("right_palm"))
    hand.move([-0.3, 1.2, 0.45])
    report = settle(posing)
    assert report.met and report.grips[0].met and report.grips[0].metres < 1e-3
    assert np.allclose(posing.pose.point("right_palm"), [-0.3, 1.2, 0.45], atol=1e-3)
    assert np.allclose(posing.pose.frame("left_foot"), human.rest().frame("left_foot"), atol=1e-4)
    there = posing.answer
    hand.move([-0.5, 1.5, 0.1])
    settle(posing)
    hand.move([-0.3, 1.2, 0.45])
    settle(posing)
    assert np.allclose(posing.answer.theta, there.theta, atol=1e-6), "going out and back does not return"
    hand.release()
    with pytest.raises(limber.Error, match="released"):
        hand.move([0, 1, 0])


def test_turning_limbs_and_parameters(human: limber.Figure) -> None:
    posing = limber.Posing(human, {"right_elbow.flexion": 0.5}, locks=["root.y"], feet=["left_foot", "right_foot"])
    head = posing.grab(human.frame("head"), turns=True, moves=False, chain="limb")
    head.turn(np.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]]))
    elbow = posing.grab_parameter("right_elbow.flexion")
    elbow.set(1.0)
    posing.ask()
    settle(posing)
    assert abs(posing.pose["right_elbow.flexion"] - 1.0) < 1e-3
    assert isinstance(elbow, limber.Grip)
    with pytest.raises(limber.Error, match="'body', 'limb', 'part'"):
        posing.grab(human.point("head"), chain="arm")
    with pytest.raises(limber.Error, match="left_foot"):
        limber.Posing(human, pins=["left_fot"])


def test_the_body_follows_as_people_do_unless_it_need_not(human: limber.Figure) -> None:
    answers = []
    for natural in (True, False):
        posing = limber.Posing(human, pins=["left_foot", "right_foot"], natural=natural)
        hand = posing.grab(human.point("right_palm"))
        hand.move([-0.3, 0.5, 0.5])
        assert settle(posing).met
        answers.append(posing.answer)
    usual, least = answers
    assert np.abs(usual.theta - least.theta).max() > 0.1


def test_a_step_is_suggested_where_a_hand_is_out_of_reach(human: limber.Figure) -> None:
    feet = ["left_foot", "right_foot"]
    posing = limber.Posing(human, pins=feet, feet=feet, looks=True)
    hand = posing.grab(human.point("right_palm"))
    near = human.rest().point("right_palm")
    hand.move(near + [0.0, 0.3, 0.3])
    posing.frame()
    assert posing.suggest_step() is None
    hand.move(near + [0.0, 0.3, 1.4])
    missed = posing.frame().grips[0].metres
    step = posing.suggest_step()
    assert isinstance(step, limber.Step) and step.foot in feet
    assert step.by[1] == 0.0 and step.by[2] > 0.1
    assert step.metres < missed / 2
