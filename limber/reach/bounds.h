// Bounds of a point of a figure over all poses within the limits: proofs for a reach map.
//
// Two kinds of anchor fix the figure in space. The world: the regions of enclosure.h from the handle to the root, with
// parameters that no constraint moves held constant. A pin: a hard constraint on the position p of a point of the
// figure. The path from the pinned point to the handle leads up the tree and down again, and bounds the distance from p
// on both sides; this bounds a figure with a free root and its feet on the ground.
//
// The box of limits is halved repeatedly, where it reduces the region most; the handle is in one of the parts. A point
// in no part is out of reach. Limit rows are not used: they only reduce the set.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/reach/enclosure.h"
#include "limber/reach/reach_map.h"

namespace limber {

class ReachBounds {
 public:
  // The handle is a point of a segment, or begins with one; a difference is unbounded. Parameters that are not in
  // `variables` keep their values of the pose. met_metres: tolerance of a met pin.
  ReachBounds(const Problem& problem, const Pose& pose, const Element& handle, std::span<const int> variables,
              double met_metres);

  // Proved out of reach, by more than `slack`.
  bool excludes(const Vec3& x, double slack) const;

  // A box with all points that are not excluded; nothing if unbounded.
  using Box = ReachBox;
  std::optional<Box> box() const;

  // The world's first, then one list per pin; unbounded ones are omitted.
  const std::vector<std::vector<Enclosure>>& anchors() const { return anchors_; }

 private:
  std::vector<std::vector<Enclosure>> anchors_;
};

}  // namespace limber
