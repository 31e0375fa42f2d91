// Laws that every shape obeys.
#include "limber/obstacle/obstacle.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/obstacle/meshes.h"
#include "tests/support/laws.h"

namespace limber {
namespace obstacle_test {

using testing::angle_mesh;
using testing::box_mesh;
using testing::Corners;
using testing::good;
using testing::random_line_segment;
using testing::random_point;
using testing::sheet_mesh;

constexpr std::uint64_t obstacle_seed = 8301;

bool is_mesh(const Obstacle& obstacle) { return std::holds_alternative<TriangleMesh>(obstacle.shape); }
bool is_sheet(const Obstacle& obstacle) { return is_mesh(obstacle) && !std::get<TriangleMesh>(obstacle.shape).solid(); }

// One of each kind, at a random place.
std::vector<Obstacle> shapes_somewhere(Random& random) {
  Corners corners;
  for (int k = 0; k < 10; ++k) corners.push_back(random_point(random, 0.7));
  const std::vector<std::pair<std::string, ObstacleShape>> shapes = {
      {"half-space", HalfSpaceShape{}},
      {"ball", BallShape{0.4}},
      {"capsule", Capsule{random_point(random, 0.5), random_point(random, 0.5), 0.2}},
      {"box", BoxShape{{0.3, 0.5, 0.2}}},
      {"plate", BoxShape{{0.6, 0.01, 0.6}}},
      {"polyhedron", good(Polyhedron::build(corners))},
      {"box of triangles", box_mesh({0.3, 0.5, 0.2}).built()},
      {"angle", angle_mesh().built()},
      {"sheet", sheet_mesh().built()}};
  std::vector<Obstacle> out;
  for (const auto& [name, shape] : shapes)
    out.push_back(good(build_obstacle(name, shape, testing::random_frame(random))));
  return out;
}

template <class Law>
void for_each_shape(std::uint64_t seed, int cases, const Law& law) {
  Random random(seed);
  for (int k = 0; k < law::law_count(cases); ++k)
    for (const Obstacle& obstacle : shapes_somewhere(random)) {
      SCOPED_TRACE(obstacle.name + ", case " + std::to_string(k) + ", seed " + std::to_string(seed));
      law(obstacle, random_line_segment(random, 1.0), random);
    }
}

TEST(ObstacleLaw, NormalIsTheDerivative) {
  constexpr double step = 1e-5, tolerance = 2e-4;
  int checked = 0, inside = 0, bent = 0;
  for_each_shape(obstacle_seed, 400, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const Gap gap = limber::gap(line, obstacle);
    Eigen::Matrix<double, 6, 1> expected, ahead, behind;
    expected << (1.0 - gap.t) * gap.slope * gap.normal, gap.t * gap.slope * gap.normal;
    for (int i = 0; i < 6; ++i) {
      const auto moved = [&](double by) {
        LineSegment other = line;
        (i < 3 ? other.a : other.b)[i % 3] += by;
        return limber::gap(other, obstacle).distance;
      };
      ahead[i] = (moved(step) - gap.distance) / step;
      behind[i] = (gap.distance - moved(-step)) / step;
    }
    if ((ahead - behind).cwiseAbs().maxCoeff() > tolerance) {
      ++bent;  // no derivative, or a rapidly changing one
      return;
    }
    ++checked;
    inside += gap.distance < 0.0;
    EXPECT_LE((0.5 * (ahead + behind) - expected).cwiseAbs().maxCoeff(), tolerance)
        << "distance " << gap.distance << " t " << gap.t << " slope " << gap.slope;
  });
  EXPECT_GT(inside, checked / 4);
  EXPECT_LT(bent, checked / 6);
}

// A line that moves by at most h changes its distance by at most h: through contact, over edges, across
// the middle of a shape. Except for folds of sheets.
TEST(ObstacleLaw, DistanceIsContinuous) {
  int crossed = 0;
  for_each_shape(obstacle_seed + 1, 300, [&](const Obstacle& obstacle, const LineSegment& line, Random& random) {
    if (is_sheet(obstacle)) return;
    const Vec3 by_a = random_point(random, 1.0), by_b = random.chance(0.5) ? by_a : random_point(random, 1.0);
    const double h = 1e-8 * std::pow(10.0, random.between(0.0, 8.0));
    const double before = gap(line, obstacle).distance;
    const LineSegment moved{line.a + h * by_a, line.b + h * by_b};
    const double after = gap(moved, obstacle).distance;
    EXPECT_LE(std::fabs(after - before), h * std::fmax(by_a.norm(), by_b.norm()) + 2e-10);
    crossed += (before < 0.0) != (after < 0.0);
  });
  EXPECT_GT(crossed, law::law_count(300) / 30);
}

TEST(ObstacleLaw, DistanceIsContinuousThroughContact) {
  // From far outside along its own normal, through the surface in steps.
  int all = 0, out_again = 0;
  for_each_shape(obstacle_seed + 2, 60, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const Gap start = gap(line, obstacle);
    if (!(start.distance > 0.0)) return;
    const double step = start.distance / 40.0;
    Gap last = start;
    for (int k = 1; k <= 44; ++k) {
      const Vec3 shift = -step * k * start.normal;
      const Gap next = gap(LineSegment{line.a + shift, line.b + shift}, obstacle);
      if (k < 40) {
        EXPECT_NEAR(next.distance, start.distance - step * k, 1e-9);
        if (next.distance > 1e-3) {
          EXPECT_LT((next.normal - start.normal).norm(), 1e-6) << "the normal is constant along the approach";
        }
      }
      if (k < 40 || !is_sheet(obstacle)) {
        EXPECT_LE(std::fabs(next.distance - last.distance), step + 1e-9);
      }
      last = next;
    }
    if (is_sheet(obstacle)) return;
    const Vec3 shift = -(start.distance + 1e-6) * start.normal;
    const double just_in = gap(LineSegment{line.a + shift, line.b + shift}, obstacle).distance;
    EXPECT_LT(just_in, 1e-6);
    ++all;
    out_again += just_in >= 0.0;
  });
  EXPECT_LT(out_again, all / 20) << "past a sharp corner";
}

