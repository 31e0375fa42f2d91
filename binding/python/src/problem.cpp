// Problems: constraints on one figure, solved as a group.
#include "objects.h"

namespace limber::python {

namespace {

MatX weighting_of(const std::optional<ArrayLike>& weighting) {
  return weighting ? to_matrix(*weighting, "weighting", -1, -1) : MatX();
}

ConstraintOptions constraint_options(double weight, int priority, const std::optional<ArrayLike>& weighting,
                                     const std::string& chain_from, const std::string& name, bool soft) {
  return {.weight = weight,
          .priority = priority,
          .weighting = weighting_of(weighting),
          .from = chain_from,
          .name = name,
          .soft = soft};
}

// A rejected constraint raises here, so the problem need not remember it.
template <class T>
T added(Problem& problem, Expected<T> id) {
  if (!id) problem.clear_rejections();
  if constexpr (std::is_void_v<T>)
    unwrap(id);
  else
    return unwrap(std::move(id));
}

ConstraintObject add_goal(nb::handle_t<ProblemObject> self, const Handle& handle, const nb::object& goal, double weight,
                          int priority, const std::optional<ArrayLike>& weighting, const std::string& chain_from,
                          const std::string& name, bool soft) {
  auto& object = nb::cast<ProblemObject&>(self);
  Goal value = to_goal(goal);
  Problem& problem = object.editable();
  object.calls_python = object.calls_python || calls_python(value);
  const ConstraintId id = added(
      problem,
      problem.add(handle, std::move(value), constraint_options(weight, priority, weighting, chain_from, name, soft)));
  return {nb::borrow(self), id};
}

ConstraintObject add_one_of(nb::handle_t<ProblemObject> self,
                            const std::vector<std::pair<Handle, nb::object>>& alternatives, double weight, int priority,
                            const std::optional<ArrayLike>& weighting, const std::string& chain_from,
                            const std::string& name, bool soft) {
  auto& object = nb::cast<ProblemObject&>(self);
  std::vector<std::pair<Expected<Handle>, Goal>> all;
  for (const auto& [handle, goal] : alternatives) {
    all.emplace_back(handle, to_goal(goal));
    object.calls_python = object.calls_python || calls_python(all.back().second);
  }
  Problem& problem = object.editable();
  const ConstraintId id = added(
      problem,
      problem.add_one_of(std::move(all), constraint_options(weight, priority, weighting, chain_from, name, soft)));
  return {nb::borrow(self), id};
}

// Towards 'rest', 'middle', 'comfort', 'usual', or a pose.
PosePull pull_towards(const Figure& figure, const nb::object& towards_what,
                      const std::optional<nb::object>& stiffness) {
  if (nb::isinstance<nb::str>(towards_what)) {
    const auto name = nb::cast<std::string>(towards_what);
    if (stiffness) fail("stiffness", "one beside '" + name + "'", "a stiffness only with a pose");
    if (name == "rest") return towards(figure, figure.rest());
    if (name == "middle") return towards_middle(figure);
    if (name == "comfort") return towards_comfort(figure);
    if (name == "usual") {
      if (!has_prior(figure)) fail("towards", "'usual', of a figure without a prior", "a figure with a prior");
      return towards_usual(figure);
    }
    fail("towards", "'" + name + "'", "'rest', 'middle', 'comfort', 'usual' or a pose");
  }
  const Pose pose = to_pose(figure, PoseLike{towards_what});
  if (!stiffness) return towards(figure, pose);
  const auto size = static_cast<Eigen::Index>(figure.parameters().size());
  return stiffly_towards(pose, nb::hasattr(*stiffness, "items") ? by_name(figure, *stiffness, "stiffness", 0.0)
                                                                : to_vector({*stiffness}, "stiffness", size));
}

ConstraintObject add_pull(nb::handle_t<ProblemObject> self, const nb::object& towards_what, double weight, int priority,
                          const std::optional<nb::object>& stiffness, const std::string& name, bool soft) {
  Problem& problem = nb::cast<ProblemObject&>(self).editable();
  const ConstraintId id =
      added(problem, problem.add_pull(pull_towards(problem.figure(), towards_what, stiffness),
                                      {.weight = weight, .priority = priority, .name = name, .soft = soft}));
  return {nb::borrow(self), id};
}

ConstraintObject add_clearance(nb::handle_t<ProblemObject> self, const std::vector<Obstacle>& obstacles,
                               bool self_collision, const std::vector<std::pair<std::string, std::string>>& between,
                               double margin, double weight, int priority, const std::string& name, bool soft) {
  Problem& problem = nb::cast<ProblemObject&>(self).editable();
  const Figure& figure = problem.figure();
  Clearance clearance{.capsules = capsules_of(figure), .obstacles = obstacles, .pairs = {}, .margin = margin};
  if (self_collision) clearance.pairs = pairs_to_check(figure, clearance.capsules, margin);
  for (const auto& [first, second] : between) {
    const auto pairs = unwrap(pairs_between(figure, clearance.capsules, first, second));
    clearance.pairs.insert(clearance.pairs.end(), pairs.begin(), pairs.end());
  }
  const ConstraintId id =
      added(problem, problem.add_clearance(std::move(clearance),
                                           {.weight = weight, .priority = priority, .name = name, .soft = soft}));
  return {nb::borrow(self), id};
}

ConstraintObject add_balance_over(nb::handle_t<ProblemObject> self, const std::vector<std::string>& feet,
                                  const std::optional<PoseLike>& pose, double margin, double weight, int priority,
                                  const std::string& name) {
  Problem& problem = nb::cast<ProblemObject&>(self).editable();
  const ConstraintId id = added(
      problem,
      limber::add_balance(problem, to_pose(problem.figure(), pose), feet,
                          {.margin = margin, .constraint = {.weight = weight, .priority = priority, .name = name}}));
  return {nb::borrow(self), id};
}

ConstraintObject add_strength(nb::handle_t<ProblemObject> self,
                              const std::vector<std::pair<std::string, double>>& loads, double share, double percentile,
                              const std::string& sex, double weight) {
  Problem& problem = nb::cast<ProblemObject&>(self).editable();
  std::vector<SharedLoad> shared;
  for (const auto& [place, mass] : loads) shared.push_back({{place}, mass});
  StrengthLimit limit{.carried = unwrap(carried_load(problem.figure(), shared, CarriedBy::usual)),
                      .share = share,
                      .table = human_strength(to_enum(sexes, sex, "sex")),
                      .strength = {.percentile = percentile}};
  const ConstraintId id = added(problem, problem.add_strength(std::move(limit), {.weight = weight}));
  return {nb::borrow(self), id};
}

std::vector<ConstraintObject> constraints_of(nb::handle_t<ProblemObject> self) {
  std::vector<ConstraintObject> all;
  for (const Constraint& constraint : nb::cast<ProblemObject&>(self).problem.constraints())
    all.push_back({nb::borrow(self), constraint.id});
  return all;
}

std::vector<std::string> parameter_names(const Figure& figure, const std::vector<int>& parameters) {
  std::vector<std::string> names;
  for (const int j : parameters) names.push_back(figure.parameters()[static_cast<std::size_t>(j)].name);
  return names;
}

nb::object goal_of(const ConstraintObject& c) {
  const auto alternatives = c.found().alternatives();
  if (alternatives.size() != 1)
    fail("constraint '" + c.found().name + "'", std::to_string(alternatives.size()) + " goals", "one goal");
  return from_goal(alternatives.front().goal);
}

void set_goal(const ConstraintObject& c, const nb::object& goal) {
  Goal value = to_goal(goal);
  ProblemObject& object = c.of();
  Problem& problem = object.editable();
  object.calls_python = object.calls_python || calls_python(value);
  c.found();
  unwrap(problem.set_goal(c.id, std::move(value)));
}

void bind_constraints(nb::module_& m) {
  nb::class_<ConstraintObject>(m, "Constraint", "A constraint of a problem, as Problem.add() gives it.")
      .def_prop_ro(
          "problem",
          [](const ConstraintObject& c) { return nb::borrow<nb::typed<nb::object, ProblemObject>>(c.problem); },
          "Its problem.")
      .def_prop_ro(
          "name", [](const ConstraintObject& c) { return c.found().name; }, "As reports name it.")
      .def_prop_rw("goal", &goal_of, &set_goal, "Its goal, a copy: set it to change it. A Solver keeps its memory.",
                   nb::for_getter(nb::sig("def goal(self) -> Goal")),
                   nb::for_setter(nb::sig("def goal(self, goal: Goal, /) -> None")))
      .def_prop_rw(
          "weight", [](const ConstraintObject& c) { return c.found().weight; },
          [](const ConstraintObject& c, double weight) {
            c.found();
            unwrap(c.of().editable().set_weight(c.id, weight));
          },
          "Above 0, or limber.must; 0: ignored.")
      .def_prop_rw(
          "enabled", [](const ConstraintObject& c) { return c.found().enabled; },
          [](const ConstraintObject& c, bool enabled) {
            c.found();
            unwrap(c.of().editable().set_enabled(c.id, enabled));
          },
          "Whether it counts.")
      .def_prop_ro(
          "priority", [](const ConstraintObject& c) { return c.found().priority; },
          "1 is not disturbed by 2, and so on.")
      .def_prop_ro(
          "soft", [](const ConstraintObject& c) { return c.found().soft; },
          "Whether its weight is reduced until the others are met.")
      .def_prop_ro(
          "chain",
          [](const ConstraintObject& c) { return tuple_of(parameter_names(c.of().problem.figure(), c.found().chain)); },
          "The parameters that may move for it.")
      .def(
          "set_target",
          [](const ConstraintObject& c, const PoseLike& pose) {
            c.found();
            Problem& problem = c.of().editable();
            unwrap(problem.set_pull(c.id, to_pose(problem.figure(), pose).theta));
          },
          "pose"_a, "Another pose for a pull towards a pose.")
      .def(
          "move_obstacle",
          [](const ConstraintObject& c, int obstacle, const ArrayLike& frame) {
            c.found();
            if (obstacle < 0) fail("obstacle", std::to_string(obstacle), "its number, from 0");
            unwrap(c.of().editable().set_obstacle(c.id, static_cast<std::size_t>(obstacle), to_frame(frame, "frame")));
          },
          "obstacle"_a, "frame"_a, "Moves an obstacle of a clearance; by its number.")
      .def(
          "remove",
          [](const ConstraintObject& c) {
            c.found();
            unwrap(c.of().editable().remove(c.id));
          },
          "Removes it from the problem.")
      .def(
          "__eq__",
          [](const ConstraintObject& a, const nb::object& b) {
            if (!nb::isinstance<ConstraintObject>(b)) return false;
            const auto& other = nb::cast<const ConstraintObject&>(b);
            return a.problem.is(other.problem) && a.id == other.id;
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const ConstraintObject& c) { return static_cast<int>(c.id); })
      .def("__getstate__", [](const ConstraintObject& c) { return nb::make_tuple(c.problem, static_cast<int>(c.id)); })
      .def("__setstate__",
           [](ConstraintObject& c, const nb::tuple& state) {
             new (&c) ConstraintObject{nb::object(state[0]), ConstraintId{nb::cast<int>(nb::object(state[1]))}};
           })
      .def("__repr__", [](const ConstraintObject& c) {
        const Constraint* found = c.of().problem.find(c.id);
        return found ? "<limber.Constraint '" + found->name + "'>" : std::string("<limber.Constraint, removed>");
      });
}

}  // namespace

const Constraint& ConstraintObject::found() const {
  const Constraint* constraint = of().problem.find(id);
  if (!constraint) fail("constraint", "one that was removed", "a constraint of the problem");
  return *constraint;
}

void bind_problem(nb::module_& m) {
  bind_constraints(m);
  nb::class_<ProblemObject>(
      m, "Problem",
      "Constraints on one figure, solved as a group.\n\n"
      ">>> figure = limber.human()\n"
      ">>> problem = limber.Problem(figure)\n"
      ">>> hand = problem.add(figure.point('right_palm'), limber.Position([-0.2, 1.1, 0.5]), chain_from='waist')\n"
      ">>> foot = problem.add(figure.frame('left_foot'), limber.hold(), weight=limber.must)\n"
      ">>> report = limber.solve(problem)\n"
      ">>> report.met\n"
      "True")
      .def(nb::init<const Figure&>(), "figure"_a)
      .def_prop_ro(
          "figure", [](const ProblemObject& p) { return p.problem.figure(); }, "Its figure.")
      .def_prop_ro(
          "constraints", [](nb::handle_t<ProblemObject> self) { return tuple_of(constraints_of(self)); },
          "All constraints, in the order of the report.")
      .def("__len__", [](const ProblemObject& p) { return p.problem.constraints().size(); })
      .def(
          "add", &add_goal, "handle"_a, "goal"_a, nb::kw_only(), "weight"_a = 1.0, "priority"_a = 1,
          "weighting"_a = nb::none(), "chain_from"_a = "", "name"_a = "", "soft"_a = false,
          nb::sig("def add(self, handle: Handle, goal: Goal, *, weight: float = 1.0, priority: int = 1, weighting: "
                  "numpy.typing.ArrayLike | None = None, chain_from: str = '', name: str = '', soft: bool = False) "
                  "-> Constraint"),
          "Adds a goal for a handle. `weight` may be limber.must; `chain_from` is the first joint that may move for "
          "it (default: all the way to the world); a constraint of `priority` 2 never disturbs one of 1; the weight of "
          "a `soft` one is reduced until the others are met; `weighting` is W of rᵀ W r.")
      .def("add_one_of", &add_one_of, "alternatives"_a, nb::kw_only(), "weight"_a = 1.0, "priority"_a = 1,
           "weighting"_a = nb::none(), "chain_from"_a = "", "name"_a = "", "soft"_a = false,
           nb::sig("def add_one_of(self, alternatives: collections.abc.Sequence[tuple[Handle, Goal]], *, weight: float "
                   "= 1.0, priority: int = 1, weighting: numpy.typing.ArrayLike | None = None, chain_from: str = '', "
                   "name: str = '', soft: bool = False) -> Constraint"),
           "Of several pairs of handle and goal, one must be met.")
      .def("add_pull", &add_pull, "towards"_a, nb::kw_only(), "weight"_a = 1e-3, "priority"_a = 1,
           "stiffness"_a = nb::none(), "name"_a = "", "soft"_a = false,
           nb::sig("def add_pull(self, towards: str | Pose | numpy.typing.ArrayLike | collections.abc.Mapping[str, "
                   "float], *, weight: float = 0.001, priority: int = 1, stiffness: numpy.typing.ArrayLike | "
                   "collections.abc.Mapping[str, float] | None = None, name: str = '', soft: bool = False) -> "
                   "Constraint"),
           "Draws the parameters towards 'rest', 'middle' (of the limits), 'comfort', 'usual' (the prior) or a pose. "
           "`stiffness` by parameter: a stiff one moves less, as long as others can.")
      .def(
          "add_clearance", &add_clearance, "obstacles"_a = std::vector<Obstacle>(), nb::kw_only(),
          "self_collision"_a = false, "between"_a = std::vector<std::pair<std::string, std::string>>(),
          "margin"_a = 0.0, "weight"_a = must, "priority"_a = 1, "name"_a = "", "soft"_a = false,
          nb::sig("def add_clearance(self, obstacles: collections.abc.Sequence[Obstacle] = [], *, self_collision: "
                  "bool = False, between: collections.abc.Sequence[tuple[str, str]] = [], margin: float = 0.0, weight: "
                  "float = must, priority: int = 1, name: str = '', soft: bool = False) -> Constraint"),
          "Keeps the figure clear of obstacles, of itself, and bodies of each other, by `margin` metres.")
      .def("add_balance", &add_balance_over, "feet"_a, nb::kw_only(), "pose"_a = nb::none(), "margin"_a = 0.0,
           "weight"_a = balance_weight, "priority"_a = 1, "name"_a = "",
           "Keeps the centre of mass over these feet, as they stand in the pose (default: at rest).")
      .def("add_strength", &add_strength, "loads"_a = std::vector<std::pair<std::string, double>>(), nb::kw_only(),
           "share"_a = 1.0, "percentile"_a = 50.0, "sex"_a = "male", "weight"_a = must,
           nb::sig("def add_strength(self, loads: collections.abc.Sequence[tuple[str, float]] = [], *, share: float = "
                   "1.0, percentile: float = 50.0, sex: str = 'male', weight: float = must) -> Constraint"),
           "Keeps joint torques within a share of human strength; `loads` are pairs of place and kilograms.")
      .def(
          "add_prior",
          [](ProblemObject& p, double weight) {
            Problem& problem = p.editable();
            added(problem, problem.add_prior(weight));
          },
          "weight"_a = 1.0, "The figure's usual poses as soft constraints.")
      .def(
          "set_rigidity",
          [](ProblemObject& p, std::string_view parameter, double rigidity) {
            unwrap(p.editable().set_rigidity(parameter, rigidity));
          },
          "parameter"_a, "rigidity"_a, "0 is free, 1 fixes the parameter.")
      .def_prop_ro(
          "rigidities", [](const ProblemObject& p) { return new_array(p.problem.rigidities()); }, "By parameter.")
      .def_prop_ro(
          "variables",
          [](const ProblemObject& p) { return tuple_of(parameter_names(p.problem.figure(), p.problem.variables())); },
          "The parameters that some constraint may move.")
      .def(
          "copy", [](const ProblemObject& p) { return ProblemObject(p.problem); },
          "A problem of its own with the same constraints.")
      .def("__copy__", [](const ProblemObject& p) { return ProblemObject(p.problem); })
      .def(
          "__deepcopy__", [](const ProblemObject& p, const nb::object&) { return ProblemObject(p.problem); }, "memo"_a)
      .def("__getstate__", &problem_state)
      .def("__setstate__", &set_problem_state)
      .def(
          "jacobian",
          [](const ProblemObject& p, const std::optional<PoseLike>& pose) {
            return unwrap(goal_jacobian(p.problem, to_pose(p.problem.figure(), pose)));
          },
          "pose"_a = nb::none(), "The Jacobian of the goals in a pose, and how well it is conditioned.")
      .def("__repr__", [](const ProblemObject& p) {
        return "<limber.Problem on '" + p.problem.figure().name() +
               "': " + std::to_string(p.problem.constraints().size()) + " constraints>";
      });
  nb::class_<GoalJacobian>(m, "GoalJacobian", "The Jacobian of the goals of a problem in a pose.")
      .def_prop_ro(
          "J", [](const GoalJacobian& g) { return new_matrix(g.J); }, "In metres and radians.")
      .def_prop_ro(
          "singular_values", [](const GoalJacobian& g) { return new_array(g.singular_values); },
          "Decreasing, dimensionless.")
      .def_ro("rank", &GoalJacobian::rank, "How many are above rounding.")
      .def_prop_ro("condition", &GoalJacobian::condition,
                   "The largest over the smallest; infinite in a singular pose.");
}

}  // namespace limber::python
