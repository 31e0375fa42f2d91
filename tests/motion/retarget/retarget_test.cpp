// Retargeting: bone directions, foot contacts and travel are preserved.
#include "limber/motion/retarget/retarget.h"

#include <gtest/gtest.h>

#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "tests/motion/carried_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace retarget_test {

using carried_sample::path_of;
using carried_sample::RecordedMotion;
using testing::good;

constexpr double lock_tolerance = 1e-4;  // metres

struct Target {
  const char* name;
  Figure figure;
  double deviation_deg;       // mean deviation of limbs, with locked feet
  double free_deviation_deg;  // likewise, without locks
  double heading_deg;         // mean deviation of the hips
};

Figure let_go(const char* file) {
  return good(with_common_names(good(with_free_root(*carried_sample::content_of(file).figure))));
}

// A figure with a grouped spine, one with translations in all bones, one that is fixed in space, faces x and has no
// toes.
std::vector<Target> targets() {
  return {{"human", human(), 7.0, 3.0, 4.0},
          {"CesiumMan", let_go("gltf/CesiumMan.glb"), 4.0, 0.2, 1.0},
          {"G1", let_go("urdf/g1_29dof.urdf"), 8.0, 7.0, 15.0}};
}

double apart_deg(const Vec3& a, const Vec3& b) { return degrees(std::atan2(a.cross(b).norm(), a.dot(b))); }

constexpr std::pair<const char*, const char*> limb_bones[] = {
    {"left_hip", "left_knee"},         {"left_knee", "left_ankle"},     {"right_hip", "right_knee"},
    {"right_knee", "right_ankle"},     {"left_shoulder", "left_elbow"}, {"left_elbow", "left_wrist"},
    {"right_shoulder", "right_elbow"}, {"right_elbow", "right_wrist"}};

// Mean angle between the limb bones of a motion and those of every k-th recorded frame.
double mean_bone_deviation_deg(const RecordedMotion& recorded, const Figure& figure, const Clip& clip, int every) {
  double sum = 0.0;
  int count = 0;
  for (const auto& [from, to] : limb_bones) {
    const std::vector<Vec3> a = path_of(recorded.figure, recorded.clip, from),
                            b = path_of(recorded.figure, recorded.clip, to), c = path_of(figure, clip, from),
                            d = path_of(figure, clip, to);
    for (std::size_t k = 0; k < c.size(); ++k, ++count) {
      const std::size_t of = k * static_cast<std::size_t>(every);
      sum += apart_deg(b[of] - a[of], d[k] - c[k]);
    }
  }
  return sum / count;
}

// From right hip to left hip, seen from above.
double mean_heading_off(const RecordedMotion& recorded, const Figure& figure, const Clip& clip, int every) {
  const std::vector<Vec3> a = path_of(recorded.figure, recorded.clip, "right_hip"),
                          b = path_of(recorded.figure, recorded.clip, "left_hip"),
                          c = path_of(figure, clip, "right_hip"), d = path_of(figure, clip, "left_hip");
  double sum = 0.0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const std::size_t of = k * static_cast<std::size_t>(every);
    Vec3 was = b[of] - a[of], is = d[k] - c[k];
    was.y() = is.y() = 0.0;
    sum += apart_deg(was, is);
  }
  return sum / static_cast<double>(c.size());
}

// Maximum change of translation parameters from rest, except those of the root.
double max_growth(const Figure& figure, const Clip& clip) {
  const std::vector<int> root = root_parameters(figure);
  double largest = 0.0;
  for (int j = 0; j < static_cast<int>(figure.parameters().size()); ++j)
    if (figure.parameters()[static_cast<std::size_t>(j)].translates &&
        std::find(root.begin(), root.end(), j) == root.end())
      largest = std::fmax(largest, (clip.poses.row(j).array() - figure.rest().theta[j]).abs().maxCoeff());
  return largest;
}

double leg_of(const Figure& figure) {
  const Clip rest{"rest", 1.0, figure.rest().theta};
  const Vec3 hip = path_of(figure, rest, "left_hip")[0], knee = path_of(figure, rest, "left_knee")[0],
             ankle = path_of(figure, rest, "left_ankle")[0];
  return (hip - knee).norm() + (knee - ankle).norm();
}

