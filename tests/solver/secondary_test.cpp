// Options::secondary through solve(): what the goals leave open goes to the second criterion.             W93 3.2
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "limber/solver/residual/pseudoinverse.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace secondary_test {

using testing::built;
using testing::good;

Frame frame_of(const Figure& figure, const Pose& pose, const char* place) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), good(figure.frame(place)), x);
  Frame frame;
  frame.p = x[0];
  frame.R << x[1], x[2], x[1].cross(x[2]);
  return frame;
}

// The product of the six singular values of the hand's velocities: linear ones in lengths of the figure, angular ones
// counted as a placement counts them. Computed from the frames alone, by differences.
double dexterity(const Figure& figure, const Pose& pose, const char* place) {
  const std::vector<int> chain = chain_of(figure, good(figure.frame(place)), no_parent);
  MatX V(6, static_cast<Eigen::Index>(chain.size()));
  for (std::size_t k = 0; k < chain.size(); ++k) {
    constexpr double h = 1e-6;
    Pose after = pose, before = pose;
    after.theta[chain[k]] += h;
    before.theta[chain[k]] -= h;
    const Frame a = frame_of(figure, after, place), b = frame_of(figure, before, place);
    const Mat3 turn = (a.R * b.R.transpose() - Mat3::Identity()) / (2.0 * h);
    V.col(static_cast<Eigen::Index>(k)) << (a.p - b.p) / (2.0 * h), turn(2, 1), turn(0, 2), turn(1, 0);
  }
  return std::sqrt((V * V.transpose()).determinant());
}

// Seven turns about axes that alternate, links of 0.3 m, without limits that matter.
Figure seven_turns() {
  FigureDescription description = testing::seven_joint_arm();
  return built(description);
}

TEST(SecondaryGoal, ManipulabilityOfAPlacementImproves) {
  const Figure figure = seven_turns();
  Pose start = figure.rest();
  for (Eigen::Index j = 0; j < start.theta.size(); ++j) start.theta[j] = 0.25 + 0.05 * static_cast<double>(j);
  const Frame here = frame_of(figure, start, "tip");
  const Placement goal{here.p, orientation(here.R)};
  const double before = dexterity(figure, start, "tip");
  for (const Method method : {Method::automatic, Method::pseudoinverse, Method::damped_least_squares}) {
    Problem problem(figure);
    good(problem.add(figure.frame("tip"), goal));
    Pose pose = start;
    const Report report = solve(
        problem, pose, {.method = method, .iterations = 40, .restarts = 0, .secondary = Secondary::manipulability});
    EXPECT_TRUE(report.met()) << to_text(report);
    EXPECT_GT(dexterity(figure, pose, "tip"), 1.1 * before) << name_of(method);
    EXPECT_EQ(report.method, method == Method::automatic ? Method::damped_least_squares : method);
  }
}

// The other criteria, through solve() and by the default method too.
TEST(SecondaryGoal, JointRangeAndComfortMoveWhatIsFree) {
  const Figure figure = seven_turns();
  const auto off_middle = [&](const Pose& pose) {
    double sum = 0.0;
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      const double off = pose.theta[static_cast<Eigen::Index>(j)] - 0.5 * (range.lower + range.upper);
      sum += off * off / (range.upper - range.lower);
    }
    return sum;
  };
  const auto off_rest = [&](const Pose& pose) { return (pose.theta - figure.rest().theta).norm(); };
  const auto solved = [&](Secondary secondary) {
    Problem problem(figure);
    Pose pose = figure.rest();
    pose.theta << 0.9, -0.7, 0.8, 0.9, -0.6, 0.7, 0.5;
    good(problem.add(figure.point("tip"), Position{frame_of(figure, pose, "tip").p}));
    const Report report = solve(problem, pose, {.restarts = 0, .secondary = secondary});
    EXPECT_TRUE(report.met()) << to_text(report);
    return pose;
  };
  const Pose plain = solved(Secondary::none);
  EXPECT_LT(off_middle(solved(Secondary::joint_range)), 0.9 * off_middle(plain));
  EXPECT_LT(off_rest(solved(Secondary::comfort)), 0.9 * off_rest(plain));
}

// H is a product over the nonzero singular values, and its gradient is that of differences of H itself.
TEST(SecondaryGoal, TheGradientOfManipulabilityIsThatOfDifferences) {
  const Figure figure = seven_turns();
  Problem problem(figure);
  good(problem.add(figure.frame("tip"), Placement{}));
  Assembly assembly(problem);
  Pose pose = figure.rest();
  pose.theta << 0.4, 0.9, -0.3, 1.1, 0.2, -0.8, 0.5;
  VecX phi;
  assembly.start(pose.theta, phi);
  Manipulability manipulability;
  manipulability.start(assembly, assembly.limits(), phi);
  EXPECT_EQ(assembly.residuals(), 9);
  EXPECT_EQ(manipulability.rank(), 6);
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    VecX x = phi, g(phi.size()), ignored(phi.size());
    for (double& entry : x) entry = random.between(-1.2, 1.2);
    EXPECT_LT(manipulability(x, g), 0.0);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      constexpr double h = 1e-5;
      VecX after = x, before = x;
      after[i] += h;
      before[i] -= h;
      const double slope = (manipulability(after, ignored) - manipulability(before, ignored)) / (2.0 * h);
      EXPECT_NEAR(g[i], slope, 1e-5 * (1e-3 + g.norm())) << i;
    }
  }
}

// Where a method has no use for it, it says so.
TEST(SecondaryGoal, IsRejectedByNameByEveryMethodThatIgnoresIt) {
  const Figure figure = seven_turns();
  for (const MethodRow& row : method_table) {
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose, {.method = row.method, .secondary = Secondary::comfort});
    const bool uses = row.method == Method::automatic || row.method == Method::pseudoinverse ||
                      row.method == Method::damped_least_squares;
    EXPECT_EQ(report.exit != Exit::rejected, uses) << row.name;
    if (uses) continue;
    EXPECT_EQ(pose.theta, figure.rest().theta);
    ASSERT_TRUE(report.rejection);
    EXPECT_EQ(report.rejection->where, "options, secondary");
    EXPECT_EQ(report.rejection->found, "'comfort' with the method " + std::string(row.name));
    EXPECT_NE(report.rejection->expected.find("pseudoinverse and damped-least-squares"), std::string::npos);
  }
}

}  // namespace secondary_test
}  // namespace limber
