// solve_batch(): goals and poses as arrays.
#include <algorithm>

#include "objects.h"

namespace limber::python {

namespace {

// So many problems per thread between two looks for Ctrl-C: some milliseconds of simple ones. Their goals and poses
// use the same memory again, some megabytes that stay in the cache.
constexpr std::size_t stretch_of_a_thread = 16384;
// A card has room for more.
constexpr std::size_t stretch_of_a_card = 1 << 20;

struct BatchObject {
  MatX poses;
  std::vector<char> met;
  std::size_t met_count = 0, in_lanes = 0, one_by_one = 0;
  std::string card, no_card;
};

// The goals of one constraint for all problems, from an array of its targets.
class Targets {
 public:
  Targets(const Constraint& constraint, const nb::object& array) : name_(constraint.name) {
    if (constraint.alternatives().size() != 1) fail(where(), "targets for a constraint without a single goal", "none");
    goal_ = constraint.alternatives().front().goal;
    const std::string what = where();
    if (std::holds_alternative<Orientation>(goal_)) {
      take(array, what, {3, 3});
    } else if (std::holds_alternative<Placement>(goal_)) {
      take(array, what, {4, 4});
    } else if (std::holds_alternative<Direction>(goal_) || target_of(goal_)) {
      take(array, what, {3});
    } else {
      fail(what, std::string("targets for the goal ") + limber::name_of(goal_), "a goal with a point or a direction");
    }
  }

  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;

  std::size_t count() const { return count_; }
  std::string where() const { return "targets of '" + name_ + "'"; }

  // The goal of problem k, in the place of that of another problem.
  void write(std::size_t k, Goal& goal) const {
    const double* v = data_ + k * static_cast<std::size_t>(size_);
    if (std::holds_alternative<Position>(goal_)) {
      goal.emplace<Position>(Position{Vec3(v)});
    } else if (const Direction* d = std::get_if<Direction>(&goal_)) {
      goal = Direction{Vec3(v), d->c};
    } else if (const Orientation* o = std::get_if<Orientation>(&goal_)) {
      goal = Orientation{{v[0], v[3], v[6]}, {v[1], v[4], v[7]}, o->c_x, o->c_y};
    } else if (const Placement* p = std::get_if<Placement>(&goal_)) {
      const Orientation& of = p->orientation;
      goal = Placement{{v[3], v[7], v[11]}, {{v[0], v[4], v[8]}, {v[1], v[5], v[9]}, of.c_x, of.c_y}, p->w_p, p->w_o};
    } else {
      goal = with_target(goal_, Vec3(v));
    }
  }

 private:
  // (N, …), one after the other: in the memory of the array where it is contiguous and of doubles, else a copy.
  void take(const nb::object& array, const std::string& what, const std::vector<int>& shape) {
    const nb::object any = as_array(array, what.c_str());
    const nb::tuple found = any.attr("shape");
    bool fits = nb::len(found) == shape.size() + 1;
    for (std::size_t k = 0; fits && k < shape.size(); ++k) fits = nb::cast<int>(nb::object(found[k + 1])) == shape[k];
    if (!fits) {
      std::string expected = "(N";
      for (const int n : shape) expected += ", " + std::to_string(n);
      fail(what, "an array of shape " + text_of(found), "one of shape " + expected + ")");
    }
    for (const int n : shape) size_ *= n;
    count_ = nb::cast<std::size_t>(nb::object(found[0]));
    if (nb::try_cast(any, memory_, false)) {
      data_ = memory_.data();
      return;
    }
    numbers_ = to_columns({any.attr("reshape")(nb::object(found[0]), size_)}, what.c_str(), size_);
    data_ = numbers_.data();
  }

