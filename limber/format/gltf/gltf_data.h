// The parts of a glTF document, read from its JSON with every index and offset checked. The first error is stored in
// the document. Private to the glTF reader.
#pragma once

#include <string_view>
#include <vector>

#include "limber/format/gltf/gltf_asset.h"
#include "limber/format/text/json.h"

namespace limber {

// The elements of the array under `key`; empty without such a key.
std::vector<JsonValue> elements(const JsonValue& object, std::string_view key);

// An index into an array of `size` things; 0 and an error if invalid. `thing`: "node".
int index_of(const JsonValue& value, std::size_t size, const char* thing);

// Buffers and accessors. `binary` is the chunk of a GLB.
void read_data(JsonDocument& document, const std::string_view* binary, const FileLoader& load, GltfAsset& asset,
               std::vector<Note>& notes);

// Animations, after the nodes.
void read_animations(JsonDocument& document, GltfAsset& asset, std::vector<Note>& notes);

// Shorter quaternions have no direction.
inline constexpr double min_quaternion = 1e-6;

// Adds a note at a value. A place has linear cost, so only the first notes have one.
void add_note(std::vector<Note>& notes, const JsonValue& value, std::string text);

}  // namespace limber
