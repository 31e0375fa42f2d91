// The banded Cholesky factor against a dense one.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/motion/timed/band.h"
#include "tests/law/random_problem.h"
#include "tests/support/dense.h"
#include "tests/support/figures.h"

namespace limber {
namespace timed_band_test {

constexpr std::uint64_t band_seed = 5301;

// The matrix of the header, block by block. The blocks on the diagonal are R_kᵀ R_k and d.
struct DenseBand {
  int frames, n;
  MatX M;
  std::vector<MatX> rows;
  double diagonal = 0.0;

  auto block(int row, int column) { return M.block(row * n, column * n, n, n); }
};

MatX random_square(Random& random, int n) {
  MatX A(n, n);
  for (int j = 0; j < n; ++j) A.col(j) = testing::random_values(random, n);
  return A;
}

// Symmetric, with random blocks and couplings; `lift` on the diagonal makes it positive definite.
DenseBand random_band(Random& random, int frames, int n, double lift) {
  DenseBand out{frames, n, MatX::Zero(frames * n, frames * n), {}, lift};
  for (int k = 0; k < frames; ++k) {
    const int rows = random.integer(0, n);
    const MatX R = random_square(random, n).topRows(rows);
    out.rows.push_back(R);
    out.block(k, k) = R.transpose() * R + lift * MatX::Identity(n, n);
    for (int ahead = 1; ahead <= 2 && k + ahead < frames; ++ahead) {
      out.block(k + ahead, k) = testing::random_values(random, n).asDiagonal();
      out.block(k, k + ahead) = out.block(k + ahead, k);
    }
  }
  return out;
}

// The couplings beyond the last frame have values that must be ignored. Returns the rows.
BandRows fill_band(DenseBand dense, Band& band, double rubbish) {
  band.diagonal.setConstant(dense.diagonal);
  band.next.setConstant(rubbish);
  band.after.setConstant(rubbish);
  BandRows rows;
  rows.resize(dense.frames, dense.n, dense.n);
  for (int k = 0; k < dense.frames; ++k) {
    for (const auto& row : dense.rows[static_cast<std::size_t>(k)].rowwise())
      Eigen::Map<Eigen::RowVectorXd>(rows.add(k), dense.n) = row;
    if (k + 1 < dense.frames) band.next.col(k) = dense.block(k + 1, k).diagonal();
    if (k + 2 < dense.frames) band.after.col(k) = dense.block(k + 2, k).diagonal();
  }
  return rows;
}

double off_dense(const DenseBand& dense, const BandRows& rows, double damping, Band& band, Random& random) {
  MatX b(dense.n, dense.frames);
  for (int k = 0; k < dense.frames; ++k) b.col(k) = testing::random_values(random, dense.n);
  const VecX expected = testing::solve_dense(dense.M, VecX(b.reshaped()));
  if (!band.solve(rows, damping, b)) return infinity;
  return (b.reshaped() - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

// The couplings add up to at most 4 on the diagonal: this lift leaves at least 1, and numbers of about 4 n at most.
constexpr double safe_lift = 5.0;
constexpr double band_tolerance = 1e-12;

TEST(TimedBand, SolvesLikeADenseFactor) {
  Random random(band_seed);
  const int count = law::law_count(300);
  for (int c = 0; c < count; ++c) {
    const int n = random.integer(1, 40), frames = random.integer(1, 6);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    EXPECT_EQ(band.frames(), frames);
    EXPECT_EQ(band.size(), n);
    ASSERT_LE(off_dense(dense, fill_band(dense, band, 0.0), 0.0, band, random), band_tolerance);
  }
}

// Rows of a frame and of the next one that are linked, with variables of both that are fixed.
TEST(TimedBand, SolvesLinkedRowsLikeADenseFactor) {
  Random random(band_seed + 1);
  const int count = law::law_count(200);
  for (int c = 0; c < count; ++c) {
    const int n = random.integer(1, 20), frames = random.integer(2, 8);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 1 << ", case " << c << ": " << frames << " of " << n);
    DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    BandRows rows = fill_band(dense, band, 0.0);
    const auto block = [&](int k) { return dense.M.middleRows(k * n, n); };
    BandRows grown;
    grown.resize(frames, n, n + 4);
    for (int k = 0; k < frames; ++k)
      for (int row = 0; row < rows.count(k); ++row) std::copy_n(rows.row(k, row), n, grown.add(k));
    for (int k = frames - 2; k >= 0; --k) {  // in any order
      const int row = grown.count(k), next_row = grown.count(k + 1);
      const VecX q = testing::random_values(random, n), s = testing::random_values(random, n);
      Eigen::Map<VecX>(grown.add(k), n) = q;
      Eigen::Map<VecX>(grown.add(k + 1), n) = s;
      grown.link({k, row, next_row});
      block(k).middleCols(k * n, n) += q * q.transpose();
      block(k + 1).middleCols((k + 1) * n, n) += s * s.transpose();
      block(k + 1).middleCols(k * n, n) += s * q.transpose();
      block(k).middleCols((k + 1) * n, n) += q * s.transpose();
    }
    MatX b(n, frames);
    for (int k = 0; k < frames; ++k) b.col(k) = testing::random_values(random, n);
    MatX reduced = dense.M;
    VecX right = b.reshaped();
    for (int k = 0; k < frames; ++k)
      for (int i = 0; i < n; ++i) {
        if (!random.chance(0.2)) continue;
        band.fix(i, k);
        reduced.row(k * n + i).setZero();
        reduced.col(k * n + i).setZero();
        reduced(k * n + i, k * n + i) = 1.0;
        right[k * n + i] = 0.0;
      }
    const VecX expected = testing::solve_dense(reduced, right);
    ASSERT_TRUE(band.solve(grown, 0.0, b));
    ASSERT_LE((b.reshaped() - expected).cwiseAbs().maxCoeff(),
              band_tolerance * std::fmax(1.0, expected.cwiseAbs().maxCoeff()));
    std::vector<double> products;
    band.fixed_rows_times(grown, b, products);
    const VecX product = dense.M * b.reshaped();
    for (std::size_t h = 0; h < products.size(); ++h)
      ASSERT_NEAR(products[h], product[band.fixed()[h].frame * n + band.fixed()[h].i], 1e-10);
  }
}

TEST(TimedBand, SolvesEverySizeUpToTwoTiles) {
  Random random(band_seed + 1);
  for (int n = 1; n <= 17; ++n)
    for (int frames = 1; frames <= 4; ++frames) {
      SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 1 << ": " << frames << " of " << n);
      const DenseBand dense = random_band(random, frames, n, safe_lift);
      Band band;
      band.resize(frames, n);
      ASSERT_LE(off_dense(dense, fill_band(dense, band, 0.0), 0.0, band, random), band_tolerance);
    }
}

// Fixed variables are 0, the free ones solve their own equations, and fixed_rows_times() uses the original rows,
// without other fixed variables.
TEST(TimedBand, SolvesWithFixedVariables) {
  Random random(band_seed + 4);
  for (int c = 0; c < law::law_count(200); ++c) {
    const int n = random.integer(1, 20), frames = random.integer(1, 9);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 4 << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    const BandRows rows = fill_band(dense, band, 0.0);
    std::vector<int> loose;
    for (int k = 0; k < frames; ++k)
      for (int i = 0; i < n; ++i)
        if (random.integer(0, 3) == 0)
          band.fix(i, k);
        else
          loose.push_back(k * n + i);
    MatX b(n, frames);
    for (int k = 0; k < frames; ++k) b.col(k) = testing::random_values(random, n);
    VecX expected = VecX::Zero(n * frames);
    const VecX solved = testing::solve_dense(dense.M(loose, loose), VecX(VecX(b.reshaped())(loose)));
    expected(loose) = solved;
    ASSERT_TRUE(band.solve(rows, 0.0, b));
    ASSERT_LE((b.reshaped() - expected).cwiseAbs().maxCoeff(), band_tolerance);
    const VecX product = dense.M * expected;
    ASSERT_EQ(band.fixed().size() + loose.size(), static_cast<std::size_t>(n * frames));
    std::vector<double> forces;
    band.fixed_rows_times(rows, b, forces);
    for (std::size_t h = 0; h < band.fixed().size(); ++h) {
      const auto [i, k] = band.fixed()[h];
      ASSERT_EQ(b(i, k), 0.0);
      ASSERT_NEAR(forces[h], product[k * n + i], n * band_tolerance);
    }
    band.free_all();
    ASSERT_LE(off_dense(dense, rows, 0.0, band, random), band_tolerance);
  }
}

// The damping is added to the diagonal, for one factorisation only.
TEST(TimedBand, DampingIsAddedToTheDiagonal) {
  Random random(band_seed + 5);
  for (int c = 0; c < law::law_count(50); ++c) {
    const int n = random.integer(1, 20), frames = random.integer(1, 9);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 5 << ", case " << c << ": " << frames << " of " << n);
    const double damping = random.between(0.1, 3.0);
    DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    const BandRows rows = fill_band(dense, band, 0.0);
    dense.M.diagonal().array() += damping;
    ASSERT_LE(off_dense(dense, rows, damping, band, random), band_tolerance);
    dense.M.diagonal().array() -= damping;
    ASSERT_LE(off_dense(dense, rows, 0.0, band, random), band_tolerance);
  }
}

// A previous matrix in the same memory, and ignored couplings, do not change the result.
TEST(TimedBand, IgnoresThePreviousFactorAndUnusedCouplings) {
  Random random(band_seed + 2);
  for (const int n : {1, 5, 8, 13})
    for (const int frames : {1, 2, 3, 7}) {
      const DenseBand first = random_band(random, frames, n, safe_lift);
      const DenseBand second = random_band(random, frames, n, safe_lift);
      MatX b(n, frames);
      for (int k = 0; k < frames; ++k) b.col(k) = testing::random_values(random, n);
      MatX fresh = b, other = b, again = b;
      Band band;
      band.resize(frames, n);
      ASSERT_TRUE(band.solve(fill_band(second, band, 0.0), 0.0, fresh));
      ASSERT_TRUE(band.solve(fill_band(first, band, 0.0), 0.0, other));
      ASSERT_TRUE(band.solve(fill_band(second, band, 1e3), 0.0, again));
      EXPECT_EQ(fresh, again) << frames << " of " << n;
    }
}

// The minimum eigenvalue is slightly above 0 and slightly below.
TEST(TimedBand, DetectsIndefiniteMatrices) {
  Random random(band_seed + 3);
  constexpr double a_little = 1e-6;
  for (int c = 0; c < law::law_count(60); ++c) {
    const int n = random.integer(1, 12), frames = random.integer(1, 8);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 3 << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, 0.0);
    const double min = testing::eigenvalues_of(dense.M)[0];
    for (const double at : {a_little, -a_little}) {
      DenseBand moved = dense;
      moved.M.diagonal().array() += at - min;
      moved.diagonal += at - min;
      Band band;
      band.resize(frames, n);
      MatX b = MatX::Ones(n, frames);
      EXPECT_EQ(band.solve(fill_band(moved, band, 0.0), 0.0, b), at > 0.0);
    }
  }
}

TEST(TimedBand, RejectsNaN) {
  Band band;
  band.resize(2, 3);
  const BandRows rows = fill_band({2, 3, MatX::Identity(6, 6), {MatX(0, 3), MatX(0, 3)}, 1.0}, band, 0.0);
  MatX b = MatX::Ones(3, 2);
  EXPECT_TRUE(band.solve(rows, 0.0, b));
  band.diagonal(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(band.solve(rows, 0.0, b));
}

}  // namespace timed_band_test
}  // namespace limber
