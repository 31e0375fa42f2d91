#include "limber/reach/subject.h"

#include <variant>

namespace limber {

namespace {

constexpr double same_weight = 1.0;  // as that of the constraint on the handle, in reach()

// The place that a constraint asks of the handle itself; nothing where it asks something else.
std::optional<Vec3> own_place(const Constraint& constraint, const Element& handle) {
  if (constraint.alternatives.size() != 1 || !constraint.counts()) return std::nullopt;
  const auto& [own, goal] = constraint.alternatives.front();
  const Element& first = own.plus[0];
  if (own.minus_count > 0 || first.kind != Element::Kind::point || first.segment != handle.segment ||
      first.local != handle.local)
    return std::nullopt;
  if (const auto* const position = std::get_if<Position>(&goal)) return position->p;
  if (const auto* const placement = std::get_if<Placement>(&goal)) return placement->p;
  return std::nullopt;
}

bool aims_at(const Constraint& constraint, const Vec3& p) {
  if (constraint.alternatives.size() != 1) return false;
  const auto* const aim = std::get_if<AimAt>(&constraint.alternatives.front().goal);
  return aim && aim->p == p;
}

bool has_goal(const Constraint& constraint) {
  return constraint.counts() && !constraint.alternatives.empty() && !constraint.gives_way;
}

}  // namespace

ReachSubject reach_subject(Problem problem, const Element& handle) {
  const std::vector<Constraint> all = problem.constraints();
  ReachSubject subject{std::move(problem)};
  for (const Constraint& constraint : all) {
    if (has_goal(constraint)) static_cast<void>(subject.problem.set_weight(constraint.id, same_weight));
    const std::optional<Vec3> p = own_place(constraint, handle);
    if (!p) continue;
    static_cast<void>(subject.problem.set_enabled(constraint.id, false));
    subject.left_out.push_back(constraint.name);
    for (const Constraint& other : all)
      if (aims_at(other, *p)) subject.looking.push_back(other.id);
  }
  return subject;
}

std::string direction_name(const CellIndex& direction) {
  const char* const words[3][2] = {{"right", "left"}, {"down", "up"}, {"back", "front"}};
  std::string name;
  for (const std::size_t axis : {1UL, 2UL, 0UL})
    if (direction[axis] != 0) name += (name.empty() ? "" : " ") + std::string(words[axis][direction[axis] > 0 ? 1 : 0]);
  return name;
}

}  // namespace limber
