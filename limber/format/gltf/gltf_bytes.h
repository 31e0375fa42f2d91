// The bytes around a glTF document: the GLB container, base64, and the names of the files that it refers to.
//
// GLB: "glTF", version, length; then chunks of length, kind, bytes: first the JSON text, then the binary buffer, then
// others. All numbers are 32-bit little-endian.                                           glTF 2.0, section 4.4
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

inline std::uint32_t little_endian_32(const char* at) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(at[k]);
  return value;
}

inline std::uint16_t little_endian_16(const char* at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(at[0]) | static_cast<unsigned char>(at[1]) << 8);
}

inline void append_little_endian(std::string& bytes, std::uint32_t value, int width = 4) {
  for (int k = 0; k < width; ++k) bytes += static_cast<char>(value >> 8 * k & 0xFF);
}

// Pads with `filler` to a multiple of four bytes.
inline void pad_to_four(std::string& bytes, char filler = '\0') { bytes.append((4 - bytes.size() % 4) % 4, filler); }

struct Glb {
  std::string_view json;
  std::optional<std::string_view> binary = {};
  std::string_view others = {};  // the remaining chunks, unchanged
  std::vector<Note> notes = {};
};

bool is_glb(std::string_view bytes);
Expected<Glb> split_glb(std::string_view bytes, const std::string& file_name);
// Rejects a length beyond 32 bits.
Expected<std::string> joined_glb(std::string json, std::string binary, std::string_view others);

// Nothing if a character is not base64. The padding may be missing.
std::optional<std::string> from_base64(std::string_view text);
std::string to_base64(std::string_view bytes);
std::string data_uri(std::string_view bytes);  // in base64

// The file of a URI: relative, percent-decoded. Rejects paths outside the document's folder: a scheme, an absolute
// path, "..". The caller adds the place to the error.
Expected<std::string> file_of_uri(std::string_view uri);

}  // namespace limber
