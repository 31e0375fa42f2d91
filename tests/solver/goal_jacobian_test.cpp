// The Jacobian of all goals in a pose: the derivative of their residuals, and its condition number.         W93 3.2
#include "limber/solver/goal_jacobian.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace goal_jacobian_test {

using testing::built;
using testing::good;

Pose random_pose(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    const double low = std::fmax(range.lower, pose.theta[j] - 0.2), high = std::fmin(range.upper, pose.theta[j] + 0.2);
    pose.theta[j] = random.between(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high);
  }
  return pose;
}

// r of one constraint, computed without the problem's own code.
VecX residual_of(const Constraint& constraint, const Figure& figure, const VecX& theta) {
  const Alternative& one = constraint.alternatives().front();
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, Pose{theta}), one.handle, x);
  VecX r(row_count(one.goal, one.handle.shape));
  MatX J(r.size(), 3 * one.handle.count());
  Residual out{Eigen::Map<VecX>(r.data(), r.size()), Eigen::Map<MatX>(J.data(), J.rows(), J.cols())};
  evaluate(one.goal, {one.handle.shape, x}, out);
  return r;
}

Problem human_problem(const Figure& figure, double weight) {
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}}, {.weight = weight}));
  good(problem.add_pull(towards_middle(figure), {.weight = 0.01}));
  good(problem.add(figure.ray("eyes"), AimAt{{0.0, 1.5, 2.0}}, {.weight = 0.3}));
  good(problem.add(figure.frame("left_foot"), Placement{{0.1, 0.1, 0.0}}, {.weight = must}));
  good(problem.add(figure.mass_centre(), Plane{{0.0, 0.9, 0.0}, Vec3::UnitY()}, {.weight = 2.0}));
  EXPECT_TRUE(problem.set_rigidity("spine.forward", 0.5));
  return problem;
}

TEST(GoalJacobian, IsTheDerivativeOfTheResidualsByTheParameters) {
  const Figure figure = human();
  const Problem problem = human_problem(figure, 1.0);
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Pose pose = random_pose(figure, random);
    const GoalJacobian found = good(goal_jacobian(problem, pose));
    ASSERT_EQ(found.J.rows(), 3 + 3 + 9 + 1);
    ASSERT_EQ(found.J.cols(), static_cast<Eigen::Index>(problem.variables().size()));
    constexpr double h = 1e-6;
    for (std::size_t j = 0; j < found.parameters.size(); ++j) {
      VecX up = pose.theta, down = pose.theta;
      up[found.parameters[j]] += h;
      down[found.parameters[j]] -= h;
      Eigen::Index row = 0;
      for (const int c : {0, 2, 3, 4}) {
        const Constraint& constraint = problem.constraints()[static_cast<std::size_t>(c)];
        const VecX slope = (residual_of(constraint, figure, up) - residual_of(constraint, figure, down)) / (2.0 * h);
        // The hard constraint comes first in a program, but not here.
        for (Eigen::Index i = 0; i < slope.size(); ++i, ++row) {
          EXPECT_EQ(found.constraints[static_cast<std::size_t>(row)], c);
          EXPECT_NEAR(found.J(row, static_cast<Eigen::Index>(j)), slope[i], 1e-6)
              << constraint.name << ", " << figure.parameters()[static_cast<std::size_t>(found.parameters[j])].name;
        }
      }
    }
  }
}

TEST(GoalJacobian, DoesNotDependOnWeightsOrTheUnitOfLength) {
  const Figure figure = human();
  const GoalJacobian soft = good(goal_jacobian(human_problem(figure, 0.01), figure.rest()));
  const GoalJacobian hard = good(goal_jacobian(human_problem(figure, must), figure.rest()));
  EXPECT_LE((soft.J - hard.J).cwiseAbs().maxCoeff(), 1e-12);
  const auto values = [](double scale) {
    FigureDescription arm = testing::seven_joint_arm();
    for (SegmentDescription& segment : arm.segments) segment.mass_centre *= scale;
    for (JointDescription& joint : arm.joints) {
      joint.in_parent.p *= scale;
      joint.in_child.p *= scale;
    }
    for (SiteDescription& site : arm.sites) site.frame.p *= scale;
    const Figure figure = built(arm);
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{scale * Vec3(0.4, 0.8, -0.4)}));
    Pose pose = figure.rest();
    pose.theta.setConstant(0.4);
    return good(goal_jacobian(problem, pose)).singular_values;
  };
  EXPECT_LE((values(1.0) - values(1e3)).cwiseAbs().maxCoeff(), 1e-12);
}

// W93 3.2.2: the condition number of an arm in a plane grows without bound towards its straight pose.
TEST(GoalJacobian, IsSingularWhereAnArmIsStraight) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.0, 1.0, 0.0}}));
  Pose pose = figure.rest();
  double last = 1.0;
  for (const double bend : {1.0, 0.1, 1e-3}) {
    pose.theta.setConstant(bend);
    const GoalJacobian found = good(goal_jacobian(problem, pose));
    const VecX sigma = MatX(found.J / figure.length()).jacobiSvd().singularValues();
    ASSERT_EQ(found.singular_values.size(), sigma.size());
    EXPECT_LE((found.singular_values - sigma).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_GT(found.condition(), last);
    last = found.condition();
  }
  pose.theta.setZero();
  const GoalJacobian straight = good(goal_jacobian(problem, pose));
  EXPECT_EQ(straight.rank, 1);
  EXPECT_EQ(straight.condition(), infinity);
}

// Nine rows of a placement say six things: the condition is that of the six.
TEST(GoalJacobian, OfAPlacementHasSixSingularValues) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  good(problem.add(figure.frame("tip"), Placement{{0.6, 0.5, -0.2}}));
  Pose pose = figure.rest();
  pose.theta << 0.4, 0.9, -0.3, 1.1, 0.2, -0.8, 0.5;
  const GoalJacobian found = good(goal_jacobian(problem, pose));
  EXPECT_EQ(found.J.rows(), 9);
  EXPECT_EQ(found.rank, 6);
  EXPECT_EQ(found.singular_values.size(), 6);
  EXPECT_LT(found.condition(), 1e4);
  pose.theta.setZero();  // straight
  EXPECT_EQ(good(goal_jacobian(problem, pose)).condition(), infinity);
}

TEST(GoalJacobian, RejectsAPoseOfAnotherFigureAndIsEmptyWithoutGoals) {
  const Figure figure = human();
  EXPECT_FALSE(goal_jacobian(human_problem(figure, 1.0), Pose{VecX::Zero(2)}));
  const GoalJacobian none = good(goal_jacobian(Problem(figure), figure.rest()));
  EXPECT_EQ(none.J.size(), 0);
  EXPECT_EQ(none.condition(), 1.0);
}

// Goals that ask for the same thing twice, nearly: without truncation, rounding decides.                      W93 5.2.4
TEST(GoalJacobian, TruncationLeavesOutWhatGoalsAskTwice) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  const Vec3 place(0.6, 0.5, -0.2);
  good(problem.add(figure.point("tip"), Position{place}, {.weight = must}));
  good(problem.add(figure.point("tip"), Plane{place, Vec3::UnitX()}, {.weight = must}));
  Pose pose = figure.rest();
  pose.theta.setConstant(0.3);
  const GoalJacobian found = good(goal_jacobian(problem, pose));
  EXPECT_EQ(found.J.rows(), 4);
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.singular_values.size(), 3);
  const Report report = solve(problem, pose, {.method = Method::lagrange_multipliers, .truncation = 0.01});
  EXPECT_TRUE(report.met());
}

}  // namespace goal_jacobian_test
}  // namespace limber
