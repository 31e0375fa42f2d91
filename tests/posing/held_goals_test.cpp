// Goals that are held by shifting what is asked: the answer is that of hard constraints, and a goal out of reach is
// pulled with a limited force.
#include "limber/posing/held_goals.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/solver/solve.h"
#include "tests/law/allocation.h"
#include "tests/law/random_figure.h"
#include "tests/support/laws.h"

namespace limber {
namespace held_goals_test {

constexpr double preference_weight = 1e-6;  // of a squared radian, relative to the squared length of the figure
constexpr int rounds = 30, iterations = 30;

Handle frame_on(int segment, const Vec3& local) {
  Handle handle{"part", Shape::frame};
  handle.plus[0] = {Element::Kind::point, segment, local};
  handle.plus[1] = {Element::Kind::direction, segment, Vec3::UnitX()};
  handle.plus[2] = {Element::Kind::direction, segment, Vec3::UnitY()};
  return handle;
}

Expected<ConstraintId> add_preference(Problem& problem, const Pose& pose) {
  return problem.add_pull(PullByStiffness{pose.theta, VecX::Ones(pose.theta.size())},
                          {.weight = preference_weight * problem.figure().length() * problem.figure().length()});
}

// Rounds until what is held is there.
double hold(HeldGoals& held, Problem& problem, Solver& solver, Pose& pose, double max_force, int count = rounds) {
  const Figure& figure = problem.figure();
  Kinematics state(figure);
  VecX q;
  held.restart(problem);
  HeldGoals::Change change;
  for (int round = 0; round < count; ++round) {
    (void)solver.solve(pose, {.iterations = iterations, .tolerance = 1e-13, .restarts = 0});
    figure.angles(pose.theta, q);
    forward(figure, q, state);
    change = held.shift(problem, figure, state, max_force);
  }
  return change.error;
}

// The half-space, the frame and the line pass where a second pose near the first has them, so that they can all be met.
TEST(HeldGoals, HaveTheAnswerOfHardConstraints) {
  const int count = law::law_count(300);
  int met = 0, same = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Figure figure =
        build_figure(law::random_figure(random, {.freedoms = random.integer(8, 20), .rows = false, .decades = 0.5}))
            .value();
    const Pose start = law::random_pose(random, figure);
    Pose other = start;
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      double& theta = other.theta[static_cast<Eigen::Index>(j)];
      theta = std::clamp(theta + random.between(-0.1, 0.1) * (figure.parameters()[j].translates ? 0.1 : 1.0),
                         range.lower, range.upper);
    }
    const int last = static_cast<int>(figure.segments().size()) - 1;
    const Handle handle = frame_on(last, 0.05 * figure.length() * random.direction());
    const Handle point = *part(handle, Shape::point);
    Vec3 there;
    evaluate(figure, forward(figure, other), point, &there);
    const Goal goals[] = {Position{there}, Line{there, random.direction()}, HalfSpace{there, random.direction()}};
    const Goal& goal = goals[seed % 3];
    Problem hard(figure), soft(figure);
    ASSERT_TRUE(hard.add(point, goal, {.weight = must}) && add_preference(hard, start));
    const ConstraintId id = soft.add(point, goal).value();
    ASSERT_TRUE(add_preference(soft, start));
    HeldGoals held;
    ASSERT_TRUE(held.add(*soft.find(id)));
    Solver solver(soft);
    Pose pose = start;
    met += hold(held, soft, solver, pose, 1.0) <= 1e-6 * figure.length();
    // From there, the solver that knows hard constraints finds nothing better.
    Pose exact = pose;
    (void)solve(hard, exact, {.tolerance = 1e-13, .restarts = 0});
    double apart = 0.0;
    for (std::size_t j = 0; j < figure.parameters().size(); ++j)
      apart = std::fmax(
          apart, std::fabs(pose.theta[static_cast<Eigen::Index>(j)] - exact.theta[static_cast<Eigen::Index>(j)]) /
                     (figure.parameters()[j].translates ? figure.length() : 1.0));
    same += apart <= 1e-3;
  }
  // Steps may end early where many limits meet.
  EXPECT_GE(met, 98 * count / 100);
  EXPECT_GE(same, 98 * count / 100);
}

