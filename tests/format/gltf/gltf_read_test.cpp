// Reading glTF, GLB and VRM: node positions as in the truth files, and the rules of the format.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/json.h"
#include "tests/format/gltf/gltf_files.h"
#include "tests/format/note.h"

namespace limber {
namespace gltf_read_test {

using gltf_sample::distance;
using gltf_sample::position;
using gltf_sample::read;
using gltf_sample::sample;
using gltf_sample::samples;
using gltf_sample::value;
using gltf_sample::written;
using testing::good;
using testing::random_pose;

// --- Truth ---------------------------------------------------------------------------------------

struct Truth {
  double by_matrices = 0.0;  // the farthest that a node is from it
  double by_figure = 0.0;
  int positions = 0;
};

Truth against_truth(const std::string& name) {
  const Content& content = sample(name);
  const std::string text = file_bytes("truth/gltf_" + name + ".json");
  JsonDocument truth(text, name);
  Truth result;
  for (const JsonValue pose : truth.root()["poses"]) {
    const int clip = pose["clip"].is(JsonKind::null) ? no_clip : pose["clip"].integer(0, 1000);
    const double t = clip == no_clip ? 0.0 : pose["time"].number();
    const Kinematics state = forward(*content.figure, good(pose_at(content, clip, t)));
    const std::vector<Vec3> exact = good(node_positions(content, clip, t));
    for (const JsonValue at : pose["positions"]) {
      const GltfNode& node = content.asset->nodes[std::stoul(std::string(at.key()))];
      const auto s = static_cast<std::size_t>(good(content.figure->find_segment(node.name)));
      result.by_matrices = std::fmax(result.by_matrices, (exact[s] - at.vector()).norm());
      result.by_figure = std::fmax(result.by_figure, (state.segments[s].p - at.vector()).norm());
      ++result.positions;
    }
  }
  EXPECT_FALSE(truth.error()) << truth.error()->text();
  return result;
}

TEST(Gltf, NodesMatchTheTruthFiles) {
  for (const std::string& name : samples) {
    const Truth truth = against_truth(name);
    EXPECT_GT(truth.positions, 10) << name;
    EXPECT_LT(truth.by_matrices, 1e-8) << name;
    // The thigh of this robot is scaled by 1.00003 along one axis only, and the robot is 4.6 m tall.
    EXPECT_LT(truth.by_figure, name == "RobotExpressive.glb" ? 1e-5 : 1e-6) << name;
  }
}

TEST(Gltf, NotesDeviationsFromTheFile) {
  EXPECT_TRUE(has_note(sample("RobotExpressive.glb").notes, "deviates from a uniform scale"));
  EXPECT_FALSE(has_note(sample("CesiumMan.glb").notes, "uniform"));
}

TEST(Gltf, FramesAreThePosesAtTheirTimes) {
  for (const std::string& name : samples) {
    const Content& content = sample(name);
    for (std::size_t c = 0; c < content.clips.size(); c += 9) {
      const Clip& clip = content.clips[c];
      for (int k = 0; k < clip.frames(); k += 7) {
        const Pose pose = good(pose_at(content, static_cast<int>(c), k * clip.frame_time));
        EXPECT_LT(distance(*content.figure, pose, *content.figure, clip.pose(k)), 1e-12) << name << " " << clip.name;
      }
    }
  }
}

// --- The samples ---------------------------------------------------------------------------------

TEST(Gltf, ReadsARobotWithTwoSkinsAndDuplicateNames) {
  const Content& content = sample("RobotExpressive.glb");
  EXPECT_EQ(content.format, "glb");
  EXPECT_EQ(content.figure->name(), "RobotExpressive");  // "Root Scene" says nothing
  EXPECT_EQ(content.figure->segments().size(), 74u);
  EXPECT_TRUE(content.figure->find_segment("Foot.L"));
  EXPECT_TRUE(content.figure->find_segment("Foot.L_2"));
  EXPECT_TRUE(has_note(content.notes, "'Foot.L_2'"));
  EXPECT_TRUE(has_note(content.notes, "morph targets"));
  ASSERT_EQ(content.clips.size(), 14u);
  EXPECT_EQ(content.clips[0].name, "Dance");
  EXPECT_EQ(content.clips[0].frames(), 81);
  EXPECT_DOUBLE_EQ(content.clips[0].frame_time, 1.0 / 24.0);
  // The root of the skeleton slides; a joint of the skin turns; a mesh does neither.
  EXPECT_TRUE(content.figure->find_parameter("Bone.ty"));
  EXPECT_TRUE(content.figure->find_parameter("LowerArm.L.rx"));
  EXPECT_FALSE(content.figure->find_parameter("LowerArm.L.tx"));
  EXPECT_FALSE(content.figure->find_parameter("Hand.R.rx"));
}

TEST(Gltf, ReadsManyClips) {
  const Content& content = sample("kaykit_Rogue.glb");
  EXPECT_EQ(content.clips.size(), 76u);
  std::set<std::string> names;
  for (const Clip& clip : content.clips) {
    names.insert(clip.name);
    EXPECT_NEAR(clip.frame_time, 1.0 / 30.0, 1e-9) << clip.name;
    EXPECT_TRUE(clip.poses.allFinite());
  }
  EXPECT_EQ(names.size(), 76u);
  EXPECT_TRUE(names.contains("1H_Melee_Attack_Chop"));
}

TEST(Gltf, IgnoresTheRoundingOfAnExporter) {
  // Every joint has a track of translations, most of which stay where they are but for the last digits.
  const Content& content = sample("CesiumMan.glb");
  EXPECT_FALSE(content.figure->find_parameter("leg_joint_R_2.tx"));
  EXPECT_TRUE(content.figure->find_parameter("leg_joint_R_2.rx"));
  EXPECT_TRUE(content.figure->find_parameter("Skeleton_torso_joint_1.tx"));
}

TEST(Gltf, ReadsAFigureWithoutASkin) {
  const Content& content = sample("kenney_character.glb");
  ASSERT_EQ(content.clips.size(), 4u);
  for (const char* parameter : {"character.tx", "character.ry", "root.tx", "leg-left.rx", "antenna.rz"})
    EXPECT_TRUE(content.figure->find_parameter(parameter)) << parameter;
  EXPECT_FALSE(content.figure->find_parameter("torso.tx"));
}

TEST(Gltf, ReadsTheBonesOfAVrm) {
  const Content& content = sample("vrm1_humanoid_min.vrm");
  EXPECT_EQ(content.format, "vrm");
  const std::vector<std::pair<std::string, std::string>> bones = vrm_bones(*content.asset);
  EXPECT_EQ(bones.size(), 22u);
  EXPECT_NE(std::ranges::find(bones, std::pair<std::string, std::string>("rightHand", "Hand.R")), bones.end());
  const Pose rest = content.figure->rest();
  EXPECT_EQ(position(content, rest, "rightHand"), position(content, rest, "Hand.R"));
  EXPECT_LT(position(content, rest, "rightHand").x(), -0.5);
  // The bones turn, the hips slide too, and the rest is rigid.
  EXPECT_TRUE(content.figure->find_parameter("Hips.tx"));
  EXPECT_TRUE(content.figure->find_parameter("UpperArm.R.rz"));
  EXPECT_FALSE(content.figure->find_parameter("Meter.rx"));
  EXPECT_TRUE(content.figure->point("leftFoot"));
}

TEST(Gltf, NotesThatAnOlderVrmIsNotRead) {
  const std::string json = with(leg_json, R"("scene": 0,)", R"("scene": 0, "extensions": {"VRM": {}},)");
  EXPECT_TRUE(has_note(read(glb(json, float_bytes(leg_numbers()))).notes, "VRM 0.x"));
}

// --- Rules of reading ----------------------------------------------------------------------------

Content leg_with(const std::string& what, const std::string& instead, const ReadOptions& options = {}) {
  return read(glb(with(leg_json, what, instead), float_bytes(leg_numbers())), options);
}

TEST(Gltf, ReadsALeg) {
  const Content content = read(leg());
  EXPECT_EQ(content.format, "glb");
  EXPECT_EQ(content.figure->name(), "test");
  EXPECT_EQ(content.figure->parameters().size(), 12u);  // nine turns, and the root slides
  EXPECT_EQ(content.clips[0].name, "walk");
  EXPECT_EQ(content.clips[0].frames(), 25);  // steps of half a second, divided to 24 a second
  const Pose middle = good(pose_at(content, 0, 0.5));
  EXPECT_NEAR(value(content, middle, "knee.rx"), pi / 2, 1e-7);
  EXPECT_NEAR(value(content, middle, "hips.ty"), 1.0, 1e-12);  // from the 1 in which it stands to 2
  EXPECT_LT((position(content, middle, "foot") - Vec3(0, 1.5, -0.5)).norm(), 1e-7);
  // Angles go on past a half turn instead of jumping back.
  EXPECT_NEAR(std::fabs(content.clips[0].poses(good(content.figure->find_parameter("knee.rx")), 24)), pi, 1e-6);
  EXPECT_EQ(good(pose_at(content, 0, -5.0)).theta, good(pose_at(content, 0, 0.0)).theta);
  EXPECT_EQ(good(pose_at(content, 0, 99.0)).theta, good(pose_at(content, 0, 1.0)).theta);
  EXPECT_TRUE(good(pose_at(content, no_clip, 0.0)).theta.isZero(0.0));
}

TEST(Gltf, ChoosesTheDefaultScene) {
  const Content all = read(R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a"}, {"name": "b"}, {}]})");
  EXPECT_EQ(all.figure->segments().size(), 3u);
  EXPECT_EQ(all.figure->segments()[2].name, "node_2");
  const std::string scenes = R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a"}, {"name": "b"}, {}],
    "scenes": [{"nodes": [0]}, {"nodes": [1], "name": "robot"}])";
  EXPECT_EQ(read(scenes + "}").figure->segments().size(), 2u);
  const Content second = read(scenes + R"(, "scene": 1})");
  EXPECT_EQ(second.figure->segments().size(), 1u);
  EXPECT_EQ(second.figure->segments()[0].name, "b");
  EXPECT_EQ(second.figure->name(), "robot");
  EXPECT_TRUE(has_note(second.notes, "2 nodes are not in the default scene"));
}

TEST(Gltf, FoldsUniformScalesIntoOffsets) {
  const Content content = leg_with(R"("translation": [0, 1, 0])", R"("translation": [0, 1, 0], "scale": [10, 10, 10])");
  EXPECT_LT((position(content, content.figure->rest(), "foot") - Vec3(0, -9, 0)).norm(), 1e-12);
  const Pose middle = good(pose_at(content, 0, 0.5));
  EXPECT_LT((position(content, middle, "foot") - Vec3(0, 2.0 - 5.0, -5.0)).norm(), 1e-6);
  EXPECT_LT((good(node_positions(content, 0, 0.5))[2] - Vec3(0, -3, -5)).norm(), 1e-6);
  // Posed, written and read again it is where it was put.
  const Content again = written(content, {}, GltfForm::binary, &middle);
  EXPECT_LT((position(again, again.figure->rest(), "foot") - Vec3(0, -3, -5)).norm(), 1e-6);
}

TEST(Gltf, AllowsAnyScaleOfALeaf) {
  // Positions are exact below it, too, as long as nothing turns there.
  const std::string json = R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "skins": [{"joints": [0]}],
    "nodes": [{"name": "root", "children": [1], "rotation": [0, 0, 0.70710678, 0.70710678]},
              {"name": "box", "children": [2], "scale": [2, 3, -4]},
              {"name": "in it", "translation": [1, 1, 1], "rotation": [0.5, 0.5, 0.5, 0.5], "children": [3]},
              {"name": "deeper", "translation": [1, 0, 0]}]})";
  const Content content = read(json);
  EXPECT_LT((position(content, content.figure->rest(), "in it") - Vec3(-3, 2, -4)).norm(), 1e-7);
  EXPECT_LT((position(content, content.figure->rest(), "deeper") - Vec3(-6, 2, -4)).norm(), 1e-7);
}

