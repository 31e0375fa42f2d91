// Two motions mixed, and one after the other.
#include "limber/motion/clip_blend.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/sequence.h"
#include "tests/motion/motion_sample.h"

namespace limber {
namespace clip_blend_test {

using testing::good;

Clip part(const Clip& clip, int first, int last) { return good(cut(clip, first, last)); }

Frame root_of(const Figure& figure, const VecX& theta) { return forward(figure, Pose{theta}).segments[0]; }

// Of a segment's rotation from one frame to another, about the vertical.
double heading_between(const Mat3& a, const Mat3& b) {
  const Quaternion turn(Mat3(b * a.transpose()));
  return 2.0 * std::atan2(turn.y(), turn.w());
}

double worst_jump(const Figure& figure, const Clip& clip) {
  double worst = 0.0;
  Kinematics before = forward(figure, clip.pose(0));
  for (int k = 1; k < clip.frames(); ++k) {
    const Kinematics now = forward(figure, clip.pose(k));
    for (std::size_t s = 0; s < now.segments.size(); ++s)
      worst = std::fmax(worst, (now.segments[s].p - before.segments[s].p).norm());
    before = now;
  }
  return worst;
}

TEST(ClipBlend, CarriesAMotionOverTheGroundRigidly) {
  const auto [figure, clip] = motion_sample::recorded_walk();
  const Mat3 H = rotation(Vec3::UnitY(), 2.1);
  const Vec3 d(3.0, 0.5, -7.0);
  const Clip there = good(carried(figure, clip, 2.1, d));
  for (int k = 0; k < clip.frames(); k += 13) {
    const Kinematics a = forward(figure, clip.pose(k)), b = forward(figure, there.pose(k));
    for (std::size_t s = 0; s < a.segments.size(); ++s) {
      EXPECT_LT((b.segments[s].p - H * a.segments[s].p - d).norm(), 1e-9) << s;
      EXPECT_LT((b.segments[s].R - H * a.segments[s].R).norm(), 1e-9) << s;
    }
  }
  EXPECT_LT(worst_jump(figure, there), 1.01 * worst_jump(figure, clip));
  EXPECT_FALSE(carried(testing::built(testing::planar_arm()), {"some", 0.1, MatX::Zero(2, 3)}, 1.0, d));
}

TEST(ClipBlend, OfAMotionWithItselfIsTheMotion) {
  const auto [figure, clip] = motion_sample::recorded_walk();
  const Clip walk = part(clip, 0, 60);
  const Clip same = good(blended(figure, walk, walk, 0.37));
  ASSERT_EQ(same.frames(), walk.frames());
  EXPECT_LT((same.poses - walk.poses).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ClipBlend, GoesPartOfTheWayChannelByChannel) {
  const auto [figure, clip] = motion_sample::recorded_walk();
  const Clip a = part(clip, 0, 60), b = part(clip, 200, 260);
  const std::vector<Channel> channels = channels_of(figure, Rotations::of_balls);
  for (const double weight : {0.0, 0.3, 1.0}) {
    const Clip mixed = good(blended(figure, a, b, weight));
    ASSERT_EQ(mixed.frames(), a.frames());
    for (int k = 0; k < mixed.frames(); k += 7)
      for (const Channel& channel : channels) {
        const VecX x = a.poses.col(k), y = b.poses.col(k), m = mixed.poses.col(k);
        EXPECT_NEAR(distance(channel, x, m), weight * distance(channel, x, y), 1e-6) << channel.name;
        EXPECT_NEAR(distance(channel, m, y), (1.0 - weight) * distance(channel, x, y), 1e-6) << channel.name;
      }
  }
  // Another length: as long as the first.
  EXPECT_EQ(good(blended(figure, a, part(clip, 0, 300), 0.5)).frames(), a.frames());
}

// The second walk was recorded elsewhere and in another direction.
TEST(ClipBlend, ContinuesWhereTheFirstMotionIs) {
  const auto [figure, clip] = motion_sample::recorded_walk();
  const Clip a = part(clip, 0, 200);
  const Clip b = good(carried(figure, part(clip, 100, 300), -2.5, Vec3(40.0, 0.0, 15.0)));
  const double seconds = 0.5;
  const Clip both = good(cross_faded(figure, a, b, seconds));
  const int overlap = static_cast<int>(std::lround(seconds / clip.frame_time));
  EXPECT_EQ(both.frames(), a.frames() + b.frames() - 1 - overlap);
  EXPECT_LT((both.poses.leftCols(a.frames() - overlap - 1) - a.poses.leftCols(a.frames() - overlap - 1))
                .cwiseAbs()
                .maxCoeff(),
            1e-9)
      << "before the overlap it is the first motion";
  // After it, the second one, carried rigidly.
  const int shift = both.frames() - b.frames();
  const Frame now = root_of(figure, both.poses.col(both.frames() - 1)),
              then = root_of(figure, b.poses.col(b.frames() - 1));
  const Mat3 H = now.R * then.R.transpose();
  EXPECT_NEAR(H(1, 1), 1.0, 1e-9) << "about the vertical";
  for (int k = overlap + 1; k < b.frames(); k += 11) {
    const Frame x = root_of(figure, both.poses.col(shift + k)), y = root_of(figure, b.poses.col(k));
    EXPECT_LT((x.R - H * y.R).norm(), 1e-6);
    EXPECT_LT((x.p - now.p - H * (y.p - then.p)).norm(), 1e-6);
    EXPECT_NEAR(x.p.y(), y.p.y(), 1e-9) << "no higher and no lower";
  }
  // In the middle of the overlap both stand in one place and face one way.
  const int middle = both.frames() - b.frames() + overlap / 2;
  const Frame x = root_of(figure, a.poses.col(a.frames() - 1 - overlap / 2)),
              y = root_of(figure, both.poses.col(middle));
  EXPECT_LT((x.p - y.p).head<1>().norm() + std::fabs(x.p.z() - y.p.z()), 0.02);
  EXPECT_LT(std::fabs(heading_between(x.R, y.R)), 0.05);
  EXPECT_LT(worst_jump(figure, both), 1.5 * worst_jump(figure, clip)) << "no place of the body jumps";
  // As recorded, it would fly there.
  const Clip recorded = good(cross_faded(figure, a, b, seconds, Continuation::as_recorded));
  EXPECT_GT(worst_jump(figure, recorded), 10.0 * worst_jump(figure, clip));
}

TEST(ClipBlend, RejectsWhatCannotBeMixed) {
  const auto [figure, clip] = motion_sample::recorded_walk();
  const Clip walk = part(clip, 0, 60);
  EXPECT_FALSE(blended(figure, walk, walk, 1.5));
  EXPECT_FALSE(blended(figure, walk, part(clip, 3, 3), 0.5));
  EXPECT_FALSE(blended(human(), walk, walk, 0.5));
  EXPECT_FALSE(cross_faded(figure, walk, walk, 100.0));
  EXPECT_FALSE(cross_faded(figure, walk, walk, std::nan("")));
  EXPECT_FALSE(cross_faded(figure, walk, walk, 0.0));
}

}  // namespace clip_blend_test
}  // namespace limber
