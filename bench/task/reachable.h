// Goals that can be reached, and the share of them that a solve without any options leaves unmet.
#pragma once

#include <string>
#include <vector>

#include "bench/task/task.h"

namespace limber::bench {

// The end effectors of a figure: below each segment that turns and below which nothing turns, and on each segment that
// slides, the farthest place. At least two degrees of freedom move it, without those of the root.
std::vector<std::string> ends_of(const Figure& figure);

// Processor time of solves in microseconds, and how many of them left a goal unmet, by plain forward kinematics.
struct Reached {
  std::vector<double> times = {};
  int unmet = 0;
};
// The row with the columns of a result appended.
BenchRow with_reached(BenchRow row, const Reached& reached);

// Goals from `count` random poses within the limits: each end alone and all at once, as positions and as placements,
// with the root free and given; then goals that no pose can reach.
std::vector<BenchRow> rows_of_random_poses(const std::string& name, const Figure& figure, int count);

// A motion tracked by all ends of its figure, each frame from the one before.
std::vector<BenchRow> rows_of_motion(const std::string& name, const Figure& figure, const Clip& clip, int max_frames);

}  // namespace limber::bench
