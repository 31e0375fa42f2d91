// Priorities beside exact clearances: nothing of any priority goes into an obstacle, and the first is not disturbed.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"
#include "limber/solver/solve.h"

namespace limber {
namespace clearance_priority_test {

constexpr std::uint64_t priority_seed = 5150;

TEST(ClearancePriority, LaterPrioritiesKeepClearToo) {
  const Figure figure = human();
  Random random(priority_seed);
  constexpr int count = 8;
  for (int c = 0; c < count; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << priority_seed << ", case " << c);
    Clearance clearance;
    clearance.capsules = capsules_of(figure);
    const double x = random.between(0.0, 0.4), y = random.between(0.9, 1.4), z = random.between(0.3, 0.45);
    Frame X;
    X.p = Vec3(x, y, z);
    clearance.obstacles.push_back(*build_obstacle("box", BoxShape{{0.12, 0.08, 0.08}}, X));
    const double a = random.between(-0.4, -0.1), b = random.between(0.9, 1.4), d = random.between(0.3, 0.45);
    Problem problem(figure);
    for (const char* foot : {"left_foot", "right_foot"}) problem.add(figure.frame(foot), Hold{}, {.weight = must});
    problem.add(figure.point("right_palm"), Position{{a, b, d}});
    problem.add(figure.point("left_palm"), Position{X.p}, {.priority = 2});  // in the middle of the box
    ASSERT_TRUE(problem.add_clearance(clearance));
    Pose pose = figure.rest();
    const double before = solve(problem, pose, {.iterations = 0}).constraints[3].error.metres.value_or(0.0);
    const Report report = solve(problem, pose, {.restarts = 1});
    const Penetrations found =
        penetrations(figure, forward(figure, pose), clearance.capsules, Obstacles(clearance.obstacles), {}, 0.0);
    EXPECT_TRUE(found.empty()) << to_text(report);
    EXPECT_TRUE(report.constraints[4].met) << to_text(report);
    EXPECT_TRUE(report.constraints[2].met) << to_text(report);
    EXPECT_LE(report.constraints[0].error.metres.value_or(1.0), 1e-8);
    EXPECT_LT(report.constraints[3].error.metres.value_or(1.0), before);
  }
}

}  // namespace clearance_priority_test
}  // namespace limber
