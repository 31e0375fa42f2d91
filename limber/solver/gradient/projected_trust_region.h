// A trust-region quasi-Newton method in a box.                                                   EE09 section 4
//
//   m(p) = gᵀp + ½ pᵀB p                       B approximates the Hessian: BFGS
//   min m(p)  under  l <= x + p <= u  and  |p_i| <= Δ
//
// A trust region in the max norm, intersected with the box, is another box. In it: first the minimum of m along the
// projected gradient path (the generalised Cauchy point), then conjugate gradients on the entries that are not on its
// bounds; an entry that meets a bound is fixed, and the rest continues. The step is accepted if
//
//   ρ = (f(x) - f(x + p)) / -m(p)
//
// is large enough, and Δ is adapted by ρ (Conn, Gould and Toint 1988; Nocedal and Wright, chapters 4 and 16).
// DEVIATION: EE09 compares with a method of this kind and gives no details. All of it is ours.
//
// Every iterate is in the box, exactly, and no iterate increases f. One iteration costs O(n²) for each step of the
// conjugate gradients, at most O(n³), and about one evaluation; none allocates once reserve() was called.
#pragma once

#include <vector>

#include "limber/program/limits.h"
#include "limber/program/method.h"
#include "limber/program/objective.h"

namespace limber {

class ProjectedTrustRegion {
 public:
  void reserve(const Limits& limits);

  // Minimises from x, which is moved into the box first; x is the best point on return. There must be no rows.
  Outcome minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                   const Observer& observer = {});

 private:
  struct Break {
    double t;  // where along -g the entry reaches its bound
    int i;
  };

  void reset_model();
  void shape_region(const Limits& limits, const VecX& x, double radius);
  void go_to_cauchy_point();
  void go_on_in_face(double tolerance);
  void put_on_bound(int i) { p_[i] = d_[i] < 0.0 ? low_[i] : high_[i]; }
  void place_trial(const Limits& limits, const VecX& x);
  void update_model();

  MatX B_;
  VecX g_, projected_, p_, r_, d_, Bd_, low_, high_, x_trial_, g_trial_, y_;
  std::vector<Break> breaks_;
  std::vector<char> free_;
  bool model_is_fresh_ = true;  // B is still the identity: no curvature seen
};

}  // namespace limber
