// Scales that an animation changes: they move all that is below, in clips and in what is written.
#include <gtest/gtest.h>

#include "limber/format/file.h"
#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_asset.h"
#include "tests/format/gltf/gltf_files.h"
#include "tests/format/note.h"

namespace limber {
namespace gltf_scale_test {

using gltf_sample::read;
using gltf_sample::written;
using testing::good;

// The leg with a foot below, and keys for the scales of its hips and its knee.
Content stretching_leg(const std::vector<float>& hips, const std::vector<float>& knee) {
  std::string json =
      with(leg_json, R"({"name": "foot", "translation": [0, -0.5, 0]})",
           R"({"name": "foot", "translation": [0.1, -0.5, 0.2], "rotation": [0.6, 0, 0, 0.8], "children": [3]},
                            {"name": "toe", "translation": [0, -0.1, 0.2]})");
  json = with(json, R"("path": "translation"}}])",
              R"("path": "translation"}}, {"sampler": 2, "target": {"node": 0, "path": "scale"}},
                 {"sampler": 3, "target": {"node": 1, "path": "scale"}}])");
  json = with(json, R"({"input": 0, "output": 2}])",
              R"({"input": 0, "output": 2}, {"input": 0, "output": 3}, {"input": 0, "output": 4}])");
  json = with(json, R"("type": "VEC3"}])",
              R"("type": "VEC3"},
                 {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC3"},
                 {"bufferView": 4, "componentType": 5126, "count": 3, "type": "VEC3"}])");
  json = with(json, R"("byteOffset": 60, "byteLength": 36}])",
              R"("byteOffset": 60, "byteLength": 36}, {"buffer": 0, "byteOffset": 96, "byteLength": 36},
                 {"buffer": 0, "byteOffset": 132, "byteLength": 36}])");
  json = with(json, R"([{"byteLength": 96}])", R"([{"byteLength": 168}])");
  std::vector<float> numbers = leg_numbers();
  for (const std::vector<float>& keys : {hips, knee}) numbers.insert(numbers.end(), keys.begin(), keys.end());
  return read(glb(json, float_bytes(numbers)));
}

const std::vector<float> uniform = {1, 1, 1, 2, 2, 2, 0.5f, 0.5f, 0.5f};
const std::vector<float> squashed = {1, 1, 1, 1.5f, 0.7f, 1.2f, 0.8f, 1.3f, 1};
const std::vector<float> hidden = {1, 1, 1, 0, 0, 0, 1, 1, 1};

// The max distance of a segment of a clip from where the matrices of the document have its node.
double off(const Content& document, const Content& content, const Clip& clip) {
  double max = 0.0;
  for (int k = 0; k < clip.frames(); ++k) {
    const Kinematics state = forward(*content.figure, clip.pose(k));
    const std::vector<Vec3> exact = good(node_positions(document, 0, k * clip.frame_time));
    for (std::size_t s = 0; s < exact.size(); ++s) {
      const auto other =
          static_cast<std::size_t>(good(content.figure->find_segment(document.figure->segments()[s].name)));
      max = std::fmax(max, (state.segments[other].p - exact[s]).norm());
    }
  }
  return max;
}

TEST(GltfScale, MovesWhatItCarries) {
  for (const auto& hips : {uniform, squashed, hidden})
    for (const auto& knee : {uniform, squashed, hidden}) {
      const Content content = stretching_leg(hips, knee);
      EXPECT_TRUE(has_note(content.notes, "changes the scale of 'hips', 'knee'"));
      ASSERT_GT(content.clips[0].frames(), 10);
      EXPECT_LT(off(content, content, content.clips[0]), 1e-7);
    }
}

// A document keeps its scales, so they must not count twice.
TEST(GltfScale, IsKeptInAChangedClip) {
  const Content content = stretching_leg(uniform, squashed);
  EXPECT_TRUE(good(write_gltf(content, content.clips, GltfForm::binary)).notes.empty());
  Clip changed = content.clips[0];
  const int knee = good(content.figure->find_parameter("knee.rx"));
  changed.poses.row(knee).array() += 0.3;
  const Content again = written(content, {changed}, GltfForm::binary);
  ASSERT_EQ(again.clips.size(), 1u);
  ASSERT_EQ(again.clips[0].frames(), changed.frames());
  EXPECT_LT(off(again, again, again.clips[0]), 1e-6) << "as a viewer draws it";
  for (int k = 0; k < changed.frames(); ++k)
    EXPECT_LT(gltf_sample::distance(*content.figure, changed.pose(k), *again.figure, again.clips[0].pose(k)), 1e-5);
}

TEST(GltfScale, BecomesPositionsInAFormatWithoutScales) {
  const Content content = stretching_leg(uniform, uniform);
  const WrittenFiles bvh = good(write_content(content, content.clips, "leg.bvh", {.metres_per_unit = 1.0}));
  const Content again = good(read_content(bvh.files.at(0).bytes, "leg.bvh", {.metres_per_unit = 1.0}));
  EXPECT_LT(off(content, again, again.clips.at(0)), 1e-5);
}

}  // namespace gltf_scale_test
}  // namespace limber
