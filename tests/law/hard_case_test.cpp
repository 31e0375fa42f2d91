// The hard cases that the product promises an answer for, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace hard_case_test {

// A planar arm along x whose joints turn about z: links of the given length, limits the same for all.
FigureDescription arm(int joints, double link, Range range = {}) {
  FigureDescription figure{"arm"};
  figure.segments.push_back({"base"});
  for (int k = 0; k < joints; ++k) {
    const std::string name = "link" + std::to_string(k);
    const Vec3 offset = k == 0 ? Vec3(Vec3::Zero()) : Vec3(link, 0.0, 0.0);
    figure.joints.push_back({"joint" + std::to_string(k),
                             k == 0 ? "base" : "link" + std::to_string(k - 1),
                             name,
                             at(offset),
                             {},
                             {{"turn", Motion::rotate, Vec3::UnitZ(), range}}});
    figure.segments.push_back({name});
  }
  figure.sites.push_back({"hand", "link" + std::to_string(joints - 1), at({link, 0.0, 0.0})});
  return figure;
}

Vec3 hand_of(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Vec3 x;
  evaluate(figure, state, *figure.point("hand"), &x);
  return x;
}

TEST(HardCase, StartOutsideTheLimitsIsProjectedAndReported) {
  const Figure figure = *build_figure(arm(3, 1.0, {-0.5, 0.5}));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{2.5, 1.0, 0.0}}));
  Pose pose = figure.rest();
  pose.theta << 2.0, 0.1, -0.7;
  Report report = solve(problem, pose, {.iterations = 0});
  EXPECT_TRUE(report.start_projected);
  EXPECT_EQ(pose.theta, Eigen::Vector3d(0.5, 0.1, -0.5));
  report = solve(problem, pose);
  EXPECT_FALSE(report.start_projected);
}

TEST(HardCase, ContradictoryRowsAreNamed) {
  FigureDescription description = arm(3, 1.0);
  description.limits.push_back({"innocent", {{"joint2.turn", 1.0}}, Relation::at_most, 1.0});
  description.limits.push_back({"sum is one", {{"joint0.turn", 1.0}, {"joint1.turn", 1.0}}, Relation::equal, 1.0});
  description.limits.push_back({"sum is two", {{"joint0.turn", 2.0}, {"joint1.turn", 2.0}}, Relation::equal, 4.0});
  const Figure figure = *build_figure(description);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_EQ(report.exit, Exit::infeasible);
  ASSERT_TRUE(report.rejection);
  EXPECT_NE(report.rejection->found.find("'sum is one'"), std::string::npos);
  EXPECT_NE(report.rejection->found.find("'sum is two'"), std::string::npos);
  EXPECT_EQ(report.rejection->found.find("innocent"), std::string::npos);
  EXPECT_EQ(pose.theta, figure.rest().theta);
  EXPECT_FALSE(report.met());
}

TEST(HardCase, ARangeOfOneValueFixesTheFreedom) {
  FigureDescription description = arm(3, 1.0);
  description.joints[1].freedoms[0].range = {0.3, 0.3, 0.3};
  const Figure figure = *build_figure(description);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.0, 1.5, 0.0}}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_EQ(report.variables, 2);
  EXPECT_EQ(pose.theta[1], 0.3);
  EXPECT_TRUE(report.met());
}

// The gradient vanishes for the straight arm: nothing may happen from this start alone, but nothing may break. With
// other starts, as by default, the arm bends.                                                         W93 Fig. 4.2
TEST(HardCase, AStraightArmPulledInwardsStaysMonotoneAndFeasible) {
  const Figure figure = *build_figure(arm(3, 1.0, {-2.5, 2.5}));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.5, 0.0, 0.0}}));
  for (const double nudge : {0.0, 1e-12, 1e-6}) {
    Pose pose = figure.rest();
    pose.theta[1] = nudge;
    double before = infinity;
    Options options;
    options.observer = [&](const Progress& progress) {
      EXPECT_LE(progress.objective, before);
      EXPECT_LE(limit_defect(figure, progress.pose.theta), 1.0);
      before = progress.objective;
      return true;
    };
    const Report report = solve(problem, pose, options);
    EXPECT_LE(report.objective, report.objective_before);
    EXPECT_TRUE(report.met());
    // A nudge that shows in the gradient may lead out by itself; where that is slow, another start is quicker.
    if (nudge < 1e-6) {
      EXPECT_GT(report.restarts, 0);
    }
    options.restarts = 0;
    pose = figure.rest();
    before = infinity;
    EXPECT_FALSE(solve(problem, pose, options).met());
    EXPECT_EQ(pose.theta, figure.rest().theta);
  }
}

