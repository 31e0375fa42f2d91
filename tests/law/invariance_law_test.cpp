// What must not matter: where a figure stands, its scale, its names, their order, left and right; a goal in
// two halves, a goal of weight 0, a limit that is never reached.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/base/number.h"
#include "limber/obstacle/hull.h"
#include "limber/obstacle/triangle_tree.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace invariance_law_test {

const CaseKind within{.start_within_limits = true};

// What happens to points, free vectors, lengths and turning axes.
struct Change {
  Mat3 M = Mat3::Identity();  // a rotation or reflection
  Vec3 shift = Vec3::Zero();
  double scale = 1.0;

  bool reflects() const { return M.determinant() < 0.0; }
  Vec3 vector(const Vec3& v) const { return M * v; }
  Vec3 offset(const Vec3& v) const { return scale * (M * v); }
  Vec3 point(const Vec3& p, bool relative) const { return relative ? offset(p) : Vec3(offset(p) + shift); }
};

struct ChangeGoal {
  const Change& by;
  bool relative;

  void operator()(Position& g) const { g.p = by.point(g.p, relative); }
  void operator()(Direction& g) const { g.v = by.vector(g.v), g.c *= by.scale; }
  void operator()(Orientation& g) const {
    g.x = by.vector(g.x), g.y = by.vector(g.y), g.c_x *= by.scale, g.c_y *= by.scale;
  }
  void operator()(Placement& g) const { g.p = by.point(g.p, relative), (*this)(g.orientation); }
  void operator()(AimAt& g) const { g.p = by.point(g.p, relative), g.c *= by.scale; }
  void operator()(Line& g) const { g.p = by.point(g.p, relative), g.v = by.vector(g.v); }
  void operator()(Plane& g) const { g.p = by.point(g.p, relative), g.v = by.vector(g.v); }
  void operator()(HalfSpace& g) const { g.p = by.point(g.p, relative), g.v = by.vector(g.v); }
  void operator()(Distance& g) const { g.p = by.point(g.p, relative), g.d *= by.scale; }
  void operator()(InsidePolyhedron& g) const { faces(g.faces); }
  void operator()(OutsidePolyhedron& g) const { faces(g.faces); }
  void operator()(InsideCapsule& g) const { capsule(g.capsule); }
  void operator()(OutsideCapsule& g) const { capsule(g.capsule); }
  void operator()(Coincide& g) const { g.c *= by.scale; }
  void operator()(CustomGoal&) const {}

  void faces(std::vector<Face>& list) const {
    for (Face& face : list) face = {by.point(face.p, relative), by.vector(face.v)};
  }
  void capsule(Capsule& c) const { c = {by.point(c.a, relative), by.point(c.b, relative), by.scale * c.radius}; }
};

// A shape in its own frame, scaled, and reflected by L where the world is.
struct ChangeShape {
  double scale;
  Mat3 L;

  ObstacleShape operator()(const HalfSpaceShape& s) const { return s; }
  ObstacleShape operator()(const BallShape& s) const { return BallShape{scale * s.radius}; }
  ObstacleShape operator()(const Capsule& s) const { return Capsule{point(s.a), point(s.b), scale * s.radius}; }
  ObstacleShape operator()(const BoxShape& s) const { return BoxShape{scale * s.half}; }
  ObstacleShape operator()(const Polyhedron& s) const {
    std::vector<Vec3> corners;
    for (const Vec3& corner : s.hull().corners) corners.push_back(point(corner));
    return *Polyhedron::build(corners);
  }
  ObstacleShape operator()(const TriangleMesh& s) const {
    std::vector<Vec3> corners;
    std::vector<std::array<int, 3>> triangles;
    for (int k = 0; k < s.triangle_count(); ++k) {
      for (int i = 0; i < 3; ++i) corners.push_back(point(s.triangle(k)[i]));
      triangles.push_back({3 * k, 3 * k + 1, 3 * k + 2});
    }
    return *TriangleMesh::build(corners, triangles);
  }
  Vec3 point(const Vec3& p) const { return scale * (L * p); }
};

