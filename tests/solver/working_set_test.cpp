#include "limber/solver/gradient/working_set.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "tests/law/random_problem.h"
#include "tests/support/dense.h"

namespace limber {
namespace working_set_test {

Limits random_limits(Random& random, int n, int rows) {
  Limits limits(n);
  limits.lower.setConstant(-1.0);
  limits.upper.setConstant(1.0);
  for (int k = 0; k < rows; ++k) {
    std::vector<int> columns;
    std::vector<double> a;
    for (int i = 0; i < n; ++i)
      if (random.chance(0.5) || i == k % n) {
        columns.push_back(i);
        a.push_back(random.between(-1.0, 1.0));
      }
    limits.add_row(columns, a, 0.0, false);
    if (random.chance(0.3)) limits.add_row(columns, a, 0.0, false);  // twice
  }
  return limits;
}

MatX normals(const Limits& limits, const WorkingSet& set) {
  MatX A = MatX::Zero(limits.variables(), set.size());
  for (int i = 0; i < set.size(); ++i) {
    VecX a = VecX::Zero(limits.variables());
    limits.add_normal(set.member(i), 1.0, a);
    A.col(i) = a;
  }
  return A;
}

TEST(WorkingSet, KeepsTheInverseOfItsGramMatrixThroughManyChanges) {
  for (int seed = 0; seed < law::law_count(30); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = random.integer(2, 20);
    const Limits limits = random_limits(random, n, 2 * n);
    WorkingSet set;
    set.reserve(limits);
    double worst = 1.0;  // the smallest singular value that the members' normals have had
    for (int change = 0; change < 500; ++change) {
      if (set.size() > 0 && random.chance(0.45)) {
        const int gone = random.integer(0, set.size() - 1), limit = set.member(gone);
        set.remove(limits, gone);
        ASSERT_FALSE(set.contains(limit));
      } else {
        const int limit = random.integer(0, limits.count() - 1);
        const int size = set.size();
        const bool added = set.add(limits, limit);
        ASSERT_EQ(set.size(), size + (added ? 1 : 0));
        ASSERT_TRUE(!added || set.contains(limit));
      }
      const MatX A = normals(limits, set);
      if (set.size() == 0) continue;
      const double min_sigma = testing::singular_values(A).minCoeff();
      ASSERT_GT(min_sigma, 1e-8) << "dependent members";
      const MatX inverse = testing::inverse_of(A.transpose() * A);
      const VecX g = VecX::NullaryExpr(n, [&] { return random.between(-1.0, 1.0); });
      VecX alpha(n);
      set.multipliers(limits, g, alpha);
      worst = std::fmin(worst, min_sigma);
      // N was as large as 1/worst² and is known to 1e-16 of that, which later changes can enlarge by 1/worst²
      // once more.
      const double known = 1e-14 / (worst * worst * worst * worst);
      ASSERT_LE((alpha.head(set.size()) - inverse * (A.transpose() * g)).cwiseAbs().maxCoeff(), known);
      for (int i = 0; i < set.size(); ++i) ASSERT_NEAR(set.diagonal(i), inverse(i, i), known);
      // The projection takes two passes, and squares what it does not know.
      const double along = 1e-13 + known * known;
      VecX once = g;
      set.project(limits, once);
      ASSERT_LE((A.transpose() * once).cwiseAbs().maxCoeff(), along) << "not along the members";
      VecX twice = once;
      set.project(limits, twice);
      ASSERT_LE((twice - once).cwiseAbs().maxCoeff(), along) << "not a projection";
    }
  }
}

TEST(WorkingSet, RejectsALimitThatDependsOnItsMembers) {
  Limits limits(2);
  limits.upper.setConstant(1.0);
  limits.add_row({0, 1}, {1.0, 1.0}, 1.0, false);
  limits.add_row({0, 1}, {2.0, 2.0}, 3.0, false);
  WorkingSet set;
  set.reserve(limits);
  EXPECT_TRUE(set.add(limits, 4));
  EXPECT_FALSE(set.add(limits, 4)) << "a member";
  EXPECT_FALSE(set.add(limits, 5)) << "a multiple";
  EXPECT_TRUE(set.add(limits, 2));
  EXPECT_FALSE(set.add(limits, 3)) << "as many as there are variables";
}

// Two normals three degrees apart span the plane; a third in it must be rejected, whatever rounding says.
TEST(WorkingSet, RejectsAThirdNormalInThePlaneOfTwoThatAreNearlyParallel) {
  for (int seed = 0; seed < law::law_count(500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Limits limits(3);
    const double angle = random.between(0.0, 6.0), apart = std::pow(10.0, random.between(-5.0, -1.0));
    for (const double at : {angle, angle + apart, angle + random.between(0.0, 6.0)})
      limits.add_row({1, 2}, {std::cos(at), std::sin(at)}, 0.0, false);
    WorkingSet set;
    set.reserve(limits);
    ASSERT_TRUE(set.add(limits, 6));
    ASSERT_TRUE(set.add(limits, 7));
    EXPECT_FALSE(set.add(limits, 8));
  }
}

}  // namespace working_set_test
}  // namespace limber