TEST(HardCase, AGoalFarOutOfReachStretchesTheArmTowardsIt) {
  const Figure figure = *build_figure(arm(3, 1.0));
  for (const double distance : {10.0, 1e3, 1e6}) {
    SCOPED_TRACE(distance);
    Problem problem(figure);
    ASSERT_TRUE(problem.add(figure.point("hand"), Position{distance * Vec3(0.6, 0.8, 0.0)}));
    Pose pose = figure.rest();
    pose.theta << 0.2, 0.3, -0.4;
    const Report report = solve(problem, pose);
    EXPECT_FALSE(report.met());
    EXPECT_TRUE(report.constraints[0].held_back_by.empty()) << "no limit is to blame";
    EXPECT_LE((hand_of(figure, pose) - 3.0 * Vec3(0.6, 0.8, 0.0)).norm(), 1e-4);
  }
}

TEST(HardCase, AGoalAtTheJointItselfFoldsTheArm) {
  const Figure figure = *build_figure(arm(2, 1.0));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{Vec3::Zero()}));
  Pose pose = figure.rest();
  pose.theta << 0.1, 0.2;
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.met());
  EXPECT_LE(hand_of(figure, pose).norm(), 1e-3);
}

TEST(HardCase, AnAimTargetAtTheEyeCountsAsMet) {
  const Figure figure = *build_figure(arm(1, 1.0));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.ray("joint0"), AimAt{Vec3::Zero()}));  // the eye is the joint, which does not move
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_EQ(report.exit, Exit::converged);
  EXPECT_TRUE(report.met());
  EXPECT_EQ(report.objective, 0.0);
}

TEST(HardCase, ATieOfAlternativesGoesToTheFirst) {
  const Figure figure = *build_figure(arm(1, 1.0));
  for (const double first : {1.0, -1.0}) {
    Problem problem(figure);
    ASSERT_TRUE(problem.add_one_of(
        {{figure.point("hand"), Position{{0.0, first, 0.0}}}, {figure.point("hand"), Position{{0.0, -first, 0.0}}}}));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    EXPECT_EQ(report.exit, Exit::converged);
    EXPECT_LT(report.iterations, 50);
    EXPECT_LE((hand_of(figure, pose) - Vec3(0.0, first, 0.0)).norm(), 1e-6);
  }
}

TEST(HardCase, WeightsFromTinyToHugeAreHonoured) {
  const Figure figure = *build_figure(arm(2, 1.0));
  for (const double weight : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
    SCOPED_TRACE(weight);
    Problem problem(figure);
    ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}, {.weight = weight}));
    Pose pose = figure.rest();
    pose.theta << 0.1, 0.2;
    EXPECT_TRUE(solve(problem, pose).met()) << "alone, a weight does not matter";
    ASSERT_TRUE(problem.add(figure.point("hand"), Position{{0.0, 1.0, 0.0}}, {.weight = 1.0}));
    const Report report = solve(problem, pose);
    EXPECT_EQ(report.exit, Exit::converged);
    // The hand is at the weighted mean of two goals that are both within reach.
    const double share = weight / (1.0 + weight);
    EXPECT_LE((hand_of(figure, pose) - Vec3(share, 1.0, 0.0)).norm(), 1e-5);
  }
}

TEST(HardCase, WeightsThatAreNoWeightsAreRejected) {
  const Figure figure = *build_figure(arm(2, 1.0));
  for (const double weight : {-1.0, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    Problem problem(figure);
    const Expected<ConstraintId> added =
        problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}, {.weight = weight});
    ASSERT_FALSE(added);
    EXPECT_NE(added.error().where.find("weight"), std::string::npos);
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    EXPECT_EQ(report.exit, Exit::rejected) << "a rejected constraint is not forgotten";
    ASSERT_TRUE(report.rejection);
    EXPECT_EQ(report.rejection->where, added.error().where);
    EXPECT_EQ(pose.theta, figure.rest().theta);
    problem.clear_rejections();
    EXPECT_NE(solve(problem, pose).exit, Exit::rejected);
    const Expected<ConstraintId> fine = problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}});
    EXPECT_FALSE(problem.set_weight(*fine, weight));
  }
}

TEST(HardCase, APriorityIsRejectedInPlainWordsByAMethodWithoutLevels) {
  const Figure figure = *build_figure(arm(2, 1.0));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}, {.priority = 2, .name = "later"}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose, {.method = Method::active_set_bfgs});
  EXPECT_EQ(report.exit, Exit::rejected);
  ASSERT_TRUE(report.rejection);
  EXPECT_NE(report.rejection->where.find("'later'"), std::string::npos);
  EXPECT_EQ(report.rejection->found, "2");
  EXPECT_NE(report.rejection->expected.find("active-set-bfgs"), std::string::npos);
}

