// Meshes against brute force over their triangles.
#include <gtest/gtest.h>

#include <string>

#include "limber/obstacle/box.h"
#include "limber/obstacle/hull.h"
#include "limber/obstacle/obstacle.h"
#include "limber/obstacle/triangle_tree.h"
#include "tests/obstacle/meshes.h"
#include "tests/support/laws.h"

namespace limber {
namespace mesh_test {

using testing::angle_mesh;
using testing::box_corners;
using testing::box_mesh;
using testing::Corners;
using testing::good;
using testing::MeshSource;
using testing::point_to_triangle;
using testing::random_line_segment;
using testing::random_point;
using testing::sampled_minimum;
using testing::sheet_mesh;

constexpr std::uint64_t mesh_seed = 8201;

double mesh_oracle(const TriangleMesh& mesh, const Vec3& x) {
  double min = infinity;
  for (int k = 0; k < mesh.triangle_count(); ++k) min = std::fmin(min, point_to_triangle(x, mesh.triangle(k).p));
  return min;
}

bool is_in_angle(const Vec3& x) {
  const Vec3 y = x + Vec3(0.4, 0.4, 0.25);
  return y.minCoeff() > 0.0 && y[2] < 0.5 && y[0] < 1.0 && y[1] < 1.0 && (y[0] < 0.4 || y[1] < 0.4);
}

TEST(TriangleMesh, DetectsSolids) {
  EXPECT_TRUE(box_mesh({1, 1, 1}).built().solid());
  EXPECT_TRUE(angle_mesh().built().solid());
  EXPECT_FALSE(sheet_mesh().built().solid());
  MeshSource open = box_mesh({1, 1, 1});
  open.triangles.pop_back();
  EXPECT_FALSE(open.built().solid());
  MeshSource mixed = box_mesh({1, 1, 1});
  std::swap(mixed.triangles[3][0], mixed.triangles[3][1]);
  EXPECT_FALSE(mixed.built().solid());
  MeshSource turned = box_mesh({1, 1, 1});
  for (auto& triangle : turned.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_TRUE(turned.built().solid());
  EXPECT_NEAR(turned.built().gap({{0, 0, 0}, {0, 0, 0}}).distance, -1.0, 1e-12);
  // Coincident vertices are merged; most files have them.
  MeshSource soup;
  for (const auto& triangle : box_mesh({1, 1, 1}).triangles) {
    for (const int corner : triangle) soup.vertices.push_back(box_corners({1, 1, 1})[static_cast<std::size_t>(corner)]);
    const int n = static_cast<int>(soup.vertices.size());
    soup.triangles.push_back({n - 3, n - 2, n - 1});
  }
  EXPECT_TRUE(soup.built().solid());
}

TEST(TriangleMesh, RejectsInvalidMeshes) {
  EXPECT_FALSE(TriangleMesh::build({}, {}));
  EXPECT_FALSE(TriangleMesh::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}));
  EXPECT_FALSE(TriangleMesh::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}));
  EXPECT_FALSE(TriangleMesh::build({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, -1}}));
  EXPECT_FALSE(TriangleMesh::build({{0, 0, 0}, {1, 0, 0}, {0, infinity, 0}}, {{0, 1, 2}}));
  EXPECT_FALSE(TriangleMesh::build({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}));
  EXPECT_TRUE(TriangleMesh::build({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}})) << "a degenerate triangle is a line";
}

TEST(TriangleMesh, OfABoxAgreesWithTheBoxOutside) {
  Random random(mesh_seed);
  for (int k = 0; k < law::law_count(3000); ++k) {
    SCOPED_TRACE(k);
    const Vec3 half(random.between(0.02, 1.0), random.between(0.02, 1.0), random.between(0.02, 1.0));
    const TriangleMesh mesh = box_mesh(half).built();
    const LineSegment line = random_line_segment(random, 1.5);
    const Gap box = box_gap(line, half), gap = mesh.gap(line);
    if (box.distance > 1e-9) {
      EXPECT_NEAR(gap.distance, box.distance, 1e-12);
      EXPECT_NEAR((gap.normal - box.normal).norm(), 0.0, 1e-9 / box.distance);
    } else {
      EXPECT_LE(gap.distance, 1e-9);
      EXPECT_GE(gap.distance, box.distance - 1e-9) << "the depth is at most the separating translation";
    }
  }
}

