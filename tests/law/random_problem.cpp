#include "tests/law/random_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"

namespace limber::law {

namespace {

std::string any_place(Random& random, const Figure& figure) {
  const auto pick = [&](const auto& list) {
    return list[static_cast<std::size_t>(random.integer(0, static_cast<int>(list.size()) - 1))].name;
  };
  if (!figure.sites().empty() && random.chance(0.7)) return pick(figure.sites());
  return pick(figure.segments());
}

std::vector<Face> random_block(Random& random, const Vec3& centre, double size) {
  const Mat3 R = random.rotation();
  std::vector<Face> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      faces.push_back({centre + side * size * random.between(0.3, 1.0) * R.col(axis), side * R.col(axis)});
  return faces;
}

// The joint of an ancestor of the handle's segment, or of itself.
std::string some_ancestor(Random& random, const Figure& figure, const Handle& handle) {
  std::vector<std::string> names;
  if (handle.plus[0].kind != Element::Kind::mass_centre)
    for (int s = handle.plus[0].segment; s != no_parent; s = figure.segments()[static_cast<std::size_t>(s)].parent)
      names.push_back(figure.segments()[static_cast<std::size_t>(s)].name);
  if (names.empty()) return {};
  return names[static_cast<std::size_t>(random.integer(0, static_cast<int>(names.size()) - 1))];
}

// A third of the starts have active limits, some are outside.
Pose random_start(Random& random, const Figure& figure, bool within) {
  Pose pose = random_pose(random, figure);
  const bool active = random.chance(0.33), outside = !within && random.chance(0.1);
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    if (active && figure.limit_rows().empty() && random.chance(0.4)) {
      const double limit = random.chance(0.5) ? range.lower : range.upper;
      if (std::isfinite(limit)) pose.theta[j] = limit;
    }
    if (outside && random.chance(0.3))
      pose.theta[j] += span_of(figure, static_cast<int>(j)) * random.between(-2.0, 2.0);
  }
  return pose;
}

}  // namespace

Expected<Handle> make_handle(const Figure& figure, const HandleSpec& spec) {
  Expected<Handle> handle = figure.mass_centre();
  switch (spec.kind) {
    case HandleSpec::Kind::point:
      handle = figure.point(spec.place);
      break;
    case HandleSpec::Kind::direction:
      handle = figure.direction(spec.place, spec.local);
      break;
    case HandleSpec::Kind::ray:
      handle = figure.ray(spec.place);
      break;
    case HandleSpec::Kind::frame:
      handle = figure.frame(spec.place);
      break;
    case HandleSpec::Kind::mass_centre:
      break;
  }
  if (spec.less.empty()) return handle;
  switch (spec.kind) {
    case HandleSpec::Kind::direction:
      return difference(handle, figure.direction(spec.less, spec.local));
    case HandleSpec::Kind::frame:
      return difference(handle, figure.frame(spec.less));
    default:
      return difference(handle, figure.point(spec.less));
  }
}

Goal shell_goal(const Shell& shell) {
  CustomGoal goal;
  goal.title = "shell";
  goal.residual = [shell](const HandleValue& x, Residual& out) {
    const Vec3 d = x[0] - shell.p;
    out.r[0] = (d.squaredNorm() - shell.radius * shell.radius) / shell.radius;
    out.row(0, 0) = (2.0 / shell.radius) * d.transpose();
  };
  goal.error_function = [shell](const HandleValue& x) {
    return GoalError{std::fabs((x[0] - shell.p).norm() - shell.radius), {}};
  };
  return goal;
}

Goal make_goal(const AlternativeSpec& spec) { return spec.shell ? shell_goal(*spec.shell) : spec.goal; }

