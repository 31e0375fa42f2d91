// The surface of a hull of ellipsoids: closed, outward, on the hull, with the right volume.
#include "limber/body/hull_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "limber/base/random.h"

namespace limber::body {
namespace hull_mesh_test {

constexpr int hull_cases = 300;
constexpr double fold_share = 1e-4;  // of the area: slivers

// 1 to 5 ellipsoids: balls, equal balls, flat ones, some inside others. Half-axes are between `min_half_axis` and 1.
// Numbers are drawn in separate statements, because a compiler may evaluate arguments in any order.
std::vector<Ellipsoid> random_hull(Random& random, double min_half_axis = 0.02) {
  std::vector<Ellipsoid> hull;
  const double reach = random.between(0.0, 2.0);
  const double radius = random.between(0.1, 1.0);
  const int count = random.integer(1, 5);
  for (int k = 0; k < count; ++k) {
    const double away = random.between(0.0, reach);
    const Vec3 centre = away * random.direction();
    const double r = random.between(0.05, 1.0);
    Vec3 half;
    for (double& axis : half) axis = random.between(min_half_axis, 1.0);
    if (random.chance(0.3))
      hull.push_back(Ellipsoid::ball(centre, radius, k));
    else if (random.chance(0.4))
      hull.push_back(Ellipsoid::ball(centre, r, k));
    else
      hull.push_back({centre, random.rotation() * half.asDiagonal(), k});
  }
  return hull;
}

double reach_of(const std::vector<Ellipsoid>& hull, const Vec3& n) {
  double support = -infinity;
  for (const Ellipsoid& e : hull) support = std::fmax(support, e.centre.dot(n) + (e.axes.transpose() * n).norm());
  return support;
}

Vec3 corner(const HullMesh& mesh, const std::array<int, 3>& t, std::size_t k) {
  return mesh.position.at(static_cast<std::size_t>(t[k]));
}

// The defect of the surface; empty if it is closed, connected, and of genus 0.
std::string surface_defect(const HullMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  std::set<int> used;
  for (const std::array<int, 3>& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      used.insert(t[k]);
      if (++edges[{t[k], t[(k + 1) % 3]}] > 1) return "an edge twice";
    }
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first})) return "an edge without its opposite";
  if (used.size() != mesh.position.size() || mesh.position.size() != mesh.normal.size() ||
      mesh.position.size() != mesh.ellipsoid.size())
    return "vertices that are not used";
  // Euler: V - E + F = 2.
  if (used.size() + mesh.triangles.size() != edges.size() / 2 + 2) return "not a sphere";
  return "";
}

TEST(HullMesh, DirectionsAreUnitAndCoverTheSphere) {
  Random random(1);
  for (const int round : {4, 5, 8, 16, 32}) {
    const Directions directions = Directions::octahedral(round, random.rotation());
    const int f = (round + 3) / 4;
    EXPECT_EQ(directions.n.size(), static_cast<std::size_t>(4 * f * f + 2));
    EXPECT_EQ(directions.triangles.size(), static_cast<std::size_t>(8 * f * f));
    for (const Vec3& n : directions.n) EXPECT_NEAR(n.norm(), 1.0, 1e-12);
    // Every direction is within about a step of a grid direction: the centre of a face is at most 2/√3 of half its side
    // from a corner.
    for (int k = 0; k < 200; ++k) {
      const Vec3 m = random.direction();
      double nearest = -1.0;
      for (const Vec3& n : directions.n) nearest = std::fmax(nearest, n.dot(m));
      EXPECT_GT(nearest, std::cos(0.75 * 0.5 * pi / f)) << round;
    }
  }
}

TEST(HullMesh, IsClosedForAnyEllipsoids) {
  Random random(2);
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random);
    const Mat3 R = random.chance(0.5) ? Mat3(Mat3::Identity()) : random.rotation();
    const Directions whole = Directions::octahedral(4 * random.integer(1, 6), R);
    const HullMesh mesh = hull_mesh(hull, random.chance(0.5) ? whole : whole.parted(R.col(0)));
    ASSERT_EQ(surface_defect(mesh), "") << "seed 2, case " << k;
    ASSERT_GT(mesh.volume(), 0.0) << "seed 2, case " << k;
  }
}

