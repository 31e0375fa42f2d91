#include "limber/posing/held_goals.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace limber {

namespace {

// w of what yields, and of what does not. The change of pose that is preferred has a weight of about 1e-7 per squared
// usual change (posing_problem.cpp): with these w a part misses its goal by millimetres before it is shifted, and by a
// tenth of that after each shift.
constexpr double yielding_weight = 0.01, exact_weight = 0.03;
// A weight that changes by less, relatively, counts as the same.
constexpr double same_weight = 0.01;

double weight_of(bool yields) { return yields ? yielding_weight : exact_weight; }

Mat3 axes(const Vec3& x, const Vec3& y) {
  Mat3 R;
  R << x, y, x.cross(y);
  return R;
}

// The orientation that a goal asks for; null if it asks for none.
template <class AnyGoal>
auto* orientation_in(AnyGoal& goal) {
  auto* orientation = std::get_if<Orientation>(&goal);
  if (auto* placement = std::get_if<Placement>(&goal)) orientation = &placement->orientation;
  return orientation;
}

// The point that a goal asks for, or a point on its line.
template <class AnyGoal>
auto* point_in(AnyGoal& goal) {
  using Point = std::conditional_t<std::is_const_v<AnyGoal>, const Vec3, Vec3>;
  Point* p = nullptr;
  if (auto* position = std::get_if<Position>(&goal)) p = &position->p;
  if (auto* line = std::get_if<Line>(&goal)) p = &line->p;
  if (auto* placement = std::get_if<Placement>(&goal)) p = &placement->p;
  return p;
}

std::size_t borders_of(const Goal& goal) {
  if (const auto* inside = std::get_if<InsidePolyhedron>(&goal)) return inside->faces.size();
  return std::holds_alternative<HalfSpace>(goal) ? 1 : 0;
}

void set_weight(Problem& problem, ConstraintId id, double weight) {
  const Expected<void> set = problem.set_weight(id, weight);
  assert(set);
  (void)set;
}

}  // namespace

bool HeldGoals::add(const Constraint& constraint, bool yields) {
  const auto alternatives = constraint.alternatives();
  if (alternatives.size() != 1) return false;
  const Goal& goal = alternatives[0].goal;
  const std::size_t borders = borders_of(goal);
  if (!point_in(goal) && !orientation_in(goal) && borders == 0) return false;
  held_.push_back({.id = constraint.id,
                   .handle = alternatives[0].handle,
                   .goal = goal,
                   .yields = yields && point_in(goal),
                   .weight = weight_of(yields),
                   .borders = std::vector<double>(borders, 0.0),
                   .seen = goal});
  return true;
}

bool HeldGoals::contains(ConstraintId id) const { return std::ranges::find(held_, id, &Held::id) != held_.end(); }

bool HeldGoals::make_yield(ConstraintId id) {
  const auto found = std::ranges::find(held_, id, &Held::id);
  if (found == held_.end()) return false;
  found->yields = point_in(found->goal) != nullptr;
  return true;
}

void HeldGoals::set(Problem& problem, ConstraintId id, const Goal& goal) {
  for (Held& held : held_) {
    if (held.id != id) continue;
    held.goal = goal;
    held.borders.resize(borders_of(goal), 0.0);
    set_shifted(problem, held);
  }
}

void HeldGoals::set_shifted(Problem& problem, Held& held) {
  Goal& seen = held.seen = held.goal;
  if (Vec3* p = point_in(seen)) *p += held.shift;
  if (Orientation* orientation = orientation_in(seen)) {
    orientation->x = held.turn * orientation->x;
    orientation->y = held.turn * orientation->y;
  }
  if (auto* space = std::get_if<HalfSpace>(&seen)) space->p += held.borders[0] * space->v;
  if (auto* inside = std::get_if<InsidePolyhedron>(&seen))
    for (std::size_t k = 0; k < inside->faces.size(); ++k) inside->faces[k].p -= held.borders[k] * inside->faces[k].v;
  const Expected<void> set = problem.exchange_goal(held.id, seen);
  assert(set);
  (void)set;
}

