// Broken glTF files: each is rejected with place and error, without a crash.
#include <gtest/gtest.h>

#include <limits>

#include "limber/format/gltf/gltf.h"
#include "tests/format/gltf/gltf_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace gltf_refusal_test {

struct Broken {
  std::string name;
  std::string bytes;
  std::vector<std::string> words;  // in the message
};

std::string error_of(const std::string& bytes, const FileLoader& load = {}) {
  const Expected<Content> content = read_gltf(bytes, "broken.glb", {}, load);
  return content ? std::string("no error") : content.error().text();
}

void expect_rejected(const Broken& broken) {
  const std::string error = error_of(broken.bytes);
  EXPECT_NE(error, "no error") << broken.name;
  EXPECT_EQ(error.find('\n'), std::string::npos) << broken.name;
  for (const std::string& word : broken.words)
    EXPECT_NE(error.find(word), std::string::npos) << broken.name << ": \"" << word << "\" is not in: " << error;
}

// The leg with one thing in its text another.
Broken text(const std::string& what, const std::string& instead, std::vector<std::string> words) {
  return {what + " -> " + instead, glb(with(leg_json, what, instead), float_bytes(leg_numbers())), std::move(words)};
}

// The leg with one of its numbers another.
Broken key(std::size_t which, float instead, std::vector<std::string> words) {
  std::vector<float> numbers = leg_numbers();
  numbers[which] = instead;
  return {"number " + std::to_string(which), glb(leg_json, float_bytes(numbers)), std::move(words)};
}

TEST(BrokenGltf, TheLegItselfIsFine) {
  EXPECT_EQ(error_of(leg()), "no error");
  const Expected<Content> content = read_gltf(leg(), "leg.glb");
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->notes.empty()) << content->notes[0].text;
}

TEST(BrokenGltf, RejectsAnIncompleteContainer) {
  const std::string good = leg();
  const auto put = [&](std::size_t at, std::uint32_t value) {
    std::string bytes = good;
    bytes.replace(at, 4, number_32(value));
    return bytes;
  };
  const auto json_size = static_cast<std::uint32_t>(leg_json.size() + (4 - leg_json.size() % 4) % 4);
  const std::string head = "glTF" + number_32(2);
  for (const Broken& broken : std::vector<Broken>{
           {"head only in part", good.substr(0, 11), {"broken.glb", "11 bytes", "12 bytes"}},
           {"truncated", good.substr(0, good.size() - 1), {"a complete file"}},
           {"version 1", put(4, 1), {"GLB version 1", "convert glTF 1.0"}},
           {"version 3", put(4, 3), {"GLB version 3", "version 2"}},
           {"length below the head", put(8, 3), {"length of 3 bytes"}},
           {"length of the head", put(8, 12), {"without chunks"}},
           {"length within a chunk's head", put(8, 17), {"chunk 0 at byte 12", "5 bytes"}},
           {"JSON longer than the file", put(12, 0xFFFFFFFF), {"chunk 0 at byte 12", "4294967295"}},
           {"binary longer than the file", put(20 + json_size, 1000), {"chunk 1", "1000", "at most the 96"}},
           {"binary first", head + number_32(12 + 12) + chunk("BIN\0", "abcd", '\0'), {"a chunk other than JSON"}},
           {"two JSON chunks", glb(leg_json, "", chunk("JSON", "{}", ' ')), {"a second JSON chunk"}},
           {"two binary chunks",
            glb(leg_json, "abcd", chunk("BIN\0", "abcd", '\0')),
            {"a binary chunk", "one binary chunk"}},
           {"binary after another",
            glb(leg_json, "", chunk("WHAT", "a", ' ') + chunk("BIN\0", "a", '\0')),
            {"chunk 2"}},
           {"binary shorter than the buffer",
            glb(leg_json, "abcd"),
            {"/buffers/0/byteLength", "96", "the 4 available"}},
       })
    expect_rejected(broken);
}

