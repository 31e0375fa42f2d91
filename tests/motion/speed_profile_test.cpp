// Position along a path over time.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/motion/path.h"
#include "tests/law/allocation.h"
#include "tests/support/figures.h"

namespace limber {
namespace speed_profile_test {

using testing::good;
using ProfileKey = SpeedProfile::Key;

constexpr std::uint64_t profile_seed = 417;

SpeedProfile random_profile(Random& random) {
  const double start = random.between(-5.0, 5.0);
  if (random.chance(0.5)) {
    const double ease_in = random.chance(0.2) ? 0.0 : random.unit();
    const double ease_out = random.chance(0.2) ? 0.0 : (1.0 - ease_in) * random.unit();
    return good(SpeedProfile::eased(start, start + random.between(0.01, 20.0), ease_in, ease_out));
  }
  std::vector<ProfileKey> keys = {{start, 0.0}};
  const int count = random.integer(1, 6);
  for (int k = 0; k < count; ++k)
    keys.push_back(
        {keys.back().time + random.between(0.01, 3.0), keys.back().part + (random.chance(0.2) ? 0.0 : random.unit())});
  if (keys.back().part == 0.0) keys.back().part = 1.0;
  for (ProfileKey& key : keys) key.part /= keys.back().part;  // the last one ends at 1
  return good(SpeedProfile::by_keys(keys));
}

TEST(SpeedProfile, IsMonotoneFromStartToEnd) {
  Random random(profile_seed);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << profile_seed << ", case " << k);
    const SpeedProfile profile = random_profile(random);
    const double duration = profile.end() - profile.start();
    EXPECT_EQ(profile.part(profile.start()), 0.0);
    EXPECT_EQ(profile.part(profile.end()), 1.0);
    EXPECT_EQ(profile.part(profile.start() - 1.0), 0.0);
    EXPECT_EQ(profile.part(profile.end() + 1.0), 1.0);
    double last = 0.0;
    for (int j = 1; j <= 500; ++j) {
      const double now = profile.part(profile.start() + duration * j / 500);
      EXPECT_GE(now, last - 1e-15) << j;
      last = now;
    }
    EXPECT_LE(last, 1.0);
  }
}

TEST(SpeedProfile, RateIsItsDerivative) {
  Random random(profile_seed + 1);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << profile_seed + 1 << ", case " << k);
    const SpeedProfile profile = random_profile(random);
    const double duration = profile.end() - profile.start(), h = 1e-6 * duration;
    for (int j = 0; j < 20; ++j) {
      const double t = random.between(profile.start() + h, profile.end() - h);
      const double difference = (profile.part(t + h) - profile.part(t - h)) / (2.0 * h);
      // Second derivatives jump at keys and are at most a few hundred over a duration.
      EXPECT_NEAR(profile.rate(t) * duration, difference * duration, 1e-2) << t;
      EXPECT_GE(profile.rate(t), 0.0);
    }
    EXPECT_EQ(profile.rate(profile.start() - h), 0.0);
    EXPECT_EQ(profile.rate(profile.end() + h), 0.0);
  }
}

TEST(SpeedProfile, EasedHasConstantSpeedInTheMiddleAndIsC2) {
  const double a = 0.3, b = 0.2, full = 1.0 / (1.0 - 0.25);
  const SpeedProfile profile = good(SpeedProfile::eased(2.0, 4.0, a, b));
  for (const double x : {0.3, 0.5, 0.79}) EXPECT_NEAR(profile.rate(2.0 + 2.0 * x), 0.5 * full, 1e-12) << x;
  EXPECT_NEAR(profile.part(2.0 + 2.0 * a), 0.5 * a * full, 1e-12);
  EXPECT_NEAR(profile.part(2.0 + 2.0 * (1.0 - b)), 1.0 - 0.5 * b * full, 1e-12);
  // The acceleration is continuous, also at start and end: over a step it changes by at most
  // max|w''| V/a² = 6 V/a² times the step.
  const auto acceleration = [&](double t, double h) { return (profile.rate(t + h) - profile.rate(t - h)) / (2.0 * h); };
  const double h = 1e-5;
  for (int k = -100; k < 2100; ++k) {
    const double t = 2.0 + 1e-3 * k, steepest = 6.0 * full / (b * b) / 8.0;
    EXPECT_LE(std::fabs(acceleration(t + 1e-3, h) - acceleration(t, h)), 1.01 * steepest * 1e-3 + 1e-6) << t;
  }
}

