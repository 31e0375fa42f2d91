// Zhao and Badler's solver: BFGS with Rosen's projection and Goldfarb's rules for limits.       ZB94 appendix, Steps 1
// to 6
//
//   min f(x)  under  lower <= x <= upper,  aᵀx = b,  aᵀx <= b
//
// H_q is a positive semidefinite matrix with H_q a = 0 for every limit of the working set; on the directions along
// these limits it approximates the inverse Hessian. The search direction is s = -H_q g. A limit that stops the step
// joins the set (32); the one with the largest α_i N_ii^{-1/2} leaves it when that promises more than the step (30).
//
// Every iterate is feasible and no iterate increases f. One iteration costs O(n²) and two or so evaluations; none
// allocates once reserve() was called.
#pragma once

#include <vector>

#include "limber/program/kkt.h"
#include "limber/program/limits.h"
#include "limber/program/method.h"
#include "limber/program/objective.h"
#include "limber/solver/gradient/working_set.h"

namespace limber {

class ActiveSetBfgs {
 public:
  void reserve(const Limits& limits);

  // Minimises from x, which must be feasible (program/feasible.h); x is the best point on return. The paper starts
  // from the identity as the inverse Hessian; a caller that knows better gives its own.
  Outcome minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                   const Observer& observer = {}, const MatX* inverse_hessian = nullptr);

 private:
  enum class Direction { found, stationary };
  struct Block {
    double step;  // how far along s the first limit is; infinity for none
    int limit;
  };

  void reset_metric(const Limits& limits);
  bool join(const Limits& limits, int limit);
  void project_metric(const Limits& limits, int limit);
  void leave(const Limits& limits, int place);
  void start_from(const Limits& limits, const VecX& x);
  Direction find_direction(const Limits& limits, const MethodOptions& options);
  bool leave_vertex(const Limits& limits, const VecX& x, double tolerance);
  Block first_block(const Limits& limits, const VecX& x) const;
  void update_metric();

  WorkingSet set_;
  Kkt kkt_;
  MatX H_;
  VecX g_, Hg_, Pg_, alpha_, s_, x_trial_, g_trial_, sigma_, y_, Hy_, t_;
  bool metric_is_fresh_ = true;  // H_q is still the projection: no curvature seen
};

}  // namespace limber
