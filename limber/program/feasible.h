// The feasible point nearest to a given one, or the limits that contradict each other.
//
//   min ‖x - x0‖  under the limits: least-distance programming by non-negative least squares
//   (Lawson and Hanson, ch. 23). Only variables that occur in rows take part; the others are clamped.
#pragma once

#include <vector>

#include "limber/program/limits.h"

namespace limber {

struct Feasibility {
  bool feasible = true;
  double moved = 0.0;              // largest change of an entry
  std::vector<int> contradictory;  // limits that cannot hold together, where not feasible
};

// Moves x to the nearest feasible point: box limits hold exactly, rows to rounding. Where there is none, x is only
// clamped to the box. Allocates; it is called once before a solve, and returns at once for a feasible x.
Feasibility make_feasible(const Limits& limits, VecX& x);

// A row may be off by this much of the size of what it adds up (P3).
inline constexpr double row_tolerance = 1e-12;

// The size of the numbers that a limit adds up at x, at least 1: what its tolerance is relative to.
double limit_scale(const Limits& limits, int limit, const VecX& x);

}  // namespace limber
