#include "limber/motion/edit.h"

#include <algorithm>

#include "limber/base/number.h"

namespace limber {

namespace {

// The number of equal elements at the front, and then at the back, of two lists.
template <class T>
struct Common {
  std::size_t front = 0, back = 0;

  Common(const std::vector<T>& a, const std::vector<T>& b) {
    const std::size_t shorter = std::min(a.size(), b.size());
    while (front < shorter && same(a[front], b[front])) ++front;
    while (back < shorter - front && same(a[a.size() - 1 - back], b[b.size() - 1 - back])) ++back;
  }
  std::vector<T> middle(const std::vector<T>& list) const {
    return {list.begin() + static_cast<std::ptrdiff_t>(front), list.end() - static_cast<std::ptrdiff_t>(back)};
  }
};

template <class T>
Expected<std::vector<T>> replaced(const std::vector<T>& list, int first, const std::vector<T>& removed,
                                  const std::vector<T>& inserted, const std::string& what) {
  const auto matches = [&](std::size_t k) { return same(list[static_cast<std::size_t>(first) + k], removed[k]); };
  bool fits = first >= 0 && static_cast<std::size_t>(first) <= list.size() &&
              removed.size() <= list.size() - static_cast<std::size_t>(first);
  for (std::size_t k = 0; fits && k < removed.size(); ++k) fits = matches(k);
  if (!fits)
    return reject("edit", std::to_string(removed.size()) + " " + what + " from " + std::to_string(first),
                  "the " + what + " of the sequence");
  const auto begin = list.begin() + first, end = begin + static_cast<std::ptrdiff_t>(removed.size());
  std::vector<T> out(list.begin(), begin);
  out.insert(out.end(), inserted.begin(), inserted.end());
  out.insert(out.end(), end, list.end());
  return out;
}

// The edit to these keys and knots, or why they are not a valid sequence.
Expected<Edit> edit_to(const Sequence& sequence, std::vector<Key> keys, std::vector<TimingKnot> timing) {
  const Expected<Sequence> to =
      Sequence::make(sequence.figure(), std::move(keys), std::move(timing), sequence.rotations());
  if (!to) return std::unexpected(to.error());
  return edit_between(sequence, *to);
}

Expected<void> check(const Sequence& sequence, const KeyRange& range) {
  const int keys = static_cast<int>(sequence.keys().size());
  if (range.first >= 0 && range.count >= 1 && range.first < keys && range.count <= keys - range.first) return {};
  return reject("range", std::to_string(range.count) + " keys from " + std::to_string(range.first),
                "at least one of the keys 0 to " + std::to_string(keys - 1));
}

// A key moved in time; times between keys are interpolated.
struct Move {
  double from, to;
};

double moved(const std::vector<Move>& moves, double time) {
  const auto after = std::ranges::upper_bound(moves, time, {}, &Move::from);
  if (after == moves.begin()) return moves.front().to + (time - moves.front().from);
  const Move& a = *(after - 1);
  if (after == moves.end()) return a.to + (time - a.from);
  return std::clamp(a.to + (after->to - a.to) * ((time - a.from) / (after->from - a.from)), a.to, after->to);
}

std::vector<TimingKnot> moved(std::vector<TimingKnot> timing, const std::vector<Move>& moves) {
  if (moves.empty() || std::ranges::all_of(moves, [](const Move& move) { return move.from == move.to; })) return timing;
  for (TimingKnot& knot : timing) knot.shape_time = moved(moves, knot.shape_time);
  return timing;
}

// Moves every key k to new_time(k).
template <class NewTime>
Expected<Edit> move_keys(const Sequence& sequence, const NewTime& new_time) {
  std::vector<Key> keys = sequence.keys();
  std::vector<Move> moves;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const double to = new_time(static_cast<int>(k));
    moves.push_back({keys[k].time, to});
    keys[k].time = to;
  }
  return edit_to(sequence, std::move(keys), moved(sequence.timing(), moves));
}

// A reversed interval keeps its style, with the easing exchanged.
void take_interval(Key& to, const Key& from) {
  to.ease = {from.ease.out, from.ease.in};
  const auto take = [](Style& style, const Style& source) {
    style.interpolation = source.interpolation;
    style.even = source.even;
  };
  const std::size_t channels = std::max(to.styles.size(), from.styles.size());
  if (to.styles.empty()) to.styles.assign(channels, to.style);
  for (std::size_t c = 0; c < channels; ++c) take(to.styles[c], from.style_of(static_cast<int>(c)));
  take(to.style, from.style);
}

// The mirror image of each channel.
Expected<std::vector<std::size_t>> mirrored_channels(const Sequence& sequence) {
  const std::vector<MirrorImage>& images = sequence.figure().mirror();
  const std::vector<Channel>& channels = sequence.channels();
  if (images.empty()) return reject("mirror", "a figure without mirror pairs", "a figure with mirror pairs");
  std::vector<std::size_t> channel_of(images.size());
  for (std::size_t c = 0; c < channels.size(); ++c)
    for (int t = 0; t < channels[c].size(); ++t) channel_of[channels[c].parameters[t]] = c;
  std::vector<std::size_t> image(channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    image[c] = channel_of[images[channels[c].parameters[0]].parameter];
    for (int t = 0; t < channels[c].size(); ++t)
      if (channel_of[images[channels[c].parameters[t]].parameter] != image[c] ||
          channels[image[c]].kind != channels[c].kind)
        return reject("mirror, channel '" + channels[c].name + "'", "a mirror image that is not a channel",
                      "the same channels on both sides");
  }
  return image;
}

}  // namespace

