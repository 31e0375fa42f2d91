// The pseudoinverse: exact answers, the null space, singular poses, saturation.
#include "limber/solver/residual/pseudoinverse.h"

#include <gtest/gtest.h>

#include "tests/law/allocation.h"
#include "tests/support/dense.h"
#include "tests/support/figures.h"
#include "tests/support/rows.h"

namespace limber {
namespace pseudoinverse_test {

using testing::built;
using testing::good;
using testing::LinearRows;
using testing::ProblemRows;
using testing::RosenbrockRows;
using Inverse = PseudoinverseOptions::Inverse;

bool within(const Limits& limits, const VecX& x) {
  return (x.array() >= limits.lower.array()).all() && (x.array() <= limits.upper.array()).all();
}

LinearRows random_linear(Random& random, int m, int n) {
  return {MatX::NullaryExpr(m, n, [&] { return random.between(-1.0, 1.0); }),
          VecX::NullaryExpr(m, [&] { return random.between(-1.0, 1.0); })};
}

TEST(JacobiSvd, TakesMatricesApartAndPutsThemTogether) {
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int m = random.integer(1, 8), n = random.integer(1, 8);
    MatX A = random_linear(random, m, n).A;
    if (n > 2) A.col(n - 1) = 2.0 * A.col(0);  // singular
    JacobiSvd svd;
    svd.reserve(m, n);
    svd.W = A;
    svd.compute();
    EXPECT_LT((svd.W - A * svd.V).norm(), 1e-14 * (1.0 + A.norm()));
    EXPECT_LT((svd.V.transpose() * svd.V - MatX::Identity(n, n)).norm(), 1e-13);
    VecX mine = svd.sigma;
    std::sort(mine.begin(), mine.end(), std::greater<>());
    const VecX theirs = testing::singular_values(A);
    EXPECT_LT((mine.head(theirs.size()) - theirs).norm(), 1e-13 * (1.0 + theirs[0]));
  }
}

// One step from 0 is A⁺ b: the least squares answer, and the smallest of them.
TEST(Pseudoinverse, OneStepSolvesALinearSystemOfAnyShape) {
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    LinearRows rows = random_linear(random, random.integer(1, 6), random.integer(1, 6));
    const VecX answer = rows.A.completeOrthogonalDecomposition().solve(rows.b);
    VecX x = VecX::Zero(rows.A.cols());
    Pseudoinverse method;
    method.minimize(rows, Limits(static_cast<int>(x.size())), x, {.iterations = 1, .longest_step = 1e6},
                    {.inverse = Inverse::truncated, .truncation = 1e-9});
    EXPECT_LT((x - answer).norm(), 1e-9 * (1.0 + answer.norm()));
  }
}

TEST(Pseudoinverse, DampingIsThatOfDampedLeastSquares) {
  Random random(3);
  LinearRows rows = random_linear(random, 3, 5);
  const double lambda = 0.2 * testing::singular_values(rows.A)[0];
  const VecX answer = rows.A.transpose() *
                      testing::inverse_of(rows.A * rows.A.transpose() + lambda * lambda * MatX::Identity(3, 3)) *
                      rows.b;
  VecX x = VecX::Zero(5);
  Pseudoinverse method;
  method.minimize(rows, Limits(5), x, {.iterations = 1, .longest_step = 100.0},
                  {.inverse = Inverse::damped, .damping = 0.2});
  EXPECT_LT((x - answer).norm(), 1e-13);
}

TEST(Pseudoinverse, SolvesRosenbrocksRows) {
  for (const Inverse inverse : {Inverse::truncated, Inverse::damped}) {
    RosenbrockRows rows;
    VecX x = (VecX(2) << -1.2, 1.0).finished();
    Pseudoinverse method;
    double last = infinity;
    const Outcome outcome =
        method.minimize(rows, Limits(2), x, {}, {.inverse = inverse}, [&](int, double value, const VecX&) {
          EXPECT_LE(value, last);
          last = value;
          return true;
        });
    EXPECT_EQ(outcome.exit, Exit::converged);
    EXPECT_LT((x - VecX::Ones(2)).norm(), 1e-6) << outcome.iterations;
  }
}

