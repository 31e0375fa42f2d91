// A motion as a few key poses with their times, and how the figure moves from each to the next.   W93 6.1.2 and 2.2.1
//
// Each channel of the figure (channel.h) goes its own way through the keys. On the stretch from a key to the next:
//
//   step     stays as it is at the key
//   linear   goes straight; a rotation turns about one axis at an even pace (Shoemake's slerp)
//   spline   goes on a curve that passes the keys without a corner: a cubic with the tangents of Kochanek and Bartels,
//            for a rotation Shoemake's quadrangle with the same velocities (spline.h)
//
// That is the shape. When each point of it is passed is said apart from it:
//
//   ease     of a stretch: how it gains and loses its speed (ease.h)
//   even     of a channel on a stretch: it goes along its curve at an even speed before it is eased, by the length of
//            the way in space, the angle, or the change of the value                                               BH89
//   timing   of the whole: a monotone curve from time to the time of the keys, the double interpolant of
//            Steketee and Badler (1985)
//
// A sequence is a checked constant value; edit.h has what changes it, sampler.h gives its pose at any time.
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

// Of one channel: how it moves on from a key, and how its spline passes the key.
struct Style {
  Interpolation interpolation = Interpolation::spline;
  bool even = false;
  Bend bend = {};
};

struct Key {
  double time = 0.0;  // seconds
  Pose pose = {};
  Ease ease = {};                  // of the stretch that begins here
  Style style = {};                // of all channels
  std::vector<Style> styles = {};  // one a channel, in place of `style`, or none

  const Style& style_of(int channel) const {
    return styles.empty() ? style : styles[static_cast<std::size_t>(channel)];
  }
};

// At `time` the figure is where its keys have it at `shape_time`.
struct TimingKnot {
  double time = 0.0;
  double shape_time = 0.0;
};

// Bit for bit.
bool same(const Style& a, const Style& b);
bool same(const Key& a, const Key& b);
bool same(const TimingKnot& a, const TimingKnot& b);

// Keys nearer to each other, in seconds, are one.
inline constexpr double shortest_stretch = 1e-9;
// Values and times beyond this are no pose and no time, and their squares no numbers.
inline constexpr double max_value = 1e100;

class Sequence {
 public:
  // At least one key; times that ascend by shortest_stretch or more; finite poses of the figure; bends from -1 to 1.
  // The timing curve has no knots, or two and more with ascending times and shape times that do not descend. What lies
  // outside the keys' times counts as their first or last.
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

// A key for every `every`-th frame of a clip and for its last, the first at 0 s.
Expected<Sequence> sequence_of(const Figure& figure, const Clip& clip, int every = 1, const Style& style = {});

// The sequence at an even rate, from its start on. Rejected where it would have more than max_values numbers.
Expected<Clip> sampled(const Sequence& sequence, double frame_time);

}  // namespace limber