TEST(HullMesh, IsClosedWithoutEmptyTrianglesForTies) {
  const Directions directions = Directions::octahedral(16, Mat3::Identity());
  const double r = 0.25;
  const std::vector<std::vector<Ellipsoid>> symmetric = {
      {Ellipsoid::ball({-1, 0, 0}, r), Ellipsoid::ball({1, 0, 0}, r)},
      {Ellipsoid::ball({-1, 0, 0}, r), Ellipsoid::ball({1, 0, 0}, r), Ellipsoid::ball({0, 1, 0}, r),
       Ellipsoid::ball({0, -1, 0}, r)},
      {Ellipsoid::ball({1, 1, 1}, r), Ellipsoid::ball({-1, -1, 1}, r), Ellipsoid::ball({-1, 1, -1}, r),
       Ellipsoid::ball({1, -1, -1}, r)},
      {Ellipsoid::ball({0, 0, 0}, r), Ellipsoid::ball({0, 0, 0}, r)},
  };
  for (const std::vector<Ellipsoid>& hull : symmetric) {
    const HullMesh mesh = hull_mesh(hull, directions);
    EXPECT_EQ(surface_defect(mesh), "");
    for (const std::array<int, 3>& t : mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) EXPECT_GT((corner(mesh, t, k) - corner(mesh, t, (k + 1) % 3)).norm(), 1e-6);
  }
}

TEST(HullMesh, IsSymmetricWithPartedDirections) {
  Random random(10);
  for (int k = 0; k < 100; ++k) {
    std::vector<Ellipsoid> hull = random_hull(random);
    const Mat3 mirror = Vec3(-1.0, 1.0, 1.0).asDiagonal();
    for (std::size_t e = hull.size(); e-- > 0;)
      hull.push_back({mirror * hull[e].centre, mirror * hull[e].axes, hull[e].segment});
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(16, Mat3::Identity()).parted(Vec3::UnitX()));
    ASSERT_EQ(surface_defect(mesh), "") << "seed 10, case " << k;
    // Flat ellipsoids turn a small angle into a large distance: 1e-6 radians on half-axes of 1 and 0.02.
    constexpr double near = 3e-4;
    for (const Vec3& p : mesh.position) {
      double nearest = infinity;
      for (const Vec3& q : mesh.position) nearest = std::fmin(nearest, (q - mirror * p).norm());
      ASSERT_LT(nearest, near) << "seed 10, case " << k << " at " << p.transpose();
    }
  }
}

TEST(HullMesh, VerticesLieOnTheirEllipsoidsAndOnTheHull) {
  Random random(3);
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random);
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(16, Mat3::Identity()));
    for (std::size_t v = 0; v < mesh.position.size(); ++v) {
      const Ellipsoid& own = hull.at(static_cast<std::size_t>(mesh.ellipsoid[v]));
      ASSERT_NEAR((own.axes.inverse() * (mesh.position[v] - own.centre)).norm(), 1.0, 1e-9);
      ASSERT_NEAR(mesh.normal[v].norm(), 1.0, 1e-9);
      // The tangent plane at the vertex has all ellipsoids behind it.
      ASSERT_NEAR(mesh.position[v].dot(mesh.normal[v]), reach_of(hull, mesh.normal[v]), 1e-7)
          << "seed 3, case " << k << ", vertex " << v;
    }
  }
}

TEST(HullMesh, ApproximatesTheHullToTheStepOfTheDirections) {
  Random random(4);
  constexpr int f = 4;
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random);
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(4 * f, Mat3::Identity()));
    const Vec3 m = random.direction();
    double support = -infinity;
    for (const Vec3& x : mesh.position) support = std::fmax(support, x.dot(m));
    const double extent = reach_of(hull, m) + reach_of(hull, -m);
    double across = 0.0;
    for (int axis = 0; axis < 3; ++axis) across += reach_of(hull, Vec3::Unit(axis)) + reach_of(hull, -Vec3::Unit(axis));
    const double step = 0.75 * 0.5 * pi / f;
    EXPECT_LE(support, reach_of(hull, m) + 1e-9 * extent);
    // From the nearest direction, whose support is exact: h(m) - x · m <= ‖x(m) - x‖ · 2 sin(step / 2).
    EXPECT_GE(support, reach_of(hull, m) - 2.0 * std::sin(0.5 * step) * across) << "seed 4, case " << k;
  }
}

