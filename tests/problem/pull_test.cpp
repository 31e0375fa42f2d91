// Regularisers: parameters pulled towards a pose or the middle of their limits.
#include <gtest/gtest.h>

#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace pull_test {

using testing::built;
using testing::expect_derivative;
using testing::good;

TEST(PosePull, HasTheValueAndDerivativesOfItsDefinition) {
  Random random(5);
  const Figure figure = built(testing::torso_with_arms());
  Pose liked = figure.rest();
  for (Eigen::Index j = 0; j < liked.theta.size(); ++j) liked.theta[j] = random.between(-0.4, 0.4);
  for (const PullByStiffness& pull : {towards(figure, liked), towards_middle(figure)}) {
    Problem problem(figure);
    good(problem.add(figure.point("left hand"), Position{{0.6, 0.7, 0.1}}, {.weight = 2.0}));
    good(problem.add_pull(pull, {.weight = 0.3, .name = "calm"}));
    Assembly assembly(problem);
    VecX phi, r;
    MatX J;
    assembly.start(figure.rest().theta, phi);
    for (Eigen::Index i = 0; i < phi.size(); ++i) phi[i] += random.between(-0.3, 0.3);
    VecX gradient(phi.size()), part(phi.size()), rubbish(phi.size());
    const double f = assembly(phi, gradient);
    assembly.residual(phi, r);
    assembly.jacobian(phi, J);
    EXPECT_EQ(r.size(), 3 + phi.size());
    EXPECT_NEAR(r.squaredNorm(), f, 1e-14);
    EXPECT_LE((2.0 * J.transpose() * r - gradient).norm(), 1e-14);
    double sum = 0.0;
    for (int i = 0; i < assembly.variables(); ++i) {
      const int j = assembly.parameter(i);
      sum += pull.stiffness[j] * std::pow(default_c * (assembly.theta()[j] - pull.target[j]), 2);
    }
    EXPECT_NEAR(assembly.value(1), sum, 1e-13);
    expect_derivative([&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); }, phi,
                      gradient.transpose(), random);
    VecX parts = VecX::Zero(phi.size());
    for (const std::size_t c : {0U, 1U}) {
      assembly.gradient_of(c, phi, part);
      parts += part;
    }
    EXPECT_LE((parts - gradient).norm(), 1e-14);
  }
}

// A redundant arm: with a weak pull, and with one of a lower priority, the goal is met and the pose is the nearest to
// the one that is liked, wherever the solve starts.
TEST(PosePull, ChoosesAmongThePosesThatMeetTheGoal) {
  const Figure figure = built(testing::seven_joint_arm());
  Pose liked = figure.rest();
  for (Eigen::Index j = 0; j < liked.theta.size(); ++j) liked.theta[j] = 0.3 * std::cos(static_cast<double>(j));
  for (const bool strict : {false, true}) {
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{{1.5, 0.6, -0.3}}));
    good(problem.add_pull(towards(figure, liked),
                          strict ? ConstraintOptions{.priority = 2} : ConstraintOptions{.weight = 1e-4}));
    std::vector<Pose> answers;
    for (const double start : {0.0, 0.1, 0.25}) {
      Pose pose = figure.rest();
      pose.theta.setConstant(start);
      const Report report = solve(problem, pose, {.tolerance = 1e-12, .met_metres = strict ? 1e-9 : 1e-3});
      EXPECT_TRUE(report.met()) << to_text(report);
      answers.push_back(pose);
    }
    EXPECT_LE((answers[0].theta - answers[1].theta).norm(), 1e-3);
    EXPECT_LE((answers[0].theta - answers[2].theta).norm(), 1e-3);
    // Without the pull the answer depends on the start.
    Problem free(figure);
    good(free.add(figure.point("tip"), Position{{1.5, 0.6, -0.3}}));
    Pose other = figure.rest();
    other.theta.setConstant(0.25);
    ASSERT_TRUE(solve(free, other).met());
    EXPECT_GT((other.theta - liked.theta).norm(), (answers[0].theta - liked.theta).norm() + 0.01);
  }
}

TEST(PosePull, MovesNothingThatNoChainHolds) {
  const Figure figure = built(testing::torso_with_arms());
  Problem problem(figure);
  good(problem.add(figure.point("left hand"), Position{{0.6, 0.7, 0.1}}, {.from = "left shoulder"}));
  Pose liked = figure.rest();
  liked.theta.setConstant(0.2);
  good(problem.add_pull(towards(figure, liked), {.weight = 0.1}));
  Pose pose = figure.rest();
  solve(problem, pose);
  EXPECT_EQ(good(figure.value(pose, "right elbow.bend")), 0.0);
  EXPECT_NE(good(figure.value(pose, "left elbow.bend")), 0.0);
}

TEST(PosePull, FollowsATargetThatMoves) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.2, 0.8, 0.0}}, {.weight = 1e-9}));
  const ConstraintId pull = good(problem.add_pull(towards(figure, figure.rest())));
  Solver solver(problem);
  Pose pose = figure.rest(), target = figure.rest();
  for (const double angle : {0.3, 0.9}) {
    target.theta.setConstant(angle);
    ASSERT_TRUE(problem.set_pull(pull, target.theta));
    const int structure = problem.structure();
    solver.solve(pose);
    EXPECT_EQ(problem.structure(), structure);
    EXPECT_LE((pose.theta - target.theta).norm(), 1e-4);
  }
}

TEST(PosePull, RejectsWhatIsNoPull) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  EXPECT_FALSE(problem.add_pull(PullByStiffness{VecX::Zero(1), VecX::Ones(1)}));
  EXPECT_FALSE(problem.add_pull(PullByStiffness{VecX::Zero(2), -VecX::Ones(2)}));
  EXPECT_FALSE(problem.add_pull(PullByStiffness{VecX::Constant(2, std::nan("")), VecX::Ones(2)}));
  EXPECT_FALSE(problem.add_pull(towards(figure, figure.rest()), {.weight = must}));
  EXPECT_FALSE(problem.add_pull(towards(figure, figure.rest()), {.from = "elbow"}));
  EXPECT_FALSE(problem.add_pull(towards(figure, figure.rest()), {.priority = 99}));
  problem.clear_rejections();
  const ConstraintId pull = good(problem.add_pull(towards(figure, figure.rest())));
  EXPECT_FALSE(problem.set_weight(pull, must));
  EXPECT_FALSE(problem.set_pull(pull, VecX::Zero(3)));
  const ConstraintId goal = good(problem.add(figure.point("tip"), Position{{1, 1, 0}}));
  EXPECT_FALSE(problem.set_pull(goal, VecX::Zero(2)));
}

}  // namespace pull_test
}  // namespace limber
