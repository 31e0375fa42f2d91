#include "limber/program/independent_rows.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "limber/base/random.h"

namespace limber {
namespace independent_rows_test {

// Rows of a random rank, some of them zero, multiples or sums of others.
TEST(IndependentRows, SpanAllRowsAndAreAsManyAsTheRank) {
  Random random(11);
  IndependentRows rows;
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(trial);
    const int n = random.integer(1, 8), m = random.integer(1, 30), rank = random.integer(0, n);
    MatX A(m, rank), B(rank, n);
    for (MatX* M : {&A, &B})
      for (double& entry : M->reshaped()) entry = random.chance(0.3) ? 0.0 : random.between(-1.0, 1.0);
    const MatX J = std::pow(10.0, random.between(-6.0, 6.0)) * (A * B);
    Eigen::ColPivHouseholderQR<MatX> all(J);
    all.setThreshold(1e-9);
    const std::vector<int>& found = rows.find(J, m);
    EXPECT_EQ(static_cast<Eigen::Index>(found.size()), all.rank());
    EXPECT_TRUE(std::ranges::is_sorted(found));
    MatX chosen(static_cast<Eigen::Index>(found.size()), n);
    for (std::size_t k = 0; k < found.size(); ++k) chosen.row(static_cast<Eigen::Index>(k)) = J.row(found[k]);
    if (found.empty()) continue;
    const MatX across = J - J * chosen.completeOrthogonalDecomposition().pseudoInverse() * chosen;
    EXPECT_LE(across.cwiseAbs().maxCoeff(), 1e-9 * J.cwiseAbs().maxCoeff());
    // The first ones are taken: each is independent of those before it.
    const std::vector<int> before(found.begin(), found.end());
    const std::vector<int>& shorter = rows.find(J, before.back() + 1);
    EXPECT_EQ(shorter, before);
  }
}

}  // namespace independent_rows_test
}  // namespace limber
