// Another figure as an obstacle: the capsules of its segments in a fixed pose.
//
//   const std::vector<Obstacle> body = *body_obstacles("other", other, pose, frame);
//   problem.add_clearance({.capsules = capsules_of(figure), .obstacles = body});
//
// It does not move. Each capsule is a separate obstacle, named after the body and the segment: "other/right_hand".
#pragma once

#include <string>
#include <vector>

#include "limber/obstacle/figure_capsules.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// X_world_body places the body's own world frame. Rejected: a pose that does not fit the figure, a frame that is not a
// rotation, and a figure without capsules.
Expected<std::vector<Obstacle>> body_obstacles(const std::string& name, const Figure& figure, const Pose& pose,
                                               const Frame& X_world_body = {});

}  // namespace limber
