// Motions as key poses, and what changes them. A sequence never changes: every edit gives another one.
#include "objects.h"

namespace limber::python {

namespace {

constexpr Names<Interpolation, 3> interpolations = {
    {{"step", Interpolation::step}, {"linear", Interpolation::linear}, {"spline", Interpolation::spline}}};
constexpr Names<Rotations, 2> rotation_kinds = {
    {{"of-joints", Rotations::of_joints}, {"of-balls", Rotations::of_balls}}};
constexpr Names<Later, 2> laters = {{{"stay", Later::stay}, {"move", Later::move}}};

struct KeyObject {
  Figure figure;
  Key key;
};

struct SequenceObject {
  Sequence sequence;
  Sampler sampler;

  explicit SequenceObject(Sequence s) : sequence(std::move(s)), sampler(sequence) {}
};

Style style_of(std::string_view interpolation, bool even, double tension, double continuity, double bias) {
  return {.interpolation = to_enum(interpolations, interpolation, "interpolation"),
          .even = even,
          .bend = {tension, continuity, bias}};
}

std::vector<Key> keys_for(const Figure& figure, const std::vector<KeyObject>& keys) {
  std::vector<Key> all;
  for (const KeyObject& key : keys) {
    if (key.key.pose.theta.size() != static_cast<Eigen::Index>(figure.parameters().size()))
      fail("keys", "a pose of the figure '" + key.figure.name() + "'", "one of '" + figure.name() + "'");
    all.push_back(key.key);
  }
  return all;
}

std::vector<TimingKnot> knots_of(const std::vector<std::pair<double, double>>& timing) {
  std::vector<TimingKnot> knots;
  for (const auto& [time, shape_time] : timing) knots.push_back({time, shape_time});
  return knots;
}

SequenceObject edited(const SequenceObject& s, const Expected<Edit>& edit) {
  return SequenceObject(unwrap(apply(s.sequence, unwrap(edit))));
}

KeyRange range_of(const SequenceObject& s, int first, int count) {
  return count < 0 ? KeyRange{first, static_cast<int>(s.sequence.keys().size()) - first} : KeyRange{first, count};
}

ClipObject sampled_clip(const SequenceObject& s, double frame_time) {
  Expected<Clip> clip = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    clip = sampled(s.sequence, frame_time);
  }
  return {s.sequence.figure(), unwrap(std::move(clip))};
}

PoseObject pose_at(const SequenceObject& s, double time) {
  if (!std::isfinite(time)) fail("time", repr_of(nb::cast(time)), "seconds");
  return {s.sequence.figure(), s.sampler.at(time)};
}

void bind_edits(nb::class_<SequenceObject>& c) {
  c.def(
       "erased",
       [](const SequenceObject& s, int first, int count, std::string_view later) {
         return edited(s, erase(s.sequence, range_of(s, first, count), to_enum(laters, later, "later")));
       },
       "first"_a, "count"_a = 1, "later"_a = "stay", "Without these keys; `later` keys 'stay' in place or 'move' up.")
      .def(
          "pasted",
          [](const SequenceObject& s, const SequenceObject& keys, double time, std::string_view later) {
            return edited(s, paste(s.sequence, keys.sequence.keys(), time, to_enum(laters, later, "later")));
          },
          "keys"_a, "time"_a, "later"_a = "move", "With the keys of another sequence, the first one at `time`.")
      .def(
          "inserted",
          [](const SequenceObject& s, const KeyObject& key) { return edited(s, insert(s.sequence, key.key)); }, "key"_a,
          "With one more key.")
      .def(
          "replaced",
          [](const SequenceObject& s, int index, const KeyObject& key) {
            return edited(s, replace(s.sequence, index, key.key));
          },
          "index"_a, "key"_a, "With another key in its place.")
      .def(
          "stretched",
          [](const SequenceObject& s, double factor, double about, int first, int count) {
            return edited(s, stretch(s.sequence, range_of(s, first, count), factor, about));
          },
          "factor"_a, "about"_a = 0.0, "first"_a = 0, "count"_a = -1, "Times become about + factor (t - about).")
      .def(
          "slid",
          [](const SequenceObject& s, double seconds, int first, int count, std::string_view later) {
            return edited(s, slide(s.sequence, range_of(s, first, count), seconds, to_enum(laters, later, "later")));
          },
          "seconds"_a, "first"_a = 0, "count"_a = -1, "later"_a = "stay", "Moved in time.")
      .def(
          "reversed",
          [](const SequenceObject& s, int first, int count) {
            return edited(s, reverse(s.sequence, range_of(s, first, count)));
          },
          "first"_a = 0, "count"_a = -1, "Backward.")
      .def(
          "mirrored",
          [](const SequenceObject& s, int first, int count) {
            return edited(s, mirror(s.sequence, range_of(s, first, count)));
          },
          "first"_a = 0, "count"_a = -1, "Left and right exchanged.")
      .def(
          "retimed",
          [](const SequenceObject& s, const std::vector<std::pair<double, double>>& timing) {
            return edited(s, retime(s.sequence, knots_of(timing)));
          },
          "timing"_a, "With a curve from time to the time of keys: pairs of the two. Empty: none.")
      .def(
          "blended",
          [](const SequenceObject& s, const SequenceObject& other, double weight) {
            return edited(s, blend(s.sequence, other.sequence, weight));
          },
          "other"_a, "weight"_a, "Part of the way to another sequence.")
      .def(
          "cross_faded",
          [](const SequenceObject& s, const SequenceObject& next, double seconds) {
            return edited(s, cross_fade(s.sequence, next.sequence, seconds));
          },
          "next"_a, "seconds"_a, "With the next one appended, over an overlap of so many seconds.")
      .def(
          "reduced",
          [](const SequenceObject& s, double radians, double metres) {
            return edited(s, reduce(s.sequence, {radians, metres}));
          },
          "radians"_a = Tolerance{}.angle, "metres"_a = Tolerance{}.length,
          "Few keys whose motion is within the tolerance at every key of this one.");
}

}  // namespace