// (I - J⁺J)∇H moves the task by the square of the step only, on a figure; with and without damping.
TEST(Pseudoinverse, TheSecondaryMotionDoesNotMoveTheTaskToFirstOrder) {
  const Figure figure = built(testing::seven_joint_arm());
  Random random(8);
  const VecX posed = testing::random_pose(figure, random).theta;
  Problem problem(figure);
  good(problem.add(figure.point("tip"), hold()));  // the task is met: all that moves is H's
  for (const Inverse inverse : {Inverse::truncated, Inverse::damped}) {
    double moved[2], remaining[2];
    for (int k = 0; k < 2; ++k) {
      ProblemRows rows(problem);
      VecX phi;
      rows.assembly.start(posed, phi);
      const VecX start = phi;
      Comfort comfort{VecX::Zero(phi.size())};
      Objective secondary(comfort);
      Pseudoinverse method;
      method.minimize(
          rows, rows.assembly.limits(), phi, {.iterations = 1},
          {.inverse = inverse, .secondary = &secondary, .secondary_gain = k == 0 ? 2e-3 : 1e-3, .met = 1.0});
      VecX r(rows.assembly.residuals());
      rows.residual(phi, r);
      moved[k] = (phi - start).norm();
      remaining[k] = r.norm();
    }
    EXPECT_NEAR(moved[0] / moved[1], 2.0, 1e-6);
    EXPECT_GT(moved[1], 1e-4);
    EXPECT_NEAR(remaining[0] / remaining[1], 4.0, 0.1);
    EXPECT_LT(remaining[1], 5.0 * moved[1] * moved[1]);
  }
}

// With three variables and one row the least H on the line x + y + z = 1 is known.
TEST(Pseudoinverse, TheSecondCriterionIsLeastWhereTheTaskLeavesItFree) {
  LinearRows rows{MatX::Ones(1, 3), VecX::Ones(1)};
  Comfort comfort{(VecX(3) << 1.0, 2.0, 0.0).finished()};
  Objective secondary(comfort);
  VecX x = VecX::Zero(3);
  Pseudoinverse method;
  const Outcome outcome = method.minimize(rows, Limits(3), x, {}, {.secondary = &secondary, .secondary_gain = 0.5});
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_LT((x - (comfort.pose - VecX::Constant(3, 2.0 / 3.0))).norm(), 1e-6);
  EXPECT_NEAR(x.sum(), 1.0, 1e-6);
}

TEST(Pseudoinverse, RangesAreUsedFromTheirMiddle) {
  Limits limits(3);
  limits.lower << -1.0, 0.0, -infinity;
  limits.upper << 1.0, 4.0, 5.0;
  RangeAvailability available{limits};
  VecX g(3);
  EXPECT_EQ(available((VecX(3) << 0.0, 2.0, 100.0).finished(), g), 0.0);
  EXPECT_EQ(g, VecX::Zero(3));
  EXPECT_DOUBLE_EQ(available((VecX(3) << 1.0, 4.0, 0.0).finished(), g), 1.0);
  EXPECT_DOUBLE_EQ(g[0], 1.0);
  EXPECT_DOUBLE_EQ(g[1], 0.5);
}

// The planar arm: √det(J Jᵀ) of the tip's place is |sin elbow| (bones of 1 m), by a row for x and one for y.
struct ArmRows {
  Eigen::Vector2d goal = Eigen::Vector2d::Zero();
  std::vector<int> ends = {0, 2};
  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) const {
    const double a = x[0], b = x[1];
    r[0] = std::cos(a) + std::cos(a + b) - goal[0];
    r[1] = std::sin(a) + std::sin(a + b) - goal[1];
  }
  void jacobian(const VecX& x, MatX& J) const {
    const double a = x[0], b = x[1];
    J << -std::sin(a) - std::sin(a + b), -std::sin(a + b), std::cos(a) + std::cos(a + b), std::cos(a + b);
  }
};

TEST(Pseudoinverse, ManipulabilityOfATwoBoneArmIsTheSineOfItsElbow) {
  ArmRows rows;
  const Limits limits(2);
  Manipulability manipulability;
  manipulability.start(rows, limits, (VecX(2) << 0.2, 0.4).finished());
  VecX g(2);
  for (const double b : {0.3, 1.0, 2.0}) {
    EXPECT_NEAR(manipulability((VecX(2) << 0.7, b).finished(), g), -std::sin(b), 1e-12);
    EXPECT_NEAR(g[0], 0.0, 1e-9);
    EXPECT_NEAR(g[1], -std::cos(b), 1e-9);
  }
}

