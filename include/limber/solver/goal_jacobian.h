// The Jacobian of the goals of a problem in a pose, and how well it is conditioned.                 W93 3.2.1, 3.2.2
//
//   J_ij = ∂r_i / ∂θ_j
//
// over the rows r of every goal that counts, in metres and without weights, and the parameters θ that may move. Its
// singular values are those of the dimensionless matrix, with r and translations in lengths of the figure:
//
//   condition = σ_1 / σ_k
//
// over the k largest, where k is the rank of J in poses that are not singular: the rows of an orientation, or of goals
// that ask for the same thing twice, depend on each other everywhere. It is 1 where all directions are served alike and
// infinite in a singular pose.
#pragma once

#include <vector>

#include "limber/problem/problem.h"

namespace limber {

struct GoalJacobian {
  MatX J;
  std::vector<int> constraints;  // by row: its constraint, an index in Problem::constraints()
  std::vector<int> parameters;   // by column
  VecX singular_values;          // the k largest, decreasing
  int rank = 0;                  // of them, above rounding

  double condition() const;  // infinite where a singular value is rounding; 1 without goals
};

// Rejected: what solve() rejects of a problem, and a pose that does not fit the figure. Pulls, clearances and strength
// limits have no rows here. The pose is moved within the limits first, as a start is.
Expected<GoalJacobian> goal_jacobian(const Problem& problem, const Pose& pose);

}  // namespace limber