TEST(ObstacleLaw, TranslationOutOfAConvexShapeSeparates) {
  constexpr double beyond = 1e-4;
  int inside = 0;
  for_each_shape(obstacle_seed + 3, 300, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const Gap gap = limber::gap(line, obstacle);
    if (is_mesh(obstacle) || gap.distance > -1e-6) return;
    ++inside;
    const auto shifted = [&](double by) {
      const Vec3 shift = by * gap.normal;
      return limber::gap(LineSegment{line.a + shift, line.b + shift}, obstacle);
    };
    EXPECT_NEAR(shifted(-gap.distance + beyond).distance, beyond, 1e-9);
    EXPECT_NEAR(shifted(-gap.distance - 1e-7).distance, -1e-7, 1e-9) << "not earlier";
  });
  EXPECT_GT(inside, law::law_count(300));
}

TEST(ObstacleLaw, WitnessPointsAreConsistent) {
  for_each_shape(obstacle_seed + 4, 300, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const Gap gap = limber::gap(line, obstacle);
    EXPECT_GE(gap.t, 0.0);
    EXPECT_LE(gap.t, 1.0);
    EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-9);
    EXPECT_NEAR((gap.on_line - line.at(gap.t)).norm(), 0.0, 1e-12);
    EXPECT_NEAR((gap.on_line - gap.on_shape - gap.distance * gap.normal).norm(), 0.0, 1e-12);
    if (gap.slope < 1.0 - 1e-9) return;
    EXPECT_NEAR(limber::gap(LineSegment{gap.on_shape, gap.on_shape}, obstacle).distance, 0.0, 1e-8);
  });
}

TEST(ObstacleLaw, MovesWithTheWorld) {
  for_each_shape(obstacle_seed + 5, 200, [&](const Obstacle& obstacle, const LineSegment& line, Random& random) {
    const Frame X = testing::random_frame(random, 3.0);
    Obstacle moved = obstacle;
    moved.X_world_shape = X * obstacle.X_world_shape;
    const Gap here = gap(line, obstacle), there = gap(LineSegment{X * line.a, X * line.b}, moved);
    EXPECT_NEAR(here.distance, there.distance, 1e-9);
    const bool one = std::fabs(here.t - there.t) < 1e-6;  // or it is parallel to a face and rounding decides
    if (one && here.distance > 1e-3) {
      EXPECT_NEAR((X.R * here.normal - there.normal).norm(), 0.0, 1e-7);
    }
  });
}

TEST(ObstacleLaw, DoesNotDependOnTheOrderOfEnds) {
  for_each_shape(obstacle_seed + 6, 200, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const Gap one = gap(line, obstacle), other = gap(LineSegment{line.b, line.a}, obstacle);
    EXPECT_NEAR(one.distance, other.distance, 1e-9);
    if (one.distance > 1e-6) {
      EXPECT_NEAR((one.normal - other.normal).norm(), 0.0, 1e-8);
    }
  });
}

TEST(ObstacleLaw, BoundsContainTheShape) {
  for_each_shape(obstacle_seed + 7, 300, [&](const Obstacle& obstacle, const LineSegment& line, Random&) {
    const BoundingBox bounds = bounds_of(obstacle);
    BoundingBox around;
    around.take(line.a);
    around.take(line.b);
    const Gap gap = limber::gap(line, obstacle);
    EXPECT_LE(std::sqrt(bounds.square_from(around)), std::fmax(0.0, gap.distance) + 1e-12);
    if (gap.slope < 1.0 - 1e-9) return;
    EXPECT_TRUE((gap.on_shape - bounds.low).minCoeff() > -1e-9 && (bounds.high - gap.on_shape).minCoeff() > -1e-9);
  });
}

TEST(ObstacleGap, OfALineParallelToAFaceIsInItsMiddle) {
  const LineSegment flat{{-3, 1, 0}, {0.2, 1, 0}};
  const Obstacle floor = *build_obstacle("floor", HalfSpaceShape{});
  EXPECT_EQ(gap(flat, floor).t, 0.5);
  EXPECT_EQ(gap(flat, floor).distance, 1.0);
  // Over a box it is the middle of the part over the box, from -0.5 to 0.2.
  const double middle = (-0.15 + 3.0) / 3.2;
  const Obstacle box = *build_obstacle("box", BoxShape{{0.5, 0.5, 0.5}});
  const Obstacle hull = *build_obstacle("hull", good(Polyhedron::build(testing::box_corners({0.5, 0.5, 0.5}))));
  for (const Obstacle* obstacle : {&box, &hull})
    for (const double height : {1.0, 0.6, 0.5, 0.4}) {
      SCOPED_TRACE(obstacle->name + std::to_string(height));
      const Gap one = gap(LineSegment{{-3, height, 0}, {0.2, height, 0}}, *obstacle);
      EXPECT_NEAR(one.distance, height - 0.5, 1e-12);
      EXPECT_NEAR(one.t, middle, 1e-9);
      EXPECT_NEAR((one.normal - Vec3::UnitY()).norm(), 0.0, 1e-12);
    }
}

}  // namespace obstacle_test
}  // namespace limber
