// Hard constraints and linear limits for methods that keep neither in their own iterations.        W93 5.2, 6.3
//
// With the hard constraints c(φ) = 0 and the linear limits e(φ) = aᵀφ - b <= 0 (or = 0), a round is
//
//   1. λ, the multipliers at a feasible φ₀: the least squares of g + J_cᵀ λ + Aᵀ λ', as W93 (5.5) has them, λ' >= 0
//   2. some iterations of the method, in the box alone, from φ₀ on the augmented Lagrangian, which is a sum of squares
//
//        f(φ) + ω ‖c + λ / 2ω‖² + ω Σ max(0, e + λ' / 2ω)²
//
//      Its gradient at φ₀ is that of f without what the constraints take: the method starts along them.
//   3. the feasible point nearest to where the method ended, from φ₀: min ‖φ - φ₁‖² under all limits and c = 0, by
//      Levenberg-Marquardt
//   4. that is the next φ₀ where f is less there; otherwise the round is repeated with shorter and fewer steps and a
//      larger ω.
//
// So every φ₀ is feasible, f never increases from one to the next, and the Kuhn-Tucker residual there is that of the
// whole problem. λ has the least norm: of the rows of an orientation, some depend on the others. Observers see φ₀.
//
// A round costs its iterations and O(n³) for the nearest point. No allocation after reserve().
#pragma once

#include <vector>

#include "limber/program/independent_rows.h"
#include "limber/program/kkt.h"
#include "limber/program/least_squares.h"
#include "limber/program/limits.h"
#include "limber/program/method.h"
#include "limber/program/objective.h"
#include "limber/solver/residual/jacobi_svd.h"
#include "limber/solver/residual/levenberg_marquardt.h"

namespace limber {

class ConstraintRounds {
 public:
  // What the method does not keep in its own iterations.
  struct Lacks {
    bool locks = false;
    bool rows = false;
    // ω of the first round: how much a hard constraint counts for the method, in all others together. A method that
    // follows a slope in small steps needs a small one, one that goes to the minimum of a model a larger one.
    double first_weight = 10.0;
    bool any() const { return locks || rows; }
  };
  // A run of the method on the program of a round.
  class Method {
   public:
    template <class F>
    Method(F& function)  // NOLINT: implicit on purpose
        : self_(&function),
          run_([](void* self, Objective objective, LeastSquares system, const Limits& limits,
                  const MethodOptions& options, VecX& x, const Observer& observer) {
            return (*static_cast<F*>(self))(objective, system, limits, options, x, observer);
          }) {}
    Outcome operator()(Objective objective, LeastSquares system, const Limits& limits, const MethodOptions& options,
                       VecX& x, const Observer& observer) const {
      return run_(self_, objective, system, limits, options, x, observer);
    }

   private:
    void* self_;
    Outcome (*run_)(void*, Objective, LeastSquares, const Limits&, const MethodOptions&, VecX&, const Observer&);
  };

  // Minimises from x, which must be feasible but for the hard constraints. A round whose value is not above
  // `indifferent` is taken also where it is no less than before: for methods with a second criterion.
  Outcome minimize(LeastSquares problem, const Limits& limits, const Lacks& lacks, Method method, VecX& x,
                   const MethodOptions& options, double indifferent, const Observer& observer);

 private:
  // What the method minimises in a round.
  struct Program {
    explicit Program(ConstraintRounds& of) : rounds(of) {}
    const std::vector<int>& level_ends() const { return rounds.level_ends_; }
    void residual(const VecX& x, VecX& r) const { rounds.residual(x, r); }
    void jacobian(const VecX& x, MatX& J) const { rounds.jacobian(x, J); }
    double operator()(const VecX& x, VecX& gradient) const { return rounds.value(x, gradient); }
    ConstraintRounds& rounds;
  };
  // The hard rows, and the distance to a point.
  struct Nearest {
    const std::vector<int>& level_ends() const { return ends; }
    void residual(const VecX& x, VecX& r);
    void jacobian(const VecX& x, MatX& J);
    std::vector<int> ends;
    LeastSquares* problem = nullptr;
    VecX target, r;
    MatX J;
  };

  bool reserve(const LeastSquares& problem, const Limits& limits, const Lacks& lacks);
  double evaluate(const VecX& x);
  double multipliers(const Limits& limits, const VecX& x);
  int go_to_nearest(const Limits& limits, const VecX& target, VecX& x);
  void hold_limits(const Limits& limits, const VecX& reached);
  bool find_better(const Limits& limits, double best, double indifferent, double& reached, int& evaluations);
  double row_excess(int k, const VecX& x) const;
  void residual(const VecX& x, VecX& r);
  void jacobian(const VecX& x, MatX& J);
  double value(const VecX& x, VecX& gradient);

  LeastSquares* problem_ = nullptr;
  const Limits* limits_ = nullptr;
  Lacks lacks_;
  int hard_ = 0, all_ = 0;       // rows of the problem
  double weight_ = 1.0;          // ω
  std::vector<int> level_ends_;  // of the program of a round
  Limits box_;                   // what the method keeps
  IndependentRows independent_;  // of the hard rows
  Limits tangent_;               // the limits, and these as equalities
  Limits held_limits_;           // the limits, some as equalities
  std::vector<char> held_;       // by limit: has a multiplier at φ₀
  Kkt kkt_;
  JacobiSvd svd_;  // of J_cᵀ, or of J_c where it has more rows than columns
  LevenbergMarquardt projection_;
  Nearest nearest_;
  VecX lock_shift_;  // c at φ₀, less λ / 2ω
  VecX lambda_;      // of the hard rows
  VecX row_lambda_;  // of the linear limits
  VecX r_, r_round_, g_, s_, x_, base_, trial_;
  MatX J_, J_round_;
};

}  // namespace limber
