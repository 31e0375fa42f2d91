// Constraints over time, motions that meet them, and motion scripts.
#include "objects.h"

namespace limber::python {

namespace {

// A goal that moves: a function of the time, in Python. Its first exception is kept and thrown after the call.
class MovingGoal {
 public:
  explicit MovingGoal(nb::object at) : at_(std::move(at)) {}
  ~MovingGoal() {
    const nb::gil_scoped_acquire lock;
    at_.reset();
    thrown_.reset();
  }
  MovingGoal(const MovingGoal&) = delete;
  MovingGoal& operator=(const MovingGoal&) = delete;

  Goal at(double time) {
    const nb::gil_scoped_acquire lock;
    try {
      if (!thrown_) return to_goal(nb::object(at_(time)), "goal at a time");
    } catch (nb::python_error& error) {
      thrown_.emplace(std::move(error));
    }
    return Position{Vec3::Constant(std::numeric_limits<double>::quiet_NaN())};  // is rejected
  }
  void rethrow() {
    if (!thrown_) return;
    nb::python_error error = std::move(*thrown_);
    thrown_.reset();
    throw nb::python_error(std::move(error));
  }

 private:
  nb::object at_;
  std::optional<nb::python_error> thrown_;
};

struct TimedObject {
  TimedProblem problem;
  std::vector<std::shared_ptr<MovingGoal>> moving = {};
  int users = 0;

