#include "limber/motion/clip.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"

namespace limber {
namespace clip_test {

// A slider, then a ball joint in the order z, -x, y, then a hinge.
Figure arm() {
  FigureDescription d;
  d.name = "arm";
  d.segments = {{"upper"}, {"lower"}};
  d.joints = {{"shoulder",
               "",
               "upper",
               {},
               {},
               {{"tx", Motion::translate, Vec3::UnitX()},
                {"rz", Motion::rotate, Vec3::UnitZ()},
                {"rx", Motion::rotate, -Vec3::UnitX()},
                {"ry", Motion::rotate, Vec3::UnitY()}}},
              {"elbow", "upper", "lower", at({0, 1, 0}), {}, {{"bend", Motion::rotate, Vec3(1, 2, 3)}}}};
  return *build_figure(d);
}

Clip two_frames() {
  Clip clip{"two", 0.1, MatX(5, 2)};
  clip.poses.col(0) << 1.0, 0.2, -0.3, 0.4, 0.5;
  clip.poses.col(1) << 2.0, 1.7, 0.6, -2.1, 1.5;
  return clip;
}

TEST(Clip, LastsFromTheFirstFrameToTheLast) {
  EXPECT_DOUBLE_EQ(two_frames().duration(), 0.1);
  EXPECT_EQ((Clip{"none", 0.1, MatX(5, 0)}).duration(), 0.0);
}

TEST(Clip, ResampledTakesTheShortestRotationAtConstantSpeed) {
  const Figure figure = arm();
  const Clip clip = two_frames();
  const Clip fine = *resampled(figure, clip, 0.02);
  ASSERT_EQ(fine.frames(), 6);
  const auto upper = [&](const Pose& pose) { return forward(figure, pose).segments[0]; };
  const Eigen::AngleAxisd whole(Mat3(upper(clip.pose(0)).R.transpose() * upper(clip.pose(1)).R));
  for (int k = 0; k < 6; ++k) {
    const Eigen::AngleAxisd part(Mat3(upper(clip.pose(0)).R.transpose() * upper(fine.pose(k)).R));
    EXPECT_NEAR(part.angle(), whole.angle() * k / 5.0, 1e-12) << k;
    if (k > 0) {
      EXPECT_LT((part.axis() - whole.axis()).norm(), 1e-9) << k;
    }
    EXPECT_NEAR(fine.poses(0, k), 1.0 + 0.2 * k, 1e-12);
    EXPECT_NEAR(fine.poses(4, k), 0.5 + 0.2 * k, 1e-12);
  }
  EXPECT_EQ(fine.poses.col(0), clip.poses.col(0));
  EXPECT_EQ(fine.poses.col(5), clip.poses.col(1));
}

TEST(Clip, ResampledByAWholeNumberPicksFrames) {
  const Figure figure = arm();
  Clip clip{"many", 1.0 / 120.0, MatX::Random(5, 343)};
  const Clip quarter = *resampled(figure, clip, 1.0 / 30.0);
  ASSERT_EQ(quarter.frames(), 86);
  for (int k = 0; k < 86; ++k) EXPECT_EQ(quarter.poses.col(k), clip.poses.col(4 * k));
}

TEST(Clip, CutKeepsBothEnds) {
  Clip clip{"many", 0.5, MatX::Random(5, 10)};
  const Clip part = *cut(clip, 2, 4);
  ASSERT_EQ(part.frames(), 3);
  EXPECT_EQ(part.poses, clip.poses.middleCols(2, 3));
  EXPECT_EQ(part.frame_time, 0.5);
}

TEST(Clip, CutRejectsFramesOutOfRange) {
  const Clip clip{"walk", 0.5, MatX::Random(5, 10)};
  EXPECT_EQ(cut(clip, 2, 10).error().text(), "motion 'walk': found frames 2 to 10; expected frames from 0 to 9");
  for (const auto& [first, last] : {std::pair(-1, 3), std::pair(4, 3), std::pair(10, 12)})
    EXPECT_FALSE(cut(clip, first, last)) << first << " " << last;
  EXPECT_FALSE(cut({"none", 0.5, MatX(5, 0)}, 0, 0));
}

TEST(Clip, ResampledRejectsTooManyFrames) {
  const Figure figure = arm();
  const Clip clip = two_frames();
  for (const double rate : {1e9, 1e18, 1e300, 5e-324}) EXPECT_FALSE(resampled(figure, clip, 1.0 / rate)) << rate;
  for (const double time : {0.0, -1.0, infinity, std::nan("")}) EXPECT_FALSE(resampled(figure, clip, time)) << time;
  EXPECT_EQ(resampled(figure, clip, 1e-9).error().text(),
            "motion 'two': found a frame every 1e-09 s, 100000001 frames in all; expected at most 3355443 frames");
  // A hundred thousand frames are accepted.
  EXPECT_EQ(resampled(figure, clip, 1e-6)->frames(), 100'001);
  EXPECT_EQ(resampled(figure, clip, 1e300)->frames(), 1);
}

}  // namespace clip_test
}  // namespace limber