AlternativeSpec random_goal(Random& random, const Figure& figure, const Pose& reach, int which, double off) {
  using Kind = HandleSpec::Kind;
  const double length = figure.length();
  const double c = length * random.between(0.05, 0.6);  // an angle counts as much as some part of the figure
  AlternativeSpec spec{{Kind::point, any_place(random, figure)}, Position{}};
  if (which == 1) spec.handle = {Kind::direction, any_place(random, figure), random.direction()};
  if (which == 2 || which == 3) spec.handle.kind = Kind::frame;
  if (which == 4) spec.handle.kind = Kind::ray;
  if (which == 13) spec.handle.kind = static_cast<Kind>(random.integer(0, 3));
  if (which == 12) {
    spec.handle.kind = random.chance(0.3) ? Kind::direction : random.chance(0.5) ? Kind::frame : Kind::point;
    spec.handle.less = any_place(random, figure);
  }
  if (which == 15 || (spec.handle.kind == Kind::point && random.chance(0.15)))
    spec.handle = {Kind::mass_centre, {}, Vec3::UnitX(), spec.handle.less};
  // A goal for a difference of two points now and then.
  if ((which == 0 || which == 6 || which == 4 || which == 16) && random.chance(0.25))
    spec.handle.less = any_place(random, figure);

  const Kinematics state = forward(figure, reach);
  Vec3 e[max_elements];
  evaluate(figure, state, *make_handle(figure, spec.handle), e);
  const Vec3 p = e[0] + off * length * random.direction();
  const Vec3 v = off > 0.0 ? random.direction() : Vec3(e[0].norm() > 0.0 ? e[0].normalized() : Vec3::UnitX());
  const Vec3 aside = length * random.between(-1.0, 1.0) * v.unitOrthogonal();
  const Mat3 R = off > 0.0 ? random.rotation()
                           : rotation_from_xy(spec.handle.kind == Kind::frame ? e[1] : Vec3::UnitX(),
                                              spec.handle.kind == Kind::frame ? e[2] : Vec3::UnitY());
  Orientation turned{R.col(0), R.col(1), c, random.chance(0.2) ? 0.0 : c};
  const double w_p = random.chance(0.1) ? 1.0 : random.between(0.05, 0.95);
  const double radius = length * random.between(0.05, 0.5);
  switch (which) {
    case 1:
      spec.goal = Direction{off > 0.0 ? v : e[0], c};
      break;
    case 2:
      spec.goal = turned;
      break;
    case 3:
      spec.goal = Placement{p, turned, w_p, 1.0 - w_p};
      break;
    case 4:
      spec.goal = AimAt{p + length * random.between(0.3, 2.0) * (off > 0.0 ? v : e[1]), c};
      break;
    case 5:
      spec.goal = Line{p, v};
      break;
    case 6:
      spec.goal = Plane{p + aside, v};
      break;
    case 7:
      spec.goal = HalfSpace{p + aside, v};
      break;
    case 8:
      spec.goal = InsidePolyhedron{random_block(random, p, radius)};
      break;
    case 9:
      spec.goal = OutsidePolyhedron{random_block(random, e[0] + 0.3 * radius * random.direction(), 2.0 * radius)};
      break;
    case 10:
      spec.goal = InsideCapsule{{p, p + aside, radius}};
      break;
    case 11:
      spec.goal = OutsideCapsule{{e[0] + 0.3 * radius * random.direction(), p + aside, radius}};
      break;
    case 12:
      spec.goal = Coincide{c};
      break;
    case 13:
      spec.goal = Hold{{c}};
      break;
    case 14:
      spec.shell = Shell{p + length * random.between(0.5, 1.5) * v, length * random.between(0.5, 1.5)};
      break;
    case 16:  // met at the pose `reach` where `off` is 0
      spec.goal =
          Distance{e[0] + radius * v.unitOrthogonal(), std::max(0.0, radius + off * length * random.between(-1, 1)),
                   static_cast<Distance::Bound>(random.integer(0, 2))};
      break;
    default:
      spec.goal = Position{p};
      break;
  }
  if (random.chance(0.1) && (which == 8 || which == 9)) spec.handle = {Kind::mass_centre};
  return spec;
}