  explicit TimedObject(const Figure& figure) : problem(figure) {}
  TimedProblem& editable() {
    if (users > 0) fail("timed problem", "a change while it is solved", "a problem that no other call uses");
    return problem;
  }
};

struct DemandObject {
  std::string name;
  bool met, taken;
  int frames, worst;
  std::optional<double> metres, radians;
};

struct MotionObject {
  ClipObject clip;
  MotionReport report;
  std::vector<std::pair<int, std::string>> overlaps;  // frame, what
};

int add_demand(TimedObject& timed, const Handle& handle, const nb::object& goal, double from, double to, double ease_in,
               double ease_out, double weight, const std::string& chain_from, const std::string& name) {
  TimedProblem& problem = timed.editable();
  const Span span{from, to, ease_in, ease_out};
  const ConstraintOptions options{.weight = weight, .from = chain_from, .name = name};
  if (!PyCallable_Check(goal.ptr())) return unwrap(problem.add(handle, to_goal(goal), span, options));
  const auto moving = std::make_shared<MovingGoal>(goal);
  const Expected<int> demand =
      problem.add(handle, GoalAt([moving](double time) { return moving->at(time); }), span, options);
  moving->rethrow();
  timed.moving.push_back(moving);
  return unwrap(demand);
}

template <class Solve>
auto run(TimedObject& timed, const nb::object& observer, MotionOptions* options, Solve&& solve) {
  Interrupts watch;
  if (options)
    options->observer = [&](const MotionProgress& progress) {
      if (!watch.proceed()) return false;
      return observer.is_none() || watch.ask([&] {
        return goes_on(observer(progress.iteration, progress.max_iterations, progress.max_error));
      });
    };
  const InUse in_use(timed.users);
  decltype(solve()) result = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    result = solve();
  }
  watch.rethrow();
  for (const auto& goal : timed.moving) goal->rethrow();
  return unwrap(std::move(result));
}

MotionOptions motion_options(double guide, double smooth_time, int iterations, double met_mm, double met_degrees,
                             const std::vector<int>& kept) {
  return {.guide = guide,
          .smooth_time = smooth_time,
          .iterations = iterations,
          .met_metres = met_mm / 1000.0,
          .met_degrees = met_degrees,
          .kept = kept};
}

MotionObject from_cleared(const Figure& figure, ClearedMotion&& cleared) {
  MotionObject result{{figure, std::move(cleared.clip)}, std::move(cleared.report), {}};
  for (const FrameOverlap& overlap : cleared.overlaps)
    for (const Penetration& found : overlap.found.list) result.overlaps.emplace_back(overlap.frame, found.text);
  return result;
}

MotionObject solve_timed(TimedObject& timed, const ClipObject& given, const std::vector<Obstacle>& obstacles,
                         bool self_collision, double margin, double guide, double smooth_time, int iterations,
                         double met_mm, double met_degrees, const std::vector<int>& kept, const nb::object& observer) {
  MotionOptions options = motion_options(guide, smooth_time, iterations, met_mm, met_degrees, kept);
  const Figure& figure = timed.problem.figure();
  if (obstacles.empty() && !self_collision) {
    SolvedMotion solved =
        run(timed, observer, &options, [&] { return solve_motion(timed.problem, given.clip, options); });
    return {{figure, std::move(solved.clip)}, std::move(solved.report), {}};
  }
  Clearance clearance{.capsules = capsules_of(figure), .obstacles = obstacles, .pairs = {}, .margin = margin};
  if (self_collision) clearance.pairs = pairs_to_check(figure, clearance.capsules, margin);
  return from_cleared(figure, run(timed, observer, &options,
                                  [&] { return solve_clear_motion(timed.problem, given.clip, {clearance}, options); }));
}

MotionObject play_timed(TimedObject& timed, const ClipObject& given, double guide, int iterations) {
  const PlaybackOptions options{.guide = guide, .iterations = iterations};
  SolvedMotion solved =
      run(timed, nb::none(), nullptr, [&] { return play_motion(timed.problem, given.clip, options); });
  return {{timed.problem.figure(), std::move(solved.clip)}, std::move(solved.report), {}};
}

MotionObject animate(const std::string& script, const SceneObject& scene_object, const std::string& name,
                     int iterations, const nb::object& observer) {
  const MotionScript read = unwrap(read_motion_script(script, name));
  const Scene& scene = scene_object.scene;
  ScriptedMotion motion = unwrap(scripted_motion(read, scene));
  TimedObject timed(scene.figure);
  timed.problem = std::move(motion.problem);
  MotionOptions options;
  options.iterations = iterations;
  return from_cleared(scene.figure, run(timed, observer, &options, [&] {
                        return solve_clear_motion(timed.problem, motion.given, motion.clearances, options);
                      }));
}

void bind_results(nb::module_& m) {
  nb::class_<DemandObject>(m, "DemandReport", "What became of a constraint over time.")
      .def_ro("name", &DemandObject::name, "Its name.")
      .def_ro("met", &DemandObject::met, "In every frame in which it is fully active.")
      .def_ro("taken", &DemandObject::taken, "Of alternatives: whether the motion takes this one.")
      .def_ro("frames", &DemandObject::frames, "In how many it is fully active.")
      .def_ro("worst", &DemandObject::worst, "The frame of the largest error; -1: none.")
      .def_ro("metres", &DemandObject::metres, "The largest error, where it is a distance.")
      .def_ro("radians", &DemandObject::radians, "The largest error, where it is an angle.");
  nb::class_<MotionObject>(m, "SolvedMotion", "A motion that meets constraints over time.")
      .def_ro("clip", &MotionObject::clip, nb::rv_policy::copy, "The motion.")
      .def_prop_ro(
          "met", [](const MotionObject& s) { return s.report.met() && s.overlaps.empty(); },
          "Whether all demands are met and nothing overlaps.")
      .def_prop_ro(
          "exit", [](const MotionObject& s) { return std::string(name_of(s.report.exit)); }, "How it ended.")
      .def_prop_ro(
          "iterations", [](const MotionObject& s) { return s.report.iterations; }, "How many there were.")
      .def_prop_ro(
          "demands",
          [](const MotionObject& s) {
            std::vector<DemandObject> all;
            for (const DemandReport& d : s.report.demands)
              all.push_back({d.name, d.met, d.taken, d.frames, d.worst, d.error.metres, d.error.radians});
            return tuple_of(all);
          },
          "In the order of the problem.")
      .def_prop_ro(
          "contradictions",
          [](const MotionObject& s) {
            std::vector<std::pair<int, std::vector<std::string>>> all;
            for (const Contradiction& found : s.report.contradictions) {
              all.emplace_back(found.frame, std::vector<std::string>());
              for (const int d : found.demands)
                all.back().second.push_back(s.report.demands[static_cast<std::size_t>(d)].name);
            }
            return tuple_of(all);
          },
          "Frames with the names of demands that cannot hold together there.")
      .def_prop_ro(
          "overlaps", [](const MotionObject& s) { return tuple_of(s.overlaps); },
          "Frames that could not be cleared, and what overlaps.")
      .def("__repr__", [](const MotionObject& s) {
        return std::string("<limber.SolvedMotion: ") + (s.report.met() ? "met" : "not met") + ", " +
               std::to_string(s.clip.clip.frames()) + " frames>";
      });
}

}  // namespace

