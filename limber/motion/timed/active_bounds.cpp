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

void ActiveBounds::fix(const MatX& phi, Stay stay, Band& M) const {
  M.free_all();
  for (int k = 0; k < phi.cols(); ++k)
    for (int i = 0; i < phi.rows(); ++i)
      if (kept_[static_cast<std::size_t>(k)] || (is_on(phi, i, k) && (stay == Stay::on_bound || pushed_(i, k))))
        M.fix(i, k);
}

bool ActiveBounds::releases(const MatX& phi) const {
  for (int k = 0; k < phi.cols(); ++k)
    for (int i = 0; i < phi.rows(); ++i)
      if (!kept_[static_cast<std::size_t>(k)] && is_on(phi, i, k) && !pushed_(i, k)) return true;
  return false;
}

// Of consecutive frames that cross a bound, only the farthest is fixed: a smooth curve touches its bound at isolated
// frames, and frames fixed by mistake are released only a few per step.
void ActiveBounds::update(const MatX& phi, const MatX& step, const MatX& gradient, const BandRows& rows,
                          const Band& M) {
  const int frames = static_cast<int>(phi.cols());
  const auto beyond = [&](int i, int k) {
    if (k < 0 || k >= frames) return -infinity;
    const double value = phi(i, k) - step(i, k);
    return std::fmax(limits_->lower[i] - value, value - limits_->upper[i]);
  };
  for (int k = 0; k < frames; ++k)
    for (int i = 0; i < phi.rows(); ++i) {
      const double excess = beyond(i, k);
      pushed_(i, k) = excess > 0.0 && (!is_bent_ || (beyond(i, k - 1) <= excess && beyond(i, k + 1) < excess));
    }
  M.fixed_rows_times(rows, step, forces_);
  for (std::size_t h = 0; h < M.fixed().size(); ++h) {
    const auto [i, k] = M.fixed()[h];
    pushed_(i, k) = is_pushed(phi, gradient(i, k) - forces_[h], i, k);
  }
}

}  // namespace limber
