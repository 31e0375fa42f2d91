// Reach surfaces as GLB (glTF 2.0) and PLY.
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "limber/document/files.h"
#include "limber/format/gltf/gltf_bytes.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

void append_float(std::string& bytes, double value) {
  append_little_endian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

void append_vector(std::string& bytes, const Vec3& v) {
  for (int k = 0; k < 3; ++k) append_float(bytes, v[k]);
}

char as_byte(double part) {
  return static_cast<char>(static_cast<unsigned char>(255.0 * std::clamp(part, 0.0, 1.0) + 0.5));
}

// glTF colours are linear; ours are sRGB.                                                       IEC 61966-2-1
double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

}  // namespace

std::array<double, 3> reach_colour(double measure) {
  constexpr std::array<std::array<double, 3>, 3> stops = {{{0.84, 0.19, 0.15}, {0.99, 0.85, 0.45}, {0.10, 0.60, 0.31}}};
  const double at = std::isfinite(measure) ? 2.0 * std::clamp(measure, 0.0, 1.0) : 0.0;
  const std::size_t k = at < 1.0 ? 0 : 1;
  const double t = at - static_cast<double>(k);
  std::array<double, 3> mixed = {};
  for (std::size_t c = 0; c < 3; ++c) mixed[c] = (1.0 - t) * stops[k][c] + t * stops[k + 1][c];
  return mixed;
}

Expected<std::string> write_reach_glb(const ReachSurface& surface, const std::string& name) {
  const std::size_t n = surface.positions.size(), m = surface.triangles.size();
  std::string binary;
  for (const Vec3& p : surface.positions) append_vector(binary, p);
  for (const Vec3& v : surface.normals) append_vector(binary, v);
  for (const double value : surface.values) {
    for (const double c : reach_colour(value)) binary += as_byte(linear(c));
    binary += as_byte(1.0);
  }
  for (const auto& triangle : surface.triangles)
    for (const int v : triangle) append_little_endian(binary, static_cast<std::uint32_t>(v));

  Json json;
  json["asset"] = {{"version", "2.0"}, {"generator", "Limber"}};
  json["scene"] = 0;
  json["scenes"] = {{{"name", on_one_line(name)}, {"nodes", n == 0 ? Json::array() : Json{0}}}};
  if (n > 0) {
    json["nodes"] = {{{"name", on_one_line(name)}, {"mesh", 0}}};
    json["materials"] = {{{"name", "reach"},
                          {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}},
                          {"doubleSided", true}}};
    json["meshes"] = {
        {{"primitives",
          {{{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"COLOR_0", 2}}}, {"indices", 3}, {"material", 0}}}}}};
    Vec3 min = surface.positions.front(), max = min;
    for (const Vec3& p : surface.positions) {
      min = min.cwiseMin(p);
      max = max.cwiseMax(p);
    }
    const auto as_floats = [](const Vec3& v) {
      return Json{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
    };
    constexpr int float32 = 5126, uint8 = 5121, uint32 = 5125, vertices = 34962, indices = 34963;
    json["accessors"] = {
        {{"bufferView", 0},
         {"componentType", float32},
         {"count", n},
         {"type", "VEC3"},
         {"min", as_floats(min)},
         {"max", as_floats(max)}},
        {{"bufferView", 1}, {"componentType", float32}, {"count", n}, {"type", "VEC3"}},
        {{"bufferView", 2}, {"componentType", uint8}, {"normalized", true}, {"count", n}, {"type", "VEC4"}},
        {{"bufferView", 3}, {"componentType", uint32}, {"count", 3 * m}, {"type", "SCALAR"}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 12 * n}, {"target", vertices}},
                           {{"buffer", 0}, {"byteOffset", 12 * n}, {"byteLength", 12 * n}, {"target", vertices}},
                           {{"buffer", 0}, {"byteOffset", 24 * n}, {"byteLength", 4 * n}, {"target", vertices}},
                           {{"buffer", 0}, {"byteOffset", 28 * n}, {"byteLength", 12 * m}, {"target", indices}}};
    json["buffers"] = {{{"byteLength", binary.size()}}};
  }
  return joined_glb(json.dump(-1, ' ', false, Json::error_handler_t::replace), std::move(binary), {});
}

std::string write_reach_ply(const ReachSurface& surface) {
  std::string bytes =
      "ply\nformat binary_little_endian 1.0\ncomment Limber: a surface of reach, metres, Y up\n"
      "element vertex " +
      std::to_string(surface.positions.size()) +
      "\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float "
      "nz\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float quality\nelement face " +
      std::to_string(surface.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (std::size_t k = 0; k < surface.positions.size(); ++k) {
    append_vector(bytes, surface.positions[k]);
    append_vector(bytes, surface.normals[k]);
    for (const double c : reach_colour(surface.values[k])) bytes += as_byte(c);
    append_float(bytes, surface.values[k]);
  }
  for (const auto& triangle : surface.triangles) {
    bytes += '\3';
    for (const int v : triangle) append_little_endian(bytes, static_cast<std::uint32_t>(v));
  }
  return bytes;
}

}  // namespace limber
