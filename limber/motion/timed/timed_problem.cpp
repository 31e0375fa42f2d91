#include "limber/motion/timed/timed_problem.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/figure/figure.h"
#include "limber/motion/sequence.h"

namespace limber {

namespace {

// Of root parameters, translations and rotations: the body should not stop or sway for a foot.
constexpr double root_shift_stiffness = 100.0, root_turn_stiffness = 4.0;

bool same(const Element& a, const Element& b) {
  return a.kind == b.kind && a.segment == b.segment && a.local == b.local;
}

bool same(const Handle& a, const Handle& b) {
  if (a.shape != b.shape || a.minus_count != b.minus_count) return false;
  for (int k = 0; k < a.count(); ++k)
    if (!same(a.plus[k], b.plus[k]) || (k < a.minus_count && !same(a.minus[k], b.minus[k]))) return false;
  return true;
}

// Spans that touch overlap: both are active then.
bool overlap(const Span& a, const Span& b) { return a.begin() <= b.end() && b.begin() <= a.end(); }

// Whether some element is a difference of directions, which is not a direction.
bool subtracts_directions(const Handle& handle) {
  for (int k = 0; k < handle.minus_count; ++k)
    if (!is_point(handle.shape, k)) return true;
  return false;
}

// The goal that holds a handle; its target is set later.
Expected<Goal> hold_goal(const Handle& handle, const Hold& hold) {
  if (subtracts_directions(handle))
    return reject("'" + handle.name + "'", "Hold on a difference of directions", "a point, a direction or a frame");
  const Orientation orientation{Vec3::UnitX(), Vec3::UnitY(), hold.c, hold.c};
  switch (handle.shape) {
    case Shape::point:
      return Position{};
    case Shape::direction:
      return Direction{Vec3::UnitX(), hold.c};
    case Shape::directions:
      return orientation;
    case Shape::frame:
      return Placement{Vec3::Zero(), orientation};
    case Shape::ray:
    case Shape::two_points:
    case Shape::three_points:
      break;
  }
  return reject("'" + handle.name + "'", std::string("Hold on a ") + name_of(handle.shape),
                "a point, a direction or a frame");
}

std::string in_seconds(double time) { return to_text(time) + " s"; }

Expected<void> checked(const Span& span, const ConstraintOptions& options) {
  if (std::isnan(span.from) || std::isnan(span.to) || !(span.from <= span.to))
    return reject("span", "from " + in_seconds(span.from) + " to " + in_seconds(span.to), "a start before the end");
  for (const double ease : {span.ease_in, span.ease_out})
    if (!(ease >= 0.0 && std::isfinite(ease)))
      return reject("span", "easing of " + in_seconds(ease), "a finite time, 0 or more");
  if (options.priority != first_level)
    return reject("priority", std::to_string(options.priority), "1: demands over time are weighted or hard");
  if (options.soft) return reject("soft", "true", "false: soft constraints are not supported over time");
  return {};
}

}  // namespace

double Span::activity(double time) const {
  if (time < from) return ease_in > 0.0 ? smooth_step((time - begin()) / ease_in) : 0.0;
  if (time > to) return ease_out > 0.0 ? smooth_step((end() - time) / ease_out) : 0.0;
  return 1.0;
}

TimedProblem::TimedProblem(Figure figure) : problem_(std::move(figure)) {
  stiffness_ = VecX::Ones(static_cast<Eigen::Index>(problem_.figure().parameters().size()));
  for (const int j : all_root_parameters(problem_.figure()))
    stiffness_[j] = problem_.figure().parameters()[static_cast<std::size_t>(j)].translates ? root_shift_stiffness
                                                                                           : root_turn_stiffness;
}

Expected<void> TimedProblem::set_stiffness(std::string_view parameter, double stiffness) {
  const Expected<int> j = figure().find_parameter(parameter);
  if (!j) return std::unexpected(j.error());
  if (!(stiffness > 0.0 && std::isfinite(stiffness)))
    return reject("stiffness of '" + std::string(parameter) + "'", to_text(stiffness), "a finite number above 0");
  stiffness_[*j] = stiffness;
  return {};
}

Expected<int> TimedProblem::add(const Expected<Handle>& handle, const Goal& goal, const Span& span,
                                ConstraintOptions options) {
  const Hold* hold = std::get_if<Hold>(&goal);
  if (!hold || !handle) return add(handle, Demand{.span = span, .goal = goal}, std::move(options));
  const Expected<Goal> held = hold_goal(*handle, *hold);
  if (!held) return std::unexpected(held.error());
  return add(handle, Demand{.span = span, .goal = *held, .holds = true}, std::move(options));
}

Expected<int> TimedProblem::add(const Expected<Handle>& handle, GoalAt goal, const Span& span,
                                ConstraintOptions options) {
  if (!goal) return reject("goal", "no function", "a function from time to goal");
  const double when = std::isfinite(span.from) ? span.from : std::isfinite(span.to) ? span.to : 0.0;
  const Goal first = goal(when);
  if (holds(first)) return reject("goal", "a moving Hold", "Hold, or a moving goal");
  return add(handle, Demand{.span = span, .goal = first, .moving = std::move(goal)}, std::move(options));
}

// The constraint of demands of the same kind at other times, if any.
std::optional<ConstraintId> TimedProblem::slot_for(const Handle& handle, const Demand& demand,
                                                   const ConstraintOptions& options) const {
  const Expected<int> from = options.from.empty() ? Expected<int>(no_parent) : figure().find_joint(options.from);
  if (options.weighting.size() > 0 || !from) return std::nullopt;
  const Shape shape = shape_of(demand.goal).value_or(handle.shape);
  const Expected<Handle> needed = part(handle, shape);
  if (!needed) return std::nullopt;
  for (const Constraint& slot : problem_.constraints()) {
    const Alternative& existing = slot.alternatives().front();
    if (slot.weighting_root.size() > 0 || slot.weight != options.weight || slot.from != *from ||
        existing.goal.index() != demand.goal.index() ||
        row_count(existing.goal, shape) != row_count(demand.goal, shape) || !same(*needed, existing.handle))
      continue;
    if (std::none_of(demands_.begin(), demands_.end(),
                     [&](const Demand& other) { return other.slot == slot.id && overlap(other.span, demand.span); }))
      return slot.id;
  }
  return std::nullopt;
}

Expected<int> TimedProblem::add(const Expected<Handle>& handle, Demand demand, ConstraintOptions options) {
  if (const Expected<void> valid = checked(demand.span, options); !valid) return std::unexpected(valid.error());
  if (!handle) return std::unexpected(handle.error());
  const Expected<Goal> exact = limber::checked(demand.goal);
  if (!exact) return std::unexpected(exact.error());
  demand.goal = *exact;
  demand.name = options.name;
  if (const std::optional<ConstraintId> known = slot_for(*handle, demand, options)) {
    demand.slot = *known;
  } else {
    const Expected<ConstraintId> added = problem_.add(handle, demand.goal, std::move(options));
    problem_.clear_rejections();
    if (!added) return std::unexpected(added.error());
    demand.slot = *added;
  }
  if (demand.name.empty()) demand.name = problem_.find(demand.slot)->name;
  demands_.push_back(std::move(demand));
  return static_cast<int>(demands_.size()) - 1;
}

Expected<int> TimedProblem::add_one_of(const std::vector<TimedAlternative>& alternatives, const Span& span,
                                       const ConstraintOptions& options) {
  if (alternatives.empty()) return reject("alternatives", "none", "at least one");
  TimedProblem changed = *this;
  const int first = static_cast<int>(demands_.size()), group = groups();
  for (const TimedAlternative& one : alternatives) {
    ConstraintOptions own = options;
    if (!one.name.empty()) own.name = one.name;
    const Expected<int> added =
        std::visit([&](const auto& goal) { return changed.add(one.handle, goal, span, own); }, one.goal);
    if (!added) return added;
    changed.demands_.back().group = group;
    changed.demands_.back().taken = *added == first;
  }
  changed.is_open_.push_back(alternatives.size() > 1);
  *this = std::move(changed);
  return first;
}

void TimedProblem::take(int demand) {
  const int group = demands_[static_cast<std::size_t>(demand)].group;
  if (group == Demand::no_group) return;
  for (std::size_t d = 0; d < demands_.size(); ++d)
    if (demands_[d].group == group) demands_[d].taken = static_cast<int>(d) == demand;
  is_open_[static_cast<std::size_t>(group)] = 0;
}

}  // namespace limber
