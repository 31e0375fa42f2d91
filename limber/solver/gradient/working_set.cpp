#include "limber/solver/gradient/working_set.h"

#include <algorithm>

namespace limber {

namespace {

// A unit normal whose part across the members is shorter than this counts as dependent on them.
constexpr double independence = 1e-7;
// The recursion for N is replaced by a factorisation after this many changes, before rounding builds up.
constexpr int changes_between_refreshes = 100;

}  // namespace

void WorkingSet::reserve(const Limits& limits) {
  const int n = limits.variables();
  members_.reserve(static_cast<std::size_t>(n));
  in_set_.assign(static_cast<std::size_t>(limits.count()), 0);
  if (N_.rows() < n) {
    N_.resize(n, n);
    v_.resize(n);
    w_.resize(n);
  }
  Pa_.resize(n);
  clear();
}

void WorkingSet::clear() {
  members_.clear();
  std::fill(in_set_.begin(), in_set_.end(), 0);
  changes_ = 0;
}

// Borders N by the limit, for the first q members; false where it depends on them.
bool WorkingSet::border(const Limits& limits, int limit, int q) {
  // v = Aᵀa, w = N v, ρ = ‖P a‖² with P a = a - A w. Computed as aᵀa - vᵀw, it would be lost in rounding if members are
  // nearly dependent; so would w, which a second pass over the remainder corrects.
  Pa_.setZero();
  limits.add_normal(limit, 1.0, Pa_);
  w_.head(q).setZero();
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < q; ++i) v_[i] = limits.along(members_[i], Pa_);
    for (int i = 0; i < q; ++i) {
      const double step = N_.col(i).head(q).dot(v_.head(q));
      w_[i] += step;
      limits.add_normal(members_[i], -step, Pa_);
    }
  }
  const double rho = Pa_.squaredNorm();
  if (rho <= independence * independence) return false;
  //   N ← [ N + w wᵀ/ρ   -w/ρ ]
  //       [   -wᵀ/ρ       1/ρ ]
  for (int j = 0; j < q; ++j) {
    if (w_[j] != 0.0) N_.col(j).head(q) += (w_[j] / rho) * w_.head(q);
    N_(q, j) = N_(j, q) = -w_[j] / rho;
  }
  N_(q, q) = 1.0 / rho;
  return true;
}

bool WorkingSet::add(const Limits& limits, int limit) {
  if (size() == limits.variables() || contains(limit) || !border(limits, limit, size())) return false;
  members_.push_back(limit);
  in_set_[limit] = 1;
  if (++changes_ >= changes_between_refreshes) refresh(limits);
  return true;
}

void WorkingSet::remove(const Limits& limits, int place) {
  const int last = size() - 1;
  in_set_[members_[place]] = 0;
  if (place != last) {
    std::swap(members_[place], members_[last]);
    N_.row(place).head(last + 1).swap(N_.row(last).head(last + 1));
    N_.col(place).head(last + 1).swap(N_.col(last).head(last + 1));
  }
  // N ← N₁₁ - n nᵀ / ν, where n is the last column and ν its last entry.
  for (int j = 0; j < last; ++j) {
    const double factor = N_(j, last) / N_(last, last);
    if (factor != 0.0) N_.col(j).head(last) -= factor * N_.col(last).head(last);
  }
  members_.pop_back();
  if (++changes_ >= changes_between_refreshes) refresh(limits);
}

// Recomputes N. Members that have become dependent by rounding are removed.
void WorkingSet::refresh(const Limits& limits) {
  int kept = 0;
  for (int i = 0; i < size(); ++i) {
    const int limit = members_[i];
    const bool stays = border(limits, limit, kept);
    in_set_[limit] = stays;
    if (stays) members_[kept++] = limit;
  }
  members_.resize(static_cast<std::size_t>(kept));
  changes_ = 0;
}

void WorkingSet::multipliers(const Limits& limits, const VecX& g, VecX& alpha) const {
  const int q = size();
  alpha.head(q).setZero();
  for (int i = 0; i < q; ++i) {
    const double along = limits.along(members_[i], g);
    if (along != 0.0) alpha.head(q) += along * N_.col(i).head(q);
  }
}

void WorkingSet::project(const Limits& limits, VecX& y) {
  const int n = limits.variables();
  // The second pass removes the rounding of N in the first: rows hold to rounding, not to N's condition.
  for (int pass = 0; pass < 2; ++pass) {
    multipliers(limits, y, w_);
    for (int i = 0; i < size(); ++i) limits.add_normal(members_[i], -w_[i], y);
  }
  for (const int limit : members_)
    if (limit < 2 * n) y[limit % n] = 0.0;
}

}  // namespace limber
