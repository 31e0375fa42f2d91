// How the keys of a script go on: slerp, curves with tension, continuity and bias, timing, and progress along a path.
#include <gtest/gtest.h>

#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/figure/human.h"
#include "limber/motion/path.h"
#include "limber/motion/sampler.h"
#include "tests/format/broken_text.h"
#include "tests/support/figures.h"

namespace limber {
namespace motion_script_timing_test {

using testing::good;

Scene standing() { return Scene(human(), HumanOptions{}); }

Clip keyed(const std::string& text, const Scene& scene = standing()) {
  return good(keyed_motion(good(read_motion_script(text, "f")), scene));
}

double value(const Scene& scene, const Clip& clip, int frame, const char* parameter) {
  return degrees(good(scene.figure.value(clip.pose(frame), parameter)));
}

Pose posed(const Scene& scene, const std::vector<std::pair<std::string, double>>& values_deg) {
  Pose pose = scene.pose;
  for (const auto& [name, value] : values_deg) EXPECT_TRUE(scene.figure.set(pose, name, radians(value))) << name;
  return pose;
}

Channel channel_of(const Figure& figure, const char* name) {
  const std::vector<Channel> channels = channels_of(figure, Rotations::of_balls);
  return channels[static_cast<std::size_t>(good(find_channel(channels, name)))];
}

// --- Reading -------------------------------------------------------------------------------------------

TEST(ScriptTiming, ReadsHowAKeyGoesOn) {
  const MotionScript script = good(read_motion_script(
      "timing 0 shows 0, 1 shows 0.4,\n  1.5 shows 0.4, 2 shows 1.2\n"
      "key 0 slerp pose\n"
      "key 1 curve tension 0.5 bias -1, continuity 0.25, evenly, ease 0.1, right_elbow.flexion 40\n"
      "from 1 until 2 move right_palm along (0, 1, 0) (1, 1, 0), progress 0 at 1, 0.25 at 1.5, 1 at 2, must\n",
      "f"));
  ASSERT_EQ(script.timing.size(), 4u);
  EXPECT_EQ(script.timing[1].time, 1.0);
  EXPECT_EQ(script.timing[1].shape_time, 0.4);
  EXPECT_EQ(script.keys[0].path, KeyPath::slerp);
  EXPECT_EQ(script.keys[1].path, KeyPath::curve);
  EXPECT_EQ(script.keys[1].bend.tension, 0.5);
  EXPECT_EQ(script.keys[1].bend.continuity, 0.25);
  EXPECT_EQ(script.keys[1].bend.bias, -1.0);
  EXPECT_TRUE(script.keys[1].evenly);
  EXPECT_EQ(script.keys[1].ease.in, 0.1);
  const ScriptPath& path = std::get<ScriptPath>(script.demands.at(0).goal);
  ASSERT_EQ(path.progress.size(), 3u);
  EXPECT_EQ(path.progress[1].part, 0.25);
  EXPECT_EQ(path.progress[1].time, 1.5);
  EXPECT_EQ(script.demands[0].weight, must);
  // Keys have times of their own; the motion lasts as long as the timing and the demands.
  EXPECT_EQ(script.duration(), 2.0);
  EXPECT_EQ(good(read_motion_script("timing 0 shows 0, 3 shows 9\nkey 9\nat 1 hold a", "f")).duration(), 3.0);
}

TEST(ScriptTiming, RejectsWithLineAndColumn) {
  const BrokenText table[] = {
      {"timing", "1:7", "a number or an event for the timing"},
      {"timing 0 shows 0", "1:17", "a second time of the timing"},
      {"timing 0 show 0", "1:10", "\"shows\" and a time of the keys"},
      {"timing 0 shows 0, 1 shows 1, 1 shows 2", "1:30", "found 1 s after 1 s; expected a later time"},
      {"timing 0 shows 1, 1 shows 0.5", "1:27", "motion does not run backwards"},
      {"timing 0 shows 0, 2e9 shows 1", "1:19", "a time of 2e+09 s"},
      {"timing 0 shows 0, 1 shows 1\ntiming 0 shows 0, 1 shows 1", "2:1", "a second \"timing\""},
      {"repeat 2 every 1\ntiming 0 shows 0, 1 shows 1\nend", "2:1", "\"timing\" within a block"},
      {"key 0 curve tension 2", "1:21", "found tension 2; expected a number from -1 to 1"},
      {"key 0 curve continuity", "1:23", "a finite number for continuity"},
      {"key 0 curve bias 0 bias 1", "1:20", "a second \"bias\""},
      {"key 0 curve evenly evenly", "1:20", "a second \"evenly\""},
      {"key 0 linear tension 1", "1:14", "found \"tension\" of a key without \"curve\""},
      {"key 0 evenly", "1:7", "found \"evenly\" of a key without \"curve\""},
      {"key 0 slrep", "1:7", "such as 'slerp'"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) progress 0 at 1", "1:64", "the part of the way"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) progress 0 at 1, 2 at 2", "1:66", "found 2 of the way"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) progress 0 at 1, 1 in 2", "1:68", "\"at\" and a time"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) progress 0 at 1, 1 at 3", "1:71", "while it moves"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) progress 0 at 1, 1 at 1", "1:71", "a later time"},
      {"from 1 until 2 move a along (0, 0, 0) (1, 0, 0) evenly progress 0 at 1, 1 at 2", "1:16",
       "\"evenly\" and \"progress\""},
      {"from 1 hold a progress 0 at 1, 1 at 2", "1:15", "the end of the line or how to do it"},
  };
  for (const BrokenText& broken : table) {
    const Expected<MotionScript> script = read_motion_script(broken.text, "f");
    ASSERT_FALSE(script) << broken.text;
    expect_error(script.error(), broken);
  }
}

