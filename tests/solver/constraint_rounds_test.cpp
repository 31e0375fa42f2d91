// Locks and linear limits by every method: those that keep neither in their own iterations keep both between them.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace constraint_rounds_test {

using testing::built;
using testing::good;

class LocksByEveryMethod : public ::testing::TestWithParam<MethodRow> {};

std::string method_label(const ::testing::TestParamInfo<MethodRow>& tested) {
  std::string label(tested.param.name);
  std::erase(label, '-');
  return label;
}

INSTANTIATE_TEST_SUITE_P(Methods, LocksByEveryMethod, ::testing::ValuesIn(method_table), method_label);

Vec3 place_of(const Figure& figure, const Pose& pose, const char* name) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), good(figure.point(name)), x);
  return x[0];
}

// How far a pose is outside the limits; rows in parts of their coefficients.
double outside(const Figure& figure, const Pose& pose) {
  double worst = 0.0;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double theta = pose.theta[static_cast<Eigen::Index>(j)];
    worst = std::max({worst, range.lower - theta, theta - range.upper});
  }
  for (const LimitRow& row : figure.limit_rows()) {
    double sum = -row.bound, size = 1.0;
    for (std::size_t t = 0; t < row.parameters.size(); ++t) {
      sum += row.coefficients[t] * pose.theta[row.parameters[t]];
      size += std::fabs(row.coefficients[t] * pose.theta[row.parameters[t]]);
    }
    worst = std::max(worst, (row.relation == Relation::equal ? std::fabs(sum) : sum) / size);
  }
  return worst;
}

// W93 6.3: the feet are locked in place and orientation, and a hand is dragged; a pull keeps the rest near.
TEST_P(LocksByEveryMethod, AnArmFollowsTheDragWhileTheFeetStay) {
  const Figure figure = human();
  Problem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    good(problem.add(figure.frame(foot), hold(), {.weight = must, .name = foot}));
  Pose pose = figure.rest();
  const Vec3 start = place_of(figure, pose, "right_palm");
  const ConstraintId hand = good(problem.add(figure.point("right_palm"), Position{start}));
  good(problem.add_pull(towards(figure, pose), {.weight = 1e-4}));
  const Vec3 left = place_of(figure, pose, "left_foot"), right = place_of(figure, pose, "right_foot");
  Solver solver(problem);
  Options options{.method = GetParam().method, .iterations = 10, .restarts = 0};
  double drift = 0.0;
  options.observer = [&](const Progress& progress) {
    drift = std::max({drift, (place_of(figure, progress.pose, "left_foot") - left).norm(),
                      (place_of(figure, progress.pose, "right_foot") - right).norm()});
    EXPECT_LE(outside(figure, progress.pose), 1e-12);
    return true;
  };
  const Vec3 way(0.05, 0.35, 0.25);
  constexpr int frames = 8;
  for (int frame = 1; frame <= frames; ++frame) {
    ASSERT_TRUE(problem.set_goal(hand, Position{start + (double(frame) / frames) * way}));
    const Report& report = solver.solve(pose, options);
    ASSERT_NE(report.exit, Exit::rejected) << to_text(report);
    EXPECT_TRUE(report.constraints[0].met && report.constraints[1].met) << to_text(report);
    EXPECT_LE(outside(figure, pose), 1e-12);
  }
  const double remaining = (place_of(figure, pose, "right_palm") - start - way).norm();
  EXPECT_LE(remaining, 0.15 * way.norm());
  EXPECT_LE(drift, GetParam().method == Method::lagrange_multipliers ? 1e-3 : 1e-9);
}

// Given time, all find the same pose as the method that keeps everything in its own iterations.
TEST_P(LocksByEveryMethod, TheObjectiveIsThatOfTheDefault) {
  FigureDescription description = testing::torso_with_arms();
  description.limits = {{"tied", {{"left elbow.bend", 1.0}, {"left shoulder.lift", 1.0}}, Relation::at_most, 0.3}};
  const Figure figure = built(description);
  const auto solved = [&](Method method, double& objective, Exit& exit) {
    Problem problem(figure);
    Pose pose = figure.rest();
    EXPECT_TRUE(figure.set(pose, "right elbow.bend", 0.5) && figure.set(pose, "left elbow.bend", -0.4));
    good(problem.add(figure.point("right hand"), Position{place_of(figure, pose, "right hand")}, {.weight = must}));
    good(problem.add(figure.point("left hand"), Position{place_of(figure, pose, "left hand") + Vec3(0.05, 0.3, 0.2)}));
    good(problem.add_pull(towards(figure, figure.rest()), {.weight = 1e-3}));
    const Report report =
        solve(problem, pose, {.method = method, .iterations = 20000, .tolerance = 1e-6, .restarts = 0});
    EXPECT_LE(outside(figure, pose), 1e-12);
    EXPECT_LE(report.objective, report.objective_before);
    objective = report.objective;
    exit = report.exit;
    EXPECT_TRUE(report.constraints[0].met) << to_text(report);
  };
  double expected = 0.0, objective = 0.0;
  Exit exit = Exit::rejected;
  solved(Method::levenberg_marquardt, expected, exit);
  solved(GetParam().method, objective, exit);
  EXPECT_NEAR(objective, expected, 1e-3 * expected);
}

}  // namespace constraint_rounds_test
}  // namespace limber
