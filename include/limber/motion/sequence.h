// A motion as key poses with times, and the interpolation between them.                           W93 6.1.2 and 2.2.1
//
// Each channel of the figure (channel.h) is interpolated on its own. On the interval from a key to the next:
//
//   step     constant
//   linear   straight; a rotation turns about one axis at constant speed (Shoemake's slerp)
//   spline   a curve that passes the keys without a corner: a cubic with the tangents of Kochanek and Bartels,
//            for a rotation Shoemake's quadrangle with the same velocities (spline.h)
//
// That is the shape. Its timing is separate:
//
//   ease     per interval: acceleration and deceleration (Ease)
//   even     per channel and interval: constant speed along the curve before easing, measured by arc length in space,
//            angle, or change of the value                                                                         BH89
//   timing   for the whole: a monotone curve from time to key time, the double interpolant of
//            Steketee and Badler (1985)
//
// A sequence is a checked immutable value; edit.h changes it, sampler.h gives its pose at any time.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/motion/channel.h"
#include "limber/motion/clip.h"
#include "limber/motion/spline.h"

namespace limber {

// --- Ease curves: maps of [0, 1] onto itself that start and end smoothly.
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

enum class Interpolation { step, linear, spline };

// How one channel continues from a key, and how its spline passes the key.
struct Style {
  Interpolation interpolation = Interpolation::spline;
  bool even = false;
  Bend bend = {};
};

struct Key {
  double time = 0.0;  // seconds
  Pose pose = {};
  Ease ease = {};                  // of the interval that begins here
  Style style = {};                // of all channels
  std::vector<Style> styles = {};  // empty, or one per channel in place of `style`

  const Style& style_of(int channel) const {
    return styles.empty() ? style : styles[static_cast<std::size_t>(channel)];
  }
};

// At `time` the pose is that of the keys at `shape_time`.
struct TimingKnot {
  double time = 0.0;
  double shape_time = 0.0;
};

// Bit for bit.
bool same(const Style& a, const Style& b);
bool same(const Key& a, const Key& b);
bool same(const TimingKnot& a, const TimingKnot& b);

// Minimum time between keys, in seconds.
inline constexpr double min_key_spacing = 1e-9;
// Larger values and times are rejected: their squares could overflow.
inline constexpr double max_key_value = 1e100;

class Sequence {
 public:
  // At least one key; times that increase by min_key_spacing or more; finite poses of the figure; bends from -1 to 1.
  // The timing curve has no knots, or at least two with increasing times and non-decreasing shape times. Times outside
  // the keys are clamped to the first or last.
  static Expected<Sequence> make(const Figure& figure, std::vector<Key> keys, std::vector<TimingKnot> timing = {},
                                 Rotations rotations = Rotations::of_joints);

  const Figure& figure() const { return figure_; }
  Rotations rotations() const { return rotations_; }
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<Key>& keys() const { return keys_; }
  const std::vector<TimingKnot>& timing() const { return timing_; }

  // From the first to the last key, or knot of the timing curve.
  double start() const { return timing_.empty() ? keys_.front().time : timing_.front().time; }
  double end() const { return timing_.empty() ? keys_.back().time : timing_.back().time; }
  double duration() const { return end() - start(); }

 private:
  explicit Sequence(const Figure& figure) : figure_(figure) {}

  Figure figure_;
  Rotations rotations_ = Rotations::of_joints;
  std::vector<Channel> channels_;
  std::vector<Key> keys_;
  std::vector<TimingKnot> timing_;
};

bool same(const Sequence& a, const Sequence& b);  // rotations, keys and timing, bit for bit

// One key for every `every`-th frame of a clip and one for its last; the first is at 0 s.
Expected<Sequence> sequence_of(const Figure& figure, const Clip& clip, int every = 1, const Style& style = {},
                               Rotations rotations = Rotations::of_joints);
// The same keys and timing with other rotations. A channel keeps its styles if the other sequence has it too; a new one
// takes those of its first parameter.
Sequence with_rotations(const Sequence& sequence, Rotations rotations);

// The sequence at a constant frame rate, from its start. Rejected if it would have more than max_values numbers.
Expected<Clip> sampled(const Sequence& sequence, double frame_time);

}  // namespace limber
