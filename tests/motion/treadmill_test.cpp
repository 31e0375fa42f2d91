// Contacts on ground that moves: a walk on the spot has those of the walk over the ground.
#include <gtest/gtest.h>

#include "limber/motion/clean/clean.h"
#include "tests/motion/carried_sample.h"

namespace limber {
namespace treadmill_test {

using carried_sample::path_of;
using carried_sample::RecordedMotion;
using testing::good;

struct Treadmill {
  RecordedMotion motion;
  Vec3 velocity;  // of the ground
};

// The recorded walk, which the belt carries back as fast as it gets on.
Treadmill on_the_spot() {
  Treadmill out{carried_sample::carried_walk(), Vec3::Zero()};
  const Figure& figure = out.motion.figure;
  Clip& clip = out.motion.clip;
  const std::vector<Vec3> path = path_of(figure, clip, "pelvis");
  out.velocity = (path.front() - path.back()) / clip.duration();
  out.velocity.y() = 0.0;
  const int tx = good(figure.find_parameter("root.tx")), tz = good(figure.find_parameter("root.tz"));
  for (int k = 0; k < clip.frames(); ++k) {
    clip.poses(tx, k) += k * clip.frame_time * out.velocity.x();
    clip.poses(tz, k) += k * clip.frame_time * out.velocity.z();
  }
  return out;
}

TEST(Treadmill, HasTheContactsOfTheWalk) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Treadmill belt = on_the_spot();
  const std::vector<Vec3> path = path_of(belt.motion.figure, belt.motion.clip, "pelvis");
  ASSERT_LT((path.back() - path.front()).norm(), 0.1) << "on the spot";
  const std::vector<Contact> over = good(find_contacts(walk.figure, walk.clip, {}, standing_still())),
                             on = good(find_contacts(belt.motion.figure, belt.motion.clip, {}, standing_still()));
  ASSERT_GT(over.size(), 5u);
  int same = 0;
  for (const Contact& a : over) {
    EXPECT_EQ(a.velocity, Vec3(Vec3::Zero()));
    for (const Contact& b : on) same += a.place == b.place && a.first < b.last && b.first < a.last;
  }
  EXPECT_GE(same, static_cast<int>(over.size()) - 1);
  EXPECT_LE(on.size(), over.size() + 2);
  for (const Contact& contact : on) EXPECT_LT((contact.velocity - belt.velocity).norm(), 0.2 * belt.velocity.norm());
}

TEST(Treadmill, CarriesTheFeetThatStandOnIt) {
  const Treadmill belt = on_the_spot();
  const Figure figure = carried_sample::widened(belt.motion.figure, belt.motion.clip);
  const Cleaned cleaned = good(clean_feet(figure, belt.motion.clip));
  EXPECT_TRUE(cleaned.report.met());
  ASSERT_FALSE(cleaned.contacts.empty());
  EXPECT_LT(cleaned.after.all.max_drift, 1e-4) << "relative to the belt";
  const std::vector<Vec3> path = path_of(figure, cleaned.clip, "pelvis");
  EXPECT_LT((path.back() - path.front()).norm(), 0.15) << "still on the spot";
}

TEST(Treadmill, IsNotFoundWhereFeetStandStillOrTheFigureTravels) {
  for (const auto& [motion, skeleton] :
       {std::pair("acclaim/02_01.amc", "acclaim/02.asf"), std::pair("acclaim/05_11.amc", "acclaim/05.asf"),
        std::pair("acclaim/49_18.amc", "acclaim/49.asf"), std::pair("acclaim/09_06.amc", "acclaim/09.asf")}) {
    const RecordedMotion recorded = carried_sample::carried(motion, skeleton);
    for (const Contact& contact : good(find_contacts(recorded.figure, recorded.clip)))
      EXPECT_EQ(contact.velocity, Vec3(Vec3::Zero())) << motion;
  }
}

}  // namespace treadmill_test
}  // namespace limber
