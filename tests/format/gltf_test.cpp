// glTF, GLB and VRM: what is read is where the truth says, what is written comes back.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../support/figures.h"
#include "gltf_sample.h"
#include "limber/figure/human.h"
#include "limber/format/gltf_asset.h"
#include "limber/format/gltf_body.h"
#include "limber/format/json.h"
#include "limber/kinematics/forward.h"
#include "tests/format/note.h"

namespace limber {
namespace {

using testing::built;
using testing::good;
using testing::random_pose;

const std::vector<std::string> samples = {"CesiumMan.glb",        "RiggedFigure.glb",     "RiggedSimple.glb",
                                          "RobotExpressive.glb",  "SimpleSkin.gltf",      "kaykit_Rogue.glb",
                                          "kenney_character.glb", "vrm1_humanoid_min.vrm"};

// Each is read once for all tests.
const Content& sample(const std::string& name) {
  static std::map<std::string, Content> contents;
  if (const auto known = contents.find(name); known != contents.end()) return known->second;
  return contents[name] = good(read_gltf(file_bytes("gltf/" + name), name));
}
Content read(const std::string& bytes, const ReadOptions& options = {}) {
  return good(read_gltf(bytes, "test.glb", options));
}
Content written(const Content& content, const std::vector<Clip>& clips, GltfForm form, const Pose* pose = nullptr) {
  return read(good(write_gltf(content, clips, form, {}, pose)).bytes);
}
GltfForm form_of(const std::string& name) { return name.ends_with(".gltf") ? GltfForm::text : GltfForm::binary; }

Vec3 position(const Content& content, const Pose& pose, const std::string& site) {
  const Figure& figure = *content.figure;
  for (const Site& s : figure.sites())
    if (s.name == site) return forward(figure, pose).segments[static_cast<std::size_t>(s.segment)] * s.frame.p;
  ADD_FAILURE() << "no site " << site;
  return Vec3::Zero();
}
double value(const Content& content, const Pose& pose, const std::string& parameter) {
  return good(content.figure->value(pose, parameter));
}
// The farthest that two states of all segments of the first figure are apart; the second has them too.
double distance(const Figure& a, const Pose& pose_a, const Figure& b, const Pose& pose_b) {
  const Kinematics x = forward(a, pose_a), y = forward(b, pose_b);
  double farthest = 0.0;
  for (std::size_t s = 0; s < a.segments().size(); ++s) {
    const int other = good(b.find_segment(a.segments()[s].name));
    farthest = std::fmax(farthest, (x.segments[s].p - y.segments[static_cast<std::size_t>(other)].p).norm());
  }
  return farthest;
}

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

TEST(Gltf, NodesAreWhereTheTruthSays) {
  for (const std::string& name : samples) {
    const Truth truth = against_truth(name);
    EXPECT_GT(truth.positions, 10) << name;
    EXPECT_LT(truth.by_matrices, 1e-8) << name;
    // The thigh of this robot is scaled by 1.00003 along one axis only, and the robot is 4.6 m tall.
    EXPECT_LT(truth.by_figure, name == "RobotExpressive.glb" ? 1e-5 : 1e-6) << name;
  }
}

TEST(Gltf, SaysWhereTheFigureIsNotQuiteTheFile) {
  EXPECT_TRUE(has_note(sample("RobotExpressive.glb").notes, "is off a uniform one"));
  EXPECT_FALSE(has_note(sample("CesiumMan.glb").notes, "uniform"));
}

TEST(Gltf, FramesAreThePosesOfTheirTimes) {
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

TEST(Gltf, ReadsARobotWithTwoSkinsAndNamesThatRepeat) {
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

TEST(Gltf, DoesNotLetBonesSlideForTheRoundingOfAnExporter) {
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

TEST(Gltf, SaysThatAnOlderVrmIsNotUnderstood) {
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

TEST(Gltf, ChoosesTheSceneThatIsTheDefault) {
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

TEST(Gltf, AllowsAnyScaleWhereNothingHangsBelow) {
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

TEST(Gltf, LeavesNodesBelowAnUnevenScaleRigidWhereNothingSaysThatTheyMove) {
  const Content content = read(R"({"asset": {"version": "2.0"}, "nodes": [{"name": "a", "children": [1]},
    {"name": "b", "scale": [1, 2, 1], "children": [2]}, {"name": "c", "translation": [1, 1, 0], "children": [3]}, {"name": "d"}]})");
  EXPECT_TRUE(content.figure->find_parameter("b.rx"));
  EXPECT_FALSE(content.figure->find_parameter("c.rx"));
  EXPECT_TRUE(has_note(content.notes, "2 nodes below a scale that is not uniform"));
}

TEST(Gltf, IgnoresScalesThatAnAnimationLeavesAloneAndSaysWhichItDoesNot) {
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

TEST(Gltf, TakesMatricesApart) {
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

TEST(Gltf, TakesTheUnitAndTheUpAxisThatItIsTold) {
  ReadOptions options;
  options.metres_per_unit = 0.01;
  options.up = Up::z;
  const std::string t = R"("translation": [0, 1, 0])", instead = R"("translation": [1, 2, 3])";
  const Content file = leg_with(t, instead), told = leg_with(t, instead, options);
  for (const double time : {0.0, 0.3, 0.9}) {
    const std::vector<Vec3> exact = good(node_positions(told, 0, time));
    const Kinematics a = forward(*file.figure, good(pose_at(file, 0, time)));
    const Kinematics b = forward(*told.figure, good(pose_at(told, 0, time)));
    for (std::size_t s = 0; s < a.segments.size(); ++s) {
      EXPECT_LT((told.space.in_file(b.segments[s].p) - a.segments[s].p).norm(), 1e-12);
      EXPECT_LT((exact[s] - b.segments[s].p).norm(), 1e-12);
    }
  }
  const Pose middle = good(pose_at(told, 0, 0.5));
  const Content again = read(good(write_gltf(told, {}, GltfForm::binary, {}, &middle)).bytes);
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
  EXPECT_TRUE(has_note(uneven.notes, "no even grid"));
  ReadOptions options;
  options.frames_per_second = 7.0;
  EXPECT_EQ(clip_of(0, 0.1234567f, 1, options).clips[0].frames(), 8);
  EXPECT_EQ(clip_of(0, 0.1234567f, 1.01f, options).clips[0].frames(), 9);  // the end is not cut off
  EXPECT_EQ(sample("SimpleSkin.gltf").clips[0].frames(), 133);
}

// --- Interpolation -------------------------------------------------------------------------------

// One node with a track of translations, keys at 1 and 3 s.
Content track(const std::string& interpolation, const std::vector<float>& values) {
  std::vector<float> numbers = {1, 3};
  numbers.insert(numbers.end(), values.begin(), values.end());
  const std::string rows = std::to_string(values.size() / 3), bytes = std::to_string(4 * values.size());
  return read(glb(R"({"asset": {"version": "2.0"}, "nodes": [{"name": "n", "translation": [9, 9, 9]}],
    "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
      "samplers": [{"input": 0, "output": 1, "interpolation": ")" +
                      interpolation + R"("}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                  {"bufferView": 1, "componentType": 5126, "count": )" +
                      rows + R"(, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": )" +
                      bytes + R"(}],
    "buffers": [{"byteLength": )" +
                      std::to_string(8 + 4 * values.size()) + "}]}",
                  float_bytes(numbers)));
}
Vec3 at_time(const Content& content, double t) { return position(content, good(pose_at(content, 0, t)), "n"); }

TEST(GltfInterpolation, StepsAndLines) {
  const std::vector<float> values = {0, 0, 0, 4, 8, -4};
  const Content step = track("STEP", values), line = track("LINEAR", values);
  EXPECT_LT((at_time(step, 2.999) - Vec3(0, 0, 0)).norm(), 1e-12);
  EXPECT_LT((at_time(step, 3.0) - Vec3(4, 8, -4)).norm(), 1e-12);
  EXPECT_LT((at_time(line, 0.5) - Vec3(0, 0, 0)).norm(), 1e-12);
  EXPECT_LT((at_time(line, 1.5) - Vec3(1, 2, -1)).norm(), 1e-12);
  EXPECT_LT((at_time(line, 7.0) - Vec3(4, 8, -4)).norm(), 1e-12);
}

TEST(GltfInterpolation, SplinesByHand) {
  // In-tangent, value, out-tangent of both keys. Halfway, u = 1/2, d = 2:
  // v/2 + 2 b/8 + w/2 - 2 a/8 with v = 0, b = (1, 0, 0), w = (4, 8, -4), a = (0, 2, 0).
  const Content spline = track("CUBICSPLINE", {7, 7, 7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 4, 8, -4, 7, 7, 7});
  EXPECT_LT((at_time(spline, 2.0) - Vec3(2.25, 3.5, -2)).norm(), 1e-12);
  // A quarter: u = 1/4: (2/64 - 3/16 + 1) v + 2 (1/64 - 2/16 + 1/4) b + (3/16 - 2/64) w + 2 (1/64 - 1/16) a.
  EXPECT_LT(
      (at_time(spline, 1.5) - Vec3(2 * 9.0 / 64 + 4 * 10.0 / 64, 80.0 / 64 - 2 * 2 * 3.0 / 64, -40.0 / 64)).norm(),
      1e-12);
  // The slope at the keys is the tangent.
  const double e = 1e-6;
  EXPECT_LT(((at_time(spline, 1.0 + e) - at_time(spline, 1.0)) / e - Vec3(1, 0, 0)).norm(), 1e-4);
  EXPECT_LT(((at_time(spline, 3.0) - at_time(spline, 3.0 - e)) / e - Vec3(0, 2, 0)).norm(), 1e-4);
  EXPECT_LT((at_time(spline, 0.0) - Vec3(0, 0, 0)).norm(), 1e-12);
  EXPECT_LT((at_time(spline, 9.0) - Vec3(4, 8, -4)).norm(), 1e-12);
}

// The leg's knee as the values say.
Content knee(const std::string& interpolation, const std::string& component, const std::string& rows,
             const std::string& bytes) {
  std::string json = with(leg_json, "LINEAR", interpolation);
  json = with(json, R"("bufferView": 1, "componentType": 5126, "count": 3)",
              R"("bufferView": 1, )" + component + R"(, "count": )" + rows);
  json = with(json, R"({"buffer": 0, "byteOffset": 12, "byteLength": 48})",
              R"({"buffer": 1, "byteLength": )" + std::to_string(bytes.size()) + "}");
  json = with(json, R"([{"byteLength": 96}])",
              R"([{"byteLength": 96}, {"byteLength": )" + std::to_string(bytes.size()) + R"(, "uri": "knee.bin"}])");
  const FileLoader load = [&](const std::string&) -> Expected<std::string> { return bytes; };
  return good(read_gltf(glb(json, float_bytes(leg_numbers())), "knee.glb", {}, load));
}
double knee_angle(const Content& content, double t) { return value(content, good(pose_at(content, 0, t)), "knee.rx"); }

TEST(GltfInterpolation, RotationsTakeTheShortWayAtConstantSpeed) {
  const float h = 0.70710678f;
  // The second key is the other quaternion of the same rotation.
  const Content content =
      knee("LINEAR", R"("componentType": 5126)", "3", float_bytes({0, 0, 0, 1, -h, 0, 0, -h, 0, 0, 0, 1}));
  EXPECT_NEAR(knee_angle(content, 0.25), pi / 4, 1e-7);
  EXPECT_NEAR(knee_angle(content, 0.1), pi / 10, 1e-7);
  EXPECT_NEAR(knee_angle(content, 0.9), pi / 10, 1e-6);
}

TEST(GltfInterpolation, RotationsBySplinesAreSmoothAndOfLengthOne) {
  const float h = 0.70710678f;
  const std::vector<float> t = {0.3f, 0, 0, -0.3f};  // both tangents of the middle key
  const Content content =
      knee("CUBICSPLINE", R"("componentType": 5126)", "9",
           float_bytes({0, 0, 0,    0,    0,    0,    0, 1, 1, 0, 0, 0, t[0], t[1], t[2], t[3], h, 0,
                        0, h, t[0], t[1], t[2], t[3], 0, 0, 0, 0, 1, 0, 0,    0,    0,    0,    0, 0}));
  EXPECT_NEAR(knee_angle(content, 0.0), 0.0, 1e-7);
  EXPECT_NEAR(knee_angle(content, 0.5), pi / 2, 1e-7);
  // By hand at 0.25: x = d b/8 + w/2 - d a/8 with d = 1/2, then 2 atan2(x, w).
  const double half = std::sqrt(0.5) / 2, x = 0.5 * 1 / 8 + half - 0.5 * 0.3 / 8, w = 0.5 + half + 0.5 * 0.3 / 8;
  EXPECT_NEAR(knee_angle(content, 0.25), 2 * std::atan2(x, w), 1e-7);
  const double e = 1e-5;
  const double before = (knee_angle(content, 0.5) - knee_angle(content, 0.5 - e)) / e;
  const double after = (knee_angle(content, 0.5 + e) - knee_angle(content, 0.5)) / e;
  EXPECT_NEAR(before, after, 1e-3);
  EXPECT_GT(before, 0.5);
}

TEST(GltfInterpolation, ReadsRotationsInFewBits) {
  const auto bytes_of = [](const std::vector<int>& values, int width) {
    std::string bytes;
    for (const int v : values)
      for (int k = 0; k < width; ++k) bytes += static_cast<char>(v >> 8 * k & 0xFF);
    return bytes;
  };
  const auto check = [&](const std::string& component, const std::string& bytes, double sign, double tolerance) {
    const Content content = knee("LINEAR", component + R"(, "normalized": true)", "3", bytes);
    EXPECT_EQ(content.asset->accessors[1].at(0, 3), 1.0) << component;
    EXPECT_EQ(std::fabs(content.asset->accessors[1].at(2, 3)), 1.0) << component;
    EXPECT_NEAR(knee_angle(content, 0.0), 0.0, tolerance) << component;
    EXPECT_NEAR(knee_angle(content, 0.5), sign * pi / 2, tolerance) << component;
  };
  check(R"("componentType": 5122)", bytes_of({0, 0, 0, 32767, -23170, 0, 0, 23170, 0, 0, 0, 32767}, 2), -1, 1e-4);
  check(R"("componentType": 5120)", bytes_of({0, 0, 0, 127, -90, 0, 0, 90, 0, 0, 0, -128}, 1), -1, 1e-2);
  check(R"("componentType": 5123)", bytes_of({0, 0, 0, 65535, 46340, 0, 0, 46340, 0, 0, 0, 65535}, 2), 1, 1e-4);
  check(R"("componentType": 5121)", bytes_of({0, 0, 0, 255, 180, 0, 0, 180, 0, 0, 0, 255}, 1), 1, 1e-2);
}

TEST(GltfInterpolation, ReadsSparseAccessors) {
  // The heights of the hips with rows 1 and 2 given anew, over rows of the file and over zeros.
  const std::string sparse = R"(, "sparse": {"count": 2, "indices": {"bufferView": 3, "componentType": 5123},
    "values": {"bufferView": 3, "byteOffset": 4}})";
  for (const bool over_rows : {true, false}) {
    std::string json = with(leg_json, R"({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3")",
                            std::string("{") + (over_rows ? R"("bufferView": 2, )" : "") +
                                R"("componentType": 5126, "count": 3, "type": "VEC3")" + sparse);
    json = with(json, R"("byteOffset": 60, "byteLength": 36})", R"("byteOffset": 60, "byteLength": 36},
                 {"buffer": 0, "byteOffset": 96, "byteLength": 28})");
    json = with(json, R"("byteLength": 96})", R"("byteLength": 124})");
    std::vector<float> numbers = leg_numbers();
    numbers[16] = 3;
    const Content content =
        read(glb(json, float_bytes(numbers) + number_32(1 | 2 << 16) + float_bytes({0, 7, 0, 0, 9, 0})));
    EXPECT_NEAR(value(content, good(pose_at(content, 0, 0.0)), "hips.ty"), over_rows ? 2.0 : -1.0, 1e-12);
    EXPECT_NEAR(value(content, good(pose_at(content, 0, 0.5)), "hips.ty"), 6.0, 1e-12);
    EXPECT_NEAR(value(content, good(pose_at(content, 0, 1.0)), "hips.ty"), 8.0, 1e-12);
  }
}

TEST(GltfInterpolation, ReadsRowsThatLieApart) {
  // The heights every 16 bytes: x y z and four bytes of something else.
  std::string json = with(leg_json, R"("byteOffset": 60, "byteLength": 36})",
                          R"("byteOffset": 60, "byteLength": 44, "byteStride": 16})");
  json = with(json, R"("byteLength": 96})", R"("byteLength": 104})");
  std::vector<float> numbers = leg_numbers();
  numbers.resize(15);
  for (const float y : {1.0f, 2.0f, 4.0f}) numbers.insert(numbers.end(), {0, y, 0, 77});
  const Content content = read(glb(json, float_bytes(numbers)));
  EXPECT_TRUE(content.clips[0].poses == read(leg()).clips[0].poses);
}

// --- Writing with the document that was read -----------------------------------------------------

TEST(GltfWriting, GivesTheSameBytesWhereNothingIsNew) {
  for (const std::string& name : samples) {
    const Content& content = sample(name);
    const Written out = good(write_gltf(content, content.clips, form_of(name)));
    EXPECT_TRUE(out.bytes == file_bytes("gltf/" + name)) << name;
  }
  // At other rates, too: the clips are still those of the file.
  ReadOptions options;
  options.frames_per_second = 17.3;
  const Content content = good(read_gltf(file_bytes("gltf/RiggedFigure.glb"), "RiggedFigure.glb", options));
  EXPECT_TRUE(good(write_gltf(content, content.clips, GltfForm::binary)).bytes == file_bytes("gltf/RiggedFigure.glb"));
}

TEST(GltfWriting, KeepsFigureAndMotionExactlyInTheOtherForm) {
  for (const std::string& name : samples) {
    const Content& content = sample(name);
    const GltfForm other = form_of(name) == GltfForm::text ? GltfForm::binary : GltfForm::text;
    const Content again = written(content, content.clips, other);
    EXPECT_EQ(again.asset->buffers.size(), 1u) << name;
    ASSERT_EQ(again.clips.size(), content.clips.size()) << name;
    for (std::size_t c = 0; c < content.clips.size(); ++c) {
      EXPECT_EQ(again.clips[c].name, content.clips[c].name);
      EXPECT_TRUE(again.clips[c].poses == content.clips[c].poses) << name << " " << content.clips[c].name;
    }
    EXPECT_EQ(distance(*content.figure, content.figure->rest(), *again.figure, again.figure->rest()), 0.0) << name;
    ASSERT_EQ(again.asset->accessors.size(), content.asset->accessors.size());
    for (std::size_t a = 0; a < again.asset->accessors.size(); ++a) {
      const GltfAccessor &x = content.asset->accessors[a], &y = again.asset->accessors[a];
      ASSERT_EQ(x.rows, y.rows);
      for (std::size_t r = 0; r < x.rows; r += 7) EXPECT_EQ(x.at(r, 0), y.at(r, 0)) << name << " accessor " << a;
    }
  }
}

TEST(GltfWriting, GivesACharacterBackWithANewPoseAndItsMesh) {
  Random random(11);
  for (const std::string& name : samples) {
    const Content& content = sample(name);
    const Pose pose = random_pose(*content.figure, random, 0.4);
    std::vector<Clip> clips = content.clips;
    if (clips.size() > 5) clips.resize(5);
    const Content again = written(content, clips, GltfForm::binary, &pose);
    EXPECT_LT(distance(*content.figure, pose, *again.figure, again.figure->rest()), 2e-6 * content.figure->length())
        << name;
    // All that was in the binary chunk is still there, and clips look as they did.
    if (form_of(name) == GltfForm::binary) {
      EXPECT_TRUE(again.asset->buffers[0].bytes->starts_with(*content.asset->buffers[0].bytes)) << name;
    }
    ASSERT_EQ(again.clips.size(), clips.size());
    for (std::size_t c = 0; c < clips.size(); ++c) {
      const Clip& clip = clips[c];
      ASSERT_EQ(again.clips[c].frames(), clip.frames()) << name << " " << clip.name;
      for (int k = 0; k < clip.frames(); k += 5)
        EXPECT_LT(distance(*content.figure, clip.pose(k), *again.figure, again.clips[c].pose(k)),
                  5e-6 * content.figure->length())
            << name << " " << clip.name;
    }
  }
}

TEST(GltfWriting, ReplacesAndAddsClips) {
  Random random(12);
  for (const std::string name : {"CesiumMan.glb", "RobotExpressive.glb", "kenney_character.glb"}) {
    const Content& content = sample(name);
    std::vector<Clip> clips = content.clips;
    clips[0].poses.array() += 0.05;
    Clip added{"added", 0.02, MatX(content.clips[0].poses.rows(), 9)};
    const Pose a = random_pose(*content.figure, random, 0.3), b = random_pose(*content.figure, random, 0.3);
    for (int k = 0; k < 9; ++k) added.poses.col(k) = a.theta + k / 8.0 * (b.theta - a.theta);
    clips.push_back(added);
    const Written out = good(write_gltf(content, clips, GltfForm::binary));
    const Content again = read(out.bytes);
    ASSERT_EQ(again.clips.size(), clips.size()) << name;
    for (const std::size_t c : {std::size_t{0}, clips.size() - 1}) {
      EXPECT_EQ(again.clips[c].name, clips[c].name);
      ASSERT_EQ(again.clips[c].frames(), clips[c].frames()) << name << " " << clips[c].name;
      EXPECT_NEAR(again.clips[c].frame_time, clips[c].frame_time, 1e-6);
      for (int k = 0; k < clips[c].frames(); k += 4)
        EXPECT_LT(distance(*content.figure, clips[c].pose(k), *again.figure, again.clips[c].pose(k)),
                  2e-6 * content.figure->length())
            << name << " " << clips[c].name;
    }
    // What was written once is written the same way again.
    EXPECT_TRUE(good(write_gltf(again, again.clips, GltfForm::binary)).bytes == out.bytes) << name;
  }
}

TEST(GltfWriting, WritesTheClipsInTheirOrder) {
  const Content& content = sample("kenney_character.glb");
  const std::vector<Clip> clips(content.clips.rbegin(), content.clips.rend());
  const Content again = written(content, clips, GltfForm::binary);
  ASSERT_EQ(again.clips.size(), clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c) {
    EXPECT_EQ(again.clips[c].name, clips[c].name);
    EXPECT_TRUE(again.clips[c].poses == clips[c].poses);
  }
}

TEST(GltfWriting, KeepsWhatAClipDoesNotSpeakOf) {
  const Content& content = sample("RobotExpressive.glb");
  std::vector<Clip> clips = {content.clips[0]};
  clips[0].poses.array() += 0.01;
  const Written out = good(write_gltf(content, clips, GltfForm::text));
  EXPECT_TRUE(has_note(out.notes, "13 animations of the file are not among the clips"));
  EXPECT_TRUE(has_note(out.notes, "morph targets"));
  const Content again = read(out.bytes);
  ASSERT_EQ(again.clips.size(), 1u);
  EXPECT_TRUE(has_note(again.notes, "morph targets are also moved by 'Dance'"));
}

TEST(GltfWriting, LeavesUnknownThingsAlone) {
  const std::string extra = R"("extras": {"b": [1, 2.5, "é"], "a": {"deep": null}})";
  const std::string json = with(leg_json, R"("foot",)", R"("foot", )" + extra + ", ");
  const std::string other = chunk("WHAT", "something", ' ');
  const Content content = read(glb(json, float_bytes(leg_numbers()), other));
  Pose pose = content.figure->rest();
  pose.theta[4] = 0.5;
  const std::string out = good(write_gltf(content, content.clips, GltfForm::binary, {}, &pose)).bytes;
  EXPECT_NE(out.find(R"("extras":{"b":[1,2.5,"é"],"a":{"deep":null}})"), std::string::npos);
  EXPECT_TRUE(out.ends_with(other));
  EXPECT_LT(out.find("\"scenes\""), out.find("\"nodes\":[{\"name\""));
  EXPECT_TRUE(has_note(good(write_gltf(content, content.clips, GltfForm::text)).notes, "other chunks"));
  EXPECT_TRUE(has_note(good(write_gltf(sample("kenney_character.glb"), {}, GltfForm::text)).notes, "colormap.png"));
}

TEST(GltfWriting, PutsSeveralBuffersIntoOne) {
  // A file of its own, data in the text, and the same file once more.
  std::string json = with(
      leg_json, R"([{"byteLength": 96}])",
      R"([{"byteLength": 61, "uri": "a.bin"}, {"byteLength": 3, "uri": "data:;base64,AQID"}, {"byteLength": 96, "uri": "a.bin"}])");
  json = with(json, R"({"buffer": 0, "byteOffset": 60)", R"({"buffer": 2, "byteOffset": 60)");
  int loaded = 0;
  const FileLoader load = [&](const std::string&) -> Expected<std::string> {
    ++loaded;
    return float_bytes(leg_numbers());
  };
  const Content content = good(read_gltf(json, "leg.gltf", {}, load));
  EXPECT_EQ(loaded, 1);
  for (const GltfForm form : {GltfForm::text, GltfForm::binary}) {
    const Content again = written(content, content.clips, form);
    ASSERT_EQ(again.asset->buffers.size(), 1u);
    EXPECT_EQ(again.asset->buffers[0].length, 96u + 3u);
    EXPECT_TRUE(again.clips[0].poses == content.clips[0].poses);
  }
}

TEST(GltfWriting, RefusesWhatDoesNotFit) {
  const Content content = read(leg());
  Clip clip{"bad", 0.1, MatX::Zero(3, 2)};
  EXPECT_NE(write_gltf(content, {clip}, GltfForm::text).error().text().find("3 values a frame"), std::string::npos);
  clip.poses = MatX::Zero(12, 2);
  clip.poses(3, 1) = infinity;
  EXPECT_NE(write_gltf(content, {clip}, GltfForm::text).error().text().find("not finite"), std::string::npos);
  clip.poses(3, 1) = 0.0;
  clip.frame_time = 0.0;
  EXPECT_FALSE(write_gltf(content, {clip}, GltfForm::text));
  EXPECT_FALSE(write_gltf(Content{}, {}, GltfForm::text));
  Pose pose{VecX::Zero(2)};
  EXPECT_FALSE(write_gltf(content, {}, GltfForm::text, {}, &pose));
  Content other = content;
  other.figure = built(testing::planar_arm());
  EXPECT_NE(write_gltf(other, {}, GltfForm::text).error().text().find("other segments"), std::string::npos);
  EXPECT_FALSE(pose_at(other, 0, 0.0));
  EXPECT_FALSE(pose_at(content, 1, 0.0));
  EXPECT_FALSE(pose_at(content, 0, std::nan("")));
}

// --- Writing any figure --------------------------------------------------------------------------

Clip random_clip(const Figure& figure, std::uint64_t seed, int frames = 12) {
  Random random(seed);
  Clip clip{"clip " + std::to_string(seed), 1.0 / 25.0,
            MatX(static_cast<Eigen::Index>(figure.parameters().size()), frames)};
  for (int k = 0; k < frames; ++k) clip.poses.col(k) = random_pose(figure, random, 1.2).theta;
  return clip;
}

std::vector<Figure> any_figures() {
  std::vector<Figure> figures = {human(), built(testing::planar_arm()), built(testing::seven_joint_arm()),
                                 built(testing::torso_with_arms())};
  Random random(3);
  for (int k = 0; k < 6; ++k) figures.push_back(built(testing::random_tree(random)));
  FigureDescription two;
  two.name = "two roots";
  two.segments = {{"a"}, {"b"}, {"body"}};
  two.joints = {free_root("ja", "a"),
                free_root("jb", "b"),
                {"jc", "b", "body", at({0, 1, 0}), at({0.2, 0, 0}), {testing::turn("x", Vec3::UnitX())}}};
  figures.push_back(built(two));
  return figures;
}

TEST(GltfWriting, GivesAnyFigureBackWhereItWas) {
  for (const Figure& figure : any_figures()) {
    Content content;
    content.figure = figure;
    const std::vector<Clip> clips = {random_clip(figure, 1), random_clip(figure, 2, 1)};
    Random random(4);
    const Pose pose = random_pose(figure, random);
    for (const GltfForm form : {GltfForm::text, GltfForm::binary}) {
      const Content again = written(content, clips, form, &pose);
      EXPECT_LT(distance(figure, pose, *again.figure, again.figure->rest()), 1e-9) << figure.name();
      ASSERT_EQ(again.clips.size(), 2u);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(again.clips[c].name, clips[c].name);
        ASSERT_EQ(again.clips[c].frames(), clips[c].frames());
        for (int k = 0; k < clips[c].frames(); ++k)
          EXPECT_LT(distance(figure, clips[c].pose(k), *again.figure, again.clips[c].pose(k)), 2e-6) << figure.name();
      }
      // Sites come back, under their name where a segment does not have it.
      for (const Site& site : figure.sites()) {
        if (figure.find_segment(site.name)) continue;
        const Vec3 x =
            forward(figure, clips[0].pose(3)).segments[static_cast<std::size_t>(site.segment)] * site.frame.p;
        EXPECT_LT((position(again, again.clips[0].pose(3), site.name) - x).norm(), 2e-6) << site.name;
      }
    }
  }
}

TEST(GltfWriting, SaysWhatIsLost) {
  Content content;
  content.figure = human();
  WriteOptions options;
  options.metres_per_unit = 0.01;
  options.up = Up::z;
  const std::vector<Note> notes = good(write_gltf(content, {}, GltfForm::text, options)).notes;
  for (const char* word : {"joint limits", "masses", "joint groups", "limits between joints", "mirror pairs",
                           "in metres", "Y up", "'pelvis_2'"})
    EXPECT_TRUE(has_note(notes, word)) << word;
  Clip none{"none", 0.1, MatX(static_cast<Eigen::Index>(content.figure->parameters().size()), 0)};
  const Written out = good(write_gltf(content, {none}, GltfForm::text));
  EXPECT_TRUE(has_note(out.notes, "has no frames"));
  EXPECT_EQ(out.bytes.find("\"animations\""), std::string::npos);
}

TEST(GltfWriting, TurnsQuaternionsTheShortWay) {
  // A whole turn in small steps.
  const Figure figure = built(testing::planar_arm());
  Content content;
  content.figure = figure;
  Clip clip{"round", 0.1, MatX::Zero(2, 41)};
  for (int k = 0; k <= 40; ++k) clip.poses(0, k) = 2 * pi * k / 40.0;
  const Content again = written(content, {clip}, GltfForm::binary);
  const GltfAnimation& animation = again.asset->animations[0];
  ASSERT_EQ(animation.channels.size(), 1u);  // the elbow does not move and needs no track
  const GltfAccessor& values = again.asset->accessors[static_cast<std::size_t>(animation.channels[0].values)];
  for (std::size_t k = 1; k < values.rows; ++k) {
    double dot = 0.0;
    for (int c = 0; c < 4; ++c) dot += values.at(k, c) * values.at(k - 1, c);
    EXPECT_GT(dot, 0.99);
  }
  // Read back, the angle goes all the way round.
  const int rz = good(again.figure->find_parameter("upper.rz"));
  EXPECT_NEAR(again.clips[0].poses(rz, again.clips[0].frames() - 1), 2 * pi, 1e-6);
}

TEST(GltfWriting, GivesAClipThatMovesNothingATrackAllTheSame) {
  Content content;
  content.figure = built(testing::planar_arm());
  const Content again = written(content, {{"still", 0.1, MatX::Zero(2, 3)}}, GltfForm::binary);
  ASSERT_EQ(again.clips.size(), 1u);
  EXPECT_NEAR(again.clips[0].duration(), 0.2, 1e-7);
}

// --- The body ------------------------------------------------------------------------------------

TEST(GltfBody, IsClosedFlatAndPointsOutward) {
  for (const Figure& figure : any_figures()) {
    const Kinematics state = forward(figure, figure.rest());
    const int end = static_cast<int>(figure.segments().size());
    const StickBody body = stick_body(figure, state.segments, 0, end);
    ASSERT_GE(body.positions.size(), 24u);
    ASSERT_EQ(body.positions.size() % 24, 0u);  // eight triangles a stick
    for (std::size_t stick = 0; stick < body.positions.size(); stick += 24) {
      Vec3 middle = Vec3::Zero(), flux = Vec3::Zero();
      for (std::size_t v = 0; v < 24; ++v) middle += body.positions[stick + v] / 24.0;
      for (std::size_t v = stick; v < stick + 24; v += 3) {
        const Vec3 &a = body.positions[v], &b = body.positions[v + 1], &c = body.positions[v + 2];
        const Vec3 area = (b - a).cross(c - a);
        flux += area;
        EXPECT_GT(area.dot((a + b + c) / 3.0 - middle), 0.0);
        for (int k = 0; k < 3; ++k)
          EXPECT_LT((body.normals[v + static_cast<std::size_t>(k)] - area.normalized()).norm(), 1e-9);
      }
      EXPECT_LT(flux.norm(), 1e-12);  // of a closed surface
    }
  }
}

TEST(GltfBody, FollowsTheBones) {
  // Each vertex, moved by its joint as a viewer moves it, keeps its place in the segment of that name.
  Random random(8);
  for (const Figure& figure : any_figures()) {
    Content content;
    content.figure = figure;
    const Pose pose = random_pose(figure, random);
    const Content again = written(content, {}, GltfForm::binary, &pose);
    const Kinematics rest = forward(figure, figure.rest()), posed = forward(figure, pose);
    const Kinematics nodes_posed = forward(*again.figure, again.figure->rest());
    JsonDocument document(again.asset->json, "figure.glb");
    const auto accessor = [&](const JsonValue& index) -> const GltfAccessor& {
      return again.asset->accessors[static_cast<std::size_t>(index.integer(0, 1000))];
    };
    auto skin = document.root()["skins"].begin();
    int begin = 0;
    for (const JsonValue mesh : document.root()["meshes"]) {
      const JsonValue attributes = (*mesh["primitives"].begin())["attributes"];
      const GltfAccessor &positions = accessor(attributes["POSITION"]), &joints = accessor(attributes["JOINTS_0"]);
      const GltfAccessor& weights = accessor(attributes["WEIGHTS_0"]);
      const GltfAccessor& inverse = accessor((*skin)["inverseBindMatrices"]);
      std::vector<int> nodes;
      for (const JsonValue joint : (*skin)["joints"]) nodes.push_back(joint.integer(0, 1000));
      const int end = figure.segments()[static_cast<std::size_t>(begin)].subtree_end;
      ASSERT_EQ(static_cast<int>(nodes.size()), end - begin);
      ASSERT_EQ(inverse.rows, nodes.size());
      const StickBody body = stick_body(figure, rest.segments, begin, end);
      ASSERT_EQ(positions.rows, body.positions.size());
      for (std::size_t v = 0; v < positions.rows; v += 5) {
        const auto joint = static_cast<std::size_t>(joints.at(v, 0));
        ASSERT_LT(joint, nodes.size());
        EXPECT_EQ(weights.at(v, 0) + weights.at(v, 1) + weights.at(v, 2) + weights.at(v, 3), 1.0);
        Eigen::Matrix4d B;
        for (int k = 0; k < 16; ++k) B(k % 4, k / 4) = inverse.at(joint, k);
        const Eigen::Vector4d x = B * Eigen::Vector4d(positions.at(v, 0), positions.at(v, 1), positions.at(v, 2), 1.0);
        const std::string& name = again.asset->nodes[static_cast<std::size_t>(nodes[joint])].name;
        const auto node = static_cast<std::size_t>(good(again.figure->find_segment(name)));
        const auto s = static_cast<std::size_t>(body.segments[v]);
        EXPECT_EQ(figure.segments()[s].name, name);
        const Vec3 expected = posed.segments[s] * (rest.segments[s].inverse() * body.positions[v]);
        EXPECT_LT((nodes_posed.segments[node] * Vec3(x.head<3>()) - expected).norm(), 2e-6);
      }
      begin = end;
      ++skin;
    }
    EXPECT_EQ(begin, static_cast<int>(figure.segments().size()));
    EXPECT_FALSE(document.error()) << document.error()->text();
  }
}

}  // namespace
}  // namespace limber
