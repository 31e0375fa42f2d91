// The goals and pulls of a scene as JSON. For the files of this folder.
#pragma once

#include "limber/document/scene/scene.h"
#include "limber/format/figure/figure_json.h"

namespace limber {

// Notes what is wrong, also what goal/ would reject.
SceneGoal read_scene_goal(const JsonValue& value);
void write_scene_goal(JsonWriter& out, const SceneGoal& goal);

inline const char* name_of(ScenePull::Towards towards) {
  switch (towards) {
    case ScenePull::Towards::rest:
      return "rest";
    case ScenePull::Towards::middle:
      return "middle";
    case ScenePull::Towards::start:
      return "start";
    case ScenePull::Towards::comfort:
      return "comfort";
    case ScenePull::Towards::pose:
      break;
  }
  return "pose";
}

}  // namespace limber
