// The surface of a hull of ellipsoids: closed, outward, on the hull, and as large as geometry says.
#include "limber/body/hull_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "limber/base/random.h"

namespace limber::body {
namespace {

constexpr int hull_cases = 300;
constexpr double fold_share = 1e-4;  // of the area: slivers

// Of 1 to 5 ellipsoids: balls, equal balls, flat ones, some inside others.
// One number after the other: a compiler may evaluate arguments in any order. The half-axes of an ellipsoid are at
// least `flattest` of the largest they may be.
std::vector<Ellipsoid> random_hull(Random& random, double flattest = 0.02) {
  std::vector<Ellipsoid> hull;
  const double reach = random.between(0.0, 2.0);
  const double radius = random.between(0.1, 1.0);
  const int count = random.integer(1, 5);
  for (int k = 0; k < count; ++k) {
    const double away = random.between(0.0, reach);
    const Vec3 centre = away * random.direction();
    const double r = random.between(0.05, 1.0);
    Vec3 half;
    for (double& axis : half) axis = random.between(flattest, 1.0);
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
  double most = -infinity;
  for (const Ellipsoid& e : hull) most = std::fmax(most, e.centre.dot(n) + (e.axes.transpose() * n).norm());
  return most;
}

Vec3 corner(const HullMesh& mesh, const std::array<int, 3>& t, std::size_t k) {
  return mesh.position.at(static_cast<std::size_t>(t[k]));
}

// Says what is wrong with the surface; empty if it is closed, in one piece, and has no handle.
std::string surface_fault(const HullMesh& mesh) {
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
    // None is farther from its nearest than about a step: a face's corner is at most 2/√3 of half its side away.
    for (int k = 0; k < 200; ++k) {
      const Vec3 m = random.direction();
      double nearest = -1.0;
      for (const Vec3& n : directions.n) nearest = std::fmax(nearest, n.dot(m));
      EXPECT_GT(nearest, std::cos(0.75 * 0.5 * pi / f)) << round;
    }
  }
}

TEST(HullMesh, IsClosedWhateverTheEllipsoids) {
  Random random(2);
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random);
    const Mat3 R = random.chance(0.5) ? Mat3(Mat3::Identity()) : random.rotation();
    const Directions whole = Directions::octahedral(4 * random.integer(1, 6), R);
    const HullMesh mesh = hull_mesh(hull, random.chance(0.5) ? whole : whole.parted(R.col(0)));
    ASSERT_EQ(surface_fault(mesh), "") << "seed 2, case " << k;
    ASSERT_GT(mesh.volume(), 0.0) << "seed 2, case " << k;
  }
}

TEST(HullMesh, TiesLeaveItClosedAndWithoutEmptyTriangles) {
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
    EXPECT_EQ(surface_fault(mesh), "");
    for (const std::array<int, 3>& t : mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) EXPECT_GT((corner(mesh, t, k) - corner(mesh, t, (k + 1) % 3)).norm(), 1e-6);
  }
}

TEST(HullMesh, PartedItIsItsOwnMirrorImage) {
  Random random(10);
  for (int k = 0; k < 100; ++k) {
    std::vector<Ellipsoid> hull = random_hull(random);
    const Mat3 mirror = Vec3(-1.0, 1.0, 1.0).asDiagonal();
    for (std::size_t e = hull.size(); e-- > 0;)
      hull.push_back({mirror * hull[e].centre, mirror * hull[e].axes, hull[e].segment});
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(16, Mat3::Identity()).parted(Vec3::UnitX()));
    ASSERT_EQ(surface_fault(mesh), "") << "seed 10, case " << k;
    // Flat ellipsoids turn a small angle into a long way: 1e-6 radians on half-axes of 1 and 0.02.
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
      // The plane through the vertex across its normal has all ellipsoids behind it.
      ASSERT_NEAR(mesh.position[v].dot(mesh.normal[v]), reach_of(hull, mesh.normal[v]), 1e-7)
          << "seed 3, case " << k << ", vertex " << v;
    }
  }
}

