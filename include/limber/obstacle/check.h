// The exact check after a solve: which segments overlap an obstacle or each other, and how deep.
//
// It examines every pair that near_finder.h finds, so every clearance below the margin is reported. Of the capsules of
// a segment only the deepest is listed.
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/near.h"

namespace limber {

struct Penetration {
  int segment = 0;
  int other_segment = no_index;  // of a pair
  int obstacle = no_index;
  double clearance = 0.0;  // below the margin; a negative one is a depth
  NearPair where;
  std::string text;  // "left_forearm is 0.012 m inside table", "left_hand is 0.003 m from left_thigh"
};

struct Penetrations {
  std::vector<Penetration> list;  // deepest first

  bool empty() const { return list.empty(); }
  // The minimum clearance in the list; infinity if empty.
  double min_clearance() const { return list.empty() ? infinity : list.front().clearance; }
};

// All clearances below the margin. `state` is the forward kinematics of the figure.
Penetrations penetrations(const Figure& figure, const Kinematics& state, const std::vector<SegmentCapsule>& capsules,
                          const Obstacles& obstacles, const std::vector<CapsulePair>& pairs, double margin = 0.0);

// Between two figures.
struct PlacedFigure {
  const Figure& figure;
  const Kinematics& state;
  const std::vector<SegmentCapsule>& capsules;
};
Penetrations penetrations(const PlacedFigure& first, const PlacedFigure& second, double margin = 0.0);

}  // namespace limber
