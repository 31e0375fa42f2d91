// The objects of the binding that are more than a value of the library: a pose knows its figure, a problem knows
// whether somebody solves it.
#pragma once

#include "bind.h"

namespace limber::python {

inline constexpr Names<Shape, 7> shapes = {{{"point", Shape::point},
                                            {"direction", Shape::direction},
                                            {"directions", Shape::directions},
                                            {"ray", Shape::ray},
                                            {"frame", Shape::frame},
                                            {"two-points", Shape::two_points},
                                            {"three-points", Shape::three_points}}};
inline constexpr Names<Sex, 2> sexes = {{{"male", Sex::male}, {"female", Sex::female}}};

// The figure says what the numbers are.
struct PoseObject {
  Figure figure;
  Pose pose;
};

// A pose, or numbers by parameter, or numbers by name where the others are at rest.
struct PoseLike {
  nb::object value;
};
Pose to_pose(const Figure& figure, const PoseLike& pose);
Pose to_pose(const Figure& figure, const std::optional<PoseLike>& pose);

// Numbers by name; the others have `otherwise`.
VecX by_name(const Figure& figure, const nb::object& numbers, const char* what, double otherwise);

// A problem may be solved by several threads at once, but not changed meanwhile: that is refused.
class InUse {
 public:
  explicit InUse(int& users) : users_(users) { ++users_; }
  ~InUse() { --users_; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  int& users_;
};

bool calls_python(const Problem& problem);

struct ProblemObject {
  Problem problem;
  int users = 0;
  bool calls_python = false;  // it has had a goal of somebody's own

  explicit ProblemObject(const Figure& figure) : problem(figure) {}
  explicit ProblemObject(Problem p) : problem(std::move(p)), calls_python(python::calls_python(problem)) {}

  // For a change.
  Problem& editable() {
    if (users > 0) fail("problem", "a change while it is solved", "a problem that no other call uses");
    return problem;
  }
  // After a solve: the exception that a goal of one's own has thrown.
  void rethrow() const;
};

// A constraint of a problem. The problem lives as long as this.
struct ConstraintObject {
  nb::object problem;
  ConstraintId id = {};

  ProblemObject& of() const { return nb::cast<ProblemObject&>(problem); }
  // Rejected where it was removed.
  const Constraint& found() const;
};

struct ReportObject {
  Report report;
  PoseObject pose;
  std::shared_ptr<const std::vector<std::string>> names = nullptr;  // of limits, where it was read from a pickle
};

struct ClipObject {
  Figure figure;
  Clip clip;  // its size never changes: arrays of Python look at it
};

// For pickle.
nb::tuple obstacle_state(const Obstacle& obstacle);
Obstacle obstacle_of(const nb::tuple& state);
nb::tuple problem_state(const ProblemObject& problem);
void set_problem_state(ProblemObject& self, const nb::tuple& state);

struct SceneObject {
  Scene scene;
  nb::object load = nb::none();  // gives the figure of a file that it names
};

// Reads an option by the table of the library, a goal, a handle …
Options to_options(const Figure& figure, const nb::kwargs& given);
void set_option(Options& options, const Figure* figure, const std::string& key, const nb::handle& value);
std::string option_arguments();

Goal to_goal(const nb::handle& goal, const char* what = "goal");
nb::object from_goal(const Goal& goal);
bool calls_python(const Goal& goal);

}  // namespace limber::python

namespace nanobind::detail {

template <>
struct type_caster<limber::python::PoseLike> {
  NB_TYPE_CASTER(limber::python::PoseLike,
                 const_name("Pose | numpy.typing.ArrayLike | collections.abc.Mapping[str, float]"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (source.is_none()) return false;
    value.value = borrow(source);
    return true;
  }
};

}  // namespace nanobind::detail
