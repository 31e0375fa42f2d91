// Ease curves: maps of [0, 1] onto itself that start and end smoothly.
//
//   smooth_step   6u⁵ - 15u⁴ + 10u³: first and second derivatives are 0 at both ends
//   eased         accelerates for a fraction `in` of the time, decelerates for a fraction `out`, constant speed v
//                 between:
//
//                   v in (w³ - w⁴/2)          u < in,       w = u / in
//                   v (u - in/2)
//                   1 - v out (w³ - w⁴/2)     u > 1 - out,  w = (1 - u) / out,     v = 2 / (2 - in - out)
//
//                 The speed changes as 3w² - 2w³, so the acceleration is continuous too. Monotone, and exact at 0 and
//                 1. With in = out = 0 it is u itself.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

// Fractions of the time spent accelerating and decelerating: each from 0 to 1, together at most 1.
struct Ease {
  double in = 0.0;
  double out = 0.0;

  bool none() const { return in == 0.0 && out == 0.0; }
  bool valid() const { return in >= 0.0 && out >= 0.0 && in + out <= 1.0; }
};

// u is clamped to [0, 1].
inline double smooth_step(double u) {
  u = std::clamp(u, 0.0, 1.0);
  // Computed from the nearer end: exact at 1, and never above it.
  if (u > 0.5) return 1.0 - smooth_step(1.0 - u);
  return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

inline double eased(const Ease& ease, double u) {
  u = std::clamp(u, 0.0, 1.0);
  if (ease.none()) return u;
  const double v = 2.0 / (2.0 - ease.in - ease.out);
  const auto ramp = [](double w) { return w * w * w * (1.0 - 0.5 * w); };
  if (u < ease.in) return v * ease.in * ramp(u / ease.in);
  if (const double remaining = 1.0 - u; remaining < ease.out || remaining == 0.0)
    return 1.0 - (ease.out > 0.0 ? v * ease.out * ramp(remaining / ease.out) : 0.0);
  return v * (u - 0.5 * ease.in);
}

}  // namespace limber