void add_to(Problem& problem, const ConstraintSpec& spec) {
  std::vector<std::pair<Expected<Handle>, Goal>> alternatives;
  for (const AlternativeSpec& alternative : spec.alternatives)
    alternatives.emplace_back(make_handle(problem.figure(), alternative.handle), make_goal(alternative));
  (void)problem.add_one_of(std::move(alternatives),
                           {.weight = spec.weight, .priority = spec.priority, .from = spec.from});
}

void set_start(Case& to, const Figure& figure, const Pose& pose) {
  to.start.clear();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j)
    to.start[figure.parameters()[j].name] = pose.theta[static_cast<Eigen::Index>(j)];
}

Case random_case(std::uint64_t seed, const CaseKind& kind) {
  Random random(seed);
  Case made;
  made.seed = seed;
  const int freedoms = random.integer(kind.freedoms_min, kind.freedoms_max);
  made.figure = random_figure(random, {freedoms, kind.limited, kind.groups, kind.rows, kind.decades});
  const Expected<Figure> figure = build_figure(made.figure);
  if (!figure) {
    ADD_FAILURE() << "the generator made a figure that is rejected, seed " << seed << ": " << figure.error().text();
    return made;
  }
  const Pose reach = random_pose(random, *figure);
  const int constraints = random.integer(1, kind.constraints_max);
  for (int k = 0; k < constraints; ++k) {
    ConstraintSpec spec;
    const int alternatives = random.chance(0.15) ? random.integer(2, 3) : 1;
    for (int a = 0; a < alternatives; ++a) {
      const double off = random.chance(0.6)   ? 0.0
                         : random.chance(0.9) ? random.between(0.05, 2.0)
                                              : random.between(2.0, 50.0);
      spec.alternatives.push_back(random_goal(random, *figure, reach, random.integer(0, goal_kinds - 1), off));
    }
    spec.weight = std::pow(10.0, random.between(-3.0, 3.0));
    if (kind.levels && random.chance(0.15)) spec.weight = must;
    if (kind.levels && spec.weight != must && random.chance(0.2)) spec.priority = random.integer(2, 4);
    if (random.chance(0.3)) {
      spec.from = some_ancestor(random, *figure, *make_handle(*figure, spec.alternatives[0].handle));
      Problem trial(*figure);
      add_to(trial, spec);
      if (!trial.rejections().empty()) spec.from.clear();  // nothing moves from there on
    }
    made.constraints.push_back(spec);
  }
  set_start(made, *figure, random_start(random, *figure, kind.start_within_limits));
  if (kind.clear != Clear::of_nothing) made.clearance = random_clearance(random, *figure, reach, kind.clear);
  return made;
}

Expected<Figure> try_build(const Case& from) { return build_figure(from.figure); }

Built build(const Case& from) {
  const Expected<Figure> figure = try_build(from);
  if (!figure) ADD_FAILURE() << "seed " << from.seed << ": " << figure.error().text();
  Built built{*figure, Problem(*figure), figure->rest()};
  for (const ConstraintSpec& spec : from.constraints) add_to(built.problem, spec);
  if (from.clearance) add_to(built.problem, *from.clearance);
  for (const auto& [name, value] : from.start) built.start.theta[*figure->find_parameter(name)] = value;
  for (const Diagnostic& rejection : built.problem.rejections())
    ADD_FAILURE() << "seed " << from.seed << ": " << rejection.text();
  return built;
}

Options options_of(const Case& made) {
  // Those that descend and converge; the later ones keep limits on single parameters only.
  constexpr Method methods[] = {Method::automatic,
                                Method::levenberg_marquardt,
                                Method::active_set_bfgs,
                                Method::projected_conjugate_gradient,
                                Method::projected_trust_region,
                                Method::projected_steepest_descent};
  constexpr std::size_t under_rows = 3;
  const std::size_t count = made.figure.limits.empty() ? std::size(methods) : under_rows;
  Options options;
  options.method = methods[made.seed % count];
  options.restarts = made.seed / count % 2 == 0 ? 0 : 2;
  return options;
}

}  // namespace limber::law
