// One step of the inner loop against the assembled program: its residual, its gradient, its Jacobian of all rows.
#include "limber/lanes/marquardt.h"

#include <gtest/gtest.h>

#include "limber/base/sine.h"
#include "tests/lanes/pin_sample.h"
#include "tests/support/dense.h"

namespace limber {
namespace marquardt_test {

using testing::built;
using testing::good;
using testing::pinned;
using testing::PinSample;
using testing::random_pins;

using StepKernel = PinMarquardt<double, sines_and_cosines>;

constexpr double no_longest_step = 1e30;
// Sums over up to thirty freedoms, of numbers of the size of an angle.
constexpr double step_rounding = 1e-11;

// A kernel with a problem in it, and with variables of its own, so that a test can move their bounds.
struct SteppedPins {
  const PinSample& pins;
  std::vector<VariableOf<double>> variables;
  LaneMemory memory;

  explicit SteppedPins(const PinSample& sample) : pins(sample), variables(sample.tables.variables) {}

  StepKernel at(const VecX& x) {
    PinPlan<double> plan = pins.tables.plan();
    plan.variable = variables.data();
    StepKernel kernel(plan, memory.of(StepKernel::room(plan)));
    const auto triple = [](const double* from) { return StepKernel::Vector{from[0], from[1], from[2]}; };
    for (std::size_t b = 0; b < pins.bases.size(); ++b) kernel.bases[b] = pins.bases[b];
    for (std::size_t k = 0; k < pins.q.size(); ++k) kernel.q[k] = pins.q[k];
    for (std::size_t k = 0; k < pins.targets.size(); ++k) kernel.target[k] = triple(pins.targets[k].v);
    for (Eigen::Index i = 0; i < x.size(); ++i) kernel.x[i] = kernel.trial[i] = x[i];
    return kernel;
  }
  void let_go() {
    for (VariableOf<double>& variable : variables) variable.lower = -infinity, variable.upper = infinity;
  }
};

// r, J and f of all rows, as the assembly has them.
struct AllRows {
  VecX r;
  MatX J;
  AllRows(const PinSample& pins, const VecX& x)
      : r(pins.assembly->residuals()), J(pins.assembly->residuals(), x.size()) {
    pins.assembly->residual(x, r);
    pins.assembly->jacobian(x, J);
  }
  double f() const { return r.squaredNorm(); }
  double scale() const { return 1.0 + r.norm() * J.norm() + J.squaredNorm(); }
};

VecX random_point(Random& random, const Limits& limits) {
  VecX x(limits.variables());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    x[i] = random.between(std::fmax(limits.lower[i], -1.5), std::fmin(limits.upper[i], 1.5));
  return x;
}

VecX trial_of(const StepKernel& kernel, Eigen::Index n) { return Eigen::Map<const VecX>(kernel.trial, n); }

TEST(PinMarquardt, HasTheValueOfTheAssembly) {
  Random random(2321);
  const int problems = law::law_count(300);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    StepKernel kernel = stepped.at(x);
    const double f = kernel.evaluate();
    const AllRows rows(pins, x);
    ASSERT_LE(std::fabs(f - rows.f()), step_rounding * (1.0 + rows.f())) << "trial " << trial;
    VecX gradient(x.size());
    ASSERT_LE(std::fabs(f - (*pins.assembly)(x, gradient)), step_rounding * (1.0 + rows.f())) << "trial " << trial;
  }
}

// What is off is what the report calls left: metres of a point, the chord of the worse axis.
TEST(PinMarquardt, SaysHowFarEveryTaskIsOff) {
  Random random(2322);
  const int problems = law::law_count(200);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    StepKernel kernel = stepped.at(x);
    kernel.evaluate();
    pins.assembly->evaluate_at(x);
    std::size_t a = 0;
    for (std::size_t c = 0; c < pins.problem->constraints().size(); ++c) {
      const GoalError error = pins.assembly->error_of(c);
      const double length = pins.figure.length();
      if (error.metres) {
        EXPECT_LE(std::fabs(std::sqrt(kernel.off[a++]) - *error.metres), step_rounding * (length + *error.metres));
      }
      if (error.radians) {
        EXPECT_NEAR(std::sqrt(kernel.off[a++]), 2.0 * std::sin(0.5 * *error.radians), 1e-7);
      }
    }
    EXPECT_EQ(a, pins.tables.tasks.size());
  }
}

