// solve(), Solver and the report.
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>

#include "objects.h"
#include "pickle.h"

namespace limber::python {

template <class A>
void visit(A& a, GoalError& x) {
  a(x.metres, x.radians, x.overload);
}
template <class A>
void visit(A& a, HoldingLimit& x) {
  a(x.name, x.parameter, x.share);
}
template <class A>
void visit(A& a, Touch& x) {
  a(x.segment, x.other_segment, x.obstacle, x.too_near, x.gap, x.at, x.normal);
}
template <class A>
void visit(A& a, JointLoad& x) {
  a(x.freedom, x.angle, x.torque, x.strength, x.share, x.row, x.at_stop);
}
template <class A>
void visit(A& a, ConstraintReport& x) {
  a(x.id, x.name, x.counted, x.met, x.soft, x.error, x.value, x.comfort, x.held_back_by, x.touches, x.obstacles,
    x.joints);
}
template <class A>
void visit(A& a, Diagnostic& x) {
  a(x.where, x.found, x.expected, x.line, x.column);
}
// Its figure is written beside it, with the pose.
template <class A>
void visit(A& a, Report& x) {
  a(x.exit, x.method, x.restarts, x.variables, x.iterations, x.evaluations, x.objective, x.objective_before,
    x.soft_scale, x.kkt, x.start_projected, x.constraints, x.rejection);
}

namespace {

nb::tuple report_state(const ReportObject& r) {
  return nb::make_tuple(r.pose, to_bytes(r.report), r.report.figure.has_value());
}

void set_report_state(ReportObject& self, const nb::tuple& state) {
  const auto pose = nb::cast<PoseObject>(nb::object(state[0]));
  Report report = from_bytes<Report>(nb::cast<nb::bytes>(nb::object(state[1])));  // its names point into the bytes
  auto names = std::make_shared<std::vector<std::string>>();
  for (const ConstraintReport& c : report.constraints)
    for (const HoldingLimit& limit : c.held_back_by) names->emplace_back(limit.name);
  std::size_t next = 0;
  for (ConstraintReport& c : report.constraints)
    for (HoldingLimit& limit : c.held_back_by) limit.name = (*names)[next++];
  if (nb::cast<bool>(nb::object(state[2]))) report.figure = pose.figure;
  new (&self) ReportObject{std::move(report), pose, std::move(names)};
}

// Solves with the interpreter free. Ctrl-C and an observer in Python end it; nothing else needs a look at every
// iteration.
template <class Solve>
void run(const ProblemObject& problem, Options& options, const nb::object& observer, Solve&& solve) {
  Interrupts watch;
  options.observer = [&](const Progress& progress) {
    if (!watch.proceed()) return false;
    if (observer.is_none()) return true;
    return watch.ask([&] {
      return goes_on(observer(progress.iteration, progress.objective,
                              nb::cast(PoseObject{problem.problem.figure(), progress.pose})));
    });
  };
  {
    const nb::gil_scoped_release release;
    solve();
  }
  options.observer = {};
  watch.rethrow();
  problem.rethrow();
}

// What is no problem of the problem: a wrong option, a pose of another size.
void raise_rejection(const Report& report) {
  if (report.exit == Exit::rejected && report.rejection) fail(*report.rejection);
}

nb::object take(nb::kwargs& given, const char* key) {
  if (!given.contains(key)) return nb::none();
  nb::object value = given[key];
  nb::del(given[key]);
  return value;
}

ReportObject solve_once(ProblemObject& problem, const std::optional<PoseLike>& start, nb::kwargs given) {
  const nb::object observer = take(given, "observer");
  const Figure& figure = problem.problem.figure();
  Options options = to_options(figure, given);
  ReportObject result{{}, {figure, to_pose(figure, start)}};
  const InUse in_use(problem.users);
  run(problem, options, observer, [&] { result.report = solve(problem.problem, result.pose.pose, options); });
  raise_rejection(result.report);
  return result;
}

// Keeps its problem, and is used by one thread at a time.
class SolverObject {
 public:
  explicit SolverObject(nb::handle_t<ProblemObject> problem) : problem_(nb::borrow(problem)), solver_(of().problem) {}

