// Constraints kept by Lagrange multipliers: on a circle, in a plane, at limits, and hands on hips.
#include "limber/solver/residual/lagrange_multipliers.h"

#include <gtest/gtest.h>

#include "tests/law/allocation.h"
#include "tests/support/dense.h"
#include "tests/support/figures.h"
#include "tests/support/rows.h"

namespace limber {
namespace lagrange_multipliers_test {

using testing::built;
using testing::CircleRows;
using testing::good;
using testing::LinearRows;
using testing::ProblemRows;
using testing::turn;
using Feedback = LagrangeMultipliersOptions::Feedback;

constexpr Integration both[] = {Integration::euler, Integration::runge_kutta};

bool within(const Limits& limits, const VecX& x) {
  return (x.array() >= limits.lower.array()).all() && (x.array() <= limits.upper.array()).all();
}

// W93 Fig. 5.1: a point in the plane Σx = 1, pulled to b, ends at the foot of b's perpendicular in the metric 1 / K.
TEST(LagrangeMultipliers, APointInAPlaneGoesToTheFootOfThePerpendicular) {
  MatX A = MatX::Zero(4, 3);
  A.row(0).setOnes();
  A.bottomRows(3).setIdentity();
  LinearRows rows{A, (VecX(4) << 1.0, 2.0, -1.0, 0.5).finished(), {1, 4}};
  for (const Integration integration : both) {
    VecX x = VecX::Unit(3, 2);  // in the plane
    LagrangeMultipliers method;
    const Outcome outcome =
        method.minimize(rows, Limits(3), x, {}, {.integration = integration}, [&](int, double, const VecX& at) {
          EXPECT_NEAR(at.sum(), 1.0, 1e-11);
          return true;
        });
    EXPECT_EQ(outcome.exit, Exit::converged);
    const VecX b = rows.b.tail(3);
    EXPECT_LT((x - (b - VecX::Constant(3, (b.sum() - 1.0) / 3.0))).norm(), 1e-7);
    // At rest the constraint force balances the pull: λ = (b - x)·(-1).
    EXPECT_NEAR(method.multipliers()[0], x[0] - b[0], 1e-7);
  }
}

// One step of (5.5) to (5.7) against dense algebra, with gains and a broken constraint.
TEST(LagrangeMultipliers, OneEulerStepIsTheEquationOfMotion) {
  Random random(2);
  LinearRows rows{MatX::NullaryExpr(5, 4, [&] { return random.between(-1.0, 1.0); }),
                  VecX::NullaryExpr(5, [&] { return random.between(-1.0, 1.0); }),
                  {2, 5}};
  const VecX gain = (VecX(4) << 1.0, 0.5, 2.0, 0.25).finished();
  const VecX start = VecX::Constant(4, 0.3);
  VecX r(5);
  rows.residual(start, r);
  const MatX J_c = rows.A.topRows(2), J_a = rows.A.bottomRows(3), K = gain.asDiagonal();
  const VecX g_a = -J_a.transpose() * r.tail(3);
  const MatX A = J_c * K * J_c.transpose();
  const VecX lambda = testing::inverse_of(A) * (-J_c * K * g_a);
  for (const Feedback feedback : {Feedback::spring, Feedback::projection}) {
    const VecX back = feedback == Feedback::spring ? VecX(r.head(2)) : VecX(testing::inverse_of(A) * r.head(2));
    const VecX v = K * (g_a + J_c.transpose() * lambda) - 0.5 * K * J_c.transpose() * back;
    VecX x = start;
    LagrangeMultipliers method;
    method.minimize(rows, Limits(4), x, {.iterations = 1},
                    {.integration = Integration::euler, .feedback = feedback, .gain = gain, .step = 0.01, .k = 0.5});
    EXPECT_LT((x - (start + 0.01 * v)).norm(), 1e-14);
  }
}

// How far the point leaves the circle on its way round it. Euler's error a step is ½ (h v)²; the feedback takes a part
// of it back.
TEST(LagrangeMultipliers, APointStaysOnItsCircle) {
  CircleRows rows{{0.0, 3.0}};
  for (const Feedback feedback : {Feedback::spring, Feedback::projection})
    for (const Integration integration : both) {
      VecX x = (VecX(2) << 1.0, 0.0).finished();
      LagrangeMultipliers method;
      const Outcome outcome = method.minimize(
          rows, Limits(2), x, {.iterations = 20000},
          {.integration = integration, .feedback = feedback, .step = 0.001, .k = 10.0, .kept = 1e-2, .halvings = 0});
      EXPECT_EQ(outcome.exit, Exit::converged);
      EXPECT_LT((x - VecX::Unit(2, 1)).norm(), 1e-7);
      EXPECT_LT(method.drift(), integration == Integration::euler ? 1e-3 : 1e-4);
      EXPECT_GT(method.drift(), 0.0);
    }
}

// Without feedback the drift of Euler's steps stays; with it, it goes.
TEST(LagrangeMultipliers, FeedbackBringsTheConstraintsBack) {
  CircleRows rows{{0.0, 3.0}};
  const auto error_after = [&](double k) {
    VecX x = (VecX(2) << 1.0, 0.0).finished();
    LagrangeMultipliers method;
    method.minimize(rows, Limits(2), x, {.iterations = 300},
                    {.integration = Integration::euler, .step = 0.02, .k = k, .kept = 1.0, .halvings = 0});
    return std::fabs(x.squaredNorm() - 1.0);
  };
  EXPECT_GT(error_after(0.0), 1e-2);
  EXPECT_LT(error_after(2.0), 1e-6);
  // From a start that breaks the constraint.
  for (const Integration integration : both) {
    VecX x = (VecX(2) << 2.0, -0.5).finished();
    LagrangeMultipliers method;
    const Outcome outcome = method.minimize(rows, Limits(2), x, {}, {.integration = integration, .k = 5.0});
    EXPECT_EQ(outcome.exit, Exit::converged);
    EXPECT_LT((x - VecX::Unit(2, 1)).norm(), 1e-7);
  }
}

// The bound y <= 0.6 is met at (0.8, 0.6): y is taken out, and x may not move alone.
TEST(LagrangeMultipliers, TheConstraintHoldsWhenALimitIsMet) {
  CircleRows rows{{0.0, 3.0}};
  Limits limits(2);
  limits.upper[1] = 0.6;
  for (const Integration integration : both) {
    VecX x = (VecX(2) << 1.0, 0.0).finished();
    LagrangeMultipliers method;
    const Outcome outcome =
        method.minimize(rows, limits, x, {.iterations = 2000}, {.integration = integration, .step = 0.01, .k = 10.0},
                        [&](int, double, const VecX& at) {
                          EXPECT_TRUE(within(limits, at));
                          EXPECT_NEAR(at.squaredNorm(), 1.0, 1e-3);
                          return true;
                        });
    EXPECT_EQ(outcome.exit, Exit::converged);
    EXPECT_EQ(x[1], 0.6);
    EXPECT_NEAR(x[0], 0.8, 1e-7);
  }
}

// x + y + z = 0, pulled to (3, -1, -2) with x <= 1: when x stops, the step goes on in y - z.
TEST(LagrangeMultipliers, TheOthersGoOnWithinTheSameStep) {
  MatX A = MatX::Zero(4, 3);
  A.row(0).setOnes();
  A.bottomRows(3).setIdentity();
  LinearRows rows{A, (VecX(4) << 0.0, 3.0, 0.0, -3.0).finished(), {1, 4}};
  Limits limits(3);
  limits.upper[0] = 1.0;
  VecX x = VecX::Zero(3);
  LagrangeMultipliers method;
  method.minimize(rows, limits, x, {.iterations = 1, .longest_step = 10.0},
                  {.integration = Integration::euler, .step = 0.5});
  // Until x = 1 at t = 1/3 along (3, 0, -3), then t = 1/6 along the pull (·, 0, -3) freed of its sum: (0, 1.5, -1.5).
  EXPECT_EQ(x[0], 1.0);
  EXPECT_NEAR(x[1], 0.25, 1e-14);
  EXPECT_NEAR(x[2], -1.25, 1e-14);
  for (const Integration integration : both) {
    VecX y = VecX::Zero(3);
    EXPECT_EQ(method.minimize(rows, limits, y, {}, {.integration = integration}).exit, Exit::converged);
    EXPECT_LT((y - (VecX(3) << 1.0, 1.0, -2.0).finished()).norm(), 1e-7);
    EXPECT_EQ(y[0], 1.0);
  }
}

TEST(LagrangeMultipliers, DependentConstraintsAreLeftOutByTheTruncation) {
  MatX A = MatX::Zero(6, 3);
  A.topRows(3).setOnes();  // the same plane three times
  A.row(1) *= 2.0;
  A.bottomRows(3).setIdentity();
  LinearRows rows{A, (VecX(6) << 1.0, 2.0, 1.0, 2.0, -1.0, 0.5).finished(), {3, 6}};
  VecX x = VecX::Unit(3, 2);
  LagrangeMultipliers method;
  EXPECT_EQ(method.minimize(rows, Limits(3), x, {}, {}).exit, Exit::converged);
  EXPECT_NEAR(x.sum(), 1.0, 1e-9);
  EXPECT_NEAR(x[0] - x[1], 3.0, 1e-7);
}

TEST(LagrangeMultipliers, WithoutConstraintsIsTheJacobianTranspose) {
  Random random(4);
  LinearRows rows{MatX::NullaryExpr(3, 2, [&] { return random.between(-1.0, 1.0); }), VecX::Ones(3), {0, 3}};
  VecX x = VecX::Zero(2);
  LagrangeMultipliers method;
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {.iterations = 3000}, {}).exit, Exit::converged);
  EXPECT_LT((x - testing::solve_dense(rows.A, rows.b)).norm(), 1e-6);
}

