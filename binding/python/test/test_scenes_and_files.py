"""Files come in and go out, and scenes are solved as the command-line tool solves them."""

from __future__ import annotations

import copy
import json
import math
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import limber

SCENES = sorted((ROOT / "example/scene").glob("*.json"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_scene_gives_what_the_tool_gives(path: Path, tool: str) -> None:
    ran = subprocess.run([tool, "solve", "--json", str(path)], capture_output=True, text=True, check=False)
    expected = json.loads(ran.stdout)
    scene = limber.read_scene(path)
    report = scene.solve()
    assert report.met == expected["met"] and report.exit == expected["exit"]
    assert report.iterations == expected["iterations"] and report.method == expected["method"]
    assert [c.met for c in report.constraints] == [c["met"] for c in expected["constraints"]]
    for unit, factor in (("pose_degrees", math.pi / 180), ("pose_metres", 1.0)):
        for name, value in expected[unit].items():
            assert math.isclose(report.pose[name], value * factor, abs_tol=1e-9), name


def test_a_scene_is_a_document() -> None:
    scene = limber.read_scene(ROOT / "example/scene/tube.json")
    again = limber.Scene.from_json(scene.to_json())
    assert again.to_json() == scene.to_json() and again.pose == scene.pose
    scene.title, scene.pose = "mine", {"right_elbow.flexion": 1.0}
    assert scene.pose["right_elbow.flexion"] == 1.0 and json.loads(scene.to_json())["title"] == "mine"
    scene.options = limber.Options(iterations=1)
    assert scene.solve().iterations == 1 and scene.solve(iterations=2).iterations == 2
    assert scene.hung_from("left_foot").figure.names != scene.figure.names
    assert len(scene.replaced(constraints=[]).problem()) == 0


@pytest.mark.parametrize("name", ["tube", "arm", "handshake", "behind_plate"])
def test_a_scene_pickles_and_copies(name: str) -> None:
    scene = limber.read_scene(ROOT / f"example/scene/{name}.json")
    answer = scene.solve()
    for again in (pickle.loads(pickle.dumps(scene)), copy.copy(scene), copy.deepcopy(scene)):
        assert again.pose == scene.pose and again.figure.names == scene.figure.names
        assert len(again.problem()) == len(scene.problem()) and again.solve().met == answer.met
    copied = copy.copy(scene)
    copied.title = "another"
    assert scene.title != "another"


def test_a_scene_is_written_and_read(tmp_path: Path) -> None:
    scene = limber.read_scene(ROOT / "example/scene/reach.json")
    limber.write_scene(tmp_path / "again.json", scene)
    assert limber.read_scene(tmp_path / "again.json").to_json() == scene.to_json()


@pytest.mark.parametrize(
    "name",
    ["bvh/mh_walk1.bvh", "acclaim/02_01.amc", "gltf/CesiumMan.glb", "urdf/ur5.urdf", "c3d/02_01.c3d"],
)
def test_files_are_read(name: str) -> None:
    content = limber.read(ROOT / "data" / name)
    assert content.format in limber.formats and repr(content) and content.up in ("y", "z")
    if content.has_figure:
        assert content.figure.names
        for clip in content.clips:
            assert np.isfinite(clip.angles).all() and clip.angles.shape == (len(clip), len(content.figure.names))
        with pytest.raises(limber.Error):
            content.figure.point("nowhere")
    else:
        assert content.markers is not None and content.markers.positions.shape[1:] == (len(content.markers.names), 3)
        with pytest.raises(limber.Error, match="no figure"):
            _ = content.figure


@pytest.mark.parametrize("name", ["walk.bvh", "walk.glb", "walk.amc"])
def test_motions_are_written_and_read_again(name: str, tmp_path: Path) -> None:
    content = limber.read(ROOT / "data/bvh/mh_walk1.bvh")
    short = content.clip.cut(0, 9)
    written = limber.write(tmp_path / name, content, clips=[short])
    assert tmp_path / name in written
    again = limber.read(tmp_path / name).clip
    places = ["Head", "Hand_R", "Foot_L"]
    assert np.allclose(again.positions(places), short.positions(places), atol=2e-4)
    assert limber.write(tmp_path / "alone.bvh", short)


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(limber.Error, match="nowhere.bvh"):
        limber.read(tmp_path / "nowhere.bvh")
    wrong = tmp_path / "wrong.bvh"
    wrong.write_text("HIERARCHY\nROOT a\n{\n  OFFSET 0 0 zero\n}\n")
    with pytest.raises(limber.Error) as caught:
        limber.read(wrong)
    assert caught.value.file == "wrong.bvh" and caught.value.line == 4
    with pytest.raises(limber.Error, match="ASF"):
        (tmp_path / "alone.amc").write_text("")
        limber.read(tmp_path / "alone.amc")


def test_a_file_names_only_what_is_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(16))
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.gltf").write_text(
        json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": "../secret.bin", "byteLength": 16}]})
    )
    with pytest.raises(limber.Error):
        limber.read(inner / "a.gltf")


def test_clips_are_cut_blended_and_drawn() -> None:
    clip = limber.read(ROOT / "data/bvh/mh_walk1.bvh").clip
    assert len(clip.cut(2, 5)) == 4 and clip.duration > 0
    assert np.array_equal(clip.blended(clip, 0.5).angles, clip.angles)
    assert len(clip.resampled(clip.frame_time / 2)) == 2 * len(clip) - 1
    assert len(clip.cross_faded(clip, 0.2)) > len(clip)
    moved = clip.carried(0.0, [1, 0, 0])
    assert np.allclose(moved.positions(["Head"]) - clip.positions(["Head"]), [1, 0, 0])
    assert clip.frames().shape == (len(clip), len(clip.figure.segments), 4, 4)
    assert np.allclose(clip.frames()[3], clip[3].frames())
    with pytest.raises(IndexError):
        clip[len(clip)]


def test_a_report_of_another_problem_is_drawn_or_refused(human: limber.Figure) -> None:
    empty, full = limber.Problem(human), limber.Problem(human)
    full.add(human.point("right_palm"), limber.Position([-0.2, 1.1, 0.5]))
    full.add_clearance([limber.Obstacle.ball("ball", [0, 1, 0.5], 0.1)])
    for problem, other in ((empty, full), (full, empty)):
        assert limber.draw(problem, report=limber.solve(other)).startswith("<svg")


def test_pictures_are_svg(human: limber.Figure) -> None:
    problem = limber.Problem(human)
    problem.add(human.point("right_palm"), limber.Position([-0.2, 1.1, 0.5]))
    report = limber.solve(problem)
    clip = limber.Clip(human, [human.rest(), report.pose])
    for picture in (
        limber.draw(problem, report=report, heat=np.linspace(0, 1, len(human.segments)), heat_name="load"),
        limber.draw_strip(clip, places=["right_palm"]),
        limber.draw_curves(clip, ["right_elbow"]),
        report.pose._repr_svg_(),
        human._repr_svg_(),
        clip._repr_svg_(),
        limber.Scene(human)._repr_svg_(),
    ):
        assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>")
    assert "<svg" in report._repr_html_() and "right_palm position" in report._repr_html_()