TEST(HardCase, WeightsBeyondTheRangeOfNumbersAreRejected) {
  const Figure figure = *build_figure(arm(3, 1.0));
  Problem problem(figure);
  for (const double weight : {1e308, 1e-308, 1e16, 1e-16}) {
    const auto added = problem.add(figure.point("hand"), Position{}, {.weight = weight});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().expected, "0, or from 1e-15 to 1e+15");
  }
  problem.clear_rejections();
  EXPECT_TRUE(problem.add(figure.point("hand"), Position{}, {.weight = 0.0}));
  Pose pose = figure.rest();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(problem, pose, {.met_metres = nan}).exit, Exit::rejected);
  EXPECT_EQ(solve(problem, pose, {.met_degrees = -1.0}).exit, Exit::rejected);
}

// Every method, with and without a hard constraint, where no joint is left to move.
TEST(HardCase, AProblemWithoutVariablesEndsAtOnce) {
  FigureDescription description = arm(2, 1.0, {0.0, 0.0});
  const Figure figure = *build_figure(description);
  for (const MethodRow& row : method_table)
    for (const double weight : {1.0, must}) {
      Problem problem(figure);
      ASSERT_TRUE(problem.add(figure.point("hand"), Position{{0.0, 1.0, 0.0}}, {.weight = weight}));
      Pose pose = figure.rest();
      const Report report = solve(problem, pose, {.method = row.method});
      EXPECT_TRUE(report.exit == Exit::converged || report.exit == Exit::rejected) << row.name;
      EXPECT_FALSE(report.met()) << row.name;
      EXPECT_EQ(pose.theta, VecX::Zero(2)) << row.name;
    }
}

TEST(HardCase, ARejectedSolveDoesNotCountAsMet) {
  const Figure figure = *build_figure(arm(2, 1.0));
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}));
  Solver solver(problem);
  Pose pose = figure.rest();
  pose.theta << 0.1, 0.2;
  EXPECT_TRUE(solver.solve(pose).met());
  const Options unused{.method = Method::active_set_bfgs, .secondary = Secondary::comfort};
  EXPECT_FALSE(solver.solve(pose, unused).met());
  EXPECT_TRUE(solver.solve(pose).met());
  pose.theta[0] = std::nan("");
  EXPECT_EQ(solver.solve(pose).exit, Exit::rejected);
  pose.theta.resize(1);
  EXPECT_EQ(solver.solve(pose).exit, Exit::rejected);
}

TEST(HardCase, ChainsOfOneTwoHundredAndAThousandJointsReachTheirGoals) {
  for (const int joints : {1, 200, 1000}) {
    SCOPED_TRACE(joints);
    const Figure figure = *build_figure(arm(joints, 1.0 / joints, {-2.0, 2.0}));
    Problem problem(figure);
    const Vec3 goal = joints == 1 ? Vec3(std::cos(1.0), std::sin(1.0), 0.0) : Vec3(0.4, 0.5, 0.0);
    ASSERT_TRUE(problem.add(figure.point("hand"), Position{goal}));
    Pose pose = figure.rest();
    const auto begin = std::chrono::steady_clock::now();
    const Report report = solve(problem, pose);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_TRUE(report.met()) << to_text(report);
    EXPECT_LE(limit_defect(figure, pose.theta), 1.0);
    EXPECT_LT(seconds, 20.0);  // a hundred times what it takes: only a wrong order of growth breaks this
  }
}

// An elbow that bends by 60 degrees at most keeps the hand from coming near the shoulder; nothing else does.
TEST(HardCase, TheElbowLimitAloneIsToBlame) {
  FigureDescription description = arm(2, 1.0);
  description.joints[0].freedoms[0].range = {-3.0, 3.0};
  description.joints[1] = {"elbow", "link0",
                           "link1", at({1.0, 0.0, 0.0}),
                           {},      {{"flexion", Motion::rotate, Vec3::UnitZ(), {0.0, radians(60.0)}}}};
  const Figure figure = *build_figure(description);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("hand"), Position{{0.5, 0.5, 0.0}}));
  Pose pose = figure.rest();
  pose.theta << 0.1, 0.2;
  const Report report = solve(problem, pose);
  EXPECT_EQ(report.exit, Exit::converged);
  EXPECT_FALSE(report.met());
  ASSERT_EQ(report.constraints[0].held_back_by.size(), 1U);
  EXPECT_EQ(report.constraints[0].held_back_by[0].name, "elbow.flexion upper limit");
  EXPECT_NEAR(report.constraints[0].held_back_by[0].share, 1.0, 1e-6);
  EXPECT_EQ(report.constraints[0].held_back_by[0].parameter, 1);
  EXPECT_EQ(pose.theta[1], radians(60.0));
}

