// Reports as JSON: what was solved is what is written, in millimetres and degrees.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "limber/base/number.h"
#include "limber/document/report/report_json.h"
#include "limber/figure/human.h"
#include "limber/solver/solve.h"

namespace limber {
namespace report_test {

nlohmann::json parsed(const auto& write) {
  JsonWriter out;
  out.begin_object();
  write(out);
  out.end();
  return nlohmann::json::parse(out.take(), nullptr, false);
}

TEST(ReportJson, HasTheNumbersOfTheReport) {
  const Figure figure = human();
  Problem problem(figure);
  ASSERT_TRUE(
      problem.add(figure.frame("right_palm"), Placement{Vec3(-3.0, 1.2, 0.4), Orientation{}}, {.from = "waist"}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose, {.restarts = 0});
  const nlohmann::json whole = parsed([&](JsonWriter& out) { write_members(out, report); });
  EXPECT_EQ(whole["exit"], name_of(report.exit));
  EXPECT_EQ(whole["met"], false);
  EXPECT_EQ(whole["method"], name_of(report.method));
  EXPECT_EQ(whole["degrees_of_freedom"], report.variables);
  EXPECT_EQ(whole["iterations"], report.iterations);
  EXPECT_DOUBLE_EQ(whole["objective"].get<double>(), report.objective);
  EXPECT_FALSE(whole.contains("rejection"));
  EXPECT_EQ(parsed([&](JsonWriter& out) { write_members(out, report, true); })["met"], true);

  const ConstraintReport& asked = report.constraints[0];
  ASSERT_FALSE(asked.held_back_by.empty());
  const nlohmann::json one = parsed([&](JsonWriter& out) { write_members(out, report, asked); });
  EXPECT_EQ(one["name"], asked.name);
  EXPECT_NEAR(one["error_mm"].get<double>(), 1000.0 * *asked.error.metres, 1e-9);
  EXPECT_NEAR(one["error_degrees"].get<double>(), degrees(*asked.error.radians), 1e-9);
  ASSERT_EQ(one["held_back_by"].size(), asked.held_back_by.size());
  EXPECT_EQ(one["held_back_by"][0]["limit"], asked.held_back_by[0].name);
  EXPECT_EQ(one["held_back_by"][0]["parameter"], asked.held_back_by[0].parameter);
  EXPECT_FALSE(one.contains("touches")) << "which only a clearance constraint has";
}

TEST(ReportJson, HasTheJointsOfAStrengthLimit) {
  const Figure figure = human();
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("right_palm"), Hold{}, {.weight = must, .from = "right_shoulder"}));
  ASSERT_TRUE(problem.add_strength({.carried = {.loads = {{*figure.point("head_top"), 500.0}}}}));
  Pose pose = figure.rest();
  pose.theta[*figure.find_parameter("neck.flexion")] = 0.3;
  const Report report = solve(problem, pose, {.restarts = 0});
  const ConstraintReport& asked = report.constraints[1];
  ASSERT_FALSE(asked.joints.empty());
  const nlohmann::json one = parsed([&](JsonWriter& out) { write_members(out, report, asked); });
  EXPECT_EQ(one["met"], false);
  EXPECT_DOUBLE_EQ(one["overload"].get<double>(), *asked.error.overload);
  ASSERT_EQ(one["joints"].size(), asked.joints.size());
  EXPECT_DOUBLE_EQ(one["joints"][0]["torque"].get<double>(), asked.joints[0].torque);
  EXPECT_DOUBLE_EQ(one["joints"][0]["strength"].get<double>(), asked.joints[0].strength);
  EXPECT_EQ(one["joints"][0]["joint"], figure.freedoms()[static_cast<std::size_t>(asked.joints[0].freedom)].name);
}

TEST(ReportJson, SaysWhyAProblemIsRejected) {
  Report report;
  report.rejection = Diagnostic{"weight", "-1", "0 or more"};
  const nlohmann::json whole = parsed([&](JsonWriter& out) { write_members(out, report); });
  EXPECT_EQ(whole["rejection"], report.rejection->text());
}

TEST(ReportJson, NamesTheDemandsOfAContradiction) {
  MotionReport report{.demands = {{.name = "foot"}, {.name = "wish"}, {.name = "palm"}}};
  const auto written = [&] { return parsed([&](JsonWriter& out) { write_members(out, report); }); };
  EXPECT_FALSE(written().contains("contradictions"));
  report.contradictions = {{.frame = 7, .demands = {0, 2}}};
  EXPECT_EQ(written()["contradictions"], nlohmann::json::parse(R"([{"frame": 7, "demands": ["foot", "palm"]}])"));
}

TEST(ReportJson, HasTheWorstFrameOfADemand) {
  DemandReport demand{.name = "left foot", .frames = 3};
  const auto written = [&] { return parsed([&](JsonWriter& out) { write_members(out, demand); }); };
  EXPECT_FALSE(written().contains("worst_frame")) << "no frame was looked at";
  EXPECT_FALSE(written().contains("error_mm"));
  EXPECT_FALSE(written().contains("taken"));
  demand.taken = false;
  EXPECT_EQ(written()["taken"], false) << "another alternative was";
  demand.worst = 2;
  demand.error.metres = 0.004;
  EXPECT_EQ(written()["worst_frame"], 2);
  EXPECT_NEAR(written()["error_mm"].get<double>(), 4.0, 1e-12);
  EXPECT_FALSE(written().contains("error_degrees"));
}

}  // namespace report_test
}  // namespace limber
