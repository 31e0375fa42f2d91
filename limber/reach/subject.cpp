#include "limber/kinematics/forward.h"
#include "limber/reach/reach.h"

namespace limber {

namespace {

constexpr double common_weight = 1.0;  // that of the constraint on the handle, in reach()

// Whether a constraint places the handle itself.
bool is_on(const Constraint& constraint, const Element& handle) {
  if (constraint.alternatives().size() != 1 || !constraint.counts()) return false;
  const auto& [own, goal] = constraint.alternatives().front();
  const Element& first = own.plus[0];
  return own.minus_count == 0 && first.kind == Element::Kind::point && first.segment == handle.segment &&
         first.local == handle.local && (placed_point(goal) || holds(goal));
}

bool aims_at(const Constraint& constraint, const Vec3& p) {
  if (constraint.alternatives().size() != 1) return false;
  return aim_of(constraint.alternatives().front().goal) == p;
}

bool has_goal(const Constraint& constraint) {
  return constraint.counts() && !constraint.alternatives().empty() && !constraint.soft;
}

}  // namespace

ReachSubject reach_subject(Problem problem, const Element& handle) {
  const std::vector<Constraint> all = problem.constraints();
  ReachSubject subject{std::move(problem)};
  for (const Constraint& constraint : all) {
    if (has_goal(constraint)) static_cast<void>(subject.problem.set_weight(constraint.id, common_weight));
    if (!is_on(constraint, handle)) continue;
    static_cast<void>(subject.problem.set_enabled(constraint.id, false));
    subject.left_out.push_back(constraint.name);
    const std::optional<Vec3> p = placed_point(constraint.alternatives().front().goal);
    if (!p) continue;
    for (const Constraint& other : all)
      if (aims_at(other, *p)) subject.looking.push_back(other.id);
  }
  return subject;
}

Vec3 reach_origin(const Figure& figure, const Pose& pose, const std::string& from, const Element& handle) {
  const Kinematics state = forward(figure, pose);
  if (from.empty()) return evaluate(figure, state, handle);
  if (const Expected<Handle> place = figure.point(from)) return evaluate(figure, state, place->plus[0]);
  const Expected<int> joint = figure.find_joint(from);  // the first one of a group
  if (!joint) return evaluate(figure, state, handle);
  const auto j = static_cast<std::size_t>(*joint);
  return state.segments[j] * figure.joints()[j].in_child.p;
}

std::string direction_name(const CellIndex& direction) {
  const char* const words[3][2] = {{"right", "left"}, {"down", "up"}, {"back", "front"}};
  std::string name;
  for (const std::size_t axis : {1UL, 2UL, 0UL})
    if (direction[axis] != 0) name += (name.empty() ? "" : " ") + std::string(words[axis][direction[axis] > 0 ? 1 : 0]);
  return name;
}

}  // namespace limber
