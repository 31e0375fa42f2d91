#include "limber/reach/summary.h"

#include <algorithm>
#include <map>

namespace limber {

namespace {

constexpr double litres_per_cubic_metre = 1000.0;

bool is_beside_a_reached_cell(const ReachMap& map, const ReachCell& cell) {
  return std::any_of(neighbour_directions().begin(), neighbour_directions().end(), [&](const CellIndex& direction) {
    const int other = map.neighbour(cell, direction);
    return other >= 0 && map.cells[static_cast<std::size_t>(other)].state == Reach::reached;
  });
}

std::vector<HeldBack> blocking_limits(const ReachMap& map) {
  std::map<int, double> shares;
  double all = 0.0;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.level > 0 || cell.state != Reach::not_reached) continue;
    if (cell.held_back_by[0].limit < 0 || !is_beside_a_reached_cell(map, cell)) continue;
    for (const HeldBack& held : cell.held_back_by) {
      if (held.limit < 0) continue;
      shares[held.limit] += static_cast<double>(held.share);
      all += static_cast<double>(held.share);
    }
  }
  std::vector<HeldBack> sorted;
  for (const auto& [limit, share] : shares) sorted.push_back({limit, static_cast<float>(share / all)});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const HeldBack& a, const HeldBack& b) { return a.share > b.share; });
  return sorted;
}

}  // namespace

ReachSummary summary_of(const ReachMap& map, const ReachSurface& surface, const Vec3& from) {
  ReachSummary out;
  for (const ReachCell& cell : map.cells) {
    out.solves += cell.solves;
    if (!cell.is_leaf()) continue;
    ++out.cells;
    if (cell.state == Reach::undecided) ++out.undecided;
    if (cell.state == Reach::not_reached) ++out.not_reached;
    if (cell.state == Reach::not_reached && cell.proved) ++out.proved;
    if (cell.state != Reach::reached) continue;
    ++out.reached;
    out.litres += litres_per_cubic_metre * std::pow(map.side(cell), 3);
  }
  out.litres_of_surface = litres_per_cubic_metre * surface.volume();
  out.square_metres = surface.area();
  if (!surface.positions.empty()) out.min = out.max = surface.positions.front();
  for (const Vec3& p : surface.positions) {
    out.min = out.min.cwiseMin(p);
    out.max = out.max.cwiseMax(p);
  }
  for (std::size_t k = 0; k < out.farthest.size(); ++k) {
    const CellIndex& d = neighbour_directions()[k];
    out.farthest[k] = surface.farthest(from, Vec3(d[0], d[1], d[2]).normalized());
  }
  out.held_back_by = blocking_limits(map);
  return out;
}

}  // namespace limber
