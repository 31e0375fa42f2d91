// The convex hull of points, as triangles.
//
// A tetrahedron of far points grows: the point farthest outside some triangle is added, the triangles that see it are
// removed, and their rim is connected to it, until no point is outside by more than rounding (Quickhull: Barber, Dobkin
// and Huhdanpaa 1996). Each point outside is in the list of one triangle that it is outside of; where that is removed,
// the points of its list go to the new triangles. A heap gives the triangle with the farthest point. O(n log n) where
// steps halve the lists, as they do for points in any usual shape.
#pragma once

#include <array>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

struct Hull {
  std::vector<Vec3> corners;                  // the points on the hull
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside; closed
};

// Rejected: numbers that are not finite, and points that are coincident, collinear or coplanar.
Expected<Hull> convex_hull(const std::vector<Vec3>& points);

}  // namespace limber
