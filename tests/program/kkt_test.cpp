#include "limber/program/kkt.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"

namespace limber {
namespace kkt_test {

constexpr double slack = 1e-12;
constexpr double rounding = 1e-9;  // of numbers of the size of 1, through the normal equations of a few rows

// n variables at 0, some of them on a bound, and rows through 0.
Limits random_corner(Random& random, int n, int rows) {
  Limits limits(n);
  for (int i = 0; i < n; ++i) {
    if (random.chance(0.3))
      limits.lower[i] = 0.0;
    else if (random.chance(0.3))
      limits.upper[i] = 0.0;
    else if (random.chance(0.1))
      limits.lower[i] = limits.upper[i] = 0.0;
  }
  for (int k = 0; k < rows; ++k) {
    std::vector<int> columns;
    std::vector<double> coefficients;
    for (int i = 0; i < n; ++i)
      if (random.chance(0.5)) {
        columns.push_back(i);
        coefficients.push_back(random.between(-1.0, 1.0));
      }
    if (!columns.empty()) limits.add_row(columns, coefficients, random.chance(0.2) ? 1.0 : 0.0, random.chance(0.1));
  }
  // An equality must hold at 0.
  for (Limits::Row& row : limits.rows)
    if (row.equality) row.bound = 0.0;
  return limits;
}

VecX random_vector(Random& random, int n) {
  VecX v(n);
  for (int i = 0; i < n; ++i) v[i] = random.between(-1.0, 1.0);
  return v;
}

// The Kuhn-Tucker conditions of the projection of -g onto the cone of feasible directions: they single it out.
TEST(Kkt, SplitsTheGradientIntoMultipliersAndAFeasibleDescentAcrossThem) {
  Random random(7);
  Kkt kkt;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(trial);
    const int n = random.integer(1, 8);
    const Limits limits = random_corner(random, n, random.integer(0, 6));
    const VecX x = VecX::Zero(n), g = random_vector(random, n);
    const double residual = kkt.check(limits, x, g, slack);
    const VecX& d = kkt.descent();
    EXPECT_EQ(residual, d.cwiseAbs().maxCoeff());

    VecX sum = g + d;
    for (const Kkt::Multiplier& multiplier : kkt.multipliers()) {
      limits.add_normal(multiplier.limit, multiplier.lambda, sum);
      const bool fixed =
          multiplier.limit < 2 * n && limits.lower[multiplier.limit % n] == limits.upper[multiplier.limit % n];
      if (!limits.is_equality(multiplier.limit) && !fixed) {
        EXPECT_GT(multiplier.lambda, 0.0);
      }
      EXPECT_NEAR(limits.along(multiplier.limit, d), 0.0, rounding);  // d runs along every limit in use
    }
    EXPECT_LE(sum.cwiseAbs().maxCoeff(), rounding);
    for (int limit = 0; limit < limits.count(); ++limit)
      if (limits.slack(limit, x) <= slack) {
        EXPECT_LE(limits.along(limit, d), rounding);  // and breaks none
      }
  }
}

TEST(Kkt, IsTheProjectedGradientOfABox) {
  Limits limits(4);
  limits.lower << 0.0, 0.0, -1.0, -infinity;
  limits.upper << 1.0, 1.0, 0.0, infinity;
  const VecX x = VecX::Zero(4);
  VecX g(4);
  g << 0.5, -0.25, -2.0, 0.125;  // blocked, free to increase, blocked, free
  Kkt kkt;
  EXPECT_EQ(kkt.check(limits, x, g, slack), 0.25);
  EXPECT_EQ(kkt.descent(), (VecX(4) << 0.0, 0.25, 0.0, -0.125).finished());
  ASSERT_EQ(kkt.multipliers().size(), 2u);
  EXPECT_EQ(kkt.multipliers()[0].limit, 0);
  EXPECT_EQ(kkt.multipliers()[0].lambda, 0.5);
  EXPECT_EQ(kkt.multipliers()[1].limit, 4 + 2);
  EXPECT_EQ(kkt.multipliers()[1].lambda, 2.0);
}

TEST(Kkt, SharesOfThePartsAddUpToTheMultipliers) {
  Random random(11);
  Kkt kkt;
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    const int n = random.integer(2, 8);
    const Limits limits = random_corner(random, n, random.integer(0, 5));
    const VecX one = random_vector(random, n), two = random_vector(random, n);
    kkt.check(limits, VecX::Zero(n), one + two, slack);
    VecX first = VecX::Zero(limits.count()), second = first;
    kkt.shares(limits, one, first);
    kkt.shares(limits, two, second);
    for (std::size_t k = 0; k < kkt.multipliers().size(); ++k) {
      const double lambda = kkt.multipliers()[k].lambda;
      const auto at = static_cast<Eigen::Index>(k);
      EXPECT_NEAR(first[at] + second[at], lambda, 1e-6 * std::fmax(1.0, std::fabs(lambda)));
    }
  }
}

}  // namespace kkt_test
}  // namespace limber
