"""Key poses, constraints over time, scripts, cleaning, retargeting, tracking, reach and assessment."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import limber


@pytest.fixture(scope="module")
def walk() -> limber.Clip:
    return limber.read(ROOT / "data/acclaim/02_01.amc").clip


def test_a_sequence_passes_its_keys_and_edits_give_others(human: limber.Figure) -> None:
    poses = [human.pose({"right_elbow.flexion": angle}) for angle in (0.0, 1.0, 0.5)]
    keys = [limber.Key(time, pose, ease_in=0.2) for time, pose in zip((0.0, 1.0, 3.0), poses, strict=True)]
    sequence = limber.Sequence(human, keys)
    assert (sequence.start, sequence.end, sequence.duration, len(sequence)) == (0.0, 3.0, 3.0, 3)
    for key, pose in zip(sequence.keys, poses, strict=True):
        assert sequence.at(key.time) == pose and key.pose == pose and key.interpolation == "spline"
    assert len(sequence.erased(1)) == 2 and len(sequence) == 3
    assert sequence.stretched(2.0).end == 6.0 and sequence.slid(1.0).start == 1.0
    assert np.allclose(sequence.reversed().at(1.0).theta, sequence.at(2.0).theta)
    assert sequence.mirrored().at(1.0)["left_elbow.flexion"] == 1.0
    assert sequence.retimed([(0.0, 0.0), (6.0, 3.0)]).end == 6.0
    assert len(sequence.inserted(limber.Key(2.0, poses[0], interpolation="step"))) == 4
    assert sequence.replaced(0, limber.Key(0.0, poses[1])).at(0.0) == poses[1]
    assert sequence.pasted(sequence, 3.0).end == 6.0
    assert np.allclose(sequence.blended(sequence, 0.5).at(0.7).theta, sequence.at(0.7).theta, atol=1e-6)
    assert sequence.cross_faded(sequence, 0.5).end == pytest.approx(5.5)
    clip = sequence.sampled(1 / 50)
    dense = limber.Sequence.of_clip(clip)
    assert len(clip) == 151 and len(dense.reduced()) < len(dense)
    for wrong in ([], keys[::-1], [limber.Key(0.0, limber.simple_human().rest())]):
        with pytest.raises(limber.Error):
            limber.Sequence(human, wrong)


def test_constraints_over_time_are_met(human: limber.Figure) -> None:
    standing = limber.Clip(human, [human.rest()] * 41, 1 / 20)
    timed = limber.TimedProblem(human)
    timed.add(human.frame("left_foot"), limber.hold(), weight=limber.must)
    timed.add(
        human.point("right_palm"),
        lambda t: limber.Position([-0.3, 1.0 + 0.1 * t, 0.35]),
        0.5,
        1.5,
        ease_in=0.3,
        ease_out=0.3,
        weight=limber.must,
        chain_from="waist",
        name="hand",
    )
    timed.set_stiffness("right_elbow.flexion", 2.0)
    timed.set_rigidity("left_elbow.flexion", 1.0)
    assert len(timed) == 2 and timed.figure.name == human.name
    for solve in (limber.solve_motion, limber.play_motion):
        solved = solve(timed, standing)
        assert solved.met and [demand.met for demand in solved.demands] == [True, True], solved
        paths = solved.clip.positions(["right_palm", "left_foot"])
        assert np.allclose(paths[20, 0], [-0.3, 1.1, 0.35], atol=1e-4)
        assert np.allclose(paths[:, 1], paths[0, 1], atol=1e-4)
        assert not solved.clip.angles[:, human.names.index("left_elbow.flexion")].any()
    seen: list[int] = []
    assert limber.solve_motion(timed, standing, observer=lambda k, of, error: seen.append(k) or False).exit == "cancelled"
    assert len(seen) == 1


def test_what_cannot_hold_together_is_named(human: limber.Figure) -> None:
    standing = limber.Clip(human, [human.rest()] * 5, 1 / 10)
    timed = limber.TimedProblem(human)
    for name, x in (("here", -0.3), ("there", -0.4)):
        timed.add(human.point("right_palm"), limber.Position([x, 1.0, 0.3]), weight=limber.must, name=name)
    solved = limber.solve_motion(timed, standing)
    assert not solved.met and {"here", "there"} <= set(solved.contradictions[0][1])
    own = limber.TimedProblem(human)
    with pytest.raises(ZeroDivisionError):
        own.add(human.point("right_palm"), lambda t: limber.Position([1 / 0, 0, 0]))


def test_a_moving_body_keeps_clear(human: limber.Figure) -> None:
    ball = limber.Obstacle.ball("ball", human.rest().point("right_palm") + [0.0, 0.0, 0.05], 0.06)
    standing = limber.Clip(human, [human.rest()] * 3, 1 / 10)
    solved = limber.solve_motion(limber.TimedProblem(human), standing, obstacles=[ball])
    assert solved.met and not solved.overlaps
    assert not limber.overlaps(solved.clip[1], [ball], self_collision=False, margin=-1e-5)


@pytest.mark.parametrize("name", ["throw", "carry"])
def test_a_script_gives_what_the_tool_gives(name: str, tool: str, tmp_path: Path) -> None:
    scene, script = ROOT / f"example/motion/{name}.json", ROOT / f"example/motion/{name}.script"
    out = tmp_path / "out.bvh"
    subprocess.run([tool, "animate", str(scene), "--script", str(script), "-o", str(out)], check=False, capture_output=True)
    solved = limber.animate(script.read_text(), limber.read_scene(scene), script.name)
    assert len(solved.clip) > 10 and solved.demands
    if out.exists():
        assert len(limber.read(out).clip) == len(solved.clip)
    with pytest.raises(limber.Error) as caught:
        limber.animate("jump high", limber.read_scene(scene), "my.script")
    assert caught.value.file == "my.script" and caught.value.line == 1


def test_feet_are_found_and_cleaned(walk: limber.Clip) -> None:
    figure = walk.figure.with_common_names()
    clip = limber.Clip(figure, walk.angles[:120], walk.frame_time)
    contacts: tuple[limber.Contact, ...] = limber.find_contacts(clip)
    assert contacts and all(0 <= c.first <= c.last < 120 and c.at.shape == (3,) for c in contacts)
    cleaned: limber.Cleaned = limber.clean_feet(clip.resampled(1 / 30), iterations=8)
    assert cleaned.sliding_after < 0.2 * cleaned.sliding_before and cleaned.contacts


def test_a_motion_is_retargeted(walk: limber.Clip, human: limber.Figure) -> None:
    figure = walk.figure.with_common_names()
    clip = limber.Clip(figure, walk.angles[:60], walk.frame_time)
    seen: list[tuple[int, int]] = []
    made: limber.Retargeted = limber.retarget(clip, human, every=4, progress=lambda done, of: seen.append((done, of)))
    assert made.clip.figure.name == human.name and len(made.clip) == 15 and seen[-1] == (15, 15)
    assert made.mean_deviation < 0.2 and 0.5 < made.scale < 2 and isinstance(made.contacts, tuple)


def test_a_figure_tracks_places_and_markers(human: limber.Figure) -> None:
    angles = np.repeat(human.rest().theta[None], 20, axis=0)
    angles[:, human.names.index("right_elbow.flexion")] = np.linspace(0, 1.2, 20)
    angles[:, human.names.index("root.x")] = np.linspace(0, 0.3, 20)
    clip = limber.Clip(human, angles, 1 / 20)
    places = ["head", "left_palm", "right_palm", "left_foot", "right_foot"]
    tracked: limber.Tracked = limber.track(human, clip, places, iterations=100)
    assert tracked.errors.max() < 2e-3 and len(tracked.clip) == 20
    positions = clip.positions(places)
    tracker = limber.Tracker(human, places)
    pose = human.rest()
    for k in range(3):
        tracker.aim_points(positions[k])
        pose = tracker.solve(pose, align=k == 0).pose
        assert tracker.mean_distance <= tracker.max_distance < 2e-3
    tracker.aim(clip[5])
    tracker.solve(pose)

    markers = limber.Markers(places, positions, 20.0)
    assert np.array_equal(markers.positions, positions)
    attached = limber.attach(clip, markers, turn=0.0)
    assert {a.marker for a in attached.markers} == set(places)
    again = limber.MarkerSet.from_json(attached.to_json())
    assert len(again.markers) == len(places)
    followed = limber.track_markers(human, markers, again, iterations=100)
    assert np.linalg.norm(followed.clip.positions(places) - positions, axis=2).mean() < 5e-3
    own = limber.MarkerSet([limber.Attachment("head", "head", [0, 0.1, 0])])
    assert own.markers[0].at.tolist() == [0, 0.1, 0]


def test_limits_and_usual_poses_are_learned(walk: limber.Clip) -> None:
    figure = limber.estimate_limits([walk], margin=0.0)
    rotating = [k for k, parameter in enumerate(figure.parameters) if not parameter.name.startswith("root")]
    low, high = walk.angles.min(axis=0), walk.angles.max(axis=0)
    assert np.allclose(figure.lower[rotating], low[rotating], atol=1e-9)
    assert np.allclose(figure.upper[rotating], high[rotating], atol=1e-9)
    prior = limber.learn_prior([walk])
    assert walk.figure.with_prior(prior).has_prior and (prior.spread > 0).all()


def test_a_workspace_is_mapped() -> None:
    arm = limber.read(ROOT / "data/urdf/ur5.urdf").figure
    tip = arm.point("tool0")
    reach: limber.ReachMap = limber.reach(limber.Problem(arm), tip, resolution=0.2)
    assert reach.finished and len(reach) == len(reach.centres) == len(reach.sides) == len(reach.reached)
    for cell in np.flatnonzero(reach.reached)[:20]:
        pose = reach.pose(int(cell))
        assert pose is not None and np.linalg.norm(arm.evaluate(tip, pose) - reach.centres[cell]) < 0.002 + 1e-9
        assert not reach.proved[cell]
    surface: limber.ReachSurface = reach.surface()
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert np.isclose(volume, surface.volume, rtol=1e-9) and surface.area > 0 and surface.normals.shape == surface.vertices.shape
    farthest = surface.farthest([0, 0.1, 0], [1, 0, 0])
    assert farthest is not None and 0.5 < farthest < 1.2
    for kind in ("glb", "ply", "nrrd", "vtk", "reach"):
        assert len(reach.to_bytes(kind)) > 100
    assert not limber.reach(limber.Problem(arm), tip, resolution=0.05, observer=lambda *_: False).finished


def test_a_posture_is_assessed(human: limber.Figure, tool: str) -> None:
    scene = ROOT / "example/scene/hold_crate.json"
    ran = subprocess.run([tool, "assess", "--json", str(scene)], capture_output=True, text=True, check=False)
    expected = json.loads(ran.stdout)
    assessment: limber.Assessment = limber.assess(limber.read_scene(scene).pose)
    assert assessment.discomfort == pytest.approx(expected.get("discomfort", assessment.discomfort))
    light, heavy = (limber.assess(human.pose({"right_shoulder.elevation": 1.5}), {"right_palm": kg}) for kg in (0.5, 8.0))
    share = {joint.name: joint.share for joint in heavy.joints}
    assert share["right_shoulder.elevation"] > {joint.name: joint.share for joint in light.joints}["right_shoulder.elevation"]
    assert isinstance(heavy.joints[0], limber.JointAssessment) and heavy.segment_share.shape == (len(human.segments),)
    left, right = heavy.rula
    assert left and right and 1 <= left <= 7 and right >= left and heavy.reba[1] >= 1 and heavy.no_scores == ""
    with pytest.raises(limber.Error, match="right_palm"):
        limber.assess(human.rest(), {"right_plam": 1.0})