TEST(SpeedProfile, EasedIsSymmetricInTime) {
  const SpeedProfile there = good(SpeedProfile::eased(0.0, 1.0, 0.4, 0.1)),
                     back = good(SpeedProfile::eased(0.0, 1.0, 0.1, 0.4));
  for (int k = 0; k <= 100; ++k) EXPECT_NEAR(there.part(0.01 * k), 1.0 - back.part(1.0 - 0.01 * k), 1e-14);
}

TEST(SpeedProfile, PassesItsKeysAndIsConstantBetweenEqualOnes) {
  const std::vector<ProfileKey> keys = {{0.0, 0.0}, {1.0, 0.5}, {1.5, 0.5}, {4.0, 0.9}, {5.0, 0.2}, {7.0, 1.5}};
  const SpeedProfile profile = good(SpeedProfile::by_keys(keys));
  for (const ProfileKey& key : keys) EXPECT_NEAR(profile.part(key.time), key.part, 1e-15) << key.time;
  for (int k = 0; k <= 10; ++k) EXPECT_NEAR(profile.part(1.0 + 0.05 * k), 0.5, 1e-15);
  for (int k = 0; k <= 100; ++k) {
    EXPECT_LE(profile.part(1.5 + 0.035 * k), 0.9 + 1e-15) << "no overshoot";
    EXPECT_GE(profile.part(4.0 + 0.03 * k), 0.2 - 1e-15) << "no undershoot";
  }
}

TEST(SpeedProfile, CarriesAHandleAlongACurve) {
  Random random(profile_seed + 2);
  std::vector<Vec3> points;
  for (int k = 0; k < 6; ++k) points.push_back(2.0 * random.direction());
  for (const bool closed : {false, true}) {
    const SpaceCurve curve = good(SpaceCurve::make(points, closed));
    const SpeedProfile profile = good(SpeedProfile::eased(1.0, 3.0));
    EXPECT_LT((along(curve, profile, 0.0) - points.front()).norm(), 1e-12);
    EXPECT_LT((along(curve, profile, 9.0) - (closed ? points.front() : points.back())).norm(), 1e-12);
    const long before = law::allocations();
    for (int k = 0; k < 200; ++k) {
      const double t = 1.0 + 0.01 * k + 0.005, h = 1e-5;
      const Vec3 difference = (along(curve, profile, t + h) - along(curve, profile, t - h)) / (2.0 * h);
      const Vec3 v = velocity(curve, profile, t);
      EXPECT_LT((v - difference).norm(), 1e-3 * curve.length()) << t;
      EXPECT_NEAR(v.norm(), profile.rate(t) * curve.length(), 1e-12 * curve.length()) << t;
    }
    EXPECT_EQ(law::allocations(), before);
  }
}

TEST(SpeedProfile, RejectsInvalidTimes) {
  EXPECT_EQ(SpeedProfile::eased(1.0, 1.0).error().text(),
            "profile: found 1 s to 1 s; expected finite times, start < end");
  EXPECT_FALSE(SpeedProfile::eased(0.0, infinity));
  EXPECT_FALSE(SpeedProfile::eased(std::nan(""), 1.0));
  EXPECT_EQ(SpeedProfile::eased(0.0, 1.0, 0.7, 0.4).error().text(),
            "profile: found ease in 0.7, ease out 0.4; expected fractions of the time, 0 or more, together at most 1");
  EXPECT_FALSE(SpeedProfile::eased(0.0, 1.0, -0.1, 0.4));
  EXPECT_FALSE(SpeedProfile::eased(0.0, 1.0, 0.1, std::nan("")));
  EXPECT_EQ(SpeedProfile::by_keys({{0.0, 0.0}}).error().text(), "profile: found 1 keys; expected at least two");
  EXPECT_EQ(SpeedProfile::by_keys({{0.0, 0.0}, {1.0, 0.5}, {1.0, 1.0}}).error().text(),
            "profile, key 2: found 1 s after 1 s; expected increasing times");
  EXPECT_FALSE(SpeedProfile::by_keys({{0.0, 0.0}, {1.0, std::nan("")}}));
}

}  // namespace speed_profile_test
}  // namespace limber
