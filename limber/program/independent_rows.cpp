#include "limber/program/independent_rows.h"

#include <algorithm>

#include "limber/program/nnls.h"

namespace limber {

void IndependentRows::reserve(int rows, int columns) {
  const int rank = std::min(rows, columns);
  rows_.reserve(static_cast<std::size_t>(rank));
  if (Q_.rows() != columns || Q_.cols() < rank) Q_.resize(columns, rank);
  t_.resize(columns);
}

const std::vector<int>& IndependentRows::find(const MatX& J, int count) {
  reserve(count, static_cast<int>(J.cols()));
  rows_.clear();
  Eigen::Index rank = 0;
  for (int row = 0; row < count && rank < J.cols(); ++row) {
    const double whole = J.row(row).norm();
    if (!(whole > 0.0)) continue;
    t_ = J.row(row).transpose() / whole;
    for (int pass = 0; pass < (rank > 0 ? 2 : 0); ++pass)
      for (Eigen::Index k = 0; k < rank; ++k) t_ -= Q_.col(k).dot(t_) * Q_.col(k);
    const double across = t_.norm();
    if (!(across > Nnls::min_across)) continue;
    Q_.col(rank++) = t_ / across;
    rows_.push_back(row);
  }
  return rows_;
}

}  // namespace limber
