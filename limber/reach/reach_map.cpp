#include "limber/reach/reach_map.h"

#include <cmath>

namespace limber {

namespace {

std::array<CellIndex, 26> all_directions() {
  std::array<CellIndex, 26> all = {};
  std::size_t k = 0;
  for (int axes = 1; axes <= 3; ++axes)
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (x * x + y * y + z * z == axes) all[k++] = {x, y, z};
  return all;
}

}  // namespace

const std::array<CellIndex, 26>& neighbour_directions() {
  static const std::array<CellIndex, 26> all = all_directions();
  return all;
}

Vec3 ReachMap::centre(const ReachCell& cell) const {
  return side(cell) * Vec3(cell.at[0] + 0.5, cell.at[1] + 0.5, cell.at[2] + 0.5);
}

bool ReachMap::contains(const ReachCell& cell, const Vec3& x) const {
  return (x - centre(cell)).cwiseAbs().maxCoeff() <= 0.5 * side(cell);
}

Pose ReachMap::pose(const ReachCell& cell) const {
  Pose pose{base};
  const std::size_t n = variables.size();
  for (std::size_t i = 0; i < n; ++i) pose.theta[variables[i]] = poses[static_cast<std::size_t>(cell.pose) * n + i];
  return pose;
}

int ReachMap::find(int level, const CellIndex& at) const {
  std::array<std::int32_t, 3> coarse = {};
  for (std::size_t k = 0; k < 3; ++k) {
    coarse[k] = (at[k] >> (levels - level)) - first[k];
    if (coarse[k] < 0 || coarse[k] >= count[k]) return -1;
  }
  int cell = (coarse[2] * count[1] + coarse[1]) * count[0] + coarse[0];
  for (int l = levels - 1; l >= level && !cells[static_cast<std::size_t>(cell)].is_leaf(); --l) {
    int child = 0;
    for (std::size_t k = 0; k < 3; ++k) child |= (at[k] >> (l - level) & 1) << k;
    cell = cells[static_cast<std::size_t>(cell)].first_child + child;
  }
  return cell;
}

int ReachMap::leaf_at(const Vec3& x) const {
  CellIndex at = {};
  for (std::size_t k = 0; k < 3; ++k) {
    const double index = std::floor(x[static_cast<Eigen::Index>(k)] / resolution);
    if (!(std::fabs(index) < 1e9)) return -1;
    at[k] = static_cast<std::int32_t>(index);
  }
  return find(0, at);
}

int ReachMap::neighbour(const ReachCell& cell, const CellIndex& direction) const {
  return find(cell.level, {cell.at[0] + direction[0], cell.at[1] + direction[1], cell.at[2] + direction[2]});
}

const std::string& limit_name(const Figure& figure, int limit) {
  const auto parameters = static_cast<int>(figure.parameters().size());
  if (limit >= 2 * parameters) return figure.limit_rows()[static_cast<std::size_t>(limit - 2 * parameters)].name;
  const Parameter& parameter = figure.parameters()[static_cast<std::size_t>(limit / 2)];
  return limit % 2 == 0 ? parameter.lower_name : parameter.upper_name;
}

}  // namespace limber
