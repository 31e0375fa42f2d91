// Broad and narrow phase: the capsules of a body against obstacles, each other, and those of another body.
//
// The clearance is the gap of the cores minus the radii; a negative one is a depth. A gap is computed only if the
// bounding boxes are nearer than the given distance, so no near pair is missed. A few nanoseconds per pair of boxes; no
// allocation once the output list is large enough.
//
//   NearFinder finder(capsules_of(figure), pairs_to_check(figure, capsules_of(figure)));
//   finder.place(state);
//   finder.find(obstacles, 0.05, near);       // all nearer than 5 cm
//
// A near pair gives its derivatives: for the ends a, b of the capsule's core in the world (core()),
//
//   ∂clearance/∂a = (1 - t) slope n,   ∂clearance/∂b = t slope n,
//
// and, for the ends c, d of the other capsule's core, ∂clearance/∂c = -(1 - s) n and ∂clearance/∂d = -s n.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/check.h"

namespace limber {

class NearFinder {
 public:
  NearFinder(std::vector<SegmentCapsule> capsules, std::vector<CapsulePair> pairs);

  // Places the capsules; call before find().
  void place(const Kinematics& state);

  // All pairs with a clearance below `within`: obstacles by capsule, then pairs, in the order of the lists.
  void find(const Obstacles& obstacles, double within, std::vector<NearPair>& out) const;
  // The same against the capsules of another body, without the pairs.
  void find(const NearFinder& other, double within, std::vector<NearPair>& out) const;

  const std::vector<SegmentCapsule>& capsules() const { return capsules_; }
  const std::vector<CapsulePair>& pairs() const { return pairs_; }
  const Capsule& core(int capsule) const { return world_[static_cast<std::size_t>(capsule)]; }  // in the world

 private:
  void examine(int first_index, const Capsule& second, int second_index, double slack, double within,
               std::vector<NearPair>& out) const;

  std::vector<SegmentCapsule> capsules_;
  std::vector<CapsulePair> pairs_;
  std::vector<Capsule> world_;
  std::vector<BoundingBox> bounds_;
};

}  // namespace limber
