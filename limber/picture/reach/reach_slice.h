// Slices through a map of reach as an SVG: three panels, across x, y and z through one point.
//
// What is reached is filled, the darker the deeper it lies in the set, or in the colours of a measure from red (0) over
// yellow to green (1); the outline is that of the surface, cut by the plane; behind it the figure as lines from joint
// to joint. Obstacles are brown where the plane cuts them. All panels have one scale.
#pragma once

#include <string>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/obstacle/obstacle.h"
#include "limber/reach/grid.h"
#include "limber/reach/reach_map.h"
#include "limber/reach/surface.h"

namespace limber {

struct SliceOptions {
  Vec3 through = Vec3::Zero();
  std::string title = "Reach";
  PoseMeasure measure = {};  // of the pose that reaches a cell, 0 to 1; none: the depth
  std::string measure_name = {};
  std::vector<Obstacle> obstacles = {};
};

std::string draw_reach_slices(const ReachMap& map, const ReachSurface& surface, const Figure& figure, const Pose& pose,
                              const SliceOptions& options);

}  // namespace limber
