// A solve without options reaches what can be reached, by plain forward kinematics. `limber bench --task reachable`
// measures more figures.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/format/urdf/urdf.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
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
