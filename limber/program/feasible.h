// The feasible point nearest to a given one, or the limits that contradict each other.
//
//   min ‖x - x0‖  under the limits: least-distance programming by non-negative least squares
//   (Lawson and Hanson, ch. 23). Only variables that occur in rows are part of it; the others are clamped.
#pragma once

#include <vector>

#include "limber/program/limits.h"

namespace limber {

struct Feasibility {
  bool feasible = true;
  double moved = 0.0;              // max change of an entry
  std::vector<int> contradictory;  // limits that cannot hold together, if not feasible
};

// Moves x to the nearest feasible point: box limits hold exactly, rows to rounding error. If there is none, x is only
// clamped to the box. Allocates; called once before a solve, and returns immediately if x is feasible.
Feasibility make_feasible(const Limits& limits, VecX& x);

// Tolerance of a row, relative to the size of its terms (guarantee P3).
inline constexpr double row_tolerance = 1e-12;

// The size of the terms of a limit at x, at least 1: its tolerance is relative to that.
double limit_scale(const Limits& limits, int limit, const VecX& x);

}  // namespace limber