TEST(Retarget, KeepsTheDirectionsOfTheBones) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure to = human();
  const Clip clip = good(retargeted(walk.figure, walk.clip, to, {.every = 2, .contacts = !law::are_quick()}));
  ASSERT_EQ(clip.frames(), 172);
  for (const auto& [from, end] : {std::pair{"left_hip", "left_knee"},
                                  {"right_knee", "right_ankle"},
                                  {"left_shoulder", "left_elbow"},
                                  {"right_elbow", "right_wrist"}}) {
    const std::vector<Vec3> a = path_of(walk.figure, walk.clip, from), b = path_of(walk.figure, walk.clip, end),
                            c = path_of(to, clip, from), d = path_of(to, clip, end);
    for (std::size_t k = 0; k < c.size(); k += 20)
      EXPECT_LE(apart_deg(b[2 * k] - a[2 * k], d[k] - c[k]), 17.0) << from << ", frame " << k;
  }
}

TEST(Retarget, CarriesAWalkToOtherBodies) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const int every = 4;
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.name);
    const Figure& figure = target.figure;
    const Retargeted out = good(retarget(walk.figure, walk.clip, figure, {.every = every}));
    ASSERT_EQ(out.clip.frames(), (walk.clip.frames() - 1) / every + 1);
    EXPECT_EQ(out.clip.frame_time, every * walk.clip.frame_time);
    const double deviation = mean_bone_deviation_deg(walk, figure, out.clip, every);
    EXPECT_LT(deviation, target.deviation_deg);
    EXPECT_NEAR(out.mean_deviation_deg, deviation, 2.0) << "which includes toes and fingers";
    EXPECT_LT(mean_heading_off(walk, figure, out.clip, every), target.heading_deg);
    EXPECT_LE(carried_sample::worst_limit(figure, out.clip), 1e-12);
    EXPECT_EQ(max_growth(figure, out.clip), 0.0) << "bone lengths are fixed";

    // The contacts of the recorded feet are locked.
    EXPECT_EQ(out.contacts.size(), figure.point("left_ball") ? 11U : 5U);
    EXPECT_TRUE(out.report.met());
    EXPECT_LE(carried_sample::max_error(figure, out.clip, out.contacts), lock_tolerance);
    EXPECT_GT(out.before.all.mean_distance, 0.01);
    EXPECT_LT(out.after.all.mean_distance, 0.01 * out.before.all.mean_distance);
    // On the ground, from the first contact to the last; a swinging foot may dip.
    const Clip rest{"rest", 1.0, figure.rest().theta};
    for (const Contact& contact : out.contacts)
      EXPECT_NEAR(contact.at.y(), path_of(figure, rest, contact.place)[0].y(), 0.01) << contact.place;
    for (const std::string& place : good(foot_places(figure))) {
      const std::vector<Vec3> path = path_of(figure, out.clip, place);
      const double ground = path_of(figure, rest, place)[0].y();
      for (int k = out.contacts.front().first; k <= out.contacts.back().last; ++k)
        EXPECT_GT(path[static_cast<std::size_t>(k)].y(), ground - 0.025) << place << ", frame " << k;
    }

    // Travel scales with leg length.
    EXPECT_NEAR(out.scale, leg_of(figure) / leg_of(walk.figure), 1e-9);
    const std::vector<Vec3> was = path_of(walk.figure, walk.clip, "left_hip"),
                            is = path_of(figure, out.clip, "left_hip");
    const Vec3 way = was[(is.size() - 1) * static_cast<std::size_t>(every)] - was[0];
    EXPECT_LT((is.back() - is.front() - out.scale * way).norm(), 0.1 * out.scale * way.norm());
  }
}

// Unlocked feet are near the ground too, although the recorded floor is tilted and off by 4 cm and the figure's
// pelvis is higher above its hips.
TEST(Retarget, StandsOnTheGroundWithoutLocks) {
  const RecordedMotion walk = carried_sample::carried_walk();
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.name);
    const Figure& figure = target.figure;
    const Retargeted held = good(retarget(walk.figure, walk.clip, figure, {.every = 16})),
                     out = good(retarget(walk.figure, walk.clip, figure, {.every = 16, .contacts = false}));
    EXPECT_TRUE(out.contacts.empty());
    EXPECT_TRUE(out.report.demands.empty());
    EXPECT_LT(mean_bone_deviation_deg(walk, figure, out.clip, 16), target.free_deviation_deg);
    EXPECT_FALSE(held.contacts.empty());
    for (const Contact& contact : held.contacts) {
      const std::vector<Vec3> path = path_of(figure, out.clip, contact.place);
      for (int k = contact.first; k <= contact.last; ++k)
        EXPECT_NEAR(path[static_cast<std::size_t>(k)].y(), contact.at.y(), 0.045) << contact.place << ", frame " << k;
    }
  }
}

