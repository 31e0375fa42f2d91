#include "limber/program/nnls.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/random.h"
#include "tests/law/random_problem.h"
#include "tests/support/dense.h"

namespace limber {
namespace nnls_test {

// min ‖N u - d‖ by trying every set of columns in use.
double min_by_enumeration(const MatX& N, const VecX& d, const std::vector<char>& free_sign) {
  const int k = static_cast<int>(N.cols());
  double best = infinity;
  for (unsigned choice = 0; choice < (1U << k); ++choice) {
    std::vector<int> used;
    for (int j = 0; j < k; ++j)
      if (choice >> j & 1U) used.push_back(j);
    MatX part(N.rows(), static_cast<Eigen::Index>(used.size()));
    for (std::size_t i = 0; i < used.size(); ++i) part.col(static_cast<Eigen::Index>(i)) = N.col(used[i]);
    VecX u = VecX::Zero(part.cols());
    if (part.cols() > 0) u = testing::solve_dense(part, d);
    bool fine = true;
    for (std::size_t i = 0; i < used.size(); ++i)
      fine = fine &&
             (free_sign[static_cast<std::size_t>(used[i])] || u[static_cast<Eigen::Index>(i)] >= -1e-12 * d.norm());
    if (fine) best = std::min(best, (part * u - d).norm());
  }
  return best;
}

TEST(Nnls, FindsTheLeastResidualOfAllSets) {
  for (int seed = 0; seed < law::law_count(1000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int rows = random.integer(1, 5), k = random.integer(1, 7);
    MatX N = MatX::NullaryExpr(rows, k, [&] { return random.between(-1.0, 1.0); });
    if (k > 2 && random.chance(0.4)) N.col(1) = (random.chance(0.5) ? 1.0 : -2.0) * N.col(0);  // dependent columns
    if (k > 3 && random.chance(0.3)) N.col(3) = N.col(0) + N.col(2);
    const double size = std::pow(10.0, random.between(-12.0, 3.0));
    const VecX d = size * VecX::NullaryExpr(rows, [&] { return random.between(-1.0, 1.0); });
    std::vector<char> free_sign;
    for (int j = 0; j < k; ++j) free_sign.push_back(random.chance(0.2));
    Nnls nnls;
    const VecX u = nnls.solve(N.transpose() * N, N.transpose() * d, free_sign, k).head(k);
    for (int j = 0; j < k; ++j) EXPECT_TRUE(free_sign[static_cast<std::size_t>(j)] || u[j] >= 0.0);
    // By normal equations a residual is known to the root of 1e-16.
    EXPECT_NEAR((N * u - d).norm() / size, min_by_enumeration(N, d, free_sign) / size, 1e-7);
    for (int j = 0; j < k; ++j)
      EXPECT_TRUE(u[j] == 0.0 || std::find(nnls.used().begin(), nnls.used().end(), j) != nnls.used().end());
  }
}

// A column that points far away from d must not decide what is rounding for the others.
TEST(Nnls, UsesASmallColumnBesideAHugeOneThatIsOfNoUse) {
  MatX N(2, 2);
  N << 1.0, 0.0, 0.0, -1e16;
  const VecX d = VecX::Ones(2);
  Nnls nnls;
  const VecX& u = nnls.solve(N.transpose() * N, N.transpose() * d, {0, 0}, 2);
  EXPECT_NEAR(u[0], 1.0, 1e-15);
  EXPECT_EQ(u[1], 0.0);
}

}  // namespace nnls_test
}  // namespace limber