// --- Keys ------------------------------------------------------------------------------------------------

TEST(ScriptTiming, SlerpTurnsABallAboutOneAxisAtConstantSpeed) {
  const Scene scene = standing();
  for (const auto& [channel, first, second] :
       {std::tuple("left_hip rotation", "left_hip.flexion 80, left_hip.abduction 10",
                   "left_hip.abduction 30, left_hip.flexion 10"),
        {"spine rotation", "spine.forward 60", "spine.forward 0, spine.lateral 25, spine.axial 30"},
        {"neck rotation", "neck.flexion 20", "neck.flexion 0, neck.axial 50"}}) {
    const std::string text = std::string("rate 20\nkey 0 slerp ") + first + "\nkey 1 " + second;
    const Clip clip = keyed(text);
    const Channel ball = channel_of(scene.figure, channel);
    const VecX a = clip.poses.col(0), b = clip.poses.col(20);
    const double whole = distance(ball, a, b);
    ASSERT_GT(whole, 0.3);
    double off_line = 0.0;
    for (int k = 0; k <= 20; ++k) {
      const double u = k / 20.0;
      EXPECT_NEAR(distance(ball, a, clip.poses.col(k)), u * whole, 1e-7) << channel;
      EXPECT_NEAR(distance(ball, clip.poses.col(k), b), (1.0 - u) * whole, 1e-7) << channel;
      off_line = std::max(off_line, (clip.poses.col(k) - a - u * (b - a)).norm());
    }
    EXPECT_GT(off_line, 0.01) << "angle by angle, " << channel;
  }
}