TEST(BrokenGltf, RejectsInvalidDocuments) {
  for (const Broken& broken : std::vector<Broken>{
           {"empty", "", {"broken.glb:1:1"}},
           {"no JSON", "BVH", {"broken.glb:1:1", "\"BVH\""}},
           {"UTF-16", std::string("\xFF\xFE{\0}\0", 6), {"UTF-16"}},
           {"a byte of 0", std::string("{\"asset\": \0}", 12), {"byte of value 0"}},
           {"an array", "[]", {"an object"}},
           {"another kind of JSON", "{\"figure\": 1}", {"no \"asset\""}},
           {"deep", std::string(100, '['), {"nested arrays and objects"}},
           {"glTF 1", "{\"asset\": {\"version\": \"1.0\"}}", {"glTF version \"1.0\"", "2.0"}},
           {"no version", "{\"asset\": {}}", {"no \"version\""}},
           {"a later glTF",
            "{\"asset\": {\"version\": \"2.1\", \"minVersion\": \"2.1\"}}",
            {"needs glTF version \"2.1\""}},
           {"no nodes", "{\"asset\": {\"version\": \"2.0\"}}", {"no nodes"}},
           {"a node that is none", "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [7]}", {"/nodes/0", "the number 7"}},
           {"nodes by name", "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": {}}", {"/nodes", "an array"}},
       })
    expect_rejected(broken);
}

TEST(BrokenGltf, RejectsNodesThatDoNotFormATree) {
  const std::string foot = R"("foot", "translation": [0, -0.5, 0])";
  for (const Broken& broken : {
           text(foot, foot + R"(, "children": [0])", {"/nodes/0", "its own ancestor"}),
           text(foot, foot + R"(, "children": [1])", {"/nodes/2/children/0", "already a child of node 0"}),
           text(foot, foot + R"(, "children": [2])", {"/nodes/2/children/0", "already a child of node 1"}),
           text(R"("children": [2])", R"("children": [2, 2])", {"/nodes/1/children/1", "already a child of node 1"}),
           text(R"("children": [2])", R"("children": [3])", {"/nodes/1/children/0", "the number 3", "from 0 to 2"}),
           text(R"("children": [2])", R"("children": [-1])", {"/nodes/1/children/0", "the number -1"}),
           text(R"("children": [2])", R"("children": [1.5])", {"/nodes/1/children/0", "the number 1.5"}),
           text(R"("children": [2])", R"("children": "foot")", {"/nodes/1/children", "an array"}),
           text(R"("scene": 0)", R"("scene": 1)", {"/scene", "the number 1", "from 0 to 0"}),
           text(R"({"nodes": [0]})", R"({"nodes": [1]})", {"/scenes/0/nodes/0", "a child of node 0"}),
           text(R"({"nodes": [0]})", R"({"nodes": [0, 0]})", {"/scenes/0/nodes/1", "twice"}),
           text(R"({"nodes": [0]})", R"({"nodes": []})", {"/scenes", "a scene without nodes"}),
           text(R"("joints": [0, 1, 2])", R"("joints": [0, 9])", {"/skins/0/joints/1", "the number 9"}),
           text(R"("joints": [0, 1, 2])", R"("joints": [])", {"/skins/0/joints", "without joints"}),
           text(foot, foot + R"(, "mesh": 0)", {"/nodes/2/mesh", "there are none"}),
           text(foot, foot + R"(, "skin": 4)", {"/nodes/2/skin", "the number 4"}),
       })
    expect_rejected(broken);
  std::string many = R"({"asset": {"version": "2.0"}, "nodes": [{})";
  for (int n = 0; n < max_joints; ++n) many += ",{}";
  expect_rejected({"too many nodes", many + "]}", {"10001 nodes", "at most 10000"}});
}

