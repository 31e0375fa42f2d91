// Small glTF documents for the tests: a leg of three joints with an animation, and the means to put documents together
// and to break them.
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "limber/format/gltf/gltf.h"
#include "tests/support/tree.h"

namespace limber {

inline std::string file_bytes(const std::string& path) {
  std::ifstream stream(source_dir() + "/data/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string number_32(std::uint32_t value) {
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xFF);
  return bytes;
}

inline std::string float_bytes(const std::vector<float>& values) {
  std::string bytes;
  for (const float x : values) bytes += number_32(std::bit_cast<std::uint32_t>(x));
  return bytes;
}

inline std::string chunk(const char* kind, std::string bytes, char filler) {
  while (bytes.size() % 4 != 0) bytes += filler;
  return number_32(static_cast<std::uint32_t>(bytes.size())) + std::string(kind, 4) + bytes;
}

inline std::string glb(const std::string& json, const std::string& binary, const std::string& others = {}) {
  std::string chunks = chunk("JSON", json, ' ');
  if (!binary.empty()) chunks += chunk("BIN\0", binary, '\0');
  chunks += others;
  return "glTF" + number_32(2) + number_32(static_cast<std::uint32_t>(12 + chunks.size())) + chunks;
}

// `what` stands there once.
inline std::string with(std::string text, std::string_view what, std::string_view instead) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) return "the test itself is broken: no " + std::string(what);
  return text.replace(at, what.size(), instead);
}

// Keys at 0, 0.5 and 1 s: the knee turns about x by 0, a quarter and a half turn; the hips rise by 0, 1 and 3.
inline const std::string leg_json =
    R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"name": "hips", "children": [1], "translation": [0, 1, 0]},
           {"name": "knee", "children": [2], "translation": [0, -0.5, 0]},
           {"name": "foot", "translation": [0, -0.5, 0]}],
 "skins": [{"joints": [0, 1, 2]}],
 "animations": [{"name": "walk",
   "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 0, "path": "translation"}}],
   "samplers": [{"input": 0, "output": 1, "interpolation": "LINEAR"}, {"input": 0, "output": 2}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
               {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"},
               {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"}],
 "bufferViews": [{"buffer": 0, "byteLength": 12}, {"buffer": 0, "byteOffset": 12, "byteLength": 48},
                 {"buffer": 0, "byteOffset": 60, "byteLength": 36}],
 "buffers": [{"byteLength": 96}]})";

inline std::vector<float> leg_numbers() {
  const float h = 0.70710678f;
  return {0, 0.5f, 1, /**/ 0, 0, 0, 1, h, 0, 0, h, 1, 0, 0, 0, /**/ 0, 1, 0, 0, 2, 0, 0, 4, 0};
}

inline std::string leg() { return glb(leg_json, float_bytes(leg_numbers())); }

}  // namespace limber
