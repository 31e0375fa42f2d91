// Editing sequences of keys.                                                                              W93 6.1.2
//
// A change is a value, an Edit: a run of keys is replaced by other keys. Every operation takes a sequence and returns
// an edit, or a diagnostic if the result would not be a valid sequence; apply() makes the new sequence, and
//
//   apply(*apply(s, e), inverse(e)) = s    bit for bit,
//
// so that a list of edits is all that undo and redo need.
//
// Times are key times. A timing curve maps time to key time; where keys move in time, its knots keep their relative
// positions between the neighbouring keys.
#pragma once

#include <vector>

#include "limber/motion/sequence.h"

namespace limber {

// The `removed` keys, starting at `first`, are replaced by `inserted`; likewise the knots of the timing curve.
struct Edit {
  int first = 0;
  std::vector<Key> removed = {};
  std::vector<Key> inserted = {};
  int first_knot = 0;
  std::vector<TimingKnot> removed_knots = {};
  std::vector<TimingKnot> inserted_knots = {};

  bool empty() const { return removed.empty() && inserted.empty() && removed_knots.empty() && inserted_knots.empty(); }
};

// Rejected if the sequence does not have the removed keys and knots there, bit for bit, or the result is not valid.
Expected<Sequence> apply(const Sequence& sequence, const Edit& edit);
Edit inverse(Edit edit);
// The shortest edit that turns `from` into `to`, two sequences of the same figure.
Edit edit_between(const Sequence& from, const Sequence& to);

// Keys first, first + 1, …
struct KeyRange {
  int first = 0;
  int count = 1;
};
KeyRange all_keys(const Sequence& sequence);

// Whether keys after the edited ones stay in place or move along.
enum class Later { stay, move };

Expected<std::vector<Key>> copy(const Sequence& sequence, const KeyRange& range);

// Removes the keys. With Later::move the next key takes the time of the first removed one, and later keys follow.
Expected<Edit> erase(const Sequence& sequence, const KeyRange& range, Later later = Later::stay);

// copy() and erase().
struct Cut {
  std::vector<Key> keys;
  Edit edit;
};
Expected<Cut> cut(const Sequence& sequence, const KeyRange& range, Later later = Later::stay);

// Inserts the copied keys, the first at `time`, with their spacing unchanged. With Later::stay they replace all keys in
// their time range. With Later::move all keys after `time` are delayed by the duration of the copied keys. Either way a
// key at `time` is replaced by the first copied key, so that a cycle pasted at its own end continues.
Expected<Edit> paste(const Sequence& sequence, const std::vector<Key>& keys, double time, Later later = Later::move);

// Rejected if there is a key at that time.
Expected<Edit> insert(const Sequence& sequence, const Key& key);
// Replaces a key; the time of the new one must lie between its neighbours.
Expected<Edit> replace(const Sequence& sequence, int index, const Key& key);

// Times t of the range become about + factor (t - about). The keys before and after move with its first and last key.
Expected<Edit> stretch(const Sequence& sequence, const KeyRange& range, double factor, double about);
// Moves the range by `seconds`, not past its neighbours. With Later::move all later keys move along.
Expected<Edit> slide(const Sequence& sequence, const KeyRange& range, double seconds, Later later = Later::stay);

// Reverses the range in time: at first + last - t it is as it was at t, except that steps still jump at their end. For
// the whole sequence the timing curve is reversed too.
Expected<Edit> reverse(const Sequence& sequence, const KeyRange& range);
// Exchanges left and right, in poses and styles. Rejected for a figure without mirror pairs.
Expected<Edit> mirror(const Sequence& sequence, const KeyRange& range);

// Replaces the timing curve; an empty one removes it.
Expected<Edit> retime(const Sequence& sequence, const std::vector<TimingKnot>& timing);

// The following make new keys from the motion between keys. They ignore timing curves.

// Interpolates by `weight` towards the other sequence at the same time, channel by channel, at the keys of both.
Expected<Edit> blend(const Sequence& sequence, const Sequence& other, double weight);
// Appends `next` with an overlap of `seconds`, blending smoothly, with keys where either has one.
Expected<Edit> cross_fade(const Sequence& sequence, const Sequence& next, double seconds);
// Keys at a constant rate from the first key on, plus the last.
Expected<Edit> resample(const Sequence& sequence, double seconds, const Style& style = {});

struct Tolerance {
  double angle = radians(1.0);
  double length = 0.005;  // metres
};
// Few keys whose motion in the given style is within the tolerance at every original key, per channel as measured by
// distance(). Greedy: keys are added where the error is worst until none is needed; then each is tried without.
Expected<Edit> reduce(const Sequence& sequence, const Tolerance& tolerance = {}, const Style& style = {});

}  // namespace limber
