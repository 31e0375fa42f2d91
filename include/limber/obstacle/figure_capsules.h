// The body of a figure as capsules, from its joint tree and its masses; no name is looked at.
//
// Read figure/bone.h first: it says what is a limb, a hub, a disc and a head. A limb becomes one capsule from joint to
// joint, a hub one to each of its ends, a head one around its mass. A row of discs is a trunk: every disc that is not
// hidden by the one before it becomes a capsule across, from left to right, if the figure has a left and a right, so
// that the trunk is wider than deep. The radius is that of a capsule of the segment's mass m at the density ρ (bone.h),
//
//   π r² L + 4/3 π r³ = m / ρ,
//
// and of a segment without a mass that of its bone. Sites of limbs are on the skin: a palm makes the hand as thin as it
// is, a sole the foot, so that both can rest on something; a heel gets a capsule of its own.
#pragma once

#include <vector>

#include "limber/base/capsule.h"
#include "limber/figure/figure.h"

namespace limber {

// In the segment's own frame. One segment may have several.
struct SegmentCapsule {
  int segment = 0;
  Capsule capsule;
};

std::vector<SegmentCapsule> capsules_of(const Figure& figure);

// Two of a list of capsules, by their places in it; first < second.
struct CapsulePair {
  int first = 0;
  int second = 0;
  double slack = 0.0;  // flesh gives way: so much nearer than their radii they may be, as they are at rest

  bool operator==(const CapsulePair&) const = default;
};

// The pairs that can collide, by first, then second. Left out are those of one segment; those of neighbours, which are
// two segments with none with a capsule between them in the tree; and those that are grown together: no farther apart
// at rest than half their radii, and joined by bones that are shorter than three times their radii. Where others are
// nearer at rest than `margin`, hands beside thighs, they get the slack that makes it the margin, and a tenth of a
// millimetre.
std::vector<CapsulePair> pairs_to_check(const Figure& figure, const std::vector<SegmentCapsule>& capsules,
                                        double margin = 0.0);

}  // namespace limber
