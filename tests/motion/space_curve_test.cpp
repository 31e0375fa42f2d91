// Curves in space: arc length, interpolation, unit speed.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/motion/path.h"
#include "tests/law/allocation.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace space_curve_test {

using testing::good;
using CurveKind = SpaceCurve::Kind;

constexpr std::uint64_t curve_seed = 20260417;

std::vector<Vec3> random_way(Random& random, int count, double size = 1.0) {
  std::vector<Vec3> points;
  for (int k = 0; k < count; ++k)
    points.push_back(size * Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)));
  return points;
}

struct RandomWay {
  std::vector<Vec3> points;
  bool closed;
  CurveKind kind;
  SpaceCurve curve;
};

RandomWay random_curve_in_space(Random& random, double size = 1.0) {
  const std::vector<Vec3> points = random_way(random, random.integer(2, 9), size);
  const bool closed = points.size() > 2 && random.chance(0.4);
  const CurveKind kind = random.chance(0.7) ? CurveKind::spline : CurveKind::straight;
  return {points, closed, kind, good(SpaceCurve::make(points, closed, kind))};
}

// The point of the spline by Barry and Goldman's pyramid of linear interpolations between knots, independent of
// the code. In the first and last interval of an open curve there are three points, and the pyramid is a parabola.
Vec3 by_pyramid(const std::vector<Vec3>& p, std::size_t interval, bool closed, double u) {
  const int n = static_cast<int>(p.size()), i = static_cast<int>(interval);
  std::vector<Vec3> x;
  for (int k = i - 1; k <= i + 2; ++k)
    if (closed || (k >= 0 && k < n)) x.push_back(p[static_cast<std::size_t>((k + n) % n)]);
  std::vector<double> t = {0.0};
  for (std::size_t k = 1; k < x.size(); ++k) t.push_back(t.back() + std::sqrt((x[k] - x[k - 1]).norm()));
  const std::size_t first = closed || i > 0 ? 1 : 0;  // the interval is from knot `first` to the next
  const double at = t[first] + u * (t[first + 1] - t[first]);
  const auto between = [&](const Vec3& a, const Vec3& b, std::size_t k, std::size_t l) {
    return Vec3(((t[l] - at) * a + (at - t[k]) * b) / (t[l] - t[k]));
  };
  std::vector<Vec3> level;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) level.push_back(between(x[k], x[k + 1], k, k + 1));
  std::vector<Vec3> next;
  for (std::size_t k = 0; k + 1 < level.size(); ++k) next.push_back(between(level[k], level[k + 1], k, k + 2));
  return next.size() == 1 ? next[0] : between(next[0], next[1], 1, 2);
}

// Of the inscribed polygon, extrapolated from two refinements.
double length_by_chords(const std::vector<Vec3>& p, bool closed, int chords) {
  const auto sum = [&](int count) {
    double length = 0.0;
    for (std::size_t i = 0; i < (closed ? p.size() : p.size() - 1); ++i) {
      Vec3 last = by_pyramid(p, i, closed, 0.0);
      for (int k = 1; k <= count; ++k) {
        const Vec3 x = by_pyramid(p, i, closed, static_cast<double>(k) / count);
        length += (x - last).norm();
        last = x;
      }
    }
    return length;
  };
  const double coarse = sum(chords), fine = sum(2 * chords);
  return fine + (fine - coarse) / 3.0;
}

TEST(SpaceCurve, IsAsLongAsItsRefinedPolygon) {
  Random random(curve_seed);
  for (int k = 0; k < law::law_count(12); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed << ", case " << k);
    const std::vector<Vec3> points = random_way(random, random.integer(3, 8));
    const bool closed = random.chance(0.5);
    const SpaceCurve curve = good(SpaceCurve::make(points, closed));
    const double expected = length_by_chords(points, closed, 3000);
    EXPECT_NEAR(curve.length(), expected, 1e-8 * expected);
  }
}

