// URDF, the robots of ROS: links in a tree, joints with an origin, an axis and limits; metres, radians, Z up.
//
//   X_parent_child = T(xyz) · Rz(yaw) Ry(pitch) Rx(roll) · M(q)
//
//   revolute, continuous   one turn about the axis, "angle"
//   prismatic              one shift along it, "slide"
//   fixed                  none
//   planar                 two shifts across the axis and a turn about it, "tx", "ty", "rz"
//   floating               "tx", "ty", "tz", then turns about x, y, z: "rx", "ry", "rz"
//
// A link becomes a segment with a site of its name at its joint. The root link stands fixed in the world. A joint that
// mimics another becomes a row of the figure's limits, q = multiplier · q_other + offset, named "mimic JOINT"; the rest
// pose keeps it. The file of a link's first visual mesh is kept as the segment's object and never opened.
//
// Masses, mass centres and inertia tensors are kept. What else the kinematics do not need is left out with a note for
// each kind: collision shapes, transmissions and so on. A revolute or prismatic joint without <limit> has no limits,
// and a note. Rejected: links that form no tree, unknown names, limits in the wrong order, axes of length 0; and xacro,
// which must be expanded first.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_urdf(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
