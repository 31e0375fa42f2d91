#include <algorithm>

#include "limber/figure/description.h"

namespace limber {

Curve Curve::smooth(std::vector<Knot> knots) {
  Curve curve;
  const std::size_t n = knots.size();
  curve.knots_ = std::move(knots);
  curve.slopes_.assign(n, 0.0);
  // A curve without knots would count as linear.
  if (n == 0) curve.slope_ = std::numeric_limits<double>::quiet_NaN();
  if (n < 2) return curve;
  const auto secant = [&](std::size_t k) {
    return (curve.knots_[k + 1].value - curve.knots_[k].value) / (curve.knots_[k + 1].theta - curve.knots_[k].theta);
  };
  curve.slopes_.front() = secant(0);
  curve.slopes_.back() = secant(n - 2);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = secant(k - 1), after = secant(k);
    curve.slopes_[k] = before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
  }
  return curve;
}

std::pair<double, double> Curve::range(double lower, double upper) const {
  if (is_linear() && slope_ == 0.0) return {0.0, 0.0};
  double lowest = (*this)(lower).value, highest = lowest;
  const auto widen = [&](double value) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  };
  widen((*this)(upper).value);
  for (const Knot& knot : knots_)
    if (lower < knot.theta && knot.theta < upper) widen(knot.value);
  return {lowest, highest};
}

}  // namespace limber
