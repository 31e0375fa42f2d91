// What is asked of a figure over time: constraints, each with the time while it is in force.        W93 6.3, 7.2.1
//
// A constraint is in force with an activity e(t) from 0 to 1: wholly in its span, partly where it is eased in before or
// out after it. Its weight grows with its activity as
//
//   W(e) = (1 / w + S (1 - e) / e)⁻¹,      S = J M⁻¹ Jᵀ
//
// where M is how stiffly the pose is held to the motion that is given, and to what else is in force, so that S is how
// readily the handle comes along: alone, a constraint has made up e of the way, whatever its handle, and one that must
// hold does so exactly from e = 1 on. Nothing jumps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/problem/problem.h"

namespace limber {

// When a constraint is in force, in seconds.
struct Span {
  double from = -infinity;
  double to = infinity;
  double ease_in = 0.0;   // so long before `from`
  double ease_out = 0.0;  // so long after `to`

  // e: 1 from `from` to `to`, 0 before and after the easing, smooth between, its first two derivatives too.
  double activity(double time) const;
  double begin() const { return from - ease_in; }
  double end() const { return to + ease_out; }
};

// A goal that moves: along a curve, with another body. Asked once a frame, in no order.
using GoalAt = std::function<Goal(double time)>;

// One demand.
struct Demand {
  std::string name = {};
  ConstraintId slot = {};  // the constraint of problem() that serves it
  Span span = {};
  Goal goal = {};      // where it does not move
  GoalAt moving = {};  // else
  bool holds = false;  // the goal is where the handle is in the given motion when the span begins
};

class TimedProblem {
 public:
  explicit TimedProblem(Figure figure);

  // Gives the number of the demand. Hold means: where the handle is in the given motion when the span begins. Rejected:
  // what Problem::add rejects, a span that ends before it begins, easing below 0, priorities but the first, what gives
  // way, to hold a ray or a difference of directions, and to hold as a goal that moves. Demands of the same kind on the
  // same handle at different times share a constraint.
  Expected<int> add(const Expected<Handle>& handle, const Goal& goal, const Span& span, ConstraintOptions options = {});
  Expected<int> add(const Expected<Handle>& handle, GoalAt goal, const Span& span, ConstraintOptions options = {});

  const Figure& figure() const { return problem_.figure(); }
  const std::vector<Demand>& demands() const { return demands_; }
  // All constraints, whatever the time, with the goals that they were made with.
  const Problem& problem() const { return problem_; }

  // As that of a Problem.
  Expected<void> set_rigidity(std::string_view parameter, double rigidity) {
    return problem_.set_rigidity(parameter, rigidity);
  }
  // How stiffly parameters are held to the given motion: 1 unless said otherwise, but 100 for the shifts of a root, in
  // lengths of the figure, and 4 for its turns.
  Expected<void> set_stiffness(std::string_view parameter, double stiffness);
  // By so much more each, in parts of what it is: one number a parameter, 0 or more.
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
