#include <gtest/gtest.h>

#include <set>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/reach/reach.h"
#include "limber/reach/summary.h"

namespace limber {
namespace subject_test {

TEST(ReachSubject, RemovesConstraintsOnTheHandleAndAimsTheEyesAtEveryPoint) {
  const Figure figure = human();
  const Vec3 cup(-0.3, 1.1, 0.4);
  Problem problem(figure);
  const ConstraintId hand = problem.add(figure.point("right_palm"), Position{cup}, {.name = "hand"}).value();
  const ConstraintId eyes = problem.add(figure.ray("eyes"), AimAt{cup}, {.name = "eyes"}).value();
  const ConstraintId elsewhere = problem.add(figure.ray("eyes"), AimAt{Vec3(1.0, 1.0, 1.0)}).value();
  const ConstraintId other = problem.add(figure.point("left_palm"), Position{cup}, {.name = "other"}).value();
  const ReachSubject subject = reach_subject(problem, figure.point("right_palm")->plus[0]);
  EXPECT_EQ(subject.left_out, std::vector<std::string>{"hand"});
  EXPECT_EQ(subject.looking, std::vector<ConstraintId>{eyes});
  EXPECT_FALSE(subject.problem.find(hand)->enabled);
  for (const ConstraintId id : {eyes, elsewhere, other}) EXPECT_TRUE(subject.problem.find(id)->enabled);
}

TEST(ReachSubject, GivesAllConstraintsTheSameWeightAndKeepsPulls) {
  const Figure figure = human();
  Problem problem(figure);
  const ConstraintId locked = problem.add(figure.frame("left_foot"), Hold{}, {.weight = must}).value();
  const ConstraintId heavy =
      problem.add(figure.point("left_palm"), Position{Vec3(0.3, 1.0, 0.2)}, {.weight = 1000.0}).value();
  const ConstraintId off =
      problem.add(figure.point("head_top"), Position{Vec3(0.0, 1.7, 0.0)}, {.weight = 0.0}).value();
  const ConstraintId pull = problem.add_pull(towards(figure, figure.rest()), {.weight = 0.01}).value();
  const ReachSubject subject = reach_subject(problem, figure.point("right_palm")->plus[0]);
  EXPECT_EQ(subject.problem.find(locked)->weight, 1.0);
  EXPECT_EQ(subject.problem.find(heavy)->weight, 1.0);
  EXPECT_EQ(subject.problem.find(off)->weight, 0.0) << "weight 0 stays 0";
  EXPECT_EQ(subject.problem.find(pull)->weight, 0.01);
}

TEST(ReachSubject, RemovesHoldOnTheHandleToo) {
  const Figure figure = human();
  Problem problem(figure);
  const ConstraintId palm = problem.add(figure.point("right_palm"), Hold{}, {.name = "palm"}).value();
  const ConstraintId foot = problem.add(figure.point("right_foot"), Hold{}, {.name = "foot"}).value();
  const ReachSubject subject = reach_subject(problem, figure.point("right_palm")->plus[0]);
  EXPECT_EQ(subject.left_out, std::vector<std::string>{"palm"});
  EXPECT_FALSE(subject.problem.find(palm)->enabled);
  EXPECT_TRUE(subject.problem.find(foot)->enabled);
}

// A chain may begin with a group, which is not a place.
TEST(ReachSubject, DirectionsAreMeasuredFromTheFirstJoint) {
  const Figure figure = human();
  const Element palm = figure.point("right_palm")->plus[0];
  const Kinematics state = forward(figure, figure.rest());
  const Vec3 waist = reach_origin(figure, figure.rest(), "spine", palm);
  EXPECT_NEAR(waist.x(), 0.0, 1e-9);
  EXPECT_GT(waist.y(), evaluate(figure, state, figure.point("right_hip")->plus[0]).y());
  EXPECT_LT(waist.y(), evaluate(figure, state, figure.point("right_shoulder")->plus[0]).y());
  const Vec3 elbow = evaluate(figure, state, figure.point("right_elbow")->plus[0]);
  EXPECT_LT((reach_origin(figure, figure.rest(), "right_elbow", palm) - elbow).norm(), 1e-12);
  EXPECT_EQ(reach_origin(figure, figure.rest(), "", palm), evaluate(figure, state, palm));
}

TEST(ReachSubject, EveryDirectionHasAName) {
  std::set<std::string> names;
  for (const CellIndex& direction : neighbour_directions()) names.insert(direction_name(direction));
  EXPECT_EQ(names.size(), neighbour_directions().size());
  EXPECT_EQ(direction_name({0, 1, 0}), "up");
  EXPECT_EQ(direction_name({1, -1, 1}), "down front left");
  EXPECT_EQ(direction_name({-1, 0, -1}), "back right");
}

}  // namespace subject_test
}  // namespace limber
