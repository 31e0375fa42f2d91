// A motion through obstacles: clear in every frame by an independent check, smooth, and otherwise unchanged.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {
namespace clear_motion_test {

constexpr int swing_frames = 60;

// The right arm swings from beside the body to the front of the chest and back.
Clip arm_swing(const Figure& figure) {
  Clip clip;
  clip.frame_time = 1.0 / 30.0;
  clip.poses = figure.rest().theta.replicate(1, swing_frames);
  const int shoulder = *figure.find_parameter("right_shoulder.elevation");
  const int elbow = *figure.find_parameter("right_elbow.flexion");
  for (int k = 0; k < swing_frames; ++k) {
    const double part = 0.5 - 0.5 * std::cos(2.0 * pi * k / (swing_frames - 1));
    clip.poses(shoulder, k) = radians(10.0 + 70.0 * part);
    clip.poses(elbow, k) = radians(20.0);
  }
  return clip;
}

Clearance bar_before(const Figure& figure, double height) {
  Clearance clearance;
  clearance.capsules = capsules_of(figure);
  Frame X;
  X.p = Vec3(-0.25, height, 0.4);
  clearance.obstacles.push_back(*build_obstacle("bar", BoxShape{{0.1, 0.02, 0.1}}, X));
  return clearance;
}

Vec3 place_of(const Figure& figure, const Pose& pose, const char* name) {
  Vec3 x;
  evaluate(figure, forward(figure, pose), *figure.point(name), &x);
  return x;
}

double min_clearance(const Figure& figure, const Pose& pose, const Clearance& clearance) {
  const Penetrations found = penetrations(figure, forward(figure, pose), clearance.capsules,
                                          Obstacles(clearance.obstacles), clearance.pairs, 0.5);
  return found.min_clearance();
}

TEST(ClearMotion, IsClearInEveryFrameAndSmooth) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  const Clearance bar = bar_before(figure, 1.15);
  TimedProblem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    ASSERT_TRUE(problem.add(figure.frame(foot), Hold{}, Span{}, {.weight = must}));
  double deepest = infinity;
  for (int k = 0; k < given.frames(); ++k) deepest = std::fmin(deepest, min_clearance(figure, given.pose(k), bar));
  ASSERT_LT(deepest, -0.02);  // it passes through
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {bar});
  ASSERT_TRUE(cleared) << cleared.error().text();
  EXPECT_TRUE(cleared->overlaps.empty()) << cleared->overlaps.front().found.list.front().text;
  EXPECT_TRUE(cleared->report.met());
  EXPECT_GT(cleared->changed, 0);
  double largest = 0.0;
  for (int k = 0; k < given.frames(); ++k) {
    const Pose pose = cleared->clip.pose(k);
    EXPECT_GE(min_clearance(figure, pose, bar), 0.0) << k;
    for (const char* foot : {"left_foot", "right_foot"})
      EXPECT_LE((place_of(figure, pose, foot) - place_of(figure, given.pose(0), foot)).norm(), 1e-6) << k;
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      ASSERT_TRUE(pose.theta[j] >= range.lower && pose.theta[j] <= range.upper);
    }
    if (k == 0) continue;
    const double moves =
        (place_of(figure, pose, "right_palm") - place_of(figure, cleared->clip.pose(k - 1), "right_palm")).norm();
    largest = std::fmax(largest, moves);
  }
  EXPECT_LT(largest, 0.12);                                   // the given hand moves up to 0.05 m per frame
  EXPECT_EQ(cleared->clip.poses.col(0), given.poses.col(0));  // clear, and there is no anticipation
}

TEST(ClearMotion, LeavesClearFramesUnchanged) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {bar_before(figure, 3.0)});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->changed, 0);
  EXPECT_EQ(cleared->clip.poses, given.poses);
  EXPECT_TRUE(cleared->overlaps.empty());
}

TEST(ClearMotion, ReportsFramesThatCannotBeCleared) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  Clearance inside = bar_before(figure, 1.0);
  inside.obstacles = {*build_obstacle("all", BallShape{10.0})};
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {inside}, {.iterations = 3});
  ASSERT_TRUE(cleared);
  ASSERT_FALSE(cleared->overlaps.empty());
  EXPECT_LT(cleared->overlaps.front().found.min_clearance(), 0.0);
}