  ReportObject solve(const std::optional<PoseLike>& start, nb::kwargs given) {
    if (users_ > 0) fail("solver", "a solve while another one runs", "one at a time; make a Solver for each thread");
    const nb::object observer = take(given, "observer");
    const Figure& figure = of().problem.figure();
    Options options = to_options(figure, given);
    ReportObject result{{}, {figure, to_pose(figure, start)}};
    const InUse in_use(users_), problem_in_use(of().users);
    const Report* report = nullptr;
    run(of(), options, observer, [&] { report = &solver_.solve(result.pose.pose, options); });
    result.report = *report;
    raise_rejection(result.report);
    return result;
  }

  void forget() {
    if (users_ > 0) fail("solver", "a call while it solves", "one at a time");
    solver_.forget();
  }
  const nb::object& problem() const { return problem_; }

 private:
  ProblemObject& of() const { return nb::cast<ProblemObject&>(problem_); }

  nb::object problem_;
  Solver solver_;
  int users_ = 0;
};

// --- The report

struct ConstraintReportObject {
  std::shared_ptr<const ReportObject> report;
  std::size_t index = 0;

  const ConstraintReport& get() const { return report->report.constraints[index]; }
};

using SharedReport = std::shared_ptr<ReportObject>;

ConstraintReportObject constraint_of(const SharedReport& report, const nb::object& key) {
  const auto& all = report->report.constraints;
  if (nb::isinstance<ConstraintObject>(key)) {
    const auto& constraint = nb::cast<const ConstraintObject&>(key);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].id == constraint.id) return {report, k};
    fail("report", "a constraint that was not in the problem", "one of the solved problem");
  }
  std::string name;
  if (nb::try_cast(key, name)) {
    std::string names;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].name == name) return {report, k};
      names += (names.empty() ? "'" : ", '") + all[k].name + "'";
    }
    fail("report", "'" + name + "'", "one of " + names);
  }
  int index = 0;
  if (!nb::try_cast(key, index)) fail("report", repr_of(key), "a constraint, its name or number");
  const int count = static_cast<int>(all.size());
  if (index < -count || index >= count) throw nb::index_error("report index out of range");
  return {report, static_cast<std::size_t>(index < 0 ? index + count : index)};
}

struct HoldingObject {
  std::string name;
  double share;
};