Edit edit_between(const Sequence& from, const Sequence& to) {
  const Common<Key> keys(from.keys(), to.keys());
  const Common<TimingKnot> knots(from.timing(), to.timing());
  return {static_cast<int>(keys.front),  keys.middle(from.keys()),    keys.middle(to.keys()),
          static_cast<int>(knots.front), knots.middle(from.timing()), knots.middle(to.timing())};
}

Expected<Sequence> apply(const Sequence& sequence, const Edit& edit) {
  Expected<std::vector<Key>> keys = replaced(sequence.keys(), edit.first, edit.removed, edit.inserted, "keys");
  if (!keys) return std::unexpected(keys.error());
  Expected<std::vector<TimingKnot>> timing =
      replaced(sequence.timing(), edit.first_knot, edit.removed_knots, edit.inserted_knots, "knots");
  if (!timing) return std::unexpected(timing.error());
  return Sequence::make(sequence.figure(), std::move(*keys), std::move(*timing), sequence.rotations());
}

Edit inverse(Edit edit) {
  std::swap(edit.removed, edit.inserted);
  std::swap(edit.removed_knots, edit.inserted_knots);
  return edit;
}

KeyRange all_keys(const Sequence& sequence) { return {0, static_cast<int>(sequence.keys().size())}; }

Expected<std::vector<Key>> copy(const Sequence& sequence, const KeyRange& range) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  const auto begin = sequence.keys().begin() + range.first;
  return std::vector<Key>(begin, begin + range.count);
}

Expected<Edit> erase(const Sequence& sequence, const KeyRange& range, Later later) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  const auto end = static_cast<std::size_t>(range.first + range.count);
  const bool moves_later = later == Later::move && end < sequence.keys().size();
  const double first = sequence.keys()[static_cast<std::size_t>(range.first)].time;
  std::vector<Key> keys;
  std::vector<Move> moves;
  for (std::size_t k = 0; k < sequence.keys().size(); ++k) {
    if (k >= static_cast<std::size_t>(range.first) && k < end) continue;
    Key key = sequence.keys()[k];
    if (moves_later && k >= end) key.time = first + (key.time - sequence.keys()[end].time);
    moves.push_back({sequence.keys()[k].time, key.time});
    keys.push_back(std::move(key));
  }
  return edit_to(sequence, std::move(keys), moved(sequence.timing(), moves));
}

Expected<Cut> cut(const Sequence& sequence, const KeyRange& range, Later later) {
  Expected<std::vector<Key>> keys = copy(sequence, range);
  if (!keys) return std::unexpected(keys.error());
  Expected<Edit> edit = erase(sequence, range, later);
  if (!edit) return std::unexpected(edit.error());
  return Cut{std::move(*keys), std::move(*edit)};
}

Expected<Edit> paste(const Sequence& sequence, const std::vector<Key>& keys, double time, Later later) {
  if (keys.empty()) return reject("paste", "no key", "at least one");
  if (!std::isfinite(time)) return reject("paste", "a time of " + to_text(time) + " s", "a finite number");
  const double duration = keys.back().time - keys.front().time;
  const double last_replaced = later == Later::stay ? time + duration : time;
  std::vector<Key> out, after;
  std::vector<Move> moves;
  for (const Key& key : sequence.keys()) {
    const bool before = key.time <= time - min_key_spacing;
    if (!before && key.time < last_replaced + min_key_spacing) continue;
    (before ? out : after).push_back(key);
    if (!before && later == Later::move) after.back().time += duration;
    moves.push_back({key.time, before ? key.time : after.back().time});
  }
  for (const Key& key : keys) {
    out.push_back(key);
    out.back().time = time + (key.time - keys.front().time);
  }
  out.insert(out.end(), after.begin(), after.end());
  return edit_to(sequence, std::move(out), moved(sequence.timing(), moves));
}