  std::string name_;
  Goal goal_;
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> memory_;
  MatX numbers_;  // of a copy
  const double* data_ = nullptr;
  std::size_t count_ = 0;
  int size_ = 1;
};

struct Row {
  Goal fixed;  // without targets
  std::optional<Targets> targets;
};

// Targets by constraint: a mapping, or the array of the only one.
std::vector<Row> rows_of(const nb::handle_t<ProblemObject>& self, const nb::object& targets) {
  const auto& constraints = nb::cast<ProblemObject&>(self).problem.constraints();
  std::vector<Row> rows(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c)
    if (constraints[c].alternatives().size() == 1) rows[c].fixed = constraints[c].alternatives().front().goal;
  if (!nb::hasattr(targets, "items")) {
    std::vector<std::size_t> movable;
    for (std::size_t c = 0; c < constraints.size(); ++c)
      if (constraints[c].alternatives().size() == 1) movable.push_back(c);
    if (movable.size() != 1)
      fail("targets", "one array for " + std::to_string(movable.size()) + " constraints",
           "a mapping from constraints to arrays");
    rows[movable[0]].targets.emplace(constraints[movable[0]], targets);
    return rows;
  }
  for (const nb::handle item : targets.attr("items")()) {
    const nb::tuple pair = nb::cast<nb::tuple>(item);
    ConstraintObject key;
    if (!nb::isinstance<ConstraintObject>(pair[0]))
      fail("targets", repr_of(nb::object(pair[0])), "constraints as keys, as Problem.add() gives them");
    key = nb::cast<ConstraintObject>(pair[0]);
    if (!key.problem.is(self)) fail("targets", "a constraint of another problem", "those of this one");
    const Constraint& constraint = key.found();
    rows[static_cast<std::size_t>(&constraint - constraints.data())].targets.emplace(constraint, nb::borrow(pair[1]));
  }
  return rows;
}

std::size_t count_of(const std::vector<Row>& rows) {
  std::optional<std::size_t> count;
  for (const Row& row : rows)
    if (row.targets) {
      if (count && *count != row.targets->count())
        fail(row.targets->where(), std::to_string(row.targets->count()) + " problems",
             std::to_string(*count) + ", as many as the others");
      count = row.targets->count();
    }
  if (!count) fail("targets", "none", "an array for at least one constraint");
  return *count;
}

MatX starts(const Figure& figure, const nb::object& start, std::size_t count) {
  const auto n = static_cast<Eigen::Index>(count), size = static_cast<Eigen::Index>(figure.parameters().size());
  if (start.is_none()) return figure.rest().theta.replicate(1, n);
  if (nb::isinstance<PoseObject>(start) || nb::hasattr(start, "items"))
    return to_pose(figure, PoseLike{start}).theta.replicate(1, n);
  const nb::object array = as_array(start, "start");
  if (nb::cast<int>(array.attr("ndim")) == 1) return to_pose(figure, PoseLike{array}).theta.replicate(1, n);
  MatX poses = to_columns({array}, "start", size);
  if (poses.cols() != n)
    fail("start", std::to_string(poses.cols()) + " poses",
         std::to_string(count) + ", one per problem, or a single one");
  return poses;
}

BatchObject solve_many(nb::handle_t<ProblemObject> self, const nb::object& targets, const nb::object& start,
                       double met_mm, double met_degrees, int lane_tries, int lanes, int threads,
                       const std::string& device, const nb::object& progress, const nb::kwargs& given) {
  auto& object = nb::cast<ProblemObject&>(self);
  const Problem& problem = object.problem;
  const std::vector<Row> rows = rows_of(self, targets);
  const std::size_t count = count_of(rows);
  BatchObject result;
  result.poses = starts(problem.figure(), start, count);
  result.met.assign(count, 0);
  BatchOptions options{.met_metres = met_mm / 1000.0,
                       .met_degrees = met_degrees,
                       .lanes = lanes,
                       .lane_tries = lane_tries,
                       .threads = threads};
  if (device != "cpu" && device != "gpu") fail("device", "'" + device + "'", "'cpu' or 'gpu'");
  if (device == "gpu") options.device = Device::gpu;
  if (given.size() > 0) {
    options.thorough = to_options(problem.figure(), given);
    if (!given.contains("restarts")) options.thorough.restarts = 4;
  }
  Interrupts watch;
  options.thorough.observer = [&](const Progress&) { return watch.proceed(); };
  std::optional<Diagnostic> wrong;
  const std::size_t workers =
      threads > 0 ? static_cast<std::size_t>(threads) : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t stretch =
      std::max(stretch_of_a_thread * workers, options.device == Device::gpu ? stretch_of_a_card : 0);
  const InUse in_use(object.users);
  {
    const nb::gil_scoped_release release;
    std::vector<Goal> goals(std::min(count, stretch) * rows.size());
    MatX some;
    for (std::size_t from = 0; from < count || from == 0; from += stretch) {
      const std::size_t part = std::min(stretch, count - from);
      const auto first = static_cast<Eigen::Index>(from), size = static_cast<Eigen::Index>(part);
      goals.resize(part * rows.size());
      for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t k = 0; k < part; ++k) {
          Goal& goal = goals[k * rows.size() + r];
          if (rows[r].targets)
            rows[r].targets->write(from + k, goal);
          else if (from == 0)
            goal = rows[r].fixed;
        }
      const bool whole = part == count;
      if (whole)
        some.swap(result.poses);
      else
        some = result.poses.middleCols(first, size);
      const Expected<BatchReport> report = solve_batch(problem, goals, some, options);
      if (whole)
        some.swap(result.poses);
      else
        result.poses.middleCols(first, size) = some;
      if (!report) {
        wrong = report.error();
        break;
      }
      std::copy(report->met.begin(), report->met.end(), result.met.begin() + static_cast<std::ptrdiff_t>(from));
      result.met_count += report->met_count;
      result.in_lanes += report->in_lanes;
      result.one_by_one += report->one_by_one;
      result.card = report->card;
      result.no_card = report->no_card;
      if (!watch.proceed()) break;
      if (!progress.is_none() && !watch.ask([&] { return goes_on(progress(from + part, count)); })) break;
      if (count == 0) break;
    }
  }
  watch.rethrow();
  object.rethrow();
  if (wrong) fail(*wrong);
  return result;
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<BatchObject>(m, "Batch", "The poses of many problems.")
      .def_prop_ro(
          "poses", [](BatchObject& b) { return view_columns(b.poses); }, nb::rv_policy::reference_internal,
          "(N, parameters); within all limits.")
      .def_prop_ro(
          "met", [](const BatchObject& b) { return new_flags(b.met); }, "Whether all constraints are met, (N,).")
      .def_ro("met_count", &BatchObject::met_count, "How many are met.")
      .def_ro("in_lanes", &BatchObject::in_lanes, "Solved several at a time.")
      .def_ro("one_by_one", &BatchObject::one_by_one, "Solved one by one.")
      .def_ro("card", &BatchObject::card, "With device='gpu': the card that solved problems; else empty.")
      .def_ro("no_card", &BatchObject::no_card, "With device='gpu': a sentence, if the processor had to solve them.")
      .def("__len__", [](const BatchObject& b) { return b.poses.cols(); })
      .def("__repr__", [](const BatchObject& b) {
        return "<limber.Batch: " + std::to_string(b.met_count) + " of " + std::to_string(b.poses.cols()) + " met>";
      });
  static const std::string signature =
      "def solve_batch(problem: Problem, targets: numpy.typing.ArrayLike | collections.abc.Mapping[Constraint, "
      "numpy.typing.ArrayLike], start: Pose | numpy.typing.ArrayLike | collections.abc.Mapping[str, float] | None = "
      "None, *, met_mm: float = 1.0, met_degrees: float = 0.1, lane_tries: int = 64, lanes: int = 0, threads: int = 0, "
      "device: str = 'cpu', progress: collections.abc.Callable[[int, int], bool | None] | None = None, " +
      [] {
        // The thresholds have their own arguments.
        std::string text = option_arguments();
        for (const char* key : {", met_mm: ", ", met_degrees: "}) {
          const std::size_t begin = text.find(key), end = text.find(", ", begin + 2);
          text.erase(begin, (end == std::string::npos ? text.size() : end) - begin);
        }
        return text;
      }() +
      ") -> Batch";
  m.def(
      "solve_batch", &solve_many, "problem"_a, "targets"_a, "start"_a = nb::none(), nb::kw_only(), "met_mm"_a = 1.0,
      "met_degrees"_a = 0.1, "lane_tries"_a = 64, "lanes"_a = 0, "threads"_a = 0, "device"_a = "cpu",
      "progress"_a = nb::none(), "options"_a, nb::sig(signature.c_str()),
      "Solves many problems that differ only in the targets of their goals.\n\n"
      "`targets` has one row per problem, of the only constraint, or by constraint: (N, 3) for points and "
      "directions, (N, 3, 3) for an Orientation, (N, 4, 4) for a Placement. `start` is one pose for all, or (N, "
      "parameters). The result does not depend on `threads`; 0: all cores. It differs by rounding between processors "
      "with lanes of other widths, unless `lanes` is 4, 8 (AVX2) or 16 (AVX-512). Other options are those of "
      "solve(), for "
      "problems that are solved one by one. With `device='gpu'` simple problems are solved on a GPU, if there is one "
      "(doc/gpu.md); `card` and `no_card` of the result say so. `progress(done, of)` may return False to end early.\n\n"
      ">>> figure = limber.human()\n"
      ">>> problem = limber.Problem(figure)\n"
      ">>> _ = problem.add(figure.point('right_palm'), limber.Position([0, 0, 0]), chain_from='right_shoulder')\n"
      ">>> limber.solve_batch(problem, [[-0.3, 1.1, 0.4], [-0.3, 1.2, 0.4]])\n"
      "<limber.Batch: 2 of 2 met>");
}

}  // namespace limber::python
