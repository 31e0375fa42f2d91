// φ ↔ θ ↔ q, and what a limit on several parameters leaves to those that vary.
#include "limber/problem/variables.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "tests/law/random_figure.h"
#include "tests/support/figures.h"

namespace limber {
namespace variables_test {

using testing::built;
using testing::good;

Problem with_all_chains(const Figure& figure) {
  Problem problem(figure);
  for (const Segment& segment : figure.segments()) good(problem.add(figure.point(segment.name), Position{}));
  return problem;
}

TEST(Variables, AreScaledByRigidityAndLength) {
  FigureDescription d = testing::planar_arm();
  d.joints.push_back(free_root("root", "base"));
  const Figure figure = built(d);
  Problem problem = with_all_chains(figure);
  ASSERT_TRUE(problem.set_rigidity("elbow", 0.75));
  ASSERT_TRUE(problem.set_rigidity("shoulder", 1.0));
  const Variables variables(problem);
  ASSERT_EQ(variables.count(), 7);  // six of the root, and the elbow
  for (int i = 0; i < variables.count(); ++i) {
    const Parameter& parameter = figure.parameters()[variables.parameter(i)];
    const double expected = parameter.name == "elbow.turn" ? 0.25 : parameter.translates ? figure.length() : 1.0;
    EXPECT_DOUBLE_EQ(variables.scale(i), expected) << parameter.name;
  }
}

TEST(Variables, GiveBackThePoseTheyAreOf) {
  Random random(61);
  const Figure figure = human();
  const Problem problem = with_all_chains(figure);
  const Variables variables(problem);
  for (int trial = 0; trial < 10; ++trial) {
    const VecX theta = law::random_pose(random, figure).theta;
    VecX phi, again = theta;
    variables.phi_of(theta, phi);
    variables.theta_of(phi, again);
    EXPECT_LE((again - theta).cwiseAbs().maxCoeff(), 1e-15 * (1.0 + theta.cwiseAbs().maxCoeff()));
  }
}

// Twice: with a group, where the chain rule goes through the figure, and without, where a variable is a joint angle.
TEST(Variables, PullBackTheDerivativeOfTheirAngles) {
  Random random(62);
  for (const bool groups : {false, true}) {
    const Figure figure = built(law::random_figure(random, {.freedoms = 12, .groups = groups, .rows = false}));
    const Problem problem = with_all_chains(figure);
    Variables variables(problem);
    VecX theta = figure.rest().theta, q, ahead, behind, phi, gradient(variables.count());
    figure.angles(theta, q);
    ahead = behind = q;
    const VecX c = testing::random_values(random, q.size(), 1.0);
    variables.phi_of(theta, phi);
    variables.pull_back(theta, c, gradient);
    constexpr double step = 1e-6;
    for (int i = 0; i < variables.count(); ++i) {
      VecX at = theta;
      at[variables.parameter(i)] += step * variables.scale(i);
      variables.angles_of(at, ahead);
      at[variables.parameter(i)] -= 2.0 * step * variables.scale(i);
      variables.angles_of(at, behind);
      EXPECT_NEAR(gradient[i], c.dot(ahead - behind) / (2.0 * step), 1e-7) << i;
      variables.angles_of(theta, ahead);  // the others as they were
      variables.angles_of(theta, behind);
    }
  }
}

// A limit a·θ <= b over parameters of which some do not vary: what those take is not left for the others.
TEST(Variables, TakeFixedParametersOffTheBoundOfARow) {
  Random random(63);
  int seen = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Figure figure = built(law::random_figure(random, {.freedoms = 10, .groups = false, .rows = true}));
    Problem problem = with_all_chains(figure);
    for (const Parameter& parameter : figure.parameters())
      if (random.chance(0.5)) (void)problem.set_rigidity(parameter.name, 1.0);
    Variables variables(problem);
    const VecX theta = law::random_pose(random, figure).theta;
    variables.start(theta);
    VecX phi;
    variables.phi_of(theta, phi);
    for (std::size_t k = 0; k < variables.limits().rows.size(); ++k, ++seen) {
      const LimitRow& row = figure.limit_rows()[variables.limit_row(static_cast<int>(k))];
      double slack = row.bound, square = 0.0;
      for (std::size_t t = 0; t < row.parameters.size(); ++t) slack -= row.coefficients[t] * theta[row.parameters[t]];
      for (int i = 0; i < variables.count(); ++i)
        for (std::size_t t = 0; t < row.parameters.size(); ++t)
          if (row.parameters[t] == variables.parameter(i))
            square += std::pow(row.coefficients[t] * variables.scale(i), 2);
      const int limit = 2 * variables.count() + static_cast<int>(k);
      EXPECT_NEAR(variables.limits().slack(limit, phi), slack / std::sqrt(square), 1e-12 * (1.0 + std::fabs(slack)));
    }
  }
  EXPECT_GT(seen, 5);
}

// A coefficient that is only the rounding of 0 limits nothing: alone in a row, it would be scaled up to 1.
TEST(Variables, IgnoreCoefficientsThatAreRounding) {
  FigureDescription arm = testing::planar_arm();
  arm.limits = {{"polygon edge", {{"shoulder.turn", 1.3}, {"elbow.turn", 5e-16}}, Relation::at_most, 0.0}};
  const Figure figure = built(arm);
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1, 1, 0}}, {.from = "elbow"}));
  EXPECT_TRUE(Variables(problem).limits().rows.empty());
  good(problem.add(figure.point("tip"), Position{{1, 1, 0}}));
  const Variables both(problem);
  ASSERT_EQ(both.limits().rows.size(), 1U);
  EXPECT_EQ(both.limits().rows[0].end - both.limits().rows[0].begin, 1);
}

}  // namespace variables_test
}  // namespace limber
