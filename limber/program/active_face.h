// A face of the feasible set: some limits taken as equalities, and the directions along all of them.
//
// Bounds fix variables. What else is taken as an equality (rows of the limits, and dense rows such as the Jacobian of
// hard constraints) is kept as an orthonormal basis Q over the free variables, by Gram and Schmidt's process,
// twice where the first pass has taken most of a row: A|free = Q R, always taking the row with the max remainder.
// So of the six rows of an orientation, of which three depend on the others, those go that hardly move. Rows that
// depend on earlier ones are omitted. The projection is P y = (I - Q Qᵀ) y on the free variables and 0 on the others.
#pragma once

#include <vector>

#include "limber/program/limits.h"

namespace limber {

class ActiveFace {
 public:
  // Room for the limits and for so many dense rows.
  void reserve(const Limits& limits, int dense_rows);

  // No limit, and `count` dense rows, the first of J.
  void clear(const MatX& J, int count);
  void add(int limit);
  void remove(int limit);
  // Makes the basis anew after limits came or went. False where the face has bounds only.
  bool update(const Limits& limits);

  bool contains(int limit) const { return member_[limit] != 0; }
  bool is_free(int variable) const { return !member_[variable] && !member_[n_ + variable]; }
  const std::vector<int>& limits() const { return limits_; }
  // Q has variables() rows and so many columns.
  int rank() const { return rank_; }
  auto Q() const { return Q_.leftCols(rank_); }

  // y ← P y.
  void project(VecX& y);
  // The multipliers λ with g + Σ λ a = 0 as far as that can be: those of the dense rows, then one per member of
  // limits() in its order. Rows that were omitted get 0.
  void multipliers(const Limits& limits, const VecX& g, VecX& lambda);
  // x ← x - Q R⁻ᵀ e, which takes the error e of each row (dense ones first, then the limit rows of limits() in order)
  // away to first order.
  void correct(const VecX& error, VecX& x);
  int rows() const { return dense_ + static_cast<int>(row_limits_.size()); }
  // The limit rows of the face, in the order of correct().
  const std::vector<int>& row_limits() const { return row_limits_; }

 private:
  double take_row(int row, const Limits& limits);

  int n_ = 0;
  int dense_ = 0;
  int rank_ = 0;
  std::vector<int> limits_;
  std::vector<int> row_limits_;
  std::vector<char> member_;  // by limit
  std::vector<int> source_;   // by column of Q: the row that it was made of
  MatX Q_, R_;                // R upper triangular over the rows that were kept
  MatX normals_;              // the dense rows, as columns
  VecX t_, u_;
  VecX remaining_;  // by row: the square of what the columns of Q do not reach
};

}  // namespace limber
