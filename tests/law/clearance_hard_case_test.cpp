// The hard cases that the product promises an answer for, with obstacles on; and the laws on figures that people use.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "limber/batch/solve_batch.h"
#include "limber/figure/human.h"
#include "limber/format/urdf/urdf.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/option_table.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"
#include "tests/support/tree.h"

namespace limber::law {
namespace clearance_hard_case_test {

constexpr std::uint64_t among_seed = 4711;

Obstacle ball_at(const Vec3& p, double radius, const std::string& name = "ball") {
  Frame X;
  X.p = p;
  return *build_obstacle(name, BallShape{radius}, X);
}

// A chain of links along x, of that length each, whose joints turn about y and z; thick as a tenth of a link.
Figure chain_of_links(int joints, double link) {
  FigureDescription figure{"chain"};
  figure.segments.push_back({"base"});
  for (int k = 0; k < joints; ++k) {
    Frame X;
    if (k > 0) X.p.x() = link;
    const std::string name = "link" + std::to_string(k);
    figure.joints.push_back(
        {"joint" + std::to_string(k),
         k == 0 ? "base" : "link" + std::to_string(k - 1),
         name,
         X,
         {},
         {{"y", Motion::rotate, Vec3::UnitY(), {-2.5, 2.5}}, {"z", Motion::rotate, Vec3::UnitZ(), {-2.5, 2.5}}}});
    figure.segments.push_back({name});
  }
  Frame end;
  end.p.x() = link;
  figure.sites.push_back({"hand", "link" + std::to_string(joints - 1), end});
  return *build_figure(figure);
}

Clearance around(const Figure& figure, double radius, std::vector<Obstacle> obstacles) {
  Clearance clearance;
  for (int s = 1; s < static_cast<int>(figure.segments().size()); ++s)
    clearance.capsules.push_back({s, {Vec3::Zero(), Vec3(10.0 * radius, 0.0, 0.0), radius}});
  clearance.obstacles = std::move(obstacles);
  return clearance;
}

// What the report says is true, limits hold, and nothing is deeper than at the start.
void expect_honest(const Problem& problem, const Pose& start, const Pose& pose, const Report& report) {
  EXPECT_LE(limit_defect(problem.figure(), pose.theta), 1.0);
  EXPECT_TRUE(pose.theta.allFinite());
  for (std::size_t c = 0; c < report.constraints.size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (!constraint.clearance()) continue;
    const double margin = constraint.clearance()->margin;
    const double min_gap = min_gap_of(all_gaps(problem.figure(), pose.theta, *constraint.clearance()));
    const double before = min_gap_of(all_gaps(problem.figure(), start.theta, *constraint.clearance()));
    const double rounding = 1e-11 * problem.figure().length();
    EXPECT_NEAR(report.constraints[c].error.metres.value_or(-1.0), std::fmax(0.0, margin - min_gap), rounding);
    EXPECT_EQ(report.constraints[c].met, report.constraints[c].error.metres.value_or(-1.0) <= 0.0);
    EXPECT_GE(min_gap, std::fmin(margin, before) - rounding);
    if (!report.constraints[c].met) {
      EXPECT_FALSE(report.constraints[c].touches.empty());
    }
  }
}

Report solved_honestly(const Problem& problem, const Pose& start, Pose& pose, const Options& options = {}) {
  pose = start;
  const Report report = solve(problem, pose, options);
  EXPECT_NE(report.exit, Exit::rejected) << to_text(report);
  expect_honest(problem, start, pose, report);
  return report;
}

TEST(KeepClearHardCase, GoalsFarAwayLeaveTheArmClear) {
  const Figure figure = chain_of_links(4, 1.0);
  for (const double far : {10.0, 1e4, 1e8}) {
    Problem problem(figure);
    problem.add(figure.point("hand"), Position{far * Vec3(1.0, 0.3, 0.2)});
    ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({3.0, 0.8, 0.6}, 0.8)})));
    Pose pose;
    const Report report = solved_honestly(problem, figure.rest(), pose);
    EXPECT_TRUE(report.constraints[1].met) << far << to_text(report);
    EXPECT_FALSE(report.constraints[0].met);
  }
}

