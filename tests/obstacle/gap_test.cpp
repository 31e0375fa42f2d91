// Gaps against brute force.
#include <gtest/gtest.h>

#include <string>

#include "limber/obstacle/box.h"
#include "limber/obstacle/hull.h"
#include "limber/obstacle/line_segment.h"
#include "limber/obstacle/obstacle.h"
#include "tests/obstacle/oracle.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace gap_test {

using testing::box_corners;
using testing::convex_oracle;
using testing::Corners;
using testing::golden_minimum;
using testing::good;
using testing::OraclePlane;
using testing::point_to_line_segment;
using testing::random_line_segment;
using testing::random_point;
using testing::supporting_planes;

constexpr std::uint64_t gap_seed = 8101;
constexpr double gap_tolerance = 1e-9;       // in metres, for shapes of a metre
constexpr double hildreth_tolerance = 1e-6;  // error of cyclic projections between nearly parallel planes

TEST(LineSegmentGap, IsTheMinimumDistanceOfTwoLineSegments) {
  Random random(gap_seed);
  for (int k = 0; k < law::law_count(3000); ++k) {
    SCOPED_TRACE(k);
    const LineSegment first = random_line_segment(random, 1.0);
    LineSegment second = random_line_segment(random, 1.0);
    if (random.chance(0.2)) second.b = second.a + random.between(-1.5, 1.5) * (first.b - first.a);  // parallel
    const LineSegmentGap gap = limber::gap(first, second);
    const double expected =
        golden_minimum([&](double t) { return point_to_line_segment(first.at(t), second); }, 0.0, 1.0);
    EXPECT_NEAR(gap.distance, expected, 2e-8);
    EXPECT_NEAR((gap.on_first - gap.on_second - gap.distance * gap.normal).norm(), 0.0, 1e-12);
    EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR((first.at(gap.t) - gap.on_first).norm() + (second.at(gap.s) - gap.on_second).norm(), 0.0, 1e-12);
    const LineSegmentGap swapped = limber::gap(second, first);
    EXPECT_NEAR(swapped.distance, gap.distance, 1e-14);
    if (gap.distance > 1e-6) {
      EXPECT_NEAR((swapped.normal + gap.normal).norm(), 0.0, 1e-7);
    }
  }
}

TEST(LineSegmentGap, OfCrossingLineSegmentsIsPerpendicularToBoth) {
  Random random(gap_seed + 1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 x = random_point(random, 1.0);
    const Vec3 u = random.direction(), v = random.direction();
    const LineSegmentGap gap =
        limber::gap(LineSegment{x - 0.3 * u, x + 0.5 * u}, LineSegment{x - 0.7 * v, x + 0.2 * v});
    EXPECT_NEAR(gap.distance, 0.0, 1e-14);
    EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR(std::fabs(gap.normal.dot(u)) + std::fabs(gap.normal.dot(v)), 0.0, 1e-4);
  }
}

TEST(LineSegmentGap, OfParallelLineSegmentsIsInTheMiddle) {
  const LineSegmentGap gap = limber::gap(LineSegment{{0, 1, 0}, {2, 1, 0}}, LineSegment{{5, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(gap.distance, 1.0);
  EXPECT_NEAR(gap.t, 0.75, 1e-12);
  EXPECT_NEAR(gap.s, 0.875, 1e-12);
}

TEST(LineSegmentGap, HasAStableNormalOnOneLine) {
  // Overlapping on one line, points on a line, points on points: always up.
  EXPECT_EQ(limber::gap(LineSegment{{0, 0, 0}, {1, 0, 0}}, LineSegment{{0.5, 0, 0}, {2, 0, 0}}).normal, Vec3::UnitY());
  EXPECT_EQ(limber::gap(LineSegment{{0, 0, 0}, {0, 0, 0}}, LineSegment{{0, 0, 0}, {0, 0, 0}}).normal, Vec3::UnitY());
  EXPECT_EQ(limber::gap(LineSegment{{0, 0, 0}, {0, 1, 0}}, Vec3(0, 0.5, 0)).normal, Vec3::UnitX());
  EXPECT_EQ(limber::gap(LineSegment{{-1, 0, 0}, {1, 0, 0}}, LineSegment{{0, 0, 1}, {0, 0, -1}}).normal, Vec3::UnitY());
}

TEST(BoxGap, AgreesWithTheConvexOracle) {
  Random random(gap_seed + 2);
  int inside = 0, outside = 0;
  for (int k = 0; k < law::law_count(1500); ++k) {
    SCOPED_TRACE(k);
    const Vec3 half(random.between(0.05, 1.0), random.between(0.05, 1.0), random.between(0.05, 1.0));
    const LineSegment line = random_line_segment(random, 1.5);
    const Gap gap = box_gap(line, half);
    const auto to_box = [&](double t) {
      const Vec3 x = line.at(t);
      return (x - x.cwiseMin(half).cwiseMax(-half)).norm();
    };
    const double outer = golden_minimum(to_box, 0.0, 1.0);
    if (outer > 1e-7) {
      ++outside;
      EXPECT_NEAR(gap.distance, outer, 2e-8);
      EXPECT_LE(gap.distance, outer + 1e-12);
    } else {
      ++inside;
      EXPECT_NEAR(gap.distance, convex_oracle(box_corners(half), line), gap_tolerance);
    }
    EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-12);
    EXPECT_NEAR((gap.on_line - line.at(gap.t)).norm(), 0.0, 1e-15);
    EXPECT_NEAR((gap.on_line - gap.distance * gap.normal - gap.on_shape).norm(), 0.0, 1e-15);
    EXPECT_NEAR((gap.on_shape - gap.on_shape.cwiseMin(half).cwiseMax(-half)).norm(), 0.0, 1e-9);
  }
  EXPECT_GT(inside, outside / 10);
}

TEST(PolyhedronGap, AgreesWithTheConvexOracle) {
  Random random(gap_seed + 3);
  for (int k = 0; k < law::law_count(400); ++k) {
    SCOPED_TRACE(k);
    Corners corners;
    for (int n = random.integer(4, 12); n > 0; --n) corners.push_back(random_point(random, 0.7));
    const Polyhedron polyhedron = good(Polyhedron::build(corners));
    const std::vector<OraclePlane> planes = supporting_planes(corners);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const LineSegment line = random_line_segment(random, 1.0);
      const Gap gap = polyhedron.gap(line);
      const double expected = convex_oracle(corners, line);
      EXPECT_NEAR(gap.distance, expected, expected > 0.0 ? hildreth_tolerance : gap_tolerance);
      EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-12);
      // The witness is on the surface: inside all planes, and on one of them.
      double max = -infinity;
      for (const OraclePlane& plane : planes) max = std::fmax(max, plane.normal.dot(gap.on_shape) - plane.offset);
      EXPECT_NEAR(max, 0.0, 1e-9);
    }
  }
}

