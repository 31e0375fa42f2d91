// Markers: where they are attached to a figure, and tracking them.
#include "limber/motion/markers.h"

#include <gtest/gtest.h>

#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/track/track.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace markers_test {

using testing::good;

struct Take {
  Figure figure;  // with the limits of its file
  Clip clip;
};

std::string bytes_of(const char* name) { return read_sample(std::filesystem::path(source_dir()) / "data" / name); }

// CMU 02_01, every k-th frame.
Take take(int every) {
  const Content skeleton = good(read_content(bytes_of("acclaim/02.asf"), "02.asf"));
  const Content content = good(read_content(bytes_of("acclaim/02_01.amc"), "02_01.amc", {}, {}, &skeleton));
  const Clip& all = content.clips[0];
  Clip clip{.name = all.name, .frame_time = all.frame_time * every};
  clip.poses.resize(all.poses.rows(), (all.frames() + every - 1) / every);
  for (int k = 0; k < clip.frames(); ++k) clip.poses.col(k) = all.poses.col(k * every);
  return {*content.figure, clip};
}

// Limits that contain the motion.
Figure widened(const Take& take) {
  FigureDescription description = take.figure.description();
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms) {
      const int j = good(take.figure.find_parameter(joint.name + "." + freedom.name));
      freedom.range.lower = std::min(freedom.range.lower, take.clip.poses.row(j).minCoeff());
      freedom.range.upper = std::max(freedom.range.upper, take.clip.poses.row(j).maxCoeff());
    }
  return testing::built(description);
}

Vec3 position(const Figure& figure, const Pose& pose, const Attachment& attachment) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), good(marker_point(figure, attachment)), x);
  return x[0];
}

// Ideal marker positions, without slip.
Markers seen_on(const Figure& figure, const Clip& clip, const std::vector<Attachment>& attachments) {
  Markers markers{.rate = 1.0 / clip.frame_time};
  markers.positions.resize(static_cast<Eigen::Index>(3 * attachments.size()), clip.frames());
  for (std::size_t m = 0; m < attachments.size(); ++m) {
    markers.names.push_back(attachments[m].marker);
    for (int k = 0; k < clip.frames(); ++k)
      markers.positions.block<3, 1>(static_cast<Eigen::Index>(3 * m), k) =
          position(figure, clip.pose(k), attachments[m]);
  }
  return markers;
}

// Three on every part of the body, so that only fingers and toes are undetermined.
std::vector<Attachment> suit() {
  std::vector<Attachment> all;
  for (const char* place : {"root", "thorax", "head", "lfemur", "ltibia", "lfoot", "rfemur", "rtibia", "rfoot",
                            "lhumerus", "lradius", "lhand", "rhumerus", "rradius", "rhand"})
    for (int k = 0; k < 3; ++k)
      all.push_back(
          {.marker = place + std::to_string(k), .place = place, .at = 0.06 * Vec3::Unit(k) + Vec3(0, 0.01, 0)});
  return all;
}

void hide(Markers& markers, int frame, int marker) {
  markers.positions.block<3, 1>(3 * marker, frame).setConstant(std::numeric_limits<double>::quiet_NaN());
}

std::vector<std::optional<Vec3>> points(const Markers& markers, const std::vector<Attachment>& which, int frame) {
  std::vector<std::optional<Vec3>> all;
  for (const Attachment& attachment : which) {
    const int m = markers.find(attachment.marker).value();
    all.push_back(markers.seen(frame, m) ? std::optional(markers.position(frame, m)) : std::nullopt);
  }
  return all;
}

double mean_joint_distance(const Figure& figure, const Pose& a, const Pose& b) {
  const Kinematics at_a = forward(figure, a), at_b = forward(figure, b);
  double sum = 0.0;
  for (std::size_t s = 0; s < at_a.segments.size(); ++s) sum += (at_a.segments[s].p - at_b.segments[s].p).norm();
  return sum / static_cast<double>(at_a.segments.size());
}