TEST(Gltf, KeepsUnanimatedNodesBelowANonUniformScaleRigid) {
  const Content content = read(R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a", "children": [1]},
    {"name": "b", "scale": [1, 2, 1], "children": [2]}, {"name": "c", "translation": [1, 1, 0], "children": [3]}, {"name": "d"}]})");
  EXPECT_TRUE(content.figure->find_parameter("b.rx"));
  EXPECT_FALSE(content.figure->find_parameter("c.rx"));
  EXPECT_TRUE(has_note(content.notes, "2 nodes below a non-uniform scale"));
}

TEST(Gltf, IgnoresConstantScalesAndNotesAnimatedOnes) {
  const std::string channel = R"({"sampler": 1, "target": {"node": 0, "path": "translation"}})";
  const auto scaled = [&](const std::string& scale) {
    const std::string json =
        with(leg_json, channel, channel + R"(, {"sampler": 1, "target": {"node": 2, "path": "scale"}})");
    std::vector<float> numbers = leg_numbers();
    for (std::size_t i = 15; i < 24; ++i) numbers[i] = 5.0f;
    return read(glb(with(json, R"("foot",)", R"("foot", "scale": )" + scale + ","), float_bytes(numbers)));
  };
  EXPECT_FALSE(has_note(scaled("[5, 5, 5]").notes, "scale"));
  EXPECT_TRUE(has_note(scaled("[5, 5, 1]").notes, "animation 'walk' changes the scale of 'foot'"));
}