TEST(HeldGoals, HoldAFrame) {
  const Figure figure = human();
  Problem problem(figure);
  const Handle hand = figure.frame("right_hand").value();
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, figure.rest()), hand, x);
  const Mat3 R = rotation(Vec3::UnitX(), -0.6);
  const Placement goal{x[0] + Vec3(-0.1, 0.3, 0.2), orientation(Mat3(R * Mat3::Identity()))};
  const ConstraintId id = problem.add(hand, goal).value();
  ASSERT_TRUE(add_preference(problem, figure.rest()));
  HeldGoals held;
  ASSERT_TRUE(held.add(*problem.find(id)));
  Solver solver(problem);
  Pose pose = figure.rest();
  EXPECT_LE(hold(held, problem, solver, pose, 1.0), 1e-6);
  held.state(problem);
  EXPECT_TRUE(std::get<Placement>(problem.find(id)->alternatives()[0].goal).p == goal.p);
  const Report& report = solver.solve(pose, {.iterations = 0});
  EXPECT_LE(report.constraints[0].error.metres.value(), 1e-6);
  EXPECT_LE(report.constraints[0].error.radians.value(), 1e-5);
}

// Out of reach the force is the limit, wherever the goal is on its line: the pose hardly depends on how far it is.
TEST(HeldGoals, YieldToALimitedForce) {
  const Figure figure = human();
  const double force = 2e-6 * figure.length() * figure.length();
  Vec3 p;
  const Handle hand = figure.point("right_palm").value();
  evaluate(figure, forward(figure, figure.rest()), hand, &p);
  Pose poses[2];
  for (const int k : {0, 1}) {
    Problem problem(figure);
    const ConstraintId id = problem.add(hand, Position{p + Vec3(0.0, 0.0, k == 0 ? 100.0 : 200.0)}).value();
    ASSERT_TRUE(problem.set_rigidity(figure.parameters()[2].name, 1.0) && add_preference(problem, figure.rest()));
    HeldGoals held;
    ASSERT_TRUE(held.add(*problem.find(id), true));
    Solver solver(problem);
    poses[k] = figure.rest();
    (void)hold(held, problem, solver, poses[k], force);
    // w e is the force.
    Vec3 at;
    evaluate(figure, forward(figure, poses[k]), hand, &at);
    EXPECT_NEAR(problem.find(id)->weight * (std::get<Position>(problem.find(id)->alternatives()[0].goal).p - at).norm(),
                force, 1e-3 * force);
  }
  EXPECT_LE((poses[0].theta - poses[1].theta).lpNorm<Eigen::Infinity>(), 2e-2);
}

TEST(HeldGoals, AllocateNothing) {
  const Figure figure = human();
  Problem problem(figure);
  InsidePolyhedron box;
  for (const Vec3& v : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)})
    box.faces.push_back({Vec3(0.2 * v), v});
  const ConstraintId id = problem.add(figure.point("right_palm"), box).value();
  HeldGoals held;
  ASSERT_TRUE(held.add(*problem.find(id)));
  const Kinematics state = forward(figure, figure.rest());
  held.restart(problem);
  (void)held.shift(problem, figure, state, 1.0);
  const long before = law::allocations();
  (void)held.shift(problem, figure, state, 1.0);
  held.state(problem);
  EXPECT_EQ(law::allocations(), before);
}

TEST(HeldGoals, AreOfKindsThatCanBeShifted) {
  const Figure figure = human();
  Problem problem(figure);
  const ConstraintId aim = problem.add(figure.ray("eyes"), AimAt{Vec3(0, 1, 3)}).value();
  HeldGoals held;
  EXPECT_FALSE(held.add(*problem.find(aim)));
  EXPECT_FALSE(held.contains(aim));
}

}  // namespace held_goals_test
}  // namespace limber
