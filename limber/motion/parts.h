// Where a motion jumps, as from a T-pose to the recording after it: some place moves faster than a person can, and much
// faster than just before and after. Private to motion/.
#pragma once

#include <vector>

#include "limber/motion/clip.h"

namespace limber {

// Frames first … last, both included.
struct ClipPart {
  int first, last;
};

// The parts between jumps, all frames of the motion.
std::vector<ClipPart> parts_of(const Figure& figure, const Clip& clip);

// The number of frames at the start that are no motion: a still pose before a jump. Never all.
int still_start(const Figure& figure, const Clip& clip);

}  // namespace limber