TEST(ClearMotion, ComesBackToTheGivenMotion) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  const Eigen::Index whole = given.poses.cols();
  given.poses.conservativeResize(Eigen::NoChange, whole + 60);
  for (Eigen::Index k = whole; k < given.poses.cols(); ++k) given.poses.col(k) = given.poses.col(whole - 1);
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {bar_before(figure, 1.15)});
  ASSERT_TRUE(cleared);
  const VecX last = cleared->clip.poses.rightCols(1) - given.poses.rightCols(1);
  EXPECT_LE(last.cwiseAbs().maxCoeff(), 1e-4);
}

TEST(ClearMotion, RejectsInvalidMotionsAndOptions) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  const std::vector<Clearance> bar = {bar_before(figure, 1.15)};
  Clip none = given, bad = given, still = given;
  none.poses.resize(given.poses.rows(), 0);
  bad.poses(0, 0) = infinity;
  still.frame_time = 0.0;
  EXPECT_FALSE(clear_motion(TimedProblem(figure), none, bar));
  EXPECT_FALSE(clear_motion(TimedProblem(figure), bad, bar));
  EXPECT_FALSE(clear_motion(TimedProblem(figure), still, bar));
  EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.guide = 0.0}));
  EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.fade_time = -1.0}));
  EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.iterations = -1}));
  for (const double wrong : {-1e-3, std::nan("")}) {
    EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.met_metres = wrong}));
    EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.met_degrees = wrong}));
  }
  Clip shorter = given, slower = given;
  shorter.poses.conservativeResize(Eigen::NoChange, given.frames() - 1);
  slower.frame_time = 0.1;
  for (const Clip* other : {&none, &bad, &shorter, &slower})
    EXPECT_FALSE(clear_motion(TimedProblem(figure), given, bar, {.hold_reference = other}));
  std::vector<Clearance> wrong = bar;
  wrong.front().margin = -1.0;
  EXPECT_FALSE(clear_motion(TimedProblem(figure), given, wrong));
}

// A walk without legs: the body travels and turns, and a fairly rigid elbow bends.
Clip travel(const Figure& figure) {
  Clip clip = arm_swing(figure);
  for (int k = 0; k < clip.frames(); ++k) {
    clip.poses(*figure.find_parameter("root.z"), k) = 0.0137 * k;
    clip.poses(*figure.find_parameter("root.y"), k) += 0.0031 * std::sin(0.7 * k);
    clip.poses(*figure.find_parameter("root.turn"), k) = 0.011 * k;
    clip.poses(*figure.find_parameter("left_elbow.flexion"), k) = 0.9 + 0.7 * std::sin(0.3 * k);
  }
  return clip;
}

TEST(ClearMotion, LeavesClearFramesUnchangedToTheBitWhateverTheScales) {
  const Figure figure = human();
  const Clip given = travel(figure);
  TimedProblem problem(figure);
  for (const char* name : {"left_elbow.flexion", "right_elbow.flexion", "root.turn"})
    ASSERT_TRUE(problem.set_rigidity(name, 0.3));
  ASSERT_TRUE(problem.add(figure.point("left_palm"), Hold{}, Span{}));
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {bar_before(figure, 9.0)});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->clip.poses, given.poses);
  EXPECT_EQ(cleared->changed, 0);
  ASSERT_EQ(cleared->report.demands.size(), 1u);
  EXPECT_EQ(cleared->report.demands[0].frames, given.frames());  // unchanged, but still reported
}

TEST(ClearMotion, IsTheGivenMotionToTheBitOnceTheChangeHasFaded) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  const Eigen::Index whole = given.poses.cols(), more = 120;
  given.poses.conservativeResize(Eigen::NoChange, whole + more);
  for (Eigen::Index k = whole; k < whole + more; ++k) given.poses.col(k) = given.poses.col(whole - 1);
  given.poses.row(*figure.find_parameter("root.x")).setConstant(0.1);
  Clearance bar = bar_before(figure, 1.15);
  bar.obstacles.front().X_world_shape.p.x() += 0.1;
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {bar});
  ASSERT_TRUE(cleared);
  ASSERT_GT(cleared->changed, 0);
  EXPECT_EQ(cleared->clip.poses.rightCols(1), given.poses.rightCols(1));
}

// A Hold goal is where the handle was at the start of the span, not where each frame has it.
TEST(ClearMotion, HoldsWhereTheSpanBegins) {
  const Figure figure = human();
  const Clip given = travel(figure);
  TimedProblem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("left_foot"), Hold{}, {.from = 0.5}, {.weight = 1.0}));
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {bar_before(figure, 9.0)});
  ASSERT_TRUE(cleared);
  const Vec3 held = place_of(figure, given.pose(15), "left_foot");
  double max_distance = 0.0;
  for (int k = 15; k < given.frames(); ++k)
    max_distance = std::fmax(max_distance, (place_of(figure, given.pose(k), "left_foot") - held).norm());
  ASSERT_GT(max_distance, 0.3);
  const DemandReport& hold = cleared->report.demands.front();
  EXPECT_FALSE(hold.met);
  EXPECT_EQ(hold.frames, given.frames() - 15);
  EXPECT_NEAR(hold.error.metres.value(), max_distance, 1e-9);
}

