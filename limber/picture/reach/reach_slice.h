// Slices through a reach map as an SVG: three panels, normal to x, y and z, through one point.
//
// Reached cells are filled, darker with depth below the boundary, or in the colours of a measure from red (0) over
// yellow to green (1); the outline is the section of the surface; behind it the figure as lines from joint to joint.
// Sections of obstacles are brown. All panels have the same scale.
#pragma once

#include <string>
#include <vector>

#include "limber/figure/figure.h"
#include "limber/obstacle/obstacle.h"
#include "limber/reach/reach_map.h"
#include "limber/reach/summary.h"

namespace limber {

struct SliceOptions {
  Vec3 through = Vec3::Zero();
  std::string title = "Reach";
  PoseMeasure measure = {};  // of the pose that reaches a cell, 0 to 1; default: the depth
  std::string measure_name = {};
  std::vector<Obstacle> obstacles = {};
};

std::string draw_reach_slices(const ReachMap& map, const ReachSurface& surface, const Figure& figure, const Pose& pose,
                              const SliceOptions& options);

}  // namespace limber
