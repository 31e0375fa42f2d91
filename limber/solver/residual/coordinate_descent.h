// Cyclic coordinate descent on any least squares in a box: one variable at a time, each to the minimum of its model.
// W93 4.2, 5.4
//
//   x_i ← x_i - w_i J_iᵀ r / J_iᵀ J_i,   clamped to its limits, halved until ‖r‖² is less
//
// J_i is column i at the point where all others stand. For goals that have no closed form of (4.19): planes, aims,
// pulls, centres of mass, variables that move several joints. solver/geometric has the one for targets.
//
// Every iterate is in the box, exactly, and ‖r‖² never increases. An iteration is a sweep over all variables; it costs
// one Jacobian and one or two residuals per variable. None allocates once reserve() was called.
#pragma once

#include <span>

#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/method.h"

namespace limber {

class CoordinateDescent {
 public:
  void reserve(const LeastSquares& system, const Limits& limits);

  // Minimises ‖r‖² from x, which is the best point on return; a start outside the box is moved into it first. A sweep
  // visits the variables in that order and moves each by its share of the way to its minimum (W93 4.11). `converged` by
  // the largest entry of the projected gradient. Rejects hard constraints, more than one level and linear limits.
  Outcome minimize(LeastSquares system, const Limits& limits, std::span<const int> order, const VecX& shares, VecX& x,
                   const MethodOptions& options, const Observer& observer = {});

 private:
  bool move(const LeastSquares& system, const Limits& limits, int i, double share, double longest_step, VecX& x,
            int& evaluations);

  double value_ = 0.0;  // ‖r‖² at x
  MatX J_;
  VecX r_, r_trial_, g_;
};

}  // namespace limber