TEST(BrokenGltf, RejectsInvalidTransforms) {
  const std::string t = R"("translation": [0, 1, 0])";
  for (const Broken& broken : {
           text(t, R"("translation": [0, 1])", {"/nodes/0/translation", "an array of 2"}),
           text(t, R"("translation": [0, "1", 0])", {"/nodes/0/translation/1", "the text \"1\""}),
           text(t, R"("translation": [0, 1e999, 0])", {"1e999"}),
           text(t, R"("rotation": [0, 0, 0, 0])", {"/nodes/0/rotation", "length 0"}),
           text(t, R"("rotation": [0, 0, 1])", {"/nodes/0/rotation", "an array of 3"}),
           text(t, R"("matrix": [1, 0, 0])", {"/nodes/0/matrix", "sixteen"}),
           text(t, R"("matrix": [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1])", {"/nodes/0/matrix", "last row"}),
           text(t, R"("scale": [1, 1, 1], "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1])", {"only one of them"}),
           text(t, R"("matrix": [1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1])", {"node 'hips'", "shears"}),
           text(t, R"("scale": [1, 2, 1])", {"node 'hips'", "non-uniform scale (1, 2, 1)", "joint 'knee'"}),
           text(t, R"("scale": [-1, 1, 1])", {"node 'hips'", "reflects", "joint 'knee'"}),
           text(t, R"("scale": [0, 0, 0])", {"node 'hips'", "a scale of 0", "joint 'knee'"}),
       })
    expect_rejected(broken);
  const std::string huge = R"("scale": [1e200, 1e200, 1e200])";
  const std::string twice = with(with(leg_json, t, huge), R"("name": "knee",)", R"("name": "knee", )" + huge + ",");
  expect_rejected({"huge", glb(twice, float_bytes(leg_numbers())), {"node 'foot'", "overflows"}});
}

TEST(BrokenGltf, RejectsOffsetsOutOfRange) {
  const std::string view = R"("byteOffset": 60, "byteLength": 36})";
  const std::string accessor = R"({"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"})";
  const auto as = [&](const std::string& instead, std::vector<std::string> words) {
    return text(accessor, instead, std::move(words));
  };
  for (const Broken& broken : {
           text(view, R"("byteOffset": 61, "byteLength": 36})", {"/bufferViews/2", "bytes 61 to 97", "its 96"}),
           text(view, R"("byteOffset": -4, "byteLength": 36})", {"/bufferViews/2/byteOffset", "the number -4"}),
           text(view, R"("byteOffset": 2147483647, "byteLength": 2147483647})", {"/bufferViews/2", "its 96"}),
           text(view, R"("byteOffset": 1e300, "byteLength": 36})", {"/bufferViews/2/byteOffset", "1e+300"}),
           text(view, R"("byteOffset": 60, "byteLength": 0})", {"/bufferViews/2/byteLength", "the number 0"}),
           text(view, R"("byteOffset": 60})", {"/bufferViews/2", "no \"byteLength\""}),
           text(R"({"buffer": 0, "byteLength": 12})", R"({"buffer": 1, "byteLength": 12})", {"/bufferViews/0/buffer"}),
           text(R"({"buffer": 0, "byteLength": 12})", R"({"byteLength": 12})", {"/bufferViews/0", "no \"buffer\""}),
           text(R"([{"byteLength": 96}])", R"([{"byteLength": 99}])", {"/buffers/0/byteLength", "99", "the 96"}),
           text(R"([{"byteLength": 96}])", R"([{}])", {"/buffers/0", "no \"byteLength\""}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC4"})",
              {"/accessors/1", "4 rows that end at byte 64", "its 48"}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 2147483647, "type": "VEC4"})", {"/accessors/1"}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 0, "type": "VEC4"})", {"/accessors/1/count"}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 1e10, "type": "VEC4"})", {"/accessors/1/count"}),
           as(R"({"bufferView": 1, "byteOffset": 4, "componentType": 5126, "count": 3, "type": "VEC4"})",
              {"/accessors/1", "52"}),
           as(R"({"bufferView": 7, "componentType": 5126, "count": 3, "type": "VEC4"})", {"/accessors/1/bufferView"}),
           as(R"({"bufferView": 1, "componentType": 5124, "count": 3, "type": "VEC4"})", {"the number 5124"}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC5"})", {"/accessors/1/type", "VEC5"}),
           as(R"({"bufferView": 1, "componentType": 5126, "count": 3})", {"/accessors/1", "no \"type\""}),
           text(R"("byteOffset": 12, "byteLength": 48})", R"("byteOffset": 12, "byteLength": 48, "byteStride": 8})",
                {"/accessors/1", "16 bytes, 8 apart"}),
       })
    expect_rejected(broken);
}

