// Levenberg-Marquardt without a figure: plain residuals under limits, hard constraints, levels.
#include "limber/solver/residual/levenberg_marquardt.h"

#include <gtest/gtest.h>

#include <functional>

#include "limber/base/random.h"
#include "limber/program/feasible.h"
#include "limber/program/kkt.h"

namespace limber {
namespace levenberg_marquardt_test {

// Residuals written down as a function; the Jacobian by central differences of fourth order.
struct Rows {
  std::function<VecX(const VecX&)> r;
  std::vector<int> ends;

  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& out) const { out = r(x); }
  void jacobian(const VecX& at, MatX& J) const {
    const double h = 1e-3;
    for (Eigen::Index i = 0; i < at.size(); ++i) {
      const auto shifted = [&](double by) {
        VecX x = at;
        x[i] += by;
        return r(x);
      };
      J.col(i) = (8.0 * (shifted(h) - shifted(-h)) - (shifted(2.0 * h) - shifted(-2.0 * h))) / (12.0 * h);
    }
  }
};

VecX vec(std::initializer_list<double> values) {
  VecX v(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) v[i++] = value;
  return v;
}

Outcome run(Rows& rows, const Limits& limits, VecX& x, const Observer& observer = {}, MethodOptions options = {}) {
  LevenbergMarquardt method;
  return method.minimize(rows, limits, x, options, observer);
}

VecX rosenbrock(const VecX& x) { return vec({10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]}); }

TEST(LevenbergMarquardt, FindsTheMinimumOfRosenbrock) {
  Rows rows{rosenbrock, {0, 2}};
  VecX x = vec({-1.2, 1.0});
  EXPECT_EQ(run(rows, Limits(2), x).exit, Exit::converged);
  EXPECT_LE((x - vec({1.0, 1.0})).norm(), 1e-7);
}

TEST(LevenbergMarquardt, FindsTheSingularMinimumOfPowell) {
  Rows rows{[](const VecX& x) {
              return vec({x[0] + 10.0 * x[1], std::sqrt(5.0) * (x[2] - x[3]), std::pow(x[1] - 2.0 * x[2], 2),
                          std::sqrt(10.0) * std::pow(x[0] - x[3], 2)});
            },
            {0, 4}};
  VecX x = vec({3.0, -1.0, 0.0, 1.0});
  const Outcome outcome = run(rows, Limits(4), x);
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_LE(outcome.value, 1e-10);
}

// Hock and Schittkowski 1 to 3 are sums of squares under bounds.
TEST(LevenbergMarquardt, SolvesHockAndSchittkowskiUnderBounds) {
  Rows rows{rosenbrock, {0, 2}};
  Limits one(2);
  one.lower[1] = -1.5;
  VecX x = vec({-2.0, 1.0});
  EXPECT_NEAR(run(rows, one, x).value, 0.0, 1e-12);
  Limits two(2);
  two.lower[1] = 1.5;
  x = vec({2.0, 2.0});
  EXPECT_NEAR(run(rows, two, x).value, 0.0504261879, 1e-8);
  EXPECT_EQ(x[1], 1.5);
}