TEST(KeepClearHardCase, ScalesFromAntsToBridgesGiveTheSameAnswer) {
  for (const double scale : {1e-4, 1.0, 1e4}) {
    SCOPED_TRACE(scale);
    const Figure figure = chain_of_links(3, scale);
    Problem problem(figure);
    problem.add(figure.point("hand"), Position{scale * Vec3(2.0, 0.4, 0.0)});
    ASSERT_TRUE(
        problem.add_clearance(around(figure, 0.1 * scale, {ball_at(scale * Vec3(1.5, 0.5, 0.0), 0.3 * scale)})));
    Pose pose;
    const Report report = solved_honestly(problem, figure.rest(), pose, {.met_metres = 1e-3 * scale});
    EXPECT_TRUE(report.met()) << to_text(report);
  }
}

TEST(KeepClearHardCase, StartsDeepInsideComeOutOrSaySo) {
  const Figure figure = chain_of_links(4, 1.0);
  for (const double radius : {0.3, 0.6, 1.5, 50.0}) {
    SCOPED_TRACE(radius);
    Problem problem(figure);
    problem.add(figure.point("hand"), Position{{2.0, 2.0, 0.0}});
    ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({2.5, 0.0, 0.0}, radius)})));
    Pose pose;
    const Report report = solved_honestly(problem, figure.rest(), pose);
    EXPECT_EQ(report.constraints[1].met, radius < 2.0) << to_text(report);  // the largest has the base in it
  }
}

TEST(KeepClearHardCase, ObstaclesInEachOtherAndTwiceAreOne) {
  const Figure figure = chain_of_links(4, 1.0);
  const Obstacle one = ball_at({2.0, 0.8, 0.0}, 0.5);
  Problem problem(figure);
  problem.add(figure.point("hand"), Position{{2.6, 1.4, 0.0}});
  ASSERT_TRUE(problem.add_clearance(around(figure, 0.05, {one, one, one, ball_at({2.1, 0.8, 0.1}, 0.4, "inner")})));
  ASSERT_TRUE(problem.add_clearance(around(figure, 0.05, {one})));  // and another clearance of the same
  Pose pose;
  const Report report = solved_honestly(problem, figure.rest(), pose);
  EXPECT_TRUE(report.constraints[1].met) << to_text(report);
  EXPECT_TRUE(report.constraints[2].met) << to_text(report);
}

TEST(KeepClearHardCase, TheSameGoalTwiceChangesNothing) {
  const Figure figure = chain_of_links(4, 1.0);
  const auto answer = [&](int times) {
    Problem problem(figure);
    for (int k = 0; k < times; ++k)
      problem.add(figure.point("hand"), Position{{2.2, 1.0, 0.0}}, {.weight = 1.0 / times});
    EXPECT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({2.2, 1.0, 0.0}, 0.4)})));
    Pose pose;
    const Report report = solved_honestly(problem, figure.rest(), pose);
    EXPECT_TRUE(report.constraints.back().met) << to_text(report);
    return report.objective;
  };
  EXPECT_NEAR(answer(1), answer(2), 1e-4 * answer(1));
}

TEST(KeepClearHardCase, NoLengthsAndNoSizesAreFine) {
  const Figure figure = chain_of_links(3, 1.0);
  Clearance clearance = around(figure, 0.0, {ball_at({1.5, 0.0, 0.0}, 0.0)});  // a point on a line
  clearance.capsules.push_back({2, {Vec3::Zero(), Vec3::Zero(), 0.0}});
  Problem problem(figure);
  problem.add(figure.point("hand"), Position{{2.0, 1.0, 0.0}});
  ASSERT_TRUE(problem.add_clearance(clearance));
  Pose pose;
  EXPECT_TRUE(solved_honestly(problem, figure.rest(), pose).constraints[1].met);
  Problem empty(figure);  // nothing to be clear of, and nothing that could be
  empty.add(figure.point("hand"), Position{{2.0, 1.0, 0.0}});
  ASSERT_TRUE(empty.add_clearance({}));
  EXPECT_TRUE(solved_honestly(empty, figure.rest(), pose).met());
}

