// Cyclic coordinate descent: each joint's best value against a scan, descent on random figures, W93's examples.
#include "limber/solver/geometric/cyclic_coordinate_descent.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "tests/law/allocation.h"
#include "tests/support/figures.h"

namespace limber {
namespace cyclic_coordinate_descent_test {

using testing::built;
using testing::good;
using testing::shift;
using testing::turn;

void must_do(const Expected<void>& done) { ASSERT_TRUE(done) << done.error().text(); }

// W93 knows no longest step.
constexpr double any_step = infinity;

Vec3 where(const Figure& figure, const VecX& theta, const char* place) {
  const Handle handle = good(figure.point(place));
  Vec3 x;
  evaluate(figure, forward(figure, Pose{theta}), handle, &x);
  return x;
}

bool within(const Figure& figure, const VecX& theta) {
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double value = theta[static_cast<Eigen::Index>(j)];
    if (!(range.lower <= value && value <= range.upper)) return false;
  }
  return true;
}

// A hinge about z at the origin with a bone of one metre along x.
Figure hinge(Range range) {
  FigureDescription figure;
  figure.name = "hinge";
  figure.segments = {{"base"}, {"bone"}};
  figure.joints = {{"hinge", "base", "bone", {}, {}, {turn("turn", Vec3::UnitZ(), range)}}};
  figure.sites = {{"tip", "bone", at({1, 0, 0})}};
  return built(figure);
}

double hinge_after_one_sweep(Range range, const Vec3& goal, double rigidity = 0.0) {
  Problem problem(hinge(range));
  good(problem.add(problem.figure().point("tip"), Position{goal}));
  must_do(problem.set_rigidity("hinge.turn", rigidity));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  method.minimize(theta, {.iterations = 1, .longest_step = any_step});
  return theta[0];
}

TEST(CyclicCoordinateDescent, TurnsAHingeStraightToItsGoal) {
  for (const double angle : {-3.0, -1.0, 0.5, 2.0, 3.1})
    EXPECT_NEAR(hinge_after_one_sweep({}, 2.0 * Vec3(std::cos(angle), std::sin(angle), 0.3)), angle, 1e-14);
}

// The goal at -3 radians: the upper end, 3, is 6 away by the nearer way round, the lower end -0.5 only 2.5.
TEST(CyclicCoordinateDescent, TakesTheBetterEndOfARangeAndNotTheNearerOne) {
  const Vec3 goal(std::cos(-3.0), std::sin(-3.0), 0.0);
  EXPECT_EQ(hinge_after_one_sweep({-0.5, 3.0}, goal), 3.0);
  EXPECT_EQ(hinge_after_one_sweep({-2.9, 3.0}, goal), -2.9);
  EXPECT_EQ(hinge_after_one_sweep({-0.5, infinity}, goal), 2.0 * pi - 3.0);  // the long way round is within limits
}

TEST(CyclicCoordinateDescent, AStiffJointGoesPartOfTheWay) {
  const Vec3 goal(0.0, 1.0, 0.0);
  EXPECT_NEAR(hinge_after_one_sweep({}, goal, 0.75), 0.25 * pi / 2.0, 1e-15);
  EXPECT_EQ(hinge_after_one_sweep({-1.0, 0.1}, goal, 0.75), 0.1);  // (4.2.2): added, then clamped
  EXPECT_EQ(hinge_after_one_sweep({}, goal, 1.0), 0.0);
}

TEST(CyclicCoordinateDescent, NoVariableMovesMoreThanTheLongestStep) {
  Problem problem(hinge({}));
  good(problem.add(problem.figure().point("tip"), Position{{-1, 0.1, 0}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  method.minimize(theta, {.iterations = 1, .longest_step = 0.25});
  EXPECT_EQ(theta[0], 0.25);
}

// Every joint's choice against a scan over its range by forward kinematics, all kinds of goals hanging on it.
TEST(CyclicCoordinateDescent, NoOtherValueOfAJointIsBetterThanTheOneItTakes) {
  for (int seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool slides = random.chance(0.3);
    FigureDescription description;
    description.segments = {{"base"}, {"hub"}, {"arm"}};
    const double a = random.between(-3.0, 0.0), b = random.between(0.0, 3.0);
    const Vec3 axis = random.direction();
    description.joints = {
        {"hub", "base", "hub", testing::random_frame(random), {}, {turn("turn", axis, {a, b})}},
        {"arm", "hub", "arm", testing::random_frame(random), {}, {}},
    };
    if (slides) description.joints[0].freedoms = {shift("shift", axis, {a, b})};
    description.sites = {{"p", "arm", testing::random_frame(random)}, {"q", "hub", testing::random_frame(random)}};
    Problem problem(built(description));
    const Figure& figure = problem.figure();
    good(
        problem.add(figure.point("p"), Position{testing::random_vector(random)}, {.weight = random.between(0.1, 3.0)}));
    good(problem.add(figure.frame("q"),
                     Placement{testing::random_vector(random), orientation(random.rotation(), 50.0), 0.3, 0.7}));
    good(problem.add(figure.direction("p"), Direction{random.direction(), 0.5}));
    CyclicCoordinateDescent method(problem);
    Assembly assembly(problem);
    VecX theta = figure.rest().theta, phi, gradient(1);
    assembly.start(theta, phi);
    const double before = assembly(phi, gradient);
    const Outcome outcome = method.minimize(theta, {.iterations = 1, .longest_step = any_step});
    EXPECT_TRUE(within(figure, theta));
    assembly.start(theta, phi);
    const double reached = assembly(phi, gradient);
    EXPECT_NEAR(outcome.value, reached, 1e-13 * before);
    for (int k = 0; k <= 400; ++k) {
      VecX other = theta;
      other[0] = a + (b - a) * k / 400.0;
      assembly.start(other, phi);
      EXPECT_GE(assembly(phi, gradient), reached - 1e-12 * before) << other[0] << " beats " << theta[0];
    }
  }
}

// W93 Fig. 4.2: the arm is straight and its tip is pulled inwards, behind the last joint. The gradient is zero.
TEST(CyclicCoordinateDescent, AStraightArmPulledInwardsFolds) {
  Problem problem(built(testing::planar_arm()));
  good(problem.add(problem.figure().point("tip"), Position{{0.5, 0, 0}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  const Outcome outcome = method.minimize(theta, {});
  EXPECT_EQ(outcome.exit, Exit::converged);
  // The elbow opens to 2.5 only: the nearest that the tip comes to the shoulder is 0.63.
  EXPECT_EQ(theta[1], 2.5);
  EXPECT_NEAR(where(problem.figure(), theta, "tip").norm(), 2.0 * std::cos(1.25), 1e-7);
  EXPECT_NEAR(where(problem.figure(), theta, "tip").y(), 0.0, 1e-6);
}

TEST(CyclicCoordinateDescent, SevenJointsReachAGoalWithinReachAndAtTheEdge) {
  Problem problem(built(testing::seven_joint_arm()));
  const Figure& figure = problem.figure();
  const ConstraintId id = good(problem.add(figure.point("tip"), Position{{0.9, 0.8, 0.5}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = figure.rest().theta;
  Outcome outcome = method.minimize(theta, {.tolerance = 1e-12});
  EXPECT_LT((where(figure, theta, "tip") - Vec3(0.9, 0.8, 0.5)).norm(), 1e-9);
  EXPECT_LT(outcome.iterations, 200);
  // The chain is 2.1 m long from its first joint at (0.3, 0, 0), which turns in the plane z = 0; 2.09 is nearly all.
  const Vec3 edge = Vec3(0.3, 0, 0) + 2.09 * Vec3(1, 2, 0).normalized();
  must_do(problem.set_goal(id, Position{edge}));
  theta = figure.rest().theta;
  outcome = method.minimize(theta, {.iterations = 3000, .tolerance = 1e-12});
  EXPECT_LT((where(figure, theta, "tip") - edge).norm(), 1e-6) << outcome.iterations;
}

TEST(CyclicCoordinateDescent, OnlyTheLastLinkMovesWhereThatIsEnough) {
  Problem problem(built(testing::seven_joint_arm()));
  const Figure& figure = problem.figure();
  VecX theta = figure.rest().theta;
  theta[6] = 0.7;
  good(problem.add(figure.point("tip"), Position{where(figure, theta, "tip")}));
  CyclicCoordinateDescent method(problem);
  theta = figure.rest().theta;
  method.minimize(theta, {.iterations = 5});
  EXPECT_NEAR(theta[6], 0.7, 1e-12);
  EXPECT_LT(theta.head(6).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(CyclicCoordinateDescent, BothHandsOfABranchingFigureReachTheirGoals) {
  Problem problem(built(testing::torso_with_arms()));
  const Figure& figure = problem.figure();
  Random random(3);
  const VecX posed = testing::random_pose(figure, random, 0.6).theta;
  const Vec3 left = where(figure, posed, "left hand"), right = where(figure, posed, "right hand");
  good(problem.add(figure.point("left hand"), Position{left}));
  good(problem.add(figure.point("right hand"), Position{right}));
  CyclicCoordinateDescent method(problem);
  VecX theta = figure.rest().theta;
  const Outcome outcome = method.minimize(theta, {.iterations = 5000, .tolerance = 1e-10});
  EXPECT_LT((where(figure, theta, "left hand") - left).norm(), 1e-4) << outcome.iterations;
  EXPECT_LT((where(figure, theta, "right hand") - right).norm(), 1e-4) << name_of(outcome.exit);
  EXPECT_TRUE(within(figure, theta));
}

TEST(CyclicCoordinateDescent, AHeldHandStaysWhileTheOtherReaches) {
  Problem problem(built(testing::torso_with_arms()));
  const Figure& figure = problem.figure();
  VecX theta = figure.rest().theta;
  const Vec3 held = where(figure, theta, "left hand");
  const Vec3 goal = where(figure, theta, "right hand") + Vec3(0.2, -0.1, 0.2);
  good(problem.add(figure.point("left hand"), hold(), {.weight = 10.0}));
  good(problem.add(figure.point("right hand"), Position{goal}));
  CyclicCoordinateDescent method(problem);
  method.minimize(theta, {.iterations = 2000});
  EXPECT_LT((where(figure, theta, "right hand") - goal).norm(), 1e-4);
  EXPECT_LT((where(figure, theta, "left hand") - held).norm(), 1e-4);
}

TEST(CyclicCoordinateDescent, SlidesReachTheirGoalInOneSweepAndStopAtTheirLimits) {
  FigureDescription crane;
  crane.segments = {{"base"}, {"hook"}};
  crane.joints = {{"crane",
                   "base",
                   "hook",
                   {},
                   {},
                   {shift("x", Vec3::UnitX(), {-1, 1}), shift("y", Vec3::UnitY(), {-1, 1}),
                    shift("z", Vec3::UnitZ(), {-1, 0.25})}}};
  Problem problem(built(crane));
  good(problem.add(problem.figure().point("hook"), Position{{0.5, -0.25, 0.75}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  method.minimize(theta, {.iterations = 1, .longest_step = any_step});
  EXPECT_EQ(theta, (VecX(3) << 0.5, -0.25, 0.25).finished());
}

// Two goals on one slide: the weighted mean.                                                    (4.24) over (5.8)
TEST(CyclicCoordinateDescent, ASlideWithTwoGoalsTakesTheirWeightedMean) {
  FigureDescription rail;
  rail.segments = {{"base"}, {"cart"}};
  rail.joints = {{"rail", "base", "cart", {}, {}, {shift("x", Vec3::UnitX())}}};
  rail.sites = {{"a", "cart", at({0, 1, 0})}, {"b", "cart", at({0, 2, 0})}};
  Problem problem(built(rail));
  good(problem.add(problem.figure().point("a"), Position{{1, 1, 0}}, {.weight = 3.0}));
  good(problem.add(problem.figure().point("b"), Position{{5, 2, 0}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  EXPECT_EQ(method.minimize(theta, {.longest_step = any_step}).exit, Exit::converged);
  EXPECT_DOUBLE_EQ(theta[0], 2.0);
}

// A random tree with all the goals that fit; some ranges are finite.
Problem random_problem(Random& random) {
  FigureDescription description = testing::random_tree(
      random, {.segments = random.integer(2, 9), .free_root = random.chance(0.3), .groups = false});
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms) {
      if (random.chance(0.6)) {
        freedom.range.lower = -random.between(0.0, 2.0);
        freedom.range.upper = random.between(0.01, 2.0);
      }
      if (random.chance(0.2)) freedom.range.rigidity = random.unit();
    }
  Problem problem(built(description));
  const Figure& figure = problem.figure();
  const int goals = random.integer(1, 5);
  for (int g = 0; g < goals; ++g) {
    const std::string place =
        figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))].name;
    const ConstraintOptions options{.weight = std::pow(10.0, random.between(-2.0, 2.0))};
    const Vec3 p = testing::random_vector(random, 1.5);
    switch (random.integer(0, 4)) {
      case 0:
        good(problem.add(figure.point(place), Position{p}, options));
        break;
      case 1:
        good(problem.add(figure.direction(place), Direction{random.direction(), 0.7}, options));
        break;
      case 2:
        good(problem.add(figure.frame(place), orientation(random.rotation(), 60.0), options));
        break;
      case 3:
        good(problem.add(figure.frame(place), Placement{p, orientation(random.rotation(), 60.0), 0.4, 0.6}, options));
        break;
      default:
        good(problem.add(figure.frame(place), hold(), options));
        break;
    }
  }
  return problem;
}

// The objective is the one of Assembly, decreases at every sweep, and the limits hold at every sweep.
TEST(CyclicCoordinateDescent, NeverRaisesTheObjectiveAndNeverLeavesTheLimits) {
  int converged = 0;
  for (int seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem = random_problem(random);
    ASSERT_FALSE(rejection(problem));
    const Figure& figure = problem.figure();
    CyclicCoordinateDescent method(problem);
    const VecX start = testing::random_pose(figure, random).theta;
    Assembly assembly(problem);
    VecX phi, gradient(assembly.variables());
    assembly.start(start, phi);
    double last = assembly(phi, gradient);
    const double first = last;
    VecX theta = start;
    const Outcome outcome = method.minimize(theta, {.iterations = 60}, {}, [&](int, double value, const VecX& x) {
      EXPECT_LT(value, last);
      EXPECT_TRUE(within(figure, x));
      last = value;
      return true;
    });
    EXPECT_EQ(outcome.value, outcome.iterations > 0 ? last : outcome.value);
    // What it says the value is, the assembly says too. Holding was taken from the start, as there.
    for (int i = 0; i < assembly.variables(); ++i) {
      const int j = assembly.parameter(i);
      const double scale = (1.0 - problem.rigidities()[static_cast<std::size_t>(j)]) *
                           (figure.parameters()[static_cast<std::size_t>(j)].translates ? figure.length() : 1.0);
      phi[i] = theta[assembly.parameter(i)] / scale;
    }
    EXPECT_NEAR(assembly(phi, gradient), outcome.value, 1e-9 * first + 1e-15);
    if (outcome.exit == Exit::converged) {
      ++converged;
      for (int i = 0; i < assembly.variables(); ++i) {
        const Range& range = figure.parameters()[static_cast<std::size_t>(assembly.parameter(i))].range;
        const double at = theta[assembly.parameter(i)];
        const bool is_blocked = (at == range.lower && gradient[i] > 0.0) || (at == range.upper && gradient[i] < 0.0);
        EXPECT_LT(is_blocked ? 0.0 : std::fabs(gradient[i]), 1.1e-8);
      }
    }
  }
  EXPECT_GT(converged, 40);
}

TEST(CyclicCoordinateDescent, TheWeightsByDistanceAlsoReachAndKeepTheBestPose) {
  Problem problem(built(testing::seven_joint_arm()));
  const Figure& figure = problem.figure();
  Random random(5);
  const VecX posed = testing::random_pose(figure, random).theta;
  const Frame X = forward(figure, Pose{posed}).segments.back() * figure.sites().front().frame;
  good(problem.add(figure.frame("tip"), Placement{X.p, orientation(X.R)}));
  CyclicCoordinateDescent method(problem);
  for (const double k : {1.0, 10.0}) {
    VecX theta = figure.rest().theta;
    double min_value = infinity;
    const Outcome outcome = method.minimize(theta, {.iterations = 500},
                                            {.weights = CyclicCoordinateDescentOptions::Weights::distance, .k = k},
                                            [&](int, double value, const VecX&) {
                                              min_value = std::fmin(min_value, value);
                                              return true;
                                            });
    EXPECT_EQ(outcome.value, min_value);
    EXPECT_LT((where(figure, theta, "tip") - X.p).norm(), 0.02) << k;
  }
}

// A figure of a kilometre does what a figure of a metre does.
TEST(CyclicCoordinateDescent, IsTheSameAtAnyScaleWithEitherWeights) {
  using Weights = CyclicCoordinateDescentOptions::Weights;
  for (const Weights weights : {Weights::objective, Weights::distance}) {
    VecX answers[2];
    for (const double scale : {1.0, 1024.0}) {
      FigureDescription arm = testing::seven_joint_arm();
      for (JointDescription& joint : arm.joints) joint.in_parent.p *= scale;
      for (SiteDescription& site : arm.sites) site.frame.p *= scale;
      Problem problem(built(arm));
      const Vec3 p = scale * Vec3(0.5, 0.9, -0.4);
      if (weights == Weights::objective)
        good(problem.add(problem.figure().point("tip"), Position{p}));
      else
        good(problem.add(problem.figure().frame("tip"), Placement{p, orientation(rotation(Vec3::UnitZ(), 1.0))}));
      CyclicCoordinateDescent method(problem);
      VecX theta = problem.figure().rest().theta;
      VecX last;
      method.minimize(theta, {.iterations = 3}, {.weights = weights}, [&](int, double, const VecX& x) {
        last = x;
        return true;
      });
      answers[scale > 1.0] = last;
    }
    EXPECT_LT((answers[0] - answers[1]).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(CyclicCoordinateDescent, StopsWhenToldAndKeepsThePrefix) {
  Problem problem(built(testing::seven_joint_arm()));
  good(problem.add(problem.figure().point("tip"), Position{{0.9, 0.8, 0.5}}));
  CyclicCoordinateDescent method(problem);
  VecX stopped = problem.figure().rest().theta, limited = stopped;
  const Outcome cancelled = method.minimize(stopped, {}, {}, [](int k, double, const VecX&) { return k < 3; });
  const Outcome three = method.minimize(limited, {.iterations = 3});
  EXPECT_EQ(cancelled.exit, Exit::cancelled);
  EXPECT_EQ(three.exit, Exit::iteration_limit);
  EXPECT_EQ(stopped, limited);
}

TEST(CyclicCoordinateDescent, AllocatesNothing) {
  Problem problem(built(testing::torso_with_arms()));
  good(problem.add(problem.figure().point("left hand"), Position{{0.3, 0.5, 0.4}}));
  good(problem.add(problem.figure().frame("right hand"), hold()));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  const long before = law::allocations();
  method.minimize(theta, {.iterations = 50});
  EXPECT_EQ(law::allocations(), before);
}

TEST(CyclicCoordinateDescent, NotANumberInTheStartIsReported) {
  Problem problem(built(testing::planar_arm()));
  good(problem.add(problem.figure().point("tip"), Position{{1, 1, 0}}));
  CyclicCoordinateDescent method(problem);
  VecX theta = problem.figure().rest().theta;
  theta[0] = std::nan("");
  EXPECT_EQ(method.minimize(theta, {}).exit, Exit::not_finite);
}

void expect_rejected(const Problem& problem, const std::string& where, const std::string& found) {
  const std::optional<Diagnostic> answer = rejection(problem);
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->where.find(where), std::string::npos) << answer->text();
  EXPECT_NE(answer->found.find(found), std::string::npos) << answer->text();
  EXPECT_FALSE(answer->expected.empty());
  CyclicCoordinateDescent method(problem);
  const VecX start = problem.figure().rest().theta;
  VecX theta = start;
  EXPECT_EQ(method.minimize(theta, {}).exit, Exit::rejected);
  EXPECT_EQ(theta, start);
}

TEST(CyclicCoordinateDescent, SaysWhatItCannotHonour) {
  const Figure torso = built(testing::torso_with_arms());
  {
    Problem problem(torso);
    good(problem.add(torso.point("left hand"), Plane{}, {.name = "on the table"}));
    expect_rejected(problem, "on the table", "plane");
  }
  {
    Problem problem(torso);
    good(problem.add(torso.point("left hand"), Position{}, {.weight = must}));
    expect_rejected(problem, "left hand", "must");
  }
  {
    Problem problem(torso);
    good(problem.add(difference(torso.point("left hand"), torso.point("right hand")), Hold{}));
    expect_rejected(problem, "constraint", "difference");
  }
  {
    Problem problem(torso);
    good(problem.add(torso.mass_centre(), Position{}));
    expect_rejected(problem, "constraint", "centre of mass");
  }
  {
    Problem problem(torso);
    good(problem.add_one_of({{torso.point("left hand"), Position{}}, {torso.point("right hand"), Position{}}}));
    expect_rejected(problem, "constraint", "one of several");
  }
  {
    FigureDescription description = testing::planar_arm();
    description.limits = {{"together", {{"shoulder.turn"}, {"elbow.turn"}}, Relation::at_most, 3.0}};
    Problem problem(built(description));
    good(problem.add(problem.figure().point("tip"), Position{}));
    expect_rejected(problem, "together", "shoulder.turn");
  }
  {
    FigureDescription description = testing::planar_arm();
    description.groups = {
        {"curl", {{"bend", {0.0, 1.0}}}, {{"shoulder", "turn", {{"bend"}}}, {"elbow", "turn", {{"bend"}}}}}};
    Problem problem(built(description));
    good(problem.add(problem.figure().point("tip"), Position{}));
    expect_rejected(problem, "curl.bend", "2 freedoms");
  }
  {
    FigureDescription description = testing::planar_arm();
    description.groups = {
        {"curl", {{"bend", {0.0, 1.0}}}, {{"elbow", "turn", {{"bend", Curve::smooth({{0.0, 0.0}, {1.0, 2.0}})}}}}}};
    Problem problem(built(description));
    good(problem.add(problem.figure().point("tip"), Position{}));
    expect_rejected(problem, "curl.bend", "curve");
  }
}

// What is off, rigid or outside all chains is not in the way.
TEST(CyclicCoordinateDescent, RejectsNothingThatDoesNotCount) {
  FigureDescription description = testing::planar_arm();
  description.limits = {{"single", {{"shoulder.turn"}}, Relation::at_most, 3.0}};
  Problem problem(built(description));
  good(problem.add(problem.figure().point("tip"), Position{}, {.from = "elbow"}));
  const ConstraintId off = good(problem.add(problem.figure().point("tip"), Plane{}));
  must_do(problem.set_enabled(off, false));
  EXPECT_FALSE(rejection(problem));
}

// One parameter that drives one freedom by a slope is a joint with another unit.
TEST(CyclicCoordinateDescent, AGroupOfOneFreedomIsTurnedThroughItsSlope) {
  FigureDescription description = testing::planar_arm();
  description.groups = {{"curl", {{"bend", {0.0, 1.0}}}, {{"elbow", "turn", {{"bend", Curve::linear(2.0)}}}}}};
  Problem problem(built(description));
  const Figure& figure = problem.figure();
  const Vec3 goal(1.0 + std::cos(1.5), std::sin(1.5), 0.0);
  good(problem.add(figure.point("tip"), Position{goal}, {.from = "elbow"}));
  CyclicCoordinateDescent method(problem);
  VecX theta = figure.rest().theta;
  EXPECT_EQ(method.minimize(theta, {.longest_step = any_step}).exit, Exit::converged);
  EXPECT_NEAR(good(figure.value(Pose{theta}, "curl.bend")), 0.75, 1e-14);
}

}  // namespace cyclic_coordinate_descent_test
}  // namespace limber
