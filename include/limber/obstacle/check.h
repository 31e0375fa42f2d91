// The exact check after a solve: which segments are in an obstacle or in each other, and how deep.
//
// It looks at everything that near_finder.h calls near, so nothing that is nearer than the margin goes unnamed. Of the
// capsules of one segment the deepest speaks for it.
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
  double clearance = 0.0;  // below the margin; below 0 it is a depth
  NearPair where;
  std::string text;  // "left_forearm is 0.012 m inside table", "left_hand is 0.003 m from left_thigh"
};

struct Penetrations {
  std::vector<Penetration> list;  // the deepest first

  bool empty() const { return list.empty(); }
  // The least clearance in the list; infinity if there is none.
  double least() const { return list.empty() ? infinity : list.front().clearance; }
};

// All clearances below the margin. `state` is the figure's, all segments placed.
Penetrations penetrations(const Figure& figure, const Kinematics& state, const std::vector<SegmentCapsule>& capsules,
                          const Obstacles& obstacles, const std::vector<CapsulePair>& pairs, double margin = 0.0);

// Of one figure with another.
struct PlacedFigure {
  const Figure& figure;
  const Kinematics& state;
  const std::vector<SegmentCapsule>& capsules;
};
Penetrations penetrations(const PlacedFigure& one, const PlacedFigure& other, double margin = 0.0);

}  // namespace limber
