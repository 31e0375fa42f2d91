#include <gtest/gtest.h>

#include "limber/figure/description.h"
#include "tests/support/derivative.h"

namespace limber {
namespace curve_test {

using testing::central_difference;
using testing::taylor_order;

// Knots 0.2 to 1 apart; increasing, decreasing and constant values.
std::vector<Curve::Knot> random_knots(Random& random) {
  std::vector<Curve::Knot> knots;
  double theta = random.between(-2.0, -1.0);
  const int count = random.integer(2, 7);
  for (int k = 0; k < count; ++k) {
    const double value = k > 0 && random.chance(0.2) ? knots.back().value : random.between(-1.0, 1.0);
    knots.push_back({theta, value});
    theta += random.between(0.2, 1.0);
  }
  return knots;
}

VecX value_at(const Curve& curve, const VecX& x) { return VecX::Constant(1, curve(x[0]).value); }

TEST(LinearCurve, IsSlopeTimesTheta) {
  const Curve curve = Curve::linear(-0.5);
  EXPECT_TRUE(curve.is_linear());
  EXPECT_EQ(curve.slope(), -0.5);
  EXPECT_TRUE(curve.knots().empty());
  EXPECT_EQ(curve(3.0).value, -1.5);
  EXPECT_EQ(curve(3.0).slope, -0.5);
  EXPECT_EQ(curve(-100.0).value, 50.0);
}

TEST(SmoothCurve, GoesThroughItsKnots) {
  Random random(20);
  for (int trial = 0; trial < 200; ++trial) {
    const Curve curve = Curve::smooth(random_knots(random));
    EXPECT_FALSE(curve.is_linear());
    for (const Curve::Knot& knot : curve.knots()) EXPECT_NEAR(curve(knot.theta).value, knot.value, 1e-15);
  }
}

TEST(SmoothCurve, IsContinuouslyDifferentiableAtKnots) {
  Random random(21);
  constexpr double gap = 1e-9;  // the second derivative is below 100, so values and slopes move by less than 1e-7
  for (int trial = 0; trial < 200; ++trial) {
    const Curve curve = Curve::smooth(random_knots(random));
    for (const Curve::Knot& knot : curve.knots()) {
      const auto before = curve(knot.theta - gap), after = curve(knot.theta + gap);
      EXPECT_NEAR(before.value, after.value, 1e-7);
      EXPECT_NEAR(before.slope, after.slope, 1e-6);
    }
  }
}

TEST(SmoothCurve, IsMonotoneBetweenKnots) {
  Random random(22);
  for (int trial = 0; trial < 200; ++trial) {
    const Curve curve = Curve::smooth(random_knots(random));
    for (std::size_t k = 0; k + 1 < curve.knots().size(); ++k) {
      const Curve::Knot a = curve.knots()[k], b = curve.knots()[k + 1];
      for (int i = 0; i <= 20; ++i) {
        const double slope = curve(a.theta + (b.theta - a.theta) * i / 20.0).slope;
        // 1e-14: rounding of the cubic's derivative, with values of 1 over steps of 0.2.
        EXPECT_GE(slope * (b.value - a.value), -1e-14);
        if (a.value == b.value) {
          EXPECT_NEAR(slope, 0.0, 1e-14);
        }
      }
    }
  }
}

TEST(SmoothCurve, SlopeIsItsDerivative) {
  Random random(23);
  for (int trial = 0; trial < 300; ++trial) {
    const Curve curve = Curve::smooth(random_knots(random));
    const double theta = random.between(-3.0, 5.0);
    // Not near knots, where the second derivative jumps.
    bool near = false;
    for (const Curve::Knot& knot : curve.knots()) near = near || std::fabs(knot.theta - theta) < 2e-3;
    if (near) continue;
    const auto f = [&](const VecX& x) { return value_at(curve, x); };
    const VecX x = VecX::Constant(1, theta);
    const MatX J = MatX::Constant(1, 1, curve(theta).slope);
    EXPECT_NEAR(central_difference(f, x)(0, 0), J(0, 0), 1e-7);  // third derivatives reach 12/0.2³ = 1,500
    // Near the inflection point of a cubic the measured order may fall below 2, but never to 1.
    EXPECT_GT(taylor_order(f, x, J, VecX::Ones(1)), 1.5);
  }
}

TEST(SmoothCurve, TakesTheHarmonicMeanOfSecantsAsSlope) {
  const Curve curve = Curve::smooth({{0, 0}, {1, 1}, {2, 4}});
  EXPECT_DOUBLE_EQ(curve(1.0).slope, 2.0 * 1.0 * 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(curve(0.0).slope, 1.0);
  EXPECT_DOUBLE_EQ(curve(2.0).slope, 3.0);
  EXPECT_DOUBLE_EQ(Curve::smooth({{0, 0}, {1, 1}, {2, 0}})(1.0).slope, 0.0);
}

TEST(SmoothCurve, IsLinearBeyondItsKnots) {
  const Curve curve = Curve::smooth({{0, 0}, {1, 1}, {2, 4}});
  EXPECT_DOUBLE_EQ(curve(-2.0).value, -2.0);
  EXPECT_DOUBLE_EQ(curve(-2.0).slope, 1.0);
  EXPECT_DOUBLE_EQ(curve(5.0).value, 4.0 + 3.0 * 3.0);
  EXPECT_DOUBLE_EQ(curve(5.0).slope, 3.0);
}

TEST(SmoothCurve, OfTwoKnotsIsStraight) {
  const Curve curve = Curve::smooth({{-1, 3}, {1, -1}});
  for (const double theta : {-5.0, -1.0, -0.3, 0.0, 0.9, 4.0}) {
    EXPECT_NEAR(curve(theta).value, 1.0 - 2.0 * theta, 1e-14);
    EXPECT_NEAR(curve(theta).slope, -2.0, 1e-14);
  }
}

TEST(CurveRange, IsTheMinAndMaxOfManySamples) {
  Random random(24);
  for (int trial = 0; trial < 200; ++trial) {
    const Curve curve =
        random.chance(0.2) ? Curve::linear(random.between(-1.0, 1.0)) : Curve::smooth(random_knots(random));
    const double lower = random.between(-3.0, 2.0), upper = lower + random.between(0.0, 4.0);
    const auto [min, max] = curve.range(lower, upper);
    double sampled_min = infinity, sampled_max = -infinity;
    for (int k = 0; k <= 2000; ++k) {
      const double value = curve(lower + (upper - lower) * k / 2000.0).value;
      sampled_min = std::fmin(sampled_min, value);
      sampled_max = std::fmax(sampled_max, value);
    }
    EXPECT_LE(min, sampled_min + 1e-14);
    EXPECT_GE(max, sampled_max - 1e-14);
    EXPECT_NEAR(min, sampled_min, 1e-4);  // a sample misses a smooth extremum by half the curvature times 0.001²
    EXPECT_NEAR(max, sampled_max, 1e-4);
  }
}

TEST(CurveRange, OfAnUnlimitedParameter) {
  EXPECT_EQ(Curve::linear(-2.0).range(-infinity, infinity), std::pair(-infinity, infinity));
  EXPECT_EQ(Curve::linear(0.0).range(-infinity, infinity), std::pair(0.0, 0.0));
  EXPECT_EQ(Curve::smooth({{0, 1}, {1, 2}, {2, 2}}).range(0.0, infinity), std::pair(1.0, 2.0));
  EXPECT_EQ(Curve::smooth({{0, 1}, {1, 2}}).range(0.5, infinity).second, infinity);
}

}  // namespace curve_test
}  // namespace limber
