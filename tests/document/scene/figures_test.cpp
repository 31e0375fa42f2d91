// Scenes of several figures.
#include "tests/support/figures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "limber/document/scene/scene.h"
#include "limber/figure/join.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace figures_test {

using testing::good;

const std::filesystem::path examples = std::filesystem::path(source_dir()) / "example/scene";

Scene example(const char* name) { return good(read_scene(read_sample(examples / name), name)); }

Scene scene_of(const std::string& figures, const std::string& more = "") {
  return good(read_scene(R"({"limber": "scene 1", "figures": {)" + figures + "}" + more + "}", "scene"));
}

std::string error_of(const std::string& figures, const std::string& more = "") {
  const Expected<Scene> scene =
      read_scene(R"({"limber": "scene 1", "figures": {)" + figures + "}" + more + "}", "scene");
  return scene ? "" : scene.error().text();
}

const std::string two = R"("guest": {"figure": {"human": {"sex": "female"}}, "p": [0, 0, 1], "turns": [["y", 180]],
    "pose": {"right_elbow.flexion": 30}}, "host": {"figure": {"simple_human": {}}})";

TEST(SceneFigures, StandAtTheirPlacesInTheirPoses) {
  const Scene scene = scene_of(two);
  ASSERT_EQ(scene.figure.parts().size(), 2u);
  EXPECT_NEAR(good(scene.figure.value(scene.pose, "guest.right_elbow.flexion")), pi / 6.0, 1e-12);
  const Kinematics state = forward(scene.figure, scene.pose);
  const auto position = [&](const char* place) {
    return evaluate(scene.figure, state, good(scene.figure.point(place)).plus[0]);
  };
  EXPECT_LT(position("guest.left_foot").x(), 0.0) << "it faces the other way";
  EXPECT_GT(position("host.left_foot").x(), 0.0);
  EXPECT_NEAR(position("guest.pelvis").z(), 1.0, 0.1);

  // The same with the scene's own pose.
  const Scene whole =
      scene_of(R"("guest": {"figure": {"human": {"sex": "female"}}, "p": [0, 0, 1], "turns": [["y", 180]]},
    "host": {"figure": {"simple_human": {}}})",
               R"(, "pose": {"guest.right_elbow.flexion": 30})");
  EXPECT_EQ(whole.pose.theta, scene.pose.theta);
}

TEST(SceneFigures, AreWrittenAndReadBack) {
  const std::string arm =
      R"("arm": {"figure": {"name": "arm", "segments": [{"name": "base"}, {"name": "upper", "mass": 2}],
    "joints": [{"name": "shoulder", "parent": "base", "child": "upper",
                "freedoms": [{"name": "turn", "axis": "z", "lower": -90, "upper": 90}]}]}, "p": [1, 2, 3]})";
  const Scene scene = scene_of(two + ", " + arm, R"(, "constraints": [
      {"handle": {"mass_centre": "guest"}, "goal": {"position": [0, 1, 0]}},
      {"handle": {"mass_centre": true}, "goal": {"position": [0, 1, 0]}},
      {"keep_clear": {"between": [["guest", "host"], ["guest.head", "arm"]], "margin": 0.01}},
      {"balance": ["guest.left_foot"]}], "rigidity": {"arm.shoulder.turn": 0.5})");
  const std::string text = write_scene(scene);
  const Scene again = good(read_scene(text, "again"));
  EXPECT_EQ(write_scene(again), text);
  EXPECT_EQ(again.pose.theta, scene.pose.theta);
  ASSERT_EQ(again.figure.parts().size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(again.figure.parts()[k].name, scene.figure.parts()[k].name);
    EXPECT_EQ(again.figure.parts()[k].X_world_figure.p, scene.figure.parts()[k].X_world_figure.p);
  }
  // Each as it came, and its pose with it.
  const auto json = nlohmann::json::parse(text, nullptr, false);
  EXPECT_EQ(json["figures"]["guest"]["figure"]["human"]["sex"], "female");
  EXPECT_EQ(json["figures"]["guest"]["pose"]["right_elbow.flexion"], 30.0);
  EXPECT_FALSE(json.contains("figure"));
  EXPECT_FALSE(json.contains("pose"));
  // As a figure alone.
  const SourcedFigure alone = good(read_figure(write_figure(scene.figure, scene.source), "figure"));
  EXPECT_EQ(alone.figure.parts().size(), 3u);
  const SourcedFigure in_full = good(read_figure(write_figure(scene.figure), "figure"));
  EXPECT_EQ(in_full.figure.parts().size(), 3u);
  EXPECT_EQ(in_full.figure.mirror().size(), scene.figure.mirror().size());
}

TEST(SceneFigures, AreHungEachFromItsOwnRoot) {
  const Scene scene = scene_of(R"("guest": {"figure": {"human": {}}, "root": "left_foot", "p": [0, 0, 1],
      "pose": {"left_knee.flexion": 20, "root.y": 0.1}}, "host": {"figure": {"human": {}}})");
  EXPECT_TRUE(scene.figure.find_parameter("guest.left_foot_root.x"));
  EXPECT_FALSE(scene.figure.find_parameter("guest.root.x"));
  // The pose names the old root: the figure is where that puts it.
  const Scene own = scene_of(R"("guest": {"figure": {"human": {}}, "p": [0, 0, 1],
      "pose": {"left_knee.flexion": 20, "root.y": 0.1}}, "host": {"figure": {"human": {}}})");
  const auto eyes = [](const Scene& of) {
    return evaluate(of.figure, forward(of.figure, of.pose), good(of.figure.point("guest.eyes")).plus[0]);
  };
  EXPECT_LT((eyes(scene) - eyes(own)).norm(), 1e-12);
  EXPECT_EQ(write_scene(good(read_scene(write_scene(scene), "again"))), write_scene(scene));
  const Scene hung = good(hung_from(own, "guest.left_foot"));
  EXPECT_LT((eyes(hung) - eyes(own)).norm(), 1e-12);
  EXPECT_EQ(good(read_scene(write_scene(hung), "again")).pose.theta.size(), hung.pose.theta.size());
}

