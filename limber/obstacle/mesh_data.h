// What a mesh keeps, and the signed distance of a point; private to mesh.cpp and mesh_build.cpp.
#pragma once

#include <array>
#include <vector>

#include "limber/obstacle/mesh.h"
#include "limber/obstacle/triangle_tree.h"

namespace limber {

struct TriangleMesh::Data {
  TriangleTree tree;
  TriangleTree rim;  // sides that belong to one triangle only, as triangles without area
  bool solid = false;
  double size = 0.0;
  // By triangle: its unit normal (0 for a needle), and of its sides and corners the pseudonormals.
  std::vector<Vec3> normals;
  std::vector<std::array<Vec3, 3>> side_normals, corner_normals;

  // How deep a point is in a solid (negative outside), and which way is out.
  struct Depth {
    double depth = -infinity;
    Vec3 out = Vec3::UnitY();
    int triangle = -1;  // the nearest
  };
  // `likely` is a triangle that may be near.
  Depth depth_of(const Vec3& x, int likely) const;
  // Whether a line that does not touch the surface, and its point x, are inside.
  bool holds(const LineSegment& line, const Vec3& x, int likely) const;
  // How often the mesh goes around x: 1 inside, 0 outside, whatever the triangles are like.
  double winding(const Vec3& x) const;
  const Vec3& pseudonormal(const TriangleTree::FoundPoint& found) const;
};

}  // namespace limber