// The body slides while a hand avoids the bar: a locked foot returns to where it was, not to where it slid.
TEST(ClearMotion, LocksWhereTheSpanBeginsInFramesThatChange) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  for (int k = 0; k < given.frames(); ++k) given.poses(*figure.find_parameter("root.z"), k) = 0.001 * k;
  TimedProblem problem(figure);
  ASSERT_TRUE(problem.add(figure.frame("left_foot"), Hold{}, {.from = 0.2}, {.weight = must}));
  const Vec3 held = place_of(figure, given.pose(6), "left_foot");
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {bar_before(figure, 1.15)});
  ASSERT_TRUE(cleared);
  ASSERT_GT(cleared->changed, 10);
  for (int k = 6; k < given.frames(); ++k)
    if (cleared->clip.poses.col(k) != given.poses.col(k)) {
      EXPECT_LE((place_of(figure, cleared->clip.pose(k), "left_foot") - held).norm(), 1e-6) << k;
    }
}

TEST(ClearMotion, KeepsLimitsThatTheGivenMotionBreaks) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  const int elbow = *figure.find_parameter("left_elbow.flexion");
  given.poses(elbow, 7) = -0.4;
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {bar_before(figure, 9.0)});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->changed, 1);
  EXPECT_EQ(cleared->clip.poses(elbow, 7), figure.parameters()[static_cast<std::size_t>(elbow)].range.lower);
  EXPECT_EQ(cleared->clip.poses.col(6), given.poses.col(6));
  EXPECT_EQ(cleared->clip.poses.col(8), given.poses.col(8));
}

// Without obstacles the report is that of the solve before, also for a Hold that another demand pulls away.
TEST(ClearMotion, ReportsWhatTheSolveBeforeReported) {
  const Figure figure = human();
  const Clip given = travel(figure);
  TimedProblem problem(figure);
  const Vec3 aside = place_of(figure, given.pose(0), "left_foot") + Vec3(0.3, 0.0, 0.0);
  ASSERT_TRUE(problem.add(figure.point("left_foot"), Hold{}, {.from = 0.6, .ease_in = 0.3}));
  ASSERT_TRUE(problem.add(figure.point("left_foot"), Position{aside}, Span{}));
  ASSERT_TRUE(problem.add(figure.frame("right_foot"), Hold{}, {.to = 0.8, .ease_out = 0.2}, {.weight = must}));
  for (const bool played : {false, true}) {
    const Expected<SolvedMotion> solved = played ? play_motion(problem, given) : solve_motion(problem, given);
    ASSERT_TRUE(solved);
    ASSERT_FALSE(solved->report.demands[0].met);
    const Expected<ClearedMotion> cleared = clear_motion(problem, solved->clip, {bar_before(figure, 9.0)},
                                                         {.hold_reference = &given, .hold_at_first_activity = played});
    ASSERT_TRUE(cleared);
    EXPECT_EQ(cleared->clip.poses, solved->clip.poses);
    for (std::size_t d = 0; d < problem.demands().size(); ++d) {
      const DemandReport &was = solved->report.demands[d], &is = cleared->report.demands[d];
      EXPECT_EQ(is.met, was.met) << d;
      EXPECT_EQ(is.frames, was.frames) << d;
      EXPECT_EQ(is.worst, was.worst) << d;
      EXPECT_NEAR(is.error.metres.value_or(-1.0), was.error.metres.value_or(-1.0), 1e-9) << d;
      EXPECT_NEAR(is.error.radians.value_or(-1.0), was.error.radians.value_or(-1.0), 1e-6) << d;
    }
  }
}

Clearance ball_at(const Figure& figure, const Vec3& p, double radius) {
  Clearance clearance;
  clearance.capsules = capsules_of(figure);
  Frame X;
  X.p = p;
  clearance.obstacles.push_back(*build_obstacle("ball", BallShape{radius}, X));
  return clearance;
}

