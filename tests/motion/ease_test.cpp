// Ease curves: exact at both ends, monotone, smooth.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/motion/sequence.h"

namespace limber {
namespace ease_test {

TEST(SmoothStep, IsTheQuinticAndRestsAtBothEnds) {
  for (int k = 0; k <= 100; ++k) {
    const double u = k / 100.0;
    EXPECT_NEAR(smooth_step(u), 6.0 * std::pow(u, 5) - 15.0 * std::pow(u, 4) + 10.0 * std::pow(u, 3), 1e-14);
  }
  EXPECT_EQ(smooth_step(0.0), 0.0);
  EXPECT_EQ(smooth_step(1.0), 1.0);
  EXPECT_EQ(smooth_step(0.5), 0.5);
  EXPECT_EQ(smooth_step(-3.0), 0.0);
  EXPECT_EQ(smooth_step(7.0), 1.0);
  // At the ends only the third derivative, 60, is not zero: 10 h³.
  const double h = 1e-3;
  EXPECT_NEAR(smooth_step(h) / (h * h * h), 10.0, 0.02);
  EXPECT_NEAR((1.0 - smooth_step(1.0 - h)) / (h * h * h), 10.0, 0.02);
}

TEST(Ease, WithoutEasingIsTheIdentity) {
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const double u = random.unit();
    EXPECT_EQ(eased({}, u), u);
  }
}

TEST(Ease, IsExactAtTheEndsMonotoneAndSymmetric) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    Ease ease;
    ease.in = trial % 5 == 0 ? 0.0 : random.unit();
    ease.out = trial % 7 == 0 ? 0.0 : trial % 3 == 0 ? 1.0 - ease.in : random.between(0.0, 1.0 - ease.in);
    ASSERT_TRUE(ease.valid());
    EXPECT_EQ(eased(ease, 0.0), 0.0);
    EXPECT_EQ(eased(ease, 1.0), 1.0);
    double before = 0.0;
    for (int k = 1; k <= 200; ++k) {
      const double u = k / 200.0, value = eased(ease, u);
      EXPECT_GE(value, before - 1e-15) << ease.in << " " << ease.out << " at " << u;
      EXPECT_NEAR(value, 1.0 - eased({ease.out, ease.in}, 1.0 - u), 1e-14);
      before = value;
    }
  }
}

TEST(Ease, HasConstantSpeedInTheMiddleAndIsAtRestAtItsEnds) {
  const Ease ease{0.2, 0.3};
  const double v = 2.0 / (2.0 - 0.5), h = 1e-6;
  const auto speed = [&](double u) { return (eased(ease, u + h) - eased(ease, u - h)) / (2.0 * h); };
  for (const double u : {0.21, 0.4, 0.6, 0.69}) EXPECT_NEAR(speed(u), v, 1e-8) << u;
  EXPECT_LT(eased(ease, 1e-4) / 1e-4, 1e-5);
  EXPECT_LT((1.0 - eased(ease, 1.0 - 1e-4)) / 1e-4, 1e-5);
  // The speed half way through an end is half of v: 3w² - 2w³ at ½.
  EXPECT_NEAR(speed(0.1), v / 2.0, 1e-8);
  EXPECT_NEAR(speed(0.85), v / 2.0, 1e-8);
  // Neither speed nor acceleration jumps where the parts meet.
  const auto acceleration = [&](double u) { return (speed(u + 1e-4) - speed(u - 1e-4)) / 2e-4; };
  for (const double u : {0.2, 0.7}) {
    EXPECT_NEAR(speed(u - 1e-4), speed(u + 1e-4), 1e-4);
    EXPECT_NEAR(acceleration(u - 1e-3), acceleration(u + 1e-3), 0.3);
  }
}

TEST(Ease, DetectsInvalidFractions) {
  EXPECT_FALSE((Ease{-0.1, 0.0}).valid());
  EXPECT_FALSE((Ease{0.6, 0.5}).valid());
  EXPECT_FALSE((Ease{std::nan(""), 0.5}).valid());
  EXPECT_TRUE((Ease{0.5, 0.5}).valid());
}

}  // namespace ease_test
}  // namespace limber
