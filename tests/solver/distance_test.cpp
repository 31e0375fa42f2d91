// The goal Distance in whole solves: a rope, personal space, a stick between two hands, a rope over time.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/motion/timed/timed_problem.h"
#include "limber/problem/problem.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"
#include "tests/support/places.h"

namespace limber {
namespace distance_test {

using testing::good;
using Bound = Distance::Bound;

constexpr double met = 1e-6;  // metres

// How far apart two places are.
double apart(const Figure& figure, const Pose& pose, const std::string& a, const std::string& b) {
  const Places at = places(figure, pose);
  return (at.at(a) - at.at(b)).norm();
}

// A soft constraint against a soft goal, which beyond its bound are two springs: where the palm ends between them is
// known. `heavy` and 1 are the weights, `held` and `wanted` the distances that they pull to.
constexpr double heavy = 1000.0;
double balanced(double held, double wanted) { return (heavy * held + wanted) / (heavy + 1.0); }

TEST(Rope, PulledTautEndsAtItsLengthOnTheLineToTheGoal) {
  const Figure figure = human();
  const Vec3 anchor = places(figure, figure.rest()).at("right_palm") + Vec3(0, 0.3, 0.1);
  const Vec3 goal = anchor + Vec3(0, 0.2, 0.6);
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Distance{anchor, 0.25, Bound::at_most}, {.weight = heavy}));
  good(problem.add(figure.point("right_palm"), Position{goal}));
  Pose pose = figure.rest();
  solve(problem, pose);
  const double length = balanced(0.25, (goal - anchor).norm());
  EXPECT_LE((places(figure, pose).at("right_palm") - (anchor + length * (goal - anchor).normalized())).norm(), met);
}

TEST(Rope, ThatIsSlackMovesNothing) {
  const Figure figure = human();
  Problem problem(figure);
  const Vec3 palm = places(figure, figure.rest()).at("right_palm");
  good(problem.add(figure.point("right_palm"), Distance{palm + Vec3(0, 0.2, 0), 0.25, Bound::at_most}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.met());
  EXPECT_EQ(pose.theta, figure.rest().theta);
}

// The goal lies within the distance: from whichever side the palm comes, it stops on that side, at the distance.
TEST(PersonalSpace, IsKeptFromBothSides) {
  const Figure figure = human();
  const Vec3 palm = places(figure, figure.rest()).at("right_palm");
  for (const double side : {1.0, -1.0}) {
    const Vec3 centre = palm + Vec3(0, 0, 0.3 * side);
    Problem problem(figure);
    good(problem.add(figure.point("right_palm"), Distance{centre, 0.1, Bound::at_least}, {.weight = heavy}));
    good(problem.add(figure.point("right_palm"), Position{centre - Vec3(0, 0, 0.02 * side)}));
    Pose pose = figure.rest();
    solve(problem, pose);
    const Vec3 now = places(figure, pose).at("right_palm");
    EXPECT_NEAR((now - centre).norm(), balanced(0.1, 0.02), met) << side;
    // Across the line to the centre only the light goal pulls, and by a fifth of its weight.
    EXPECT_LE((now - (centre - Vec3(0, 0, side * balanced(0.1, 0.02)))).norm(), 100.0 * met) << side;
  }
}

TEST(Stick, BetweenTwoHandsKeepsItsLengthWhileOneHandReaches) {
  const Figure figure = human();
  for (const double length : {0.2, 0.6}) {
    Problem problem(figure);
    const Expected<Handle> hands = difference(figure.point("right_palm"), figure.point("left_palm"));
    good(problem.add(hands, Distance{Vec3::Zero(), length, Bound::equal}, {.weight = must}));
    good(problem.add(figure.point("right_palm"), Position{Vec3(-0.2, 1.2, 0.35)}));
    good(problem.add(figure.frame("left_foot"), hold(), {.weight = must}));
    good(problem.add(figure.frame("right_foot"), hold(), {.weight = must}));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    EXPECT_TRUE(report.met()) << length << "\n" << to_text(report);
    EXPECT_NEAR(apart(figure, pose, "right_palm", "left_palm"), length, met);
  }
}

TEST(Stick, MayBeOneOfSeveralGoals) {
  const Figure figure = human();
  Problem problem(figure);
  const Expected<Handle> hands = difference(figure.point("right_palm"), figure.point("left_palm"));
  good(problem.add_one_of({{hands, Distance{Vec3::Zero(), 3.0, Bound::equal}},  // farther than arms reach
                           {hands, Distance{Vec3::Zero(), 0.3, Bound::equal}}},
                          {.weight = 1.0}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_NEAR(apart(figure, pose, "right_palm", "left_palm"), 0.3, 1e-3);
}

// The limits of human() are linear, over several parameters, which some methods do not support.
TEST(Stick, IsServedByEveryMethodThatSupportsTheFigure) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(difference(figure.point("right_palm"), figure.point("left_palm")),
                   Distance{Vec3::Zero(), 0.3, Bound::equal}));
  for (const MethodRow& row : method_table) {
    if (!row.linear_limits) continue;
    Pose pose = figure.rest();
    const Report report = solve(problem, pose, {.method = row.method});
    EXPECT_TRUE(report.met()) << row.name << "\n" << to_text(report);
    EXPECT_NEAR(apart(figure, pose, "right_palm", "left_palm"), 0.3, 1e-3) << row.name;
  }
}

// The hand is free before the rope holds it, and never farther than its length afterwards.
TEST(Rope, HoldsWhileItIsActive) {
  const Figure figure = human();
  const Vec3 anchor = places(figure, figure.rest()).at("right_palm") + Vec3(0, 0.3, 0.2);
  TimedProblem problem(figure);
  good(problem.add(figure.point("right_palm"), Distance{anchor, 0.2, Bound::at_most}, Span{.from = 0.5, .to = 1.0},
                   {.weight = must, .from = "right_shoulder"}));
  Clip given;
  given.frame_time = 0.1;
  given.poses = figure.rest().theta.replicate(1, 11);
  const SolvedMotion solved = good(solve_motion(problem, given));
  const auto apart_at = [&](int frame) {
    return (places(figure, solved.clip.pose(frame)).at("right_palm") - anchor).norm();
  };
  EXPECT_GT(apart_at(0), 0.3);
  for (int frame = 5; frame <= 10; ++frame) EXPECT_LE(apart_at(frame), 0.2 + 1e-4) << frame;
}

}  // namespace distance_test
}  // namespace limber
