// The convex hull of points, as triangles.
//
// A tetrahedron of far points grows: the point that is farthest out over some triangle is taken in, the triangles that
// see it are removed, and the rim around them is joined to it, until no point is out by more than rounding (Barber,
// Dobkin and Huhdanpaa 1996, without their lists). Cost: points times triangles a step, which is nothing for the tens
// or hundreds of corners that an obstacle has.
#pragma once

#include <array>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

struct Hull {
  std::vector<Vec3> corners;                  // those of the points that are on the hull
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside; closed
};

// Rejected: numbers that are not finite, and points that are one, or on a line, or in a plane.
Expected<Hull> convex_hull(const std::vector<Vec3>& points);

}  // namespace limber
