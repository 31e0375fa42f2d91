// Whole motions: contacts, cleaning, retargeting, tracking, markers, and what is learned from motion.
#include "objects.h"

namespace limber::python {

namespace {

struct CleanedObject {
  ClipObject clip;
  std::vector<Contact> contacts;
  SlidingReport before, after;
  bool met;
};

struct RetargetedObject {
  ClipObject clip;
  double scale, mean_deviation;  // radians
  std::vector<Contact> contacts;
};

// A long call with the interpreter free; `observer` is the library's, which asks `watch`.
template <class Call>
auto free_call(Interrupts& watch, Call&& call) {
  decltype(call()) result = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    result = call();
  }
  watch.rethrow();
  return unwrap(std::move(result));
}

CleanedObject clean(const ClipObject& clip, const std::vector<std::string>& places, double ease, int iterations) {
  Interrupts watch;
  CleanOptions options;
  options.places = places;
  options.ease = ease;
  options.motion.iterations = iterations;
  options.motion.observer = [&](const MotionProgress&) { return watch.proceed(); };
  Cleaned cleaned = free_call(watch, [&] { return clean_feet(clip.figure, clip.clip, options); });
  const bool met = cleaned.report.met();
  return {{clip.figure, std::move(cleaned.clip)}, std::move(cleaned.contacts), cleaned.before, cleaned.after, met};
}

RetargetedObject retarget_clip(const ClipObject& clip, const Figure& to, int every, int iterations, bool contacts,
                               const nb::object& progress) {
  Interrupts watch;
  RetargetOptions options;
  options.every = every;
  options.iterations = iterations;
  options.contacts = contacts;
  options.observer = [&](int frame, int frames) {
    if (!watch.proceed()) return false;
    return progress.is_none() || watch.ask([&] { return goes_on(progress(frame, frames)); });
  };
  Retargeted made = free_call(watch, [&] { return limber::retarget(clip.figure, clip.clip, to, options); });
  return {{to, std::move(made.clip)}, made.scale, radians(made.mean_deviation_deg), std::move(made.contacts)};
}

// --- Tracking

std::vector<std::optional<Vec3>> seen_points(const ArrayLike& array, std::size_t count) {
  const std::vector<Vec3> points = to_points(array, "points");
  if (points.size() != count)
    fail("points", std::to_string(points.size()), std::to_string(count) + ", NaN where one is not seen");
  std::vector<std::optional<Vec3>> seen;
  for (const Vec3& p : points) seen.push_back(p.allFinite() ? std::optional(p) : std::nullopt);
  return seen;
}

class TrackerObject {
 public:
  TrackerObject(Tracker tracker, std::size_t points) : tracker_(std::move(tracker)), points_(points) {}

  Tracker& editable() {
    if (users_ > 0) fail("tracker", "a call while another one runs", "one at a time");
    return tracker_;
  }
  void aim(const PoseLike& reference) {
    Pose pose = to_pose(editable().figure(), reference);
    const Pose given = pose;
    tracker_.aim(given, pose);
  }
  void aim_points(const ArrayLike& points) { editable().aim(seen_points(points, points_)); }
  ReportObject solve(const PoseLike& start, bool align, const nb::kwargs& given) {
    Tracker& tracker = editable();
    const Figure& figure = tracker.figure();
    Options options = to_options(figure, given);
    ReportObject result{{}, {figure, to_pose(figure, start)}};
    Interrupts watch;
    options.observer = [&](const Progress&) { return watch.proceed(); };
    const InUse in_use(users_);
    {
      const nb::gil_scoped_release release;
      if (align) tracker.align(result.pose.pose);
      result.report = tracker.solve(result.pose.pose, options);
    }
    watch.rethrow();
    if (result.report.exit == Exit::rejected && result.report.rejection) fail(*result.report.rejection);
    return result;
  }

