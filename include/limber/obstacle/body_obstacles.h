// Another figure as an obstacle: the capsules of its segments, where its pose has them.
//
//   problem.add_clearance({.capsules = capsules_of(one), .obstacles = *body_obstacles("other", other, pose, at_side)});
//
// It stands still. Each capsule is an obstacle of its own, called after the body and the segment: "other/right_hand".
#pragma once

#include <string>
#include <vector>

#include "limber/obstacle/figure_capsules.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// X_world_body is where the body's own world stands. Rejected: a pose that is not one of the figure, a frame that does
// not turn rightly, and a figure that has no capsules.
Expected<std::vector<Obstacle>> body_obstacles(const std::string& name, const Figure& figure, const Pose& pose,
                                               const Frame& X_world_body = {});

}  // namespace limber
