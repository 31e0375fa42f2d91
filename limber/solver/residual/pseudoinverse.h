// Resolved motion rate control: the minimum-norm motion for the task, and a secondary criterion in its null space.
// W93 3.2
//
//   q' = J⁺ ẋ - (I - J⁺J) ∇H,   ẋ = -r, made shorter where it is too long                        (3.7), (3.8)
//
// J = U Σ Vᵀ (3.9); J⁺ = Σ_i f(σ_i) v_i u_iᵀ with f(σ) = 1/σ for the singular values that are not small, else 0
// (pseudoinverse), or f(σ) = σ / (σ² + λ²) (damped least squares). The null-space projection I - J⁺J always uses the
// undamped J⁺, so the secondary criterion does not disturb the task to first order. DEVIATION: (3.8) adds ∇H and calls
// H a criterion to be minimised; the sign is reversed here.
//
// Limits. A variable that reaches a limit is removed for the rest of the step, and the rest of the task is solved again
// without it. Every iterate is exactly within the box.
//
// J⁺ comes from one decomposition per iteration, of O(min(m, n)² max(m, n)); without a variable it needs a Cholesky
// factorisation (task_inverse.h). None allocates once reserve() was called.
#pragma once

#include <optional>
#include <vector>

#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/method.h"
#include "limber/program/objective.h"
#include "limber/solver/residual/jacobi_svd.h"
#include "limber/solver/residual/task_inverse.h"

namespace limber {

struct PseudoinverseOptions {
  enum class Inverse { truncated, damped };
  Inverse inverse = Inverse::damped;
  double truncation = 1e-4;              // singular values below this part of the max are omitted
  double damping = 1e-2;                 // λ, relative to the largest singular value
  double longest_task_step = infinity;   // ‖ẋ‖ is at most this
  const Objective* secondary = nullptr;  // H and ∇H; null: no secondary criterion
  double secondary_gain = 1.0;           // what ∇H is multiplied by
  double met = 1e-6;                     // with H: ‖r‖ up to this counts as nothing when two points are compared
  int halvings = 30;                     // a step to a worse point is halved up to so often
};

class Pseudoinverse {
 public:
  void reserve(const LeastSquares& system, const Limits& limits);

  // Minimises ‖r‖² from x; x is the best point on return: the one with the min ‖r‖; with a second criterion, among
  // those with ‖r‖ up to `met` the one with the min H. `converged`: the projected gradient of ‖r‖² is below the
  // tolerance and so is every entry of the motion that H asks for. Rejects hard constraints, more than one level,
  // linear limits and options that are not numbers of their kind.
  Outcome minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                   const PseudoinverseOptions& own, const Observer& observer = {});

 private:
  struct Value {
    double square = 0.0;  // ‖r‖²
    double second = 0.0;  // H
  };
  struct Hit {
    int variable = -1;
    double after = 0.0;
  };

  Value evaluate(const LeastSquares& system, const VecX& x, const PseudoinverseOptions& own, Loop& loop);
  void start_inverses(const PseudoinverseOptions& own);
  void add_free_part();
  Hit first_hit(const Limits& limits, const VecX& x) const;
  void walk(const Limits& limits, const VecX& x, const PseudoinverseOptions& own);
  void steepest(const Limits& limits, const VecX& x);
  bool search(const LeastSquares& system, const Limits& limits, const VecX& x, const Value& before,
              const PseudoinverseOptions& own, Loop& loop, Value& value);
  double projected_gradient(const Limits& limits, const VecX& x) const;
  static bool is_worse(const Value& now, const Value& before, const PseudoinverseOptions& own);

  bool is_damped_ = false;
  TaskInverse inverse_, undamped_;  // without damping only if the first one is damped
  std::vector<char> out_;
  MatX J_;
  VecX r_, task_, g_, slope_, v_, d_, x_trial_, best_, free_;
};

// H for the methods above: callables double(x, ∇H) for an Objective.

// How far the variables are from the middle of their ranges, ½ Σ ((x - middle) / half the range)²; those without two
// finite limits do not count.                                                              W93 3.2.1, joint ranges
struct RangeAvailability {
  const Limits& limits;
  double operator()(const VecX& x, VecX& gradient) const;
};

// ½ ‖x - pose‖²: a posture to come back to.
struct Comfort {
  VecX pose;
  double operator()(const VecX& x, VecX& gradient) const;
};

// H = -Π σ_j over the k largest singular values of J: the less, the farther from a singular pose.           W93 3.2.2
//
// k is the rank of J in poses that are not singular. Where all rows are independent, Π σ_j = √det(J Jᵀ). The rows of an
// orientation are not: of its six, three depend on the others, and the determinant is 0 everywhere.
//
//   ∂H/∂x_i = H Σ_j u_jᵀ (∂J/∂x_i) v_j / σ_j,   ∂J/∂x_i by central differences: 2 n Jacobians, one SVD
//
// The rows of hard constraints do not count.
class Manipulability {
 public:
  // Takes k from the ranks at x and at some points around it, all in the box. The system and the limits must outlive
  // the solve.
  void start(const LeastSquares& system, const Limits& limits, const VecX& x);
  double operator()(const VecX& x, VecX& gradient);

  int rank() const { return rank_; }
  // 1 / |H| at the start: with it a step is as long wherever the figure and its weights put the numbers.
  double usual_gain() const { return usual_gain_; }

 private:
  void decompose(const VecX& x);
  double product();

  std::optional<LeastSquares> system_;
  const Limits* limits_ = nullptr;
  int rank_ = 0;
  double usual_gain_ = 1.0;
  JacobiSvd svd_;             // of Jᵀ, or of J where it has more rows than columns
  std::vector<int> largest_;  // singular values by size
  MatX J_, J_rows_, J_change_, inverse_;
  VecX r_, x_;
};

}  // namespace limber
