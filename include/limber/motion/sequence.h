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
//   ease     per interval: acceleration and deceleration (ease.h)
//   even     per channel and interval: constant speed along the curve before easing, measured by arc length in space,
//            angle, or change of the value                                                                         BH89
//   timing   for the whole: a monotone curve from time to key time, the double interpolant of
//            Steketee and Badler (1985)
//
// A sequence is a checked immutable value; edit.h changes it, sampler.h gives its pose at any time.
#pragma once

#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/motion/channel.h"
#include "limber/motion/clip.h"
#include "limber/motion/ease.h"
#include "limber/motion/spline.h"

namespace limber {

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
inline constexpr double max_value = 1e100;

class Sequence {
 public:
  // At least one key; times that increase by min_key_spacing or more; finite poses of the figure; bends from -1 to 1.
  // The timing curve has no knots, or at least two with increasing times and non-decreasing shape times. Times outside
  // the keys are clamped to the first or last.
  static Expected<Sequence> make(const Figure& figure, std::vector<Key> keys, std::vector<TimingKnot> timing = {});

  const Figure& figure() const { return figure_; }
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
  std::vector<Channel> channels_;
  std::vector<Key> keys_;
  std::vector<TimingKnot> timing_;
};

bool same(const Sequence& a, const Sequence& b);  // keys and timing, bit for bit

// One key for every `every`-th frame of a clip and one for its last; the first is at 0 s.
Expected<Sequence> sequence_of(const Figure& figure, const Clip& clip, int every = 1, const Style& style = {});

// The sequence at a constant frame rate, from its start. Rejected if it would have more than max_values numbers.
Expected<Clip> sampled(const Sequence& sequence, double frame_time);

}  // namespace limber
