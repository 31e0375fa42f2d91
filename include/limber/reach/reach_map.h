// A map of reach: an octree of cells, each with what is known of its centre.
//
// The finest cells have the side h and their corners on the lattice h ℤ³, so that a map and its mirror image have the
// same cells. Cell (i, j, k) of level l is the cube from (i, j, k) 2^l h to (i + 1, j + 1, k + 1) 2^l h; the centre
// stands for the whole of it. A cell that is divided keeps what was found at its centre: a start for its children.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

struct ReachBox {
  Vec3 least = Vec3::Zero(), most = Vec3::Zero();
};

enum class Reach : std::uint8_t {
  undecided,    // not looked at yet, or the solver ended without an answer
  reached,      // there is a pose that keeps all limits, meets all constraints, and has the handle at the centre
  not_reached,  // no such pose was found from any start; or there is none for certain, see `proved`
};

// A limit of the figure that held the handle back in the best pose. limit: 2 j and 2 j + 1 are the lower and the upper
// limit of parameter j; 2 n + r is limit row r of a figure with n parameters.
struct HeldBack {
  std::int32_t limit = -1;
  float share = 0.0F;  // of all that held it back, 0 to 1

  bool operator==(const HeldBack&) const = default;
};
inline constexpr std::size_t max_held_back = 4;

using CellIndex = std::array<std::int32_t, 3>;

struct ReachCell {
  CellIndex at = {};
  std::int32_t level = 0;         // 0 is the finest
  std::int32_t first_child = -1;  // eight in a row; -1: not divided
  Reach state = Reach::undecided;
  bool proved = false;         // not reached for certain: chain lengths and limits do not allow it
  bool others_met = false;     // all other constraints hold in the pose
  bool touched = false;        // the centre was not reached, but some other point of the cell was
  std::int32_t pose = -1;      // column of ReachMap::poses: the witness, or the best that was found; -1: none
  std::uint32_t solves = 0;    // how often a solver was asked
  std::uint32_t tried = 0;     // a bit for each neighbour whose pose was a start
  double distance = infinity;  // from the centre to the handle in that pose, in metres
  Vec3 handle = Vec3::Zero();
  std::array<HeldBack, max_held_back> held_back_by = {};  // the strongest first

  bool is_leaf() const { return first_child < 0; }
};

// The directions to a cell's neighbours: 6 across faces, then 12 across edges, then 8 across corners.
const std::array<CellIndex, 26>& neighbour_directions();

struct ReachMap {
  double resolution = 0.0;       // h, metres
  double tolerance = 0.0;        // a centre is reached where the handle is no farther from it, metres
  int levels = 0;                // of the coarsest cells
  CellIndex first = {};          // of the coarsest cells: least index along each axis
  CellIndex count = {};          // and how many there are
  std::vector<ReachCell> cells;  // the coarsest in order, x fastest; then children, after their parents
  bool finished = false;

  VecX base;                   // the pose of all that does not move
  std::vector<int> variables;  // the parameters that do
  std::vector<double> poses;   // a value a variable, for one pose after the other

  double side(int level) const { return std::ldexp(resolution, level); }
  double side(const ReachCell& cell) const { return side(cell.level); }
  Vec3 centre(const ReachCell& cell) const;
  bool holds(const ReachCell& cell, const Vec3& x) const;  // in the closed cube
  // The witness, or the best pose that was found. The cell must have one.
  Pose pose(const ReachCell& cell) const;

  // The cell of that level with that index; where there is none so fine, the leaf that holds it; -1 outside.
  int find(int level, const CellIndex& at) const;
  // The leaf that holds a point; -1 outside.
  int leaf_at(const Vec3& x) const;
  int neighbour(const ReachCell& cell, const CellIndex& direction) const;
};

// "right_elbow.flexion upper limit".
const std::string& limit_name(const Figure& figure, int limit);

}  // namespace limber