TEST(LagrangeMultipliers, NoVariableIsFasterThanAllowed) {
  CircleRows rows{{0.0, 300.0}};
  for (const Integration integration : both) {
    VecX x = (VecX(2) << 1.0, 0.0).finished(), last = x;
    LagrangeMultipliers method;
    method.minimize(rows, Limits(2), x, {.iterations = 20, .longest_step = 0.05}, {.integration = integration},
                    [&](int, double, const VecX& at) {
                      EXPECT_LE((at - last).cwiseAbs().maxCoeff(), 0.05 * (1.0 + 1e-12));
                      last = at;
                      return true;
                    });
  }
  VecX x = (VecX(2) << 1.0, 0.0).finished();
  LagrangeMultipliers method;
  method.minimize(rows, Limits(2), x, {.iterations = 1},
                  {.integration = Integration::euler, .step = 0.1, .fastest = 0.25, .kept = 1e-2});
  EXPECT_NEAR(x[1], 0.025, 1e-12);
}

TEST(LagrangeMultipliers, RejectsWhatItCannotHonour) {
  CircleRows rows{{0.0, 3.0}};
  LagrangeMultipliers method;
  VecX x = VecX::Ones(2);
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {.gain = VecX::Ones(1)}).exit, Exit::rejected);
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {.k = -1.0}).exit, Exit::rejected);
  Limits with_row(2);
  with_row.add_row({0, 1}, {1.0, 1.0}, 1.0, true);
  EXPECT_EQ(method.minimize(rows, with_row, x, {}, {}).exit, Exit::rejected);
  rows.ends = {1, 2, 3};
  EXPECT_EQ(method.minimize(rows, Limits(2), x, {}, {}).exit, Exit::rejected);
  EXPECT_EQ(x, VecX::Ones(2));
}