TEST(TriangleMesh, HasTheDepthOfItsDeepestPoint) {
  Random random(mesh_seed + 1);
  const TriangleMesh mesh = angle_mesh().built();
  int inside = 0;
  for (int k = 0; k < law::law_count(500); ++k) {
    SCOPED_TRACE(k);
    const LineSegment line = random_line_segment(random, 0.8);
    const auto signed_distance = [&](double t) {
      const double distance = mesh_oracle(mesh, line.at(t));
      return is_in_angle(line.at(t)) ? -distance : distance;
    };
    const Gap gap = mesh.gap(line);
    const double expected = sampled_minimum(signed_distance, 200);
    EXPECT_NEAR(gap.distance, expected, 1e-7);
    EXPECT_NEAR(signed_distance(gap.t), gap.distance, 1e-9);
    EXPECT_NEAR(gap.normal.norm(), 1.0, 1e-12);
    EXPECT_LE(gap.slope, 1.0 + 1e-12);
    inside += gap.distance < 0.0;
  }
  EXPECT_GT(inside, law::law_count(500) / 4);
}

TEST(TriangleMesh, HasPositiveDepthInside) {
  Random random(mesh_seed + 2);
  const TriangleMesh mesh = angle_mesh().built();
  for (int k = 0; k < law::law_count(3000); ++k) {
    const Vec3 x = random_point(random, 0.8);
    const double distance = mesh.gap({x, x}).distance;
    EXPECT_EQ(distance < 0.0, is_in_angle(x));
    EXPECT_NEAR(std::fabs(distance), mesh_oracle(mesh, x), 1e-12);
  }
}

TEST(TriangleMesh, AsASheetIsPiercedOrClear) {
  Random random(mesh_seed + 3);
  const TriangleMesh mesh = sheet_mesh().built();
  int pierced = 0;
  for (int k = 0; k < law::law_count(500); ++k) {
    SCOPED_TRACE(k);
    const LineSegment line = random_line_segment(random, 1.0);
    const Gap gap = mesh.gap(line);
    const double min = sampled_minimum([&](double t) { return mesh_oracle(mesh, line.at(t)); }, 200);
    if (min > 1e-6) {
      EXPECT_NEAR(gap.distance, min, 1e-7);
      continue;
    }
    ++pierced;
    EXPECT_LE(gap.distance, 1e-6);
    EXPECT_GE(gap.distance, -std::fmin(mesh_oracle(mesh, line.a), mesh_oracle(mesh, line.b)) - 1e-9);
    // After the separating translation, the end is back or the line is past the rim.
    const Vec3 shift = (-gap.distance + 1e-6) * gap.normal;
    const Gap shifted = mesh.gap({line.a + shift, line.b + shift});
    EXPECT_GE(shifted.distance, gap.distance);
  }
  EXPECT_GT(pierced, law::law_count(500) / 8);
}

TEST(TriangleMesh, OfManyTrianglesFindsTheNearest) {
  // A ball with a rough surface, in a tree several levels deep.
  Random random(mesh_seed + 4);
  Corners points;
  for (int k = 0; k < 300; ++k) points.push_back(random.direction());
  const Hull hull = good(convex_hull(points));
  MeshSource rough{hull.corners, hull.triangles};
  for (Vec3& x : rough.vertices) x *= random.between(0.9, 1.1);
  const TriangleMesh mesh = rough.built();
  ASSERT_TRUE(mesh.solid());
  for (int k = 0; k < law::law_count(100); ++k) {
    SCOPED_TRACE(k);
    const LineSegment line = random_line_segment(random, 2.5);
    const Gap gap = mesh.gap(line);
    const double min = sampled_minimum([&](double t) { return mesh_oracle(mesh, line.at(t)); }, 60);
    if (gap.distance > 0.0) {
      EXPECT_NEAR(gap.distance, min, 1e-7);
    } else {
      EXPECT_NEAR(mesh_oracle(mesh, gap.on_line), -gap.distance, 1e-9);
    }
  }
}

TEST(TriangleMesh, IgnoresDegenerateTriangles) {
  // A box whose top has a vertex on the edge of two triangles: the triangle between has no area.
  MeshSource mesh = box_mesh({1, 1, 1});
  const TriangleMesh plain = mesh.built();
  const int n = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(0.5 * (mesh.vertices[6] + mesh.vertices[7]));
  for (auto& triangle : mesh.triangles) {
    if (triangle == std::array<int, 3>{2, 6, 7}) triangle = {2, 6, n};
  }
  mesh.triangles.push_back({2, n, 7});
  mesh.triangles.push_back({n, 6, 7});
  const TriangleMesh needle = mesh.built();
  ASSERT_TRUE(needle.solid());
  Random random(mesh_seed + 5);
  for (int k = 0; k < law::law_count(2000); ++k) {
    const LineSegment line = random_line_segment(random, 1.6);
    EXPECT_NEAR(needle.gap(line).distance, plain.gap(line).distance, 1e-8);
  }
}

}  // namespace mesh_test
}  // namespace limber