// stationarity() is the largest of what no bound holds. With all others between two bounds that meet, it is one entry;
// with that one on a bound it is the entry or 0, by its sign.
TEST(PinMarquardt, HasTheGradientOfTheAssembly) {
  Random random(2323);
  const int problems = law::law_count(150);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    stepped.let_go();
    VecX gradient(x.size());
    const double f = (*pins.assembly)(x, gradient);
    const double rounding = step_rounding * (1.0 + f + gradient.norm());
    const auto stationarity = [&] {
      StepKernel kernel = stepped.at(x);
      kernel.evaluate();
      kernel.linearize(true);
      return kernel.stationarity();
    };
    ASSERT_NEAR(stationarity(), gradient.cwiseAbs().maxCoeff(), rounding) << "trial " << trial;
    for (std::size_t j = 0; j < stepped.variables.size(); ++j)
      stepped.variables[j].lower = stepped.variables[j].upper = x[static_cast<Eigen::Index>(j)];
    EXPECT_EQ(stationarity(), 0.0);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      VariableOf<double>& variable = stepped.variables[static_cast<std::size_t>(i)];
      variable.lower = -infinity;
      ASSERT_NEAR(stationarity(), std::fmax(0.0, gradient[i]), rounding) << "trial " << trial;
      variable.lower = x[i];
      variable.upper = infinity;
      ASSERT_NEAR(stationarity(), std::fmax(0.0, -gradient[i]), rounding) << "trial " << trial;
      variable.upper = x[i];
    }
  }
}

// (JᵀJ + μ I) s = -Jᵀr with all rows, six of them for an orientation.
TEST(PinMarquardt, TakesTheDampedStepOfAllRows) {
  Random random(2324);
  const int problems = law::law_count(300);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    stepped.let_go();
    StepKernel kernel = stepped.at(x);
    const AllRows rows(pins, x);
    const auto n = x.size();
    kernel.evaluate();
    kernel.linearize(true);
    EXPECT_NEAR(kernel.square_norm(), rows.J.squaredNorm(), step_rounding * rows.scale());
    kernel.stationarity();
    const double mu = rows.J.squaredNorm() * std::pow(10.0, random.between(-3.0, 1.0));
    if (!(mu > 0.0)) continue;
    const double promised = kernel.find_step(mu, no_longest_step, static_cast<int>(n));
    const MatX A = rows.J.transpose() * rows.J + mu * MatX::Identity(n, n);
    const VecX s = testing::solve_dense(A, -rows.J.transpose() * rows.r);
    ASSERT_LE((trial_of(kernel, n) - x - s).norm(), 1e-9 * (s.norm() + 1e-3)) << "trial " << trial;
    const double fall = rows.f() - (rows.r + rows.J * s).squaredNorm();
    ASSERT_NEAR(promised, fall, 1e-9 * (rows.f() + 1e-3)) << "trial " << trial;
  }
}