TEST(BrokenGltf, RejectsInvalidSparseAccessors) {
  const auto sparse = [](const std::string& inside) {
    return text(R"("count": 3, "type": "VEC3"})", R"("count": 3, "type": "VEC3", "sparse": )" + inside + "}", {});
  };
  // Rows 0 and 1 are replaced; the indices are the bytes of the times 0 and 0.5: 0 and 0x3F000000.
  const std::string values = R"("values": {"bufferView": 1})";
  for (auto [broken, words] : std::vector<std::pair<Broken, std::vector<std::string>>>{
           {sparse(R"({"count": 2, "indices": {"bufferView": 0, "componentType": 5125}, )" + values + "}"),
            {"/animations/0/samplers/1/output", "out of order"}},
           {sparse(R"({"count": 9, "indices": {"bufferView": 0, "componentType": 5125}, )" + values + "}"),
            {"/accessors/2/sparse/count", "the number 9"}},
           {sparse(R"({"count": 1, "indices": {"bufferView": 0, "componentType": 5126}, )" + values + "}"),
            {"/accessors/2/sparse/indices/componentType"}},
           {sparse(R"({"count": 1, "indices": {"bufferView": 0, "byteOffset": 9, "componentType": 5125}, )" + values +
                   "}"),
            {"/accessors/2/sparse/indices", "byte 13"}},
           {sparse(R"({"count": 1, "indices": {"bufferView": 0, "componentType": 5125}})"), {"no \"values\""}},
           {sparse("7"), {"/accessors/2/sparse", "the number 7"}},
       }) {
    broken.words = words;
    expect_rejected(broken);
  }
}

TEST(BrokenGltf, RejectsInvalidKeys) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const Broken& broken : {
           key(1, nan, {"/animations/0/samplers/0/input", "key 1", "finite, increasing times"}),
           key(2, 0.5f, {"/animations/0/samplers/0/input", "key 2 at time 0.5 after one at 0.5"}),
           key(2, 0.25f, {"key 2 at time 0.25 after one at 0.5"}),
           key(0, -1.0f, {"key 0 at time -1"}),
           key(2, inf, {"key 2 at time inf"}),
           key(5, nan, {"/animations/0/samplers/0/output", "key 0", "not finite"}),
           key(6, 0.0f, {"/animations/0/samplers/0/output", "key 0", "length 0"}),
           key(16, inf, {"/animations/0/samplers/1/output", "key 0", "not finite"}),
       })
    expect_rejected(broken);
}

TEST(BrokenGltf, RejectsInvalidAnimations) {
  const std::string channel = R"({"sampler": 0, "target": {"node": 1, "path": "rotation"}})";
  for (const Broken& broken : {
           text(channel, R"({"sampler": 5, "target": {"node": 1, "path": "rotation"}})", {"/channels/0/sampler"}),
           text(channel, R"({"target": {"node": 1, "path": "rotation"}})", {"/channels/0", "no \"sampler\""}),
           text(channel, R"({"sampler": 0})", {"/channels/0", "no \"target\""}),
           text(channel, R"({"sampler": 0, "target": {"node": 3, "path": "rotation"}})", {"/target/node"}),
           text(channel, R"({"sampler": 0, "target": {"node": 1, "path": "color"}})", {"/target/path", "color"}),
           text(channel, R"({"sampler": 0, "target": {"node": 1}})", {"/target", "no \"path\""}),
           text(channel, R"({"sampler": 0, "target": {"node": 1, "path": "scale"}})", {"/samplers/0/output", "VEC3"}),
           text(channel, channel + "," + channel, {"/channels/1/target", "a second channel of the rotation of node 1"}),
           text(R"("LINEAR")", R"("SLERP")", {"/samplers/0/interpolation", "SLERP"}),
           text(R"("LINEAR")", R"("CUBICSPLINE")", {"/samplers/0/output", "3 values for 3 key times", "three per key"}),
           text(R"("input": 0, "output": 1)", R"("input": 1, "output": 1)", {"/samplers/0/input", "SCALAR"}),
           text(R"("input": 0, "output": 1)", R"("input": 8, "output": 1)", {"/samplers/0/input", "the number 8"}),
           text(R"("input": 0, "output": 1)", R"("output": 1)", {"/samplers/0", "no \"input\""}),
           text(R"("count": 3, "type": "VEC4")", R"("count": 2, "type": "VEC4")", {"2 values for 3 key times"}),
           text(R"("componentType": 5126, "count": 3, "type": "VEC4")",
                R"("componentType": 5122, "count": 3, "type": "VEC4")", {"/samplers/0/output", "normalized"}),
           text(R"([{"byteLength": 96}])", R"([{"byteLength": 96, "uri": "data:;base64,AAAA"}])", {"the 3 available"}),
       })
    expect_rejected(broken);
  expect_rejected(
      {"no channels",
       glb(R"({"asset": {"version": "2.0"}, "nodes": [{}], "animations": [{"channels": [], "samplers": []}]})", ""),
       {"/animations/0/channels", "without channels"}});
}

