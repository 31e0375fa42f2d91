// Figures hung from another segment: real ones with their motions, and scenes.
#include <gtest/gtest.h>

#include "limber/document/scene/scene.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/motion/carried_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace {

using carried_sample::content_of;
using testing::good;
using testing::random_pose;

constexpr double rounding = 1e-12;  // metres, after twenty products of frames

double max_apart(const Figure& a, const Pose& pose_a, const Figure& b, const Pose& pose_b) {
  const Kinematics at_a = forward(a, pose_a), at_b = forward(b, pose_b);
  double apart = 0.0;
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    const Frame& X = at_a.segments[s];
    const Frame& Y = at_b.segments[static_cast<std::size_t>(good(b.find_segment(a.segments()[s].name)))];
    apart = std::fmax(apart, std::fmax((X.p - Y.p).norm(), (X.R - Y.R).norm()));
  }
  return apart;
}

struct Sample {
  const char* file;
  const char* skeleton;
  std::vector<const char*> roots;
};

TEST(HungFrom, KeepsEveryMotionOfRealFigures) {
  for (const Sample& sample : {Sample{"bvh/cmu_49_06.bvh", "", {"LeftToeBase", "RightHand", "Head"}},
                               Sample{"bvh/mh_walk1.bvh", "", {"Foot_L"}},
                               Sample{"acclaim/02_01.amc", "acclaim/02.asf", {"ltoes", "rhand", "left_palm"}},
                               Sample{"gltf/CesiumMan.glb", "", {"leg_joint_L_5"}}}) {
    SCOPED_TRACE(sample.file);
    const carried_sample::RecordedMotion motion = carried_sample::carried(sample.file, sample.skeleton);
    const Clip clip = carried_sample::thinned(motion.clip, law::whole_or_quick(10, 60));
    for (const char* root : sample.roots) {
      SCOPED_TRACE(root);
      const Expected<Figure> hung = hung_from(motion.figure, root);
      ASSERT_TRUE(hung) << hung.error().text();
      const Clip moved = placed_as(motion.figure, clip, *hung);
      for (int k = 0; k < clip.frames(); ++k)
        ASSERT_LE(max_apart(motion.figure, clip.pose(k), *hung, moved.pose(k)), rounding) << "frame " << k;
      // No angle of the new root jumps by a turn. Frame 0 of a recording may be a T-pose.
      for (int k = 2; k < clip.frames(); ++k)
        EXPECT_LT((moved.poses.col(k) - moved.poses.col(k - 1)).head(6).cwiseAbs().maxCoeff(), 3.0) << k;
    }
  }
}

TEST(HungFrom, KeepsPosesLimitsAndHandlesOfTheHuman) {
  const Figure figure = human();
  Random random(961);
  for (const char* root : {"left_foot", "right_palm", "head_top", "pelvis"}) {
    SCOPED_TRACE(root);
    const Figure hung = good(hung_from(figure, root));
    EXPECT_EQ(hung.parameters().size(), figure.parameters().size());
    EXPECT_EQ(hung.limit_rows().size(), figure.limit_rows().size());
    for (const Parameter& parameter : figure.parameters()) {
      const Expected<int> j = hung.find_parameter(parameter.name);
      if (!j) {
        EXPECT_TRUE(parameter.name.starts_with("root.")) << parameter.name;
        continue;
      }
      EXPECT_EQ(hung.parameters()[static_cast<std::size_t>(*j)].range.lower, parameter.range.lower);
      EXPECT_EQ(hung.parameters()[static_cast<std::size_t>(*j)].range.upper, parameter.range.upper);
    }
    for (int trial = 0; trial < 20; ++trial) {
      const Pose pose = random_pose(figure, random);
      const Pose same = placed_as(figure, pose, hung);
      EXPECT_LE(max_apart(figure, pose, hung, same), rounding);
      Vec3 a[max_elements], b[max_elements];
      const Handle before = good(figure.point("right_palm")), after = good(hung.point("right_palm"));
      evaluate(figure, forward(figure, pose), before, a);
      evaluate(hung, forward(hung, same), after, b);
      EXPECT_LE((a[0] - b[0]).norm(), rounding);
    }
  }
  EXPECT_EQ(good(hung_from(figure, "pelvis")).parameters().front().name, figure.parameters().front().name)
      << "already its root";
}

TEST(HungFrom, RejectsWhatDoesNotMoveFreely) {
  const Figure arm = testing::built(testing::planar_arm());
  EXPECT_NE(hung_from(arm, "lower").error().found.find("does not move freely"), std::string::npos);
  FigureDescription limited = testing::planar_arm();
  limited.joints.push_back(free_root("root", "base"));
  EXPECT_TRUE(hung_from(testing::built(limited), "lower"));
  EXPECT_FALSE(hung_from(testing::built(limited), "uper"));
  limited.joints.back().freedoms[1].range.upper = 1.0;
  EXPECT_FALSE(hung_from(testing::built(limited), "lower")) << "the limit of its height would be lost";
}

