// Constraints on a figure over time, each active during a time span.                                W93 6.3, 7.2.1
//
// A constraint has an activity e(t) from 0 to 1: 1 within its span, less where it is eased in before and out after. Its
// weight grows with its activity as
//
//   W(e) = (1 / w + S (1 - e) / e)⁻¹,      S = J M⁻¹ Jᵀ
//
// where M is the stiffness that holds the pose to the given motion and to the other active constraints, so S is the
// compliance of the handle: a constraint on its own covers the fraction e of the distance, whatever its handle, and a
// hard one is exact from e = 1 on. Nothing jumps.
//
// Of alternatives, one is met, and the same one during the whole span: a hand that takes one of two rails does not
// change to the other. solve_motion() and the others choose it (timed/alternatives.h).
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "limber/problem/problem.h"

namespace limber {

// When a constraint is active, in seconds.
struct Span {
  double from = -infinity;
  double to = infinity;
  double ease_in = 0.0;   // duration before `from`
  double ease_out = 0.0;  // duration after `to`

  // e: 1 from `from` to `to`, 0 outside the easing, C² in between.
  double activity(double time) const;
  double begin() const { return from - ease_in; }
  double end() const { return to + ease_out; }
};

// A moving goal: along a curve, or with another body. Called once per frame, in any order.
using GoalAt = std::function<Goal(double time)>;

// A constraint during a span.
struct Demand {
  std::string name = {};
  ConstraintId slot = {};  // the constraint of problem() that implements it
  Span span = {};
  Goal goal = {};        // if it does not move
  GoalAt moving = {};    // if it does
  bool holds = false;    // the goal is where the handle is in the given motion at the start of the span
  int group = no_group;  // of alternatives, which have one span
  bool taken = true;     // unless another alternative of its group is

  double activity(double time) const { return taken ? span.activity(time) : 0.0; }

  static constexpr int no_group = -1;
};

// One of several things that a handle may do.
struct TimedAlternative {
  Expected<Handle> handle;
  std::variant<Goal, GoalAt> goal;
  std::string name = {};
};

class TimedProblem {
 public:
  explicit TimedProblem(Figure figure);

  // Returns the index of the demand. Hold means: where the handle is in the given motion at the start of the span.
  // Rejected: what Problem::add rejects, a span that ends before it begins, negative easing, priorities other than the
  // first, soft constraints, Hold on a ray or a difference of directions, and Hold as a moving goal. Demands of the
  // same kind on the same handle at different times share a constraint.
  Expected<int> add(const Expected<Handle>& handle, const Goal& goal, const Span& span, ConstraintOptions options = {});
  Expected<int> add(const Expected<Handle>& handle, GoalAt goal, const Span& span, ConstraintOptions options = {});

  // Alternatives, of which one is met: a demand each, in a group of their own. Returns the index of the first.
  // Rejected: what add() rejects of any, and fewer than one. ZB94 (27)
  Expected<int> add_one_of(const std::vector<TimedAlternative>& alternatives, const Span& span,
                           const ConstraintOptions& options = {});
  // Takes that alternative of its group, in place of what a solve would choose.
  void take(int demand);
  // Whether there are groups of which no alternative was taken by take(); until then the first one counts.
  bool is_open() const { return std::ranges::find(is_open_, 1) != is_open_.end(); }
  bool is_open(int group) const { return is_open_[static_cast<std::size_t>(group)] != 0; }
  int groups() const { return static_cast<int>(is_open_.size()); }

  const Figure& figure() const { return problem_.figure(); }
  const std::vector<Demand>& demands() const { return demands_; }
  // The constraints of all times, with their initial goals.
  const Problem& problem() const { return problem_; }

  // As Problem::set_rigidity.
  Expected<void> set_rigidity(std::string_view parameter, double rigidity) {
    return problem_.set_rigidity(parameter, rigidity);
  }
  // Stiffness that holds a parameter to the given motion. Default: 1, but 100 for translations of a root, relative to
  // the figure's length, and 4 for its rotations.
  Expected<void> set_stiffness(std::string_view parameter, double stiffness);
  // Multiplies each stiffness by 1 + more: one number per parameter, 0 or more.
  void stiffen(const VecX& more) { stiffness_.array() *= 1.0 + more.array(); }
  const VecX& stiffness() const { return stiffness_; }

 private:
  Expected<int> add(const Expected<Handle>& handle, Demand demand, ConstraintOptions options);
  std::optional<ConstraintId> slot_for(const Handle& handle, const Demand& demand,
                                       const ConstraintOptions& options) const;

  Problem problem_;
  std::vector<Demand> demands_;
  std::vector<char> is_open_;  // by group
  VecX stiffness_;
};

}  // namespace limber
