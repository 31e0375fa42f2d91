// The rows of pulls (problem/problem.h). They are functions of θ alone and need no links.
//
// A pull by stiffness or to comfort has one row per variable with a stiffness, a pull by a matrix one per row of A.
// Parameters that are not variables have no row of their own; a matrix couples variables to them.
#pragma once

#include <vector>

#include "limber/problem/row_layout.h"
#include "limber/problem/variables.h"

namespace limber {

class PullRows {
 public:
  // The problem must outlive this.
  PullRows(const Problem& problem, const RowLayout& rows, const Variables& variables);

  static int row_count(const PosePull& pull, const Variables& variables);

  // For one pull: ‖r‖² without the weight; add_gradient() adds factor · ∂‖r‖²/∂φ and returns factor · ‖r‖².
  double value(const PosePull& pull, const Variables& variables, const VecX& theta);
  double add_gradient(const PosePull& pull, double factor, const Variables& variables, const VecX& theta,
                      VecX& gradient);

  // For all pulls: adds to f and to ∇f.
  void add_value(const RowLayout& rows, const Variables& variables, const VecX& theta, double& value, VecX& gradient);
  void residual(const RowLayout& rows, const Variables& variables, const VecX& theta, VecX& r);
  // Sets the nonzero entries of J.
  void jacobian(const RowLayout& rows, const Variables& variables, const VecX& theta, MatX& J) const;

 private:
  struct Block {
    std::size_t constraint;
    std::vector<int> pulled;  // by row: its variable; empty for a matrix
  };
  // r_j = root · value, and ∂value/∂θ_j.
  struct Term {
    double root;
    double value;
    double slope;
  };
  Term term(const PosePull& pull, int parameter, const VecX& theta) const;
  const PosePull& pull_of(const Block& block) const { return *problem_.constraints()[block.constraint].pull(); }
  Eigen::Ref<VecX> matrix_residual(const PullByMatrix& pull, const VecX& theta);

  const Problem& problem_;
  std::vector<Block> blocks_;  // in the order of the rows
  VecX off_;                   // θ - t of the current pull
  VecX r_;                     // A (θ - t)
};

}  // namespace limber
