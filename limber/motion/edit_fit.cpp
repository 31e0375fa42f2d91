// Edits that make new keys from the motion between keys.
#include <algorithm>

#include "limber/base/number.h"
#include "limber/motion/edit.h"
#include "limber/motion/sampler.h"

namespace limber {

namespace {

// The motion at key times, without the timing curve.
Sampler shape_of(const Sequence& sequence) {
  return Sampler(*Sequence::make(sequence.figure(), sequence.keys(), {}, sequence.rotations()));
}

Expected<Edit> edit_to_keys(const Sequence& sequence, std::vector<Key> keys) {
  const Expected<Sequence> to =
      Sequence::make(sequence.figure(), std::move(keys), sequence.timing(), sequence.rotations());
  if (!to) return std::unexpected(to.error());
  return edit_between(sequence, *to);
}

Expected<void> check_same_figure(const Sequence& a, const Sequence& b) {
  if (!std::ranges::equal(a.figure().parameters(), b.figure().parameters(), {}, &Parameter::name, &Parameter::name))
    return reject("figure '" + b.figure().name() + "'", "parameters other than those of '" + a.figure().name() + "'",
                  "sequences of the same figure");
  if (a.rotations() != b.rotations())
    return reject("sequence", "rotations of joints in one and of balls in the other", "the same in both");
  return {};
}

// Sorted, without times closer than min_key_spacing.
std::vector<double> merged(std::vector<double> times) {
  std::ranges::sort(times);
  std::vector<double> out;
  for (const double time : times)
    if (out.empty() || time - out.back() >= min_key_spacing) out.push_back(time);
  return out;
}

// The key whose interval contains the time.
const Key& key_before(const std::vector<Key>& keys, double time) {
  const auto after = std::ranges::upper_bound(keys, time, {}, &Key::time);
  return after == keys.begin() ? keys.front() : *(after - 1);
}

Pose blended(const std::vector<Channel>& channels, const Pose& a, const Pose& b, double weight) {
  if (weight <= 0.0) return a;
  if (weight >= 1.0) return b;
  Pose out = a;
  for (const Channel& channel : channels) blend(channel, a.theta, b.theta, weight, out.theta);
  return out;
}

// Finds few keys that reproduce all of them within the tolerance.
class Reduction {
 public:
  Reduction(const Sequence& sequence, const Tolerance& tolerance, const Style& style)
      : sequence_(sequence), tolerance_(tolerance), style_(style) {
    keep_ = {0};
    if (all().size() > 1) keep_.push_back(all().size() - 1);
  }

  std::vector<Key> keys() {
    add();
    prune();
    add();  // adds nothing, unless prune() removed a key by rounding
    return kept(0, keep_.size());
  }

 private:
  const std::vector<Key>& all() const { return sequence_.keys(); }

  // Keys keep_[begin] … keep_[end - 1], in the style.
  std::vector<Key> kept(std::size_t begin, std::size_t end) const {
    std::vector<Key> keys;
    for (std::size_t i = begin; i < end; ++i) keys.push_back({all()[keep_[i]].time, all()[keep_[i]].pose, {}, style_});
    return keys;
  }

  // Relative to the tolerance.
  double error(const Pose& found, std::size_t key) const {
    double worst = 0.0;
    for (const Channel& channel : sequence_.channels())
      worst = std::max(worst, distance(channel, found.theta, all()[key].pose.theta) /
                                  (channel.metres ? tolerance_.length : tolerance_.angle));
    return worst;
  }

  // Adds the worst key of each interval until all are within the tolerance.
  void add() {
    Pose pose;
    for (bool added = true; added;) {
      added = false;
      const Sampler sampler(*Sequence::make(sequence_.figure(), kept(0, keep_.size()), {}, sequence_.rotations()));
      std::vector<std::size_t> next = {0};
      for (std::size_t i = 0; i + 1 < keep_.size(); ++i) {
        double worst = 1.0;
        std::size_t worst_key = 0;
        for (std::size_t k = keep_[i] + 1; k < keep_[i + 1]; ++k) {
          sampler.at(all()[k].time, pose);
          const double key_error = error(pose, k);
          if (key_error > worst) worst = key_error, worst_key = k;
        }
        if (worst_key > 0) next.push_back(worst_key), added = true;
        next.push_back(keep_[i + 1]);
      }
      keep_ = std::move(next);
    }
  }

  // Removes redundant keys. Without key i the tangents at its neighbours change, and so do the intervals up to two keys
  // away; the tangents at their ends depend on keys up to three away.
  void prune() {
    Pose pose;
    for (std::size_t i = 1; i + 1 < keep_.size();) {
      const std::size_t begin = i >= 3 ? i - 3 : 0, end = std::min(i + 4, keep_.size());
      const std::size_t from = keep_[i >= 2 ? i - 2 : 0], to = keep_[std::min(i + 2, keep_.size() - 1)];
      std::vector<Key> keys = kept(begin, end);
      keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i - begin));
      const Sampler sampler(*Sequence::make(sequence_.figure(), std::move(keys), {}, sequence_.rotations()));
      bool good = true;
      for (std::size_t k = from; good && k <= to; ++k) {
        sampler.at(all()[k].time, pose);
        good = error(pose, k) <= 1.0;
      }
      if (good)
        keep_.erase(keep_.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
  }

