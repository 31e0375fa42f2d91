// The parts of a glTF document, read from its JSON with every index and offset checked. The first mistake is the
// document's error. Private to the reader of glTF.
#pragma once

#include <string_view>
#include <vector>

#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/json.h"

namespace limber {

// The elements of the array under `key`; none where there is no such key.
std::vector<JsonValue> elements(const JsonValue& object, std::string_view key);

// An index into an array of `size` things; 0 and a noted error where it is none. `thing`: "node".
int index_of(const JsonValue& value, std::size_t size, const char* thing);

// Buffers and accessors. `binary` is the chunk of a GLB.
void read_data(JsonDocument& document, const std::string_view* binary, const FileLoader& load, GltfAsset& asset,
               std::vector<Note>& notes);

// Animations, after the nodes.
void read_animations(JsonDocument& document, GltfAsset& asset, std::vector<Note>& notes);

// A quaternion shorter than this has no direction.
inline constexpr double min_quaternion = 1e-6;

// Notes something at a value. A place costs a walk over the text, so only the first of many notes have one.
void add_note(std::vector<Note>& notes, const JsonValue& value, std::string text);

}  // namespace limber
