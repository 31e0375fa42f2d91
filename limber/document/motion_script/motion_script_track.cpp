#include "limber/document/motion_script/motion_script_track.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber {

namespace {

// Keys of one parameter that lie nearer to each other, in seconds, are at the same moment: the later statement counts.
constexpr double same_moment = 1e-6;
// Keys of a channel times parameters of the figure, in the sequence that interpolates the channel.
constexpr std::size_t max_sequence_numbers = 1u << 18;

bool is_joined(KeyPath path) { return path == KeyPath::slerp || path == KeyPath::curve; }

Style style_of(const ScriptKnot& knot) {
  const bool curve = knot.path == KeyPath::curve;
  return {curve ? Interpolation::spline : Interpolation::linear, knot.evenly, knot.bend};
}

const ScriptTrack& track_of(std::span<const ScriptTrack> tracks, int parameter) {
  return tracks[static_cast<std::size_t>(parameter)];
}

// The times at which any parameter of the channel has a key.
std::vector<double> times_of(const Channel& channel, std::span<const ScriptTrack> tracks) {
  std::vector<double> times, merged;
  for (int t = 0; t < channel.size(); ++t)
    for (const ScriptKnot& knot : track_of(tracks, channel.parameters[static_cast<std::size_t>(t)]).knots())
      times.push_back(knot.time);
  std::ranges::sort(times);
  for (const double time : times)
    if (merged.empty() || time - merged.back() > same_moment) merged.push_back(time);
  return merged;
}

// Of the keys at that moment, the one that was written last.
const ScriptKnot& last_knot(const Channel& channel, std::span<const ScriptTrack> tracks, double time) {
  const ScriptKnot* last = nullptr;
  for (int t = 0; t < channel.size(); ++t) {
    const ScriptKnot* knot = track_of(tracks, channel.parameters[static_cast<std::size_t>(t)]).knot_at(time);
    if (knot && (!last || knot->statement > last->statement)) last = knot;
  }
  return *last;
}

}  // namespace

Ease ease_in_parts(const Ease& seconds, double h) {
  const double sum = std::max(h, seconds.in + seconds.out);
  return {seconds.in / sum, std::min(seconds.out / sum, 1.0 - seconds.in / sum)};
}

void ScriptTrack::finish(double at_start) {
  std::ranges::sort(knots_, {}, [](const ScriptKnot& knot) { return std::pair(knot.time, knot.statement); });
  std::vector<ScriptKnot> kept;
  for (const ScriptKnot& knot : knots_)
    if (kept.empty() || knot.time - kept.back().time > same_moment) {
      kept.push_back(knot);
    } else if (knot.statement > kept.back().statement) {
      const double time = kept.back().time;
      kept.back() = knot;
      kept.back().time = time;
    }
  if (kept.empty() || kept.front().time > same_moment) kept.insert(kept.begin(), {.value = at_start});
  knots_ = std::move(kept);
}

const ScriptKnot* ScriptTrack::knot_at(double time) const {
  const auto near = std::ranges::lower_bound(knots_, time - same_moment, {}, &ScriptKnot::time);
  return near != knots_.end() && near->time <= time + same_moment ? &*near : nullptr;
}

double ScriptTrack::at(double time) const {
  const auto next =
      static_cast<std::size_t>(std::ranges::upper_bound(knots_, time, {}, &ScriptKnot::time) - knots_.begin());
  if (next == 0) return knots_.front().value;
  if (next == knots_.size()) return knots_.back().value;
  const ScriptKnot &a = knots_[next - 1], &b = knots_[next];
  if (a.path == KeyPath::step) return a.value;
  const double h = b.time - a.time, u = eased(ease_in_parts(a.ease, h), (time - a.time) / h);
  if (a.path == KeyPath::linear || a.path == KeyPath::slerp) return a.value + u * (b.value - a.value);
  if (a.path == KeyPath::curve)
    return hermite(a.value, b.value, h * velocities(next - 1).out, h * velocities(next).in)(u);
  // Cubic Hermite.
  const double m0 = h * slope(next - 1), m1 = h * slope(next), d = b.value - a.value;
  return a.value + u * (m0 + u * (3.0 * d - 2.0 * m0 - m1 + u * (m0 + m1 - 2.0 * d)));
}

