// A solve without options reaches what can be reached, by plain forward kinematics. `limber bench --task reachable`
// measures more figures.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/format/urdf/urdf.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "limber/solver/quick_marquardt.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/law/random_figure.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"
#include "tests/support/tree.h"

namespace limber {
namespace reachable_test {

using testing::good;

Figure robot(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(source_dir()) / "data/urdf" / (name + ".urdf");
  return *good(read_urdf(read_sample(file), name)).figure;
}

enum class What { positions, placements };

// The share of random poses of which the places are not reached from rest, in thousandths.
int unmet_per_thousand(const Figure& figure, const std::vector<std::string>& places, What what, int count) {
  Problem problem(figure);
  std::vector<Handle> frames;
  std::vector<ConstraintId> ids;
  for (const std::string& place : places) {
    frames.push_back(good(figure.frame(place)));
    ids.push_back(what == What::positions ? good(problem.add(figure.point(place), Position{}))
                                          : good(problem.add(frames.back(), Placement{})));
  }
  Solver solver(problem);
  Random random(20);
  int unmet = 0;
  for (int k = 0; k < count; ++k) {
    const Kinematics state = forward(figure, law::random_pose(random, figure));
    std::vector<Vec3> targets;
    for (std::size_t e = 0; e < places.size(); ++e) {
      Vec3 x[max_elements];
      evaluate(figure, state, frames[e], x);
      targets.push_back(x[0]);
      const Goal goal = what == What::positions ? Goal(Position{x[0]}) : Goal(Placement{x[0], {x[1], x[2]}});
      EXPECT_TRUE(problem.set_goal(ids[e], goal));
    }
    Pose pose = figure.rest();
    bool met = solver.solve(pose).met();
    const Kinematics reached = forward(figure, pose);
    for (std::size_t e = 0; e < places.size(); ++e) {
      Vec3 x[max_elements];
      evaluate(figure, reached, frames[e], x);
      met = met && (x[0] - targets[e]).norm() <= 1.001 * Options{}.met_metres;
    }
    unmet += !met;
  }
  return 1000 * unmet / count;
}

// A finger cannot move without the one that it mimics, though that moves no goal.
TEST(Reachable, AMimicJointMovesWithItsPartner) {
  const Figure panda = robot("panda");
  Problem problem(panda);
  good(problem.add(panda.point("panda_leftfinger"), Position{}));
  for (const char* finger : {"panda_finger_joint1.slide", "panda_finger_joint2.slide"})
    EXPECT_TRUE(std::ranges::binary_search(problem.variables(), good(panda.find_parameter(finger)))) << finger;
  EXPECT_EQ(unmet_per_thousand(panda, {"panda_leftfinger"}, What::placements, law::law_count(300)), 0);
}

// Where the last joint is at one of its limits, the answer may be at the other.
TEST(Reachable, TheThreeTipsOfAGripperAreReached) {
  const std::vector<std::string> tips = {"panda_hand_tcp", "panda_leftfinger", "panda_rightfinger"};
  EXPECT_EQ(unmet_per_thousand(robot("panda"), tips, What::positions, law::law_count(300)), 0);
}

// Three places on each gripper, 54 rows of the Jacobian over 18 variables: most depend on others. Two arms on a torso
// that does not move have nothing to do with each other; a start for one keeps the other.
TEST(Reachable, TheSixTipsOfTwoArmsAreReached) {
  const std::vector<std::string> tips = {"left_gripper",  "l_gripper_l_finger_tip", "l_gripper_r_finger_tip",
                                         "right_gripper", "r_gripper_l_finger_tip", "r_gripper_r_finger_tip"};
  EXPECT_EQ(unmet_per_thousand(robot("baxter"), tips, What::placements, law::law_count(1000)), 0);
}

TEST(Reachable, FourLimbsOfARobotAreReached) {
  const std::vector<std::string> limbs = {"left_rubber_hand", "right_rubber_hand", "left_ankle_roll_link",
                                          "right_ankle_roll_link"};
  EXPECT_EQ(unmet_per_thousand(robot("g1_29dof"), limbs, What::placements, law::law_count(1000)), 0);
}

// A goal farther than all bones in a line is not tried for long; one that a pose has is never said to be that far.
TEST(Reachable, OnlyGoalsBeyondAllBonesAreOutOfReach) {
  int beyond = 0, solved = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Figure figure = good(build_figure(law::random_figure(random, {random.integer(2, 20)})));
    Problem problem(figure);
    const std::string tip = figure.segments().back().name;
    const Handle handle = good(figure.point(tip));
    const ConstraintId id = good(problem.add(handle, Position{}));
    Assembly assembly(problem);
    QuickMarquardt quick;
    const Pose start = law::random_pose(random, figure);
    VecX phi;
    const auto is_out_of_reach = [&](const Vec3& goal) {
      EXPECT_TRUE(problem.set_goal(id, Position{goal}));
      assembly.start(start.theta, phi);
      if (!quick.accepts(assembly)) return std::optional<bool>();
      (void)quick.minimize(assembly, phi, {.iterations = 0});
      return std::optional(quick.is_out_of_reach(1e-9 * figure.length()));
    };
    // What is no variable stays as it is at the start.
    Pose pose = start;
    const Pose other = law::random_pose(random, figure);
    for (const int j : problem.variables())
      if (problem.rigidities()[j] < 1.0) pose.theta[j] = other.theta[j];
    if (figure.limit_rows().empty()) {
      const Vec3 there = evaluate(figure, forward(figure, pose), handle.plus[0]);
      const std::optional<bool> found = is_out_of_reach(there);
      EXPECT_FALSE(found.value_or(false)) << "seed " << seed;
      solved += found.has_value();
      beyond += is_out_of_reach(there + 1e3 * figure.length() * Vec3::UnitX()).value_or(false);
    }
  }
  EXPECT_GE(solved, 50);
  EXPECT_GE(beyond, solved / 2) << "of " << solved;
}

TEST(Reachable, AHumanReachesWithHeadHandsAndFeetInTheFastLoop) {
  const std::vector<std::string> ends = {"head_top", "left_fingertip", "right_fingertip", "left_toe", "right_toe"};
  for (const What what : {What::positions, What::placements})
    EXPECT_LE(unmet_per_thousand(human(), ends, what, law::law_count(200)), 1);
  const Figure figure = human();
  Problem problem(figure);
  for (const std::string& end : ends) good(problem.add(figure.frame(end), Placement{}));
  Assembly assembly(problem);
  VecX phi;
  assembly.start(figure.rest().theta, phi);
  ASSERT_NE(assembly.pins(), nullptr);
  EXPECT_TRUE(assembly.pins()->coupling.has_value()) << "its spine and shoulders are groups, with limits between them";
}

}  // namespace reachable_test
}  // namespace limber
