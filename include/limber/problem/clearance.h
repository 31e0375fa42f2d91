// A clearance constraint: capsules around the segments of a figure, against obstacles and against each other.
//
//   gap_p(θ) >= margin   for every pair p of a capsule and an obstacle, or of two capsules
//
// where gap_p is the distance between the cores less the radii (obstacle/gap.h).
#pragma once

#include <vector>

#include "limber/obstacle/figure_capsules.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

struct Clearance {
  std::vector<SegmentCapsule> capsules;
  std::vector<Obstacle> obstacles;
  std::vector<CapsulePair> pairs;  // of capsules that keep clear of each other
  double margin = 0.0;             // in metres
};

}  // namespace limber