void bind_reports(nb::module_& m) {
  nb::class_<HoldingObject>(m, "HoldingLimit", "A limit that blocks a constraint.")
      .def_ro("name", &HoldingObject::name, "'right_elbow.flexion upper limit'.")
      .def_ro("share", &HoldingObject::share, "Of all limits that block it, 0 to 1.")
      .def("__repr__", [](const HoldingObject& h) {
        return "<limber.HoldingLimit '" + h.name +
               "': " + std::to_string(static_cast<int>(std::lround(100 * h.share))) + " %>";
      });

  nb::class_<Touch>(m, "Touch", "A contact of a clearance in the result.")
      .def_ro("too_near", &Touch::too_near, "Inside the margin; otherwise the segment rests there.")
      .def_ro("gap", &Touch::gap, "In metres; negative where they overlap.")
      .def_prop_ro(
          "at", [](const Touch& t) { return new_array(t.at); }, "On the skin of the segment, in the world.")
      .def_prop_ro("normal", [](const Touch& t) { return new_array(t.normal); }, "Away from the obstacle.");

  nb::class_<ConstraintReportObject>(m, "ConstraintReport", "What became of a constraint.")
      .def_prop_ro(
          "name", [](const ConstraintReportObject& c) { return c.get().name; }, "Its name.")
      .def_prop_ro(
          "met", [](const ConstraintReportObject& c) { return c.get().met; }, "Always true for a pull.")
      .def_prop_ro(
          "counted", [](const ConstraintReportObject& c) { return c.get().counted; },
          "Enabled and of a weight above 0.")
      .def_prop_ro(
          "metres", [](const ConstraintReportObject& c) { return c.get().error.metres; },
          "The remaining error, where it is a distance.")
      .def_prop_ro(
          "radians", [](const ConstraintReportObject& c) { return c.get().error.radians; },
          "The remaining error, where it is an angle.")
      .def_prop_ro(
          "value", [](const ConstraintReportObject& c) { return c.get().value; }, "‖r‖², ZB94 (26).")
      .def_prop_ro(
          "comfort", [](const ConstraintReportObject& c) { return c.get().comfort; },
          "Of a pull towards comfort: that of the pose, at most 1.")
      .def_prop_ro(
          "held_back_by",
          [](const ConstraintReportObject& c) {
            std::vector<HoldingObject> limits;
            for (const HoldingLimit& limit : c.get().held_back_by)
              limits.push_back({std::string(limit.name), limit.share});
            return tuple_of(limits);
          },
          "The limits that block an unmet constraint, the strongest first.")
      .def_prop_ro(
          "touches", [](const ConstraintReportObject& c) { return tuple_of(c.get().touches); },
          "Of a clearance: its contacts, the deepest first.")
      .def_prop_ro(
          "touching",
          [](const ConstraintReportObject& c) {
            std::vector<std::string> pairs;
            for (const Touch& touch : c.get().touches) pairs.push_back(pair_text(c.report->report, c.get(), touch));
            return tuple_of(pairs);
          },
          "The same as words: 'right_forearm and table'.")
      .def("__repr__", [](const ConstraintReportObject& c) {
        return "<limber.ConstraintReport '" + c.get().name + "': " + (c.get().met ? "met" : "not met") + ">";
      });

  nb::class_<ReportObject>(m, "Report", "How a solve ended: the pose, and what became of each constraint.")
      .def_prop_ro(
          "pose", [](const ReportObject& r) { return r.pose; }, "The answer; it satisfies all limits.")
      .def_prop_ro(
          "met", [](const ReportObject& r) { return r.report.met(); }, "Whether all constraints that count are met.")
      .def_prop_ro(
          "exit", [](const ReportObject& r) { return std::string(name_of(r.report.exit)); },
          "'converged', 'met', 'iteration limit', 'stalled', 'cancelled', 'not finite' or 'infeasible'.")
      .def_prop_ro(
          "method", [](const ReportObject& r) { return std::string(name_of(r.report.method)); }, "The method used.")
      .def_prop_ro(
          "restarts", [](const ReportObject& r) { return r.report.restarts; }, "How many there were.")
      .def_prop_ro(
          "variables", [](const ReportObject& r) { return r.report.variables; }, "Degrees of freedom.")
      .def_prop_ro(
          "iterations", [](const ReportObject& r) { return r.report.iterations; }, "Over all restarts.")
      .def_prop_ro(
          "evaluations", [](const ReportObject& r) { return r.report.evaluations; }, "Of the objective.")
      .def_prop_ro(
          "objective", [](const ReportObject& r) { return r.report.objective; }, "G = Σ w G_i, ZB94 (25).")
      .def_prop_ro(
          "objective_before", [](const ReportObject& r) { return r.report.objective_before; }, "At the start.")
      .def_prop_ro(
          "kkt", [](const ReportObject& r) { return r.report.kkt; }, "Kuhn-Tucker residual, dimensionless.")
      .def_prop_ro(
          "soft_scale", [](const ReportObject& r) { return r.report.soft_scale; },
          "Final factor of the weights of soft constraints.")
      .def_prop_ro(
          "start_projected", [](const ReportObject& r) { return r.report.start_projected; },
          "The start violated limits and was moved to the nearest feasible pose.")
      .def_prop_ro(
          "rejection",
          [](const ReportObject& r) -> std::optional<std::string> {
            if (!r.report.rejection) return std::nullopt;
            return r.report.rejection->text();
          },
          "Why, for 'infeasible' and 'not finite'.")
      .def_prop_ro(
          "constraints",
          [](const SharedReport& r) {
            std::vector<ConstraintReportObject> all;
            for (std::size_t k = 0; k < r->report.constraints.size(); ++k) all.push_back({r, k});
            return tuple_of(all);
          },
          "One per constraint, in the order of the problem.")
      .def("__getitem__", &constraint_of, "constraint"_a,
           nb::sig("def __getitem__(self, constraint: Constraint | str | int) -> ConstraintReport"),
           "Of a constraint, by itself, its name or number.")
      .def("__len__", [](const ReportObject& r) { return r.report.constraints.size(); })
      .def("__str__", [](const ReportObject& r) { return to_text(r.report); })
      .def("_repr_html_",
           [](const ReportObject& r) {
             const auto escape = nb::module_::import_("html").attr("escape");
             return draw_svg(Problem(r.pose.figure), r.pose.pose, Report()) + "<pre>" +
                    nb::cast<std::string>(escape(to_text(r.report))) + "</pre>";
           })
      .def("__copy__", [](const ReportObject& r) { return r; })
      .def(
          "__deepcopy__", [](const ReportObject& r, const nb::object&) { return r; }, "memo"_a)
      .def("__getstate__", &report_state)
      .def("__setstate__", &set_report_state)
      .def("__repr__", [](const ReportObject& r) {
        return std::string("<limber.Report: ") + (r.report.met() ? "met" : "not met") + ", " + name_of(r.report.exit) +
               " after " + std::to_string(r.report.iterations) + " iterations>";
      });
}

