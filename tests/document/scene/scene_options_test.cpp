// The options of a scene, by the table of options; W of EE09 (6) and the two scales of ZB94 (9) of a constraint.
#include <gtest/gtest.h>

#include "limber/document/scene/scene.h"
#include "limber/solver/option_table.h"
#include "limber/solver/solve.h"

namespace limber {
namespace scene_options_test {

std::string scene_with(const std::string& options, const std::string& constraints = "") {
  return R"({"limber": "scene 1", "figure": {"simple_human": {}}, "constraints": [)" + constraints +
         R"(], "options": )" + options + "}";
}

// Another value than the default, as it is written.
std::string written(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::flag:
      return "true";
    case OptionKind::name:
      return "\"" + std::string(row.names[1]) + "\"";
    case OptionKind::parameters:
      return R"({"right_elbow.flexion": 0.5})";
    case OptionKind::whole:
    case OptionKind::number:
      break;
  }
  return row.upper < 3.0 ? "0.25" : "3";
}

std::string options_of(const OptionRow& row, Method method, const std::string& value) {
  return R"({"method": ")" + std::string(name_of(method)) + R"(", ")" + std::string(row.key) + "\": " + value + "}";
}

TEST(SceneOptions, EveryRowOfTheTableIsReadAndWrittenAndReadAgain) {
  for (const OptionRow& row : option_table()) {
    SCOPED_TRACE(row.key);
    const Method method = row.lists_methods() ? row.methods.front() : Method::active_set_bfgs;
    std::vector<std::string> values{written(row)};
    if (row.unlimited) values.push_back("\"unlimited\"");
    for (const std::string& value : values) {
      const Expected<Scene> scene = read_scene(scene_with(options_of(row, method, value)), "scene.json");
      ASSERT_TRUE(scene) << scene.error().text();
      EXPECT_FALSE(is_default(row, scene->options));
      const std::string text = write_scene(*scene);
      EXPECT_NE(text.find("\"" + std::string(row.key) + "\""), std::string::npos) << text;
      const Expected<Scene> again = read_scene(text, "again.json");
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ(write_scene(*again), text);
      if (row.get) {
        EXPECT_EQ(row.get(again->options), row.get(scene->options));
      }
      EXPECT_EQ(again->options.gain, scene->options.gain);
    }
  }
}

TEST(SceneOptions, AnOptionThatTheMethodDoesNotUseIsRejectedAtItsKey) {
  for (const OptionRow& row : option_table()) {
    if (!row.lists_methods()) continue;
    SCOPED_TRACE(row.key);
    const Expected<Scene> scene =
        read_scene(scene_with(options_of(row, Method::levenberg_marquardt, written(row))), "scene.json");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().text().find("/options/" + std::string(row.key)), std::string::npos) << scene.error().text();
    EXPECT_NE(scene.error().text().find(name_of(row.methods.front())), std::string::npos) << scene.error().text();
  }
}

TEST(SceneOptions, WhatIsOutOfRangeIsRejected) {
  for (const OptionRow& row : option_table()) {
    SCOPED_TRACE(row.key);
    const Method method = row.lists_methods() ? row.methods.front() : Method::automatic;
    const bool is_number = row.kind == OptionKind::number || row.kind == OptionKind::whole;
    const std::string wrong = is_number ? (row.above_lower ? "0" : "-1") : "17";
    EXPECT_FALSE(read_scene(scene_with(options_of(row, method, wrong)), "scene.json"));
    EXPECT_FALSE(read_scene(scene_with(options_of(row, method, "\"no such name\"")), "scene.json"));
  }
}

// EE09 (6): the diagonal, or the whole matrix; the solve sees it.
TEST(SceneOptions, AWeightingIsThatOfTheConstraint) {
  const auto constraint = [](const std::string& weighting) {
    return R"({"handle": "right_palm", "goal": {"position": [3, 1, 0]}, "weighting": )" + weighting + "}";
  };
  for (const char* weighting : {"[100, 1, 1]", "[[2, 1, 0], [1, 3, 0], [0, 0, 1]]"}) {
    const Expected<Scene> scene = read_scene(scene_with("{}", constraint(weighting)), "scene.json");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_NE(write_scene(*scene).find("\"weighting\": " + std::string(weighting)), std::string::npos)
        << write_scene(*scene);
    const Expected<Problem> problem = problem_of(*scene);
    ASSERT_TRUE(problem);
    const MatX& root = problem->constraints().front().weighting_root;
    ASSERT_EQ(root.rows(), 3);
    EXPECT_TRUE((root.transpose() * root).isApprox(scene->constraints.front().weighting));
  }
  for (const char* wrong : {"[1, 1]", "[1, -1, 1]", "[[1, 2, 0], [0, 1, 0], [0, 0, 1]]", "3", "[]"})
    EXPECT_FALSE(read_scene(scene_with("{}", constraint(wrong)), "scene.json")) << wrong;
  for (const char* weighting : {"[1e-308, 1, 1]", "[1e308, 1, 1]", "[[1e16, 1, 0], [1, 3, 0], [0, 0, 1]]"}) {
    const Expected<Scene> scene = read_scene(scene_with("{}", constraint(weighting)), "scene.json");
    ASSERT_FALSE(scene) << weighting;
    EXPECT_NE(scene.error().expected.find("from 1e-15 to 1e+15 on the diagonal"), std::string::npos)
        << scene.error().text();
  }
  EXPECT_FALSE(read_scene(scene_with("{}", R"({"pull": "rest", "weighting": [1]})"), "scene.json"));
}

// ZB94 (9): c_dx and c_dy.
TEST(SceneOptions, TheTwoAxesOfAnOrientationHaveScalesOfTheirOwn) {
  const Expected<Scene> scene = read_scene(scene_with("{}", R"({"handle": {"frame": "right_palm"}, "goal":
          {"orientation": {"x": "x", "y": "y", "degrees_per_metre": 50, "degrees_per_metre_y": 200}}})"),
                                           "scene.json");
  ASSERT_TRUE(scene) << scene.error().text();
  const Expected<Problem> problem = problem_of(*scene);
  ASSERT_TRUE(problem);
  const Goal asked = problem->constraints().front().alternatives().front().goal;
  const Orientation& goal = std::get<Orientation>(asked);
  EXPECT_EQ(goal.c_x, per_metre(50.0));
  EXPECT_EQ(goal.c_y, per_metre(200.0));
}

}  // namespace scene_options_test
}  // namespace limber