void HeldGoals::restart(Problem& problem) {
  for (Held& held : held_) {
    held.weight = weight_of(held.yields);
    set_weight(problem, held.id, held.weight);
  }
  state(problem);
}

void HeldGoals::state(Problem& problem) {
  for (Held& held : held_) {
    held.shift.setZero();
    held.turn.setIdentity();
    std::ranges::fill(held.borders, 0.0);
    set_shifted(problem, held);
  }
}

// The largest move.
double HeldGoals::move_borders(Held& held, const Vec3& p) {
  double largest = 0.0;
  const auto move = [&](std::size_t k, double outside) {
    const double before = std::exchange(held.borders[k], std::fmax(0.0, held.borders[k] + outside));
    largest = std::fmax(largest, std::fabs(held.borders[k] - before));
  };
  if (const auto* space = std::get_if<HalfSpace>(&held.goal)) move(0, space->v.dot(space->p - p));
  if (const auto* inside = std::get_if<InsidePolyhedron>(&held.goal))
    for (std::size_t k = 0; k < inside->faces.size(); ++k) move(k, inside->faces[k].outside(p));
  return largest;
}

HeldGoals::Miss HeldGoals::miss_of(const Held& held, const Figure& figure, const Kinematics& state) {
  Vec3 x[max_elements];
  evaluate(figure, state, held.handle, x);
  Miss miss{.at = x[0]};
  if (const Vec3* p = point_in(held.goal)) miss.p = *p - x[0];
  if (const auto* line = std::get_if<Line>(&held.goal)) miss.p -= line->v.dot(miss.p) * line->v;
  if (const Orientation* orientation = orientation_in(held.goal)) {
    const Vec3* e = x + (held.handle.shape == Shape::frame ? 1 : 0);
    miss.R = axes(orientation->x, orientation->y) * axes(e[0], e[1]).transpose();
  }
  return miss;
}

// Whether more force than there is would be needed to get rid of the error e. Then it is all of it, F, towards the
// goal: as a weight F / ‖e‖, or, where that is more than w, as a shift by which w (t - x) is F.
bool HeldGoals::yield(Held& held, const Vec3& miss, double max_force) {
  const Vec3 pull = held.shift + 2.0 * miss;
  if (!held.yields || yielding_weight * pull.norm() <= max_force) return false;
  const double e = miss.norm();
  if (yielding_weight * e >= max_force) {
    held.weight = max_force / e;
    held.shift.setZero();
  } else {
    held.shift = max_force / yielding_weight * pull.normalized() - miss;
  }
  return true;
}

void HeldGoals::limit_force(Problem& problem, const Figure& figure, const Kinematics& state, double max_force) {
  for (Held& held : held_) {
    if (!held.yields) continue;
    const double e = miss_of(held, figure, state).p.norm();
    held.weight = yielding_weight * e > max_force ? max_force / e : yielding_weight;
    set_weight(problem, held.id, held.weight);
  }
}

bool HeldGoals::yields() const {
  return std::ranges::any_of(held_, [](const Held& held) { return held.yields && held.weight < yielding_weight; });
}

HeldGoals::Change HeldGoals::shift(Problem& problem, const Figure& figure, const Kinematics& state, double max_force) {
  Change change;
  for (Held& held : held_) {
    const Miss miss = miss_of(held, figure, state);
    const double before = held.weight;
    held.weight = weight_of(held.yields);
    if (!yield(held, miss.p, max_force)) {
      held.shift += miss.p;
      change.error = std::fmax(change.error, miss.p.norm());
    }
    held.turn = miss.R * held.turn;
    const double sine =
        0.5 * Vec3(miss.R(2, 1) - miss.R(1, 2), miss.R(0, 2) - miss.R(2, 0), miss.R(1, 0) - miss.R(0, 1)).norm();
    change.error = std::fmax(change.error, metres_per_radian(figure) * sine);
    change.reweighed = change.reweighed || std::fabs(held.weight - before) > same_weight * before;
    change.error = std::fmax(change.error, move_borders(held, miss.at));
    set_weight(problem, held.id, held.weight);
    set_shifted(problem, held);
  }
  return change;
}

}  // namespace limber