TEST(HullMesh, MissesNoMoreOfTheHullThanIsRoundBetweenDirections) {
  Random random(4);
  constexpr int f = 4;
  for (int k = 0; k < hull_cases; ++k) {
    const std::vector<Ellipsoid> hull = random_hull(random);
    const HullMesh mesh = hull_mesh(hull, Directions::octahedral(4 * f, Mat3::Identity()));
    const Vec3 m = random.direction();
    double most = -infinity;
    for (const Vec3& x : mesh.position) most = std::fmax(most, x.dot(m));
    const double extent = reach_of(hull, m) + reach_of(hull, -m);
    double across = 0.0;
    for (int axis = 0; axis < 3; ++axis) across += reach_of(hull, Vec3::Unit(axis)) + reach_of(hull, -Vec3::Unit(axis));
    const double step = 0.75 * 0.5 * pi / f;
    EXPECT_LE(most, reach_of(hull, m) + 1e-9 * extent);
    // From the nearest direction, whose support is exact: h(m) - x · m <= ‖x(m) - x‖ · 2 sin(step / 2).
    EXPECT_GE(most, reach_of(hull, m) - 2.0 * std::sin(0.5 * step) * across) << "seed 4, case " << k;
  }
}

// Of ellipsoids as bodies have them, over directions that are near enough to each other: slivers at most. Over 24
// round, one hull in a hundred has folds of more than a hundredth of its area; beside thin discs they go only with many
// more.
TEST(HullMesh, TrianglesLookOutward) {
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

// π/3 · (r² + r s + s²) · h of the frustum between the circles where a cone touches two balls, and what of the balls
// lies beyond them: a cap of height a of a ball of radius r has the volume π a² (3 r - a) / 3.
double volume_of_two_balls(double r, double s, double distance) {
  const double sine = (r - s) / distance, cosine = std::sqrt(1.0 - sine * sine);
  const auto cap = [](double radius, double high) { return pi * high * high * (3.0 * radius - high) / 3.0; };
  const double a = r * cosine, b = s * cosine, high = distance - sine * (r - s);
  return pi / 3.0 * (a * a + a * b + b * b) * high + cap(r, r + sine * r) + cap(s, s - sine * s);
}

TEST(HullMesh, VolumeTendsToThatOfTheHull) {
  Random random(6);
  for (int k = 0; k < 30; ++k) {
    const double r = random.between(0.2, 1.0), s = random.between(0.2, 1.0);
    const double distance = std::fabs(r - s) + random.between(0.1, 3.0);
    const Vec3 along = random.direction(), centre = random.direction();
    // Stretched, both grow alike.
    const Mat3 stretch = random.rotation() * Vec3(1.5, 0.7, 1.0).asDiagonal() * random.rotation();
    const double exact = stretch.determinant() * volume_of_two_balls(r, s, distance);
    const std::vector<Ellipsoid> hull = {{centre, r * stretch},
                                         {centre + stretch * Vec3(distance * along), s * stretch}};
    double before = 0.0;
    for (const int round : {8, 16, 32, 64}) {
      const double volume = hull_mesh(hull, Directions::octahedral(round, Mat3::Identity())).volume();
      EXPECT_GT(volume, before);
      EXPECT_LT(volume, exact * (1.0 + 1e-9));
      // The part that is missing falls with the square of the step.
      EXPECT_GT(volume, exact * (1.0 - 60.0 / (round * round))) << "seed 6, case " << k << ", " << round;
      before = volume;
    }
  }
}

// Three equal balls in a row, the middle one thicker by less than the directions can tell apart.
TEST(HullMesh, SeesASlightBulge) {
  const std::vector<Ellipsoid> hull = {Ellipsoid::ball({0, 0, 0}, 0.1), Ellipsoid::ball({0, 0.5, 0}, 0.11),
                                       Ellipsoid::ball({0, 1, 0}, 0.1)};
  const HullMesh mesh = hull_mesh(hull, Directions::octahedral(16, Mat3::Identity()));
  double widest = 0.0;
  for (const Vec3& x : mesh.position) widest = std::fmax(widest, x.x());
  EXPECT_NEAR(widest, 0.11, 1e-5);
  EXPECT_NE(std::find(mesh.ellipsoid.begin(), mesh.ellipsoid.end(), 1), mesh.ellipsoid.end());
}

TEST(HullMesh, LeavesOutWhatLiesInside) {
  const HullMesh mesh = hull_mesh({Ellipsoid::ball({0.1, 0, 0}, 0.2), Ellipsoid::ball({0, 0, 0}, 1.0)},
                                  Directions::octahedral(8, Mat3::Identity()));
  for (const int e : mesh.ellipsoid) EXPECT_EQ(e, 1);
}

}  // namespace
}  // namespace limber::body