void change_clearance(const Change& by, const Mat3& L, ClearanceSpec& spec) {
  spec.margin *= by.scale;
  for (Obstacle& obstacle : spec.obstacles) {
    obstacle.shape = std::visit(ChangeShape{by.scale, L}, obstacle.shape);
    obstacle.X_world_shape = {by.M * obstacle.X_world_shape.R * L, by.point(obstacle.X_world_shape.p, false)};
  }
}

// The figure and its goals, moved, scaled or reflected; the poses keep their values (times the scale for
// shifts). A reflected turn by q about u is a turn by q about -M u. Local frames are conjugated by the
// reflection alone: the rotation of the world goes into the root.
Case changed(Case made, const Change& by) {
  const Mat3 L = by.reflects() ? Mat3(Vec3(1.0, 1.0, -1.0).asDiagonal()) : Mat3(Mat3::Identity());
  const auto local = [&](const Frame& X) { return Frame{L * X.R * L, by.scale * (L * X.p)}; };
  const Frame world{by.M * L, by.shift};
  bool mounted = false;
  for (JointDescription& joint : made.figure.joints) {
    joint.in_parent = local(joint.in_parent);
    joint.in_child = local(joint.in_child);
    if (joint.parent.empty()) joint.in_parent = world * joint.in_parent;
    mounted |= joint.child == "segment0";
    for (FreedomDescription& freedom : joint.freedoms) {
      freedom.axis = (by.reflects() && freedom.motion == Motion::rotate ? -1.0 : 1.0) * (L * freedom.axis);
      if (freedom.motion == Motion::rotate) continue;
      freedom.range.lower *= by.scale, freedom.range.upper *= by.scale, freedom.range.rest *= by.scale;
      const std::string name = joint.name + "." + freedom.name;
      made.start[name] *= by.scale;
      for (LimitDescription& row : made.figure.limits)
        for (LimitTerm& term : row.terms)
          if (term.parameter == name) term.coefficient /= by.scale;
    }
  }
  if (!mounted) made.figure.joints.push_back({"mount", "", "segment0", world});
  // The mass as its volume: a body's capsules hang on it.
  for (SegmentDescription& segment : made.figure.segments) {
    segment.mass_centre = by.scale * (L * segment.mass_centre);
    segment.mass *= by.scale * by.scale * by.scale;
  }
  if (made.clearance) change_clearance(by, L, *made.clearance);
  for (SiteDescription& site : made.figure.sites) site.frame = local(site.frame);
  for (ConstraintSpec& spec : made.constraints)
    for (AlternativeSpec& alternative : spec.alternatives) {
      const bool relative = !alternative.handle.less.empty();
      alternative.handle.local = L * alternative.handle.local;
      std::visit(ChangeGoal{by, relative}, alternative.goal);
      if (alternative.shell)
        *alternative.shell = {by.point(alternative.shell->p, relative), by.scale * alternative.shell->radius};
    }
  return made;
}

double value_at_start(Built& built) {
  Assembly assembly(built.problem);
  VecX phi, g(assembly.variables());
  assembly.start(built.start.theta, phi);
  return assembly(phi, g);
}

// How often two solves of one problem must agree: rounding may send a few to another Kuhn-Tucker point.
struct Tally {
  int both_converged = 0;
  int other_point = 0;
};

// The objective agrees at the start and after a few iterations, before rounding has grown; and in the end the
// same value is reached, or another Kuhn-Tucker point.
std::string agrees(const Case& one, const Case& two, Tally& tally, bool same_steps = true) {
  Built a = build(one), b = build(two);
  const double at_a = value_at_start(a), at_b = value_at_start(b);
  // Rounding of positions: 1e-16 of (figure + how far off the goals are), squared.
  if (!(std::fabs(at_a - at_b) <= 1e-11 * std::max(1.0, at_a)))
    return "the objective is " + to_text(at_a) + " and " + to_text(at_b);
  for (const int iterations : {2, 1000}) {
    Pose pose_a = a.start, pose_b = b.start;
    Options options = options_of(one);
    options.restarts = 0;  // other starts are not moved with the problem
    options.iterations = iterations;
    const Report first = solve(a.problem, pose_a, options);
    const Report second = solve(b.problem, pose_b, options);
    const double f_a = at_a * first.objective / std::max(first.objective_before, 1e-300),
                 f_b = at_b * second.objective / std::max(second.objective_before, 1e-300);
    // Relative to the start's, or to a hundred thousandth of the figure's length squared where that is less.
    const double difference = std::fabs(f_a - f_b) / std::max(at_a, 1e-10);
    if (iterations < 1000) {
      if (same_steps && !(difference <= 1e-6))
        return "after " + std::to_string(iterations) + " iterations the objective is off by " + to_text(difference);
    } else if (first.exit == Exit::converged && second.exit == Exit::converged) {
      ++tally.both_converged;
      if (difference > 1e-6) ++tally.other_point;
    }
  }
  return {};
}