TEST(BrokenGltf, RejectsKeysWithoutBytes) {
  expect_rejected({"no binary chunk", glb(leg_json, ""), {"/animations/0/samplers/0/input", "compressed"}});
}

TEST(BrokenGltf, RejectsOutsideFilesBeforeOpeningThem) {
  std::vector<std::string> asked;
  const FileLoader load = [&](const std::string& name) -> Expected<std::string> {
    asked.push_back(name);
    return float_bytes(leg_numbers());
  };
  const auto with_uri = [](const std::string& uri) {
    return with(leg_json, R"({"byteLength": 96})", R"({"byteLength": 96, "uri": ")" + uri + "\"}");
  };
  for (const auto& [uri, word] : std::vector<std::pair<std::string, std::string>>{
           {"../leg.bin", "\\\"..\\\""},
           {"data/../../leg.bin", ".."},
           {"%2e%2e/leg.bin", ".."},
           {"..\\\\leg.bin", ".."},
           {"/etc/passwd", "relative"},
           {"\\\\\\\\server\\\\share", "relative"},
           {"%2Fetc/passwd", "relative"},
           {"C:\\\\leg.bin", "next to the document"},
           {"file:leg.bin", "next to the document"},
           {"http://example.com/leg.bin", "next to the document"},
           {"https%3A//example.com/leg.bin", "next to the document"},
           {"leg%00.bin", "a name without a zero byte"},
           {"", "the name of a file"},
           {"data:application/octet-stream,abc", "base64"},
           {"data:application/octet-stream;base64", "base64"},
           {"data:application/octet-stream;base64,AA*A", "bad base64"},
           {"data:application/octet-stream;base64,AAAAA", "bad base64"},
       }) {
    const std::string error = error_of(with_uri(uri), load);
    EXPECT_NE(error.find("/buffers/0/uri"), std::string::npos) << uri << ": " << error;
    EXPECT_NE(error.find(word.front() == '\\' ? ".." : word), std::string::npos) << uri << ": " << error;
    EXPECT_TRUE(asked.empty()) << uri;
  }
  EXPECT_EQ(error_of(with_uri("my%20data/leg..1.bin"), load), "no error");
  EXPECT_EQ(asked, std::vector<std::string>{"my data/leg..1.bin"});
  // Without a loader, and with one that finds nothing.
  EXPECT_NE(error_of(with_uri("leg.bin")).find("leg.bin"), std::string::npos);
  const FileLoader none = [](const std::string& name) -> Expected<std::string> {
    return reject(name, "no such file", "a file");
  };
  const std::string error = error_of(with_uri("leg.bin"), none);
  EXPECT_NE(error.find("/buffers/0/uri: leg.bin: found no such file"), std::string::npos) << error;
}

TEST(BrokenGltf, RejectsHugeMotions) {
  // Keys a day apart make millions of frames.
  expect_rejected(key(2, 1e9f, {"broken.glb: animation 'walk'", "1e+09 s", "24000000001 frames", "fewer frames"}));
  expect_rejected(key(2, 3e38f, {"animation 'walk'"}));
  std::vector<float> numbers = leg_numbers();
  numbers[2] = 86400.0f;
  const std::string day = glb(leg_json, float_bytes(numbers));
  EXPECT_NE(error_of(day).find("frames"), std::string::npos);
  ReadOptions slowly;
  slowly.frames_per_second = 0.1;
  const Expected<Content> content = read_gltf(day, "day.glb", slowly);
  ASSERT_TRUE(content) << content.error().text();
  EXPECT_EQ(content->clips[0].frames(), 8641);
}

