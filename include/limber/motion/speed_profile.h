// Position of a handle along its path over time, as a fraction σ from 0 at the start to 1 at the end.        W93 2.2.1
//
// Eased: the speed increases over the first fraction a of the time, is constant, and decreases over the last fraction
// b. With x = (t - start) / (end - start) and w(y) = 3y² - 2y³,
//
//   dσ/dx = V w(x/a)  for x < a,   V  between,   V w((1-x)/b)  for x > 1 - b,      V = 1 / (1 - (a + b)/2)
//
// so σ goes from 0 to 1 and, if a and b are above 0, is C² for all times, constant before and after.
//
// By keys: σ is given at some times, interpolated by the monotone cubic of Fritsch and Carlson (figure/curve.h): C¹,
// without overshoot, and constant between equal keys.
#pragma once

#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/curve.h"
#include "limber/motion/space_curve.h"

namespace limber {

class SpeedProfile {
 public:
  struct Key {
    double time;  // seconds
    double part;  // σ; below 0 or above 1 are further rounds of a closed curve
  };

  // Fractions of the time, 0 or more, together at most 1. 0: full speed at once.
  static Expected<SpeedProfile> eased(double start, double end, double ease_in = 0.25, double ease_out = 0.25);
  // At least two keys with increasing times; parts may decrease.
  static Expected<SpeedProfile> by_keys(const std::vector<Key>& keys);

  double start() const { return start_; }  // seconds
  double end() const { return end_; }

  // σ(t), constant before the start and after the end.
  double part(double t) const;
  // dσ/dt in 1/s, 0 outside.
  double rate(double t) const;

 private:
  SpeedProfile() = default;

  double start_ = 0.0, end_ = 1.0;
  double ease_in_ = 0.0, ease_out_ = 0.0;
  double max_speed_ = 1.0;  // V
  bool has_keys_ = false;
  Curve keys_;
};

// Position and velocity of the handle at a time.
Vec3 along(const SpaceCurve& curve, const SpeedProfile& profile, double t);
Vec3 velocity(const SpaceCurve& curve, const SpeedProfile& profile, double t);

}  // namespace limber
