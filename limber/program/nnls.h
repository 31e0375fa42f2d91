// Non-negative least squares: min ‖N u - d‖ over u >= 0.    Lawson and Hanson, Solving Least Squares Problems, ch. 23
//
// The input is the Gram matrix G = NᵀN and h = Nᵀd; N itself is not needed. The columns in use (u > 0) stay linearly
// independent. Entries marked free may have either sign.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

class Nnls {
 public:
  // A unit column whose component orthogonal to the columns in use is shorter than this counts as dependent on them.
  // The Gram matrix contains the square of that length, to about 1e-15: with a smaller bound, rounding would pass for
  // independence.
  static constexpr double min_across = 1e-7;

  // Allocates for up to `columns` columns, so that solve() does not allocate.
  void reserve(int columns);

  // G is k×k (its upper left corner is used), h and free_sign have k entries. Returns u, valid until the next call.
  const VecX& solve(const MatX& G, const VecX& h, const std::vector<char>& free_sign, int k);

  // The columns with u != 0 of the last solve.
  const std::vector<int>& used() const { return used_; }

 private:
  bool factor(const MatX& G);
  bool least_squares(const MatX& G, const VecX& h);
  void remove(std::size_t place);
  void reject_last();
  void take_free(const MatX& G, const VecX& h, const std::vector<char>& free_sign, int k);
  int best_column(const MatX& G, const VecX& h, int k) const;
  void move_to_z(const MatX& G, const VecX& h);

  std::vector<int> used_;
  std::size_t free_count_ = 0;  // of the first columns in use
  VecX u_, w_, z_;
  MatX L_;            // Cholesky factor of G over used_
  int factored_ = 0;  // rows of L_ that are up to date
  std::vector<char> rejected_;
};

}  // namespace limber