void expect_agreement(const Tally& tally) {
  EXPECT_GT(tally.both_converged, 0);
  EXPECT_LE(tally.other_point, std::max(2, tally.both_converged / 25)) << "of " << tally.both_converged;
}

TEST(Solve, DoesNotDependOnWhereTheFigureStands) {
  Tally tally;
  check_law("rigid motion", 300, within, [&](const Case& made) {
    Random random(made.seed);
    const double length = build_figure(made.figure)->length();
    return agrees(made, changed(made, {random.rotation(), length * random.between(0.0, 3.0) * random.direction(), 1.0}),
                  tally);
  });
  expect_agreement(tally);
}

TEST(Solve, DoesNotDependOnLeftAndRight) {
  Tally tally;
  check_law("mirror", 300, within, [&](const Case& made) {
    return agrees(made, changed(made, {Vec3(1.0, 1.0, -1.0).asDiagonal(), Vec3::Zero(), 1.0}), tally);
  });
  expect_agreement(tally);
}

TEST(Solve, DoesNotDependOnTheUnitOfLength) {
  Tally tally;
  check_law("scale", 300, within, [&](const Case& made) {
    Random random(made.seed);
    return agrees(made, changed(made, {Mat3::Identity(), Vec3::Zero(), std::pow(10.0, random.between(-3.0, 3.0))}),
                  tally);
  });
  expect_agreement(tally);
}

// With obstacles that are kept clear of softly, all three.
TEST(Solve, DoesNotDependOnPlaceSideAndUnitBesideObstacles) {
  CaseKind beside = within;
  beside.clear = Clear::softly;
  Tally tally;
  check_law("change, obstacles", 300, beside, [&](const Case& made) {
    Random random(made.seed);
    const double length = build_figure(made.figure)->length();
    const Mat3 side = Vec3(1.0, 1.0, random.chance(0.5) ? 1.0 : -1.0).asDiagonal();
    const Vec3 shift = length * random.between(0.0, 3.0) * random.direction();
    // What parts that touch at rest are given beyond that is a tenth of a millimetre, whatever the unit.
    const double unit = made.clearance->self ? 1.0 : std::pow(10.0, random.between(-2.0, 2.0));
    const Case other = changed(made, {random.rotation() * side, shift, unit});
    const double scaled = build_figure(other.figure)->length();
    // A figure without bones is a metre long, whatever the unit.
    if (!(std::fabs(scaled - unit * length) <= 1e-9 * scaled)) return std::string();
    return agrees(made, other, tally, false);
  });
  expect_agreement(tally);
}

// By a power of two every number is scaled without rounding, so the same steps are taken to the bit.
TEST(Solve, GivesTheSameBitsForAFigureTwiceAsLarge) {
  check_law("power of two", 300, within, [](const Case& made) -> std::string {
    Random random(made.seed);
    const double scale = std::ldexp(1.0, random.integer(-8, 8));
    Built a = build(made), b = build(changed(made, {Mat3::Identity(), Vec3::Zero(), scale}));
    Pose pose_a = a.start, pose_b = b.start;
    Options options = options_of(made);
    options.restarts = 0;  // whether a goal is met, and another start is tried, depends on millimetres
    const Report first = solve(a.problem, pose_a, options), second = solve(b.problem, pose_b, options);
    if (first.start_projected || second.start_projected)
      return {};  // the limits of rows are kept to an absolute tolerance
    if (first.iterations != second.iterations || first.kkt != second.kkt)
      return std::to_string(first.iterations) + " iterations and " + std::to_string(second.iterations);
    if (second.objective != scale * scale * first.objective)
      return "objective " + to_text(second.objective) + " for " + to_text(scale * scale * first.objective);
    for (std::size_t j = 0; j < a.figure.parameters().size(); ++j) {
      const auto k = static_cast<Eigen::Index>(j);
      if (pose_b.theta[k] != (a.figure.parameters()[j].translates ? scale : 1.0) * pose_a.theta[k])
        return "another pose in " + a.figure.parameters()[j].name;
    }
    return {};
  });
}

