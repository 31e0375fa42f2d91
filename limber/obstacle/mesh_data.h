// The data of a mesh, and the signed distance of a point; private to mesh.cpp and mesh_build.cpp.
#pragma once

#include <array>
#include <vector>

#include "limber/obstacle/obstacle.h"
#include "limber/obstacle/triangle_tree.h"

namespace limber {

struct TriangleMesh::Data {
  TriangleTree tree;
  TriangleTree rim;  // edges of one triangle only, as triangles without area
  bool solid = false;
  double size = 0.0;
  // By triangle: its unit normal (0 if degenerate), and the pseudonormals of its sides and corners.
  std::vector<Vec3> normals;
  std::vector<std::array<Vec3, 3>> side_normals, corner_normals;

  // Depth of a point in a solid (negative outside), and the outward direction.
  struct Depth {
    double depth = -infinity;
    Vec3 out = Vec3::UnitY();
    int triangle = -1;  // the nearest
  };
  // `likely` is a triangle that is probably near.
  Depth depth_of(const Vec3& x, int likely) const;
  // Whether a line that does not touch the surface, with a point x on it, is inside.
  bool contains(const LineSegment& line, const Vec3& x, int likely) const;
  // The winding number of the mesh around x: 1 inside, 0 outside.
  double winding(const Vec3& x) const;
  const Vec3& pseudonormal(const TriangleTree::FoundPoint& found) const;
};

}  // namespace limber
