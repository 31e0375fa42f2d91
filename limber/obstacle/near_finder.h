// What is near a body: its capsules against obstacles, against each other, and against those of another body.
//
// The clearance of two skins is the gap of their cores minus the radii; below 0 it is a depth. Each capsule and each
// obstacle has a box around it, and only where boxes are nearer than what is asked for is a gap computed. Boxes hold
// what they are around, so nothing near is missed. A few nanoseconds a pair of boxes; no memory once the list of
// answers is large enough.
//
//   NearFinder finder(capsules_of(figure), pairs_to_check(figure, capsules_of(figure)));
//   finder.place(state);
//   finder.find(obstacles, 0.05, near);       // what is nearer than 5 cm
//
// One that is near says how it depends on the body: with the ends a, b of its core in the world (core()),
//
//   ∂clearance/∂a = (1 - t) slope n,   ∂clearance/∂b = t slope n,
//
// and of a pair, for the ends c, d of the other core, ∂clearance/∂c = -(1 - s) n and ∂clearance/∂d = -s n.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/near.h"

namespace limber {

class NearFinder {
 public:
  NearFinder(std::vector<SegmentCapsule> capsules, std::vector<CapsulePair> pairs);

  // Where the capsules are. Before that, all are nowhere and nothing is near.
  void place(const Kinematics& state);

  // All with a clearance below `within`: obstacles by capsule, then pairs, in the order of the lists.
  void find(const Obstacles& obstacles, double within, std::vector<NearPair>& out) const;
  // The same against the capsules of another body, without the pairs.
  void find(const NearFinder& other, double within, std::vector<NearPair>& out) const;

  const std::vector<SegmentCapsule>& capsules() const { return capsules_; }
  const std::vector<CapsulePair>& pairs() const { return pairs_; }
  const Capsule& core(int capsule) const { return world_[static_cast<std::size_t>(capsule)]; }  // in the world

 private:
  void look_at(int capsule, const Capsule& other, int other_capsule, double slack, double within,
               std::vector<NearPair>& out) const;

  std::vector<SegmentCapsule> capsules_;
  std::vector<CapsulePair> pairs_;
  std::vector<Capsule> world_;
  std::vector<BoundingBox> bounds_;
};

}  // namespace limber
