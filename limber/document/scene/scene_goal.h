// The goals and pulls of a scene as JSON. For the documents.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "limber/document/scene/scene.h"
#include "limber/format/figure/figure_json.h"

namespace limber {

// Also notes as an error what goal/ would reject.
SceneGoal read_scene_goal(const JsonValue& value);
void write_scene_goal(JsonWriter& out, const SceneGoal& goal);

// The goal with all its points and vectors moved.
struct PointMap {
  std::function<Vec3(const Vec3&)> point;
  std::function<Vec3(const Vec3&)> vector;
};
SceneGoal moved(SceneGoal goal, const PointMap& by);
SceneOrientation moved(SceneOrientation goal, const PointMap& by);

// A key of a goal, and the members of its value where that is an object; those of a region are not listed.
struct SceneGoalKey {
  std::string_view key;
  std::span<const std::string_view> members;
};
std::vector<SceneGoalKey> scene_goal_keys();

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