 private:
  Tracker tracker_;
  std::size_t points_;
  int users_ = 0;
};

struct TrackedObject {
  ClipObject clip;
  std::vector<double> errors;  // metres, mean over the places, by frame
};

// Frame by frame, each from the pose of the one before. `aim` sets the goals of a frame; false: nothing is known.
template <class Aim>
TrackedObject follow(Tracker& tracker, int frames, double frame_time, const std::string& name, Pose pose,
                     const Options& given, Aim&& aim) {
  TrackedObject result{{tracker.figure(), {name, frame_time, MatX(pose.theta.size(), frames)}}, {}};
  Interrupts watch;
  Options options = given;
  options.observer = [&](const Progress&) { return watch.proceed(); };
  std::optional<Diagnostic> wrong;
  bool first = true;
  {
    const nb::gil_scoped_release release;
    for (int k = 0; k < frames && watch.proceed(); ++k) {
      double error = 0.0;
      if (aim(k, pose)) {
        if (first) tracker.align(pose);
        first = false;
        const Report& report = tracker.solve(pose, options);
        if (report.exit == Exit::rejected && report.rejection) wrong = report.rejection;
        if (wrong) break;
        error = tracker.mean_distance();
      }
      result.clip.clip.poses.col(k) = pose.theta;
      result.errors.push_back(error);
    }
  }
  watch.rethrow();
  if (wrong) fail(*wrong);
  return result;
}

TrackedObject track_clip(const Figure& figure, const ClipObject& reference, const std::vector<std::string>& places,
                         bool orientations, bool root_given, bool natural, const nb::kwargs& given) {
  if (reference.figure.parameters().size() != figure.parameters().size())
    fail("reference", "a motion of another figure", "one of the figure that tracks, with the same parameters");
  Tracker tracker = unwrap(
      Tracker::make(figure, places, {.orientations = orientations, .root_given = root_given, .natural = natural}));
  const Clip& clip = reference.clip;
  if (clip.frames() == 0) fail("reference", "no frame", "a motion with frames");
  return follow(tracker, clip.frames(), clip.frame_time, clip.name, clip.pose(0), to_options(figure, given),
                [&](int k, Pose& pose) {
                  tracker.aim(clip.pose(k), pose);
                  return true;
                });
}

TrackedObject track_marker_set(const Figure& figure, const Markers& markers, const MarkerSet& set, bool natural,
                               const nb::kwargs& given) {
  std::vector<Attachment> attached;
  std::vector<int> columns;
  for (const Attachment& attachment : set.markers)
    if (const std::optional<int> column = markers.find(attachment.marker)) {
      attached.push_back(attachment);
      columns.push_back(*column);
    }
  if (attached.empty()) fail("markers", "none of the set", "at least one of them");
  const Markers seen = turned(markers, set.turn);
  Tracker tracker = unwrap(Tracker::with_markers(figure, attached, {.natural = natural}));
  return follow(tracker, seen.frames(), 1.0 / seen.rate, "", figure.rest(), to_options(figure, given),
                [&](int k, Pose&) {
                  std::vector<std::optional<Vec3>> points;
                  bool any = false;
                  for (const int column : columns) {
                    points.push_back(seen.seen(k, column) ? std::optional(seen.position(k, column)) : std::nullopt);
                    any = any || points.back();
                  }
                  tracker.aim(points);
                  return any;
                });
}

void bind_contacts(nb::module_& m) {
  nb::class_<Contact>(m, "Contact", "A place at rest on the ground.")
      .def_ro("place", &Contact::place, "A site, segment or joint.")
      .def_ro("first", &Contact::first, "Its first frame.")
      .def_ro("last", &Contact::last, "Its last frame, included.")
      .def_ro("start", &Contact::start, "In seconds.")
      .def_ro("end", &Contact::end, "In seconds.")
      .def_prop_ro("at", [](const Contact& c) { return new_array(c.at); }, "Where, in the world.");
  m.def(
      "find_contacts",
      [](const ClipObject& clip, const std::vector<std::string>& places) {
        return tuple_of(unwrap(find_contacts(clip.figure, clip.clip, places)));
      },
      "clip"_a, "places"_a = std::vector<std::string>(), "Ground contacts of places of a motion; default: the feet.");

  nb::class_<CleanedObject>(m, "Cleaned", "A motion without foot sliding.")
      .def_ro("clip", &CleanedObject::clip, nb::rv_policy::copy, "The motion.")
      .def_ro("met", &CleanedObject::met, "Whether all feet stay where they stand.")
      .def_prop_ro(
          "contacts", [](const CleanedObject& c) { return tuple_of(c.contacts); }, "Where feet stand.")
      .def_prop_ro(
          "sliding_before", [](const CleanedObject& c) { return c.before.all.mean_speed; },
          "Mean speed in contact, metres per second.")
      .def_prop_ro("sliding_after", [](const CleanedObject& c) { return c.after.all.mean_speed; }, "The same after.");
  const CleanOptions cleaning;
  m.def("clean_feet", &clean, "clip"_a, "places"_a = std::vector<std::string>(), nb::kw_only(),
        "ease"_a = cleaning.ease, "iterations"_a = cleaning.motion.iterations,
        "Finds foot contacts, and solves the motion so that the feet stay there.");

  nb::class_<RetargetedObject>(m, "Retargeted", "A motion on another body.")
      .def_ro("clip", &RetargetedObject::clip, nb::rv_policy::copy, "The motion.")
      .def_ro("scale", &RetargetedObject::scale, "Of travel.")
      .def_ro("mean_deviation", &RetargetedObject::mean_deviation,
              "Of limb bones from the recorded directions, in radians.")
      .def_prop_ro("contacts", [](const RetargetedObject& r) { return tuple_of(r.contacts); }, "Where feet stand.");
  const RetargetOptions retargeting;
  m.def("retarget", &retarget_clip, "clip"_a, "to"_a, nb::kw_only(), "every"_a = 1,
        "iterations"_a = retargeting.iterations, "contacts"_a = true, "progress"_a = nb::none(),
        nb::sig("def retarget(clip: Clip, to: Figure, *, every: int = 1, iterations: int = 50, contacts: bool = True, "
                "progress: collections.abc.Callable[[int, int], bool | None] | None = None) -> Retargeted"),
        "Transfers a motion to a body of other proportions and joints. Both need common names "
        "(Figure.with_common_names()). `contacts`: feet that stand stay where they stand.");
}

void bind_tracking(nb::module_& m) {
  nb::class_<TrackerObject>(m, "Tracker", "A figure that follows a few places, frame by frame.")
      .def(
          "__init__",
          [](TrackerObject* t, const Figure& figure, const std::vector<std::string>& places, bool orientations,
             bool root_given, bool natural, const std::vector<std::string>& points) {
            new (t) TrackerObject(
                unwrap(Tracker::make(
                    figure, places,
                    {.orientations = orientations, .root_given = root_given, .natural = natural, .points = points})),
                places.size() + points.size());
          },
          "figure"_a, "places"_a, nb::kw_only(), "orientations"_a = false, "root_given"_a = false, "natural"_a = false,
          "points"_a = std::vector<std::string>(),
          "`natural`: what the places leave open is as in the figure's prior; `points`: further places, of which only "
          "the position is followed.")
      .def("aim", &TrackerObject::aim, "reference"_a, "The goals are where the places are in this pose.")
      .def("aim_points", &TrackerObject::aim_points, "points"_a,
           "The goals are these points, (places, 3); NaN for one that is not seen.")
      .def("solve", &TrackerObject::solve, "start"_a, nb::kw_only(), "align"_a = false, "options"_a,
           nb::sig("def solve(self, start: Pose | numpy.typing.ArrayLike | collections.abc.Mapping[str, float], *, "
                   "align: bool = False, **options: typing.Any) -> Report"),
           "Solves from a pose; `align`: a free root is first moved to fit the goals.")
      .def_prop_ro(
          "mean_distance", [](TrackerObject& t) { return t.editable().mean_distance(); },
          "Of the places from their goals in the last solve, in metres.")
      .def_prop_ro("max_distance", [](TrackerObject& t) { return t.editable().max_distance(); }, "The largest one.");

  nb::class_<TrackedObject>(m, "Tracked", "A motion that follows another one, or markers.")
      .def_ro("clip", &TrackedObject::clip, nb::rv_policy::copy, "The motion.")
      .def_prop_ro(
          "errors", [](const TrackedObject& t) { return new_array(t.errors); },
          "The mean distance of the places from their goals, by frame, in metres.");
  m.def(
      "track", &track_clip, "figure"_a, "reference"_a, "places"_a, nb::kw_only(), "orientations"_a = false,
      "root_given"_a = false, "natural"_a = false, "options"_a,
      nb::sig("def track(figure: Figure, reference: Clip, places: collections.abc.Sequence[str], *, orientations: bool "
              "= False, root_given: bool = False, natural: bool = False, **options: typing.Any) -> Tracked"),
      "Follows a few places of a motion of the figure, frame by frame.");

  nb::class_<Attachment>(m, "Attachment", "Where a marker is attached.")
      .def(
          "__init__",
          [](Attachment* a, const std::string& marker, const std::string& place, const std::optional<ArrayLike>& at,
             double weight) {
            new (a) Attachment{marker, place, at ? to_vec3(*at, "at") : Vec3(Vec3::Zero()), weight, {}};
          },
          "marker"_a, "place"_a, "at"_a = nb::none(), "weight"_a = 1.0)
      .def_ro("marker", &Attachment::marker, "Its name.")
      .def_ro("place", &Attachment::place, "A site, segment or joint.")
      .def_prop_ro(
          "at", [](const Attachment& a) { return new_array(a.at); }, "In the frame of the place.")
      .def_ro("weight", &Attachment::weight, "Of its goal in tracking.")
      .def_ro("spread", &Attachment::spread, "In metres, if it was estimated.");
  nb::class_<MarkerSet>(m, "MarkerSet", "Where markers are attached to a figure.")
      .def(
          "__init__",
          [](MarkerSet* s, const std::vector<Attachment>& markers, double turn) { new (s) MarkerSet{turn, markers}; },
          "markers"_a, "turn"_a = 0.0, "`turn`: radians about the vertical, applied to the markers first.")
      .def_prop_ro(
          "markers", [](const MarkerSet& s) { return tuple_of(s.markers); }, "One per marker.")
      .def_ro("turn", &MarkerSet::turn, "Radians about the vertical, applied to the markers first.")
      .def(
          "to_json", [](const MarkerSet& s) { return write_marker_set(s); }, "Its text (doc/track.md).")
      .def_static(
          "from_json",
          [](const std::string& text, const std::string& name) { return unwrap(read_marker_set(text, name)); },
          "text"_a, "name"_a = "markers.json", nb::sig("def from_json(text: str, name: str = ...) -> MarkerSet"),
          "From its text.");
  m.def(
      "attach",
      [](const ClipObject& clip, const Markers& markers, int start, std::optional<double> turn) {
        return unwrap(attach(clip.figure, clip.clip, markers, {.start = start, .turn = turn}));
      },
      "clip"_a, "markers"_a, "start"_a = 0, "turn"_a = nb::none(),
      "Where each marker is attached, from a motion of the figure in which they were seen.");
  m.def("track_markers", &track_marker_set, "figure"_a, "markers"_a, "set"_a, nb::kw_only(), "natural"_a = false,
        "options"_a,
        nb::sig("def track_markers(figure: Figure, markers: Markers, set: MarkerSet, *, natural: bool = False, "
                "**options: typing.Any) -> Tracked"),
        "Follows markers, frame by frame.");
}

}  // namespace