TEST(SpaceCurve, IsTheSplineOfThePyramid) {
  Random random(curve_seed + 1);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 1 << ", case " << k);
    const std::vector<Vec3> points = random_way(random, random.integer(3, 8));
    const bool closed = random.chance(0.5);
    const SpaceCurve curve = good(SpaceCurve::make(points, closed));
    const int last = static_cast<int>(points.size()) - 1;
    for (int i = 0; i < last; ++i) {
      // The nearest point of the curve: the best of many, refined by its tangent.
      const Vec3 x = by_pyramid(points, static_cast<std::size_t>(i), closed, random.between(0.05, 0.95));
      double best = infinity, at = 0.0;
      const double from = curve.arc_length_to(i), step = (curve.arc_length_to(i + 1) - from) / 200;
      for (int j = 0; j <= 200; ++j)
        if (const double d = (curve.at(from + j * step) - x).norm(); d < best) {
          best = d;
          at = from + j * step;
        }
      for (int j = 0; j < 8; ++j) at += curve.tangent(at).dot(x - curve.at(at));
      EXPECT_LT((curve.at(at) - x).norm(), 1e-9 * curve.length()) << "piece " << i;
    }
  }
}

TEST(SpaceCurve, StraightOneIsAsLongAsItsChords) {
  const SpaceCurve open = good(SpaceCurve::make({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}, false, CurveKind::straight));
  EXPECT_DOUBLE_EQ(open.length(), 7.0);
  EXPECT_LT((open.at(5.0) - Vec3(3, 2, 0)).norm(), 1e-12);
  EXPECT_LT((open.tangent(5.0) - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_LT((open.tangent(3.0) - Vec3::UnitY()).norm(), 1e-15) << "a corner takes the outgoing direction";
  const SpaceCurve closed = good(SpaceCurve::make({{0, 0, 0}, {3, 0, 0}, {3, 4, 0}}, true, CurveKind::straight));
  EXPECT_DOUBLE_EQ(closed.length(), 12.0);
  EXPECT_LT((closed.at(12.0 + 1.0) - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((closed.at(-5.0) - Vec3(3, 4, 0)).norm(), 1e-12);
  EXPECT_LT((closed.at(-2.5) - Vec3(1.5, 2, 0)).norm(), 1e-12);
}

// The mean speed over a short step is 1 up to curvature: at most 1, and at least the cosine of the angle to the
// chord.
TEST(SpaceCurve, HasUnitSpeedEverywhere) {
  Random random(curve_seed + 2);
  int sharp = 0, places = 0;
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 2 << ", case " << k);
    const SpaceCurve curve = random_curve_in_space(random).curve;
    const double h = 1e-5 * curve.length();
    for (int j = 0; j < 100; ++j, ++places) {
      const double s = random.between(h, curve.length() - h);
      const Vec3 velocity = (curve.at(s + h) - curve.at(s - h)) / (2.0 * h);
      double min_cosine = 1.0;
      for (const double off : {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0})
        min_cosine = std::fmin(min_cosine, curve.tangent(s + off * h).dot(velocity.normalized()));
      EXPECT_LE(velocity.norm(), 1.0 + 1e-6) << s;
      EXPECT_GE(velocity.norm(), min_cosine - 1e-6) << s;
      sharp += min_cosine < 1.0 - 1e-6;
    }
  }
  EXPECT_LT(sharp, places / 100) << "places too sharply curved to test";
}

TEST(SpaceCurve, PassesThroughItsPoints) {
  Random random(curve_seed + 3);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 3 << ", case " << k);
    const RandomWay way = random_curve_in_space(random);
    ASSERT_EQ(way.curve.points(), static_cast<int>(way.points.size()));
    for (int i = 0; i < way.curve.points(); ++i) {
      EXPECT_LT((way.curve.at(way.curve.arc_length_to(i)) - way.points[static_cast<std::size_t>(i)]).norm(),
                1e-9 * way.curve.length());
      if (i > 0) {
        EXPECT_GT(way.curve.arc_length_to(i), way.curve.arc_length_to(i - 1));
      }
    }
    EXPECT_EQ(way.curve.arc_length_to(0), 0.0);
    if (!way.closed) {
      EXPECT_EQ(way.curve.arc_length_to(way.curve.points() - 1), way.curve.length());
    }
  }
}

