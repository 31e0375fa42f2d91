// A joint's share of a group parameter: q = f(θ) with f'(θ).      ZB94 section 12, joint groups
//
//   linear   f(θ) = slope θ
//   smooth   a monotone piecewise cubic through knots (θ_k, q_k), C¹, straight beyond the outer knots.
//            Slopes at the knots by Fritsch and Carlson (1980): the harmonic mean of the neighbouring
//            secants where they agree in sign, else 0, so f has no extremum between two knots.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "limber/base/vector.h"

namespace limber {

class Curve {
 public:
  struct Sample {
    double value;
    double slope;
  };
  struct Knot {
    double theta;
    double value;
  };

  static Curve linear(double slope) {
    Curve curve;
    curve.slope_ = slope;
    return curve;
  }

  // At least two knots with increasing theta; build_figure() rejects others.
  static Curve smooth(std::vector<Knot> knots) {
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

  bool is_linear() const { return knots_.empty(); }
  double slope() const { return slope_; }
  const std::vector<Knot>& knots() const { return knots_; }

  Sample operator()(double theta) const {
    if (is_linear()) return {slope_ * theta, slope_};
    if (theta <= knots_.front().theta) return straight(knots_.front(), slopes_.front(), theta);
    if (theta >= knots_.back().theta) return straight(knots_.back(), slopes_.back(), theta);
    std::size_t k = 0;
    while (theta >= knots_[k + 1].theta) ++k;
    // Cubic Hermite on [θ_k, θ_k+1] with t in [0, 1].
    const double h = knots_[k + 1].theta - knots_[k].theta;
    const double t = (theta - knots_[k].theta) / h;
    const double y0 = knots_[k].value, y1 = knots_[k + 1].value;
    const double m0 = h * slopes_[k], m1 = h * slopes_[k + 1];
    const double a = 2.0 * (y0 - y1) + m0 + m1;
    const double b = 3.0 * (y1 - y0) - 2.0 * m0 - m1;
    return {y0 + t * (m0 + t * (b + t * a)), (m0 + t * (2.0 * b + t * 3.0 * a)) / h};
  }

  // Min and max over lower <= θ <= upper: at the ends or at a knot between them.
  std::pair<double, double> range(double lower, double upper) const {
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

 private:
  static Sample straight(const Knot& knot, double slope, double theta) {
    return {slope == 0.0 ? knot.value : knot.value + slope * (theta - knot.theta), slope};
  }

  double slope_ = 1.0;
  std::vector<Knot> knots_;     // empty: linear
  std::vector<double> slopes_;  // at the knots
};

}  // namespace limber
