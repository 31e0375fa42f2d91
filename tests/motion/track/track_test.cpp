// Tracking a motion of which a few places are known.
#include "limber/motion/track/track.h"

#include <gtest/gtest.h>

#include "limber/format/file.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace track_test {

using testing::good;

struct Walk {
  Figure figure;
  Clip clip;
};

std::string file(const char* name) {
  return read_sample(std::filesystem::path(source_dir()) / "data" / "acclaim" / name);
}

// CMU 02_01, with limits that contain it.
Walk walk() {
  const Content skeleton = good(read_content(file("02.asf"), "02.asf"));
  Content content = good(read_content(file("02_01.amc"), "02_01.amc", {}, {}, &skeleton));
  FigureDescription description = content.figure->description();
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms) {
      const int j = good(content.figure->find_parameter(joint.name + "." + freedom.name));
      freedom.range.lower = std::min(freedom.range.lower, content.clips[0].poses.row(j).minCoeff());
      freedom.range.upper = std::max(freedom.range.upper, content.clips[0].poses.row(j).maxCoeff());
    }
  return {testing::built(description), content.clips[0]};
}

const std::vector<std::string> ends = {"head", "lhand", "rhand", "lfoot", "rfoot"};

// EE09's nine configurations, at 20 iterations: the default's error is below a tenth of a millimetre, with the root
// free and with its motion given.
TEST(Tracker, FollowsAWalkByItsEndSites) {
  const Walk made = walk();
  for (const bool given : {false, true})
    for (const int every : {1, 5, 20}) {
      Tracker tracker = good(Tracker::make(made.figure, ends, {.root_given = given}));
      Pose pose = made.clip.pose(0);
      for (int frame = 0; frame < made.clip.frames(); frame += every) {
        tracker.aim(made.clip.pose(frame), pose);
        const Report& report = tracker.solve(pose, {.iterations = 20, .restarts = 0});
        ASSERT_LE(tracker.max_distance(), 1e-4) << "frame " << frame << "\n" << to_text(report);
        ASSERT_LE(tracker.mean_distance(), tracker.max_distance());
      }
    }
}

TEST(Tracker, KeepsTheGivenRoot) {
  const Walk made = walk();
  Tracker tracker = good(Tracker::make(made.figure, ends, {.root_given = true}));
  Pose pose = made.clip.pose(0);
  for (const int frame : {0, 50, 100}) {
    const Pose reference = made.clip.pose(frame);
    tracker.aim(reference, pose);
    tracker.solve(pose);
    for (const char* name : {"root.tx", "root.ty", "root.tz", "root.rx", "root.ry", "root.rz"})
      EXPECT_EQ(good(made.figure.value(pose, name)), good(made.figure.value(reference, name)));
  }
}

TEST(Tracker, FollowsPointsAndIgnoresUnseenOnes) {
  const Figure figure = testing::built(testing::torso_with_arms());
  Tracker tracker = good(Tracker::make(figure, {"left hand", "right hand"}));
  Pose pose = figure.rest();
  const std::optional<Vec3> points[] = {Vec3(0.5, 0.7, 0.2), std::nullopt};
  tracker.aim(points);
  const Report& report = tracker.solve(pose);
  EXPECT_TRUE(report.constraints[0].met);
  EXPECT_FALSE(report.constraints[1].counted);
  EXPECT_LE(tracker.max_distance(), 1e-3);
}

TEST(Tracker, RejectsUnknownPlaces) {
  const Figure figure = testing::built(testing::torso_with_arms());
  EXPECT_FALSE(Tracker::make(figure, {}));
  const Expected<Tracker> unknown = Tracker::make(figure, {"tail"});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().found.find("tail"), std::string::npos);
}

}  // namespace track_test
}  // namespace limber
