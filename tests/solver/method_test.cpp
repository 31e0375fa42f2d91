// All methods through limber::solve: they reach what can be reached, satisfy limits, and reject what they do not
// support.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace method_test {

using testing::built;
using testing::good;

class EveryMethod : public ::testing::TestWithParam<MethodRow> {};

std::string method_label(const ::testing::TestParamInfo<MethodRow>& tested) {
  std::string label(tested.param.name);
  std::erase(label, '-');
  return label;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(method_table), method_label);

Vec3 place_of(const Figure& figure, const Pose& pose, const std::string& name) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), good(figure.point(name)), x);
  return x[0];
}

TEST_P(EveryMethod, HasAName) {
  EXPECT_EQ(&row_of(GetParam().method), &method_table[static_cast<int>(GetParam().method)]);
  EXPECT_EQ(method_of(GetParam().name), GetParam().method);
}

// W93 Fig. 4.4: a chain of seven joints and a goal well within its reach.
TEST_P(EveryMethod, BringsAChainToAGoalWithinReach) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
  Pose pose = figure.rest();
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = 0.1;
  Options options{.method = GetParam().method, .iterations = 20000};
  double before = infinity;
  options.observer = [&](const Progress& progress) {
    if (GetParam().descends) {
      EXPECT_LE(progress.objective, before);
    }
    before = progress.objective;
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      const double theta = progress.pose.theta[static_cast<Eigen::Index>(j)];
      EXPECT_TRUE(theta >= range.lower && theta <= range.upper);
    }
    return true;
  };
  const Report report = solve(problem, pose, options);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_LE((place_of(figure, pose, "tip") - Vec3(0.9, 0.8, -0.4)).norm(), 1e-3);
  if (GetParam().method != Method::automatic) {
    EXPECT_EQ(report.method, GetParam().method);
  }
}

// W93 (4.11) and 4.2: of joints that can serve equally, a stiff one moves less, and the goal is still met.
TEST_P(EveryMethod, MovesAStiffJointLess) {
  const auto moved = [&](double stiffness) {
    FigureDescription description = testing::seven_joint_arm();
    description.joints.back().freedoms.front().range.stiffness = stiffness;
    const Figure figure = built(description);
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = 0.3;
    const double before = pose.theta[pose.theta.size() - 1];
    const Vec3 goal = place_of(figure, pose, "tip") + Vec3(0.02, -0.05, 0.03);
    Problem problem(figure);
    EXPECT_TRUE(problem.add(figure.point("tip"), Position{goal}));
    const Report report = solve(problem, pose, {.method = GetParam().method, .iterations = 20000});
    EXPECT_TRUE(report.met()) << stiffness << "\n" << to_text(report);
    return std::fabs(pose.theta[pose.theta.size() - 1] - before);
  };
  const double usual = moved(1.0), stiff = moved(16.0), stiffest = moved(256.0);
  EXPECT_GT(usual, 0.005);
  EXPECT_LT(stiff, 0.5 * usual);
  EXPECT_LT(stiffest, 0.5 * stiff);
}

// The same of a parameter that drives several joints.
TEST_P(EveryMethod, MovesAStiffGroupLess) {
  const auto moved = [&](double stiffness) {
    FigureDescription description = testing::seven_joint_arm();
    const auto last = description.joints.end() - 1, before_last = description.joints.end() - 2;
    description.groups = {{"wrist",
                           {{"bend", {.lower = -2.5, .upper = 2.5, .stiffness = stiffness}}},
                           {{last->name, last->freedoms.front().name, {{"bend"}}},
                            {before_last->name, before_last->freedoms.front().name, {{"bend"}}}}}};
    const Figure figure = built(description);
    Pose pose = figure.rest();
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) pose.theta[j] = 0.3;
    const int bend = good(figure.find_parameter("wrist.bend"));
    Problem problem(figure);
    EXPECT_TRUE(problem.add(figure.point("tip"), Position{place_of(figure, pose, "tip") + Vec3(0.02, -0.05, 0.03)}));
    const Report report = solve(problem, pose, {.method = GetParam().method, .iterations = 20000});
    EXPECT_FALSE(report.rejection);
    return std::fabs(pose.theta[bend] - 0.3);
  };
  const double usual = moved(1.0), stiff = moved(64.0);
  EXPECT_GT(usual, 0.0);
  EXPECT_LT(stiff, 0.3 * usual);
}

