// The Jacobian transpose method: the residual acts as a force, and every variable follows its component.
// W93 4.1
//
//   q' = K Jᵀ F,  F = -r                                                                         (4.10)
//   K_i = 1 / (w_i α_i): w_i grows with the length of the link, α_i is the joint's stiffness     (4.11)
//
// This is steepest descent on ½‖r‖² in the metric K, integrated over time: an iteration is one integration step, so a
// solve of one iteration is one step of a drag. Velocities are clamped to a maximum, each step to the box.
//
// No iteration increases ‖r‖² (unless `may_rise`), and every iterate is exactly within the box. A step costs one
// Jacobian (Euler) or six (Runge-Kutta) and O(m n) each; none allocates once reserve() was called.
#pragma once

#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/method.h"
#include "limber/solver/residual/integration.h"

namespace limber {

struct JacobianTransposeOptions {
  Integration integration = Integration::runge_kutta;
  VecX gain = {};             // K_i, 0 or more; empty: 1 for all. A variable of gain 0 does not move
  double step = 1.0;          // h, of the first step where it adapts
  double fastest = infinity;  // no entry of q' is larger
  double accuracy = 1e-3;     // the error of one Runge-Kutta step, in units of the variables
  bool may_rise = false;      // true: steps as printed; else one that increases ‖r‖² is made shorter
};

class JacobianTranspose {
 public:
  void reserve(const LeastSquares& system, const Limits& limits);

  // Minimises ‖r‖² from x; x is the best point on return. A start outside the box is moved into it first. Rejects hard
  // constraints, more than one level, linear limits and options that are not numbers of their kind.
  Outcome minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                   const JacobianTransposeOptions& own, const Observer& observer = {});

  // The step that the next iteration would have tried: to start the next step of a drag with.
  double step() const { return h_; }

 private:
  double evaluate(const LeastSquares& system, const VecX& x, Loop& loop);
  void pull(const LeastSquares& system, const VecX& x);
  void velocity_from_pull(const Limits& limits, const VecX& x, const JacobianTransposeOptions& own, VecX& v) const;
  double projected_gradient(const Limits& limits, const VecX& x, const JacobianTransposeOptions& own) const;
  bool try_step(const LeastSquares& system, const Limits& limits, const VecX& x, double value,
                const JacobianTransposeOptions& own, Loop& loop, double& reached);

  CashKarp pair_;
  double h_ = 1.0;
  MatX J_;
  VecX r_, g_, v_, d_, x_trial_, best_;
};

}  // namespace limber