TEST(Gltf, DecomposesMatrices) {
  // A quarter turn about z, twice the size, shifted.
  const Content content = leg_with(R"("translation": [0, 1, 0])", R"("matrix": [0,2,0,0, -2,0,0,0, 0,0,2,0, 3,4,5,1])");
  const Content same = leg_with(
      R"("translation": [0, 1, 0])",
      R"("translation": [3, 4, 5], "scale": [2, 2, 2], "rotation": [0, 0, 0.70710678118654752, 0.70710678118654752])");
  Random random(5);
  for (int k = 0; k < 5; ++k) {
    const Pose pose = random_pose(*content.figure, random);
    EXPECT_LT(distance(*content.figure, pose, *same.figure, pose), 1e-12);
  }
  // An animation moves only what has no matrix, so it goes when a pose or a clip needs it.
  const Pose pose = random_pose(*content.figure, random);
  const Content again = written(content, content.clips, GltfForm::text, &pose);
  EXPECT_EQ(again.asset->json.find("matrix"), std::string::npos);
  EXPECT_LT(distance(*content.figure, pose, *again.figure, again.figure->rest()), 1e-9);
  std::vector<Clip> clips = content.clips;
  clips[0].poses.array() += 0.1;
  EXPECT_EQ(written(content, clips, GltfForm::text).asset->json.find("matrix"), std::string::npos);
}

