// Goals of one's own over several points of a figure.                                           W93 5.3.2, 5.3.3
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace together_test {

using testing::good;

// The area of the triangle of three points: r = ½ ‖(b - a) × (c - a)‖ - A. With n the unit normal,
//   ∂r/∂a = ½ n × (c - b)ᵀ …, that is ∂r/∂a = ½ (b - c) × n, ∂r/∂b = ½ (c - a) × n, ∂r/∂c = ½ (a - b) × n
CustomGoal area(double asked) {
  const auto value = [asked](const HandleValue& x) { return 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm() - asked; };
  return {"area", Shape::three_points, 1,
          [value](const HandleValue& x, Residual& out) {
            const Vec3 n = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
            out.r[0] = value(x);
            for (int k = 0; k < 3; ++k) out.row(0, k) = 0.5 * (x[(k + 1) % 3] - x[(k + 2) % 3]).cross(n).transpose();
          },
          [value](const HandleValue& x) { return GoalError{.metres = std::fabs(value(x)), .radians = {}}; }};
}

// The centre of mass is as far from one point as from another.
CustomGoal halfway() {
  const auto value = [](const HandleValue& x) { return (x[0] - x[1]).norm() - (x[0] - x[2]).norm(); };
  return {"halfway", Shape::three_points, 1,
          [value](const HandleValue& x, Residual& out) {
            const Vec3 a = (x[0] - x[1]).normalized(), b = (x[0] - x[2]).normalized();
            out.r[0] = value(x);
            out.row(0, 0) = (a - b).transpose();
            out.row(0, 1) = -a.transpose();
            out.row(0, 2) = b.transpose();
          },
          [value](const HandleValue& x) { return GoalError{.metres = std::fabs(value(x)), .radians = {}}; }};
}

double area_of(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Vec3 x[3];
  int k = 0;
  for (const char* place : {"left_palm", "right_palm", "head"})
    x[k++] = evaluate(figure, state, good(figure.point(place)).plus[0]);
  return 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
}

Expected<Handle> palms_and_head(const Figure& figure) {
  return together({figure.point("left_palm"), figure.point("right_palm"), figure.point("head")});
}

TEST(Together, ATriangleOfThreePlacesHasItsArea) {
  const Figure figure = human();
  for (const double weight : {1.0, must})
    for (const double asked : {0.05, 0.2}) {
      Problem problem(figure);
      good(problem.add(palms_and_head(figure), area(asked), {.weight = weight}));
      good(problem.add(figure.frame("left_foot"), hold(), {.weight = must}));
      Pose pose = figure.rest();
      const Report report = solve(problem, pose);
      EXPECT_TRUE(report.met()) << asked;
      EXPECT_NEAR(area_of(figure, pose), asked, 1e-6);
    }
}

TEST(Together, EveryMethodFollowsIt) {
  const Figure figure = human();
  for (const MethodRow& method : method_table) {
    Problem problem(figure);
    good(problem.add(palms_and_head(figure), area(0.1), {.from = "waist"}));
    Pose pose = figure.rest();
    const double before = std::fabs(area_of(figure, pose) - 0.1);
    const Report report = solve(problem, pose, {.method = method.method, .met_metres = 1e-2});
    EXPECT_LT(std::fabs(area_of(figure, pose) - 0.1), 0.5 * before) << method.name << ": " << name_of(report.exit);
  }
}

TEST(Together, TakesTheCentreOfMass) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(together({figure.mass_centre(), figure.point("left_foot"), figure.point("right_palm")}), halfway(),
                   {.weight = must}));
  Pose pose = figure.rest();
  EXPECT_TRUE(solve(problem, pose).met());
}

TEST(Together, AnyHandleMayBeHeldOrCoincide) {
  const Figure figure = human();
  Problem problem(figure);
  const Handle feet = good(together({figure.point("left_foot"), figure.point("right_foot")}));
  good(problem.add(feet, hold(), {.weight = must}));
  good(problem.add(figure.point("right_palm"), Position{{-0.5, 0.6, 0.4}}));
  Pose pose = figure.rest();
  Vec3 before[max_elements], after[max_elements];
  evaluate(figure, forward(figure, pose), feet, before);
  EXPECT_TRUE(solve(problem, pose).met());
  evaluate(figure, forward(figure, pose), feet, after);
  for (int k = 0; k < 2; ++k) EXPECT_LT((after[k] - before[k]).norm(), 1e-6);
}

TEST(Together, RejectsWhatIsNoPoint) {
  const Figure figure = human();
  const auto palm = figure.point("left_palm");
  EXPECT_EQ(together({palm}).error().found, "1 places");
  EXPECT_FALSE(together({palm, palm, palm, palm}));
  EXPECT_EQ(together({palm, figure.ray("eyes")}).error().found, "a ray");
  EXPECT_EQ(together({palm, difference(palm, figure.point("head"))}).error().found, "a difference");
  EXPECT_FALSE(together({palm, figure.point("nowhere")}));
  Problem problem(figure);
  EXPECT_FALSE(problem.add(together({palm, figure.point("head")}), area(1.0)));  // needs three
  TimedProblem timed(figure);
  EXPECT_EQ(timed.add(together({palm, figure.point("head")}), hold(), {}).error().found, "Hold on a pair of points");
}

}  // namespace together_test
}  // namespace limber