TEST(KeepClearHardCase, LockedJointsStayAndWhatCannotMoveIsNamed) {
  const Figure figure = chain_of_links(3, 1.0);
  Problem problem(figure);
  problem.add(figure.point("hand"), Position{{2.0, 1.5, 0.0}});
  ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({0.5, 0.0, 0.0}, 0.2)})));
  for (const char* axis : {"joint0.y", "joint0.z"}) ASSERT_TRUE(problem.set_rigidity(axis, 1.0));
  Pose pose;
  const Report report = solved_honestly(problem, figure.rest(), pose);
  EXPECT_EQ(pose.theta[0], 0.0);
  EXPECT_EQ(pose.theta[1], 0.0);
  EXPECT_TRUE(report.constraints[0].met);
  EXPECT_FALSE(report.constraints[1].met);
  EXPECT_EQ(report.constraints[1].touches.front().segment, 1);
}

TEST(KeepClearHardCase, LocksHoldBesideObstacles) {
  const Figure figure = chain_of_links(6, 1.0);
  Problem problem(figure);
  const Vec3 lock(3.0, 1.0, 0.5);
  problem.add(figure.point("hand"), Position{lock}, {.weight = must});
  problem.add(figure.point("link3"), Position{{2.0, 0.0, 0.0}});
  ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({2.0, 0.0, 0.0}, 0.5)})));
  Pose pose;
  const Report report = solved_honestly(problem, figure.rest(), pose);
  EXPECT_LE(report.constraints[0].error.metres.value_or(1.0), 1e-9) << to_text(report);
  EXPECT_TRUE(report.constraints[2].met) << to_text(report);
}

TEST(KeepClearHardCase, NumbersThatAreNoneAreRejectedByName) {
  const Figure figure = chain_of_links(3, 1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto rejection_of = [&](auto change) {
    Clearance clearance = around(figure, 0.1, {ball_at({1.0, 1.0, 0.0}, 0.1)});
    change(clearance);
    Problem problem(figure);
    problem.add(figure.point("hand"), Position{{2.0, 1.0, 0.0}});
    const Expected<ConstraintId> added = problem.add_clearance(std::move(clearance));
    if (added) return std::string();
    Pose pose = figure.rest();
    EXPECT_EQ(solve(problem, pose).exit, Exit::rejected);
    EXPECT_EQ(pose.theta, figure.rest().theta);
    return added.error().text();
  };
  EXPECT_EQ(rejection_of([](Clearance&) {}), "");
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_NE(rejection_of([&](Clearance& c) { c.margin = bad; }).find("margin"), std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.capsules[0].capsule.a.y() = bad; }).find("link0"), std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.capsules[0].capsule.radius = bad; }).find("link0"), std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.obstacles[0].X_world_shape.p.x() = bad; }).find("ball"),
              std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.obstacles[0].X_world_shape.R(0, 0) = bad; }).find("ball"),
              std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.obstacles[0].shape = BallShape{bad}; }).find("ball"),
              std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.obstacles[0].shape = BoxShape{{1.0, bad, 1.0}}; }).find("ball"),
              std::string::npos);
    EXPECT_NE(rejection_of([&](Clearance& c) { c.pairs = {{0, 2, bad}}; }).find("slack"), std::string::npos);
  }
  EXPECT_NE(rejection_of([](Clearance& c) { c.pairs = {{1, 1}}; }), "");
}

// Every method keeps clear.
TEST(KeepClearHardCase, EveryMethodIsHonest) {
  const Figure figure = chain_of_links(4, 1.0);
  for (const MethodRow& row : method_table)
    for (const bool as_printed : {false, true}) {
      SCOPED_TRACE(row.name);
      if (as_printed && !is_used(*option_of("as_printed"), row.method)) continue;
      Problem problem(figure);
      problem.add(figure.point("hand"), Position{{2.6, 1.4, 0.0}});
      ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({2.0, 0.9, 0.0}, 0.5)})));
      Pose pose = figure.rest();
      const Report report = solve(problem, pose, {.method = row.method, .as_printed = as_printed});
      ASSERT_FALSE(report.rejection) << report.rejection->text();
      expect_honest(problem, figure.rest(), pose, report);
      EXPECT_TRUE(report.constraints[1].met) << to_text(report);
    }
}