// HS 21, 28, 48, 51: rows with equality and inequality.
TEST(LevenbergMarquardt, SolvesHockAndSchittkowskiUnderLinearRows) {
  Limits limits(3);
  limits.add_row({0, 1, 2}, {1.0, 2.0, 3.0}, 1.0, true);
  Rows hs28{[](const VecX& x) { return vec({x[0] + x[1], x[1] + x[2]}); }, {0, 2}};
  VecX x = vec({-4.0, 1.0, 1.0});
  EXPECT_NEAR(run(hs28, limits, x).value, 0.0, 1e-12);
  EXPECT_LE((x - vec({0.5, -0.5, 0.5})).norm(), 1e-6);

  Limits five(5);
  five.add_row({0, 1}, {1.0, 3.0}, 4.0, true);
  five.add_row({2, 3, 4}, {1.0, 1.0, -2.0}, 0.0, true);
  five.add_row({1, 4}, {1.0, -1.0}, 0.0, true);
  Rows hs51{[](const VecX& z) { return vec({z[0] - z[1], z[1] + z[2] - 2.0, z[3] - 1.0, z[4] - 1.0}); }, {0, 4}};
  x = vec({2.5, 0.5, 2.0, -1.0, 0.5});
  EXPECT_NEAR(run(hs51, five, x).value, 0.0, 1e-12);
  EXPECT_LE((x - VecX::Ones(5)).norm(), 1e-6);

  // HS 21: 0.01 x² + y² - 100 under 10 x - y >= 10.
  Limits twenty_one(2);
  twenty_one.lower = vec({2.0, -50.0});
  twenty_one.upper = vec({50.0, 50.0});
  twenty_one.add_row({0, 1}, {-10.0, 1.0}, -10.0, false);
  Rows hs21{[](const VecX& z) { return vec({0.1 * z[0], z[1]}); }, {0, 2}};
  x = vec({3.0, -1.0});
  EXPECT_NEAR(run(hs21, twenty_one, x).value, 0.04, 1e-9);
}

// Random linear least squares under boxes and rows: the Kuhn-Tucker conditions hold, every iterate is feasible and none
// increases the value; many rows and few, so that both forms of the model are used.
TEST(LevenbergMarquardt, SolvesRandomLeastSquaresUnderLimits) {
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = random.integer(1, 8), m = random.integer(1, 24), k = random.integer(0, 3);
    MatX A(m, n);
    VecX b(m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) A(i, j) = random.between(-1.0, 1.0);
      b[i] = random.between(-3.0, 3.0);
    }
    Limits limits(n);
    VecX x(n);
    for (int j = 0; j < n; ++j) {
      x[j] = random.between(-1.0, 1.0);
      if (random.chance(0.7)) limits.lower[j] = x[j] - (random.chance(0.3) ? 0.0 : random.unit());
      if (random.chance(0.7)) limits.upper[j] = x[j] + (random.chance(0.3) ? 0.0 : random.unit());
    }
    for (int row = 0; row < k; ++row) {
      std::vector<int> columns;
      std::vector<double> coefficients;
      double bound = 0.0;
      for (int j = 0; j < n; ++j) {
        columns.push_back(j);
        coefficients.push_back(random.between(-1.0, 1.0));
        bound += coefficients.back() * x[j];
      }
      const bool equality = random.chance(0.3);
      limits.add_row(columns, coefficients, equality ? bound : bound + (random.chance(0.5) ? 0.0 : random.unit()),
                     equality);
    }
    Rows rows{[&](const VecX& z) { return VecX(A * z - b); }, {0, m}};
    double before = infinity;
    const Outcome outcome = run(rows, limits, x, [&](int, double value, const VecX& z) {
      EXPECT_LE(value, before);
      EXPECT_LE(limits.violation(z), 1e-11);
      EXPECT_TRUE((z.array() >= limits.lower.array()).all() && (z.array() <= limits.upper.array()).all());
      before = value;
      return true;
    });
    Kkt kkt;
    EXPECT_LE(kkt.check(limits, x, 2.0 * A.transpose() * (A * x - b), 1e-11), 1e-7)
        << "trial " << trial << ", ends " << name_of(outcome.exit);
  }
}

// x on the unit circle, as near to (2, 1) as can be: every iterate is on the circle once the first has found it.
TEST(LevenbergMarquardt, KeepsWhatMustHoldAtEveryIterate) {
  Rows rows{[](const VecX& x) { return vec({x.squaredNorm() - 1.0, x[0] - 2.0, x[1] - 1.0}); }, {1, 3}};
  VecX x = vec({-1.0, 0.2});
  bool on = false;
  const Outcome outcome = run(rows, Limits(2), x, [&](int, double, const VecX& z) {
    const double off = std::fabs(z.squaredNorm() - 1.0);
    if (on) {
      EXPECT_LE(off, 1e-12);
    }
    on = on || off <= 1e-12;
    return true;
  });
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_LE((x - vec({2.0, 1.0}).normalized()).norm(), 1e-7);
  EXPECT_LE(std::fabs(x.squaredNorm() - 1.0), 1e-12);
}