const char* solve_signature(const char* begin) {
  static std::vector<std::unique_ptr<std::string>> texts;
  texts.push_back(std::make_unique<std::string>(
      std::string(begin) +
      "start: Pose | numpy.typing.ArrayLike | collections.abc.Mapping[str, float] | None = None, *, observer: "
      "collections.abc.Callable[[int, float, Pose], bool | None] | None = None, " +
      option_arguments() + ") -> Report"));
  return texts.back()->c_str();
}

}  // namespace

void bind_solve(nb::module_& m) {
  bind_reports(m);
  nb::class_<SolverObject>(m, "Solver",
                           "Keeps the working memory of a problem, to solve it again and again: a goal that moves.\n\n"
                           ">>> figure = limber.human()\n"
                           ">>> problem = limber.Problem(figure)\n"
                           ">>> hand = problem.add(figure.point('right_palm'), limber.Position([-0.2, 1.1, 0.5]))\n"
                           ">>> solver = limber.Solver(problem)\n"
                           ">>> pose = figure.rest()\n"
                           ">>> for height in (1.0, 1.1, 1.2):\n"
                           "...     hand.goal = limber.Position([-0.2, height, 0.5])\n"
                           "...     pose = solver.solve(pose).pose\n"
                           ">>> round(pose.point('right_palm')[1].item(), 3)\n"
                           "1.2")
      .def(nb::init<nb::handle_t<ProblemObject>>(), "problem"_a)
      .def_prop_ro(
          "problem",
          [](const SolverObject& s) { return nb::borrow<nb::typed<nb::object, ProblemObject>>(s.problem()); },
          "The problem.")
      .def("solve", &SolverObject::solve, "start"_a = nb::none(), "options"_a,
           nb::sig(solve_signature("def solve(self, ")), "Solves from a pose; default: the rest pose.")
      .def("forget", &SolverObject::forget, "Forgets what solves with `resumes` have left.");
  m.def("solve", &solve_once, "problem"_a, "start"_a = nb::none(), "options"_a,
        nb::sig(solve_signature("def solve(problem: Problem, ")),
        "Solves a problem once, from a pose (default: the rest pose), which stays as it is.\n\n"
        "`observer(iteration, objective, pose)` is called after every iteration; False ends the solve with the best "
        "pose so far. A problem that cannot be met is not an error: the report says what is not met, and why.\n\n"
        ">>> figure = limber.human()\n"
        ">>> problem = limber.Problem(figure)\n"
        ">>> _ = problem.add(figure.point('right_palm'), limber.Position([0, 3, 0]), chain_from='right_shoulder')\n"
        ">>> report = limber.solve(problem)\n"
        ">>> report.met, report['right_palm position'].held_back_by[0].name\n"
        "(False, 'right_shoulder.abduction upper limit')");
}

}  // namespace limber::python
