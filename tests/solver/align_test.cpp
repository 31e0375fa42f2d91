// The rigid motion of a root, against figures that were moved rigidly and against a search.
#include "limber/solver/align.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace align_test {

using testing::good;

void done(const Expected<void>& expected) {
  if (!expected) throw std::runtime_error(expected.error().text());
}

Problem with_goals_of(const Figure& figure, const Pose& pose, bool frames) {
  Problem problem(figure);
  const Kinematics state = forward(figure, pose);
  for (const char* place : {"left_palm", "right_palm", "left_foot", "right_foot", "head_top"}) {
    Vec3 x[max_elements];
    evaluate(figure, state, good(figure.frame(place)), x);
    if (frames)
      good(problem.add(figure.frame(place), Placement{x[0], {x[1], x[2]}}));
    else
      good(problem.add(figure.point(place), Position{x[0]}));
  }
  return problem;
}

double value(const Problem& problem, const VecX& theta) {
  Assembly assembly(problem);
  VecX phi, r;
  assembly.start(theta, phi);
  assembly.residual(phi, r);
  return r.squaredNorm();
}

// Any pose of a free root is found again when the rest of the body is as it was.
TEST(RootAlignment, FindsARigidMotion) {
  const Figure figure = human();
  RootAlignment alignment(figure);
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    Pose there = testing::random_pose(figure, random), here = there;
    for (const char* shift : {"root.x", "root.y", "root.z"}) done(figure.set(there, shift, random.between(-3.0, 3.0)));
    for (const char* turn : {"root.turn", "root.pitch", "root.roll"}) {
      done(figure.set(there, turn, random.between(-3.0, 3.0)));
      done(figure.set(here, turn, random.between(-3.0, 3.0)));
    }
    const Problem problem = with_goals_of(figure, there, k % 2 == 1);
    alignment.align(problem, here.theta);
    // The present orientation counts a little: a thousandth.
    EXPECT_LE(std::sqrt(value(problem, here.theta)), 3e-3) << k;
  }
}

// Where the body is another, no small motion of the root is better.
TEST(RootAlignment, IsTheBestNearBy) {
  const Figure figure = human();
  RootAlignment alignment(figure);
  Random random(6);
  for (int k = 0; k < 50; ++k) {
    const Problem problem = with_goals_of(figure, testing::random_pose(figure, random), k % 2 == 1);
    Pose pose = testing::random_pose(figure, random);
    const double before = value(problem, pose.theta);
    alignment.align(problem, pose.theta);
    const double best = value(problem, pose.theta);
    EXPECT_LE(best, before);
    for (int trial = 0; trial < 60; ++trial) {
      Pose near = pose;
      for (int j = 0; j < 6; ++j) near.theta[j] += 0.05 * random.between(-1.0, 1.0);
      EXPECT_GE(value(problem, near.theta), 0.998 * best - 1e-6) << k;
    }
  }
}

TEST(RootAlignment, LeavesWhatItCannotMove) {
  const Figure fixed = good(human({.root = Root::fixed}));
  Random random(7);
  const Pose pose = testing::random_pose(fixed, random);
  Pose moved = pose;
  RootAlignment(fixed).align(with_goals_of(fixed, fixed.rest(), false), moved.theta);
  EXPECT_EQ(moved.theta, pose.theta);

  const Figure free = human();
  Problem held = with_goals_of(free, free.rest(), false);
  done(held.set_rigidity("root.turn", 1.0));
  Pose other = testing::random_pose(free, random);
  const VecX before = other.theta;
  RootAlignment(free).align(held, other.theta);
  EXPECT_EQ(other.theta, before);
  RootAlignment(free).align(Problem(free), other.theta);
  EXPECT_EQ(other.theta, before);
}

}  // namespace align_test
}  // namespace limber