// Dragging: a goal that moves a little at a time, a few iterations each.
TEST_P(EveryMethod, FollowsAGoalThatIsDragged) {
  const Figure figure = built(testing::torso_with_arms());
  Problem problem(figure);
  const ConstraintId hand = good(problem.add(figure.point("right hand"), Position{Vec3::Zero()}));
  Solver solver(problem);
  Pose pose = figure.rest();
  ASSERT_TRUE(figure.set(pose, "right elbow.bend", 0.8));
  const Vec3 start = place_of(figure, pose, "right hand");
  Vec3 target = start;
  for (int frame = 0; frame < 60; ++frame) {
    target =
        start + Vec3(0.1 * std::sin(0.1 * frame), 0.05 * std::sin(0.17 * frame), 0.1 * (1.0 - std::cos(0.1 * frame)));
    ASSERT_TRUE(problem.set_goal(hand, Position{target}));
    const Report& report = solver.solve(pose, {.method = GetParam().method, .iterations = 20, .restarts = 0});
    ASSERT_NE(report.exit, Exit::rejected) << to_text(report);
  }
  // Those that follow a pull in time lag behind it, and so does what zigzags.
  const bool lags = GetParam().method == Method::jacobian_transpose ||
                    GetParam().method == Method::lagrange_multipliers ||
                    GetParam().method == Method::projected_steepest_descent;
  EXPECT_LE((place_of(figure, pose, "right hand") - target).norm(), lags ? 0.05 : 0.02);
}

TEST_P(EveryMethod, RejectsWhatItCannotHonour) {
  FigureDescription description = testing::torso_with_arms();
  Pose pose = built(description).rest();
  const Options options{.method = GetParam().method, .iterations = 50};
  const auto exit_with = [&](const Figure& figure, const ConstraintOptions& how) {
    Problem problem(figure);
    good(problem.add(figure.point("left hand"), Position{{0.5, 0.6, 0.2}}, how));
    Pose from = pose;
    const Report report = solve(problem, from, options);
    if (report.exit == Exit::rejected) {
      EXPECT_EQ(from.theta, pose.theta);
      EXPECT_TRUE(report.rejection && report.rejection->expected.size() > 3);
    }
    return report.exit;
  };
  const Figure plain = built(description);
  EXPECT_NE(exit_with(plain, {}), Exit::rejected);
  EXPECT_NE(exit_with(plain, {.weight = must}), Exit::rejected);
  EXPECT_EQ(exit_with(plain, {.priority = 2}) == Exit::rejected, !GetParam().levels);
  description.limits = {{"tied", {{"left elbow.bend", 1.0}, {"left shoulder.lift", 1.0}}, Relation::at_most, 1.0}};
  EXPECT_NE(exit_with(built(description), {}), Exit::rejected);
  EXPECT_EQ(GetParam().cannot.empty(), GetParam().levels);
}

TEST_P(EveryMethod, AllocatesNothingOfItsOwnBetweenFrames) {
  const Figure figure = built(testing::seven_joint_arm());
  Problem problem(figure);
  const ConstraintId tip = good(problem.add(figure.point("tip"), Position{{0.9, 0.8, -0.4}}));
  Solver solver(problem);
  Pose one = figure.rest(), two = figure.rest();
  one.theta.setConstant(0.2);
  two.theta.setConstant(0.2);
  const Options options{.method = GetParam().method, .iterations = 30};
  // The workspace of an earlier solve leaves nothing behind: the same bits as from a new solver.
  ASSERT_TRUE(problem.set_goal(tip, Position{{0.2, 1.0, 0.1}}));
  Pose other = figure.rest();
  solver.solve(other, options);
  ASSERT_TRUE(problem.set_goal(tip, Position{{0.9, 0.8, -0.4}}));
  solver.solve(one, options);
  Solver(problem).solve(two, options);
  EXPECT_EQ(one.theta, two.theta);
}

// W93 Fig. 4.2: a straight arm pulled inwards. The transpose does not move: the pull has no lever. The default does.
TEST(StraightArm, IsStuckForTheTransposeAndNotForTheDefault) {
  FigureDescription description = testing::planar_arm();
  description.joints[1].freedoms[0].range = {-2.5, 2.5};
  const Figure figure = built(description);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.9, 0, 0}}));
  Pose pose = figure.rest();
  EXPECT_FALSE(solve(problem, pose, {.method = Method::jacobian_transpose}).met());
  EXPECT_EQ(pose.theta, figure.rest().theta);
  EXPECT_TRUE(solve(problem, pose, {.method = Method::cyclic_coordinate_descent}).met());
  pose = figure.rest();
  EXPECT_TRUE(solve(problem, pose).met());
}

