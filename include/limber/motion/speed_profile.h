// When a handle is where on its way: the part of the way, 0 at its beginning and 1 at its end, by time.    W93 2.2.1
//
// Eased: the speed rises over the first part a of the time, stays, and falls over the last part b of it. With
// x = (t - start) / (end - start) and w(y) = 3y² - 2y³,
//
//   dσ/dx = V w(x/a)  for x < a,   V  between,   V w((1-x)/b)  for x > 1 - b,      V = 1 / (1 - (a + b)/2)
//
// so σ goes from 0 to 1 and, where a and b are above 0, is C² for all times: it stands still before and after.
//
// By keys: σ is given at some times; between them lies the monotone cubic of Fritsch and Carlson (figure/curve.h), C¹,
// which overshoots no key and stands still where two keys are alike.
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
    double part;  // of the way; above 1 or below 0 are further rounds of a closed curve
  };

  // Parts of the time, 0 or more, at most 1 together. 0: at full speed from the first moment.
  static Expected<SpeedProfile> eased(double start, double end, double ease_in = 0.25, double ease_out = 0.25);
  // At least two keys with times that increase; parts may go back.
  static Expected<SpeedProfile> by_keys(const std::vector<Key>& keys);

  double start() const { return start_; }  // seconds
  double end() const { return end_; }

  // σ(t). Before the start and after the end it is what it is there.
  double part(double t) const;
  // dσ/dt in 1/s, 0 outside.
  double rate(double t) const;

 private:
  SpeedProfile() = default;

  double start_ = 0.0, end_ = 1.0;
  double ease_in_ = 0.0, ease_out_ = 0.0;
  double full_ = 1.0;  // V
  bool has_keys_ = false;
  Curve keys_;
};

// Where the handle is, and how fast, at a time.
Vec3 along(const SpaceCurve& curve, const SpeedProfile& profile, double t);
Vec3 velocity(const SpaceCurve& curve, const SpeedProfile& profile, double t);

}  // namespace limber
