#include "limber/program/nnls.h"

#include <algorithm>

namespace limber {

namespace {

// A gradient w below this, relative to its terms, is rounding error and adds no column.
constexpr double optimality = 1e-14;

}  // namespace

void Nnls::reserve(int columns) {
  used_.reserve(static_cast<std::size_t>(columns));
  rejected_.reserve(static_cast<std::size_t>(columns));
  if (u_.size() >= columns) return;
  u_.resize(columns);
  w_.resize(columns);
  z_.resize(columns);
  L_.resize(columns, columns);
}

// L over the columns in use; false if the last one depends on the others.
bool Nnls::factor(const MatX& G) {
  const int k = static_cast<int>(used_.size());
  for (int i = factored_; i < k; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = G(used_[i], used_[j]);
      for (int m = 0; m < j; ++m) sum -= L_(i, m) * L_(j, m);
      if (i == j) {
        if (sum <= min_across * min_across * G(used_[i], used_[i])) return false;
        L_(i, i) = std::sqrt(sum);
      } else {
        L_(i, j) = sum / L_(j, j);
      }
    }
    factored_ = i + 1;
  }
  return true;
}

// z = the least-squares solution over the columns in use; false if the last one depends on the others.
bool Nnls::least_squares(const MatX& G, const VecX& h) {
  if (!factor(G)) return false;
  const int k = static_cast<int>(used_.size());
  for (int i = 0; i < k; ++i) {
    double sum = h[used_[i]];
    for (int m = 0; m < i; ++m) sum -= L_(i, m) * z_[m];
    z_[i] = sum / L_(i, i);
  }
  for (int i = k - 1; i >= 0; --i) {
    double sum = z_[i];
    for (int m = i + 1; m < k; ++m) sum -= L_(m, i) * z_[m];
    z_[i] = sum / L_(i, i);
  }
  return true;
}

void Nnls::remove(std::size_t place) {
  u_[used_[place]] = 0.0;
  used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(place));
  factored_ = std::min(factored_, static_cast<int>(place));
}

// The last column in use leaves again, and is not tried before another one joins.
void Nnls::reject_last() {
  rejected_[static_cast<std::size_t>(used_.back())] = 1;
  used_.pop_back();
  factored_ = std::min(factored_, static_cast<int>(used_.size()));
}

// The free columns that do not depend on each other come first and stay.
void Nnls::take_free(const MatX& G, const VecX& h, const std::vector<char>& free_sign, int k) {
  for (int j = 0; j < k; ++j) {
    if (!free_sign[static_cast<std::size_t>(j)]) continue;
    used_.push_back(j);
    if (!factor(G)) reject_last();
  }
  free_count_ = used_.size();
  if (free_count_ > 0 && least_squares(G, h))
    for (std::size_t i = 0; i < free_count_; ++i) u_[used_[i]] = z_[static_cast<Eigen::Index>(i)];
}

// The unused column with the most descent w = h - G u; -1 where none has any.
int Nnls::best_column(const MatX& G, const VecX& h, int k) const {
  int best = -1;
  double max_w = 0.0;
  for (int j = 0; j < k; ++j) {
    if (rejected_[static_cast<std::size_t>(j)] || std::ranges::find(used_, j) != used_.end()) continue;
    double w = h[j], size = std::fabs(h[j]);
    for (const int m : used_) {
      w -= G(j, m) * u_[m];
      size += std::fabs(G(j, m) * u_[m]);
    }
    if (w > max_w && w > optimality * size) {
      max_w = w;
      best = j;
    }
  }
  return best;
}

// Moves u to z; columns whose entries reach 0 on the way leave, which changes z.
void Nnls::move_to_z(const MatX& G, const VecX& h) {
  for (;;) {
    double step = 1.0;
    std::size_t blocking = used_.size();
    for (std::size_t i = free_count_; i < used_.size(); ++i) {
      const double z = z_[static_cast<Eigen::Index>(i)], u = u_[used_[i]];
      if (z <= 0.0 && u / (u - z) < step) {
        step = u / (u - z);
        blocking = i;
      }
    }
    for (std::size_t i = 0; i < used_.size(); ++i)
      u_[used_[i]] += step * (z_[static_cast<Eigen::Index>(i)] - u_[used_[i]]);
    if (blocking == used_.size()) return;
    remove(blocking);
    for (std::size_t i = used_.size(); i-- > free_count_;)
      if (u_[used_[i]] <= 0.0) remove(i);
    if (!least_squares(G, h)) return;
  }
}

const VecX& Nnls::solve(const MatX& G, const VecX& h, const std::vector<char>& free_sign, int k) {
  reserve(k);
  used_.clear();
  factored_ = 0;
  rejected_.assign(static_cast<std::size_t>(k), 0);
  u_.head(k).setZero();
  take_free(G, h, free_sign, k);
  const int max_rounds = 3 * k + 10;  // Lawson and Hanson's bound in practice; more rounds only shift rounding errors
  for (int round = 0; round < max_rounds; ++round) {
    const int best = best_column(G, h, k);
    if (best < 0) break;
    used_.push_back(best);
    if (!least_squares(G, h) || z_[static_cast<Eigen::Index>(used_.size()) - 1] <= 0.0) {
      reject_last();
      continue;
    }
    std::ranges::fill(rejected_, 0);
    move_to_z(G, h);
  }
  return u_;
}

}  // namespace limber
