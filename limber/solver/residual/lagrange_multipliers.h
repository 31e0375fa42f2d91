// Hard constraints by Lagrange multipliers: the component of a pull that would violate them is removed. W93 5.2, 5.3
//
// The rows of level 0 are the constraints C; those of level 1 pull with the force g_a = -J_aᵀ r_a. Constraint forces
// J_cᵀ λ are added such that C does not change:
//
//   J_c K J_cᵀ λ = -J_c K g_a                                                                    (5.5)
//   q' = K (g_a + J_cᵀ λ) - k K J_cᵀ C                                                           (5.6), (5.7)
//
// (5.5) is solved by the truncated SVD of √K J_cᵀ, whose squares are the eigenvalues of the printed matrix.
// DEVIATION: (5.7) has no K before its last term. With it a variable of gain 0 is truly locked, the spring decays with
// the same matrix as (5.5), C' = -k (J_c K J_cᵀ) C, and k has the unit of 1 / time whatever the gains are.
//
// Limits. A variable that reaches a limit is removed from the system for the rest of the step, and (5.5) is solved
// again, so that the others maintain the constraints. Every iterate is exactly within the box.
//
// An iteration is one step of the integration. It costs O(n m²) + O(m³) for m constraint rows, once more for each limit
// that is reached; none allocates once reserve() was called.
#pragma once

#include <vector>

#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/method.h"
#include "limber/solver/residual/integration.h"
#include "limber/solver/residual/jacobi_svd.h"

namespace limber {

struct LagrangeMultipliersOptions {
  enum class Feedback {
    spring,      // -k K J_cᵀ C, as printed: C decays at k times the eigenvalues of J_c K J_cᵀ, the softest last
    projection,  // -k K J_cᵀ (J_c K J_cᵀ)⁺ C: all of C decays at the rate k, whatever the figure's pose
  };
  Integration integration = Integration::runge_kutta;
  Feedback feedback = Feedback::spring;
  VecX gain = {};             // K_i, 0 or more; empty: 1 for all. A variable of gain 0 does not move
  double step = 0.1;          // h, of the first step where it adapts
  double k = 1.0;             // of the feedback
  double fastest = infinity;  // q' is scaled down where an entry would be larger
  double accuracy = 1e-5;     // the error of one Runge-Kutta step, in units of the variables
  double truncation = 1e-4;   // singular values of √K J_cᵀ below this part of the max are omitted
  double kept = 1e-4;         // constraints with ‖C‖ up to this count as met when two points are compared
  int halvings = 10;          // max halvings of a step to a worse point; then it is taken; 0: as printed
};

class LagrangeMultipliers {
 public:
  void reserve(const LeastSquares& system, const Limits& limits);

  // Integrates from x; on return x is the best point seen: the one with the min ‖C‖; among points with ‖C‖ up to
  // `kept`, the last one that no earlier one beats in both ‖C‖ and ‖r‖² of level 1. (The sum of both would not work: it
  // can be minimal between the constraints and the pull.) The reported values are ‖r‖² over all rows. `converged`: no
  // entry of the net force exceeds the tolerance where a variable is free, nor does one of C. Rejects more than levels
  // 0 and 1, linear limits and options that are not numbers of their kind.
  Outcome minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                   const LagrangeMultipliersOptions& own, const Observer& observer = {});

  double drift() const { return drift_; }              // the largest ‖C‖ at an iterate of the last minimize()
  const VecX& multipliers() const { return lambda_; }  // λ at the last point visited
  double step() const { return h_; }                   // that the next iteration would have tried

 private:
  struct Value {
    double constraints = 0.0;  // ‖C‖
    double rest = 0.0;         // ‖r_a‖²
    double all() const { return constraints * constraints + rest; }
  };
  struct Hit {
    int variable = -1;
    double after = 0.0;  // of the step
  };

  static bool is_worse(const Value& now, const Value& before, double kept);
  Value evaluate(const LeastSquares& system, const VecX& x, Loop& loop);
  void take_jacobian(const LeastSquares& system, const VecX& x);
  void solve(const LagrangeMultipliersOptions& own, VecX& v);
  bool is_wide() const { return constraints_ > gain_.size(); }
  void apply_inverse(const VecX& b, VecX& y, double truncation);
  void free_all(const LagrangeMultipliersOptions& own);
  Hit first_hit(const Limits& limits, const VecX& x, const VecX& d, const VecX& v) const;
  void velocity_within(const Limits& limits, const VecX& x, const LagrangeMultipliersOptions& own, VecX& v);
  bool is_stationary(const Limits& limits, const VecX& x, const MethodOptions& options) const;
  void walk(const Limits& limits, const VecX& x, double time, const MethodOptions& options,
            const LagrangeMultipliersOptions& own);
  bool follow(const LeastSquares& system, const Limits& limits, const VecX& x, const LagrangeMultipliersOptions& own,
              Loop& loop, double& next);
  bool step_once(const LeastSquares& system, const Limits& limits, const VecX& x, const Value& from,
                 const LagrangeMultipliersOptions& own, Loop& loop, Value& reached);

  CashKarp pair_;
  JacobiSvd svd_;          // of √K J_cᵀ, or of its transpose if there are more constraints than variables
  std::vector<char> out_;  // taken out of the system
  double h_ = 0.0;
  double drift_ = 0.0;
  int constraints_ = 0;
  MatX J_, J_start_, KJt_;
  VecX r_, r_start_, C_, g_a_, net_, v_, v0_, d_, d_stage_, lambda_, b_, y_, x_trial_, best_, gain_;
};

}  // namespace limber