Expected<Edit> insert(const Sequence& sequence, const Key& key) {
  std::vector<Key> keys = sequence.keys();
  keys.insert(std::ranges::upper_bound(keys, key.time, {}, &Key::time), key);
  return edit_to(sequence, std::move(keys), sequence.timing());
}

Expected<Edit> replace(const Sequence& sequence, int index, const Key& key) {
  if (const Expected<void> checked = check(sequence, {index, 1}); !checked) return std::unexpected(checked.error());
  std::vector<Key> keys = sequence.keys();
  std::vector<Move> moves;
  for (const Key& old : keys) moves.push_back({old.time, old.time});
  moves[static_cast<std::size_t>(index)].to = key.time;
  keys[static_cast<std::size_t>(index)] = key;
  // Move the knots only if the new time is valid.
  if (const Expected<Edit> edit = edit_to(sequence, keys, sequence.timing()); !edit) return edit;
  return edit_to(sequence, std::move(keys), moved(sequence.timing(), moves));
}

Expected<Edit> stretch(const Sequence& sequence, const KeyRange& range, double factor, double about) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  if (!(factor > 0.0 && std::isfinite(factor)) || !std::isfinite(about))
    return reject("stretch", "a factor of " + to_text(factor) + " about " + to_text(about) + " s",
                  "a factor above 0 about a finite time");
  const int last = range.first + range.count - 1;
  const auto time = [&](int k) { return sequence.keys()[static_cast<std::size_t>(k)].time; };
  const auto stretched = [&](int k) { return factor == 1.0 ? time(k) : about + factor * (time(k) - about); };
  return move_keys(sequence, [&](int k) {
    if (k < range.first) return time(k) + (stretched(range.first) - time(range.first));
    if (k > last) return time(k) + (stretched(last) - time(last));
    return stretched(k);
  });
}

Expected<Edit> slide(const Sequence& sequence, const KeyRange& range, double seconds, Later later) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  if (!std::isfinite(seconds)) return reject("slide", to_text(seconds) + " s", "a finite number");
  const int end = later == Later::move ? static_cast<int>(sequence.keys().size()) : range.first + range.count;
  return move_keys(sequence, [&](int k) {
    const double time = sequence.keys()[static_cast<std::size_t>(k)].time;
    return k >= range.first && k < end ? time + seconds : time;
  });
}

Expected<Edit> reverse(const Sequence& sequence, const KeyRange& range) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  const auto count = static_cast<std::size_t>(range.count), first = static_cast<std::size_t>(range.first);
  const std::vector<Key>& old = sequence.keys();
  const double begin = old[first].time, end = old[first + count - 1].time;
  std::vector<Key> keys = old;
  for (std::size_t k = 0; k < count; ++k) {
    Key key = old[first + count - 1 - k];
    key.time = k == 0 ? begin : k + 1 == count ? end : begin + (end - key.time);
    key.style.bend.bias = -key.style.bend.bias;
    for (Style& style : key.styles) style.bend.bias = -style.bend.bias;
    if (k + 1 < count) {
      take_interval(key, old[first + count - 2 - k]);
    } else {  // the interval after the range is unchanged
      take_interval(key, old[first + count - 1]);
      key.ease = old[first + count - 1].ease;
    }
    keys[first + k] = std::move(key);
  }
  std::vector<TimingKnot> timing = sequence.timing();
  if (count == old.size() && !timing.empty()) {
    std::ranges::reverse(timing);
    for (TimingKnot& knot : timing) {
      knot.time = sequence.start() + (sequence.end() - knot.time);
      knot.shape_time = begin + (end - knot.shape_time);
    }
  }
  return edit_to(sequence, std::move(keys), std::move(timing));
}

Expected<Edit> mirror(const Sequence& sequence, const KeyRange& range) {
  if (const Expected<void> checked = check(sequence, range); !checked) return std::unexpected(checked.error());
  const Expected<std::vector<std::size_t>> image = mirrored_channels(sequence);
  if (!image) return std::unexpected(image.error());
  std::vector<Key> keys = sequence.keys();
  for (int k = range.first; k < range.first + range.count; ++k) {
    Key& key = keys[static_cast<std::size_t>(k)];
    key.pose = sequence.figure().mirrored(key.pose);
    const std::vector<Style> styles = key.styles;
    for (std::size_t c = 0; c < styles.size(); ++c) key.styles[(*image)[c]] = styles[c];
  }
  return edit_to(sequence, std::move(keys), sequence.timing());
}

Expected<Edit> retime(const Sequence& sequence, const std::vector<TimingKnot>& timing) {
  return edit_to(sequence, sequence.keys(), timing);
}

}  // namespace limber
