#include "binding/wasm/exchange.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/text/json.h"

namespace limber::wasm {

namespace {

constexpr int key_numbers = 8, style_numbers = 7;

int keep_sequence(Expected<Sequence> sequence) {
  return sequence ? keep(std::make_unique<Keys>(std::move(*sequence))) : rejected(sequence.error());
}

// The sequence after an edit of it.
template <class Operation>
int edited(int number, Operation&& operation) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return 0;
  const Expected<Edit> edit = operation(keys->sequence);
  return edit ? keep_sequence(apply(keys->sequence, *edit)) : rejected(edit.error());
}

Later later(int move) { return move ? Later::move : Later::stay; }

// Interpolation, even, tension, continuity, bias.
Style style_of(const double* numbers) {
  return {static_cast<Interpolation>(std::clamp(static_cast<int>(numbers[0]), 0, 2)),
          numbers[1] != 0.0,
          {numbers[2], numbers[3], numbers[4]}};
}

double* write_style(const Style& style, double* numbers) {
  const Bend& bend = style.bend;
  for (const double number :
       {static_cast<double>(style.interpolation), style.even ? 1.0 : 0.0, bend.tension, bend.continuity, bend.bias})
    *numbers++ = number;
  return numbers;
}

Key key_of(const double* numbers, const Eigen::Map<const VecX>& theta) {
  Key key;
  key.time = numbers[0];
  key.ease = {numbers[1], numbers[2]};
  key.style = style_of(numbers + 3);
  key.pose.theta = theta;
  return key;
}

// Calls visit(key, channel, style) for the styles that are not those of their key.
template <class Visit>
void visit_styles(const Sequence& sequence, const Visit& visit) {
  for (std::size_t k = 0; k < sequence.keys().size(); ++k)
    for (std::size_t c = 0; c < sequence.keys()[k].styles.size(); ++c)
      if (!same(sequence.keys()[k].styles[c], sequence.keys()[k].style)) visit(k, c, sequence.keys()[k].styles[c]);
}

const char* name_of(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::single:
      return "single";
    case ChannelKind::position:
      return "position";
    case ChannelKind::rotation:
      return "rotation";
  }
  return "";
}

}  // namespace

}  // namespace limber::wasm

using namespace limber;
using namespace limber::wasm;

int limber_sequence_new(int number, int count, const double* styles, const double* poses) {
  const Figure* figure = figure_at(number);
  if (!figure) return 0;
  std::vector<Key> keys;
  const std::ptrdiff_t n = size_of(figure->parameters());
  keys.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int k = 0; k < count; ++k)
    keys.push_back(key_of(styles + k * key_numbers, wasm::pose_at(*figure, poses + k * n)));
  return keep_sequence(Sequence::make(*figure, std::move(keys)));
}

int limber_sequence_keys(int number) {
  const Keys* keys = find<Keys>(number);
  return keys ? size_of(keys->sequence.keys()) : 0;
}

void limber_sequence_read(int number, double* styles, double* poses) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return;
  for (const Key& key : keys->sequence.keys()) {
    for (const double one : {key.time, key.ease.in, key.ease.out}) *styles++ = one;
    styles = write_style(key.style, styles);
    poses = std::copy(key.pose.theta.begin(), key.pose.theta.end(), poses);
  }
}

double limber_sequence_start(int number) {
  const Keys* keys = find<Keys>(number);
  return keys ? keys->sequence.start() : 0.0;
}

double limber_sequence_end(int number) {
  const Keys* keys = find<Keys>(number);
  return keys ? keys->sequence.end() : 0.0;
}

void limber_sequence_at(int number, double time, double* theta) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return;
  const Pose pose = keys->sampler.at(time);
  std::copy(pose.theta.begin(), pose.theta.end(), theta);
}

int limber_sequence_sample(int number, double frame_time) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return 0;
  Expected<Clip> clip = sampled(keys->sequence, frame_time);
  return clip ? keep(std::make_unique<wasm::Motion>(keys->sequence.figure(), std::move(*clip)))
              : rejected(clip.error());
}

int limber_sequence_of_clip(int number, int every) {
  const wasm::Motion* motion = find<wasm::Motion>(number);
  return motion ? keep_sequence(sequence_of(motion->figure, motion->clip, every)) : 0;
}

int limber_sequence_erase(int number, int first, int count, int move) {
  return edited(number, [&](const Sequence& s) { return erase(s, {first, count}, later(move)); });
}

int limber_sequence_paste(int number, int keys, double time, int move) {
  const Keys* copied = find<Keys>(keys);
  if (!copied) return 0;
  return edited(number, [&](const Sequence& s) { return paste(s, copied->sequence.keys(), time, later(move)); });
}

int limber_sequence_copy(int number, int first, int count) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return 0;
  const Expected<std::vector<Key>> copied = copy(keys->sequence, {first, count});
  return copied ? keep_sequence(Sequence::make(keys->sequence.figure(), *copied, {}, keys->sequence.rotations()))
                : rejected(copied.error());
}

