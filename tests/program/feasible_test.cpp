#include "limber/program/feasible.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/random.h"
#include "tests/law/random_problem.h"
#include "tests/support/dense.h"

namespace limber {
namespace feasible_test {

double defect(const Limits& limits, const VecX& x) {
  double worst = 0.0;
  for (int i = 0; i < limits.variables(); ++i)
    if (x[i] < limits.lower[i] || x[i] > limits.upper[i]) return infinity;
  for (int limit = 2 * limits.variables(); limit < limits.count(); ++limit) {
    const double over = -limits.slack(limit, x) / limit_scale(limits, limit, x);
    worst = std::max(worst, limits.is_equality(limit) ? std::fabs(over) : over);
  }
  return worst;
}

// The nearest point by trying every set of limits as equalities; nothing where no set gives a feasible point.
double min_distance(const Limits& limits, const VecX& x0) {
  const int n = limits.variables();
  std::vector<int> finite;
  for (int limit = 0; limit < limits.count(); ++limit)
    if (std::isfinite(limits.bound(limit))) finite.push_back(limit);
  double best = infinity;
  for (unsigned choice = 0; choice < (1U << finite.size()); ++choice) {
    MatX A(n, 0);
    VecX over(0);
    for (std::size_t k = 0; k < finite.size(); ++k)
      if (choice >> k & 1U) {
        VecX a = VecX::Zero(n);
        limits.add_normal(finite[k], 1.0, a);
        A.conservativeResize(n, A.cols() + 1);
        A.col(A.cols() - 1) = a;
        over.conservativeResize(over.size() + 1);
        over[over.size() - 1] = -limits.slack(finite[k], x0);
      }
    if (A.cols() > n) continue;
    VecX x = x0;
    if (A.cols() > 0) x -= testing::solve_dense(A.transpose(), over);
    bool fine = true;
    for (const int limit : finite) {
      const double excess = -limits.slack(limit, x);
      fine = fine && (limits.is_equality(limit) ? std::fabs(excess) : excess) <= 1e-9;
    }
    if (fine) best = std::min(best, (x - x0).norm());
  }
  return best;
}

TEST(MakeFeasible, FindsTheNearestPointOfAll) {
  int infeasible = 0;
  for (int seed = 0; seed < law::law_count(600); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = random.integer(1, 4);
    Limits limits(n);
    for (int i = 0; i < n; ++i) {
      if (random.chance(0.5)) limits.lower[i] = random.between(-1.0, 0.5);
      if (random.chance(0.5)) limits.upper[i] = std::fmax(limits.lower[i], random.between(-0.5, 1.0));
    }
    const int rows = random.integer(0, 3);
    for (int k = 0; k < rows; ++k) {
      std::vector<int> columns;
      std::vector<double> a;
      for (int i = 0; i < n; ++i)
        if (random.chance(0.7) || i == k % n)
          columns.push_back(i), a.push_back((random.chance(0.5) ? 1.0 : -1.0) * random.between(0.1, 1.0));
      limits.add_row(columns, a, random.between(-1.0, 1.0), random.chance(0.25));
    }
    VecX x0(n);
    for (int i = 0; i < n; ++i) x0[i] = random.between(-3.0, 3.0);
    VecX x = x0;
    const Feasibility found = make_feasible(limits, x);
    const double best = min_distance(limits, x0);
    ASSERT_EQ(found.feasible, std::isfinite(best));
    if (!found.feasible) {
      ++infeasible;
      EXPECT_FALSE(found.contradictory.empty());
      continue;
    }
    EXPECT_LE(defect(limits, x), row_tolerance);
    EXPECT_NEAR((x - x0).norm(), best, 1e-9 * std::fmax(1.0, best));
    EXPECT_NEAR(found.moved, (x - x0).cwiseAbs().maxCoeff(), 1e-12);
    const VecX there = x;
    EXPECT_EQ(make_feasible(limits, x).moved, 0.0) << "a second time";
    EXPECT_EQ(x, there);
  }
  EXPECT_GT(infeasible, law::law_count(600) / 60);
}

TEST(MakeFeasible, NamesExactlyTheRowsThatContradict) {
  Limits limits(3);
  limits.add_row({0}, {1.0}, 5.0, false);
  limits.add_row({0, 1}, {1.0, 1.0}, 1.0, true);
  limits.add_row({1, 2}, {1.0, 1.0}, 7.0, false);
  limits.add_row({0, 1}, {2.0, 2.0}, 6.0, true);  // x + y = 3
  VecX x = VecX::Zero(3);
  const Feasibility found = make_feasible(limits, x);
  EXPECT_FALSE(found.feasible);
  std::vector<int> rows = found.contradictory;
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, (std::vector<int>{6 + 1, 6 + 3}));
}

TEST(MakeFeasible, NamesTheBoxLimitsThatContradictARow) {
  Limits limits(3);
  limits.upper << 1.0, 1.0, 1.0;
  limits.add_row({0, 1}, {-1.0, -1.0}, -3.0, false);  // x + y >= 3
  limits.add_row({2}, {1.0}, 0.5, false);
  VecX x = VecX::Zero(3);
  const Feasibility found = make_feasible(limits, x);
  EXPECT_FALSE(found.feasible);
  std::vector<int> named = found.contradictory;
  std::sort(named.begin(), named.end());
  EXPECT_EQ(named, (std::vector<int>{3, 4, 6}));
}

TEST(MakeFeasible, IgnoresARowGivenTwice) {
  Limits limits(2);
  for (const double factor : {1.0, 3.0, 0.1}) limits.add_row({0, 1}, {factor, 2.0 * factor}, 4.0 * factor, true);
  VecX x = VecX::Zero(2);
  EXPECT_TRUE(make_feasible(limits, x).feasible);
  EXPECT_NEAR(x[0], 0.8, 1e-12);
  EXPECT_NEAR(x[1], 1.6, 1e-12);
}

// Two equalities meet where an inequality ends, to rounding, far from the origin and at a small angle.
TEST(MakeFeasible, TakesRowsThatAgreeToRoundingForConsistent) {
  Limits limits(2);
  limits.add_row({1, 0}, {-1.3644835722951585, 0.01380016229924423}, 1.997357253798277, true);
  limits.add_row({1, 0}, {1.0, -0.005123130318954921}, -1.2666681206414536, true);
  limits.add_row({0}, {0.0012217239485756192}, 0.048262558500871265, false);
  VecX x(2);
  x << 106.51730969677646, 0.19419379529586367;
  EXPECT_TRUE(make_feasible(limits, x).feasible);
  EXPECT_LE(defect(limits, x), row_tolerance);
}

// The same equality in other units, whose bounds differ by rounding; a third is far from being met.
TEST(MakeFeasible, TakesAnEqualityGivenTwiceInOtherUnitsForOne) {
  Random random(7);
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    Limits limits(4);
    limits.lower[2] = -0.5, limits.upper[2] = 0.5;
    const double factor = random.between(0.5, 2.0), slope = random.between(0.5, 2.0);
    const double bound = random.between(-1.0, 1.0), small = random.between(0.001, 0.01);
    limits.add_row({0, 1}, {slope, 1.0}, bound, true);
    limits.add_row({0, 1}, {factor * slope, factor}, factor * bound, true);
    limits.add_row({2, 3}, {0.5, small}, random.between(-2.0, -1.0), true);
    VecX x(4);
    for (int i = 0; i < 4; ++i) x[i] = (i == 3 ? 300.0 : 1.0) * random.between(-1.0, 1.0);
    ASSERT_TRUE(make_feasible(limits, x).feasible);
    ASSERT_LE(defect(limits, x), row_tolerance);
  }
}

TEST(MakeFeasible, WorksWithARangeAHundredTimesTheOthers) {
  Limits limits(2);
  limits.lower << -76.726565014030797, -0.17392288539495118;
  limits.upper << 78.771094964720248, 1.1737463127623271;
  limits.add_row({1, 0}, {0.5572659785592056, 0.01136834307105261}, -0.5249473983362533, false);
  VecX x(2);
  x << 55.80434845146888, -0.035885014739863;
  EXPECT_TRUE(make_feasible(limits, x).feasible);
  EXPECT_LE(defect(limits, x), row_tolerance);
}

}  // namespace feasible_test
}  // namespace limber
