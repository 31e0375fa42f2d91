// The banded Cholesky factor against a dense one.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "limber/base/random.h"
#include "limber/motion/timed/band.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber {
namespace {

constexpr std::uint64_t band_seed = 5301;

// What the header says, block by block.
struct DenseBand {
  int frames, n;
  MatX M;

  auto block(int row, int column) { return M.block(row * n, column * n, n, n); }
};

MatX random_square(Random& random, int n) {
  MatX A(n, n);
  for (int j = 0; j < n; ++j) A.col(j) = testing::random_values(random, n);
  return A;
}

// Symmetric, with random blocks and couplings; `lift` on the diagonal makes it positive definite.
DenseBand random_band(Random& random, int frames, int n, double lift) {
  DenseBand out{frames, n, MatX::Zero(frames * n, frames * n)};
  for (int k = 0; k < frames; ++k) {
    const MatX A = random_square(random, n);
    out.block(k, k) = A * A.transpose() + lift * MatX::Identity(n, n);
    for (int ahead = 1; ahead <= 2 && k + ahead < frames; ++ahead) {
      out.block(k + ahead, k) = testing::random_values(random, n).asDiagonal();
      out.block(k, k + ahead) = out.block(k + ahead, k);
    }
  }
  return out;
}

// The upper triangles and the couplings beyond the last frame hold what must not count.
void fill_band(DenseBand dense, Band& band, double rubbish) {
  band.next.setConstant(rubbish);
  band.after.setConstant(rubbish);
  for (int k = 0; k < dense.frames; ++k) {
    for (int j = 0; j < dense.n; ++j)
      for (int i = 0; i < dense.n; ++i)
        band.block(k)[j * band.stride() + i] = i >= j ? dense.block(k, k)(i, j) : rubbish;
    if (k + 1 < dense.frames) band.next.col(k) = dense.block(k + 1, k).diagonal();
    if (k + 2 < dense.frames) band.after.col(k) = dense.block(k + 2, k).diagonal();
  }
}

double off_dense(const DenseBand& dense, Band& band, Random& random) {
  MatX b(dense.n, dense.frames);
  for (int k = 0; k < dense.frames; ++k) b.col(k) = testing::random_values(random, dense.n);
  const VecX expected = dense.M.ldlt().solve(VecX(b.reshaped()));
  band.solve(b);
  return (b.reshaped() - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

// Diagonals of the couplings add up to 4 at most: this lift leaves at least 1, and numbers of about 4 n at most.
constexpr double safe_lift = 5.0;
constexpr double band_tolerance = 1e-12;

TEST(TimedBand, SolvesLikeADenseFactor) {
  Random random(band_seed);
  const int count = law::law_count(300);
  for (int c = 0; c < count; ++c) {
    const int n = random.integer(1, 40), frames = random.integer(1, 12);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    EXPECT_EQ(band.frames(), frames);
    EXPECT_EQ(band.size(), n);
    fill_band(dense, band, 0.0);
    ASSERT_TRUE(band.factor());
    ASSERT_LE(off_dense(dense, band, random), band_tolerance);
  }
}

TEST(TimedBand, EverySizeUpToTwoTilesIsRight) {
  Random random(band_seed + 1);
  for (int n = 1; n <= 17; ++n)
    for (int frames = 1; frames <= 4; ++frames) {
      SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 1 << ": " << frames << " of " << n);
      const DenseBand dense = random_band(random, frames, n, safe_lift);
      Band band;
      band.resize(frames, n);
      fill_band(dense, band, 0.0);
      ASSERT_TRUE(band.factor());
      ASSERT_LE(off_dense(dense, band, random), band_tolerance);
    }
}

// What is held is 0, the rest solves its own equations, and the rows of what is held are those that were set, but for
// what else is held.
TEST(TimedBand, SolvesAroundWhatIsHeld) {
  Random random(band_seed + 4);
  for (int c = 0; c < law::law_count(200); ++c) {
    const int n = random.integer(1, 20), frames = random.integer(1, 9);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 4 << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, safe_lift);
    Band band;
    band.resize(frames, n);
    fill_band(dense, band, 0.0);
    std::vector<int> loose;
    for (int k = 0; k < frames; ++k)
      for (int i = 0; i < n; ++i)
        if (random.integer(0, 3) == 0)
          band.hold(i, k);
        else
          loose.push_back(k * n + i);
    MatX b(n, frames);
    for (int k = 0; k < frames; ++k) b.col(k) = testing::random_values(random, n);
    VecX expected = VecX::Zero(n * frames);
    const VecX solved = MatX(dense.M(loose, loose)).ldlt().solve(VecX(VecX(b.reshaped())(loose)));
    expected(loose) = solved;
    ASSERT_TRUE(band.factor());
    band.solve(b);
    ASSERT_LE((b.reshaped() - expected).cwiseAbs().maxCoeff(), band_tolerance);
    const VecX product = dense.M * expected;
    ASSERT_EQ(band.held().size() + loose.size(), static_cast<std::size_t>(n * frames));
    for (std::size_t h = 0; h < band.held().size(); ++h) {
      const auto [i, k] = band.held()[h];
      ASSERT_EQ(b(i, k), 0.0);
      ASSERT_NEAR(band.held_row_times(h, b), product[k * n + i], n * band_tolerance);
    }
    band.free_all();
    fill_band(dense, band, 0.0);
    ASSERT_TRUE(band.factor());
    ASSERT_LE(off_dense(dense, band, random), band_tolerance);
  }
}

// A second matrix in the same memory, and couplings that do not count, leave the bits alone.
TEST(TimedBand, ForgetsTheLastFactorAndWhatDoesNotCount) {
  Random random(band_seed + 2);
  for (const int n : {1, 5, 8, 13})
    for (const int frames : {1, 2, 3, 7}) {
      const DenseBand first = random_band(random, frames, n, safe_lift);
      const DenseBand second = random_band(random, frames, n, safe_lift);
      MatX b(n, frames);
      for (int k = 0; k < frames; ++k) b.col(k) = testing::random_values(random, n);
      MatX fresh = b, again = b;
      Band band;
      band.resize(frames, n);
      fill_band(second, band, 0.0);
      ASSERT_TRUE(band.factor());
      band.solve(fresh);
      fill_band(first, band, 0.0);
      ASSERT_TRUE(band.factor());
      fill_band(second, band, 1e3);
      ASSERT_TRUE(band.factor());
      band.solve(again);
      EXPECT_EQ(fresh, again) << frames << " of " << n;
    }
}

// The least eigenvalue is put a little above 0 and a little below.
TEST(TimedBand, TellsWhatIsNotPositiveDefinite) {
  Random random(band_seed + 3);
  constexpr double a_little = 1e-6;
  for (int c = 0; c < law::law_count(60); ++c) {
    const int n = random.integer(1, 12), frames = random.integer(1, 8);
    SCOPED_TRACE(::testing::Message() << "seed " << band_seed + 3 << ", case " << c << ": " << frames << " of " << n);
    const DenseBand dense = random_band(random, frames, n, 0.0);
    const double least = Eigen::SelfAdjointEigenSolver<MatX>(dense.M).eigenvalues()[0];
    for (const double at : {a_little, -a_little}) {
      DenseBand moved = dense;
      moved.M.diagonal().array() += at - least;
      Band band;
      band.resize(frames, n);
      fill_band(moved, band, 0.0);
      EXPECT_EQ(band.factor(), at > 0.0);
    }
  }
}

TEST(TimedBand, TakesNoNumberThatIsNone) {
  Band band;
  band.resize(2, 3);
  fill_band({2, 3, MatX::Identity(6, 6)}, band, 0.0);
  band.block(1)[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(band.factor());
}

}  // namespace
}  // namespace limber
