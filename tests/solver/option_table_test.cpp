// The table of options: what it lists is read, checked and used, by the methods that it names.
#include "limber/solver/option_table.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace option_table_test {

using testing::built;
using testing::good;

// A value in the range that is not the default.
double another(const OptionRow& row) {
  if (row.may_be_unset) return 7.0;
  if (row.kind == OptionKind::flag) return 1.0 - row.get(Options());
  if (row.kind == OptionKind::name || row.kind == OptionKind::whole) return row.get(Options()) + 1.0;
  return std::isfinite(row.upper) ? 0.1 * row.get(Options()) + 0.9 * row.upper : 0.5 * row.get(Options()) + 0.125;
}

Options with(const OptionRow& row, Options options) {
  if (row.kind == OptionKind::parameters)
    options.gain = (VecX(7) << 0.0, 1, 1, 1, 1, 1, 1).finished();
  else
    row.set(options, another(row));
  return options;
}

struct Answer {
  VecX theta;
  Report report;
};

Answer solved(const Options& options, double weight = must) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  good(problem.add(figure.direction("tip"), Direction{Vec3(1, 0, 0.5).normalized()}, {.weight = weight}));
  good(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
  Pose pose = figure.rest();
  pose.theta.setConstant(0.4);
  Report report = solve(problem, pose, options);
  return {pose.theta, std::move(report)};
}

TEST(OptionTable, IsRejectedByNameWhereTheMethodDoesNotUseIt) {
  for (const OptionRow& row : option_table())
    for (const MethodRow& method : method_table) {
      SCOPED_TRACE(std::string(row.key) + ", " + std::string(method.name));
      const Options options = with(row, {.method = method.method, .iterations = 6, .restarts = 0});
      const Answer answer = solved(options);
      EXPECT_EQ(answer.report.exit == Exit::rejected, !is_used(row, chosen_method(options)));
      if (answer.report.exit != Exit::rejected) continue;
      ASSERT_TRUE(answer.report.rejection);
      EXPECT_EQ(answer.report.rejection->where, "options, " + std::string(row.key));
      EXPECT_NE(answer.report.rejection->found.find(method.name), std::string::npos);
      EXPECT_NE(answer.report.rejection->expected.find(name_of(row.methods.front())), std::string::npos);
    }
}

// What a row names changes what the methods do that it names: not in name only.
TEST(OptionTable, ChangesWhatItsMethodsDo) {
  for (const OptionRow& row : option_table()) {
    if (!row.lists_methods()) continue;
    for (const Method method : row.methods) {
      SCOPED_TRACE(std::string(row.key) + ", " + std::string(name_of(method)));
      // Of coordinate descent the closed forms have printed weights; a lock has none.
      const double weight = method == Method::cyclic_coordinate_descent ? 0.3 : must;
      Options options{.method = method, .iterations = 6, .restarts = 0};
      if (row.key == "as_printed" && method == Method::jacobian_transpose) {  // a step too long, which the print takes
        options.integration = Integrator::euler;
        options.step = 50.0;
      }
      const Answer usual = solved(options, weight);
      const Answer other = solved(with(row, options), weight);
      EXPECT_NE(usual.theta, other.theta);
    }
  }
}

TEST(OptionTable, NumbersOutsideTheRangeAreRejected) {
  for (const OptionRow& row : option_table()) {
    if (row.kind != OptionKind::number && row.kind != OptionKind::whole) continue;
    SCOPED_TRACE(row.key);
    const Method method = row.lists_methods() ? row.methods.front() : Method::automatic;
    for (const double wrong : {row.lower - 1.0, std::nan("")}) {
      if (row.kind == OptionKind::whole && std::isnan(wrong)) continue;
      Options options{.method = method};
      row.set(options, wrong);
      const Answer answer = solved(options);
      EXPECT_EQ(answer.report.exit, Exit::rejected) << wrong;
      ASSERT_TRUE(answer.report.rejection);
      EXPECT_NE(answer.report.rejection->expected.find("a "), std::string::npos);
    }
  }
  EXPECT_EQ(solved({.method = Method::jacobian_transpose, .gain = VecX::Ones(3)}).report.rejection->where,
            "options, gain");
}

// W93 (4.11): a parameter of gain 0 does not move; one of less gain moves less.
TEST(OptionTable, AGainOfNothingHoldsAParameter) {
  for (const Method method : {Method::jacobian_transpose, Method::lagrange_multipliers}) {
    const Figure figure = built(testing::seven_joint_arm());
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
    Pose pose = figure.rest();
    pose.theta.setConstant(0.4);
    Options options{.method = method, .iterations = 200, .restarts = 0};
    options.gain = VecX::Ones(7);
    options.gain[2] = 0.0;
    const Report report = solve(problem, pose, options);
    EXPECT_EQ(pose.theta[2], 0.4) << name_of(method);
    EXPECT_LT(report.objective, 0.01 * report.objective_before);
  }
}

// ZB94, W93: without the limit a step is as long as the print has it. A goal across the figure needs half a turn.
TEST(OptionTable, AnUnlimitedStepTurnsAsFarAsItMust) {
  FigureDescription description = testing::planar_arm();
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms) freedom.range = {};
  const Figure figure = built(description);
  for (const Method method : {Method::cyclic_coordinate_descent, Method::active_set_bfgs}) {
    const auto max_change = [&](double longest_step) {
      Problem problem(figure);
      good(problem.add(figure.point("tip"), Position{{-1.2, -0.9, 0.0}}));
      Pose pose = figure.rest();
      pose.theta << 0.3, 0.4;
      VecX before = pose.theta;
      double largest = 0.0;
      Options options{.method = method, .iterations = 3, .restarts = 0, .longest_step = longest_step};
      options.observer = [&](const Progress& progress) {
        largest = std::max(largest, (progress.pose.theta - before).cwiseAbs().maxCoeff());
        before = progress.pose.theta;
        return true;
      };
      EXPECT_NE(solve(problem, pose, options).exit, Exit::rejected);
      return largest;
    };
    EXPECT_LE(max_change(0.25), 0.25 + 1e-12) << name_of(method);
    EXPECT_LE(max_change(1.0), 1.0 + 1e-12) << name_of(method);
    EXPECT_GT(max_change(infinity), 1.0) << name_of(method);
  }
}

}  // namespace option_table_test
}  // namespace limber