void bind_timed(nb::module_& m) {
  bind_results(m);
  nb::class_<TimedObject>(m, "TimedProblem",
                          "Constraints on a figure over time.\n\n"
                          ">>> import numpy\n"
                          ">>> figure = limber.human()\n"
                          ">>> standing = limber.Clip(figure, [figure.rest()] * 31)\n"
                          ">>> timed = limber.TimedProblem(figure)\n"
                          ">>> _ = timed.add(figure.point('right_palm'), limber.Position([-0.3, 1.2, 0.3]), 0.5, 0.6,\n"
                          "...               weight=limber.must, chain_from='right_clavicle')\n"
                          ">>> solved = limber.solve_motion(timed, standing)\n"
                          ">>> solved.clip[16].point('right_palm').round(2).tolist()\n"
                          "[-0.3, 1.2, 0.3]")
      .def(nb::init<const Figure&>(), "figure"_a)
      .def_prop_ro(
          "figure", [](const TimedObject& t) { return t.problem.figure(); }, "Its figure.")
      .def("add", &add_demand, "handle"_a, "goal"_a, "start"_a = -infinity, "end"_a = infinity, nb::kw_only(),
           "ease_in"_a = 0.0, "ease_out"_a = 0.0, "weight"_a = 1.0, "chain_from"_a = "", "name"_a = "",
           nb::sig("def add(self, handle: Handle, goal: Goal | collections.abc.Callable[[float], Goal], start: float = "
                   "float('-inf'), end: float = float('inf'), *, ease_in: float = 0.0, ease_out: float = 0.0, weight: "
                   "float = 1.0, chain_from: str = '', name: str = '') -> int"),
           "A goal from `start` to `end`, in seconds; or a function of the time that gives a goal. `ease_in` and "
           "`ease_out` are seconds before and after; limber.hold(): where the handle is when it begins. Returns its "
           "number.")
      .def(
          "set_rigidity",
          [](TimedObject& t, std::string_view parameter, double rigidity) {
            unwrap(t.editable().set_rigidity(parameter, rigidity));
          },
          "parameter"_a, "rigidity"_a, "0 is free, 1 fixes the parameter.")
      .def(
          "set_stiffness",
          [](TimedObject& t, std::string_view parameter, double stiffness) {
            unwrap(t.editable().set_stiffness(parameter, stiffness));
          },
          "parameter"_a, "stiffness"_a, "How stiffly a parameter keeps to the given motion; default 1.")
      .def("__len__", [](const TimedObject& t) { return t.problem.demands().size(); });

  const MotionOptions defaults;
  m.def("solve_motion", &solve_timed, "problem"_a, "given"_a, nb::kw_only(), "obstacles"_a = std::vector<Obstacle>(),
        "self_collision"_a = false, "margin"_a = 0.0, "guide"_a = defaults.guide,
        "smooth_time"_a = defaults.smooth_time, "iterations"_a = defaults.iterations,
        "met_mm"_a = 1000.0 * defaults.met_metres, "met_degrees"_a = defaults.met_degrees,
        "kept"_a = std::vector<int>(), "observer"_a = nb::none(),
        nb::sig("def solve_motion(problem: TimedProblem, given: Clip, *, obstacles: collections.abc.Sequence[Obstacle] "
                "= [], self_collision: bool = False, margin: float = 0.0, guide: float = 0.0001, smooth_time: float = "
                "0.15, iterations: int = 30, met_mm: float = 0.1, met_degrees: float = 0.1, kept: "
                "collections.abc.Sequence[int] = [], observer: collections.abc.Callable[[int, int, float], bool | "
                "None] | None = None) -> SolvedMotion"),
        "The motion nearest to the given one that meets the constraints, all frames together. `obstacles` and "
        "`self_collision`: it keeps clear in all frames and between them; `guide`: weight of the given motion; "
        "`smooth_time`: seconds over which a change begins and fades; `kept`: frames that stay as given. "
        "`observer(iteration, of, error)` may return False.");
  const PlaybackOptions playback;
  m.def("play_motion", &play_timed, "problem"_a, "given"_a, nb::kw_only(), "guide"_a = playback.guide,
        "iterations"_a = playback.iterations, "The same frame by frame, as for live use.");
  m.def("animate", &animate, "script"_a, "scene"_a, "name"_a = "motion.script", nb::kw_only(), "iterations"_a = 200,
        "observer"_a = nb::none(),
        nb::sig("def animate(script: str, scene: Scene, name: str = ..., *, iterations: int = 200, observer: "
                "collections.abc.Callable[[int, int, float], bool | None] | None = None) -> SolvedMotion"),
        "The motion of a motion script, a text (doc/motion_script.md), for the figure of a scene.");
}

}  // namespace limber::python
