// The Jacobian transpose: exact answers without a figure, W93's examples with one.
#include "limber/solver/residual/jacobian_transpose.h"

#include <gtest/gtest.h>

#include "tests/law/allocation.h"
#include "tests/support/dense.h"
#include "tests/support/figures.h"
#include "tests/support/rows.h"

namespace limber {
namespace jacobian_transpose_test {

using testing::built;
using testing::good;
using testing::LinearRows;
using testing::ProblemRows;
using testing::RosenbrockRows;

constexpr Integration both[] = {Integration::euler, Integration::runge_kutta};

LinearRows random_linear(Random& random, int m, int n) {
  return {MatX::NullaryExpr(m, n, [&] { return random.between(-1.0, 1.0); }),
          VecX::NullaryExpr(m, [&] { return random.between(-2.0, 2.0); })};
}

bool within(const Limits& limits, const VecX& x) {
  return (x.array() >= limits.lower.array()).all() && (x.array() <= limits.upper.array()).all();
}

// The integrator against the exponential: order 5, so half the step leaves 1/32 of the error.
TEST(CashKarp, IsOfFifthOrder) {
  CashKarp pair;
  pair.reserve(2);
  const Limits limits(2);
  const auto turn = [](const VecX& q, VecX& v) {
    v[0] = -q[1];
    v[1] = q[0];
  };
  double error[2], estimate[2];
  for (int k = 0; k < 2; ++k) {
    const double h = k == 0 ? 0.4 : 0.2;
    VecX x = VecX::Unit(2, 0), v(2), d(2);
    turn(x, v);
    estimate[k] = pair(limits, x, v, h, 1e-9, turn, d);
    error[k] = (x + d - (VecX(2) << std::cos(h), std::sin(h)).finished()).norm();
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 6.0, 0.3);  // of one step
  EXPECT_NEAR(std::log2(estimate[0] / estimate[1]), 5.0, 0.3);
}

// (4.10), (4.12) to the letter.
TEST(JacobianTranspose, OneEulerStepIsGainTimesTransposeTimesForce) {
  Random random(1);
  LinearRows rows = random_linear(random, 3, 4);
  const VecX start = VecX::Constant(4, 0.5);
  VecX x = start;
  const VecX gain = (VecX(4) << 1.0, 0.5, 0.0, 2.0).finished();
  JacobianTranspose method;
  const Outcome outcome = method.minimize(rows, Limits(4), x, {.iterations = 1},
                                          {.integration = Integration::euler, .gain = gain, .step = 0.01});
  EXPECT_EQ(outcome.iterations, 1);
  const VecX expected = start - 0.01 * gain.cwiseProduct(rows.A.transpose() * (rows.A * start - rows.b));
  EXPECT_LT((x - expected).norm(), 1e-15);
  EXPECT_EQ(x[2], start[2]);
}

// The flow q' = Aᵀ(b - A q) of a linear system has a closed form.
TEST(JacobianTranspose, RungeKuttaFollowsTheFlow) {
  LinearRows rows{(MatX(2, 2) << 1.0, 0.0, 0.0, 0.5).finished(), VecX::Zero(2)};
  VecX x = VecX::Ones(2);
  JacobianTranspose method;
  method.minimize(rows, Limits(2), x, {.iterations = 1}, {.step = 0.5, .accuracy = 1e-3});
  EXPECT_NEAR(x[0], std::exp(-0.5), 1e-5);
  EXPECT_NEAR(x[1], std::exp(-0.125), 1e-6);
}

TEST(JacobianTranspose, FindsTheLeastSquaresAnswer) {
  for (const Integration integration : both)
    for (int seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      LinearRows rows = random_linear(random, 6, 3);
      const VecX answer = testing::solve_dense(rows.A, rows.b);
      VecX x = VecX::Zero(3);
      JacobianTranspose method;
      const Outcome outcome =
          method.minimize(rows, Limits(3), x, {.iterations = 20000, .tolerance = 1e-7}, {.integration = integration});
      EXPECT_EQ(outcome.exit, Exit::converged) << outcome.iterations;
      EXPECT_LT((x - answer).norm(), 1e-5);
    }
}

TEST(JacobianTranspose, StopsAtTheBoxAsTheKuhnTuckerConditionsSay) {
  for (const Integration integration : both) {
    LinearRows rows{MatX::Identity(3, 3), (VecX(3) << 2.0, -2.0, 0.25).finished()};
    Limits limits(3);
    limits.upper[0] = 1.0;
    limits.lower[1] = -0.5;
    VecX x = VecX::Zero(3);
    JacobianTranspose method;
    const Outcome outcome =
        method.minimize(rows, limits, x, {}, {.integration = integration}, [&](int, double, const VecX& at) {
          EXPECT_TRUE(within(limits, at));
          return true;
        });
    EXPECT_EQ(outcome.exit, Exit::converged);
    EXPECT_EQ(x[0], 1.0);
    EXPECT_EQ(x[1], -0.5);
    EXPECT_NEAR(x[2], 0.25, 1e-8);
  }
}

TEST(JacobianTranspose, GoesDownRosenbrocksValleyWithoutEverRising) {
  for (const Integration integration : both) {
    RosenbrockRows rows;
    VecX x = (VecX(2) << -1.2, 1.0).finished();
    double last = infinity;
    JacobianTranspose method;
    const Outcome outcome = method.minimize(rows, Limits(2), x, {.iterations = 40000, .tolerance = 1e-4},
                                            {.integration = integration}, [&](int, double value, const VecX&) {
                                              EXPECT_LE(value, last);
                                              last = value;
                                              return true;
                                            });
    EXPECT_EQ(outcome.exit, Exit::converged);
    EXPECT_LT((x - VecX::Ones(2)).norm(), 1e-3) << outcome.iterations;
  }
}

TEST(JacobianTranspose, VelocitiesAndStepsAreClamped) {
  LinearRows rows{MatX::Identity(2, 2), (VecX(2) << 100.0, 0.01).finished()};
  JacobianTranspose method;
  VecX x = VecX::Zero(2);
  method.minimize(rows, Limits(2), x, {.iterations = 1},
                  {.integration = Integration::euler, .step = 0.5, .fastest = 0.25});
  EXPECT_DOUBLE_EQ(x[0], 0.125);
  EXPECT_DOUBLE_EQ(x[1], 0.005);
  for (const Integration integration : both) {
    x.setZero();
    method.minimize(rows, Limits(2), x, {.iterations = 1, .longest_step = 0.0625}, {.integration = integration});
    EXPECT_LE(x[0], 0.0625);
    EXPECT_GT(x[0], 0.0);
  }
}

// With a step of 2.5 / σ² the printed Euler swings ever wider: the best point, which is shown, is the start.
TEST(JacobianTranspose, AsPrintedMayRiseAndStillReturnsTheBestPoint) {
  LinearRows rows{MatX::Identity(1, 1), VecX::Zero(1)};
  VecX x = VecX::Ones(1);
  JacobianTranspose method;
  int seen = 0;
  const Outcome outcome = method.minimize(rows, Limits(1), x, {.iterations = 5, .longest_step = 100.0},
                                          {.integration = Integration::euler, .step = 2.5, .may_rise = true},
                                          [&](int, double value, const VecX& shown) {
                                            EXPECT_EQ(value, 1.0);
                                            EXPECT_EQ(shown[0], 1.0);
                                            ++seen;
                                            return true;
                                          });
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(x[0], 1.0);
  EXPECT_EQ(outcome.value, 1.0);
  EXPECT_EQ(outcome.exit, Exit::iteration_limit);
}

TEST(JacobianTranspose, RejectsWhatItCannotHonour) {
  LinearRows rows{MatX::Identity(2, 2), VecX::Ones(2)};
  JacobianTranspose method;
  const VecX start = VecX::Zero(2);
  VecX x = start;
  const auto exit = [&](const Limits& limits, const JacobianTransposeOptions& own) {
    return method.minimize(rows, limits, x, {}, own).exit;
  };
  EXPECT_EQ(exit(Limits(2), {.gain = VecX::Ones(3)}), Exit::rejected);
  EXPECT_EQ(exit(Limits(2), {.gain = -VecX::Ones(2)}), Exit::rejected);
  EXPECT_EQ(exit(Limits(2), {.step = 0.0}), Exit::rejected);
  EXPECT_EQ(exit(Limits(2), {.fastest = -1.0}), Exit::rejected);
  Limits with_row(2);
  with_row.add_row({0, 1}, {1.0, 1.0}, 1.0, false);
  EXPECT_EQ(exit(with_row, {}), Exit::rejected);
  rows.ends = {1, 2};
  EXPECT_EQ(exit(Limits(2), {}), Exit::rejected);
  rows.ends = {0, 1, 2};
  EXPECT_EQ(exit(Limits(2), {}), Exit::rejected);
  EXPECT_EQ(x, start);
}

TEST(JacobianTranspose, NotANumberIsReportedAtTheStartAndAvoidedLater) {
  struct Wall {  // not a number beyond 1
    std::vector<int> ends = {0, 1};
    const std::vector<int>& level_ends() const { return ends; }
    void residual(const VecX& x, VecX& r) const { r[0] = x[0] > 1.0 ? std::nan("") : x[0] - 1.5; }
    void jacobian(const VecX&, MatX& J) const { J(0, 0) = 1.0; }
  } wall;
  JacobianTranspose method;
  for (const Integration integration : both) {
    VecX x = VecX::Constant(1, 2.0);
    EXPECT_EQ(method.minimize(wall, Limits(1), x, {}, {.integration = integration}).exit, Exit::not_finite);
    x[0] = 0.0;
    const Outcome outcome = method.minimize(wall, Limits(1), x, {}, {.integration = integration});
    EXPECT_LE(x[0], 1.0);
    EXPECT_GT(x[0], 0.99);
    EXPECT_TRUE(std::isfinite(outcome.value));
  }
}

// W93 Fig. 4.2: the pull along a straight arm has no moment about any joint.
TEST(JacobianTranspose, DoesNotMoveAStraightArmPulledInwards) {
  Problem problem(built(testing::planar_arm()));
  good(problem.add(problem.figure().point("tip"), Position{{0.5, 0, 0}}));
  ProblemRows rows(problem);
  VecX phi;
  rows.assembly.start(problem.figure().rest().theta, phi);
  const VecX start = phi;
  JacobianTranspose method;
  for (const Integration integration : both) {
    method.minimize(rows, rows.assembly.limits(), phi, {}, {.integration = integration});
    EXPECT_EQ(phi, start);
  }
}

// W93 Fig. 4.4, 4.5.
TEST(JacobianTranspose, SevenJointsReachAGoalWithinReachAndCreepToOneAtTheEdge) {
  const Figure figure = built(testing::seven_joint_arm());
  for (const Integration integration : both) {
    const auto error_after = [&](const Vec3& goal, int iterations) {
      Problem problem(figure);
      good(problem.add(figure.point("tip"), Position{goal}));
      ProblemRows rows(problem);
      VecX phi;
      rows.assembly.start(figure.rest().theta, phi);
      JacobianTranspose method;
      const Outcome outcome =
          method.minimize(rows, rows.assembly.limits(), phi, {.iterations = iterations, .tolerance = 1e-10},
                          {.integration = integration}, [&](int, double, const VecX& at) {
                            EXPECT_TRUE(within(rows.assembly.limits(), at));
                            return true;
                          });
      return std::sqrt(outcome.value);
    };
    EXPECT_LT(error_after({0.9, 0.8, 0.5}, 1000), 1e-6);
    const Vec3 edge = Vec3(0.3, 0, 0) + 2.09 * Vec3(1, 2, 0).normalized();
    EXPECT_LT(error_after(edge, 500), 1e-2);
  }
}

TEST(JacobianTranspose, AllocatesNothingOnceReserved) {
  RosenbrockRows rows;
  const Limits limits(2);
  VecX x = (VecX(2) << -1.2, 1.0).finished();
  JacobianTranspose method;
  method.reserve(rows, limits);
  for (const Integration integration : both) {
    const JacobianTransposeOptions own{.integration = integration};
    const long before = law::allocations();
    EXPECT_EQ(method.minimize(rows, limits, x, {.iterations = 20}, own).iterations, 20);
    EXPECT_EQ(law::allocations(), before);
  }
}

TEST(JacobianTranspose, StopsWhenToldAndKeepsThePrefix) {
  RosenbrockRows rows;
  JacobianTranspose method;
  VecX stopped = (VecX(2) << -1.2, 1.0).finished(), limited = stopped;
  const Outcome outcome =
      method.minimize(rows, Limits(2), stopped, {}, {}, [](int k, double, const VecX&) { return k < 4; });
  method.minimize(rows, Limits(2), limited, {.iterations = 4}, {});
  EXPECT_EQ(outcome.exit, Exit::cancelled);
  EXPECT_EQ(stopped, limited);
}

}  // namespace jacobian_transpose_test
}  // namespace limber
