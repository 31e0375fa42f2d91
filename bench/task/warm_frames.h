// Every recorded frame with the solution 1/30 s before as its start, as four interleaved trackers would produce it.
#pragma once

#include <vector>

#include "bench/task/task.h"
#include "limber/motion/track/track.h"

namespace limber::bench {

struct WarmFrames {
  MatX starts;              // one column per frame
  std::vector<Goal> goals;  // one per constraint, frame by frame
};

WarmFrames warm_frames(const Recorded& motion, Tracker& tracker);

}  // namespace limber::bench
