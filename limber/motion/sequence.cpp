#include "limber/motion/sequence.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "limber/base/number.h"
#include "limber/motion/sampler.h"

namespace limber {

namespace {

// In frames: times nearer than this to the end count as the end.
constexpr double end_tolerance = 1e-4;

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) { return same_bits(x, y); });
}

std::string key_name(std::size_t k) { return "key " + std::to_string(k); }

bool usable(double value) { return std::fabs(value) <= max_key_value; }  // false for NaN

Expected<void> check_style(const Style& style, const std::string& where) {
  for (const auto& [name, value] :
       {std::pair("tension", style.bend.tension), {"continuity", style.bend.continuity}, {"bias", style.bend.bias}})
    if (!(value >= -1.0 && value <= 1.0))
      return reject(where, std::string(name) + " " + to_text(value), "a number from -1 to 1");
  return {};
}

Expected<void> check_pose(const Figure& figure, const Pose& pose, const std::string& where) {
  if (pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()))
    return reject(where, "a pose of " + std::to_string(pose.theta.size()) + " parameters",
                  std::to_string(figure.parameters().size()) + ", as in the figure");
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!usable(pose.theta[j]))
      return reject(where + ", parameter '" + figure.parameters()[static_cast<std::size_t>(j)].name + "'",
                    to_text(pose.theta[j]), "a number of magnitude 1e100 at most");
  return {};
}

Expected<void> check_key(const Figure& figure, const std::vector<Channel>& channels, const Key& key,
                         const std::string& where) {
  if (!usable(key.time))
    return reject(where, "a time of " + to_text(key.time) + " s", "a number of magnitude 1e100 at most");
  if (const Expected<void> pose = check_pose(figure, key.pose, where); !pose) return pose;
  if (!key.ease.valid())
    return reject(where, "ease " + to_text(key.ease.in) + " in and " + to_text(key.ease.out) + " out",
                  "fractions of 0 or more, together at most 1");
  if (!key.styles.empty() && key.styles.size() != channels.size())
    return reject(where, std::to_string(key.styles.size()) + " styles",
                  "none, or " + std::to_string(channels.size()) + ", one per channel");
  if (const Expected<void> style = check_style(key.style, where); !style) return style;
  for (std::size_t c = 0; c < key.styles.size(); ++c)
    if (const Expected<void> style = check_style(key.styles[c], where + ", channel '" + channels[c].name + "'"); !style)
      return style;
  return {};
}

Expected<void> check_timing(const std::vector<TimingKnot>& timing) {
  if (timing.size() == 1) return reject("timing curve", "one knot", "none, or at least two");
  for (std::size_t k = 0; k < timing.size(); ++k) {
    const std::string where = "timing knot " + std::to_string(k);
    if (!usable(timing[k].time) || !usable(timing[k].shape_time))
      return reject(where, to_text(timing[k].time) + " s, " + to_text(timing[k].shape_time) + " s",
                    "numbers of magnitude 1e100 at most");
    if (k == 0) continue;
    if (!(timing[k].time - timing[k - 1].time >= min_key_spacing))
      return reject(where, to_text(timing[k].time) + " s after " + to_text(timing[k - 1].time) + " s",
                    "increasing times");
    if (timing[k].shape_time < timing[k - 1].shape_time)
      return reject(
          where, "shape time " + to_text(timing[k].shape_time) + " s after " + to_text(timing[k - 1].shape_time) + " s",
          "shape times that do not decrease");
  }
  return {};
}

}  // namespace

bool same(const Style& a, const Style& b) {
  return a.interpolation == b.interpolation && a.even == b.even && same_bits(a.bend.tension, b.bend.tension) &&
         same_bits(a.bend.continuity, b.bend.continuity) && same_bits(a.bend.bias, b.bend.bias);
}

bool same(const Key& a, const Key& b) {
  return same_bits(a.time, b.time) && same_bits(a.pose.theta, b.pose.theta) && same_bits(a.ease.in, b.ease.in) &&
         same_bits(a.ease.out, b.ease.out) && same(a.style, b.style) &&
         std::ranges::equal(a.styles, b.styles, [](const Style& x, const Style& y) { return same(x, y); });
}

