#include "limber/program/kkt.h"

#include <algorithm>
#include <cassert>

namespace limber {

void Kkt::reserve(const Limits& limits, int tangents) {
  const int n = limits.variables();
  in_row_.assign(static_cast<std::size_t>(n), 0);
  for (const int column : limits.column) in_row_[column] = 1;
  // One bound per variable that occurs in a row, plus the rows.
  const int in_rows = tangents > 0 ? n : static_cast<int>(std::count(in_row_.begin(), in_row_.end(), 1));
  const int max_coupled = in_rows + static_cast<int>(limits.rows.size()) + tangents;
  nnls_.reserve(max_coupled);
  coupled_.reserve(static_cast<std::size_t>(max_coupled));
  free_sign_.reserve(static_cast<std::size_t>(max_coupled));
  multipliers_.reserve(static_cast<std::size_t>(n) + limits.rows.size() + static_cast<std::size_t>(tangents));
  if (gram_.rows() < max_coupled) {
    gram_.resize(max_coupled, max_coupled);
    h_.resize(max_coupled);
  }
  d_.resize(n);
  normal_.resize(n);
}

// min ‖A λ + g‖: Gram matrix AᵀA, right-hand side -Aᵀg.
const VecX& Kkt::solve_coupled(const Limits& limits, const VecX& g) {
  const int k = static_cast<int>(coupled_.size());
  for (int i = 0; i < k; ++i) {
    h_[i] = -limits.along(coupled_[i], g);
    normal_.setZero();
    limits.add_normal(coupled_[i], 1.0, normal_);
    for (int j = 0; j <= i; ++j) gram_(i, j) = gram_(j, i) = limits.along(coupled_[j], normal_);
  }
  return nnls_.solve(gram_, h_, free_sign_, k);
}

double Kkt::check(const Limits& limits, const VecX& x, const VecX& g, double active_slack) {
  reserve(limits);
  const int n = limits.variables();
  coupled_.clear();
  free_sign_.clear();
  multipliers_.clear();
  d_ = -g;
  for (int i = 0; i < n; ++i) {
    const bool at_lower = x[i] - limits.lower[i] <= active_slack, at_upper = limits.upper[i] - x[i] <= active_slack;
    if (!at_lower && !at_upper) continue;
    const bool fixed = at_lower && at_upper;  // the range is within the slack: the multiplier may have either sign
    const int limit = at_lower ? i : n + i;
    if (in_row_[i]) {
      coupled_.push_back(limit);
      free_sign_.push_back(fixed);
    } else if (const double lambda = -limits.along(limit, g); lambda > 0.0 || fixed) {
      multipliers_.push_back({limit, lambda});
      d_[i] = 0.0;
    }
  }
  for (int limit = 2 * n; limit < limits.count(); ++limit) {
    const bool equality = limits.is_equality(limit);
    if (!equality && !(limits.slack(limit, x) <= active_slack)) continue;
    coupled_.push_back(limit);
    free_sign_.push_back(equality);
  }
  const VecX& lambda = solve_coupled(limits, g);
  for (const int i : nnls_.used()) {
    multipliers_.push_back({coupled_[i], lambda[i]});
    limits.add_normal(coupled_[i], -lambda[i], d_);
  }
  return n == 0 ? 0.0 : d_.cwiseAbs().maxCoeff();
}

void Kkt::shares(const Limits& limits, const VecX& g, VecX& share) {
  assert(share.size() >= static_cast<Eigen::Index>(multipliers_.size()));
  coupled_.clear();
  for (const Multiplier& multiplier : multipliers_)
    if (is_coupled(limits, multiplier.limit)) coupled_.push_back(multiplier.limit);
  free_sign_.assign(coupled_.size(), 1);  // a contribution may have either sign
  const VecX& lambda = solve_coupled(limits, g);
  int next = 0;
  for (std::size_t k = 0; k < multipliers_.size(); ++k) {
    const int limit = multipliers_[k].limit;
    share[static_cast<Eigen::Index>(k)] = is_coupled(limits, limit) ? lambda[next++] : -limits.along(limit, g);
  }
}

}  // namespace limber
