#include "limber/motion/timed/active_bounds.h"

#include <algorithm>

namespace limber {

void ActiveBounds::start(const Limits& limits, const std::vector<char>& kept, bool is_bent, const MatX& phi,
                         const MatX& gradient) {
  limits_ = &limits;
  kept_ = kept;
  is_bent_ = is_bent;
  pushed_.resize(phi.rows(), phi.cols());
  for (int k = 0; k < phi.cols(); ++k)
    for (int i = 0; i < phi.rows(); ++i) pushed_(i, k) = is_pushed(phi, gradient(i, k), i, k);
}

bool ActiveBounds::is_on(const MatX& phi, int i, int k) const {
  return phi(i, k) <= limits_->lower[i] || phi(i, k) >= limits_->upper[i];
}

bool ActiveBounds::is_pushed(const MatX& phi, double slope, int i, int k) const {
  return (phi(i, k) <= limits_->lower[i] && slope > 0.0) || (phi(i, k) >= limits_->upper[i] && slope < 0.0);
}

void ActiveBounds::hold(const MatX& phi, Stay stay, Band& M) const {
  M.free_all();
  for (int k = 0; k < phi.cols(); ++k)
    for (int i = 0; i < phi.rows(); ++i)
      if (kept_[static_cast<std::size_t>(k)] || (is_on(phi, i, k) && (stay == Stay::on_bound || pushed_(i, k))))
        M.hold(i, k);
}

bool ActiveBounds::lets_go(const MatX& phi) const {
  for (int k = 0; k < phi.cols(); ++k)
    for (int i = 0; i < phi.rows(); ++i)
      if (!kept_[static_cast<std::size_t>(k)] && is_on(phi, i, k) && !pushed_(i, k)) return true;
  return false;
}

// Of what moved beyond a bound in frames that follow each other, the farthest is enough: a curve that is bent touches
// its bound here and there and keeps away between, and what has been fixed for too long a time gets loose only a few
// frames a step.
void ActiveBounds::meet(const MatX& phi, const MatX& step, const MatX& gradient, const BandRows& rows, const Band& M) {
  const int frames = static_cast<int>(phi.cols());
  const auto beyond = [&](int i, int k) {
    if (k < 0 || k >= frames) return -infinity;
    const double at = phi(i, k) - step(i, k);
    return std::fmax(limits_->lower[i] - at, at - limits_->upper[i]);
  };
  for (int k = 0; k < frames; ++k)
    for (int i = 0; i < phi.rows(); ++i) {
      const double here = beyond(i, k);
      pushed_(i, k) = here > 0.0 && (!is_bent_ || (beyond(i, k - 1) <= here && beyond(i, k + 1) < here));
    }
  M.held_rows_times(rows, step, forces_);
  for (std::size_t h = 0; h < M.held().size(); ++h) {
    const auto [i, k] = M.held()[h];
    pushed_(i, k) = is_pushed(phi, gradient(i, k) - forces_[h], i, k);
  }
}

}  // namespace limber
