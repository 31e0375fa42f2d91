// Small meshes for tests: a box, an L with a concave edge, a folded sheet.
#pragma once

#include <array>
#include <vector>

#include "limber/obstacle/obstacle.h"
#include "tests/obstacle/oracle.h"
#include "tests/support/figures.h"

namespace limber::testing {

struct MeshSource {
  Corners vertices;
  std::vector<std::array<int, 3>> triangles;

  TriangleMesh built() const { return good(TriangleMesh::build(vertices, triangles)); }
};

inline MeshSource box_mesh(const Vec3& half) { return {box_corners(half), box_triangles()}; }

// An L: the outline swept along z, with a concave edge.
inline MeshSource angle_mesh() {
  const std::vector<Eigen::Vector2d> outline = {{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}};
  MeshSource mesh;
  for (const double z : {0.0, 0.5})
    for (const Eigen::Vector2d& p : outline) mesh.vertices.push_back({p[0] - 0.4, p[1] - 0.4, z - 0.25});
  const auto cap = [&](int i, int j, int k) {
    mesh.triangles.push_back({i + 6, j + 6, k + 6});
    mesh.triangles.push_back({i, k, j});
  };
  cap(0, 1, 2);
  cap(0, 2, 3);
  cap(0, 3, 4);
  cap(0, 4, 5);
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    mesh.triangles.push_back({k, next, next + 6});
    mesh.triangles.push_back({k, next + 6, k + 6});
  }
  return mesh;
}

// A folded sheet of four squares, open all around.
inline MeshSource sheet_mesh() {
  MeshSource mesh;
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 1; ++j) mesh.vertices.push_back({0.5 * i - 1.0, 0.15 * ((i * i) % 3), 1.2 * j - 0.6});
  for (int i = 0; i < 4; ++i) {
    mesh.triangles.push_back({2 * i, 2 * i + 1, 2 * i + 3});
    mesh.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 2});
  }
  return mesh;
}

}  // namespace limber::testing