void bind_sequence(nb::module_& m) {
  nb::class_<KeyObject>(m, "Key", "A pose at a time, and how the motion goes on from it.")
      .def(
          "__init__",
          [](KeyObject* k, double time, const PoseObject& pose, std::string_view interpolation, bool even,
             double tension, double continuity, double bias, double ease_in, double ease_out) {
            new (k) KeyObject{pose.figure,
                              {.time = time,
                               .pose = pose.pose,
                               .ease = {ease_in, ease_out},
                               .style = style_of(interpolation, even, tension, continuity, bias)}};
          },
          "time"_a, "pose"_a, nb::kw_only(), "interpolation"_a = "spline", "even"_a = false, "tension"_a = 0.0,
          "continuity"_a = 0.0, "bias"_a = 0.0, "ease_in"_a = 0.0, "ease_out"_a = 0.0,
          "`interpolation` of the interval that begins here: 'step', 'linear' or 'spline', which `tension`, "
          "`continuity` and `bias` bend; `even`: at constant speed; `ease_in` and `ease_out`: fractions of its time "
          "spent accelerating and decelerating.")
      .def_prop_ro(
          "time", [](const KeyObject& k) { return k.key.time; }, "In seconds.")
      .def_prop_ro(
          "pose", [](const KeyObject& k) { return PoseObject{k.figure, k.key.pose}; }, "Its pose, a copy.")
      .def_prop_ro(
          "interpolation",
          [](const KeyObject& k) { return std::string(name_in(interpolations, k.key.style.interpolation)); },
          "'step', 'linear' or 'spline'.");

  nb::class_<SequenceObject> sequence(
      m, "Sequence",
      "A motion as key poses with times. It never changes: edits give another one.\n\n"
      ">>> figure = limber.human()\n"
      ">>> raised = figure.pose({'right_shoulder.elevation': 1.5})\n"
      ">>> wave = limber.Sequence(figure, [limber.Key(0.0, figure.rest()), limber.Key(1.0, raised)])\n"
      ">>> round(wave.at(0.5)['right_shoulder.elevation'], 2)\n"
      "0.75\n"
      ">>> len(wave.sampled(1 / 30)), wave.mirrored().at(1.0)['left_shoulder.elevation']\n"
      "(31, 1.5)");
  sequence
      .def(
          "__init__",
          [](SequenceObject* s, const Figure& figure, const std::vector<KeyObject>& keys,
             const std::vector<std::pair<double, double>>& timing, std::string_view rotations) {
            new (s) SequenceObject(unwrap(Sequence::make(figure, keys_for(figure, keys), knots_of(timing),
                                                         to_enum(rotation_kinds, rotations, "rotations"))));
          },
          "figure"_a, "keys"_a, "timing"_a = std::vector<std::pair<double, double>>(), "rotations"_a = "of-joints",
          "`rotations` interpolated as one: 'of-joints' with three axes, or 'of-balls', also neighbouring hinges and "
          "groups.")
      .def_static(
          "of_clip",
          [](const ClipObject& clip, int every, std::string_view rotations) {
            return SequenceObject(unwrap(
                sequence_of(clip.figure, clip.clip, every, {}, to_enum(rotation_kinds, rotations, "rotations"))));
          },
          "clip"_a, "every"_a = 1, "rotations"_a = "of-joints", "A key for every so many frames of a motion.")
      .def_prop_ro(
          "figure", [](const SequenceObject& s) { return s.sequence.figure(); }, "Who moves.")
      .def_prop_ro(
          "keys",
          [](const SequenceObject& s) {
            std::vector<KeyObject> keys;
            for (const Key& key : s.sequence.keys()) keys.push_back({s.sequence.figure(), key});
            return tuple_of(keys);
          },
          "Its keys.")
      .def_prop_ro(
          "start", [](const SequenceObject& s) { return s.sequence.start(); }, "In seconds.")
      .def_prop_ro(
          "end", [](const SequenceObject& s) { return s.sequence.end(); }, "In seconds.")
      .def_prop_ro(
          "duration", [](const SequenceObject& s) { return s.sequence.duration(); }, "In seconds.")
      .def("at", &pose_at, "time"_a, "The pose at a time; constant before the first key and after the last.")
      .def("sampled", &sampled_clip, "frame_time"_a, "As frames at a constant rate.")
      .def("__len__", [](const SequenceObject& s) { return s.sequence.keys().size(); })
      .def("__repr__", [](const SequenceObject& s) {
        return "<limber.Sequence of '" + s.sequence.figure().name() + "': " + std::to_string(s.sequence.keys().size()) +
               " keys>";
      });
  bind_edits(sequence);
}

}  // namespace limber::python
