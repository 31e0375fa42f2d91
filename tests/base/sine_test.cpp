// Sines and cosines of many angles against the standard library in extended precision.
#include "limber/base/sine.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "limber/base/random.h"
#include "limber/base/vector.h"

namespace limber {
namespace sine_test {

TEST(SinesAndCosines, AreWithinRounding) {
  Random random(1);
  for (const double range : {1e-9, 0.5, 4.0, 100.0, 4e5, 1e9}) {
    std::vector<double> angles(10'001), sines(angles.size()), cosines(angles.size());
    for (double& angle : angles) angle = random.between(-range, range);
    sines_and_cosines(angles.data(), static_cast<int>(angles.size()), sines.data(), cosines.data());
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const auto angle = static_cast<long double>(angles[k]);
      ASSERT_LE(std::fabs(static_cast<double>(static_cast<long double>(sines[k]) - std::sin(angle))), 2.3e-16)
          << angles[k];
      ASSERT_LE(std::fabs(static_cast<double>(static_cast<long double>(cosines[k]) - std::cos(angle))), 2.3e-16)
          << angles[k];
    }
  }
}

TEST(SinesAndCosines, AreExactAtQuarterTurns) {
  const double angles[] = {0.0, 0.5 * pi, pi, -0.5 * pi, -pi, 2.0 * pi};
  double sines[6], cosines[6];
  sines_and_cosines(angles, 6, sines, cosines);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(sines[k], std::sin(angles[k])) << k;
    EXPECT_EQ(cosines[k], std::cos(angles[k])) << k;
  }
}

TEST(SinesAndCosines, AreNanForNanAndInfinity) {
  const double angles[] = {std::numeric_limits<double>::quiet_NaN(), infinity, 1.0};
  double sines[3], cosines[3];
  sines_and_cosines(angles, 3, sines, cosines);
  for (int k = 0; k < 2; ++k) EXPECT_TRUE(std::isnan(sines[k]) && std::isnan(cosines[k]));
  EXPECT_NEAR(sines[2], std::sin(1.0), 1e-16);
}

}  // namespace sine_test
}  // namespace limber