int limber_sequence_stretch(int number, int first, int count, double factor, double about) {
  return edited(number, [&](const Sequence& s) { return stretch(s, {first, count}, factor, about); });
}

int limber_sequence_slide(int number, int first, int count, double seconds, int move) {
  return edited(number, [&](const Sequence& s) { return slide(s, {first, count}, seconds, later(move)); });
}

int limber_sequence_reverse(int number, int first, int count) {
  return edited(number, [&](const Sequence& s) { return reverse(s, {first, count}); });
}

int limber_sequence_mirror(int number, int first, int count) {
  return edited(number, [&](const Sequence& s) { return mirror(s, {first, count}); });
}

int limber_sequence_reduce(int number, double angle, double metres) {
  return edited(number, [&](const Sequence& s) { return reduce(s, {angle, metres}); });
}

int limber_sequence_resample(int number, double seconds) {
  return edited(number, [&](const Sequence& s) { return resample(s, seconds); });
}

int limber_sequence_blend(int number, int other, double weight) {
  const Keys* to = find<Keys>(other);
  if (!to) return 0;
  return edited(number, [&](const Sequence& s) { return blend(s, to->sequence, weight); });
}

int limber_sequence_cross_fade(int number, int next, double seconds) {
  const Keys* to = find<Keys>(next);
  if (!to) return 0;
  return edited(number, [&](const Sequence& s) { return cross_fade(s, to->sequence, seconds); });
}

int limber_sequence_retime(int number, int knots, const double* timing) {
  std::vector<TimingKnot> curve;
  curve.reserve(static_cast<std::size_t>(std::max(knots, 0)));
  for (int k = 0; k < knots; ++k) curve.push_back({timing[2 * k], timing[2 * k + 1]});
  return edited(number, [&](const Sequence& s) { return retime(s, curve); });
}

int limber_sequence_knots(int number) {
  const Keys* keys = find<Keys>(number);
  return keys ? size_of(keys->sequence.timing()) : 0;
}

void limber_sequence_timing(int number, double* timing) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return;
  for (const TimingKnot& knot : keys->sequence.timing()) {
    *timing++ = knot.time;
    *timing++ = knot.shape_time;
  }
}

int limber_sequence_rotate(int number, int rotations) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return 0;
  return keep_sequence(with_rotations(keys->sequence, rotations ? Rotations::of_balls : Rotations::of_joints));
}

int limber_sequence_rotations(int number) {
  const Keys* keys = find<Keys>(number);
  return keys && keys->sequence.rotations() == Rotations::of_balls ? 1 : 0;
}

int limber_sequence_channels(int number) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return 0;
  JsonWriter out;
  out.begin_array();
  for (const Channel& channel : keys->sequence.channels()) {
    out.begin_object(JsonWriter::Layout::row).member("name", channel.name).member("kind", name_of(channel.kind));
    out.key("parameters").begin_array(JsonWriter::Layout::row);
    for (int t = 0; t < channel.size(); ++t) out.integer(channel.parameters[static_cast<std::size_t>(t)]);
    out.end().end();
  }
  out.end();
  return set_text(out.take());
}

int limber_sequence_set_styles(int number, int count, const double* styles) {
  const Keys* found = find<Keys>(number);
  if (!found) return 0;
  const Sequence& sequence = found->sequence;
  std::vector<Key> keys = sequence.keys();
  for (int i = 0; i < count; ++i, styles += style_numbers) {
    const bool fits = styles[0] >= 0.0 && styles[0] < static_cast<double>(keys.size()) && styles[1] >= 0.0 &&
                      styles[1] < static_cast<double>(sequence.channels().size());
    if (!fits)
      return rejected({"style " + std::to_string(i), "a key or a channel beyond the last", "those of the sequence"});
    Key& key = keys[static_cast<std::size_t>(styles[0])];
    if (key.styles.empty()) key.styles.assign(sequence.channels().size(), key.style);
    key.styles[static_cast<std::size_t>(styles[1])] = style_of(styles + 2);
  }
  return keep_sequence(Sequence::make(sequence.figure(), std::move(keys), sequence.timing(), sequence.rotations()));
}

int limber_sequence_styles(int number) {
  const Keys* keys = find<Keys>(number);
  int count = 0;
  if (keys) visit_styles(keys->sequence, [&](std::size_t, std::size_t, const Style&) { ++count; });
  return count;
}

void limber_sequence_read_styles(int number, double* styles) {
  const Keys* keys = find<Keys>(number);
  if (!keys) return;
  visit_styles(keys->sequence, [&](std::size_t k, std::size_t c, const Style& style) {
    *styles++ = static_cast<double>(k);
    *styles++ = static_cast<double>(c);
    styles = write_style(style, styles);
  });
}
