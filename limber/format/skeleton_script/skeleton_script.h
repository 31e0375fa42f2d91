// The skeleton script of Welman's thesis: joints with one DOF each, listed as a tree and then defined.   W93 Fig. 6.1
//
//   X_parent_joint = T(offset) · Rz Ry Rx(orientation) · M(q)
//
// M is a rotation about the axis of `hinge`, a translation along that of `slide`, or the identity. The root joint also
// translates the whole figure along the axes of the file:
//
//   X_world_root = T(offset) · T(tx, ty, tz) · Rz Ry Rx(orientation) · M(q)
//
// Metres, degrees, kilograms, Y up. A joint becomes a joint, a segment and a site of its name; its freedom is "angle"
// or "slide", preceded by "tx", "ty", "tz" at the root. Joints that mirror each other become mirror pairs across the
// plane x = 0. doc/skeleton_script.md has the grammar and marks our extensions.
//
// Writing any figure: a joint with several DOF becomes a chain of coincident joints, the last with the segment's name.
// The frames of the script are those of the segments, moved to the joint centres. Losses are noted: groups of
// parameters (their degrees of freedom become independent), limit rows, rigidity and stiffness, motions and so on.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_skeleton_script(std::string_view bytes, const std::string& file_name,
                                       const ReadOptions& options = {});
// Rejected: content without a figure.
Expected<Written> write_skeleton_script(const Content& content, const WriteOptions& options = {});

}  // namespace limber
