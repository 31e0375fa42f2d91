// The keys of a script between which a parameter is interpolated, alone or with others. For the files of this folder.
#pragma once

#include <span>
#include <vector>

#include "limber/document/motion_script/motion_script.h"
#include "limber/motion/sampler.h"

namespace limber {

struct ScriptKnot {
  double time = 0.0;
  double value = 0.0;
  KeyPath path = KeyPath::spline;
  Bend bend = {};
  bool evenly = false;
  Ease ease = {};             // seconds
  std::size_t statement = 0;  // counted from 1 in the order of the script, over all parameters
};

// As fractions of an interval of h seconds; both are shortened where they do not fit.
Ease ease_in_parts(const Ease& seconds, double h);

// The keys of one parameter.
class ScriptTrack {
 public:
  void add(const ScriptKnot& knot) { knots_.push_back(knot); }

  // In the order of time, starting with the scene's value at 0.
  void finish(double at_start);

  const std::vector<ScriptKnot>& knots() const { return knots_; }
  // The knot of that moment, if there is one.
  const ScriptKnot* knot_at(double time) const;
  // The value of the parameter on its own.
  double at(double time) const;

 private:
  double secant(std::size_t k) const;
  double slope(std::size_t k) const;
  Velocities<double> velocities(std::size_t k) const;

  std::vector<ScriptKnot> knots_;
};

// The parameters of a channel on the intervals that begin with slerp or curve. At the keys of any of them, those that
// have none there take the value that they have on their own.
class ScriptChannel {
 public:
  // Rejected if there are too many keys, or values beyond what a sequence holds. `tracks` are all of the figure.
  static Expected<ScriptChannel> make(const Figure& figure, const std::vector<Channel>& channels, std::size_t channel,
                                      std::span<const ScriptTrack> tracks);

  // Sets the parameters in `theta` if the time is on such an interval; `scratch` is a pose of the figure.
  void at(double time, VecX& theta, Pose& scratch) const;

  // Whether any knot of the channel asks for it.
  static bool is_needed(const Channel& channel, std::span<const ScriptTrack> tracks);

 private:
  ScriptChannel(const Channel& channel, const Sequence& sequence, std::vector<bool> joined);

  Channel channel_;
  Sampler sampler_;
  std::vector<double> times_;
  std::vector<bool> joined_;  // by interval: slerp or curve
};

}  // namespace limber
