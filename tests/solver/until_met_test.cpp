// Options::until_met: the first part of the same solve, up to where every constraint that counts is met.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber {
namespace until_met_test {

using testing::built;
using testing::good;

// What is wrong with the pose, in words.
std::string broken_limit(const Figure& figure, const Pose& pose) {
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Parameter& parameter = figure.parameters()[j];
    const double value = pose.theta[static_cast<Eigen::Index>(j)];
    if (!(value >= parameter.range.lower && value <= parameter.range.upper)) return "outside: " + parameter.name;
  }
  return "";
}

// Both solves from one start.
struct WithAndWithout {
  Pose until, whole;
  Report until_report, whole_report;

  WithAndWithout(const Problem& problem, const Pose& start, Options options) : until(start), whole(start) {
    options.until_met = false;
    whole_report = solve(problem, whole, options);
    options.until_met = true;
    until_report = solve(problem, until, options);
  }

  // What is wrong, in words.
  std::string complaint(const Figure& figure) const {
    if (std::string outside = broken_limit(figure, until); !outside.empty()) return outside;
    if (until_report.exit == Exit::met) {
      if (!until_report.met()) return "ends as met and is not";
      if (until_report.iterations > whole_report.iterations && whole_report.met())
        return "takes more iterations, " + std::to_string(until_report.iterations) + " instead of " +
               std::to_string(whole_report.iterations);
      return "";
    }
    // Never met on its way: the same solve.
    if (until_report.exit != whole_report.exit)
      return std::string("ends as ") + name_of(until_report.exit) + " instead of " + name_of(whole_report.exit);
    if (until_report.iterations != whole_report.iterations)
      return "takes " + std::to_string(until_report.iterations) + " iterations instead of " +
             std::to_string(whole_report.iterations);
    if (until.theta != whole.theta) return "ends elsewhere";
    return "";
  }
};

TEST(UntilMet, IsTheFirstPartOfTheSameSolve) {
  int met = 0, unmet = 0;
  law::check_law("until met", 600, {}, [&](const law::Case& made) {
    const law::Built built_case = law::build(made);
    const WithAndWithout both(built_case.problem, built_case.start, law::options_of(made));
    ++(both.until_report.exit == Exit::met ? met : unmet);
    std::string wrong = both.complaint(built_case.figure);
    if (wrong.empty() && both.whole_report.exit == Exit::converged && both.whole_report.met() &&
        both.until_report.exit != Exit::met)
      wrong = "is met and does not end so";
    return wrong.empty() ? wrong : std::string(name_of(law::options_of(made).method)) + ": " + wrong;
  });
  EXPECT_GE(met, law::law_count(600) / 10);
  EXPECT_GE(unmet, law::law_count(600) / 10);
}

class UntilMetMethod : public ::testing::TestWithParam<MethodRow> {};

std::string until_met_label(const ::testing::TestParamInfo<MethodRow>& tested) {
  std::string label(tested.param.name);
  std::erase(label, '-');
  return label;
}

INSTANTIATE_TEST_SUITE_P(Methods, UntilMetMethod, ::testing::ValuesIn(method_table), until_met_label);

struct ArmAsked {
  Figure figure = built(testing::seven_joint_arm());
  Problem problem{figure};
  Pose start = figure.rest();
  explicit ArmAsked(const Vec3& p) {
    good(problem.add(figure.point("tip"), Position{p}));
    start.theta.setConstant(0.1);
  }
};

TEST_P(UntilMetMethod, EndsWhereAllIsMet) {
  const ArmAsked arm({0.9, 0.8, -0.4});
  const Options options{.method = GetParam().method, .iterations = 20000};
  const WithAndWithout both(arm.problem, arm.start, options);
  EXPECT_EQ(both.until_report.exit, Exit::met) << to_text(both.until_report);
  EXPECT_TRUE(both.until_report.met());
  EXPECT_EQ(both.complaint(arm.figure), "");
  EXPECT_GT(both.until_report.iterations, 0);
  EXPECT_GT(both.until_report.evaluations, 0);
  Vec3 x[max_elements];
  evaluate(arm.figure, forward(arm.figure, both.until), good(arm.figure.point("tip")), x);
  EXPECT_LE((x[0] - Vec3(0.9, 0.8, -0.4)).norm(), options.met_metres);
  // The pose before the last is not met: it ends at the first that is.
  Options shorter = options;
  shorter.iterations = both.until_report.iterations - 1;
  shorter.until_met = true;
  Pose pose = arm.start;
  const Report before = solve(arm.problem, pose, shorter);
  EXPECT_EQ(before.exit, Exit::iteration_limit);
  EXPECT_FALSE(before.met());
}