TEST(LagrangeMultipliers, StopsWhenToldAndKeepsThePrefix) {
  CircleRows rows{{0.0, 3.0}};
  LagrangeMultipliers method;
  VecX stopped = (VecX(2) << 1.0, 0.0).finished(), limited = stopped;
  const Outcome outcome =
      method.minimize(rows, Limits(2), stopped, {}, {}, [](int k, double, const VecX&) { return k < 4; });
  method.minimize(rows, Limits(2), limited, {.iterations = 4}, {});
  EXPECT_EQ(outcome.exit, Exit::cancelled);
  EXPECT_EQ(stopped, limited);
}

TEST(LagrangeMultipliers, AllocatesNothingOnceReserved) {
  Random random(6);
  LinearRows rows{MatX::NullaryExpr(30, 40, [&] { return random.between(-1.0, 1.0); }), VecX::Ones(30), {12, 30}};
  Limits limits(40);
  limits.upper.setConstant(0.01);
  LagrangeMultipliers method;
  method.reserve(rows, limits);
  VecX x = VecX::Zero(40);
  for (const Integration integration : both) {
    const LagrangeMultipliersOptions own{.integration = integration};
    const long before = law::allocations();
    method.minimize(rows, limits, x, {.iterations = 3}, own);
    EXPECT_EQ(law::allocations(), before);
  }
}