TEST(HardCase, AChainHoldsItsFirstJointAndAllAfterIt) {
  const Figure figure = *build_figure(arm(5, 1.0));
  Problem problem(figure);
  const Expected<ConstraintId> hand = problem.add(figure.point("hand"), Position{{1.0, 1.0, 0.0}}, {.from = "joint2"});
  ASSERT_TRUE(hand);
  EXPECT_EQ(problem.variables(), (std::vector<int>{2, 3, 4}));
  const Expected<ConstraintId> middle =
      problem.add(figure.point("link2"), Position{{1.0, 1.0, 0.0}}, {.from = "joint1"});
  ASSERT_TRUE(middle);
  EXPECT_EQ(problem.variables(), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(problem.reconciled_chain(*hand), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(problem.reconciled_chain(*middle), (std::vector<int>{1, 2}));
  ASSERT_TRUE(problem.set_enabled(*hand, false));
  EXPECT_EQ(problem.variables(), (std::vector<int>{1, 2}));
  ASSERT_TRUE(problem.remove(*middle));
  EXPECT_TRUE(problem.variables().empty());
  Pose pose = figure.rest();
  EXPECT_EQ(solve(problem, pose).variables, 0);
  EXPECT_FALSE(problem.add(figure.point("link1"), Position{}, {.from = "joint3"})) << "it does not move it";
}

// An equality makes a joint vary that moves no goal. Where its partner is locked, nothing else depends on it.
TEST(HardCase, AnEqualityWithOneVariableElsewhereDoesNotMoveAGoal) {
  FigureDescription description = arm(4, 1.0, {-2.0, 2.0});
  description.joints[3].parent = "base";
  description.limits = {{"row", {{"joint2.turn", 1.0}, {"joint3.turn", 1.0}}, Relation::equal, 0.9}};
  const Figure figure = *build_figure(description);
  for (const Vec3& goal : {Vec3(0.5, 1.2, 0.0), Vec3(5.0, 1.0, 0.0)}) {
    Problem problem(figure);
    ASSERT_TRUE(problem.set_rigidity("joint2.turn", 1.0));
    ASSERT_TRUE(problem.add(figure.point("link2"), Position{goal}));
    ASSERT_EQ(problem.variables(), (std::vector<int>{0, 1, 2, 3}));
    Pose pose = figure.rest();
    pose.theta << 0.1, 0.2, 0.3, 0.6;
    const Report report = solve(problem, pose);
    const double error = std::fmax(0.0, goal.norm() - 2.0);
    EXPECT_EQ(report.exit, Exit::converged);
    EXPECT_NEAR(*report.constraints[0].error.metres, error, 1e-6);
    EXPECT_NEAR(report.objective, error * error, 1e-6);
    EXPECT_EQ(pose.theta[3], 0.6);
  }
}

// A slide that ends short of the goal: the pose is on the limit to the last bit, whatever the figure's
// length.
TEST(HardCase, ALimitThatStopsTheHandIsReachedExactly) {
  Random random(1);
  for (int k = 0; k < 500; ++k) {
    SCOPED_TRACE(k);
    FigureDescription description = arm(2, random.between(0.1, 3.0));
    const double stop = random.between(0.1, 1.0);
    const bool up = random.chance(0.5);
    const Range range = up ? Range{-3.0, stop} : Range{-stop, 3.0};
    description.joints[0].freedoms = {{"slide", Motion::translate, Vec3::UnitX(), range}};
    description.joints[1].freedoms = {{"turn", Motion::rotate, Vec3::UnitY(), {-0.1, 0.1}}};
    const Figure figure = *build_figure(description);
    Problem problem(figure);
    ASSERT_TRUE(problem.add(figure.point("hand"), Position{{up ? 50.0 : -50.0, 0.0, 0.0}}));
    Pose pose = figure.rest();
    pose.theta << 0.01 * random.unit(), 0.05;
    const Report report = solve(problem, pose);
    EXPECT_EQ(pose.theta[0], up ? stop : -stop);
    ASSERT_FALSE(report.constraints[0].held_back_by.empty());
    EXPECT_EQ(report.constraints[0].held_back_by[0].name, up ? "joint0.slide upper limit" : "joint0.slide lower limit");
  }
}

}  // namespace hard_case_test
}  // namespace limber::law