// People and robots among random obstacles, from random starts.
void expect_lawful_among_obstacles(const Figure& figure, const std::string& hand, int count) {
  Random random(among_seed);
  for (int k = 0; k < law_count(count); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << among_seed << ", case " << k);
    const Pose reach = random_pose(random, figure), start = random_pose(random, figure);
    const ClearanceSpec spec = random_clearance(random, figure, reach, k % 4 == 3 ? Clear::softly : Clear::exactly);
    Problem problem(figure);
    const Kinematics state = forward(figure, reach);
    Vec3 goal;
    evaluate(figure, state, *figure.point(hand), &goal);
    if (k % 5 == 0) goal += 3.0 * figure.length() * random.direction();
    problem.add(figure.point(hand), Position{goal});
    add_to(problem, spec);
    Pose pose = start;
    const Report report = solve(problem, pose, {.iterations = 300, .restarts = 1});
    EXPECT_LE(report.iterations, 300);
    EXPECT_LE(limit_defect(figure, pose.theta), 1.0);
    const Clearance& clearance = *problem.constraints()[1].clearance();
    const double min_gap = min_gap_of(all_gaps(figure, pose.theta, clearance));
    EXPECT_NEAR(report.constraints[1].error.metres.value_or(-1.0), std::fmax(0.0, spec.margin - min_gap),
                1e-9 * figure.length());
    Pose again = start;
    (void)solve(problem, again, {.iterations = 300, .restarts = 1});
    EXPECT_EQ(again.theta, pose.theta);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(KeepClearHardCase, HumansAmongObstacles) { expect_lawful_among_obstacles(human(), "right_palm", 60); }
TEST(KeepClearHardCase, RobotsAmongObstacles) {
  for (const char* name : {"panda.urdf", "g1_29dof.urdf"}) {
    SCOPED_TRACE(name);
    std::ifstream file(source_dir() + "/data/urdf/" + std::string(name));
    std::stringstream text;
    text << file.rdbuf();
    const Expected<Content> robot = read_urdf(text.str(), name);
    ASSERT_TRUE(robot) << robot.error().text();
    expect_lawful_among_obstacles(*robot->figure, robot->figure->segments().back().name, 100);
  }
}

TEST(KeepClearHardCase, ABatchGivesTheSameBitsForAnyNumberOfThreads) {
  const Figure figure = chain_of_links(4, 1.0);
  Problem problem(figure);
  problem.add(figure.point("hand"), Position{Vec3::Zero()});
  ASSERT_TRUE(problem.add_clearance(around(figure, 0.1, {ball_at({2.0, 0.9, 0.0}, 0.5)})));
  constexpr int count = 60;
  Random random(among_seed);
  std::vector<Goal> goals;
  for (int k = 0; k < count; ++k) {
    goals.push_back(Position{random.between(1.0, 4.0) * random.direction()});
    goals.push_back(Position{});  // of the clearance; not read
  }
  const MatX starts = figure.rest().theta.replicate(1, count);
  MatX alone = starts;
  const Expected<BatchReport> one = solve_batch(problem, goals, alone, {.threads = 1});
  ASSERT_TRUE(one) << one.error().text();
  for (const int threads : {2, 5}) {
    MatX together = starts;
    const Expected<BatchReport> several = solve_batch(problem, goals, together, {.threads = threads});
    ASSERT_TRUE(several);
    EXPECT_EQ(together, alone) << threads;
    EXPECT_EQ(several->met, one->met);
  }
  EXPECT_GT(one->met_count, count / 3);
  for (int k = 0; k < count; ++k) {
    EXPECT_GE(min_gap_of(all_gaps(figure, alone.col(k), *problem.constraints()[1].clearance())), 0.0) << k;
    ASSERT_TRUE(problem.set_goal(problem.constraints()[0].id, goals[static_cast<std::size_t>(2 * k)]));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose);
    EXPECT_EQ(VecX(alone.col(k)), pose.theta) << k;
    EXPECT_EQ(one->met[static_cast<std::size_t>(k)] != 0, report.met()) << k;
  }
}

}  // namespace clearance_hard_case_test
}  // namespace limber::law
