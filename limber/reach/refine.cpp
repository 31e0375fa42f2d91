// Refinement of a map, and what a new cell inherits from its parent.
#include <algorithm>
#include <numbers>

#include "limber/reach/survey.h"

namespace limber {

namespace {

constexpr double proof_slack = 1e-6;              // relative to the resolution
constexpr double diagonal = std::numbers::sqrt3;  // of a cell: the distance of its neighbours' centres, at most

}  // namespace

// Whether the solves of an ancestor show that the set is farther from its centre than this cell's centre.
bool ReachSurvey::is_within_an_empty_ball(const ReachCell& of, int& ancestor) const {
  if (!is_plain_) return false;
  CellIndex at = of.at;
  for (int level = of.level + 1; level <= map_.levels; ++level) {
    at = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
    ancestor = map_.find(level, at);
    const ReachCell& over = map_.cells[static_cast<std::size_t>(ancestor)];
    if (over.state != Reach::not_reached || over.solves == 0 || over.pose < 0) continue;
    if ((map_.centre(of) - map_.centre(over)).norm() <= over.distance - map_.tolerance) return true;
  }
  return false;
}

// Initial knowledge of a new cell.
void ReachSurvey::begin(int id) {
  ReachCell& of = cell(id);
  const double slack = map_.tolerance + proof_slack * map_.resolution;
  of.proved = bounds_.excludes(map_.centre(of), slack);
  // A cell of which only the centre is proved out of reach is still solved once: how near does it get?
  if (of.proved && bounds_.excludes(map_.centre(of), slack + diagonal * map_.side(of))) {
    of.state = Reach::not_reached;
    return;
  }
  int ancestor = -1;
  if (!of.proved && is_within_an_empty_ball(of, ancestor)) {
    const ReachCell& over = cell(parent_of(of));  // its best pose is at least as good as those of its ancestors
    of.state = Reach::not_reached;
    of.pose = over.pose;
    of.handle = over.handle;
    of.others_met = over.others_met;
    of.held_back_by = over.held_back_by;
    of.distance = (of.handle - map_.centre(of)).norm();
    of.touched = of.others_met && map_.contains(of, of.handle);
  }
  open_.insert(id);
}

void ReachSurvey::cut(int id) {
  const auto first = static_cast<std::int32_t>(map_.cells.size());
  cell(id).first_child = first;
  const ReachCell over = cell(id);
  open_.erase(id);
  if (over.state == Reach::reached) open_around(id);  // its pose no longer counts as tried
  for (int child = 0; child < 8; ++child) {
    ReachCell part;
    part.level = over.level - 1;
    for (std::size_t k = 0; k < 3; ++k) part.at[k] = 2 * over.at[k] + (child >> k & 1);
    map_.cells.push_back(part);
  }
  for (int child = 0; child < 8; ++child) begin(first + child);
}

// A corner that is proved out of reach, in a reached cell.
bool ReachSurvey::contains_void(const ReachCell& of) const {
  const double half = 0.5 * map_.side(of);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 to(corner & 1 ? half : -half, corner & 2 ? half : -half, corner & 4 ? half : -half);
    if (bounds_.excludes(map_.centre(of) + to, map_.tolerance)) return true;
  }
  return false;
}

std::vector<int> ReachSurvey::to_cut() const {
  std::vector<char> cut(map_.cells.size(), 0);
  const auto& directions = neighbour_directions();
  for (std::size_t id = 0; id < map_.cells.size(); ++id) {
    const ReachCell& a = map_.cells[id];
    if (!a.is_leaf()) continue;
    const bool is_reached = a.state == Reach::reached;
    if (a.level > 0 && (is_reached ? map_.side(a) > void_side_ || contains_void(a) : a.touched)) cut[id] = 1;
    for (std::size_t k = 0; k < 6; ++k) {
      const int other = map_.neighbour(a, directions[k]);
      if (other < 0) continue;
      const ReachCell& b = map_.cells[static_cast<std::size_t>(other)];
      if (!b.is_leaf() || (b.state == Reach::reached) == is_reached || b.level == 0) continue;
      // Of two of the same size the reached cell is divided; but the other one first, if it contains part of the set.
      const bool same_size = b.level == a.level;
      if (!same_size || (b.state == Reach::reached ? !a.touched : b.touched)) cut[static_cast<std::size_t>(other)] = 1;
    }
  }
  std::vector<int> ids;
  for (std::size_t id = 0; id < cut.size(); ++id)
    if (cut[id]) ids.push_back(static_cast<int>(id));
  return ids;
}

bool ReachSurvey::refine() {
  const std::vector<int> ids = to_cut();
  for (const int id : ids) cut(id);
  return !ids.empty();
}

}  // namespace limber
