// The postures of ZB94 and ZB89, from the scenes in example/scene.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "limber/document/scene/scene.h"
#include "limber/solver/solve.h"
#include "tests/support/tree.h"

namespace limber {
namespace posture_test {

struct Posture {
  const char* scene;
  int freedoms;  // as the paper counts them
  bool reachable;
};

// Named in the output of a failing test.
void PrintTo(const Posture& posture, std::ostream* out) { *out << posture.scene; }

constexpr Posture postures[] = {
    {"tube", 22, true},      {"tube_independent", 70, true}, {"zb94_fig6", 7, false},  {"zb94_fig7", 22, true},
    {"zb94_fig8", 22, true}, {"zb89_fig4", 16, true},        {"zb89_fig5", 31, false}, {"zb89_fig7", 10, true},
};

Scene load(const std::string& name) {
  std::ifstream file(source_dir() + "/example/scene/" + name + ".json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return read_scene(text, name).value();
}

struct Solved {
  Scene scene;
  Report report;
  Pose pose;
};

Solved solved(const std::string& name, Method method = Method::automatic) {
  Scene scene = load(name);
  scene.options.method = method;
  const Problem problem = problem_of(scene).value();
  Pose pose = scene.pose;
  Report report = solve(problem, pose, scene.options);
  return {scene, report, pose};
}

class PaperPosture : public ::testing::TestWithParam<Posture> {};

TEST_P(PaperPosture, ConvergesWithTheFreedomsOfThePaper) {
  const Solved result = solved(GetParam().scene);
  EXPECT_EQ(result.report.exit, Exit::converged) << to_text(result.report);
  EXPECT_EQ(result.report.variables, GetParam().freedoms);
}

TEST_P(PaperPosture, IsMetWithinAMillimetreAndATenthOfADegreeWhereItCanBe) {
  const Solved result = solved(GetParam().scene);
  EXPECT_EQ(result.report.met(), GetParam().reachable);
  for (const ConstraintReport& constraint : result.report.constraints) {
    if (!GetParam().reachable) continue;
    EXPECT_LT(constraint.error.metres.value_or(0.0), 1e-3) << constraint.name;
    EXPECT_LT(degrees(constraint.error.radians.value_or(0.0)), 0.1) << constraint.name;
  }
}

TEST_P(PaperPosture, KeepsEveryLimit) {
  const Solved result = solved(GetParam().scene);
  const Figure& figure = result.scene.figure;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    const double value = result.pose.theta[static_cast<Eigen::Index>(j)];
    EXPECT_GE(value, parameter.range.lower) << parameter.name;
    EXPECT_LE(value, parameter.range.upper) << parameter.name;
  }
  constexpr double rounding = 1e-12;  // for angles of about 1 radian
  for (const LimitRow& row : figure.limit_rows()) {
    double sum = 0.0;
    for (std::size_t k = 0; k < row.parameters.size(); ++k)
      sum += row.coefficients[k] * result.pose.theta[row.parameters[k]];
    EXPECT_LE(sum, row.bound + rounding) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PaperPosture, ::testing::ValuesIn(postures),
                         [](const auto& posture) { return std::string(posture.param.scene); });

// A motion of the torso, all joints together, in degrees.
double torso(const Solved& result, const std::string& motion) {
  double sum = 0.0;
  for (int k = 1; k <= 5; ++k)
    sum += std::fabs(result.scene.figure.value(result.pose, "torso_" + std::to_string(k) + motion).value());
  return degrees(sum);
}

// ZB94 section 11 and Fig. 7, 8: one reach, awkward where all joints are alike, natural with rigid ones. The trunk
// leans to the side and turns far in one, and stays nearly upright and bends forward instead in the other.
TEST(RigidTorso, BendsAndTurnsLess) {
  for (const Method method : {Method::automatic, Method::active_set_bfgs}) {
    const Solved alike = solved("zb94_fig7", method), rigid = solved("zb94_fig8", method);
    EXPECT_GT(torso(alike, ".lateral"), 20.0);
    EXPECT_GT(torso(alike, ".axial"), 40.0);
    EXPECT_LT(torso(rigid, ".lateral"), 0.5 * torso(alike, ".lateral"));
    EXPECT_LT(torso(rigid, ".axial"), torso(alike, ".axial") - 12.0);
    EXPECT_GT(torso(rigid, ".forward"), torso(alike, ".forward") + 3.0);
  }
}

// They differ in their rigidities alone, and the arm alone does not get there.
TEST(RigidTorso, IsAskedTheSame) {
  const Scene arm = load("zb94_fig6"), alike = load("zb94_fig7"), rigid = load("zb94_fig8");
  EXPECT_EQ(alike.pose.theta, rigid.pose.theta);
  EXPECT_EQ(alike.pose.theta, arm.pose.theta);
  EXPECT_TRUE(alike.rigidities.empty());
  EXPECT_EQ(rigid.rigidities.size(), 10u);
  for (const auto& [parameter, rigidity] : rigid.rigidities) EXPECT_EQ(rigidity, 0.5) << parameter;
  const auto p = [](const Scene& scene) {
    return std::get<ScenePlacement>(std::get<SceneGoals>(scene.constraints[0].what)[0].goal).p;
  };
  EXPECT_EQ(p(alike), p(rigid));
  EXPECT_EQ(p(alike), p(arm));
  const double error = *solved("zb94_fig6").report.constraints[0].error.metres;
  EXPECT_GT(error, 0.05);
}

// ZB94 Fig. 4 and 5: a group spreads the bend evenly, independent vertebrae do not.
TEST(GroupedSpine, BendsTheSameWayAtEveryVertebra) {
  const Solved grouped = solved("tube"), independent = solved("tube_independent");
  const auto forward_and_back = [](const Solved& result) {
    VecX q;
    result.scene.figure.angles(result.pose.theta, q);
    bool forward = false, back = false;
    for (std::size_t i = 0; i < result.scene.figure.freedoms().size(); ++i) {
      const std::string& name = result.scene.figure.freedoms()[i].name;
      if ((name[0] != 'T' && name[0] != 'L') || !name.ends_with(".forward")) continue;
      forward = forward || q[static_cast<Eigen::Index>(i)] > 0.0;
      back = back || q[static_cast<Eigen::Index>(i)] < 0.0;
    }
    return forward && back;
  };
  EXPECT_FALSE(forward_and_back(grouped));
  EXPECT_TRUE(forward_and_back(independent));
}

// ZB89 Fig. 5: the torso's limits keep the hands from the bar.
TEST(BarOutOfReach, IsHeldBackByTheTorso) {
  const Solved result = solved("zb89_fig5");
  for (const ConstraintReport& constraint : result.report.constraints) {
    ASSERT_FALSE(constraint.held_back_by.empty());
    EXPECT_EQ(constraint.held_back_by.front().name, "torso_1.forward upper limit");
  }
}

}  // namespace posture_test
}  // namespace limber