// Two demands compete for the right palm, one of them stiff in x only: it keeps x while the left hand avoids the ball.
TEST(ClearMotion, KeepsTheWeightingOfDemands) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  given.poses = MatX(given.poses.col(swing_frames / 2));
  const Vec3 palm = place_of(figure, given.pose(0), "right_palm");
  const Vec3 apart(0.06, 0.0, 0.0);
  TimedProblem problem(figure);
  const MatX weighting = Vec3(1e4, 1.0, 1.0).asDiagonal();
  ASSERT_TRUE(problem.add(figure.point("right_palm"), Position{palm}, Span{}, {.weighting = weighting}));
  ASSERT_TRUE(problem.add(figure.point("right_palm"), Position{palm + apart}, Span{}));
  const Vec3 left = place_of(figure, given.pose(0), "left_palm");
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {ball_at(figure, left, 0.02)});
  ASSERT_TRUE(cleared);
  ASSERT_EQ(cleared->changed, 1);
  EXPECT_NEAR(place_of(figure, cleared->clip.pose(0), "right_palm").x(), palm.x(), 1e-3);
}

TEST(ClearMotion, ReportsEveryFrameOnceWhateverTheClearances) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  given.poses = MatX(given.poses.leftCols(3));
  const Vec3 body = place_of(figure, given.pose(0), "left_palm");
  const std::vector<Clearance> clearances = {ball_at(figure, body, 8.0), ball_at(figure, body, 10.0)};
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, clearances, {.iterations = 0});
  ASSERT_TRUE(cleared);
  ASSERT_EQ(cleared->overlaps.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const FrameOverlap& overlap = cleared->overlaps[static_cast<std::size_t>(k)];
    EXPECT_EQ(overlap.frame, k);
    const std::vector<Penetration>& list = overlap.found.list;
    EXPECT_TRUE(std::ranges::is_sorted(list, {}, &Penetration::clearance));
    EXPECT_EQ(std::ranges::count(list, 0, &Penetration::obstacle), std::ranges::count(list, 1, &Penetration::obstacle));
    EXPECT_EQ(list.front().obstacle, 1);  // the larger one
    EXPECT_NEAR(overlap.found.min_clearance(), min_clearance(figure, cleared->clip.pose(k), clearances[1]), 1e-12);
  }
}

// The arm rises through a horizontal post, beyond its middle, and sinks again: it stays below, without a jump.
TEST(ClearMotion, StaysOnTheSideOfTheObstacle) {
  const Figure figure = human();
  Clip given = arm_swing(figure);
  constexpr double post_height = 1.30, post_before = 0.5, post_radius = 0.02;
  for (int k = 0; k < swing_frames; ++k) {
    const double part = 0.5 - 0.5 * std::cos(2.0 * pi * k / (swing_frames - 1));
    given.poses(*figure.find_parameter("right_shoulder.elevation"), k) = radians(50.0 + 33.0 * part);
    given.poses(*figure.find_parameter("right_elbow.flexion"), k) = 0.0;
  }
  Clearance post;
  post.capsules = capsules_of(figure);
  const Vec3 middle(0.0, post_height, post_before);
  post.obstacles.push_back(
      *build_obstacle("post", Capsule{middle - Vec3::UnitX(), middle + Vec3::UnitX(), post_radius}));
  TimedProblem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    ASSERT_TRUE(problem.add(figure.frame(foot), Hold{}, Span{}, {.weight = must}));
  // The height of the forearm above the middle of the post.
  const auto above = [&](const Pose& pose) {
    const Vec3 elbow = place_of(figure, pose, "right_forearm"), palm = place_of(figure, pose, "right_palm");
    const double part = (post_before - elbow.z()) / (palm.z() - elbow.z());
    return elbow.y() + part * (palm.y() - elbow.y()) - post_height;
  };
  double highest = -infinity, largest = 0.0, max_given = 0.0;
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {post});
  ASSERT_TRUE(cleared) << cleared.error().text();
  EXPECT_TRUE(cleared->overlaps.empty());
  for (int k = 0; k < swing_frames; ++k) {
    highest = std::fmax(highest, above(given.pose(k)));
    EXPECT_LT(above(cleared->clip.pose(k)), 0.0) << k;
    if (k == 0) continue;
    const auto moves = [&](const Clip& clip) {
      return (place_of(figure, clip.pose(k), "right_palm") - place_of(figure, clip.pose(k - 1), "right_palm")).norm();
    };
    largest = std::fmax(largest, moves(cleared->clip));
    max_given = std::fmax(max_given, moves(given));
  }
  ASSERT_GT(highest, 0.03);  // beyond the middle
  EXPECT_LT(largest, 2.0 * max_given);
}

}  // namespace clear_motion_test
}  // namespace limber
