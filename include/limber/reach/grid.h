// A reach map as a grid of its finest cells, for volume files and surfaces; and the signed distance of each cell.
//
// margin(x) is the distance from the centre of cell x to the nearest centre of a cell of the other kind, less half a
// cell: the distance to the boundary, to within a cell. Positive inside, negative outside. The squared distances are
// exact, one axis at a time (Felzenszwalb and Huttenlocher 2012, "Distance Transforms of Sampled Functions"): O(cells).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "limber/assess/comfort.h"
#include "limber/reach/reach_map.h"

namespace limber {

struct ReachGrid {
  CellIndex first = {};   // minimum index of a finest cell
  CellIndex count = {};   // along each axis
  double side = 0.0;      // h
  std::vector<int> leaf;  // by cell, x fastest: its index in ReachMap::cells, or -1

  std::size_t size() const { return leaf.size(); }
  std::size_t place(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(count[0]) +
           static_cast<std::size_t>(x);
  }
  Vec3 centre(int x, int y, int z) const {
    return side * Vec3(first[0] + x + 0.5, first[1] + y + 0.5, first[2] + z + 0.5);
  }
};

// The bounding box of all reached cells, plus one finest cell on every side; a single cell if nothing is reached.
ReachGrid grid_of(const ReachMap& map);

// By cell of the grid.
std::vector<double> margins(const ReachMap& map, const ReachGrid& grid);

// A number for a pose, for colouring.
using PoseMeasure = std::function<double(const Pose&)>;
// Distance of the moving parameters from their limits: the mean of 1 - ((θ - middle) / half range)², so 1 in the middle
// of all limits and 0 where all are at one. Parameters without two limits are ignored.
PoseMeasure from_limits(const Figure& figure, std::vector<int> parameters);

// Comfort (assess/comfort.h): 1 - √(mean d²) over the parameters that count.
PoseMeasure from_comfort(JointComfort comfort, std::vector<int> parameters);

// The measure of the witness of each cell; `otherwise` if the cell is not reached.
std::vector<double> measured(const ReachMap& map, const ReachGrid& grid, const PoseMeasure& measure, double otherwise);

}  // namespace limber
