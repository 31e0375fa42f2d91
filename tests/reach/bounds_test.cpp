// Proofs that a point is out of reach: no pose contradicts them, and for simple chains they are sharp.
#include "limber/reach/bounds.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "tests/law/random_figure.h"
#include "tests/reach/arms.h"

namespace limber {
namespace bounds_test {

using testing::built;
using testing::good;
using testing::PlanarArm;

std::vector<int> all_parameters_of(const Figure& figure) {
  std::vector<int> all(figure.parameters().size());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<int>(j);
  return all;
}

Pose random_pose_within(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double lower = std::fmax(range.lower, -4.0), upper = std::fmin(range.upper, 4.0);
    // Often at the ends, where a bound is tight.
    pose.theta[static_cast<Eigen::Index>(j)] =
        std::fmin(upper, std::fmax(lower, lower + (upper - lower) * random.between(-0.4, 1.4)));
  }
  return pose;
}

TEST(Enclosure, ContainsRotatedTranslatedAndTransformedPoints) {
  constexpr std::uint64_t seed = 811;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    // One chain of steps for the region, and many for points in it.
    struct Step {
      int kind;
      Vec3 v;
      double lower, upper;
      Frame X;
    };
    std::vector<Step> steps;
    for (int k = random.integer(1, 8); k > 0; --k) {
      Step step{random.integer(0, 2), random.direction(), 0.0, 0.0, {random.rotation(), random.direction()}};
      step.lower = random.between(-2.0, 2.0);
      step.upper = random.chance(0.2) ? step.lower : step.lower + random.between(0.0, 2.0);
      steps.push_back(step);
    }
    const Vec3 start = random.direction() * random.between(0.0, 1.0);
    Enclosure region = Enclosure::of_point(start);
    for (const Step& step : steps) {
      if (step.kind == 0) region.place(step.X);
      if (step.kind == 1) region.turn(step.v, step.lower, step.upper);
      if (step.kind == 2) region.shift(step.v, step.lower, step.upper);
    }
    for (int sample = 0; sample < 20; ++sample) {
      Vec3 x = start;
      for (const Step& step : steps) {
        const double q = std::fmin(
            step.upper, std::fmax(step.lower, step.lower + (step.upper - step.lower) * random.between(-0.5, 1.5)));
        if (step.kind == 0) x = step.X * x;
        if (step.kind == 1) x = rotation(step.v, q) * x;
        if (step.kind == 2) x += q * step.v;
      }
      ASSERT_TRUE(region.contains(x, 1e-10)) << "trial " << trial;
      const Vec3 e = random.direction();
      ASSERT_LE(e.dot(x), region.support(e) + 1e-10) << "trial " << trial;
    }
  }
}

TEST(ReachBounds, NeverExcludeAPointThatAPoseReaches) {
  constexpr std::uint64_t seed = 812;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int trial = 0; trial < 60; ++trial) {
    const Figure figure = built(law::random_figure(random, {.freedoms = random.integer(1, 30)}));
    const Element handle{Element::Kind::point, random.integer(0, static_cast<int>(figure.segments().size()) - 1),
                         random.direction()};
    const ReachBounds bounds(Problem(figure), figure.rest(), handle, all_parameters_of(figure), 0.0);
    for (int sample = 0; sample < 50; ++sample) {
      const Vec3 x = evaluate(figure, forward(figure, random_pose_within(figure, random)), handle);
      ASSERT_FALSE(bounds.excludes(x, 1e-9 * figure.length())) << "trial " << trial;
    }
  }
}

TEST(ReachBounds, ContainTheReachOfTheHuman) {
  constexpr std::uint64_t seed = 813;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const Figure figure = good(human({.root = Root::fixed}));
  const Element palm = good(figure.point("right_palm")).plus[0];
  const ReachBounds bounds(Problem(figure), figure.rest(), palm, all_parameters_of(figure), 0.0);
  ASSERT_TRUE(bounds.box());
  for (int sample = 0; sample < 5000; ++sample) {
    const Vec3 x = evaluate(figure, forward(figure, random_pose_within(figure, random)), palm);
    ASSERT_FALSE(bounds.excludes(x, 1e-9));
    for (int k = 0; k < 3; ++k) {
      ASSERT_GE(x[k], bounds.box()->min[k] - 1e-9);
      ASSERT_LE(x[k], bounds.box()->max[k] + 1e-9);
    }
  }
}