// For ellipsoids as in bodies, with fine directions, only slivers may face inward. With 24 round, one hull in a hundred
// has folds above 1 % of its area; near thin discs many more directions are needed.
TEST(HullMesh, TrianglesFaceOutward) {
  Random random(5);
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random, 0.3);
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(48, Mat3::Identity()));
    double inward = 0.0, total = 0.0;
    for (const std::array<int, 3>& t : mesh.triangles) {
      const Vec3 area = (corner(mesh, t, 1) - corner(mesh, t, 0)).cross(corner(mesh, t, 2) - corner(mesh, t, 0));
      Vec3 n = Vec3::Zero();
      for (const int v : t) n += mesh.normal.at(static_cast<std::size_t>(v));
      total += area.norm();
      if (area.dot(n) < 0.0) inward += area.norm();
    }
    EXPECT_LE(inward, fold_share * total) << "seed 5, case " << k;
  }
}

// The frustum between the circles where a cone touches two balls, π/3 · (r² + r s + s²) · h, and the caps of the balls
// beyond them: π a² (3 r - a) / 3 for height a and radius r.
double volume_of_two_balls(double r, double s, double distance) {
  const double sine = (r - s) / distance, cosine = std::sqrt(1.0 - sine * sine);
  const auto cap = [](double radius, double height) { return pi * height * height * (3.0 * radius - height) / 3.0; };
  const double a = r * cosine, b = s * cosine, height = distance - sine * (r - s);
  return pi / 3.0 * (a * a + a * b + b * b) * height + cap(r, r + sine * r) + cap(s, s - sine * s);
}

TEST(HullMesh, VolumeConvergesToThatOfTheHull) {
  Random random(6);
  for (int k = 0; k < 30; ++k) {
    const double r = random.between(0.2, 1.0), s = random.between(0.2, 1.0);
    const double distance = std::fabs(r - s) + random.between(0.1, 3.0);
    const Vec3 along = random.direction(), centre = random.direction();
    // A linear map scales both volumes by its determinant.
    const Mat3 linear_map = random.rotation() * Vec3(1.5, 0.7, 1.0).asDiagonal() * random.rotation();
    const double exact = linear_map.determinant() * volume_of_two_balls(r, s, distance);
    const std::vector<Ellipsoid> hull = {{centre, r * linear_map},
                                         {centre + linear_map * Vec3(distance * along), s * linear_map}};
    double before = 0.0;
    for (const int round : {8, 16, 32, 64}) {
      const double volume = hull_mesh(hull, Directions::octahedral(round, Mat3::Identity())).volume();
      EXPECT_GT(volume, before);
      EXPECT_LT(volume, exact * (1.0 + 1e-9));
      // The missing volume decreases with the square of the step.
      EXPECT_GT(volume, exact * (1.0 - 60.0 / (round * round))) << "seed 6, case " << k << ", " << round;
      before = volume;
    }
  }
}

// Three balls in a row, the middle one slightly thicker, below the resolution of the directions.
TEST(HullMesh, KeepsASlightBulge) {
  const std::vector<Ellipsoid> hull = {Ellipsoid::ball({0, 0, 0}, 0.1), Ellipsoid::ball({0, 0.5, 0}, 0.11),
                                       Ellipsoid::ball({0, 1, 0}, 0.1)};
  const HullMesh mesh = hull_mesh(hull, Directions::octahedral(16, Mat3::Identity()));
  double widest = 0.0;
  for (const Vec3& x : mesh.position) widest = std::fmax(widest, x.x());
  EXPECT_NEAR(widest, 0.11, 1e-5);
  EXPECT_NE(std::find(mesh.ellipsoid.begin(), mesh.ellipsoid.end(), 1), mesh.ellipsoid.end());
}

TEST(HullMesh, OmitsInteriorEllipsoids) {
  const HullMesh mesh = hull_mesh({Ellipsoid::ball({0.1, 0, 0}, 0.2), Ellipsoid::ball({0, 0, 0}, 1.0)},
                                  Directions::octahedral(8, Mat3::Identity()));
  for (const int e : mesh.ellipsoid) EXPECT_EQ(e, 1);
}

}  // namespace hull_mesh_test
}  // namespace limber::body