// W93 Fig. 5.4: the hands on the hips, by two constraints between handles that must hold, while the head looks about.
TEST(HandsOnHips, StayThereAtEveryIterate) {
  FigureDescription description = testing::torso_with_arms();
  {
    // Where the hands are with the arms down and the elbows bent.
    const Figure figure = built(description);
    Pose akimbo = figure.rest();
    for (const std::string side : {"right", "left"}) {
      const double sign = side == "right" ? 1.0 : -1.0;
      ASSERT_TRUE(figure.set(akimbo, side + " shoulder.lift", sign * 1.1));
      ASSERT_TRUE(figure.set(akimbo, side + " shoulder.swing", sign * 0.4));
      ASSERT_TRUE(figure.set(akimbo, side + " elbow.bend", sign * 1.2));
      description.sites.push_back({side + " hip", "pelvis", at(place_of(figure, akimbo, side + " hand"))});
    }
  }
  const Figure figure = built(description);
  for (const Method method : {Method::levenberg_marquardt, Method::lagrange_multipliers}) {
    Problem problem(figure);
    for (const std::string side : {"right", "left"})
      good(problem.add(difference(figure.point(side + " hand"), figure.point(side + " hip")), Coincide{},
                       {.weight = must, .name = side + " hand on hip"}));
    Pose pose = figure.rest();
    // First onto the hips, then the torso leans.
    ASSERT_TRUE(solve(problem, pose, {.met_metres = 1e-9}).met());
    const Vec3 head = place_of(figure, pose, "head");
    good(problem.add(figure.point("head"), Position{head + Vec3(0.0, -0.02, 0.12)}));

    Options options{.method = method, .iterations = 400};
    double drift = 0.0;
    options.observer = [&](const Progress& progress) {
      for (const std::string side : {"right", "left"})
        drift = std::max(
            drift,
            (place_of(figure, progress.pose, side + " hand") - place_of(figure, progress.pose, side + " hip")).norm());
      return true;
    };
    const Report report = solve(problem, pose, options);
    EXPECT_GT((place_of(figure, pose, "head") - head).norm(), 0.03) << name_of(method);
    EXPECT_LE(drift, method == Method::levenberg_marquardt ? 1e-11 : 1e-4) << name_of(method);
    EXPECT_TRUE(report.constraints[0].met && report.constraints[1].met);
  }
}

// W93 Fig. 6.4: both feet locked in place and orientation, the pelvis moved. The locks hold to rounding.
TEST(LockedFeet, HoldWhileThePelvisMoves) {
  const Figure figure = human();
  Problem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    good(problem.add(figure.frame(foot), hold(), {.weight = must, .name = foot}));
  Pose pose = figure.rest();
  const Vec3 pelvis = place_of(figure, pose, "pelvis");
  good(problem.add(figure.point("pelvis"), Position{pelvis + Vec3(0.02, -0.015, 0.01)}));
  const Vec3 left = place_of(figure, pose, "left_foot"), right = place_of(figure, pose, "right_foot");
  Options options;
  options.observer = [&](const Progress& progress) {
    EXPECT_LE((place_of(figure, progress.pose, "left_foot") - left).norm(), 1e-11);
    EXPECT_LE((place_of(figure, progress.pose, "right_foot") - right).norm(), 1e-11);
    return true;
  };
  const Report report = solve(problem, pose, options);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_EQ(report.exit, Exit::converged);
}

// Out of reach, a lock comes as near as it can, and the report says what holds it back.
TEST(Lock, ThatCannotHoldIsExplained) {
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{0.2, 0.1, 0.0}}, {.weight = must, .name = "lock"}));
  Pose pose = figure.rest();
  pose.theta << 0.1, 0.2;
  const Report report = solve(problem, pose);
  EXPECT_FALSE(report.met());
  ASSERT_FALSE(report.constraints[0].held_back_by.empty()) << to_text(report);
  EXPECT_EQ(report.constraints[0].held_back_by[0].name, "elbow.turn upper limit");
}