// A bound on the way along a hard constraint.
TEST(LevenbergMarquardt, KeepsWhatMustHoldAlongABound) {
  Rows rows{[](const VecX& x) { return vec({x.squaredNorm() - 1.0, x[0] - 2.0, x[1] - 1.0, x[2]}); }, {1, 4}};
  Limits limits(3);
  limits.upper[0] = 0.5;
  VecX x = vec({-0.6, 0.8, 0.1});
  EXPECT_EQ(run(rows, limits, x).exit, Exit::converged);
  EXPECT_EQ(x[0], 0.5);
  EXPECT_LE((x - vec({0.5, std::sqrt(0.75), 0.0})).norm(), 1e-7);
}

// A hard constraint that cannot hold comes as near as it can, and nothing else moves it away from there.
TEST(LevenbergMarquardt, ComesAsNearAsItCanToWhatMustHold) {
  Rows rows{[](const VecX& x) { return vec({x[0] - 3.0, x[0] + 5.0, x[1] - 2.0}); }, {1, 3}};
  Limits limits(2);
  limits.upper[0] = 1.0;
  VecX x = vec({0.0, 0.0});
  run(rows, limits, x);
  EXPECT_LE((x - vec({1.0, 2.0})).norm(), 1e-7);
}

// Level 1: x + y = 1; level 2: x = 3; level 3: y = 5 and z = 7. The lower level takes what the higher leaves.
TEST(LevenbergMarquardt, DisturbsNoLevelAboveTheOneItSolves) {
  Rows rows{[](const VecX& x) { return vec({x[0] + x[1] - 1.0, 2.0 * (x[0] - 3.0), x[1] - 5.0, x[2] - 7.0}); },
            {0, 1, 2, 4}};
  VecX x = vec({0.0, 0.0, 0.0});
  EXPECT_EQ(run(rows, Limits(3), x).exit, Exit::converged);
  EXPECT_LE((x - vec({3.0, -2.0, 7.0})).norm(), 1e-6);
}

// A first level that contradicts itself settles at its own least squares; the second does not move it.
TEST(LevenbergMarquardt, KeepsALevelThatCannotBeMet) {
  Rows rows{[](const VecX& x) { return vec({x[0] - 1.0, x[0] + 1.0, x[0] - 9.0, x[1] - 4.0}); }, {0, 2, 4}};
  VecX x = vec({0.7, 0.0});
  run(rows, Limits(2), x);
  EXPECT_LE((x - vec({0.0, 4.0})).norm(), 1e-7);
}

TEST(LevenbergMarquardt, SaysNotFiniteAndStopsShortOfNaN) {
  Rows bad{[](const VecX& x) { return vec({std::sqrt(-1.0 - x[0] * x[0])}); }, {0, 1}};
  VecX x = vec({0.0});
  EXPECT_EQ(run(bad, Limits(1), x).exit, Exit::not_finite);
  Rows edge{[](const VecX& z) { return vec({std::sqrt(z[0]) + 1.0}); }, {0, 1}};
  x = vec({2.0});
  run(edge, Limits(1), x);
  EXPECT_GE(x[0], 0.0);
  EXPECT_LT(x[0], 2.0);
}

TEST(LevenbergMarquardt, TakesNoVariablesAndNoRows) {
  Rows none{[](const VecX&) { return vec({}); }, {0, 0}};
  VecX x = vec({1.0, 2.0});
  EXPECT_EQ(run(none, Limits(2), x).exit, Exit::converged);
  Rows constant{[](const VecX&) { return vec({1.0}); }, {0, 1}};
  x = VecX(0);
  EXPECT_EQ(run(constant, Limits(0), x).exit, Exit::converged);
}

}  // namespace levenberg_marquardt_test
}  // namespace limber
