// Obstacles and clearance constraints of a scene as JSON. For the files of this folder.
#pragma once

#include "limber/document/scene/scene.h"
#include "limber/format/figure/figure_json.h"

namespace limber {

// Notes what is wrong, also what obstacle/ would reject. Of a figure the pose is left to the caller.
SceneObstacle read_scene_obstacle(const JsonValue& value, const FigureLoader& load);
void write_scene_obstacle(JsonWriter& out, const SceneObstacle& obstacle);

SceneClearance read_scene_clearance(const JsonValue& value, const Scene& scene);
void write_scene_clearance(JsonWriter& out, const SceneClearance& clearance, const Figure& figure);

}  // namespace limber
