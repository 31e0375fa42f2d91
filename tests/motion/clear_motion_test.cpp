// A motion through obstacles: clear in every frame by a check that knows no solver, calm, and else as it was.
#include "limber/motion/timed/clear_motion.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/kinematics/handle.h"
#include "limber/motion/timed/playback.h"

namespace limber {
namespace {

constexpr int swing_frames = 60;

// The right arm swings from beside the body to before the chest and back.
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

double least_clearance(const Figure& figure, const Pose& pose, const Clearance& clearance) {
  const Penetrations found = penetrations(figure, forward(figure, pose), clearance.capsules,
                                          Obstacles(clearance.obstacles), clearance.pairs, 0.5);
  return found.least();
}

TEST(ClearMotion, IsClearInEveryFrameAndCalm) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  const Clearance bar = bar_before(figure, 1.15);
  TimedProblem problem(figure);
  for (const char* foot : {"left_foot", "right_foot"})
    ASSERT_TRUE(problem.add(figure.frame(foot), Hold{}, Span{}, {.weight = must}));
  double deepest = infinity;
  for (int k = 0; k < given.frames(); ++k) deepest = std::fmin(deepest, least_clearance(figure, given.pose(k), bar));
  ASSERT_LT(deepest, -0.02);  // it passes through
  const Expected<ClearedMotion> cleared = clear_motion(problem, given, {bar});
  ASSERT_TRUE(cleared) << cleared.error().text();
  EXPECT_TRUE(cleared->overlaps.empty()) << cleared->overlaps.front().found.list.front().text;
  EXPECT_TRUE(cleared->report.met());
  EXPECT_GT(cleared->changed, 0);
  double largest = 0.0;
  for (int k = 0; k < given.frames(); ++k) {
    const Pose pose = cleared->clip.pose(k);
    EXPECT_GE(least_clearance(figure, pose, bar), 0.0) << k;
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
  EXPECT_LT(largest, 0.12);                                   // the given hand makes up to 0.05 m a frame
  EXPECT_EQ(cleared->clip.poses.col(0), given.poses.col(0));  // clear, and nothing is done ahead of time
}

TEST(ClearMotion, LeavesWhatIsClearAlone) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {bar_before(figure, 3.0)});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->changed, 0);
  EXPECT_EQ(cleared->clip.poses, given.poses);
  EXPECT_TRUE(cleared->overlaps.empty());
}

TEST(ClearMotion, NamesTheFramesThatCannotBeCleared) {
  const Figure figure = human();
  const Clip given = arm_swing(figure);
  Clearance inside = bar_before(figure, 1.0);
  inside.obstacles = {*build_obstacle("all", BallShape{10.0})};
  const Expected<ClearedMotion> cleared = clear_motion(TimedProblem(figure), given, {inside}, {.iterations = 3});
  ASSERT_TRUE(cleared);
  ASSERT_FALSE(cleared->overlaps.empty());
  EXPECT_LT(cleared->overlaps.front().found.least(), 0.0);
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

TEST(ClearMotion, RefusesWhatIsNoMotion) {
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
  std::vector<Clearance> wrong = bar;
  wrong.front().margin = -1.0;
  EXPECT_FALSE(clear_motion(TimedProblem(figure), given, wrong));
}

}  // namespace
}  // namespace limber
