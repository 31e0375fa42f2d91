// A step γ along a descent direction that satisfies Powell's two conditions.                  ZB94 (31)
//
//   φ(γ) <= φ(0) + δ₁ γ φ'(0)        sufficient decrease
//   φ'(γ) >= δ₂ φ'(0)                the slope has flattened
//
// or γ = longest with sufficient decrease. Trial steps come from the cubic Hermite interpolant of two trials.
// DEVIATION: the paper stops at min(1, λ), where the second condition may have no solution; here the search may go past
// 1, up to `longest`, so that σᵀy > 0 unless a limit was hit. Near the minimum, where φ(0) - φ(γ) is lost in rounding,
// the first condition is tested on the slope instead (Hager and Zhang 2005, approximate Wolfe conditions); φ(γ) <= φ(0)
// must still hold.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

struct LineSearchResult {
  double step = 0.0;  // 0: none found
  bool at_longest = false;
};

struct LinePoint {
  double step;
  double value;
  double slope;
};

// Where the cubic through two points with slopes has its minimum, between them; their midpoint where it has none.
inline double cubic_minimum(const LinePoint& a, const LinePoint& b) {
  const double h = b.step - a.step;
  const double d1 = a.slope + b.slope - 3.0 * (b.value - a.value) / h;
  const double square = d1 * d1 - a.slope * b.slope;
  const double middle = a.step + 0.5 * h;
  if (!(square >= 0.0)) return middle;
  const double d2 = std::copysign(std::sqrt(square), h);
  const double t = b.step - h * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2);
  return std::isfinite(t) ? t : middle;
}

// `probe(γ)` returns a LinePoint; a value that is not finite counts as too high.
template <class Probe>
LineSearchResult line_search(double value, double slope, double first, double longest, Probe&& probe) {
  constexpr double delta_1 = 1e-4, delta_2 = 0.5;  // Powell 1976
  constexpr double delta_slope = 0.1;              // approximate Wolfe: φ'(γ) <= (2 · 0.1 - 1) φ'(0)
  constexpr double rounding = 1e-12;               // of |φ(0)|: decreases below this are noise
  constexpr double margin = 0.1;                   // trials keep this fraction away from the bracket's ends
  constexpr double growth = 4.0;                   // max growth of a step at a time
  constexpr int max_trials = 40;

  LinePoint low{0.0, value, slope};
  LinePoint high{0.0, 0.0, 0.0};
  bool bracketed = false;
  double step = std::min(first, longest);
  for (int trial = 0; trial < max_trials && step > 0.0; ++trial) {
    const LinePoint at = probe(step);
    const bool enough = at.value <= value + delta_1 * step * slope ||
                        (at.value <= value && value - at.value <= rounding * std::fabs(value) &&
                         at.slope <= (2.0 * delta_slope - 1.0) * slope);
    if (!std::isfinite(at.value) || !std::isfinite(at.slope) || !enough) {
      high = at;
      bracketed = true;
    } else if (at.slope >= delta_2 * slope) {
      return {step, step == longest};
    } else {
      if (step == longest) return {step, true};
      low = at;
    }
    if (bracketed) {
      const double width = high.step - low.step;
      const double next =
          std::isfinite(high.value) && std::isfinite(high.slope) ? cubic_minimum(low, high) : low.step + margin * width;
      step = std::clamp(next, low.step + margin * width, high.step - margin * width);
      if (!(step > low.step && step < high.step)) break;
    } else {
      // Extrapolate: the slope at `low` is still steep. The cubic through 0 and low gives the distance.
      const LinePoint start{0.0, value, slope};
      double next = cubic_minimum(start, low);
      if (!(next > low.step)) next = growth * low.step;
      step = std::min(longest, std::clamp(next, 1.5 * low.step, growth * low.step));
    }
  }
  // No step meets both conditions; one that decreases enough will do.
  return {low.step, false};
}

}  // namespace limber