TEST(SpaceCurve, OpenOneStaysAtItsEnds) {
  Random random(curve_seed + 4);
  const std::vector<Vec3> points = random_way(random, 5);
  const SpaceCurve curve = good(SpaceCurve::make(points));
  for (const double beyond : {0.0, 1e-3, 1e6}) {
    EXPECT_EQ(curve.at(-beyond), points.front());
    EXPECT_LT((curve.at(curve.length() + beyond) - points.back()).norm(), 1e-14);
  }
}

TEST(SpaceCurve, ClosedSplineWrapsWithOneTangent) {
  Random random(curve_seed + 5);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 5 << ", case " << k);
    const std::vector<Vec3> points = random_way(random, random.integer(3, 8));
    const SpaceCurve curve = good(SpaceCurve::make(points, true));
    const double length = curve.length();
    // At every point, the first included, the tangent bisects the angle between the chords.
    for (int i = 0; i < curve.points(); ++i) {
      const int n = curve.points();
      const Vec3& p = points[static_cast<std::size_t>(i)];
      const Vec3 in = (p - points[static_cast<std::size_t>((i + n - 1) % n)]).normalized();
      const Vec3 out = (points[static_cast<std::size_t>((i + 1) % n)] - p).normalized();
      const double s = curve.arc_length_to(i);
      EXPECT_LT((curve.tangent(s) - (in + out).normalized()).norm(), 1e-6) << i;
      EXPECT_LT((curve.tangent(s - 1e-9 * length) - curve.tangent(s)).norm(), 1e-3) << i;
    }
    const double s = random.between(0.0, length);
    EXPECT_LT((curve.at(s) - curve.at(s + 3.0 * length)).norm(), 1e-9 * length);
    EXPECT_LT((curve.at(s) - curve.at(s - 2.0 * length)).norm(), 1e-9 * length);
    // The curve does not depend on its first point.
    std::vector<Vec3> later(points.begin() + 1, points.end());
    later.push_back(points.front());
    const SpaceCurve same = good(SpaceCurve::make(later, true));
    EXPECT_NEAR(same.length(), length, 1e-9 * length);
    EXPECT_LT((same.at(s) - curve.at(s + curve.arc_length_to(1))).norm(), 1e-9 * length);
  }
}

TEST(SpaceCurve, IsTheSameInAnyFrameAndUnit) {
  Random random(curve_seed + 6);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 6 << ", case " << k);
    const RandomWay way = random_curve_in_space(random);
    const Frame X = {random.rotation(), 3.0 * random.direction()};
    for (const double scale : {1e-3, 1.0, 1e3}) {
      std::vector<Vec3> moved;
      for (const Vec3& p : way.points) moved.push_back(scale * (X * p));
      const SpaceCurve curve = good(SpaceCurve::make(moved, way.closed, way.kind));
      EXPECT_NEAR(curve.length(), scale * way.curve.length(), 1e-9 * curve.length());
      for (int j = 0; j < 10; ++j) {
        const double s = random.between(0.0, way.curve.length());
        EXPECT_LT((curve.at(scale * s) - scale * (X * way.curve.at(s))).norm(), 1e-9 * curve.length());
      }
    }
  }
}

TEST(SpaceCurve, ReversedIsTheSameCurve) {
  Random random(curve_seed + 7);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << curve_seed + 7 << ", case " << k);
    const std::vector<Vec3> points = random_way(random, random.integer(2, 8));
    const SpaceCurve there = good(SpaceCurve::make(points));
    const SpaceCurve back = good(SpaceCurve::make({points.rbegin(), points.rend()}));
    EXPECT_NEAR(there.length(), back.length(), 1e-9 * there.length());
    const double s = random.between(0.0, there.length());
    EXPECT_LT((there.at(s) - back.at(there.length() - s)).norm(), 1e-9 * there.length());
  }
}

