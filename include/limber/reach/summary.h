// A reach map in numbers.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "limber/reach/reach_map.h"
#include "limber/reach/surface.h"

namespace limber {

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
