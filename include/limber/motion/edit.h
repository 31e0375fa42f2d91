// Editing sequences of keys.                                                                              W93 6.1.2
//
// What is to be changed is a value, an Edit: so many keys from here on are replaced by these. Every operation looks at
// a sequence and answers with an edit, or with a diagnostic where the result would be no sequence; apply() makes the
// new sequence, and
//
//   apply(*apply(s, e), inverse(e)) = s    bit for bit,
//
// so that a list of edits is all that undo and redo need.
//
// Times are those of the keys. A timing curve says when each point of the shape is passed and goes on saying so: where
// keys move in time, its knots keep their places between the keys about them.
#pragma once

#include <vector>

#include "limber/motion/sequence.h"

namespace limber {

// The keys from `first` on that are `removed` are replaced by `inserted`; likewise the knots of the timing curve.
struct Edit {
  int first = 0;
  std::vector<Key> removed = {};
  std::vector<Key> inserted = {};
  int first_knot = 0;
  std::vector<TimingKnot> removed_knots = {};
  std::vector<TimingKnot> inserted_knots = {};

  bool empty() const { return removed.empty() && inserted.empty() && removed_knots.empty() && inserted_knots.empty(); }
};

// Rejected where the sequence does not have the removed keys and knots there, bit for bit, or would be none.
Expected<Sequence> apply(const Sequence& sequence, const Edit& edit);
Edit inverse(Edit edit);
// The shortest edit that makes the one of the other: of the same figure.
Edit edit_between(const Sequence& from, const Sequence& to);

// Keys first, first + 1, …
struct KeyRange {
  int first = 0;
  int count = 1;
};
KeyRange all_keys(const Sequence& sequence);

// What the keys do that come later than what is edited: stay where they are, or move along.
enum class Later { stay, move };

Expected<std::vector<Key>> copy(const Sequence& sequence, const KeyRange& range);

// Without the keys. With Later::move the key after them takes the time of their first, and those after it follow.
Expected<Edit> erase(const Sequence& sequence, const KeyRange& range, Later later = Later::stay);

// copy() and erase().
struct Cut {
  std::vector<Key> keys;
  Edit edit;
};
Expected<Cut> cut(const Sequence& sequence, const KeyRange& range, Later later = Later::stay);

// The copied keys, the first at `time`, the others as far from it as they were. With Later::stay they replace the keys
// that are there, from the first to the last of them. With Later::move the later keys make room: all after `time` move
// by as long as the copied keys take. Either way a key at `time` itself is replaced by the first, so that a cycle
// pasted at its own end goes on.
Expected<Edit> paste(const Sequence& sequence, const std::vector<Key>& keys, double time, Later later = Later::move);

// Rejected where there is a key at that time.
Expected<Edit> insert(const Sequence& sequence, const Key& key);
// Another key in the place of one; its time must lie between its neighbours'.
Expected<Edit> replace(const Sequence& sequence, int index, const Key& key);

// Times t of the range become about + factor (t - about): a factor above 1 stretches, one below 1 shrinks. The keys
// before and after it move along with its first and its last.
Expected<Edit> stretch(const Sequence& sequence, const KeyRange& range, double factor, double about);
// The range comes so many seconds later, or earlier: not past its neighbours. With Later::move all after it come along.
Expected<Edit> slide(const Sequence& sequence, const KeyRange& range, double seconds, Later later = Later::stay);

// The range backwards in time: at first + last - t it is as it was at t, but for steps, which stay as they are at the
// key that they begin at. Of the whole sequence the timing curve too is reversed.
Expected<Edit> reverse(const Sequence& sequence, const KeyRange& range);
// Left and right exchanged, poses and styles. Rejected for a figure without mirror pairs.
Expected<Edit> mirror(const Sequence& sequence, const KeyRange& range);

// Another timing curve, or none.
Expected<Edit> retime(const Sequence& sequence, const std::vector<TimingKnot>& timing);

// The following make new keys of what a sequence does between its keys. Timing curves take no part.

// The part `weight` of the way towards what the other does at the same time, channel by channel, at the keys of both.
Expected<Edit> blend(const Sequence& sequence, const Sequence& other, double weight);
// The other one follows: it begins so many seconds before the end of this one and takes over smoothly in that time,
// with keys where either has one.
Expected<Edit> cross_fade(const Sequence& sequence, const Sequence& next, double seconds);
// Keys at an even rate from the first on, and the last.
Expected<Edit> resample(const Sequence& sequence, double seconds, const Style& style = {});

struct Tolerance {
  double angle = radians(1.0);
  double length = 0.005;  // metres
};
// As few keys as are found whose motion in that style is everywhere within the tolerance where a key was: by channel,
// as distance() measures it. A key is added where it is worst until nothing is left to add; then each is tried without.
Expected<Edit> reduce(const Sequence& sequence, const Tolerance& tolerance = {}, const Style& style = {});

}  // namespace limber
