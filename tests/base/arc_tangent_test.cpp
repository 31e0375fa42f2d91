// atan2 of many points against the standard library in extended precision.
#include "limber/base/arc_tangent.h"

#include <gtest/gtest.h>

#include <vector>

#include "limber/base/random.h"
#include "limber/base/vector.h"

namespace limber {
namespace arc_tangent_test {

TEST(ArcTangents, AreWithinRounding) {
  Random random(1);
  for (const double flat : {1.0, 1e-3, 1e-9, 1e-200}) {
    std::vector<double> x(10'001), y(x.size()), angles(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] = random.between(-1.0, 1.0) * (k % 2 == 0 ? flat : 1.0);
      y[k] = random.between(-1.0, 1.0) * (k % 2 == 0 ? 1.0 : flat);
    }
    arc_tangents(y.data(), x.data(), static_cast<int>(x.size()), angles.data());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const long double exact = std::atan2(static_cast<long double>(y[k]), static_cast<long double>(x[k]));
      ASSERT_LE(std::fabs(static_cast<double>(static_cast<long double>(angles[k]) - exact)),
                5e-16 * std::fmax(std::fabs(static_cast<double>(exact)), std::fabs(x[k] < 0.0 ? 1.0 : 0.0)))
          << y[k] << " " << x[k];
    }
  }
}

TEST(ArcTangents, AreExactOnTheAxes) {
  const double x[] = {1.0, 0.0, -2.0, 0.0, 0.0, 3.0}, y[] = {0.0, 1.0, 0.0, -5.0, 0.0, 3.0};
  const double expected[] = {0.0, 0.5 * pi, pi, -0.5 * pi, 0.0, 0.25 * pi};
  double angles[6];
  arc_tangents(y, x, 6, angles);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(angles[k], expected[k]) << k;
}

}  // namespace arc_tangent_test
}  // namespace limber