bool same(const TimingKnot& a, const TimingKnot& b) {
  return same_bits(a.time, b.time) && same_bits(a.shape_time, b.shape_time);
}

bool same(const Sequence& a, const Sequence& b) {
  return a.rotations() == b.rotations() &&
         std::ranges::equal(a.keys(), b.keys(), [](const Key& x, const Key& y) { return same(x, y); }) &&
         std::ranges::equal(a.timing(), b.timing(), [](const auto& x, const auto& y) { return same(x, y); });
}

Expected<Sequence> Sequence::make(const Figure& figure, std::vector<Key> keys, std::vector<TimingKnot> timing,
                                  Rotations rotations) {
  if (keys.empty()) return reject("sequence", "no key", "at least one");
  Sequence sequence(figure);
  sequence.rotations_ = rotations;
  sequence.channels_ = channels_of(figure, rotations);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (const Expected<void> key = check_key(figure, sequence.channels_, keys[k], key_name(k)); !key)
      return std::unexpected(key.error());
    if (k > 0 && !(keys[k].time - keys[k - 1].time >= min_key_spacing))
      return reject(key_name(k), "time " + to_text(keys[k].time) + " s after " + to_text(keys[k - 1].time) + " s",
                    "increasing times");
  }
  if (const Expected<void> checked = check_timing(timing); !checked) return std::unexpected(checked.error());
  sequence.keys_ = std::move(keys);
  sequence.timing_ = std::move(timing);
  return sequence;
}

Expected<Sequence> sequence_of(const Figure& figure, const Clip& clip, int every, const Style& style,
                               Rotations rotations) {
  if (every < 1) return reject("sequence", "a key every " + std::to_string(every) + " frames", "1 or more");
  std::vector<Key> keys;
  const auto take = [&](int k) { keys.push_back({k * clip.frame_time, clip.pose(k), {}, style}); };
  const int last = clip.frames() - 1;
  for (int k = 0; k < last; k += std::min(every, last - k)) take(k);
  if (last >= 0) take(last);
  return Sequence::make(figure, std::move(keys), {}, rotations);
}

Sequence with_rotations(const Sequence& sequence, Rotations rotations) {
  std::vector<int> channel_of(sequence.figure().parameters().size());
  for (std::size_t c = 0; c < sequence.channels().size(); ++c)
    for (const int j : sequence.channels()[c].parameters) channel_of[static_cast<std::size_t>(j)] = static_cast<int>(c);
  std::vector<Key> keys = sequence.keys();
  for (Key& key : keys) {
    if (key.styles.empty()) continue;
    std::vector<Style> styles;
    for (const Channel& channel : channels_of(sequence.figure(), rotations))
      styles.push_back(key.style_of(channel_of[static_cast<std::size_t>(channel.parameters[0])]));
    key.styles = std::move(styles);
  }
  return *Sequence::make(sequence.figure(), std::move(keys), sequence.timing(), rotations);
}

Expected<Clip> sampled(const Sequence& sequence, double frame_time) {
  if (!(frame_time > 0.0 && std::isfinite(frame_time)))
    return reject("sequence", to_text(frame_time) + " s per frame", "a number above 0");
  const double count = 1.0 + std::floor(sequence.duration() / frame_time + end_tolerance);
  const auto rows = sequence.keys().front().pose.theta.size();
  if (const double max_frames = std::floor(max_values / std::fmax(static_cast<double>(rows), 1.0));
      !(count <= max_frames))
    return reject("sequence", "a frame every " + to_text(frame_time) + " s, " + to_text(count) + " frames in all",
                  "at most " + to_text(max_frames) + " frames");
  const Sampler sampler(sequence);
  const int frames = static_cast<int>(count);
  Clip clip{sequence.figure().name(), frame_time, MatX(rows, frames)};
  Pose pose{VecX(rows)};
  for (int k = 0; k < frames; ++k) {
    const double time = sequence.start() + k * frame_time;
    sampler.at(std::fabs(time - sequence.end()) <= end_tolerance * frame_time ? sequence.end() : time, pose);
    clip.poses.col(k) = pose.theta;
  }
  return clip;
}

}  // namespace limber
