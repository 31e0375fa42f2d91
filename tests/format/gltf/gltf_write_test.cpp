// Writing glTF: round trips of documents and of any figure.
#include <gtest/gtest.h>

#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_asset.h"
#include "tests/format/gltf/gltf_files.h"
#include "tests/format/note.h"

namespace limber {
namespace gltf_write_test {

using gltf_sample::any_figures;
using gltf_sample::distance;
using gltf_sample::form_of;
using gltf_sample::position;
using gltf_sample::read;
using gltf_sample::sample;
using gltf_sample::samples;
using gltf_sample::written;
using testing::built;
using testing::good;
using testing::random_pose;

// --- Writing with the document that was read -----------------------------------------------------

TEST(GltfWriting, IsByteIdenticalWithoutChanges) {
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

TEST(GltfWriting, KeepsTheMeshWithANewPose) {
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

TEST(GltfWriting, KeepsChannelsThatAClipDoesNotCover) {
  const Content& content = sample("RobotExpressive.glb");
  std::vector<Clip> clips = {content.clips[0]};
  clips[0].poses.array() += 0.01;
  const Written out = good(write_gltf(content, clips, GltfForm::text));
  EXPECT_TRUE(has_note(out.notes, "13 animations of the file are not among the clips"));
  EXPECT_TRUE(has_note(out.notes, "morph targets"));
  const Content again = read(out.bytes);
  ASSERT_EQ(again.clips.size(), 1u);
  EXPECT_TRUE(has_note(again.notes, "morph targets are also animated by 'Dance'"));
}

TEST(GltfWriting, KeepsUnknownContent) {
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

TEST(GltfWriting, MergesSeveralBuffers) {
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

TEST(GltfWriting, RejectsIncompatibleContent) {
  const Content content = read(leg());
  Clip clip{"bad", 0.1, MatX::Zero(3, 2)};
  EXPECT_NE(write_gltf(content, {clip}, GltfForm::text).error().text().find("3 values per frame"), std::string::npos);
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
  EXPECT_NE(write_gltf(other, {}, GltfForm::text).error().text().find("segments or freedoms differ"),
            std::string::npos);
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
TEST(GltfWriting, RoundTripsAnyFigure) {
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

TEST(GltfWriting, NotesLosses) {
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

TEST(GltfWriting, KeepsQuaternionsInOneHemisphere) {
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

TEST(GltfWriting, WritesATrackForAClipThatMovesNothing) {
  Content content;
  content.figure = built(testing::planar_arm());
  const Content again = written(content, {{"still", 0.1, MatX::Zero(2, 3)}}, GltfForm::binary);
  ASSERT_EQ(again.clips.size(), 1u);
  EXPECT_NEAR(again.clips[0].duration(), 0.2, 1e-7);
}

}  // namespace gltf_write_test
}  // namespace limber
