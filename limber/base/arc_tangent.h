// Angles of many points of the plane at once, without a branch in the loop, so that the compiler takes several a step.
//
// With n the smaller and d the larger of |x| and |y|, and φ the one of 0, π/16, …, π/4 that is nearest to atan(n/d),
//
//   atan(n/d) = φ + atan(r),   r = (n - d tan φ) / (d + n tan φ),   |r| <= tan(π/32)
//
// and on r the series of Taylor ends within rounding. Largest error: 2^-51 about.
#pragma once

namespace limber {

// angles[i] = atan2(y[i], x[i]) for finite numbers whose squares are finite; 0 for the point 0, 0. The lists must not
// overlap.
void arc_tangents(const double* y, const double* x, int count, double* angles);

}  // namespace limber
