// The regions of a scene as JSON and as goals. For the files of this folder.
#pragma once

#include "limber/document/scene/scene_goal.h"

namespace limber {

SceneRegion read_scene_region(const JsonValue& value, SceneRegion::Side side);
void write_scene_region(JsonWriter& out, const SceneRegion& region);
Goal goal_of_region(const SceneRegion& region);
void move_region(SceneRegion& region, const PointMap& by);

// {"p": …, "v": …}
template <class T>
T read_point_and_vector(const JsonValue& value) {
  if (!value.object({"p", "v"})) return {};
  return {value["p"].vector(), value["v"].direction()};
}
inline void write_point_and_vector(JsonWriter& out, const Vec3& p, const Vec3& v) {
  out.begin_object().member("p", p).key("v").direction(v).end();
}

}  // namespace limber