// Through a singular pose: bounded steps, no increase.
TEST(Pseudoinverse, AStretchedArmComesAsNearAsItCan) {
  for (const Inverse inverse : {Inverse::truncated, Inverse::damped}) {
    ArmRows rows;
    rows.goal << 3.0, 1.0;  // out of reach
    VecX x = (VecX(2) << 1.0, 1.0).finished();
    Pseudoinverse method;
    const Outcome outcome = method.minimize(rows, Limits(2), x, {.iterations = 3000, .longest_step = 0.5},
                                            {.inverse = inverse, .longest_task_step = 0.5});
    EXPECT_NEAR(std::sqrt(outcome.value), std::sqrt(10.0) - 2.0, 1e-5) << outcome.iterations;
  }
}

TEST(Pseudoinverse, SaturatedVariablesAreTakenOutAndTheOthersGoOn) {
  LinearRows rows{MatX::Ones(1, 3), VecX::Constant(1, 3.0)};
  Limits limits(3);
  limits.upper << 0.5, infinity, 0.75;
  VecX x = VecX::Zero(3);
  Pseudoinverse method;
  method.minimize(rows, limits, x, {.iterations = 1, .longest_step = 10.0}, {.inverse = Inverse::truncated});
  // (1, 1, 1) until x stops at ½, then (0, ·, ·) until z stops at ¾, then y alone.
  EXPECT_EQ(x[0], 0.5);
  EXPECT_EQ(x[2], 0.75);
  EXPECT_NEAR(x[1], 1.75, 1e-14);
  const Outcome outcome = method.minimize(rows, limits, x, {.longest_step = 10.0}, {.inverse = Inverse::truncated});
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_NEAR(x[1], 1.75, 1e-9);
}

TEST(Pseudoinverse, SevenJointsReachWithinTheirLimits) {
  const Figure figure = built(testing::seven_joint_arm());
  int max_iterations = 0;
  for (int seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Problem problem(figure);
    const VecX posed = testing::random_pose(figure, random).theta;
    Vec3 goal;
    evaluate(figure, forward(figure, Pose{posed}), good(figure.point("tip")), &goal);
    good(problem.add(figure.point("tip"), Position{goal}));
    ProblemRows rows(problem);
    VecX phi;
    rows.assembly.start(testing::random_pose(figure, random).theta, phi);
    Pseudoinverse method;
    double last = infinity;
    const Outcome outcome = method.minimize(rows, rows.assembly.limits(), phi, {.iterations = 200}, {},
                                            [&](int, double value, const VecX& at) {
                                              EXPECT_TRUE(within(rows.assembly.limits(), at));
                                              EXPECT_LE(value, last);
                                              last = value;
                                              return true;
                                            });
    EXPECT_LT(std::sqrt(outcome.value), 1e-7);
    max_iterations = std::max(max_iterations, outcome.iterations);
  }
  EXPECT_LT(max_iterations, 60);
}

TEST(Pseudoinverse, RejectsWhatItCannotHonour) {
  LinearRows rows{MatX::Identity(2, 2), VecX::Ones(2)};
  Pseudoinverse method;
  VecX x = VecX::Zero(2);
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {.damping = -1.0}).exit, Exit::rejected);
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {.truncation = 2.0}).exit, Exit::rejected);
  rows.ends = {1, 2};
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {}).exit, Exit::rejected);
  EXPECT_EQ(x, VecX::Zero(2));
}

TEST(Pseudoinverse, StopsWhenToldAndKeepsThePrefix) {
  RosenbrockRows rows;
  Pseudoinverse method;
  VecX stopped = (VecX(2) << -1.2, 1.0).finished(), limited = stopped;
  const Outcome outcome =
      method.minimize(rows, Limits(2), stopped, {}, {}, [](int k, double, const VecX&) { return k < 2; });
  method.minimize(rows, Limits(2), limited, {.iterations = 2}, {});
  EXPECT_EQ(outcome.exit, Exit::cancelled);
  EXPECT_EQ(stopped, limited);
}

TEST(Pseudoinverse, AllocatesNothingOnceReserved) {
  ArmRows rows;
  rows.goal << 0.5, 1.0;
  Limits limits(2);
  limits.upper[1] = 2.0;
  Manipulability manipulability;
  manipulability.start(rows, limits, VecX::Constant(2, 0.5));
  Objective secondary(manipulability);
  Pseudoinverse method;
  method.reserve(rows, limits);
  VecX x = VecX::Constant(2, 0.5);
  const PseudoinverseOptions own{.secondary = &secondary};
  const long before = law::allocations();
  method.minimize(rows, limits, x, {.iterations = 10}, own);
  EXPECT_EQ(law::allocations(), before);
}

}  // namespace pseudoinverse_test
}  // namespace limber