// Pelvis and torso, two arms of two bones: small and symmetrical.
FigureDescription small_body() {
  FigureDescription body = testing::torso_with_arms();
  body.sites.push_back({"right hip", "pelvis", at({-0.15, 0.05, 0.1})});
  body.sites.push_back({"left hip", "pelvis", at({0.15, 0.05, 0.1})});
  return body;
}

// W93 Fig. 5.4: hands on hips by two equality constraints, then kept there while the waist is bent.
TEST(LagrangeMultipliers, HandsComeToTheHipsAndStayThereWhileTheTorsoTurns) {
  FigureDescription description = small_body();
  for (JointDescription& joint : description.joints)  // shoulders that can do it
    if (joint.name.ends_with("shoulder")) joint.freedoms.push_back(turn("twist", Vec3::UnitX(), {-1.5, 1.5}));
  const Figure figure = built(description);
  Problem problem(figure);
  for (const std::string side : {"right", "left"})
    good(problem.add(difference(figure.point(side + " hand"), figure.point(side + " hip")), Coincide{}));
  VecX theta = figure.rest().theta;
  double left_over = 0.0;
  {
    ProblemRows rows(problem, 6);
    VecX phi;
    rows.assembly.start(theta, phi);
    LagrangeMultipliers method;
    const Outcome outcome = method.minimize(rows, rows.assembly.limits(), phi, {.iterations = 500},
                                            {.feedback = Feedback::projection, .step = 0.2, .k = 5.0});
    EXPECT_EQ(outcome.exit, Exit::converged);
    left_over = std::sqrt(outcome.value);
    EXPECT_LT(left_over, 1e-7);
    EXPECT_TRUE(within(rows.assembly.limits(), phi));
    // A symmetrical figure gives a symmetrical answer.
    rows.assembly.set_theta(phi);
    theta = rows.assembly.theta();
    const auto value = [&](const char* name) { return good(figure.value(Pose{theta}, name)); };
    EXPECT_NEAR(value("right elbow.bend"), -value("left elbow.bend"), 1e-9);
    EXPECT_NEAR(value("right shoulder.lift"), -value("left shoulder.lift"), 1e-9);
    EXPECT_GT(std::fabs(value("left elbow.bend")), 0.5);
  }
  // Now the head is pulled down to the front; the hands stay.
  const Kinematics state = forward(figure, Pose{theta});
  const int head = good(figure.find_segment("head"));
  good(problem.add(figure.point("head"), Position{state.segments[head].p + Vec3(0.05, -0.1, 0.2)}));
  double drift[2];
  for (const Integration integration : both) {
    ProblemRows rows(problem, 6);
    VecX phi;
    rows.assembly.start(theta, phi);
    VecX r(rows.assembly.residuals());
    rows.residual(phi, r);
    const double before = r.tail(3).norm();
    LagrangeMultipliers method;
    method.minimize(rows, rows.assembly.limits(), phi, {.iterations = 2000},
                    {.integration = integration, .feedback = Feedback::projection, .step = 0.05, .k = 5.0});
    rows.residual(phi, r);
    EXPECT_LT(r.tail(3).norm(), 0.5 * before);
    EXPECT_LT(r.head(6).norm(), 1e-4);
    drift[integration == Integration::runge_kutta] = method.drift();
    EXPECT_TRUE(within(rows.assembly.limits(), phi));
  }
  EXPECT_LT(drift[0], 5e-3);
  EXPECT_LT(drift[1], 1e-4);
}

}  // namespace lagrange_multipliers_test
}  // namespace limber
