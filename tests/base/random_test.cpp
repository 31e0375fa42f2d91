#include "limber/base/random.h"

#include <gtest/gtest.h>

#include <array>

namespace limber {
namespace random_test {

TEST(Random, GivesTheSameNumbersForTheSameSeed) {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int k = 0; k < 100; ++k) {
    const auto bits = a.bits();
    EXPECT_EQ(bits, b.bits());
    differs = differs || bits != c.bits();
  }
  EXPECT_TRUE(differs);
}

// The published first outputs of splitmix64 for the seed 1234567.
TEST(Random, IsSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.bits(), 6457827717110365317ULL);
  EXPECT_EQ(random.bits(), 3203168211198807973ULL);
  EXPECT_EQ(random.bits(), 9817491932198370423ULL);
}

// The counts of n = 100,000 draws in 10 equal bins have a standard deviation of 95: five of them are 475.
TEST(Random, FillsTheUnitIntervalEvenly) {
  Random random(9);
  std::array<int, 10> bins = {};
  for (int k = 0; k < 100000; ++k) {
    const double x = random.unit();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    ++bins[static_cast<std::size_t>(10.0 * x)];
  }
  for (const int count : bins) EXPECT_NEAR(count, 10000, 475);
}

TEST(Random, IntegersIncludeBothEnds) {
  Random random(10);
  std::array<int, 5> counts = {};
  for (int k = 0; k < 50000; ++k) {
    const int x = random.integer(-2, 2);
    ASSERT_GE(x, -2);
    ASSERT_LE(x, 2);
    ++counts[static_cast<std::size_t>(x + 2)];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 450);  // five standard deviations of 89
}

TEST(Random, StaysBetweenItsBounds) {
  Random random(11);
  double lowest = infinity, highest = -infinity;
  for (int k = 0; k < 10000; ++k) {
    const double x = random.between(-3.0, 5.0);
    lowest = std::fmin(lowest, x);
    highest = std::fmax(highest, x);
  }
  EXPECT_GE(lowest, -3.0);
  EXPECT_LT(highest, 5.0);
  EXPECT_LT(lowest, -2.98);  // 8 m wide, 10,000 draws: the odds of missing 0.02 are e^-25
  EXPECT_GT(highest, 4.98);
}

TEST(Random, ChanceHasTheGivenProbability) {
  Random random(12);
  int hits = 0;
  for (int k = 0; k < 100000; ++k) hits += random.chance(0.3) ? 1 : 0;
  EXPECT_NEAR(hits, 30000, 725);  // five standard deviations of 145
  EXPECT_FALSE(random.chance(0.0));
  EXPECT_TRUE(random.chance(1.0));
}

// On the sphere every coordinate is uniform in [-1, 1]: mean 0 and mean square 1/3.
TEST(Random, SpreadsDirectionsOverTheWholeSphere) {
  Random random(13);
  Vec3 sum = Vec3::Zero();
  Mat3 squares = Mat3::Zero();
  constexpr int n = 100000;
  for (int k = 0; k < n; ++k) {
    const Vec3 v = random.direction();
    ASSERT_NEAR(v.norm(), 1.0, 1e-15);
    sum += v;
    squares += v * v.transpose();
  }
  EXPECT_LT((sum / n).cwiseAbs().maxCoeff(), 0.01);                                // five deviations of 0.58/√n
  EXPECT_LT((squares / n - Mat3::Identity() / 3.0).cwiseAbs().maxCoeff(), 0.005);  // of 0.3/√n
}

TEST(Random, MakesRotations) {
  Random random(14);
  for (int k = 0; k < 100; ++k) EXPECT_LT(rotation_defect(random.rotation()), 1e-14);
}

}  // namespace random_test
}  // namespace limber
