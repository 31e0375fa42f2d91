#include "limber/format/gltf/gltf_bytes.h"

#include <algorithm>
#include <array>

#include "limber/format/text/path.h"
#include "limber/format/text/text.h"

namespace limber {

namespace {

constexpr std::string_view magic = "glTF";
constexpr std::size_t header_size = 12;       // magic, version, length
constexpr std::size_t chunk_header_size = 8;  // length, kind
constexpr std::uint32_t json_chunk = 0x4E4F534A;
constexpr std::uint32_t binary_chunk = 0x004E4942;

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool is_glb(std::string_view bytes) { return bytes.starts_with(magic); }

Expected<Glb> split_glb(std::string_view bytes, const std::string& file_name) {
  const auto bytes_of = [](std::size_t count) { return std::to_string(count) + " bytes"; };
  if (bytes.size() < header_size) return reject(file_name, bytes_of(bytes.size()), "the 12 bytes of a GLB header");
  const std::uint32_t version = little_endian_32(bytes.data() + 4);
  if (version != 2)
    return reject(file_name, "GLB version " + std::to_string(version),
                  version == 1 ? "version 2: convert glTF 1.0 to 2.0 first" : "version 2");
  const std::size_t length = little_endian_32(bytes.data() + 8);
  if (length > bytes.size())
    return reject(file_name, bytes_of(bytes.size()),
                  "the " + bytes_of(length) + " given in the GLB header: a complete file");
  if (length < header_size)
    return reject(file_name, "a GLB length of " + bytes_of(length), "at least the 12 of its header");

  Glb glb;
  if (length < bytes.size())
    glb.notes.push_back({bytes_of(bytes.size() - length) + " after the end of the GLB are ignored"});
  for (std::size_t at = header_size, chunk = 0; at < length; ++chunk) {
    const std::string where = file_name + ": chunk " + std::to_string(chunk) + " at byte " + std::to_string(at);
    if (length - at < chunk_header_size) return reject(where, bytes_of(length - at), "the 8 bytes of a chunk header");
    const std::size_t size = little_endian_32(bytes.data() + at);
    const std::uint32_t kind = little_endian_32(bytes.data() + at + 4);
    const std::size_t remaining = length - at - chunk_header_size;
    if (size > remaining)
      return reject(where, "a chunk of " + bytes_of(size), "at most the " + std::to_string(remaining) + " remaining");
    const std::string_view content = bytes.substr(at + chunk_header_size, size);
    if ((kind == json_chunk) != (chunk == 0))
      return reject(where, chunk == 0 ? "a chunk other than JSON" : "a second JSON chunk", "one JSON chunk, the first");
    if (kind == binary_chunk && chunk != 1)
      return reject(where, "a binary chunk", "one binary chunk, right after the JSON chunk");
    if (size % 4 != 0)
      glb.notes.push_back({"chunk " + std::to_string(chunk) + " is not padded to a multiple of 4 bytes"});
    if (kind == json_chunk)
      glb.json = content.substr(0, content.find_last_not_of('\0') + 1);  // some pad with zeros
    else if (kind == binary_chunk)
      glb.binary = content;
    else if (glb.others.empty())
      glb.others = bytes.substr(at, length - at);
    at += chunk_header_size + size;
  }
  if (length == header_size) return reject(file_name, "a GLB without chunks", "a JSON chunk");
  return glb;
}

Expected<std::string> joined_glb(std::string json, std::string binary, std::string_view others) {
  pad_to_four(json, ' ');
  pad_to_four(binary);
  const std::size_t binary_size = binary.empty() ? 0 : chunk_header_size + binary.size();
  const std::size_t length = header_size + chunk_header_size + json.size() + binary_size + others.size();
  if (length > 0xFFFFFFFFu)
    return reject("GLB", std::to_string(length) + " bytes", "at most 4294967295, the limit of its header");
  std::string bytes(magic);
  bytes.reserve(length);
  append_little_endian(bytes, 2);
  append_little_endian(bytes, static_cast<std::uint32_t>(length));
  append_little_endian(bytes, static_cast<std::uint32_t>(json.size()));
  append_little_endian(bytes, json_chunk);
  bytes += json;
  if (!binary.empty()) {
    append_little_endian(bytes, static_cast<std::uint32_t>(binary.size()));
    append_little_endian(bytes, binary_chunk);
    bytes += binary;
  }
  bytes += others;
  return bytes;
}

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::array<int, 256> value_of = [] {
    std::array<int, 256> table{};
    table.fill(-1);
    for (std::size_t k = 0; k < base64_digits.size(); ++k)
      table[static_cast<unsigned char>(base64_digits[k])] = static_cast<int>(k);
    return table;
  }();
  for (int k = 0; k < 2 && text.ends_with('='); ++k) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const int value = value_of[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes += static_cast<char>(bits >> bit_count & 0xFF);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? base64_digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string data_uri(std::string_view bytes) { return "data:application/octet-stream;base64," + to_base64(bytes); }

Expected<std::string> file_of_uri(std::string_view uri) {
  const auto invalid = [&](std::string expected) {
    return reject("", "the URI " + in_quotes(uri), std::move(expected));
  };
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const int high = i + 2 < uri.size() && uri[i] == '%' ? hexadecimal(uri[i + 1]) : -1;
    const int low = high >= 0 ? hexadecimal(uri[i + 2]) : -1;
    path += low >= 0 ? static_cast<char>(16 * high + low) : uri[i];
    if (low >= 0) i += 2;
  }
  for (const std::string_view text : {std::string_view(path), uri})
    if (const std::optional<std::string_view> expected = wrong_with_path(text)) return invalid(std::string(*expected));
  for (const char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return invalid("a name without control characters");
  return path;
}

}  // namespace limber
