// atan2 of many points at once, without branches, so that the compiler can vectorize the loop.
//
// With n the smaller and d the larger of |x| and |y|, and φ the multiple of π/16 in [0, π/4] nearest to atan(n/d),
//
//   atan(n/d) = φ + atan(r),   r = (n - d tan φ) / (d + n tan φ),   |r| <= tan(π/32)
//
// and the Taylor series of atan(r) is truncated below rounding error. Max error: about 2^-51.
#pragma once

namespace limber {

// angles[i] = atan2(y[i], x[i]) for numbers with finite squares; 0 at the origin. The arrays must not overlap.
void arc_tangents(const double* y, const double* x, int count, double* angles);

}  // namespace limber
