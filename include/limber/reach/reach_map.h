// A reach map: an octree of cells, each with the result at its centre.
//
// The finest cells have side h and their corners on the lattice h ℤ³, so that a map and its mirror image have the same
// cells. Cell (i, j, k) of level l is the cube from (i, j, k) 2^l h to (i + 1, j + 1, k + 1) 2^l h; its centre
// represents all of it. A divided cell keeps the result at its centre, as a start for its children.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "limber/assess/comfort.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

struct ReachBox {
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();
};

enum class Reach : std::uint8_t {
  undecided,    // not solved yet, or the solver ended without a result
  reached,      // a pose within all limits meets all constraints, with the handle at the centre
  not_reached,  // no start led to such a pose; or there is none, see `proved`
};

// A limit of the figure that blocks the handle in the best pose. limit: 2 j and 2 j + 1 are the lower and the upper
// limit of parameter j; 2 n + r is limit row r of a figure with n parameters.
struct HeldBack {
  std::int32_t limit = -1;
  float share = 0.0F;  // of all blocking limits, 0 to 1

  bool operator==(const HeldBack&) const = default;
};
inline constexpr std::size_t max_held_back = 4;

using CellIndex = std::array<std::int32_t, 3>;

struct ReachCell {
  CellIndex at = {};
  std::int32_t level = 0;         // 0 is the finest
  std::int32_t first_child = -1;  // eight consecutive cells; -1: not divided
  Reach state = Reach::undecided;
  bool proved = false;         // not reached, by proof: chain lengths and limits do not allow it
  bool others_met = false;     // all other constraints are met in the pose
  bool touched = false;        // the centre was not reached, but some other point of the cell was
  std::int32_t pose = -1;      // column of ReachMap::poses: the witness, or the best pose found; -1: none
  std::uint32_t solves = 0;    // number of solves
  std::uint32_t tried = 0;     // one bit per neighbour whose pose was a start
  double distance = infinity;  // from the centre to the handle in that pose, in metres
  Vec3 handle = Vec3::Zero();
  std::array<HeldBack, max_held_back> held_back_by = {};  // strongest first

  bool is_leaf() const { return first_child < 0; }
};

// The directions to a cell's neighbours: 6 across faces, then 12 across edges, then 8 across corners.
const std::array<CellIndex, 26>& neighbour_directions();

struct ReachMap {
  double resolution = 0.0;       // h, metres
  double tolerance = 0.0;        // maximum distance of the handle from a reached centre, metres
  int levels = 0;                // of the coarsest cells
  CellIndex first = {};          // of the coarsest cells: minimum index along each axis
  CellIndex count = {};          // and their number
  std::vector<ReachCell> cells;  // the coarsest in order, x fastest; then children, after their parents
  bool finished = false;

  VecX base;                   // the pose of all parameters that do not move
  std::vector<int> variables;  // the parameters that do
  std::vector<double> poses;   // one value per variable, pose after pose

  double side(int level) const { return std::ldexp(resolution, level); }
  double side(const ReachCell& cell) const { return side(cell.level); }
  Vec3 centre(const ReachCell& cell) const;
  bool contains(const ReachCell& cell, const Vec3& x) const;  // the closed cube
  // The witness, or the best pose found. The cell must have one.
  Pose pose(const ReachCell& cell) const;

  // The cell of that level with that index, or the leaf that contains it; -1 outside.
  int find(int level, const CellIndex& at) const;
  // The leaf that contains a point; -1 outside.
  int leaf_at(const Vec3& x) const;
  int neighbour(const ReachCell& cell, const CellIndex& direction) const;
};

// "right_elbow.flexion upper limit".
const std::string& limit_name(const Figure& figure, int limit);

// --- A reach map as a grid of its finest cells, for volume files and surfaces; and the signed distance of each cell.
//
// margin(x) is the distance from the centre of cell x to the nearest centre of a cell of the other kind, less half a
// cell: the distance to the boundary, to within a cell. Positive inside, negative outside. The squared distances are
// exact, one axis at a time (Felzenszwalb and Huttenlocher 2012, "Distance Transforms of Sampled Functions"): O(cells).

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
