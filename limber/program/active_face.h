// A face of the feasible set: some limits treated as equalities, and the projection onto their common null space.
//
// Bounds fix variables. All other equalities (limit rows, and dense rows such as the Jacobian of hard constraints) are
// stored as an orthonormal basis Q over the free variables, by the Gram-Schmidt process with row pivoting (always the
// row with the max remainder), repeated if the first pass cancels most of a row: A|free = Q R. Rows that depend on
// earlier ones are omitted; of the six rows of an orientation, three of which are dependent, pivoting omits those that
// change least. The projection is P y = (I - Q Qᵀ) y on the free variables and 0 on the others.
#pragma once

#include <vector>

#include "limber/program/limits.h"

namespace limber {

class ActiveFace {
 public:
  // Allocates for the limits and this many dense rows.
  void reserve(const Limits& limits, int dense_rows);

  // Starts without limits, and with the first `count` rows of J as dense rows.
  void clear(const MatX& J, int count);
  void add(int limit);
  void remove(int limit);
  // Recomputes the basis after limits were added or removed. False if the face has only bounds.
  bool update(const Limits& limits);

  bool contains(int limit) const { return member_[limit] != 0; }
  bool is_free(int variable) const { return !member_[variable] && !member_[n_ + variable]; }
  const std::vector<int>& limits() const { return limits_; }
  // The rank that all rows that reserve() saw could have.
  int max_rank() const { return max_rank_; }
  // Q has variables() rows and this many columns.
  int rank() const { return rank_; }
  auto Q() const { return Q_.leftCols(rank_); }

  // y ← P y.
  void project(VecX& y);
  // The least-squares multipliers λ of g + Σ λ a = 0: those of the dense rows, then one per member of limits(), in its
  // order. Omitted rows get 0.
  void multipliers(const Limits& limits, const VecX& g, VecX& lambda);
  // x ← x - Q R⁻ᵀ e, which removes the error e of each row (dense ones first, then the limit rows of limits() in order)
  // to first order.
  void correct(const VecX& error, VecX& x);
  int rows() const { return dense_ + static_cast<int>(row_limits_.size()); }
  // The limit rows of the face, in the order of correct().
  const std::vector<int>& row_limits() const { return row_limits_; }

 private:
  double take_row(int row, const Limits& limits);

  int n_ = 0;
  int dense_ = 0;
  int rank_ = 0, max_rank_ = 0;
  std::vector<int> limits_;
  std::vector<int> row_limits_;
  std::vector<char> member_;  // by limit
  std::vector<int> source_;   // by column of Q: the row that it was made from
  MatX Q_, R_;                // R is upper triangular over the rows that were not omitted
  MatX normals_;              // the dense rows, as columns
  VecX t_, u_;
  VecX remaining_;  // by row: squared length of its remainder, orthogonal to the columns of Q
};

}  // namespace limber
