// The convex hull against all planes through three points, on random and on degenerate points, and its cost.
#include "limber/obstacle/hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <set>

#include "limber/obstacle/obstacle.h"
#include "tests/obstacle/oracle.h"
#include "tests/support/laws.h"

namespace limber::testing {
namespace hull_test {

constexpr int families = 9;

// Points of a family: in general position, on a sphere, on a grid with and without noise, nearly flat, on a cylinder,
// repeated, a plane and one point above it, of sizes that differ by a factor of 10^7.
Corners random_points(int family, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto any = [&] { return Vec3(number(random), number(random), number(random)); };
  const auto on_grid = [&] { return Vec3(double(random() % 3), double(random() % 3), double(random() % 3)); };
  const double noise = std::pow(10.0, -double(random() % 17)), size = std::pow(10.0, double(random() % 7) - 3.0);
  const int count = 4 + static_cast<int>(random() % 30);
  Corners points;
  for (int k = 0; k < count; ++k) {
    Vec3 x = any();
    if (family == 1) x.normalize();
    if (family == 2) x = on_grid();
    if (family == 3) x = on_grid() + noise * x;
    if (family == 4) x[2] *= 1e-5;
    if (family == 5) x = Vec3(std::cos(k), std::sin(k), k % 2);
    if (family == 6 && k > 4 && random() % 2 == 0) x = points[random() % points.size()];
    if (family == 7) x[2] = k == 0 ? 1.0 : 0.0;
    if (family == 8) x *= std::pow(10.0, -double(random() % 8));
    points.push_back(family == 4 ? x : Vec3(size * x));
  }
  return points;
}

double size_of(const Corners& points) {
  double size = 0.0;
  for (const Vec3& x : points) size = std::fmax(size, (x - points.front()).norm());
  return size;
}

// Closed, of one piece, oriented outwards, with all points behind every triangle.
void expect_convex(const Hull& hull, const Corners& points) {
  EXPECT_EQ(hull.triangles.size(), 2 * hull.corners.size() - 4) << "Euler";
  std::set<std::pair<int, int>> sides;
  for (const auto& triangle : hull.triangles) {
    const auto corner = [&](std::size_t k) { return hull.corners.at(static_cast<std::size_t>(triangle.at(k))); };
    const Vec3 n = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    double outside = 0.0;
    for (const Vec3& x : points) outside = std::fmax(outside, n.dot(x - corner(0)));
    EXPECT_LE(outside, 2e-8 * size_of(points));
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(sides.insert({triangle.at(k), triangle.at((k + 1) % 3)}).second) << "a side of two triangles";
  }
  for (const auto& [from, to] : sides) EXPECT_TRUE(sides.contains({to, from})) << "an open side";
}

TEST(ConvexHull, IsClosedAndHasAllPointsBehindItsTriangles) {
  std::mt19937 random(1);
  std::map<int, int> rejected;
  const int count = law::law_count(300);
  for (int k = 0; k < count * families && !::testing::Test::HasFailure(); ++k) {
    const Corners points = random_points(k % families, random);
    const Expected<Hull> hull = convex_hull(points);
    SCOPED_TRACE("family " + std::to_string(k % families) + ", case " + std::to_string(k));
    if (hull)
      expect_convex(*hull, points);
    else
      ++rejected[k % families];
  }
  // Grids, cylinders and repeated points may lie in one plane; noise of the size of rounding may be a fold.
  for (int family = 0; family < families; ++family) EXPECT_LE(rejected[family], family < 2 ? 0 : count / 5) << family;
}

// The triangles of points in general position are the triples with all points on one side.
TEST(ConvexHull, HasTheTrianglesThatAllTriplesShow) {
  std::mt19937 random(2);
  for (int k = 0; k < law::law_count(100) && !::testing::Test::HasFailure(); ++k) {
    const Corners points = random_points(k % 2, random);
    const Expected<Hull> hull = convex_hull(points);
    ASSERT_TRUE(hull) << hull.error().text();
    const std::vector<OraclePlane> planes = supporting_planes(points);
    EXPECT_EQ(hull->triangles.size(), planes.size()) << "case " << k;
    for (const OraclePlane& plane : planes) {
      const auto corners = std::ranges::count_if(hull->corners, [&](const Vec3& x) {
        return std::fabs(plane.normal.dot(x) - plane.offset) < 1e-9 * size_of(points);
      });
      EXPECT_EQ(corners, 3) << "case " << k;
    }
  }
}

// The support of a polyhedron in any direction is that of its points: no face cuts anything off.
TEST(ConvexHull, OfAPolyhedronCutsNothingOff) {
  std::mt19937 random(3);
  for (int k = 0; k < law::law_count(300); ++k) {
    const Corners points = random_points(k % families, random);
    const Expected<Polyhedron> shape = Polyhedron::build(points);
    if (!shape) continue;
    for (const Vec3& x : points)
      EXPECT_LE(shape->gap(LineSegment{x, x}).distance, 2e-8 * size_of(points)) << "case " << k;
  }
}

// Twenty thousand points, all of them corners, take a fraction of a second, not hours.
TEST(ConvexHull, OfManyPointsIsQuick) {
  const std::clock_t begin = std::clock();
  for (const bool is_cut : {false, true}) {
    Corners points;
    const int count = 20'000;
    for (int k = 0; k < count; ++k) {
      const double y = 1.0 - (2.0 * k + 1.0) / count, turn = k * pi * (3.0 - std::sqrt(5.0));
      points.emplace_back(std::sqrt(1.0 - y * y) * std::cos(turn), is_cut ? std::fmin(y, 0.5) : y,
                          std::sqrt(1.0 - y * y) * std::sin(turn));
    }
    const Expected<Polyhedron> shape = Polyhedron::build(points);
    ASSERT_TRUE(shape) << shape.error().text();
    EXPECT_GT(shape->hull().corners.size(), count / 2u);
  }
  EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 30.0);
}

}  // namespace hull_test
}  // namespace limber::testing