// Two links and a hinge: both ends by the law of cosines.
TEST(ReachBounds, AreSharpForTwoLinks) {
  const PlanarArm arm{.slide = {0.0, 0.0}};
  const Figure figure = arm.figure();
  const Element tip = good(figure.point("tip")).plus[0];
  const ReachBounds bounds(Problem(figure), figure.rest(), tip, all_parameters_of(figure), 0.0);
  const double r0 = arm.radius(arm.elbow.upper), r1 = arm.radius(arm.elbow.lower);
  constexpr double little = 1e-6;
  EXPECT_TRUE(bounds.excludes({r1 + little, 0, 0}, 0.0));
  EXPECT_FALSE(bounds.excludes({r1 - little, 0, 0}, 0.0));
  EXPECT_TRUE(bounds.excludes({r0 - little, 0, 0}, 0.0));
  EXPECT_FALSE(bounds.excludes({r0 + little, 0, 0}, 0.0));
  EXPECT_TRUE(bounds.excludes({0, 0, 0}, 0.0));
  EXPECT_TRUE(bounds.excludes({0, 0, 0.5}, 0.0)) << "the cone: the arm stays near its plane";
}

// A free figure has no bound; a pin gives one, along the path to the handle.
TEST(ReachBounds, OfAFreeFigureComeFromItsPins) {
  constexpr std::uint64_t seed = 814;
  SCOPED_TRACE("seed " + std::to_string(seed));
  FigureDescription body = testing::torso_with_arms();
  body.joints.push_back(free_root("root", "pelvis"));
  const Figure figure = built(body);
  const Handle left = good(figure.point("left hand")), right = good(figure.point("right hand"));
  Problem problem(figure);
  EXPECT_FALSE(ReachBounds(problem, figure.rest(), right.plus[0], all_parameters_of(figure), 0.0).box());
  const Vec3 p(0.3, 1.0, -0.2);
  good(problem.add(left, Position{p}));
  const ReachBounds bounds(problem, figure.rest(), right.plus[0], all_parameters_of(figure), 0.0);
  ASSERT_TRUE(bounds.box());
  Random random(seed);
  for (int sample = 0; sample < 3000; ++sample) {
    const Kinematics state = forward(figure, random_pose_within(figure, random));
    const Vec3 x = evaluate(figure, state, right.plus[0]) - evaluate(figure, state, left.plus[0]) + p;
    ASSERT_FALSE(bounds.excludes(x, 1e-9));
  }
  EXPECT_TRUE(bounds.excludes(p + Vec3(10, 0, 0), 0.0));
}

// In any tree, for any two points: if one is pinned at its position in a pose, the other's position in that pose
// is not excluded.
TEST(ReachBounds, NeverExcludeWhatAPinnedFigureReaches) {
  constexpr std::uint64_t seed = 815;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int trial = 0; trial < 300; ++trial) {
    const Figure figure = built(law::random_figure(random, {.freedoms = random.integer(1, 8), .rows = false}));
    const int last = static_cast<int>(figure.segments().size()) - 1;
    const Element handle{Element::Kind::point, random.integer(0, last), figure.length() * random.direction()};
    Handle pinned;
    pinned.name = "pin";
    pinned.plus[0] = {Element::Kind::point, random.integer(0, last), figure.length() * random.direction()};
    const Kinematics state = forward(figure, random_pose_within(figure, random));
    Problem problem(figure);
    good(problem.add(pinned, Position{evaluate(figure, state, pinned.plus[0])}));
    const ReachBounds bounds(problem, figure.rest(), handle, all_parameters_of(figure), 1e-9 * figure.length());
    ASSERT_FALSE(bounds.excludes(evaluate(figure, state, handle), 1e-9 * figure.length())) << "trial " << trial;
  }
}

}  // namespace bounds_test
}  // namespace limber