// Feet and eyes keep their directions, which at rest are forward.
TEST(Retarget, PointsFeetAndEyesAsRecorded) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure to = human();
  const int every = 8;
  const Clip clip = good(retargeted(walk.figure, walk.clip, to, {.every = every, .contacts = false}));
  for (const char* name : {"eyes", "left_foot", "right_foot"}) {
    const Element was = good(walk.figure.direction(name)).plus[0], is = good(to.direction(name)).plus[0];
    double sum = 0.0;
    for (int k = 0; k < clip.frames(); ++k) {
      const Kinematics a = forward(walk.figure, walk.clip.pose(k * every)), b = forward(to, clip.pose(k));
      sum += apart_deg(a.segments[static_cast<std::size_t>(was.segment)].R * was.local,
                       b.segments[static_cast<std::size_t>(is.segment)].R * is.local);
    }
    EXPECT_LT(sum / clip.frames(), 5.0) << name;
  }
}

// Figures that face another way at rest, or have hips at another height of the pelvis, turn around with the recorded
// one: by half a turn and more in a walk in a circle, by two turns and a half in a pirouette.
TEST(Retarget, TurnsAround) {
  for (const RecordedMotion& motion : {carried_sample::carried("acclaim/131_04.amc", "acclaim/131.asf"),
                                       carried_sample::carried("acclaim/05_11.amc", "acclaim/05.asf")}) {
    SCOPED_TRACE(motion.clip.name);
    const int every = 8;
    for (const Target& target : targets()) {
      if (law::are_quick() && target.name != std::string_view("CesiumMan")) continue;
      SCOPED_TRACE(target.name);
      const Retargeted out = good(retarget(motion.figure, motion.clip, target.figure, {.every = every}));
      EXPECT_LT(mean_heading_off(motion, target.figure, out.clip, every), target.heading_deg + 4.0);
      EXPECT_LE(carried_sample::max_error(target.figure, out.clip, out.contacts), lock_tolerance);
    }
  }
}

// A recorded body that faces another way at rest, and travels another way, is followed.
TEST(Retarget, IsTheSameInAnyHeading) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure figure = targets()[1].figure;
  const int every = 16;
  const Retargeted usual = good(retarget(walk.figure, walk.clip, figure, {.every = every, .contacts = false}));
  for (const double yaw : {0.5, 1.2, -1.0}) {
    SCOPED_TRACE(yaw);
    const Frame X = {rotation(Vec3::UnitY(), yaw), {3.0, 0.0, -2.0}};
    FigureDescription description = walk.figure.description();
    for (JointDescription& joint : description.joints)
      if (joint.parent.empty()) joint.in_parent = X * joint.in_parent;
    const RecordedMotion moved{testing::built(description), walk.clip};
    const Retargeted out = good(retarget(moved.figure, moved.clip, figure, {.every = every, .contacts = false}));
    EXPECT_NEAR(out.scale, usual.scale, 1e-12);
    EXPECT_LT(mean_bone_deviation_deg(moved, figure, out.clip, every), 2.0);
    EXPECT_LT(mean_heading_off(moved, figure, out.clip, every), 2.0);
  }
}

TEST(Retarget, OntoItselfReproducesTheMotion) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure figure = carried_sample::widened(walk.figure, walk.clip);
  const Retargeted out = good(retarget(walk.figure, walk.clip, figure, {.every = 8, .contacts = false}));
  EXPECT_NEAR(out.scale, 1.0, 1e-12);
  EXPECT_LT(mean_bone_deviation_deg(walk, figure, out.clip, 8), 0.5);
  EXPECT_LT(mean_heading_off(walk, figure, out.clip, 8), 0.5);
  // Level, but otherwise unchanged.
  const std::vector<Vec3> was = path_of(walk.figure, walk.clip, "left_hip"), is = path_of(figure, out.clip, "left_hip");
  for (std::size_t k = 0; k < is.size(); ++k) {
    const Vec3 moved = is[k] - was[8 * k];
    EXPECT_LT(std::hypot(moved.x(), moved.z()), 0.01);
    EXPECT_LT(std::fabs(moved.y()), 0.08);
  }
}

