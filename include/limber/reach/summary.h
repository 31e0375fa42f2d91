// A reach map in numbers.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "limber/reach/reach_map.h"

namespace limber {

// --- The boundary of the reached set, as a closed triangle mesh.
//
// The centres of the finest cells are the corners of cubes, each divided into the six tetrahedra around its diagonal
// (the same in every cube, so that they match face to face). In a tetrahedron with centres of both kinds one or two
// triangles separate them, with a vertex on each edge between the kinds (Doi and Koide 1991). The mesh has no holes and
// no folds: every edge belongs to exactly two triangles, which traverse it in opposite directions.
//
// Position on the edge: an unreached centre u has the distance d to its best pose, which has the handle at x; the plane
// through x normal to u - x is the boundary to first order. A reached centre has its depth below the nearest of the
// planes of its neighbours. The vertex divides the edge in the ratio of depth and distance, which is exact for a flat
// boundary.

struct ReachSurface {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;                  // outward, unit length
  std::vector<double> values;                 // of the measure, for the pose that reaches the adjacent cell
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise from outside

  double volume() const;
  double area() const;
  // The farthest point of the surface along a ray; nothing if the ray misses it.
  std::optional<double> farthest(const Vec3& from, const Vec3& direction) const;
};

ReachSurface surface_of(const ReachMap& map, const PoseMeasure& measure);

struct ReachSummary {
  std::size_t cells = 0;  // leaves
  std::size_t reached = 0, not_reached = 0, undecided = 0;
  std::size_t proved = 0;  // of those not reached
  std::size_t solves = 0;
  double litres = 0.0;  // of the reached cells
  double litres_of_surface = 0.0;
  double square_metres = 0.0;                   // of the surface
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();  // of the surface
  // Along each of neighbour_directions(), from a point: the farthest reached distance, in metres.
  std::array<std::optional<double>, 26> farthest = {};
  // The limits that block the handle in finest cells next to reached ones, with their relative shares, largest first.
  std::vector<HeldBack> held_back_by = {};
};

ReachSummary summary_of(const ReachMap& map, const ReachSurface& surface, const Vec3& from);

}  // namespace limber
