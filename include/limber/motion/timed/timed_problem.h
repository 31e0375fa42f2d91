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
#pragma once

#include <functional>
#include <optional>
#include <string>
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
  Goal goal = {};      // if it does not move
  GoalAt moving = {};  // if it does
  bool holds = false;  // the goal is where the handle is in the given motion at the start of the span
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
  VecX stiffness_;
};

}  // namespace limber
