// Shared by the methods for box limits only: projection onto the box, and the projected gradient.
//
//   P(x) = min(u, max(l, x))                                                                       EE09 (10)
//   p_i  = 0 where x_i is on a bound and -g_i points out of the box, otherwise g_i
//
// The max |p_i| is the Kuhn-Tucker residual: for a box, no system of equations is needed.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>

#include "limber/program/limits.h"
#include "limber/program/loop.h"
#include "limber/program/objective.h"

namespace limber {

// The nearest number in [lower, upper]; NaN stays NaN.
inline double clamp_between(double x, double lower, double upper) { return std::min(std::max(x, lower), upper); }

// Whether x_i is on a bound and a move along `direction` would take it out of the box.
inline bool points_out(const Limits& limits, const VecX& x, int i, double direction) {
  return (direction < 0.0 && x[i] <= limits.lower[i]) || (direction > 0.0 && x[i] >= limits.upper[i]);
}

// Writes the projected gradient and returns its largest entry.
inline double projected_gradient(const Limits& limits, const VecX& x, const VecX& g, VecX& projected) {
  double largest = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    projected[i] = points_out(limits, x, i, -g[i]) ? 0.0 : g[i];
    largest = std::max(largest, std::fabs(projected[i]));
  }
  return largest;
}

// A method has stalled after this many iterations without a decrease.
inline constexpr int patience_without_decrease = 20;

// Starts the loop of such a method: x is moved into the box and the objective is evaluated there.
inline void start_in_box(Objective objective, const Limits& limits, VecX& x, VecX& g, Loop& loop) {
  assert(limits.rows.empty());
  assert(x.size() == limits.variables());
  for (int i = 0; i < limits.variables(); ++i) {
    assert(limits.lower[i] <= limits.upper[i]);
    x[i] = clamp_between(x[i], limits.lower[i], limits.upper[i]);
  }
  const double value = objective(x, g);
  loop.count_evaluation();
  loop.start(value, std::isfinite(value) && g.allFinite(), x);
}

}  // namespace limber
