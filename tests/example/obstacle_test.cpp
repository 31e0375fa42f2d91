// The scenes with obstacles in example/scene: all that is asked is met, nothing overlaps, and the file comes back
// whole.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "limber/format/scene.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/solver/solve.h"

namespace limber {
namespace {

Expected<Scene> scene_with_obstacles(const std::string& name) {
  std::ifstream file(std::string(LIMBER_SOURCE_DIR) + "/example/scene/" + name + ".json", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return read_scene(text.str(), name);
}

TEST(ObstacleScenes, EverythingIsMetAndNothingOverlaps) {
  for (const char* name : {"behind_plate", "in_box", "at_table"}) {
    Expected<Scene> scene = scene_with_obstacles(name);
    ASSERT_TRUE(scene) << scene.error().text();
    const Expected<Problem> problem = problem_of(*scene);
    ASSERT_TRUE(problem) << problem.error().text();
    const Report report = solve(*problem, scene->pose, scene->options);
    EXPECT_TRUE(report.met()) << name << "\n" << to_text(report);
    const SceneClearance& asked = *scene->constraints.back().clearance;
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
  for (const char* name : {"behind_plate", "in_box", "at_table"}) {
    const Expected<Scene> scene = scene_with_obstacles(name);
    ASSERT_TRUE(scene) << scene.error().text();
    const std::string text = write_scene(*scene);
    const Expected<Scene> again = read_scene(text, name);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(write_scene(*again), text);
    ASSERT_EQ(again->obstacles.size(), scene->obstacles.size());
    EXPECT_EQ(again->obstacles.front().name, scene->obstacles.front().name);
    EXPECT_EQ(again->obstacles.front().frame.p, scene->obstacles.front().frame.p);
    EXPECT_EQ(again->constraints.back().clearance->margin, scene->constraints.back().clearance->margin);
    EXPECT_EQ(again->constraints.back().weight, must);
  }
}

// Every shape, and what is refused, with its place in the file.
TEST(ObstacleScenes, ShapesAndRefusals) {
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
  EXPECT_EQ(clearance_of(*scene, *scene->constraints.back().clearance)->obstacles.size(), 2u);
  EXPECT_EQ(write_scene(*read_scene(write_scene(*scene), "s")), write_scene(*scene));
  EXPECT_TRUE(with(all, "true"));
  const auto refused_at = [&](const std::string& obstacles, const std::string& clear, const char* field) {
    const Expected<Scene> refused = with(obstacles, clear);
    ASSERT_FALSE(refused) << field;
    EXPECT_NE(refused.error().where.find(field), std::string::npos) << refused.error().text();
  };
  refused_at(R"({"name": "a"})", "true", "/obstacles/0");
  refused_at(R"({"name": "a", "ball": -1})", "true", "/obstacles/0/ball");
  refused_at(R"({"name": "a", "ball": 1, "box": [1, 1, 1]})", "true", "/obstacles/0");
  refused_at(R"({"name": "a", "box": [1, -1, 1]})", "true", "/obstacles/0");
  refused_at(R"({"name": "a", "hull": [[0, 0, 0], [1, 0, 0]]})", "true", "/obstacles/0");
  refused_at(R"({"name": "a", "mesh": {"vertices": [[0, 0, 0]], "triangles": [[0, 0, 7]]}})", "true",
             "/obstacles/0/mesh/triangles/0");
  refused_at(R"({"name": "a", "ball": 1}, {"name": "a", "ball": 2})", "true", "/obstacles/1/name");
  refused_at(R"({"name": "a", "ball": 1})", R"({"of": ["b"]})", "/constraints/1/keep_clear/of/0");
  refused_at(R"({"name": "a", "ball": 1})", R"({"margin": -1})", "/constraints/1/keep_clear/margin");
  refused_at(R"({"name": "a", "ball": 1})", "false", "/constraints/1/keep_clear");
}

}  // namespace
}  // namespace limber
