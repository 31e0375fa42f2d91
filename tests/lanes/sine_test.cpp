// Sines in lanes against those of the standard library in wider precision.
//
// The library's own widths are compiled for other processors; here are those that belong to any machine.
#include "limber/lanes/sine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/base/random.h"

namespace limber {
namespace sine_test {

// As many as an angle of 20 has left of the last bit of 1: the argument itself is exact, so only the series and the
// rest round.
constexpr double lane_sine_rounding = 1.5;

template <class Real>
class LaneSines : public ::testing::Test {};

using LaneWidths = ::testing::Types<Lanes<float, 2>, Lanes<float, 4>, Lanes<float, 32>, Lanes<double, 2>,
                                    Lanes<double, 16>, Lanes<double, 32>>;
TYPED_TEST_SUITE(LaneSines, LaneWidths);

// The largest error over some angles, in units of the last place of 1.
template <class Real, class Angles>
double max_sine_error(int count, Angles&& angle_of) {
  using T = typename Real::Scalar;
  double most = 0.0;
  for (int first = 0; first < count; first += Real::width) {
    Real angles(T(0)), sines, cosines;
    for (int lane = 0; lane < Real::width; ++lane) angles.set(lane, static_cast<T>(angle_of(first + lane)));
    sine_and_cosine(angles, sines, cosines);
    for (int lane = 0; lane < Real::width; ++lane) {
      const auto x = static_cast<long double>(angles[lane]);
      const auto s = static_cast<long double>(sines[lane]), c = static_cast<long double>(cosines[lane]);
      const long double off = std::fmax(std::fabs(s - std::sin(x)), std::fabs(c - std::cos(x)));
      most = std::fmax(most, static_cast<double>(off));
    }
  }
  return most / static_cast<double>(std::numeric_limits<T>::epsilon());
}

TYPED_TEST(LaneSines, AreThoseOfTheStandardLibrary) {
  Random random(2311);
  const double error = max_sine_error<TypeParam>(40000, [&](int) { return random.between(-20.0, 20.0); });
  EXPECT_LE(error, lane_sine_rounding);
}

// Where a quarter turn ends and the next begins, and where a sine or a cosine is zero.
TYPED_TEST(LaneSines, AreRightOnBothSidesOfEveryEighthOfATurn) {
  Random random(2312);
  const double error = max_sine_error<TypeParam>(40000, [&](int k) {
    const double eighth = 0.25 * pi * (k % 51 - 25);
    return eighth * (1.0 + std::pow(10.0, random.between(-17.0, -3.0)) * (random.chance(0.5) ? 1.0 : -1.0));
  });
  EXPECT_LE(error, lane_sine_rounding);
}

// A zero of the sine is not lost in the rest: the error is small against the sine itself.
TYPED_TEST(LaneSines, KeepTheirDigitsNearZero) {
  using Real = TypeParam;
  using T = typename Real::Scalar;
  for (int k = -12; k <= 12; ++k) {
    Real angles(static_cast<T>(pi * k)), sines, cosines;
    sine_and_cosine(angles, sines, cosines);
    const long double exact = std::sin(static_cast<long double>(angles[0]));
    for (int lane = 0; lane < Real::width; ++lane) {
      const auto s = static_cast<long double>(sines[lane]);
      EXPECT_LE(std::fabs(s - exact), 1e-3L * std::fabs(exact)) << k;
    }
  }
}

// A whole vector of different angles, and each of them in all lanes: the same bits.
TYPED_TEST(LaneSines, DoNotDependOnTheirNeighbours) {
  using Real = TypeParam;
  using T = typename Real::Scalar;
  Random random(2313);
  for (int trial = 0; trial < 200; ++trial) {
    Real angles(T(0)), sines, cosines;
    for (int lane = 0; lane < Real::width; ++lane) angles.set(lane, static_cast<T>(random.between(-20.0, 20.0)));
    sine_and_cosine(angles, sines, cosines);
    for (int lane = 0; lane < Real::width; ++lane) {
      Real alone_s, alone_c;
      sine_and_cosine(Real(angles[lane]), alone_s, alone_c);
      EXPECT_EQ(alone_s[0], sines[lane]);
      EXPECT_EQ(alone_c[0], cosines[lane]);
    }
  }
}

}  // namespace sine_test
}  // namespace limber
