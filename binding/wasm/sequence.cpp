#include "binding/wasm/exchange.h"
#include "limber/format/gltf/gltf.h"

namespace limber::wasm {

namespace {

constexpr int key_numbers = 8;

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

Key key_of(const double* numbers, const Eigen::Map<const VecX>& theta) {
  Key key;
  key.time = numbers[0];
  key.ease = {numbers[1], numbers[2]};
  key.style.interpolation = static_cast<Interpolation>(std::clamp(static_cast<int>(numbers[3]), 0, 2));
  key.style.even = numbers[4] != 0.0;
  key.style.bend = {numbers[5], numbers[6], numbers[7]};
  key.pose.theta = theta;
  return key;
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
    const Bend& bend = key.style.bend;
    const double numbers[key_numbers] = {key.time,
                                         key.ease.in,
                                         key.ease.out,
                                         static_cast<double>(key.style.interpolation),
                                         key.style.even ? 1.0 : 0.0,
                                         bend.tension,
                                         bend.continuity,
                                         bend.bias};
    styles = std::copy(std::begin(numbers), std::end(numbers), styles);
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
  return copied ? keep_sequence(Sequence::make(keys->sequence.figure(), *copied)) : rejected(copied.error());
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