TEST(Attach, FindsWhereMarkersAreAttached) {
  const Take made = take(5);
  const std::vector<Attachment> truth = suit();
  Markers markers = turned(seen_on(made.figure, made.clip, truth), pi / 2);
  for (int k = 0; k < 20; ++k) hide(markers, k, k % 7);
  const MarkerSet found = good(attach(made.figure, made.clip, markers));
  EXPECT_DOUBLE_EQ(found.turn, -pi / 2) << "the cameras' axes are turned back";
  ASSERT_EQ(found.markers.size(), truth.size());
  for (std::size_t m = 0; m < truth.size(); ++m) {
    EXPECT_EQ(found.markers[m].marker, truth[m].marker);
    EXPECT_LE(found.markers[m].spread.value(), 1e-7);
    // A rigidly connected place with another name is as good.
    for (const int k : {0, 30, 60})
      EXPECT_LE((position(made.figure, made.clip.pose(k), found.markers[m]) -
                 position(made.figure, made.clip.pose(k), truth[m]))
                    .norm(),
                1e-9)
          << truth[m].marker << " on " << found.markers[m].place;
  }
}

TEST(Attach, SamplesTheMotionAtTheRateOfTheMarkers) {
  const Take made = take(1), slower = take(3);
  const std::vector<Attachment> truth = suit();
  const Markers markers = seen_on(made.figure, slower.clip, truth);
  const MarkerSet found = good(attach(made.figure, made.clip, markers));
  for (const Attachment& attachment : found.markers) EXPECT_LE(attachment.spread.value(), 1e-7) << attachment.marker;
  // A motion that begins later.
  const MarkerSet later = good(attach(made.figure, good(cut(slower.clip, 10, 60)), markers, {.start = 10}));
  for (const Attachment& attachment : later.markers) EXPECT_LE(attachment.spread.value(), 1e-7) << attachment.marker;
}

TEST(Attach, TakesTheNearestBoneForASinglePose) {
  const Take made = take(400);
  ASSERT_EQ(made.clip.frames(), 1);
  const Attachment shin{.marker = "shin", .place = "ltibia", .at = Vec3(0.05, -0.15, 0.05)};
  const MarkerSet found = good(attach(made.figure, made.clip, seen_on(made.figure, made.clip, {shin})));
  EXPECT_EQ(found.markers.at(0).place, "ltibia");
}

TEST(Attach, DropsUnseenMarkersAndRejectsAnEmptySet) {
  const Take made = take(50);
  Markers markers = seen_on(made.figure, made.clip, suit());
  for (int k = 0; k < markers.frames(); ++k) hide(markers, k, 4);
  EXPECT_EQ(good(attach(made.figure, made.clip, markers)).markers.size(), markers.names.size() - 1);
  EXPECT_FALSE(attach(made.figure, made.clip, markers, {.start = markers.frames()}));
  EXPECT_FALSE(attach(made.figure, made.clip, markers, {.start = -1}));
  EXPECT_FALSE(attach(made.figure, {}, markers));
  for (int k = 0; k < markers.frames(); ++k)
    for (int m = 0; m < static_cast<int>(markers.names.size()); ++m) hide(markers, k, m);
  EXPECT_FALSE(attach(made.figure, made.clip, markers));
}

TEST(MarkerPoint, IsInTheFrameOfThePlace) {
  const Take made = take(100);
  const Pose pose = made.clip.pose(1);
  const Vec3 at(0.1, 0.2, 0.3);
  Vec3 x[max_elements];
  evaluate(made.figure, forward(made.figure, pose), good(made.figure.frame("lradius")), x);
  const Vec3 expected = x[0] + 0.1 * x[1] + 0.2 * x[2] + 0.3 * x[1].cross(x[2]);
  EXPECT_LE((position(made.figure, pose, {.marker = "m", .place = "lradius", .at = at}) - expected).norm(), 1e-12);
}

