// glTF tracks between their keys: step, linear, spline; normalized integers, sparse accessors, strides.
#include <gtest/gtest.h>

#include "limber/format/gltf/gltf.h"
#include "limber/format/gltf/gltf_asset.h"
#include "tests/format/gltf/gltf_files.h"

namespace limber {
namespace gltf_interpolation_test {

using gltf_sample::position;
using gltf_sample::read;
using gltf_sample::value;
using testing::good;

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

TEST(GltfInterpolation, RotationsTakeTheShorterArcAtConstantSpeed) {
  const float h = 0.70710678f;
  // The second key is the negative quaternion of the same rotation.
  const Content content =
      knee("LINEAR", R"("componentType": 5126)", "3", float_bytes({0, 0, 0, 1, -h, 0, 0, -h, 0, 0, 0, 1}));
  EXPECT_NEAR(knee_angle(content, 0.25), pi / 4, 1e-7);
  EXPECT_NEAR(knee_angle(content, 0.1), pi / 10, 1e-7);
  EXPECT_NEAR(knee_angle(content, 0.9), pi / 10, 1e-6);
}

TEST(GltfInterpolation, SplineRotationsAreSmoothAndNormalized) {
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

TEST(GltfInterpolation, ReadsNormalizedIntegerRotations) {
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

TEST(GltfInterpolation, ReadsRowsWithAStride) {
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

}  // namespace gltf_interpolation_test
}  // namespace limber
