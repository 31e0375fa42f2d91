// The goals of a scene as JSON. For the files of this folder.
#pragma once

#include "limber/format/scene.h"

namespace limber {

// Notes what is wrong, also what goal/ would refuse.
SceneGoal read_scene_goal(const JsonValue& value);
void write_scene_goal(JsonWriter& out, const SceneGoal& goal);

}  // namespace limber