void rename(std::string& name) {
  if (!name.empty()) name = std::string(name.rbegin(), name.rend()) + "_renamed";
}

TEST(Solve, DoesNotDependOnNames) {
  check_law("names", 200, {}, [](const Case& made) -> std::string {
    Case other = made;
    FigureDescription& figure = other.figure;
    for (SegmentDescription& segment : figure.segments) rename(segment.name);
    for (JointDescription& joint : figure.joints) {
      rename(joint.name), rename(joint.parent), rename(joint.child);
      for (FreedomDescription& freedom : joint.freedoms) rename(freedom.name);
    }
    for (SiteDescription& site : figure.sites) rename(site.name), rename(site.segment);
    for (GroupDescription& group : figure.groups) {
      rename(group.name);
      for (GroupParameter& parameter : group.parameters) rename(parameter.name);
      for (GroupDriver& driver : group.drivers) {
        rename(driver.joint), rename(driver.freedom);
        for (GroupTerm& term : driver.terms) rename(term.parameter);
      }
    }
    const auto renamed = [](const std::string& parameter) {
      const std::size_t dot = parameter.find('.');
      std::string owner = parameter.substr(0, dot), own = parameter.substr(dot + 1);
      rename(owner), rename(own);
      return owner + "." + own;
    };
    for (LimitDescription& row : figure.limits)
      for (LimitTerm& term : row.terms) term.parameter = renamed(term.parameter);
    other.start.clear();
    for (const auto& [name, value] : made.start) other.start[renamed(name)] = value;
    for (ConstraintSpec& spec : other.constraints) {
      rename(spec.from);
      for (AlternativeSpec& alternative : spec.alternatives)
        rename(alternative.handle.place), rename(alternative.handle.less);
    }
    Built a = build(made), b = build(other);
    Pose pose_a = a.start, pose_b = b.start;
    (void)solve(a.problem, pose_a, options_of(made)), (void)solve(b.problem, pose_b, options_of(made));
    return pose_a.theta == pose_b.theta ? "" : "another answer";
  });
}

template <class T>
void shuffle(Random& random, std::vector<T>& list) {
  for (std::size_t k = list.size(); k > 1; --k)
    std::swap(list[k - 1], list[static_cast<std::size_t>(random.integer(0, static_cast<int>(k) - 1))]);
}

TEST(Solve, DoesNotDependOnTheOrderOfTheDescription) {
  Tally tally;
  check_law("order", 300, within, [&](const Case& made) {
    Case other = made;
    Random random(made.seed);
    shuffle(random, other.figure.segments);
    shuffle(random, other.figure.joints);
    shuffle(random, other.figure.sites);
    shuffle(random, other.figure.groups);
    shuffle(random, other.figure.limits);
    shuffle(random, other.constraints);
    // Where more rows meet than there are dimensions, the first ones in order make the working set: other
    // steps, same end.
    return agrees(made, other, tally, made.figure.limits.empty());
  });
  expect_agreement(tally);
}

// The order of segments, sites and groups alone changes nothing at all: joints decide the order of the tree.
TEST(Solve, GivesTheSameBitsForAnyOrderOfSegmentsAndSites) {
  check_law("segments", 200, {}, [](const Case& made) -> std::string {
    Case other = made;
    Random random(made.seed);
    shuffle(random, other.figure.segments);
    shuffle(random, other.figure.sites);
    shuffle(random, other.figure.groups);
    Built a = build(made), b = build(other);
    Pose pose_a = a.start, pose_b = b.start;
    (void)solve(a.problem, pose_a, options_of(made)), (void)solve(b.problem, pose_b, options_of(made));
    return pose_a.theta == pose_b.theta ? "" : "another answer";
  });
}

