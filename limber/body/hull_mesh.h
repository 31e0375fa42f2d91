// The surface of the convex hull of a few ellipsoids, as triangles.
//
// For ellipsoids c_i + A_i b, ‖b‖ <= 1, the hull's support function h and its point with outward normal n are
//
//   h(n) = max_i h_i(n),  h_i(n) = c_i · n + ‖A_iᵀ n‖,  reached at  x_i(n) = c_i + A_i A_iᵀ n / ‖A_iᵀ n‖,
//
// so a triangulated sphere of directions n becomes a triangulated hull with normals n. If two neighbouring directions
// have different ellipsoids i and j, there is a direction between them with h_i = h_j; both points with that normal
// become vertices, and between them lies the flat or conical part that touches both ellipsoids. No point-set hull is
// computed, so coplanar points need no tie-breaking: the surface is closed and oriented like the sphere. Each vertex
// records its ellipsoid.
#pragma once

#include <array>
#include <vector>

#include "limber/body/ellipsoid.h"

namespace limber::body {

// Unit vectors and triangles over them, counter-clockwise from outside.
struct Directions {
  std::vector<Vec3> n;
  std::vector<std::array<int, 3>> triangles;

  // A subdivided octahedron with `round` directions (at least 4, rounded up to a multiple of four) in each plane
  // through two columns of R, and symmetric about these planes.
  static Directions octahedral(int round, const Mat3& R);
  // Splits each direction in the plane across the unit vector x into two nearly equal ones. No edge may cross that
  // plane. In the plane, the left and right ellipsoids of a symmetric hull have equal support; the split gives both
  // sides their points.
  Directions parted(const Vec3& x) const;
};

struct HullMesh {
  std::vector<int> ellipsoid;  // by vertex: index in the hull
  std::vector<Vec3> position;
  std::vector<Vec3> normal;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside

  double volume() const;
};

// `hull` is finite and not empty. Vertices lie on the hull, triangles inside it. Coincident points of one ellipsoid are
// merged. With coarse directions (24 round) and near thin discs, a few triangles may fold and face inward.
HullMesh hull_mesh(const std::vector<Ellipsoid>& hull, const Directions& directions);

}  // namespace limber::body
