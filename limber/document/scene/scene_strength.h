// Strength limits of a scene as JSON. For the files of this folder.
#pragma once

#include "limber/document/scene/scene.h"
#include "limber/format/text/json.h"

namespace limber {

SceneStrength read_scene_strength(const JsonValue& value, const Scene& scene);
void write_scene_strength(JsonWriter& out, const SceneStrength& strength);

}  // namespace limber
