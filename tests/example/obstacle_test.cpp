// The scenes with obstacles in example/scene: all goals are met, nothing overlaps, and writing reproduces the
// file.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "limber/document/scene/scene.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/solver/solve.h"
#include "tests/support/tree.h"

namespace limber {
namespace obstacle_test {

Expected<Scene> scene_with_obstacles(const std::string& name) {
  std::ifstream file(source_dir() + "/example/scene/" + name + ".json", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return read_scene(text.str(), name);
}

TEST(ObstacleScenes, EverythingIsMetAndNothingOverlaps) {
  for (const char* name : {"behind_plate", "in_box", "at_table", "past_other"}) {
    Expected<Scene> scene = scene_with_obstacles(name);
    ASSERT_TRUE(scene) << scene.error().text();
    const Expected<Problem> problem = problem_of(*scene);
    ASSERT_TRUE(problem) << problem.error().text();
    const Report report = solve(*problem, scene->pose, scene->options);
    EXPECT_TRUE(report.met()) << name << "\n" << to_text(report);
    const SceneClearance& asked = std::get<SceneClearance>(scene->constraints.back().what);
    const Expected<Clearance> clearance = clearance_of(*scene, asked);
    ASSERT_TRUE(clearance) << clearance.error().text();
    VecX q;
    scene->figure.angles(scene->pose.theta, q);
    Kinematics state(scene->figure);
    forward(scene->figure, q, state);
    const Penetrations found = penetrations(scene->figure, state, clearance->capsules, Obstacles(clearance->obstacles),
                                            clearance->pairs, asked.margin);
    EXPECT_TRUE(found.empty()) << name << ": " << (found.empty() ? "" : found.list.front().text);
  }
}

TEST(ObstacleScenes, AreWrittenAsTheyWereRead) {
  for (const char* name : {"behind_plate", "in_box", "at_table", "past_other"}) {
    const Expected<Scene> scene = scene_with_obstacles(name);
    ASSERT_TRUE(scene) << scene.error().text();
    const std::string text = write_scene(*scene);
    const Expected<Scene> again = read_scene(text, name);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(write_scene(*again), text);
    ASSERT_EQ(again->obstacles.size(), scene->obstacles.size());
    EXPECT_EQ(again->obstacles.front().name, scene->obstacles.front().name);
    EXPECT_EQ(again->obstacles.front().frame.p, scene->obstacles.front().frame.p);
    EXPECT_EQ(std::get<SceneClearance>(again->constraints.back().what).margin,
              std::get<SceneClearance>(scene->constraints.back().what).margin);
    EXPECT_EQ(again->constraints.back().weight, must);
  }
}

// Two people: without clearance a hand passes through the other's; the report names the part that it touches.
TEST(ObstacleScenes, AvoidAnotherFigure) {
  Expected<Scene> scene = scene_with_obstacles("past_other");
  ASSERT_TRUE(scene) << scene.error().text();
  const Pose start = scene->pose;
  const Report report = solve(*problem_of(*scene), scene->pose, scene->options);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_NE(to_text(report).find("other/left_hand"), std::string::npos) << to_text(report);
  const Clearance clearance = *clearance_of(*scene, std::get<SceneClearance>(scene->constraints.back().what));
  Scene free = *scene;
  free.constraints.pop_back();
  free.pose = start;
  solve(*problem_of(free), free.pose, free.options);
  // The same numbers from two figures, each with its own capsules and pose.
  const SceneBody& body = std::get<SceneBody>(scene->obstacles.front().shape);
  const Figure& other = body.figure->figure;
  Pose posed = other.rest();
  for (const auto& [parameter, value] : body.pose) posed.theta[*other.find_parameter(parameter)] = value;
  Kinematics there = forward(other, posed);
  for (Frame& X : there.segments) X = scene->obstacles.front().frame * X;
  const std::vector<SegmentCapsule> capsules = capsules_of(other);
  for (const Pose& pose : {scene->pose, free.pose}) {
    const Kinematics here = forward(scene->figure, pose);
    const Penetrations as_bodies =
        penetrations(PlacedFigure{scene->figure, here, clearance.capsules}, PlacedFigure{other, there, capsules}, 0.05);
    const Penetrations as_obstacles =
        penetrations(scene->figure, here, clearance.capsules, Obstacles(clearance.obstacles), {}, 0.05);
    ASSERT_FALSE(as_bodies.empty());
    EXPECT_NEAR(as_bodies.min_clearance(), as_obstacles.min_clearance(), 1e-12);
    EXPECT_EQ(as_bodies.min_clearance() >= 0.01 - 1e-12, pose.theta == scene->pose.theta);
  }
  EXPECT_LT(
      penetrations(free.figure, forward(free.figure, free.pose), clearance.capsules, Obstacles(clearance.obstacles), {})
          .min_clearance(),
      -0.01);
}

// Every shape, and rejections with their place in the file.
TEST(ObstacleScenes, ShapesAndRejections) {
  const auto with = [](const std::string& obstacles, const std::string& clear) {
    return read_scene(R"({"limber": "scene 1", "figure": {"human": {}}, "obstacles": [)" + obstacles +
                          R"(], "constraints": [{"handle": "right_hand", "goal": {"hold": true}}, {"keep_clear": )" +
                          clear + "}]}",
                      "s");
  };
  const std::string all = R"({"name": "a", "floor": true, "p": [0, -1, 0]}, {"name": "b", "ball": 0.1, "p": [2, 0, 0]},
    {"name": "c", "capsule": {"a": [3, 0, 0], "b": [3, 1, 0], "radius": 0.1}}, {"name": "d", "box": [1, 1, 1],
    "p": [5, 0, 0], "turns": [["y", 30]]}, {"name": "e", "hull": [[8, 0, 0], [9, 0, 0], [8, 1, 0], [8, 0, 1]]},
    {"name": "f", "mesh": {"vertices": [[8, 0, 8], [9, 0, 8], [8, 1, 8]], "triangles": [[0, 1, 2]]}})";
  const Expected<Scene> scene = with(all, R"({"of": ["a", "f"], "self": true, "margin": 0.01, "capsules":
    [{"segment": "right_hand", "a": [0, 0, 0], "b": [0, 0, 0.1], "radius": 0.03}]})");
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->obstacles.size(), 6u);
  EXPECT_EQ(clearance_of(*scene, std::get<SceneClearance>(scene->constraints.back().what))->obstacles.size(), 2u);
  EXPECT_EQ(write_scene(*read_scene(write_scene(*scene), "s")), write_scene(*scene));
  EXPECT_TRUE(with(all, "true"));
  const auto rejected_at = [&](const std::string& obstacles, const std::string& clear, const char* field) {
    const Expected<Scene> rejected = with(obstacles, clear);
    ASSERT_FALSE(rejected) << field;
    EXPECT_NE(rejected.error().where.find(field), std::string::npos) << rejected.error().text();
  };
  rejected_at(R"({"name": "a"})", "true", "/obstacles/0");
  rejected_at(R"({"name": "a", "ball": -1})", "true", "/obstacles/0/ball");
  rejected_at(R"({"name": "a", "ball": 1, "box": [1, 1, 1]})", "true", "/obstacles/0");
  rejected_at(R"({"name": "a", "box": [1, -1, 1]})", "true", "/obstacles/0");
  rejected_at(R"({"name": "a", "hull": [[0, 0, 0], [1, 0, 0]]})", "true", "/obstacles/0");
  rejected_at(R"({"name": "a", "mesh": {"vertices": [[0, 0, 0]], "triangles": [[0, 0, 7]]}})", "true",
              "/obstacles/0/mesh/triangles/0");
  rejected_at(R"({"name": "a", "ball": 1, "pose": {}})", "true", "/obstacles/0/pose");
  rejected_at(R"({"name": "a", "figure": {"human": {"stature": -1}}})", "true", "/obstacles/0/figure");
  rejected_at(R"({"name": "a", "figure": {"file": "b.asf"}})", "true", "/obstacles/0/figure");
  rejected_at(R"({"name": "a", "figure": {"human": {}}, "pose": {"elbow": 1}})", "true", "/obstacles/0/pose/elbow");
  rejected_at(R"({"name": "a", "figure": {"segments": [{"name": "s"}]}})", "true", "/obstacles/0");
  rejected_at(R"({"name": "a", "ball": 1}, {"name": "a", "ball": 2})", "true", "/obstacles/1/name");
  rejected_at(R"({"name": "a", "ball": 1})", R"({"of": ["b"]})", "/constraints/1/keep_clear/of/0");
  rejected_at(R"({"name": "a", "ball": 1})", R"({"margin": -1})", "/constraints/1/keep_clear/margin");
  rejected_at(R"({"name": "a", "ball": 1})", "false", "/constraints/1/keep_clear");
}

}  // namespace obstacle_test
}  // namespace limber