TEST(BrokenGltf, RejectsInvalidOptions) {
  for (const double wrong : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    ReadOptions options;
    options.frames_per_second = wrong;
    EXPECT_FALSE(read_gltf(leg(), "leg.glb", options));
    options = {};
    options.metres_per_unit = wrong;
    EXPECT_FALSE(read_gltf(leg(), "leg.glb", options));
  }
}

// Accessors may overlap: a small file must stay small in memory.
TEST(BrokenGltf, RejectsKeysThatReadTheSameBytesTooOften) {
  constexpr int keys = 100'000, copies = 200;
  std::vector<float> times;
  for (int k = 0; k < keys; ++k) times.push_back(1e-6f * static_cast<float>(k));
  std::string accessors, samplers, channels;
  for (int c = 0; c < copies; ++c) {
    const std::string comma = c > 0 ? "," : "";
    accessors += comma + R"({"bufferView": 0, "componentType": 5126, "count": )" + std::to_string(keys) +
                 R"(, "type": "SCALAR"})";
    samplers += comma + R"({"input": )" + std::to_string(c) + R"(, "output": 0})";
    channels += comma + R"({"sampler": )" + std::to_string(c) + R"(, "target": {"node": )" + std::to_string(c) +
                R"(, "path": "weights"}})";
  }
  std::string nodes = "{}";
  for (int c = 1; c < copies; ++c) nodes += ",{}";
  const std::string json =
      R"({"asset": {"version": "2.0"}, "nodes": [)" + nodes + R"(], "animations": [{"channels": [)" + channels +
      R"(], "samplers": [)" + samplers + R"(]}], "accessors": [)" + accessors +
      R"(], "bufferViews": [{"buffer": 0, "byteLength": 400000}], "buffers": [{"byteLength": 400000}]})";
  expect_rejected({"overlap", glb(json, float_bytes(times)), {"too often"}});
}

TEST(BrokenGltf, EveryPrefixGivesAContentOrAnError) {
  const auto check = [](const std::string& bytes) {
    const Expected<Content> content = read_gltf(bytes, "prefix");
    if (!content) {
      EXPECT_FALSE(content.error().text().empty());
    }
  };
  const std::size_t stride = law::whole_or_quick(1u, 7u);
  const std::string skin = file_bytes("gltf/SimpleSkin.gltf");
  ASSERT_FALSE(skin.empty());
  for (std::size_t size = 0; size <= skin.size(); size += stride) check(skin.substr(0, size));
  for (const char* name : {"gltf/RiggedSimple.glb", "gltf/vrm1_humanoid_min.vrm"}) {
    const std::string bytes = file_bytes(name);
    for (std::size_t size = 0; size < bytes.size(); size += 13 * stride) check(bytes.substr(0, size));
  }
  // The same inside a container that says so.
  const std::string numbers = float_bytes(leg_numbers());
  for (std::size_t size = 0; size <= leg_json.size(); size += stride) check(glb(leg_json.substr(0, size), numbers));
  for (std::size_t size = 0; size <= numbers.size(); size += stride) check(glb(leg_json, numbers.substr(0, size)));
}

TEST(BrokenGltf, EveryFlippedByteGivesAContentOrAnError) {
  const std::string good = leg();
  for (std::size_t at = 0; at < good.size(); at += law::whole_or_quick(1u, 3u))
    for (const char flip : {'\x01', '\x80'}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      const Expected<Content> content = read_gltf(bytes, "flipped");
      if (!content) {
        EXPECT_FALSE(content.error().found.empty());
      } else {
        EXPECT_TRUE(write_gltf(*content, content->clips, GltfForm::text));
      }
    }
}

}  // namespace gltf_refusal_test
}  // namespace limber