void bind_motion(nb::module_& m) {
  bind_contacts(m);
  bind_tracking(m);
  m.def(
      "estimate_limits",
      [](const std::vector<ClipObject>& clips, double margin, double outliers, bool with_root) {
        if (clips.empty()) fail("clips", "none", "at least one motion");
        LimitEstimate estimate(clips.front().figure);
        for (const ClipObject& clip : clips) {
          if (clip.clip.poses.rows() != clips.front().clip.poses.rows())
            fail("clips", "motions of several figures", "motions of one figure");
          estimate.add(clip.clip);
        }
        return unwrap(estimate.figure({.margin = margin, .outliers = outliers, .with_root = with_root}));
      },
      "clips"_a, nb::kw_only(), "margin"_a = LimitOptions{}.margin, "outliers"_a = 0.0, "with_root"_a = false,
      "The figure of motions with limits estimated from them.");
  m.def(
      "learn_prior",
      [](const std::vector<ClipObject>& clips, bool correlation) {
        if (clips.empty()) fail("clips", "none", "at least one motion");
        PriorEstimate estimate(clips.front().figure);
        for (const ClipObject& clip : clips) unwrap(estimate.add(clip.figure, clip.clip));
        return unwrap(estimate.prior({.correlation = correlation}));
      },
      "clips"_a, nb::kw_only(), "correlation"_a = true, "Usual poses, learned from motions.");
}

}  // namespace limber::python
