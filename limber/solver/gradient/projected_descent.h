// Descent along projected arcs: conjugate gradients and steepest descent in a box.               EE09 section 3
//
//   min f(x)  under  l <= x <= u
//
//   d    = -g + β d_prev
//   β    = max(0, gᵀ(g - g_prev) / ‖g_prev‖²)      Polak-Ribière plus, EE09 (8), (9); steepest descent has 0
//   x(t) = min(u, max(l, x + t d))                 the arc, EE09 (10), computed in each trial of the search
//   f(x(t)) <= f(x) + c gᵀ(x(t) - x)               enough decrease on the projected step
//
// All gradients above are projected ones (box.h). d is 0 where x is on a bound and d points out of the box.
// DEVIATION: (8) prints ‖∇f_i‖ in the denominator; its square is meant, without it β has a unit.
// DEVIATION: the print takes the whole gradients in (8). Entries at an active bound have no part in the remaining
// directions, so they are omitted from both sums and from d; one that has become free enters with -g_i. A change of the
// active set is no restart by itself: β is 0 soon enough where conjugacy is lost, and restarts at every change cost
// nearly twice the evaluations (doc/method/projected_conjugate_gradient.md).
//
// Every iterate is in the box, exactly, and no iterate increases f. One iteration costs O(n) and one or two
// evaluations; none allocates once reserve() was called.
#pragma once

#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/method.h"
#include "limber/program/objective.h"
#include "limber/solver/gradient/line_search.h"

namespace limber {

enum class ProjectedSearch {
  binary,         // the paper's: the first step, halved until the decrease is enough
  interpolating,  // first step from the last one, trials by cubics along the arc, may grow
};

struct ProjectedDescentOptions {
  ProjectedSearch search = ProjectedSearch::interpolating;
  // The binary search starts from this t, where the print is silent; 1 tries the whole direction, as (10) has it. The
  // interpolating search takes it only where nothing else is known: in the first iteration, if f is not positive.
  double first_step = 1.0;
};

class ProjectedDescent {
 public:
  void reserve(const Limits& limits);

  // Minimises from x, which is moved into the box first; x is the best point on return. There must be no rows.
  Outcome minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                   const Observer& observer = {});

 protected:
  enum class Update { polak_ribiere_plus, steepest };
  ProjectedDescent(Update update, const ProjectedDescentOptions& options) : update_(update), own_(options) {}

 private:
  // The arc x(t) that is searched.
  struct Arc {
    Objective objective;
    const Limits& limits;
    const VecX& x;
    Loop& loop;
    double value;    // f(x)
    double slope;    // gᵀd < 0
    double longest;  // t beyond which no variable may, or can, move
  };
  // A trial of it. Variables that a bound has stopped on the way no longer count in the slope; `start` is the point t =
  // 0 as a curve without them would have it, to first order, so that the two points fit one cubic.
  struct Trial {
    LinePoint at;
    LinePoint start;
    double linear;  // gᵀ(x(t) - x)
    bool enough;    // decrease
  };

  void take_steepest();
  void take_conjugate(const Limits& limits, const VecX& x);
  double longest_step(const Limits& limits, const VecX& x, double longest) const;
  double first_step(const Arc& arc) const;
  Trial probe(Arc& arc, double step);
  // Both leave the best trial in x_best_ and g_best_; false where there is none.
  bool search_binary(Arc& arc);
  bool search_interpolating(Arc& arc);
  void keep(const Trial& trial);

  Update update_;
  ProjectedDescentOptions own_;
  VecX g_, p_, p_prev_, d_, x_trial_, g_trial_, x_best_, g_best_;
  LinePoint best_{};         // the trial in x_best_
  double best_start_ = 0.0;  // the slope at t = 0 that goes with it
  double last_step_ = 0.0;   // of the iteration before; 0: none
  double last_slope_ = 0.0;
  bool is_steepest_ = true;
};

}  // namespace limber