TEST(Solve, TakesAGoalInTwoHalvesForTheWhole) {
  check_law("halves", 200, {}, [](const Case& made) -> std::string {
    // With one constraint its halves add up without rounding, and so does the sum of weights.
    Case one = made;
    one.constraints.resize(1);
    Case two = one;
    two.constraints[0].weight *= 0.5;
    two.constraints.push_back(two.constraints[0]);
    Built a = build(one), b = build(two);
    Pose pose_a = a.start, pose_b = b.start;
    const Options options = options_of(made);
    const Report first = solve(a.problem, pose_a, options), second = solve(b.problem, pose_b, options);
    // Where rounding ends the descent it may end it on either side of the tolerance.
    constexpr double near = 1e-6;
    if (first.exit != second.exit && !(first.kkt <= near && second.kkt <= near))
      return std::string(name_of(first.exit)) + " and " + name_of(second.exit);
    // f = w/2 r² + w/2 r² and the forces on a segment add up exactly; only a torque's sum may round
    // differently.
    if (!((pose_a.theta - pose_b.theta).cwiseAbs().maxCoeff() <=
          1e-6 * std::max(1.0, pose_a.theta.cwiseAbs().maxCoeff())) &&
        std::fabs(first.objective - second.objective) > 1e-9 * first.objective_before)
      return "objective " + to_text(first.objective) + " and " + to_text(second.objective);
    return {};
  });
}

TEST(Solve, IgnoresAGoalOfWeightZeroToTheBit) {
  check_law("weight 0", 300, {}, [](const Case& made) -> std::string {
    Case more = made;
    Random random(made.seed);
    const Figure figure = *build_figure(made.figure);
    ConstraintSpec idle{
        {random_goal(random, figure, random_pose(random, figure), random.integer(0, goal_kinds - 1), 1.0)}, 0.0};
    more.constraints.insert(more.constraints.begin() + random.integer(0, static_cast<int>(made.constraints.size())),
                            idle);
    Built a = build(made), b = build(more);
    Pose pose_a = a.start, pose_b = b.start;
    const Options options = options_of(made);
    const Report first = solve(a.problem, pose_a, options), second = solve(b.problem, pose_b, options);
    if (pose_a.theta != pose_b.theta || first.objective != second.objective || first.evaluations != second.evaluations)
      return "another answer";
    return {};
  });
}

// Whether the problem is one of pins in a box, which the default method solves in loops of its own.
bool has_quick_loops(const Case& made) {
  const Built built = build(made);
  Assembly assembly(built.problem);
  VecX phi;
  assembly.start(built.start.theta, phi);
  return assembly.pins() != nullptr;
}

// To the bit; but where the row takes a problem out of the loops for boxes, its steps are other ones.
TEST(Solve, IgnoresALimitRowThatIsNeverReached) {
  Tally tally;
  check_law("slack row", 300, within, [&](const Case& made) -> std::string {
    if (made.start.size() < 2) return {};
    Case more = made;
    LimitDescription row{"slack", {}, Relation::at_most, 1e6};
    for (const auto& [name, value] : made.start) row.terms.push_back({name, 1.0 / (std::fabs(value) + 1.0)});
    more.figure.limits.push_back(row);
    if (has_quick_loops(made)) return agrees(more, made, tally, false);
    Built a = build(made), b = build(more);
    Pose pose_a = a.start, pose_b = b.start;
    const Options options = options_of(more);
    const Report first = solve(a.problem, pose_a, options), second = solve(b.problem, pose_b, options);
    if (first.start_projected) return {};  // the projection sees more variables in rows, and rounds otherwise
    if (pose_a.theta != pose_b.theta || first.evaluations != second.evaluations) return "another answer";
    return {};
  });
  if (!are_quick()) expect_agreement(tally);  // a quick law may meet no problem for the loops
}

}  // namespace invariance_law_test
}  // namespace limber::law
