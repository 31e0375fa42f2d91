// The methods with their workspaces: one call for all of them.
#pragma once

#include <optional>
#include <vector>

#include "limber/problem/assembly.h"
#include "limber/solver/constraint_rounds.h"
#include "limber/solver/geometric/cyclic_coordinate_descent.h"
#include "limber/solver/gradient/active_set_bfgs.h"
#include "limber/solver/gradient/projected_conjugate_gradient.h"
#include "limber/solver/gradient/projected_steepest_descent.h"
#include "limber/solver/gradient/projected_trust_region.h"
#include "limber/solver/options.h"
#include "limber/solver/quick_marquardt.h"
#include "limber/solver/residual/coordinate_descent.h"
#include "limber/solver/residual/jacobian_transpose.h"
#include "limber/solver/residual/lagrange_multipliers.h"
#include "limber/solver/residual/levenberg_marquardt.h"
#include "limber/solver/residual/pseudoinverse.h"

namespace limber {

// What a method does not support in the problem, in words; nothing where it supports all of it.
std::optional<Diagnostic> rejection(const Problem& problem, Method method);

// The rows of hard constraints become rows of the first level, with a large weight.
struct Relaxed {
  const std::vector<int>& level_ends() const { return ends; }
  void residual(const VecX& x, VecX& r) const;
  void jacobian(const VecX& x, MatX& J) const;
  void take(Assembly& from);

  Assembly* assembly = nullptr;
  std::vector<int> ends;
  int hard = 0;
};

class Methods {
 public:
  // Allocates all that runs with these options from phi on may need.
  void reserve(const Problem& problem, Assembly& assembly, const Options& options, const VecX& phi);
  // Minimises from phi, with the iterations and the tolerance of `common`. The assembly must have been started. The
  // observer is called with variables φ, whatever the method.
  Outcome run(const Problem& problem, Assembly& assembly, const Options& options, const MethodOptions& common,
              VecX& phi, const Observer& observer);
  // Whether the started problem can be solved by quick_marquardt.h, and a run of it. If the goals cannot be met, run()
  // continues from its result.
  bool has_quick_method(Assembly& assembly, const Options& options) {
    const Method method = chosen_method(options);
    return (method == Method::automatic || method == Method::levenberg_marquardt) && quick_.accepts(assembly);
  }
  Outcome run_quick(const Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                    const Observer& observer);
  double quick_work_per_iteration() const { return quick_.work_per_iteration(); }
  bool is_out_of_quick_reach(const Options& options) const { return quick_.is_out_of_reach(options.met_metres); }
  // With hard constraints, iterations on a problem where these have a large weight instead: from a start that is far
  // from them, they can move through poses in which the constraints do not hold.
  Outcome approach(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                   const Observer& observer);
  // Where the next runs of Gauss-Newton take their first damping from and leave their last; null: each finds its own.
  void resume_from(double* damping) { levenberg_marquardt_.resumed = damping; }

 private:
  // What a method minimises: the assembly, or the program of a round on it.
  struct Program {
    Objective objective;
    LeastSquares system;
    const Limits& limits;
  };
  Outcome run_on(const Program& program, Assembly& assembly, const Options& options, const MethodOptions& common,
                 VecX& phi, const Observer& observer);
  void reserve_gauss_newton(Assembly& assembly, const Options& options);
  Outcome gauss_newton(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                       const Observer& observer);
  Outcome pseudoinverse(const Program& program, Assembly& assembly, const Options& options, const MethodOptions& common,
                        VecX& phi, const Observer& observer);
  Outcome coordinates(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                      const Observer& observer);
  bool has_closed_form(const Problem& problem);
  void take_gain(const Assembly& assembly, const Options& options, VecX& gain) const;
  void take_order(const Assembly& assembly);

  QuickMarquardt quick_;
  LevenbergMarquardt levenberg_marquardt_, approach_;
  Relaxed relaxed_;
  ActiveSetBfgs active_set_bfgs_;
  ProjectedConjugateGradient conjugate_gradient_, printed_conjugate_gradient_{{.search = ProjectedSearch::binary}};
  ProjectedSteepestDescent steepest_descent_, printed_steepest_descent_{{.search = ProjectedSearch::binary}};
  ProjectedTrustRegion trust_region_;
  JacobianTranspose jacobian_transpose_;
  LagrangeMultipliers lagrange_multipliers_;
  Pseudoinverse pseudoinverse_;
  std::optional<CyclicCoordinateDescent> coordinate_descent_;  // for targets alone
  CoordinateDescent any_coordinate_descent_;
  ConstraintRounds rounds_;
  Manipulability manipulability_;
  JacobianTransposeOptions transpose_options_;
  LagrangeMultipliersOptions multiplier_options_;
  std::vector<int> order_;  // of the variables, from the leaves
  VecX shares_;             // by variable: 1 / stiffness
  MatX metric_;
  VecX theta_, at_;
  Comfort comfort_;
};

}  // namespace limber
