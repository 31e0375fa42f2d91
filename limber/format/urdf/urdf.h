// URDF, the robots of ROS: links in a tree, joints with an origin, an axis and limits; metres, radians, Z up.
//
//   X_parent_child = T(xyz) · Rz(yaw) Ry(pitch) Rx(roll) · M(q)
//
//   revolute, continuous   rotation about the axis, "angle"
//   prismatic              translation along it, "slide"
//   fixed                  none
//   planar                 two translations across the axis and a rotation about it, "tx", "ty", "rz"
//   floating               "tx", "ty", "tz", then rotations about x, y, z: "rx", "ry", "rz"
//
// A link becomes a segment with a site of its name at its joint. The root link is fixed in the world. A mimic joint
// becomes a limit row of the figure, q = multiplier · q_other + offset, named "mimic JOINT", which the rest pose
// satisfies. The file name of a link's first visual mesh becomes the segment's object and is never opened.
//
// Masses, mass centres and inertia tensors are kept. Elements without kinematic meaning (collision shapes,
// transmissions and so on) are ignored, with one note per kind. A revolute or prismatic joint without <limit> is
// unlimited and noted. Rejected: links that do not form a tree, unknown names, limits in the wrong order, axes of
// length 0; and xacro, which must be expanded first.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_urdf(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

}  // namespace limber
