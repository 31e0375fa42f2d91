// A reach map: an octree of cells, each with the result at its centre.
//
// The finest cells have side h and their corners on the lattice h ℤ³, so that a map and its mirror image have the same
// cells. Cell (i, j, k) of level l is the cube from (i, j, k) 2^l h to (i + 1, j + 1, k + 1) 2^l h; its centre
// represents all of it. A divided cell keeps the result at its centre, as a start for its children.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace limber
