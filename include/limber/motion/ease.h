// When a motion is where along its way: maps of [0, 1] onto itself that begin and end gently.
//
//   smooth_step   6u⁵ - 15u⁴ + 10u³: value, first and second derivative are those of a rest at both ends
//   eased         a part of the time is spent gaining speed, a part losing it, between them the speed v is even:
//
//                   v in (w³ - w⁴/2)          u < in,       w = u / in
//                   v (u - in/2)
//                   1 - v out (w³ - w⁴/2)     u > 1 - out,  w = (1 - u) / out,     v = 2 / (2 - in - out)
//
//                 The speed rises and falls as 3w² - 2w³, so that the acceleration is continuous too. It never goes
//                 back, and is exact at 0 and at 1. Without parts it is u itself.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

// Parts of the time in which the speed is gained and lost: each from 0 to 1, together at most 1.
struct Ease {
  double in = 0.0;
  double out = 0.0;

  bool none() const { return in == 0.0 && out == 0.0; }
  bool valid() const { return in >= 0.0 && out >= 0.0 && in + out <= 1.0; }
};

// What is below 0 or above 1 counts as 0 and 1.
inline double smooth_step(double u) {
  u = std::clamp(u, 0.0, 1.0);
  // From the nearer end: exact at 1, and never above it.
  if (u > 0.5) return 1.0 - smooth_step(1.0 - u);
  return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

inline double eased(const Ease& ease, double u) {
  u = std::clamp(u, 0.0, 1.0);
  if (ease.none()) return u;
  const double v = 2.0 / (2.0 - ease.in - ease.out);
  const auto gained = [](double w) { return w * w * w * (1.0 - 0.5 * w); };
  if (u < ease.in) return v * ease.in * gained(u / ease.in);
  if (const double left = 1.0 - u; left < ease.out || left == 0.0)
    return 1.0 - (ease.out > 0.0 ? v * ease.out * gained(left / ease.out) : 0.0);
  return v * (u - 0.5 * ease.in);
}

}  // namespace limber