// Two hands on one torso that cannot both have their way: priority decides, whatever the weights.
TEST(Priority, OneIsNotDisturbedByTwo) {
  const Figure figure = built(testing::torso_with_arms());
  Pose reached = figure.rest();
  reached.theta.setConstant(0.3);
  const Vec3 right = place_of(figure, reached, "right hand"), left(1.1, 0.9, -0.4);
  Vec3 alone;
  {
    Problem problem(figure);
    good(problem.add(figure.point("right hand"), Position{right}));
    Pose pose = figure.rest();
    ASSERT_TRUE(solve(problem, pose, {.met_metres = 1e-6}).met());
    alone = place_of(figure, pose, "right hand");
  }
  Problem problem(figure);
  good(problem.add(figure.point("left hand"), Position{left}, {.weight = 100.0, .priority = 2}));
  good(problem.add(figure.point("right hand"), Position{right}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose, {.met_metres = 1e-6});
  EXPECT_LE((place_of(figure, pose, "right hand") - alone).norm(), 1e-6);
  EXPECT_TRUE(report.constraints[1].met);
  EXPECT_FALSE(report.constraints[0].met);
  // Without priorities the heavy goal pulls the other hand away.
  Problem equal(figure);
  good(equal.add(figure.point("left hand"), Position{left}, {.weight = 100.0}));
  good(equal.add(figure.point("right hand"), Position{right}));
  pose = figure.rest();
  solve(equal, pose);
  EXPECT_GT((place_of(figure, pose, "right hand") - alone).norm(), 1e-3);
}

// EE09 (6): a weighting matrix. A goal that asks for x and z only weighs y by next to nothing.
TEST(Weighting, SaysHowMuchEachDirectionCounts) {
  const Figure figure = built(testing::planar_arm());
  MatX W = MatX::Identity(3, 3);
  W(0, 0) = 1e4;
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.0, 3.0, 0.0}}, {.weighting = W}));
  Pose pose = figure.rest();
  pose.theta << 0.3, 0.3;
  EXPECT_EQ(solve(problem, pose).exit, Exit::converged);
  EXPECT_NEAR(place_of(figure, pose, "tip").x(), 1.0, 1e-2);
  EXPECT_FALSE(problem.add(figure.point("tip"), Position{{1, 1, 0}}, {.weighting = MatX::Identity(2, 2)}));
  EXPECT_FALSE(problem.add(figure.point("tip"), Position{{1, 1, 0}}, {.weighting = -W}));
}

// Two figures in one system hold one box between them: figures are roots of one description.       W93 5.3
TEST(TwoFigures, HoldOneBox) {
  FigureDescription both = testing::torso_with_arms();
  const FigureDescription other = testing::torso_with_arms();
  const auto name = [](std::string text) { return text.empty() ? text : "other " + text; };
  for (SegmentDescription segment : other.segments) {
    segment.name = name(segment.name);
    both.segments.push_back(segment);
  }
  for (JointDescription joint : other.joints) {
    joint.name = name(joint.name);
    joint.parent = name(joint.parent);
    joint.child = name(joint.child);
    both.joints.push_back(joint);
  }
  for (SiteDescription site : other.sites) {
    site.name = name(site.name);
    site.segment = name(site.segment);
    both.sites.push_back(site);
  }
  // The other stands a metre ahead and faces the first; the box floats between them.
  both.joints.push_back({"other place", "", "other pelvis", {rotation(Vec3::UnitY(), pi), {0, 0, 1.0}}, {}, {}});
  both.segments.push_back({"box", 1.0});
  both.joints.push_back({"float",
                         "",
                         "box",
                         at({0, 0.6, 0.5}),
                         {},
                         {testing::shift("x", Vec3::UnitX()), testing::shift("y", Vec3::UnitY()),
                          testing::shift("z", Vec3::UnitZ()), testing::turn("turn", Vec3::UnitY())}});
  for (const double x : {-0.1, 0.1})
    for (const double z : {-0.1, 0.1})
      both.sites.push_back({std::string(x < 0 ? "right" : "left") + (z < 0 ? " near" : " far"), "box", at({x, 0, z})});
  const Figure figure = built(both);
  Problem problem(figure);
  const auto grip = [&](const std::string& hand, const std::string& place) {
    good(problem.add(difference(figure.point(hand), figure.point(place)), Coincide{}, {.weight = must}));
  };
  grip("right hand", "right near");
  grip("left hand", "left near");
  grip("other right hand", "left far");
  grip("other left hand", "right far");
  Pose pose = figure.rest();
  for (const char* elbow : {"right elbow.bend", "other right elbow.bend"}) ASSERT_TRUE(figure.set(pose, elbow, 0.5));
  for (const char* elbow : {"left elbow.bend", "other left elbow.bend"}) ASSERT_TRUE(figure.set(pose, elbow, -0.5));
  const Report gripped = solve(problem, pose, {.met_metres = 1e-9});
  ASSERT_TRUE(gripped.met()) << to_text(gripped);
  good(problem.add(figure.point("box"), Position{place_of(figure, pose, "box") + Vec3(0.04, 0.05, 0.02)}));
  const Report lifted = solve(problem, pose, {.met_metres = 1e-6});
  EXPECT_TRUE(lifted.met()) << to_text(lifted);
}

}  // namespace method_test
}  // namespace limber