// From the rest pose, which is far away and rotated, then each frame from the previous one.
TEST(MarkerTracker, FollowsIdealMarkers) {
  const Take made = take(10);
  const Figure figure = widened(made);
  const std::vector<Attachment> where = suit();
  const Markers markers = seen_on(figure, made.clip, where);
  Tracker tracker = good(Tracker::with_markers(figure, where));
  Pose pose = figure.rest();
  for (int k = 0; k < markers.frames(); ++k) {
    tracker.aim(points(markers, where, k));
    if (k == 0) tracker.align(pose);
    const Report& report = tracker.solve(pose);
    ASSERT_LE(tracker.max_distance(), 1e-6) << "frame " << k << "\n" << to_text(report);
  }
}

TEST(MarkerTracker, ContinuesOverGaps) {
  const Take made = take(10);
  const Figure figure = widened(made);
  const std::vector<Attachment> where = suit();
  Markers markers = seen_on(figure, made.clip, where);
  Tracker tracker = good(Tracker::with_markers(figure, where));
  Pose pose = made.clip.pose(0);
  for (int k = 0; k < markers.frames(); ++k) {
    // One of each three, in turn: two per segment remain.
    for (int m = k % 3; m < static_cast<int>(where.size()); m += 3) hide(markers, k, m);
    tracker.aim(points(markers, where, k));
    const Report& report = tracker.solve(pose);
    ASSERT_LE(tracker.max_distance(), 1e-6) << "frame " << k << "\n" << to_text(report);
    for (std::size_t m = 0; m < where.size(); ++m)
      EXPECT_EQ(report.constraints[m].counted, markers.seen(k, static_cast<int>(m)));
  }
}

TEST(MarkerTracker, RejectsUnsupportedOptions) {
  const Take made = take(400);
  const Expected<Tracker> unknown = Tracker::with_markers(made.figure, {{.marker = "LANK", .place = "ltibbia"}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("LANK"), std::string::npos) << unknown.error().text();
  EXPECT_NE(unknown.error().text().find("'ltibia'"), std::string::npos) << unknown.error().text();
  EXPECT_FALSE(Tracker::with_markers(made.figure, {}));
  EXPECT_FALSE(Tracker::with_markers(made.figure, suit(), {.orientations = true}));
  EXPECT_FALSE(Tracker::with_markers(made.figure, suit(), {.root_given = true}));
  EXPECT_FALSE(Tracker::with_markers(made.figure, suit(), {.natural = true})) << "it carries no prior";
}

// The markers of CMU 02_01 and the motion computed from them by another program.
TEST(MarkerTracker, FindsTheRecordedMotionFromItsMarkers) {
  constexpr int every = 20;
  const Take made = take(1);
  const Markers recorded = *good(read_content(bytes_of("c3d/02_01.c3d"), "02_01.c3d")).markers;
  const MarkerSet set = good(attach(made.figure, made.clip, recorded));
  EXPECT_EQ(set.markers.size(), 41u);
  const Markers markers = turned(recorded, set.turn);
  // data/SOURCES.md: the ankle keeps 47.6 mm from the marker beside it. The spaces are the same, then.
  const int ankle = good(made.figure.find_segment("lfoot")), lank = markers.find("LANK").value();
  for (int k = 0; k < markers.frames(); k += every)
    EXPECT_NEAR((forward(made.figure, made.clip.pose(k)).segments[ankle].p - markers.position(k, lank)).norm(), 0.0476,
                0.0006);

  Tracker tracker = good(Tracker::with_markers(made.figure, set.markers));
  Pose pose = made.figure.rest();
  double residual = 0.0, joints = 0.0;
  int frames = 0;
  for (int k = 0; k < markers.frames(); k += every, ++frames) {
    tracker.aim(points(markers, set.markers, k));
    if (k == 0) tracker.align(pose);
    tracker.solve(pose, {.restarts = 0});
    residual += tracker.mean_distance();
    joints += mean_joint_distance(made.figure, pose, made.clip.pose(k));
  }
  RecordProperty("marker_residual_cm", std::to_string(100.0 * residual / frames));
  RecordProperty("joint_error_cm", std::to_string(100.0 * joints / frames));
  EXPECT_LE(residual / frames, 0.007) << "measured: 0.46 cm";
  EXPECT_LE(joints / frames, 0.015) << "measured: 0.97 cm";
}

}  // namespace markers_test
}  // namespace limber
