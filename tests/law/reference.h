// What the laws compare with: the objective and the Kuhn-Tucker residual, written anew from the definitions.
// Nothing here calls the library's kinematics, goals or programs; it reads descriptions and the figure's
// tables only.
#pragma once

#include "tests/law/random_problem.h"

namespace limber::law {

// G(θ) = Σ w_i ‖r_i‖² (ZB94 (25)), from the description alone, with 4×4 matrices multiplied down the tree.
// What Hold holds is taken at `held`.
double reference_objective(const Case& from, const Figure& figure, const VecX& theta, const VecX& held);

// How far a pose is from keeping the limits, in units of what is promised: 0 where the box holds exactly;
// rows are divided by 1e-12 of the largest number that they add up.
double limit_defect(const Figure& figure, const VecX& theta);

// The variables of a problem: θ_j = scale_j φ_j, as problem/assembly.h defines them.
struct Variables {
  std::vector<int> parameters;
  std::vector<double> scales;
};
Variables variables_of(const Problem& problem);

// The largest entry of the projection of -g onto the cone of directions that no limit active at θ forbids; g
// = ∂f/∂φ. In closed form for boxes; with rows by Hildreth's method (one multiplier at a time, until nothing
// changes). Of each of `more` it is forbidden to go along it.
double reference_kkt(const Problem& problem, const VecX& theta, const VecX& g, const std::vector<VecX>& more = {});

}  // namespace limber::law