  const Sequence& sequence_;
  Tolerance tolerance_;
  Style style_;
  std::vector<std::size_t> keep_;
};

}  // namespace

Expected<Edit> blend(const Sequence& sequence, const Sequence& other, double weight) {
  if (const Expected<void> same = check_same_figure(sequence, other); !same) return std::unexpected(same.error());
  if (!(weight >= 0.0 && weight <= 1.0)) return reject("blend", "a weight of " + to_text(weight), "0 to 1");
  const double begin = sequence.keys().front().time, end = sequence.keys().back().time;
  std::vector<double> times;
  for (const Key& key : sequence.keys()) times.push_back(key.time);
  for (const Key& key : other.keys())
    if (key.time > begin && key.time < end) {
      const auto near = std::ranges::lower_bound(times, key.time - min_key_spacing);
      if (near == times.end() || *near > key.time + min_key_spacing) times.insert(near, key.time);
    }
  const Sampler a = shape_of(sequence), b = shape_of(other);
  std::vector<Key> keys;
  for (const double time : times) {
    Key key = key_before(sequence.keys(), time);
    key.time = time;
    key.pose = blended(sequence.channels(), a.at(time), b.at(time), weight);
    keys.push_back(std::move(key));
  }
  return edit_to_keys(sequence, std::move(keys));
}

Expected<Edit> cross_fade(const Sequence& sequence, const Sequence& next, double seconds) {
  if (const Expected<void> same = check_same_figure(sequence, next); !same) return std::unexpected(same.error());
  const auto duration = [](const Sequence& s) { return s.keys().back().time - s.keys().front().time; };
  const double max_overlap = std::min(duration(sequence), duration(next));
  if (!(seconds > min_key_spacing && seconds <= max_overlap))
    return reject("cross-fade", to_text(seconds) + " s",
                  "above 0 and at most " + to_text(max_overlap) + " s, the duration of the shorter sequence");
  const double end = sequence.keys().back().time, begin = end - seconds, shift = begin - next.keys().front().time;
  std::vector<Key> later = next.keys();
  for (Key& key : later) key.time += shift;
  std::vector<double> times = {begin, end};
  for (const std::vector<Key>* keys : {&sequence.keys(), &std::as_const(later)})
    for (const Key& key : *keys)
      if (key.time > begin + min_key_spacing && key.time < end - min_key_spacing) times.push_back(key.time);

  const Sampler a = shape_of(sequence), b = shape_of(next);
  std::vector<Key> keys;
  for (const Key& key : sequence.keys())
    if (key.time <= begin - min_key_spacing) keys.push_back(key);
  for (const double time : merged(std::move(times))) {
    const double weight = smooth_step((time - begin) / seconds);
    Key key = key_before(weight < 0.5 ? sequence.keys() : later, time);
    key.time = time;
    key.pose = blended(sequence.channels(), a.at(time), b.at(time - shift), weight);
    keys.push_back(std::move(key));
  }
  for (const Key& key : later)
    if (key.time >= end + min_key_spacing) keys.push_back(key);
  return edit_to_keys(sequence, std::move(keys));
}

Expected<Edit> resample(const Sequence& sequence, double seconds, const Style& style) {
  const double begin = sequence.keys().front().time, end = sequence.keys().back().time;
  const double count = std::ceil((end - begin) / seconds);
  const double max_keys = max_values / std::fmax(1.0, static_cast<double>(sequence.figure().parameters().size()));
  if (!(seconds > min_key_spacing && std::isfinite(seconds)) || !(count < max_keys))
    return reject("resample", "a key every " + to_text(seconds) + " s",
                  "a time above 0 with at most " + to_text(std::floor(max_keys)) + " keys");
  std::vector<double> times;
  for (int k = 0; k < static_cast<int>(count); ++k) times.push_back(begin + k * seconds);
  // Rounding may leave a last time at or next to the end.
  while (times.size() > 1 && end - times.back() < min_key_spacing) times.pop_back();
  if (times.empty() || end > times.back()) times.push_back(end);
  const Sampler sampler = shape_of(sequence);
  std::vector<Key> keys;
  for (const double time : times) keys.push_back({time, sampler.at(time), {}, style});
  return edit_to_keys(sequence, std::move(keys));
}

Expected<Edit> reduce(const Sequence& sequence, const Tolerance& tolerance, const Style& style) {
  if (!(tolerance.angle > 0.0 && tolerance.length > 0.0))
    return reject("reduce", to_text(tolerance.angle) + " radians, " + to_text(tolerance.length) + " m", "above 0");
  std::vector<Key> first = {sequence.keys().front()};
  first[0].style = style;
  first[0].styles.clear();
  if (const Expected<Sequence> checked = Sequence::make(sequence.figure(), std::move(first)); !checked)
    return std::unexpected(checked.error());
  return edit_to_keys(sequence, Reduction(sequence, tolerance, style).keys());
}

}  // namespace limber