TEST(Polyhedron, IsTheHullOfItsVertices) {
  Random random(gap_seed + 4);
  for (int k = 0; k < law::law_count(300); ++k) {
    SCOPED_TRACE(k);
    Corners corners;
    const bool round = random.chance(0.5);
    for (int n = random.integer(4, 40); n > 0; --n)
      corners.push_back(round ? random.direction() : random_point(random, 1.0));
    if (random.chance(0.3)) corners.push_back(corners.front());
    const Hull hull = good(convex_hull(corners));
    EXPECT_EQ(hull.triangles.size(), 2 * hull.corners.size() - 4) << "Euler";
    double volume = 0.0;
    for (const auto& [i, j, l] : hull.triangles) {
      const Vec3 p = hull.corners.at(static_cast<std::size_t>(i)), q = hull.corners.at(static_cast<std::size_t>(j)),
                 r = hull.corners.at(static_cast<std::size_t>(l));
      const Vec3 n = (q - p).cross(r - p).normalized();
      for (const Vec3& x : corners) EXPECT_LE(n.dot(x - p), 1e-10);
      volume += p.dot(q.cross(r)) / 6.0;
    }
    EXPECT_GT(volume, 0.0);
  }
}

TEST(Polyhedron, TakesManyPointsInOnePlane) {
  Corners grid;
  const int side = law::whole_or_quick(4, 3);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) grid.push_back(rotation(Vec3(0.6, 0.0, 0.8), 0.7) * Vec3(i, j, k) / (side - 1.0));
  const Polyhedron polyhedron = good(Polyhedron::build(grid));
  const Vec3 up = rotation(Vec3(0.6, 0.0, 0.8), 0.7) * Vec3(0.5, 0.5, 2.0);
  EXPECT_NEAR(polyhedron.gap({up, up}).distance, 1.0, 1e-12);
  EXPECT_NEAR(polyhedron.gap({up, -up}).distance, convex_oracle(grid, {up, -up}), 1e-9);
}

TEST(Polyhedron, RejectsFlatPoints) {
  EXPECT_FALSE(Polyhedron::build({}));
  EXPECT_FALSE(Polyhedron::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_FALSE(Polyhedron::build({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}));
  EXPECT_FALSE(Polyhedron::build({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {5, 5, 5}}));
  EXPECT_FALSE(Polyhedron::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.3, 1e-9}}));
  EXPECT_FALSE(Polyhedron::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}));
  EXPECT_TRUE(Polyhedron::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
}

TEST(Obstacle, RejectsInvalidShapes) {
  const double none = std::nan("");
  EXPECT_TRUE(build_obstacle("floor", HalfSpaceShape{}));
  EXPECT_FALSE(build_obstacle("ball", BallShape{-0.1}));
  EXPECT_FALSE(build_obstacle("ball", BallShape{infinity}));
  EXPECT_FALSE(build_obstacle("capsule", Capsule{{0, 0, none}, {0, 0, 0}, 1.0}));
  EXPECT_FALSE(build_obstacle("box", BoxShape{{1, -1, 1}}));
  EXPECT_FALSE(build_obstacle("box", BoxShape{{1, 1, 1}}, at({none, 0, 0})));
  EXPECT_FALSE(build_obstacle("box", BoxShape{{1, 1, 1}}, Frame{-Mat3::Identity(), Vec3::Zero()}));
  const auto rejected = build_obstacle("table", BoxShape{{1, none, 1}});
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().where, "obstacle 'table', half sides");
}

}  // namespace gap_test
}  // namespace limber