// Three rows stand for six, whatever the frames: an orientation alone, the joint of a wrist, any target.
TEST(PinMarquardt, TurnsInThreeRowsAsInSix) {
  Random random(2325);
  const Figure figure = built(testing::seven_joint_arm());
  for (int trial = 0; trial < 200; ++trial) {
    auto problem = std::make_unique<Problem>(figure);
    const Mat3 R = random.rotation();
    good(problem->add(figure.frame("tip"), Orientation{R.col(0), R.col(1), 0.7, 0.7}));
    const auto pins = pinned(figure, std::move(problem), testing::random_pose(figure, random));
    ASSERT_TRUE(pins);
    ASSERT_EQ(pins->tables.tasks.size(), 1U);
    ASSERT_EQ(pins->tables.tasks[0].kind, TaskKind::turn);
    ASSERT_EQ(pins->assembly->residuals(), 6);
    SteppedPins stepped(*pins);
    stepped.let_go();
    StepKernel kernel = stepped.at(pins->phi);
    const AllRows rows(*pins, pins->phi);
    kernel.evaluate();
    kernel.linearize(true);
    EXPECT_NEAR(kernel.stationarity(), 2.0 * (rows.J.transpose() * rows.r).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_NEAR(kernel.square_norm(), rows.J.squaredNorm(), 1e-12);
    kernel.find_step(0.01, no_longest_step, 7);
    const MatX A = rows.J.transpose() * rows.J + 0.01 * MatX::Identity(7, 7);
    const VecX s = testing::solve_dense(A, -rows.J.transpose() * rows.r);
    ASSERT_LE((trial_of(kernel, 7) - pins->phi - s).norm(), 1e-11);
  }
}

// Every variable is exactly on a bound, or its equation of the damped step holds, given where the others are.
TEST(PinMarquardt, StepsWithinTheBoundsAndSolvesForWhatIsFree) {
  Random random(2326);
  const int problems = law::law_count(400);
  int stopped = 0, held = 0, inside = 0;
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      VariableOf<double>& variable = stepped.variables[static_cast<std::size_t>(i)];
      variable.lower = std::fmax(variable.lower, x[i] - random.between(0.0, 0.3));
      variable.upper = std::fmin(variable.upper, x[i] + random.between(0.0, 0.3));
      if (random.chance(0.2)) x[i] = variable.lower;
      if (random.chance(0.2)) x[i] = variable.upper;
    }
    StepKernel kernel = stepped.at(x);
    const AllRows rows(pins, x);
    const auto n = x.size();
    kernel.evaluate();
    kernel.linearize(true);
    kernel.stationarity();
    const double mu = rows.J.squaredNorm() * std::pow(10.0, random.between(-3.0, 1.0));
    if (!(mu > 0.0)) continue;
    const double promised = kernel.find_step(mu, no_longest_step, static_cast<int>(n));
    const VecX to = trial_of(kernel, n), s = to - x;
    const VecX left = rows.J.transpose() * (rows.r + rows.J * s) + mu * s;
    for (Eigen::Index i = 0; i < n; ++i) {
      const VariableOf<double>& variable = stepped.variables[static_cast<std::size_t>(i)];
      ASSERT_TRUE(to[i] >= variable.lower && to[i] <= variable.upper) << "trial " << trial;
      if (to[i] == variable.lower || to[i] == variable.upper) {
        ++(to[i] == x[i] ? held : stopped);
        continue;
      }
      ++inside;
      ASSERT_LE(std::fabs(left[i]), step_rounding * rows.scale()) << "trial " << trial;
    }
    const double fall = rows.f() - (rows.r + rows.J * s).squaredNorm();
    ASSERT_NEAR(promised, fall, step_rounding * rows.scale()) << "trial " << trial;
  }
  // All three are met with.
  EXPECT_GE(std::min({stopped, held, inside}), problems);
}

// With few rounds a step is less exact, never outside.
TEST(PinMarquardt, NeverLeavesTheBoundsNorStepsTooFar) {
  Random random(2327);
  const int problems = law::law_count(200);
  for (int trial = 0; trial < problems; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    StepKernel kernel = stepped.at(x);
    kernel.evaluate();
    kernel.linearize(true);
    kernel.stationarity();
    const double longest = random.between(0.01, 0.5);
    kernel.find_step(1e-6 * kernel.square_norm() + 1e-9, longest, random.integer(0, 3));
    const VecX to = trial_of(kernel, x.size());
    const Limits& limits = pins.assembly->limits();
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(to[i] >= limits.lower[i] && to[i] <= limits.upper[i]) << "trial " << trial;
      ASSERT_LE(std::fabs(to[i] - x[i]), longest * (1.0 + 1e-12)) << "trial " << trial;
    }
  }
}

// A point that is not taken leaves r, J and the gradient as they were.
TEST(PinMarquardt, KeepsItsModelWhereAPointIsNotTaken) {
  Random random(2328);
  for (int trial = 0; trial < 50; ++trial) {
    const PinSample pins = random_pins(random);
    const VecX x = random_point(random, pins.assembly->limits());
    SteppedPins stepped(pins);
    StepKernel kernel = stepped.at(x);
    kernel.evaluate();
    kernel.linearize(true);
    const double before = kernel.stationarity(), square = kernel.square_norm();
    for (Eigen::Index i = 0; i < x.size(); ++i) kernel.trial[i] = x[i] + 0.1;
    kernel.evaluate();
    kernel.linearize(false);
    EXPECT_EQ(kernel.stationarity(), before);
    EXPECT_EQ(kernel.square_norm(), square);
  }
}

}  // namespace marquardt_test
}  // namespace limber
