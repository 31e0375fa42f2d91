// Where a point of a figure cannot be, whatever its joints do within their limits: proofs for a map of reach.
//
// Two kinds of place hold the figure fast. The world: the regions of enclosure.h from the handle down to the root,
// where parameters that no constraint moves stand still. A pin: a constraint that must be met and asks a point of the
// figure to be at p. The way from the pinned point to the handle leads up the tree and down again, and bounds the
// distance from p on both sides; that is what bounds a figure with a free root and its feet on the ground.
//
// The limits' box is halved again and again, always where it makes the region smallest; the handle is in one of the
// parts. A point that no part holds is out of reach. Limit rows are not used: they only make the set smaller.
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
  // The handle is a point of a segment, or begins with one; a difference is bounded by nothing. Parameters that are not
  // among `variables` keep the value they have in the pose. met_metres: how far off a met pin may be.
  ReachBounds(const Problem& problem, const Pose& pose, const Element& handle, std::span<const int> variables,
              double met_metres);

  // Certainly out of reach, by more than `slack`.
  bool excludes(const Vec3& x, double slack) const;

  // A box with all points that are not excluded; nothing where there is no bound.
  using Box = ReachBox;
  std::optional<Box> box() const;

  // From the world, then one list a pin; those that bound nothing are left out.
  const std::vector<std::vector<Enclosure>>& anchors() const { return anchors_; }

 private:
  std::vector<std::vector<Enclosure>> anchors_;
};

}  // namespace limber