double ScriptTrack::secant(std::size_t k) const {
  if (knots_[k].path == KeyPath::step) return 0.0;
  return (knots_[k + 1].value - knots_[k].value) / (knots_[k + 1].time - knots_[k].time);
}

// Fritsch and Carlson (1980): the harmonic mean of the neighbouring secants where they agree in sign, else 0.
double ScriptTrack::slope(std::size_t k) const {
  if (k == 0 || k + 1 == knots_.size()) return 0.0;
  const double before = secant(k - 1), after = secant(k);
  return before * after > 0.0 ? 2.0 / (1.0 / before + 1.0 / after) : 0.0;
}

// At the first and the last key the missing interval is taken equal to the existing one.                        KB84
Velocities<double> ScriptTrack::velocities(std::size_t k) const {
  const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k, knots_.size() - 2);
  const auto change = [&](std::size_t i) { return knots_[i + 1].value - knots_[i].value; };
  const auto seconds = [&](std::size_t i) { return knots_[i + 1].time - knots_[i].time; };
  return kochanek_bartels(change(before), seconds(before), change(after), seconds(after), knots_[k].bend);
}

bool ScriptChannel::is_needed(const Channel& channel, std::span<const ScriptTrack> tracks) {
  for (int t = 0; t < channel.size(); ++t)
    for (const ScriptKnot& knot : track_of(tracks, channel.parameters[static_cast<std::size_t>(t)]).knots())
      if (is_joined(knot.path)) return true;
  return false;
}

ScriptChannel::ScriptChannel(const Channel& channel, const Sequence& sequence, std::vector<bool> joined)
    : channel_(channel), sampler_(sequence), joined_(std::move(joined)) {
  for (const Key& key : sequence.keys()) times_.push_back(key.time);
}

Expected<ScriptChannel> ScriptChannel::make(const Figure& figure, const std::vector<Channel>& channels,
                                            std::size_t channel, std::span<const ScriptTrack> tracks) {
  const Channel& own = channels[channel];
  const std::vector<double> times = times_of(own, tracks);
  if (const std::size_t max_keys = max_sequence_numbers / std::max<std::size_t>(tracks.size(), 1);
      times.size() > max_keys)
    return reject("channel '" + own.name + "'", std::to_string(times.size()) + " keys with slerp or curve among them",
                  "at most " + std::to_string(max_keys));
  // The other channels are there for linear limits that they share with this one.
  std::vector<Style> styles(channels.size(), Style{.interpolation = Interpolation::linear});
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (channels[c].kind == ChannelKind::rotation) styles[c].interpolation = Interpolation::step;
  std::vector<Key> keys;
  std::vector<bool> joined;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const ScriptKnot& knot = last_knot(own, tracks, times[k]);
    Key key{.time = times[k], .pose = {VecX(static_cast<Eigen::Index>(tracks.size()))}};
    for (std::size_t j = 0; j < tracks.size(); ++j) {
      const ScriptKnot* exact = tracks[j].knot_at(times[k]);
      key.pose.theta[static_cast<Eigen::Index>(j)] = exact ? exact->value : tracks[j].at(times[k]);
    }
    if (k + 1 < times.size()) key.ease = ease_in_parts(knot.ease, times[k + 1] - times[k]);
    key.styles = styles;
    key.styles[channel] = style_of(knot);
    keys.push_back(std::move(key));
    joined.push_back(is_joined(knot.path));
  }
  const Expected<Sequence> sequence = Sequence::make(figure, std::move(keys), {}, Rotations::of_balls);
  if (!sequence) return std::unexpected(sequence.error());
  return ScriptChannel(own, *sequence, std::move(joined));
}

void ScriptChannel::at(double time, VecX& theta, Pose& scratch) const {
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(times_, time) - times_.begin());
  if (next == 0 || next == times_.size() || !joined_[next - 1]) return;
  sampler_.at(time, scratch);
  for (const int j : channel_.parameters) theta[j] = scratch.theta[j];
}

}  // namespace limber
