// A body as capsules, and bodies of other figures as obstacles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// --- The body of a figure as capsules, derived from its joint tree and its masses, not from names.
//
// Read body/bone.h first: it defines limbs, hubs, discs and heads. A limb becomes one capsule from joint to joint, a
// hub one to each of its ends, a head one around its mass. A chain of discs is a trunk: every disc that is not covered
// by the previous one becomes a capsule from left to right, if the figure has mirror pairs, so that the trunk is wider
// than deep. A figure of one massive segment with sites around it, such as a box, becomes a sheet of capsules. The
// radius is that of a capsule of the segment's mass m at the density ρ (bone.h),
//
//   π r² L + 4/3 π r³ = m / ρ,
//
// or, for a segment without mass, that of its bone. Sites of limbs lie on the skin: a palm limits the thickness of the
// hand, a sole that of the foot, so that both can rest on a surface; a heel gets its own capsule.

// In the segment's own frame. One segment may have several.
struct SegmentCapsule {
  int segment = 0;
  Capsule capsule;
};

std::vector<SegmentCapsule> capsules_of(const Figure& figure);

// Two capsules by index; first < second.
struct CapsulePair {
  int first = 0;
  int second = 0;
  double slack = 0.0;  // allowed overlap of the soft bodies, as large as in the rest pose

  bool operator==(const CapsulePair&) const = default;
};

// The pairs that can collide, ordered by first, then second. Excluded are pairs on one segment; neighbours, i.e. two
// segments with no capsule between them in the tree; and pairs that belong together: no farther apart at rest than half
// their radii, and connected by bones shorter than three times their radii. Other pairs that are closer than `margin`
// at rest, such as hands beside thighs, get slack that makes their clearance at rest the margin plus a tenth of a
// millimetre. Of several figures, the pairs within each of them.
std::vector<CapsulePair> pairs_to_check(const Figure& figure, const std::vector<SegmentCapsule>& capsules,
                                        double margin = 0.0);

// The pairs between two bodies: a body is one of several figures (figure/join.h), or a segment with all below it.
// Nothing is excluded. Rejected: an unknown name, and two bodies that have a segment in common.
Expected<std::vector<CapsulePair>> pairs_between(const Figure& figure, const std::vector<SegmentCapsule>& capsules,
                                                 std::string_view first, std::string_view second);

// --- Another figure as an obstacle: the capsules of its segments in a fixed pose.
//
//   const std::vector<Obstacle> body = *body_obstacles("other", other, pose, frame);
//   problem.add_clearance({.capsules = capsules_of(figure), .obstacles = body});
//
// It does not move. Each capsule is a separate obstacle, named after the body and the segment: "other/right_hand".

// X_world_body places the body's own world frame. Rejected: a pose that does not fit the figure, a frame that is not a
// rotation, and a figure without capsules.
Expected<std::vector<Obstacle>> body_obstacles(const std::string& name, const Figure& figure, const Pose& pose,
                                               const Frame& X_world_body = {});

}  // namespace limber
