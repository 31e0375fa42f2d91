#include "limber/program/active_face.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

// A row whose remainder, orthogonal to the rows before it, is shorter than this counts as dependent on them.
constexpr double independence = 1e-9;
// If a pass leaves this fraction of a row, the result is orthogonal up to rounding, and no second pass is needed.
constexpr double enough_length = 0.5;
// Rows that are not in the basis keep at least this remainder, despite rounding: 0 marks a row that is done.
constexpr double smallest = std::numeric_limits<double>::min();

}  // namespace

void ActiveFace::reserve(const Limits& limits, int dense_rows) {
  const int n = limits.variables();
  const int max_rank = std::min(n, dense_rows + static_cast<int>(limits.rows.size()));
  n_ = n;
  max_rank_ = max_rank;
  member_.assign(static_cast<std::size_t>(limits.count()), 0);
  limits_.clear();
  row_limits_.clear();
  rank_ = 0;
  limits_.reserve(static_cast<std::size_t>(limits.count()));
  row_limits_.reserve(limits.rows.size());
  source_.reserve(static_cast<std::size_t>(max_rank));
  if (Q_.rows() != n || Q_.cols() < max_rank) {
    Q_.resize(n, max_rank);
    R_.resize(max_rank, max_rank);
    u_.resize(std::max(max_rank, 1));
  }
  if (normals_.rows() != n || normals_.cols() < dense_rows) normals_.resize(n, dense_rows);
  t_.resize(n);
  remaining_.resize(std::max(1, dense_rows + static_cast<int>(limits.rows.size())));
}

void ActiveFace::clear(const MatX& J, int count) {
  for (const int limit : limits_) member_[limit] = 0;
  limits_.clear();
  row_limits_.clear();
  dense_ = count;
  normals_.leftCols(count) = J.topRows(count).transpose();
  rank_ = 0;
}

void ActiveFace::add(int limit) {
  if (member_[limit]) return;
  member_[limit] = 1;
  limits_.push_back(limit);
  if (limit >= 2 * n_) row_limits_.push_back(limit);
}

void ActiveFace::remove(int limit) {
  if (!member_[limit]) return;
  member_[limit] = 0;
  limits_.erase(std::find(limits_.begin(), limits_.end(), limit));
  if (limit >= 2 * n_) row_limits_.erase(std::find(row_limits_.begin(), row_limits_.end(), limit));
}

// Writes the free entries of a row to t_; returns the length of the whole row.
double ActiveFace::take_row(int row, const Limits& limits) {
  if (row < dense_) {
    t_ = normals_.col(row);
  } else {
    t_.setZero();
    limits.add_normal(row_limits_[row - dense_], 1.0, t_);
  }
  const double whole = t_.norm();
  for (int i = 0; i < n_; ++i)
    if (!is_free(i)) t_[i] = 0.0;
  return whole;
}

bool ActiveFace::update(const Limits& limits) {
  rank_ = 0;
  source_.clear();
  for (int row = 0; row < rows(); ++row) {
    take_row(row, limits);
    remaining_[row] = t_.squaredNorm();
  }
  while (rank_ < Q_.cols()) {
    int row = 0;
    if (rows() == 0 || !(remaining_.head(rows()).maxCoeff(&row) > 0.0)) break;
    remaining_[row] = 0.0;
    const double whole = take_row(row, limits);
    u_.head(rank_).setZero();
    double length = t_.norm();
    for (double before = infinity; rank_ > 0 && length < enough_length * before;) {
      before = length;
      for (int k = 0; k < rank_; ++k) {
        const double along = Q_.col(k).dot(t_);
        t_ -= along * Q_.col(k);
        u_[k] += along;
      }
      length = t_.norm();
      if (!(length > independence * whole)) break;
    }
    if (!(length > independence * whole)) continue;
    Q_.col(rank_) = t_ / length;
    R_.col(rank_).head(rank_) = u_.head(rank_);
    R_(rank_, rank_) = length;
    source_.push_back(row);
    for (int other = 0; other < rows(); ++other)
      if (remaining_[other] > 0.0) {
        const double along =
            (other < dense_ ? normals_.col(other).dot(t_) : limits.along(row_limits_[other - dense_], t_)) / length;
        remaining_[other] = std::fmax(remaining_[other] - along * along, smallest);
      }
    ++rank_;
  }
  return rank_ > 0;
}

void ActiveFace::project(VecX& y) {
  for (int i = 0; i < n_; ++i)
    if (!is_free(i)) y[i] = 0.0;
  for (int pass = 0; pass < (rank_ > 0 ? 2 : 0); ++pass)
    for (int k = 0; k < rank_; ++k) y -= Q_.col(k).dot(y) * Q_.col(k);
}

void ActiveFace::multipliers(const Limits& limits, const VecX& g, VecX& lambda) {
  const auto members = static_cast<Eigen::Index>(limits_.size());
  lambda.head(dense_ + members).setZero();
  t_ = g;
  // On the free variables g + Q R λ = 0.
  for (int k = 0; k < rank_; ++k) {
    double along = 0.0;
    for (int i = 0; i < n_; ++i)
      if (is_free(i)) along += Q_(i, k) * g[i];
    u_[k] = -along;
  }
  R_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(u_.head(rank_));
  for (int k = 0; k < rank_; ++k) {
    const int row = source_[k];
    if (row < dense_) {
      lambda[row] = u_[k];
      t_ += u_[k] * normals_.col(row);
    } else {
      const int limit = row_limits_[row - dense_];
      lambda[dense_ + (std::find(limits_.begin(), limits_.end(), limit) - limits_.begin())] = u_[k];
      limits.add_normal(limit, u_[k], t_);
    }
  }
  for (std::size_t k = 0; k < limits_.size(); ++k)
    if (limits_[k] < 2 * n_) lambda[dense_ + static_cast<Eigen::Index>(k)] = -limits.along(limits_[k], t_);
}

void ActiveFace::correct(const VecX& error, VecX& x) {
  for (int k = 0; k < rank_; ++k) u_[k] = error[source_[k]];
  R_.topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().transpose().solveInPlace(u_.head(rank_));
  for (int k = 0; k < rank_; ++k) x -= u_[k] * Q_.col(k);
}

}  // namespace limber