TEST_P(UntilMetMethod, TakesNoIterationWhereTheStartIsMet) {
  const ArmAsked arm({0.9, 0.8, -0.4});
  Pose met = arm.start;
  ASSERT_TRUE(solve(arm.problem, met).met());
  for (Options options :
       {Options{.method = GetParam().method}, Options{.method = GetParam().method, .iterations = 0}}) {
    options.until_met = true;
    options.observer = [](const Progress&) {
      ADD_FAILURE() << "an iteration";
      return true;
    };
    Pose pose = met;
    const Report report = solve(arm.problem, pose, options);
    EXPECT_EQ(report.exit, Exit::met);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_TRUE(report.met());
    EXPECT_EQ(pose.theta, met.theta);
    EXPECT_EQ(report.objective, report.objective_before);
  }
}

TEST_P(UntilMetMethod, EndsAsWithoutItWhereTheGoalIsOutOfReach) {
  const ArmAsked arm({1.9, 1.8, -1.4});
  const WithAndWithout both(arm.problem, arm.start, {.method = GetParam().method, .iterations = 300});
  EXPECT_NE(both.until_report.exit, Exit::met);
  EXPECT_EQ(both.complaint(arm.figure), "");
  EXPECT_EQ(both.until_report.restarts, both.whole_report.restarts);
}

TEST_P(UntilMetMethod, IsWatchedAndCancelled) {
  const ArmAsked arm({0.9, 0.8, -0.4});
  Options options{.method = GetParam().method, .iterations = 20000, .until_met = true};
  std::vector<VecX> seen;
  options.observer = [&](const Progress& progress) {
    EXPECT_EQ(progress.iteration, static_cast<int>(seen.size()) + 1);
    EXPECT_EQ(broken_limit(arm.figure, progress.pose), "");
    seen.push_back(progress.pose.theta);
    return true;
  };
  Pose pose = arm.start;
  const Report whole = solve(arm.problem, pose, options);
  EXPECT_EQ(whole.exit, Exit::met);
  ASSERT_EQ(static_cast<int>(seen.size()), whole.iterations);
  ASSERT_GE(whole.iterations, 2);
  EXPECT_EQ(seen.back(), pose.theta);
  // Watching changes nothing.
  Pose unseen = arm.start;
  Options blind = options;
  blind.observer = nullptr;
  EXPECT_EQ(solve(arm.problem, unseen, blind).iterations, whole.iterations);
  EXPECT_EQ(unseen.theta, pose.theta);

  int calls = 0;
  options.observer = [&](const Progress&) { return ++calls < 1; };
  pose = arm.start;
  const Report cancelled = solve(arm.problem, pose, options);
  EXPECT_EQ(cancelled.exit, Exit::cancelled);
  EXPECT_EQ(cancelled.iterations, 1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(broken_limit(arm.figure, pose), "");
  EXPECT_FALSE(cancelled.met());
}

TEST(UntilMet, IsForFiguresWithGroups) {
  const Figure figure = human();
  Problem problem(figure);
  const Vec3 target(-0.3, 1.3, 0.45);
  good(problem.add(figure.point("right_palm"), Position{target}));
  good(problem.add(figure.frame("left_foot"), hold()));
  const WithAndWithout both(problem, figure.rest(), {});
  ASSERT_TRUE(both.whole_report.met()) << to_text(both.whole_report);
  EXPECT_EQ(both.until_report.exit, Exit::met) << to_text(both.until_report);
  EXPECT_EQ(both.complaint(figure), "");
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, both.until), good(figure.point("right_palm")), x);
  EXPECT_LE((x[0] - target).norm(), 1e-3 * (1.0 + 1e-9));
}