TEST(SceneFigures, OfTheHandshakeMeetAndStand) {
  Scene scene = example("handshake.json");
  Problem problem = good(problem_of(scene));
  const Report report = solve(problem, scene.pose, scene.options);
  EXPECT_TRUE(report.met()) << to_text(report);
  const Kinematics state = forward(scene.figure, scene.pose);
  const auto element = [&](const Expected<Handle>& handle) {
    return evaluate(scene.figure, state, good(handle).plus[0]);
  };
  const Figure& figure = scene.figure;
  EXPECT_LT((element(figure.point("guest.right_palm")) - element(figure.point("host.right_palm"))).norm(), 1e-3);
  const Vec3 n = element(figure.direction("guest.right_palm")), m = element(figure.direction("host.right_palm"));
  EXPECT_LT(n.dot(m), -0.999) << "palm against palm";
  EXPECT_LT(std::fabs(n.y()), 0.5) << "neither hand is above the other";
  // Each looks the other in the eyes.
  const Vec3 a = element(figure.point("guest.eyes")), b = element(figure.point("host.eyes"));
  EXPECT_GT(element(figure.direction("guest.eyes")).dot((b - a).normalized()), 0.9999);
  EXPECT_GT(element(figure.direction("host.eyes")).dot((a - b).normalized()), 0.9999);
  EXPECT_GT(b.y(), a.y() + 0.1) << "the host is taller";
}

TEST(SceneFigures, OfTheBoxKeepItLevelBetweenTheirHands) {
  Scene scene = example("carry_box.json");
  Problem problem = good(problem_of(scene));
  const Report report = solve(problem, scene.pose, scene.options);
  EXPECT_TRUE(report.met()) << to_text(report);
  const Kinematics state = forward(scene.figure, scene.pose);
  const int box = good(scene.figure.find_segment("box.box"));
  const Frame& X = state.segments[static_cast<std::size_t>(box)];
  EXPECT_GT(X.R(1, 1), 0.99999);
  for (const char* palm : {"one.left_palm", "one.right_palm", "two.left_palm", "two.right_palm"}) {
    const Vec3 in_box = X.inverse() * evaluate(scene.figure, state, good(scene.figure.point(palm)).plus[0]);
    EXPECT_NEAR(std::fabs(in_box.x()), 0.22, 2e-3) << palm << ", on a side of the box";
  }
}

TEST(SceneFigures, NameWhatIsWrong) {
  const std::string one = R"("a": {"figure": {"human": {}}})";
  const std::pair<std::string, std::string> cases[] = {
      {error_of(""), "/figures: found 0 figures; expected 1 to 64"},
      {error_of(R"("a.b": {"figure": {"human": {}}})"), "found a dot in the name"},
      {error_of(R"("a": {"human": {}})"), "/figures/a"},
      {error_of(R"("a": {"figure": {"human": {}}, "place": [0, 0, 0]})"), "place"},
      {error_of(R"("a": {"figure": {"figures": {"b": {"figure": {"human": {}}}}}})"), "found several figures within"},
      {error_of(one, R"(, "figure": {"human": {}})"), "\"figures\" beside \"figure\""},
      {error_of(one, R"(, "root": "a.left_foot")"), "\"root\" beside \"figures\""},
      {error_of(R"("a": {"figure": {"human": {}}, "pose": {"root.y": 1}})", R"(, "pose": {"a.root.x": 1})"),
       "\"pose\" beside that of figure 'a'"},
      {error_of(R"("a": {"figure": {"human": {}}, "pose": {"rot.y": 1}})"), "/figures/a/pose/rot.y"},
      {error_of(one, R"(, "constraints": [{"handle": "b.left_foot", "goal": {"hold": true}}])"), "'b.left_foot'"},
      {error_of(one, R"(, "constraints": [{"handle": "left_foot", "goal": {"hold": true}}])"), "such as 'a.left_foot'"},
      {error_of(one, R"(, "constraints": [{"handle": {"mass_centre": "b"}, "goal": {"position": [0, 0, 0]}}])"), "'a'"},
      {error_of(one, R"(, "constraints": [{"keep_clear": {"between": [["a", "b"]]}}])"),
       "/constraints/0/keep_clear/between/0"},
      {error_of(one, R"(, "constraints": [{"keep_clear": {"between": [["a", "a.head"]]}}])"), "share segments"},
      {error_of(R"("a": {"figure": {"human": {}}}, "a": {"figure": {"human": {}}})"), "found the key \"a\" twice"},
  };
  for (const auto& [found, expected] : cases)
    EXPECT_NE(found.find(expected), std::string::npos) << expected << "\n" << found;
  const Expected<Scene> rooted =
      read_scene(R"({"limber": "scene 1", "figure": {"figures": {)" + one + R"(}}, "root": "a.left_foot"})", "scene");
  ASSERT_FALSE(rooted);
  EXPECT_NE(rooted.error().text().find("\"root\" beside"), std::string::npos) << rooted.error().text();
  // Another figure is not posed in the place of several.
  const SourcedFigure other{limber::human(), InlineFigure{}};
  EXPECT_FALSE(read_scene(R"({"limber": "scene 1", "figures": {)" + one + "}}", "scene", {}, &other));
}

}  // namespace figures_test
}  // namespace limber