// What a sequence does with the same keys and styles, for every channel at once.
TEST(ScriptTiming, CurvesAreThoseOfSequences) {
  const Scene scene = standing();
  const auto line = [](double elbow, double flexion, double twist, double z) {
    return "right_elbow.flexion " + to_text(elbow) + ", left_hip.flexion " + to_text(flexion) + ", left_hip.rotation " +
           to_text(twist) + ", travel (0, 0.1, " + to_text(z) + ")\n";
  };
  const std::string head = "rate 50\n";
  for (const bool evenly : {false, true}) {
    const std::string words =
        std::string("curve tension -0.5 bias 0.3 continuity 0.2 ease in 0.1 ") + (evenly ? "evenly " : "");
    const Clip clip = keyed(head + "key 0 " + words + "pose\nkey 0.6 " + words + "pose " + line(60, 50, 20, 0.5) +
                            "key 1 " + words + "pose " + line(20, -10, -10, 0.7) + "key 2 " + words + "pose\n");
    Style style{Interpolation::spline, evenly, {-0.5, 0.2, 0.3}};
    Pose second = posed(scene, {{"right_elbow.flexion", 60}, {"left_hip.flexion", 50}, {"left_hip.rotation", 20}});
    Pose third = posed(scene, {{"right_elbow.flexion", 20}, {"left_hip.flexion", -10}, {"left_hip.rotation", -10}});
    const std::vector<int> root = root_parameters(scene.figure);
    for (Pose* pose : {&second, &third}) pose->theta[root[1]] += 0.1;
    second.theta[root[2]] += 0.5;
    third.theta[root[2]] += 0.7;
    const Sampler sampler(good(Sequence::make(scene.figure,
                                              {{0.0, scene.pose, {0.1 / 0.6, 0.0}, style},
                                               {0.6, second, {0.1 / 0.4, 0.0}, style},
                                               {1.0, third, {0.1, 0.0}, style},
                                               {2.0, scene.pose, {}, style}},
                                              {}, Rotations::of_balls)));
    for (int k = 0; k < clip.frames(); ++k)
      EXPECT_LT((clip.poses.col(k) - sampler.at(k / 50.0).theta).cwiseAbs().maxCoeff(), 1e-9) << k;
  }
}

// A key affects only what it names: at all keys each parameter has the value that it has on its own.
TEST(ScriptTiming, PartsOfABallMayHaveKeysAtDifferentTimes) {
  const Scene scene = standing();
  const Clip clip = keyed(
      "rate 10\nkey 0 slerp left_hip.flexion 0, left_hip.abduction 0\nkey 0.5 slerp left_hip.flexion 60\n"
      "key 1 left_hip.abduction 20, left_hip.flexion 10");
  EXPECT_NEAR(value(scene, clip, 5, "left_hip.flexion"), 60.0, 1e-9);
  EXPECT_NEAR(value(scene, clip, 5, "left_hip.abduction"), 10.0, 1e-9);
  EXPECT_NEAR(value(scene, clip, 10, "left_hip.abduction"), 20.0, 1e-9);
  const Channel ball = channel_of(scene.figure, "left_hip rotation");
  const double whole = distance(ball, clip.poses.col(5), clip.poses.col(10));
  for (int k = 5; k <= 10; ++k)
    EXPECT_NEAR(distance(ball, clip.poses.col(5), clip.poses.col(k)), 0.2 * (k - 5) * whole, 1e-7);
  // Another statement at the same time gives another channel another way to go on.
  const Clip both = keyed(
      "rate 10\nkey 0 slerp left_hip.flexion 0\nkey 0 step right_elbow.flexion 10\n"
      "key 1 left_hip.flexion 60, right_elbow.flexion 50");
  EXPECT_NEAR(value(scene, both, 5, "left_hip.flexion"), 30.0, 1e-9);
  EXPECT_NEAR(value(scene, both, 5, "right_elbow.flexion"), 10.0, 1e-9);
}

TEST(ScriptTiming, CurvesKeepLimits) {
  const Scene scene = standing();
  const Clip clip = keyed(
      "rate 60\nkey 0 curve tension -1 right_elbow.flexion 5, spine.forward 0\n"
      "key 0.5 curve tension -1 right_elbow.flexion 140, spine.forward 70, right_shoulder.elevation 150\n"
      "key 1 curve tension -1 right_elbow.flexion 140, spine.forward 72, right_shoulder.twist 60\n"
      "key 1.5 right_elbow.flexion 0, spine.forward -10, right_shoulder.elevation -30");
  const auto& parameters = scene.figure.parameters();
  int at_limit = 0;
  for (int k = 0; k < clip.frames(); ++k)
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      const double theta = clip.poses(static_cast<Eigen::Index>(j), k);
      EXPECT_GE(theta, parameters[j].range.lower - 1e-12) << parameters[j].name;
      EXPECT_LE(theta, parameters[j].range.upper + 1e-12) << parameters[j].name;
      at_limit += theta == parameters[j].range.upper || theta == parameters[j].range.lower;
    }
  EXPECT_GT(at_limit, 5);
}