// Soft constraints must first have had their effect.
TEST(UntilMet, ChangesNothingWhereSomethingGivesWay) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.3, 1.3, 0.45}}));
  ASSERT_TRUE(problem.add_prior());
  const WithAndWithout both(problem, figure.rest(), {});
  ASSERT_TRUE(both.whole_report.met()) << to_text(both.whole_report);
  EXPECT_NE(both.until_report.exit, Exit::met);
  EXPECT_EQ(both.complaint(figure), "");
}

TEST(UntilMet, IsForLocksAndPriorities) {
  const Figure figure = human();
  Problem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"}) good(problem.add(figure.frame(foot), hold(), {.weight = must}));
  good(problem.add(figure.point("right_palm"), Position{{-0.3, 1.1, 0.4}}));
  good(problem.add(figure.point("left_palm"), Position{{0.3, 1.2, 0.3}}, {.priority = 2}));
  const WithAndWithout both(problem, figure.rest(), {});
  ASSERT_TRUE(both.whole_report.met()) << to_text(both.whole_report);
  EXPECT_EQ(both.until_report.exit, Exit::met) << to_text(both.until_report);
  EXPECT_EQ(both.complaint(figure), "");
  EXPECT_LT(both.until_report.iterations, both.whole_report.iterations);
}

// A weight of 0 and what is off count for nothing, also here.
TEST(UntilMet, DoesNotWaitForWhatDoesNotCount) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
  good(problem.add(figure.point("joint 4"), Position{{9, 9, 9}}, {.weight = 0.0}));
  const ConstraintId off = good(problem.add(figure.point("joint 5"), Position{{9, 9, 9}}));
  ASSERT_TRUE(problem.set_enabled(off, false));
  for (const MethodRow& row : method_table) {
    Pose pose = figure.rest();
    pose.theta.setConstant(0.1);
    const Report report = solve(problem, pose, {.method = row.method, .iterations = 20000, .until_met = true});
    EXPECT_EQ(report.exit, Exit::met) << row.name;
  }
}

// Millimetres and degrees are two measures: where one is loose and the other strict, both are kept.
TEST(UntilMet, MeasuresPointsAndTurnsEachByItsOwn) {
  const Figure figure = built(testing::seven_joint_arm());
  Random random(2371);
  for (int trial = 0; trial < 60; ++trial) {
    const Kinematics reach = forward(figure, testing::random_pose(figure, random));
    Vec3 x[max_elements];
    evaluate(figure, reach, good(figure.frame("tip")), x);
    Problem problem(figure);
    if (trial % 3 == 0) {
      good(problem.add(figure.frame("tip"), Placement{x[0], {x[1], x[2]}}));
    } else if (trial % 3 == 1) {
      good(problem.add(figure.point("tip"), Position{x[0]}));
      good(problem.add(figure.direction("tip"), Direction{x[1]}));
    } else {
      good(problem.add(figure.frame("tip"), Orientation{x[1], x[2]}));
    }
    const bool loose_points = random.chance(0.5);
    const Options options{.met_metres = loose_points ? 0.2 : 1e-6, .met_degrees = loose_points ? 1e-4 : 20.0};
    const WithAndWithout both(problem, testing::random_pose(figure, random), options);
    EXPECT_EQ(both.complaint(figure), "") << "trial " << trial;
    if (both.whole_report.met()) {
      EXPECT_EQ(both.until_report.exit, Exit::met) << "trial " << trial;
    }
  }
}

TEST(UntilMet, TriesOtherStarts) {
  // Straight, and pulled along itself: the first try is stuck.
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{-0.9, 0.9, 0.0}}));
  for (const Method method : {Method::automatic, Method::active_set_bfgs}) {
    Pose pose = figure.rest();
    pose.theta << -2.0, 0.0;
    const Report report = solve(problem, pose, {.method = method, .until_met = true, .restarts = 20});
    EXPECT_EQ(report.exit, Exit::met) << to_text(report);
    EXPECT_TRUE(report.met());
    EXPECT_GT(report.restarts, 0) << name_of(method);
  }
}

}  // namespace until_met_test
}  // namespace limber
