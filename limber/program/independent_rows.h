// The linearly independent rows of a matrix: of its rows in their order, those that do not depend on earlier ones.
//
// A row depends on others if, scaled to unit length, its part across them is shorter than a tolerance: the one of
// program/nnls.h, so that multipliers of these rows are those of all. There are no more of them than columns, however
// many rows there are. Gram-Schmidt process, repeated for accuracy: O(rows · columns · rank).
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

class IndependentRows {
 public:
  // Allocates for matrices with so many rows and columns, at most.
  void reserve(int rows, int columns);

  // Of the first `count` rows of J; valid until the next call.
  const std::vector<int>& find(const MatX& J, int count);
  // Of the last call.
  const std::vector<int>& rows() const { return rows_; }

 private:
  MatX Q_;  // an orthonormal basis, one vector per column
  VecX t_;
  std::vector<int> rows_;
};

}  // namespace limber
