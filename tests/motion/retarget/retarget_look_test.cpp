// Retargeting as a person sees it: no joint pops, feet stay above the ground, clips on the spot stay there, a T-pose at
// the start is left out.
#include <gtest/gtest.h>

#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/motion/retarget/retarget.h"
#include "tests/motion/carried_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace retarget_look_test {

using carried_sample::path_of;
using carried_sample::RecordedMotion;
using testing::good;

Figure character(const char* file) {
  return good(with_common_names(good(with_free_root(*carried_sample::content_of(file).figure))));
}

struct Joint {
  int limb;
  const char *carrier, *part;
};
constexpr Joint joints[] = {{0, "pelvis", "left_hip"},
                            {0, "left_hip", "left_knee"},
                            {0, "left_knee", "left_ankle"},
                            {1, "pelvis", "right_hip"},
                            {1, "right_hip", "right_knee"},
                            {1, "right_knee", "right_ankle"},
                            {2, "chest", "left_shoulder"},
                            {2, "left_shoulder", "left_elbow"},
                            {2, "left_elbow", "left_wrist"},
                            {3, "chest", "right_shoulder"},
                            {3, "right_shoulder", "right_elbow"},
                            {3, "right_elbow", "right_wrist"},
                            {4, "pelvis", "chest"},
                            {4, "chest", "head"}};

// The max angular speed of the joints of each limb, in degrees per second.
std::array<double, 5> speeds(const Figure& figure, const Clip& clip) {
  std::array<double, 5> out = {};
  for (const Joint& joint : joints) {
    const auto carrier = static_cast<std::size_t>(good(figure.point(joint.carrier)).plus[0].segment),
               part = static_cast<std::size_t>(good(figure.point(joint.part)).plus[0].segment);
    Mat3 before = Mat3::Identity();
    for (int k = 0; k < clip.frames(); ++k) {
      const Kinematics state = forward(figure, clip.pose(k));
      const Mat3 R = state.segments[carrier].R.transpose() * state.segments[part].R;
      const double angle = degrees(Eigen::AngleAxisd(Mat3(before.transpose() * R)).angle());
      if (k > 0)
        out[static_cast<std::size_t>(joint.limb)] =
            std::fmax(out[static_cast<std::size_t>(joint.limb)], angle / clip.frame_time);
      before = R;
    }
  }
  return out;
}

TEST(RetargetLook, TurnsNoJointMuchFasterThanTheRecordedLimb) {
  std::vector<RecordedMotion> motions = {carried_sample::carried_walk()};
  if (!law::are_quick()) motions.push_back(carried_sample::carried("bvh/cmu_49_06.bvh"));
  for (const RecordedMotion& motion : motions)
    for (const char* file : {"gltf/CesiumMan.glb", "bvh/mh_walk1.bvh"}) {
      SCOPED_TRACE(motion.clip.name + " on " + file);
      const Figure figure = character(file);
      const Retargeted out = good(retarget(motion.figure, motion.clip, figure));
      const Clip recorded = good(cut(motion.clip, out.skipped, motion.clip.frames() - 1));
      const std::array<double, 5> was = speeds(motion.figure, recorded), is = speeds(figure, out.clip);
      for (std::size_t limb = 0; limb < was.size(); ++limb) EXPECT_LT(is[limb], 1.5 * was[limb]) << limb;
      EXPECT_TRUE(out.is_alike());
      EXPECT_LT(out.mean_deviation_deg, 5.0);
    }
}

TEST(RetargetLook, KeepsFeetAboveTheGround) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure figure = human();
  const Retargeted out = good(retarget(walk.figure, walk.clip, figure, {.every = 2}));
  for (const char* place : {"left_toe", "right_toe", "left_heel", "right_heel"})
    for (const Vec3& x : path_of(figure, out.clip, place)) EXPECT_GT(x.y(), -0.015) << place;
}

TEST(RetargetLook, LeavesOutATPoseAtTheStart) {
  const RecordedMotion motion = carried_sample::carried("bvh/cmu_02_01.bvh");
  const Retargeted out = good(retarget(motion.figure, motion.clip, human(), {.every = 8}));
  EXPECT_EQ(out.skipped, 1);
  EXPECT_EQ(out.clip.frames(), (motion.clip.frames() - 2) / 8 + 1);
  // The same take without it.
  const RecordedMotion walk = carried_sample::carried_walk();
  EXPECT_EQ(good(retarget(walk.figure, walk.clip, human(), {.every = 8})).skipped, 0);
}

TEST(RetargetLook, StaysOnTheSpot) {
  const Content content = carried_sample::content_of("gltf/CesiumMan.glb");
  const Figure from = good(with_common_names(*content.figure)), to = human();
  const Retargeted out = good(retarget(from, content.clips.at(0), to));
  EXPECT_TRUE(out.report.met());
  ASSERT_FALSE(out.contacts.empty());
  for (const Contact& contact : out.contacts) EXPECT_GT(contact.velocity.norm(), 0.3) << "the ground moves";
  const std::vector<Vec3> path = path_of(to, out.clip, "pelvis");
  for (const Vec3& x : path) EXPECT_LT(std::hypot(x.x() - path[0].x(), x.z() - path[0].z()), 0.15);
}

// A bone with the name of a common place, and axes of its own, changes nothing.
TEST(RetargetLook, IsTheSameForAnyAxesOfNamedBones) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure plain = good(with_free_root(*carried_sample::content_of("gltf/CesiumMan.glb").figure));
  const Figure usual = good(with_common_names(plain));
  FigureDescription description = plain.description();
  for (const char* name : {"pelvis", "chest", "head", "left_ankle", "right_ankle", "left_knee"}) {
    const Site* own = nullptr;
    for (const Site& site : usual.sites())
      if (site.name == name) own = &site;
    ASSERT_NE(own, nullptr) << name;
    description.sites.push_back({name,
                                 usual.segments()[static_cast<std::size_t>(own->segment)].name,
                                 {rotation(Vec3(1.0, 2.0, -1.0).normalized(), 2.0), own->frame.p}});
  }
  const Figure turned = good(with_common_names(testing::built(description)));
  const Clip a = good(retargeted(walk.figure, walk.clip, usual, {.every = 20})),
             b = good(retargeted(walk.figure, walk.clip, turned, {.every = 20}));
  EXPECT_LT((a.poses - b.poses).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace retarget_look_test
}  // namespace limber