TEST(ScriptTiming, OldScriptsAreAsBefore) {
  const Scene scene = standing();
  const Clip clip = keyed("rate 10\nkey 0 linear neck.flexion 0, neck.axial 0\nkey 1 neck.flexion 40, neck.axial 60");
  for (int k = 0; k <= 10; ++k) {
    EXPECT_NEAR(value(scene, clip, k, "neck.flexion"), 4.0 * k, 1e-12);
    EXPECT_NEAR(value(scene, clip, k, "neck.axial"), 6.0 * k, 1e-12);
  }
}

// --- Timing ------------------------------------------------------------------------------------------------

TEST(ScriptTiming, IsADoubleInterpolant) {
  const Scene scene = standing();
  const std::string keys =
      "key 0 curve right_elbow.flexion 0, left_hip.flexion 0\n"
      "key 1 curve right_elbow.flexion 60, left_hip.flexion 40, left_hip.abduction 20\n"
      "key 2 right_elbow.flexion 20, left_hip.flexion 0\n";
  const MonotoneCurve timing({{0.0, 0.0}, {1.0, 0.25}, {1.5, 0.25}, {2.0, 2.0}});
  const Clip shape = keyed("rate 1000\n" + keys);
  const Clip clip = keyed("rate 20\ntiming 0 shows 0, 1 shows 0.25, 1.5 shows 0.25, 2 shows 2\n" + keys);
  ASSERT_EQ(clip.frames(), 41);
  for (int k = 0; k < clip.frames(); ++k) {
    const double at = 1000.0 * timing(k / 20.0);
    const int before = std::min(static_cast<int>(at), shape.frames() - 2);
    const VecX expected =
        shape.poses.col(before) + (at - before) * (shape.poses.col(before + 1) - shape.poses.col(before));
    EXPECT_LT((clip.poses.col(k) - expected).norm(), 1e-4) << k;
  }
  for (int k = 20; k <= 30; ++k) EXPECT_EQ(clip.poses.col(k), clip.poses.col(20)) << "a hold";
  EXPECT_NE(clip.poses.col(31), clip.poses.col(20));
  EXPECT_LT((clip.poses.col(40) - shape.poses.col(2000)).norm(), 1e-12);
}

TEST(ScriptTiming, ProgressIsTheDistanceAlongThePathOverTime) {
  const Scene scene = standing();
  const std::string text =
      "repeat 2 every 3 shift (0, 0, 1)\nfrom 1 until 2 move right_palm along (0, 1, 0) (1, 1, 0) (1, 1, 1), "
      "progress 0 at 1, 0.75 at 1.2, 0.75 at 1.6, 1 at 2\nend";
  const ScriptedMotion motion = good(scripted_motion(good(read_motion_script(text, "f")), scene));
  const SpaceCurve curve = *SpaceCurve::make({Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(1, 1, 1)});
  const SpeedProfile profile = *SpeedProfile::by_keys({{1.0, 0.0}, {1.2, 0.75}, {1.6, 0.75}, {2.0, 1.0}});
  for (double t = 1.0; t <= 2.0; t += 0.05)
    for (const int pass : {0, 1}) {
      const Position goal =
          std::get<Position>(motion.problem.demands()[static_cast<std::size_t>(pass)].moving(t + 3.0 * pass));
      EXPECT_LT((goal.p - along(curve, profile, t) - pass * Vec3::UnitZ()).norm(), 1e-9);
    }
}

}  // namespace motion_script_timing_test
}  // namespace limber
