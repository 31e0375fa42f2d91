// The skeleton script of Welman's thesis: joints of one freedom each, listed as a tree and then defined.   W93 Fig. 6.1
//
//   X_parent_joint = T(offset) · Rz Ry Rx(orientation) · M(q)
//
// M turns about the axis of `hinge`, shifts along that of `slide`, or is nothing. The root joint also has the
// translation of the whole, along the axes of the file:
//
//   X_world_root = T(offset) · T(tx, ty, tz) · Rz Ry Rx(orientation) · M(q)
//
// Metres, degrees, kilograms, Y up. A joint gives the figure a joint, a segment and a site of its name; its freedom is
// "angle" or "slide", the root's are "tx", "ty", "tz" before it. Joints that mirror each other become the figure's
// mirror pairs, across the plane x = 0. doc/skeleton_script.md has the grammar, and says what in it is ours.
//
// Writing any figure: a joint of several freedoms becomes a chain of joints at one place, of which the last bears the
// segment's name. The frames of the script are those of the segments, moved to the joints' centres. What is left out is
// said in notes: groups of parameters (their freedoms become independent), rows of limits, rigidity and stiffness,
// motions and so on.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_skeleton_script(std::string_view bytes, const std::string& file_name,
                                       const ReadOptions& options = {});
// Rejected: a content without a figure.
Expected<Written> write_skeleton_script(const Content& content, const WriteOptions& options = {});

}  // namespace limber
