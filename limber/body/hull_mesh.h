// The surface of the convex hull of a few ellipsoids, as triangles.
//
// The hull has its support function and its point with the outward normal n from the ellipsoids c_i + A_i b, ‖b‖ <= 1:
//
//   h(n) = max_i h_i(n),  h_i(n) = c_i · n + ‖A_iᵀ n‖,  reached at  x_i(n) = c_i + A_i A_iᵀ n / ‖A_iᵀ n‖,
//
// so a triangulated sphere of directions n becomes a triangulated hull, and n is the normal. Where two neighbouring
// directions find different ellipsoids i and j, there is a direction between them with h_i = h_j; both points with that
// normal become vertices, and between them lies the flat or conical part that touches both ellipsoids. Nothing is
// searched for in space, so nothing depends on which of many points in a plane is the outer one: the surface is closed
// and oriented as the sphere is. Each vertex knows its ellipsoid.
#pragma once

#include <array>
#include <vector>

#include "limber/body/ellipsoid.h"

namespace limber::body {

// Unit vectors and triangles over them, counter-clockwise from outside.
struct Directions {
  std::vector<Vec3> n;
  std::vector<std::array<int, 3>> triangles;

  // The faces of an octahedron divided, with `round` directions (4 or more; up to a multiple of four) in each of the
  // planes through two columns of R; mirrored in these planes it is the same.
  static Directions octahedral(int round, const Mat3& R);
  // With two directions, hardly apart, for each one in the mirror across the unit vector x, whose plane has edges and
  // is crossed by none. A hull that is its own mirror image reaches equally far on the left and on the right along all
  // that lies in the mirror; so both sides get their points.
  Directions parted(const Vec3& x) const;
};

struct HullMesh {
  std::vector<int> ellipsoid;  // by vertex: the place in the hull's list
  std::vector<Vec3> position;
  std::vector<Vec3> normal;
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside

  double volume() const;
};

// `hull` is finite and has one ellipsoid or more. Vertices lie on the hull; triangles cut off what is round between
// them. Points of one ellipsoid that coincide are one vertex. Over directions that are far apart (24 round), and beside
// thin discs, a few triangles may fold and look inward.
HullMesh hull_mesh(const std::vector<Ellipsoid>& hull, const Directions& directions);

}  // namespace limber::body