TEST(Retarget, CanBeCancelled) {
  const RecordedMotion walk = carried_sample::carried_walk();
  std::vector<int> seen;
  RetargetOptions options;
  options.every = 40;
  options.observer = [&](int frame, int frames) {
    EXPECT_EQ(frames, 9);
    seen.push_back(frame);
    return frame < 3;
  };
  const Retargeted out = good(retarget(walk.figure, walk.clip, human(), options));
  EXPECT_EQ(seen, (std::vector{1, 2, 3}));
  ASSERT_EQ(out.clip.frames(), 9);
  for (int k = 3; k < 9; ++k) EXPECT_EQ(out.clip.poses.col(k), out.clip.poses.col(2)) << k;
  EXPECT_NE(out.clip.poses.col(1), out.clip.poses.col(2));
  EXPECT_TRUE(out.contacts.empty());
}

TEST(Retarget, TakesASingleFrame) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Clip one = good(cut(walk.clip, 100, 100));
  const Retargeted out = good(retarget(walk.figure, one, human(), {.every = 7}));
  EXPECT_EQ(out.clip.frames(), 1);
  EXPECT_TRUE(out.contacts.empty());
  EXPECT_EQ(good(retarget(walk.figure, walk.clip, human(), {.every = 1000})).clip.frames(), 1);
}

TEST(Retarget, RejectsInvalidInput) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Figure to = human();
  const auto rejected = [&](const Clip& clip, const RetargetOptions& options, const Figure& figure) {
    const Expected<Clip> out = retargeted(walk.figure, clip, figure, options);
    EXPECT_FALSE(out);
    return out ? std::string() : out.error().text();
  };
  const Figure arm = testing::built(testing::planar_arm());
  EXPECT_NE(rejected(walk.clip, {}, arm).find("0 places in common"), std::string::npos);
  EXPECT_NE(rejected(walk.clip, {.every = 0}, to).find("every"), std::string::npos);
  EXPECT_NE(rejected(walk.clip, {.every = -3}, to).find("every"), std::string::npos);
  EXPECT_NE(rejected(walk.clip, {.every = 100, .iterations = -1}, to).find("iterations"), std::string::npos);
  EXPECT_NE(rejected({"none", 0.1, MatX(walk.clip.poses.rows(), 0)}, {}, to).find("no frame"), std::string::npos);
  // With and without locked feet.
  for (const bool contacts : {true, false}) {
    const RetargetOptions options{.every = 100, .contacts = contacts};
    EXPECT_NE(rejected({"short", 0.1, MatX::Zero(3, 200)}, options, to).find("3 numbers per frame"), std::string::npos);
    Clip broken = walk.clip;
    broken.poses(5, 7) = std::nan("");
    EXPECT_NE(rejected(broken, options, to).find("finite"), std::string::npos);
    broken = walk.clip;
    broken.frame_time = 0.0;
    EXPECT_NE(rejected(broken, options, to).find("s per frame"), std::string::npos);
  }
  EXPECT_FALSE(retargeted(walk.figure, walk.clip, to, {.every = 40, .contact = {.window = -1.0}}));
  EXPECT_FALSE(retargeted(walk.figure, walk.clip, to, {.every = 4, .ease = -1.0}));
}

TEST(Retarget, RejectsABodyWithoutAKneeOrAnElbow) {
  const RecordedMotion walk = carried_sample::carried_walk();
  for (const char* part : {"left_knee", "right_knee", "left_elbow", "right_elbow"}) {
    FigureDescription description = let_go("gltf/CesiumMan.glb").description();
    std::erase_if(description.sites, [&](const SiteDescription& site) { return site.name == part; });
    const Figure character = testing::built(std::move(description));
    const Expected<Clip> clip = retargeted(walk.figure, walk.clip, character);
    ASSERT_FALSE(clip) << part;
    EXPECT_NE(clip.error().text().find(std::string("'") + part + "'"), std::string::npos) << clip.error().text();
  }
}

}  // namespace retarget_test
}  // namespace limber