TEST(SpaceCurve, SkipsRepeatedPoints) {
  Random random(curve_seed + 8);
  const std::vector<Vec3> p = random_way(random, 4);
  const SpaceCurve plain = good(SpaceCurve::make(p)), closed = good(SpaceCurve::make(p, true));
  const SpaceCurve repeated = good(SpaceCurve::make({p[0], p[0], p[1], p[2], p[2], p[2], p[3], p[3]}));
  EXPECT_EQ(repeated.length(), plain.length());
  EXPECT_EQ(repeated.points(), 8);
  for (const auto& [given, of] : {std::pair(0, 0), {1, 0}, {2, 1}, {3, 2}, {5, 2}, {6, 3}, {7, 3}})
    EXPECT_EQ(repeated.arc_length_to(given), plain.arc_length_to(of)) << given;
  const SpaceCurve returned = good(SpaceCurve::make({p[0], p[1], p[2], p[3], p[0]}, true));
  EXPECT_EQ(returned.length(), closed.length());
  EXPECT_EQ(returned.arc_length_to(4), closed.length());
}

// Forth, exactly back, and on: the speed of the pieces is 0 at the reversal.
TEST(SpaceCurve, ReversesInAPoint) {
  const SpaceCurve curve = good(SpaceCurve::make({{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {-4, 0, 0}}));
  const double turn = curve.arc_length_to(1);
  EXPECT_NEAR(turn, 1.0, 1e-9);
  EXPECT_LT((curve.tangent(turn) + Vec3::UnitX()).norm(), 1e-5);
  for (const double h : {1e-3, 1e-6, 1e-9}) {
    EXPECT_NEAR(curve.at(turn - h).x(), 1.0 - h, 1e-9 * curve.length());
    EXPECT_NEAR(curve.at(turn + h).x(), 1.0 - h, 1e-9 * curve.length());
  }
  // The end of an open curve, and a closed one of two points.
  const SpaceCurve between = good(SpaceCurve::make({{0, 0, 0}, {1, 0, 0}}, true));
  EXPECT_NEAR(between.length(), 2.0, 1e-9);
  EXPECT_LT((between.at(1.25) - Vec3(0.75, 0, 0)).norm(), 1e-9);
  EXPECT_LT((between.tangent(0.0) - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_LT((between.tangent(1.0) + Vec3::UnitX()).norm(), 1e-9);
}

// Nearly back: the speed of the pieces decreases and increases within a tiny interval.
TEST(SpaceCurve, MeasuresSharpTurnsToo) {
  for (const double wide : {1e-2, 1e-4, 1e-6, 1e-9}) {
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, wide, 0}};
    const SpaceCurve curve = good(SpaceCurve::make(points));
    EXPECT_NEAR(curve.length(), 2.0, 20.0 * wide + 1e-9) << wide;
    double sum = 0.0;
    Vec3 last = curve.at(0.0);
    for (int k = 1; k <= 20000; ++k) {
      const Vec3 x = curve.at(curve.length() * k / 20000);
      EXPECT_LE((x - last).norm(), curve.length() / 20000 + 2e-9 * curve.length());
      sum += (x - last).norm();
      last = x;
    }
    EXPECT_NEAR(sum, curve.length(), 2e-4 * curve.length()) << wide;
  }
}

TEST(SpaceCurve, DoesNotAllocateInAQuery) {
  Random random(curve_seed + 9);
  const SpaceCurve curve = random_curve_in_space(random).curve;
  Vec3 sum = Vec3::Zero();
  const long before = law::allocations();
  for (int k = 0; k < 1000; ++k) {
    const double s = 2e-3 * k * curve.length() - 0.5;
    sum += curve.at(s) + curve.tangent(s);
  }
  EXPECT_EQ(law::allocations(), before);
  EXPECT_TRUE(sum.allFinite());
}

TEST(SpaceCurve, RejectsInvalidPoints) {
  EXPECT_EQ(SpaceCurve::make({}).error().text(), "curve: found 0 points; expected at least two");
  EXPECT_FALSE(SpaceCurve::make({{1, 2, 3}}));
  EXPECT_EQ(SpaceCurve::make({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, true).error().text(),
            "curve: found points that all coincide; expected at least two distinct ones");
  EXPECT_EQ(SpaceCurve::make({{0, 0, 0}, {1, infinity, 0}}).error().text(),
            "curve, point 1: found 1 inf 0; expected three finite numbers");
  EXPECT_FALSE(SpaceCurve::make({{0, 0, 0}, {1, 0, std::nan("")}}));
  EXPECT_FALSE(SpaceCurve::make({{-1e300, 0, 0}, {1e300, 0, 0}}));
}

}  // namespace space_curve_test
}  // namespace limber
