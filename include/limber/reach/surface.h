// The boundary of what is reached, as a closed surface of triangles.
//
// The centres of the finest cells are the corners of cubes, each cut into the six tetrahedra around its diagonal (the
// same in every cube, so that they meet face to face). In a tetrahedron with centres of both kinds one or two triangles
// part them, with a vertex on each edge between the kinds (Doi and Koide 1991). That surface has no holes and no folds:
// every edge belongs to exactly two triangles, which run along it in opposite directions.
//
// Where on the edge: a centre u that is not reached has the distance d from the set to its best pose, which has the
// handle at x; the plane through x across u - x is the boundary to first order. A centre that is reached has the depth
// below the nearest of the planes of its neighbours. The vertex divides the edge as depth and distance are to each
// other, which for a flat boundary is exact.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "limber/reach/grid.h"

namespace limber {

struct ReachSurface {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;                  // outward, of length 1
  std::vector<double> values;                 // of the measure, for the pose that reaches the cell beside it
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside

  double volume() const;
  double area() const;
  // The farthest point of the surface along a ray; nothing where the ray misses it.
  std::optional<double> farthest(const Vec3& from, const Vec3& direction) const;
};

ReachSurface surface_of(const ReachMap& map, const PoseMeasure& measure);

}  // namespace limber