// --- Scenes

Scene scene_of(const std::string& members) {
  Expected<Scene> scene = read_scene(R"({"limber": "scene 1", "figure": {"human": {}})" + members + "}", "s.json");
  if (!scene) ADD_FAILURE() << scene.error().text();
  return *scene;
}

Vec3 place_of(const Scene& scene, const char* place) {
  const Handle handle = good(scene.figure.point(place));
  return evaluate(scene.figure, forward(scene.figure, scene.pose), handle.plus[0]);
}

TEST(SceneRoot, KeepsTheFootWhereItIsWhileTheKneeBends) {
  const std::string pose = R"(, "pose": {"left_knee.flexion": 60})";
  const Scene usual = scene_of(pose), hung = scene_of(R"(, "root": "left_foot")" + pose);
  EXPECT_GT((place_of(usual, "left_heel") - place_of(scene_of(""), "left_heel")).norm(), 0.1);
  EXPECT_LE((place_of(hung, "left_heel") - place_of(scene_of(""), "left_heel")).norm(), rounding);
  EXPECT_LT(place_of(hung, "head_top").y(), place_of(usual, "head_top").y());
}

TEST(SceneRoot, IsWrittenAndReadBack) {
  const Scene scene = scene_of(R"(, "root": "left_foot", "pose": {"left_knee.flexion": 60, "left_foot_root.x": 0.2},
                                "rigidity": {"left_foot_root.y": 1})");
  EXPECT_EQ(scene.root, "left_foot");
  const std::string text = write_scene(scene);
  const Scene again = good(read_scene(text, "again.json"));
  EXPECT_EQ(again.root, "left_foot");
  EXPECT_LE(max_apart(scene.figure, scene.pose, again.figure, again.pose), rounding);
  EXPECT_EQ(write_scene(again), text);
  // Written whole, the figure is already hung.
  Scene whole = scene;
  whole.source = InlineFigure{};
  whole.root.clear();
  const Scene inside = good(read_scene(write_scene(whole), "whole.json"));
  EXPECT_LE(max_apart(scene.figure, scene.pose, inside.figure, inside.pose), 1e-9);
}

TEST(SceneRoot, TakesAPoseOfTheOldRootAsItStands) {
  const std::string pose = R"(, "pose": {"root.x": 0.4, "root.turn": 30, "left_knee.flexion": 60})";
  const Scene usual = scene_of(pose), hung = scene_of(R"(, "root": "left_foot")" + pose);
  EXPECT_LE(max_apart(usual.figure, usual.pose, hung.figure, hung.pose), rounding);
  const Scene turned = good(hung_from(usual, "right_palm"));
  EXPECT_LE(max_apart(usual.figure, usual.pose, turned.figure, turned.pose), rounding);
  EXPECT_EQ(turned.root, "right_palm");
}

TEST(SceneRoot, IsSolvedWithTheFootInPlace) {
  Scene scene = scene_of(R"(, "root": "left_foot", "rigidity": {"left_foot_root.x": 1, "left_foot_root.y": 1,
      "left_foot_root.z": 1, "left_foot_root.turn": 1, "left_foot_root.pitch": 1, "left_foot_root.roll": 1},
      "constraints": [{"handle": {"point": "right_palm"}, "goal": {"position": [-0.3, 0.6, 0.5]}}])");
  const Vec3 heel = place_of(scene, "left_heel");
  const Problem problem = good(problem_of(scene));
  EXPECT_TRUE(solve(problem, scene.pose, scene.options).met());
  EXPECT_LE((place_of(scene, "left_heel") - heel).norm(), rounding);
  EXPECT_LE((place_of(scene, "right_palm") - Vec3(-0.3, 0.6, 0.5)).norm(), 1e-3);
}

TEST(SceneRoot, NamesWhatIsWrong) {
  const auto rejected = [](const std::string& members) {
    const Expected<Scene> scene = read_scene(R"({"limber": "scene 1", "figure": {"human": {}})" + members + "}", "s");
    return scene ? std::string() : scene.error().text();
  };
  EXPECT_NE(rejected(R"(, "root": "left_fin")").find("/root: found the name 'left_fin'"), std::string::npos);
  EXPECT_NE(rejected(R"(, "root": 3)").find("/root"), std::string::npos);
  EXPECT_NE(rejected(R"(, "root": "left_foot", "rigidity": {"root.x": 1})").find("root.x"), std::string::npos);
}

}  // namespace
}  // namespace limber
