// The motion of the ground under a figure that walks on the spot, as on a treadmill or in a clip for a game, where the
// program moves the figure. Private to motion/.
//
// A standing foot moves with the ground. The horizontal velocities u of the feet while they are low are points of the
// plane; most of them lie around the velocity v of the ground. v is the centre of the densest disc
//
//   |u - v| <= r,      r = max(enter_speed, spread |v|)
//
// and 0 unless the figure stays where it is, both feet take part, and the disc has twice as many frames as the one
// around 0: one who stands, or walks over the ground, does so on a ground at rest.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

struct GroundSearch {
  double low_height;   // above the lowest height of a place, in metres
  double enter_speed;  // metres per second
  double window;       // seconds, over which speeds are measured
  double frame_time;
};

// `feet` by side, then place: their positions by frame; `middle` is that of the figure.
Vec3 ground_velocity(const std::vector<std::vector<std::vector<Vec3>>>& feet, const std::vector<Vec3>& middle,
                     const GroundSearch& search);

}  // namespace limber