TEST(Gltf, TakesTheGivenUnitAndUpAxis) {
  ReadOptions options;
  options.metres_per_unit = 0.01;
  options.up = Up::z;
  const std::string t = R"("translation": [0, 1, 0])", instead = R"("translation": [1, 2, 3])";
  const Content file = leg_with(t, instead), overridden = leg_with(t, instead, options);
  for (const double time : {0.0, 0.3, 0.9}) {
    const std::vector<Vec3> exact = good(node_positions(overridden, 0, time));
    const Kinematics a = forward(*file.figure, good(pose_at(file, 0, time)));
    const Kinematics b = forward(*overridden.figure, good(pose_at(overridden, 0, time)));
    for (std::size_t s = 0; s < a.segments.size(); ++s) {
      EXPECT_LT((overridden.space.in_file(b.segments[s].p) - a.segments[s].p).norm(), 1e-12);
      EXPECT_LT((exact[s] - b.segments[s].p).norm(), 1e-12);
    }
  }
  const Pose middle = good(pose_at(overridden, 0, 0.5));
  const Content again = read(good(write_gltf(overridden, {}, GltfForm::binary, {}, &middle)).bytes);
  EXPECT_LT(distance(*again.figure, again.figure->rest(), *file.figure, good(pose_at(file, 0, 0.5))), 1e-9);
}

TEST(Gltf, FindsTheGridOfTheKeys) {
  const auto clip_of = [](float a, float b, float c, const ReadOptions& options = {}) {
    std::vector<float> numbers = leg_numbers();
    numbers[0] = a, numbers[1] = b, numbers[2] = c;
    return read(glb(leg_json, float_bytes(numbers)), options);
  };
  const float h = 1.0f / 24.0f;
  EXPECT_NEAR(clip_of(0, h, 2 * h).clips[0].frame_time, 1.0 / 24.0, 1e-9);
  EXPECT_EQ(clip_of(0, h, 2 * h).clips[0].frames(), 3);
  EXPECT_NEAR(clip_of(h, 2 * h, 4 * h).clips[0].frame_time, 1.0 / 24.0, 1e-9);  // begins at 0 all the same
  EXPECT_EQ(clip_of(h, 2 * h, 4 * h).clips[0].frames(), 5);
  EXPECT_NEAR(clip_of(0, 2 * h, 5 * h).clips[0].frame_time, 1.0 / 24.0, 1e-9);  // gaps of 2 and 3 steps
  EXPECT_NEAR(clip_of(0, 0.25f, 1).clips[0].frame_time, 1.0 / 24.0, 1e-9);      // a coarse grid is divided
  EXPECT_NEAR(clip_of(0, 0.01f, 0.02f).clips[0].frame_time, 0.01, 1e-9);
  const Content uneven = clip_of(0, 0.1234567f, 1);
  EXPECT_NEAR(uneven.clips[0].frame_time, 1.0 / 30.0, 1e-12);
  EXPECT_EQ(uneven.clips[0].frames(), 31);
  EXPECT_TRUE(has_note(uneven.notes, "not on a uniform grid"));
  ReadOptions options;
  options.frames_per_second = 7.0;
  EXPECT_EQ(clip_of(0, 0.1234567f, 1, options).clips[0].frames(), 8);
  EXPECT_EQ(clip_of(0, 0.1234567f, 1.01f, options).clips[0].frames(), 9);  // the end is not cut off
  EXPECT_EQ(sample("SimpleSkin.gltf").clips[0].frames(), 133);
}

}  // namespace gltf_read_test
}  // namespace limber
