// BVH: a tree of joints with their channels, and one row of numbers per frame.
//
//   HIERARCHY  ROOT name { OFFSET x y z  CHANNELS n …  JOINT name { … }  End Site { OFFSET x y z } }  MOTION  Frames: n
//   Frame Time: s  then the rows
//
// A joint's transform in its parent is T(OFFSET, position channels) · R_1 · R_2 · …, the rotation channels in the order
// of the list, regardless of where the position channels are in it. Angles are degrees; the file states neither its
// unit nor its up axis.
//
// Reading. Every JOINT becomes a segment, a joint and a site of its name; its freedoms are tx ty tz rx ry rz, positions
// first. Every End Site becomes a site: with the name after the words, or the joint's name with "_End".
//
// The unit: as given; else 1/0.45 inch, the unit of the CMU motion library, if the figure has the joints LHipJoint and
// LowerBack and is then 0.5 to 3 m large; else the one of m, cm, dm, mm and inch for which the size of the rest pose is
// closest to 1.7 m (on a log scale; dm, mm and inch must be closer by a factor of 1.5). The up axis, and whether
// positions are added to an OFFSET or replace it: as given; else by the rules of bvh_guess.h. If replaced, the OFFSET
// is the rest value of the freedoms. Each such choice is noted.
//
// Position channels of inner joints stretch bones: a motion may do that, a solve does not. Their rigidity is 1.
//
// Rows may be wrapped or joined if the total count of numbers is right, and a blank before a minus may be missing; both
// are noted. Too few rows are rejected; excess rows are ignored and noted.
//
// Writing. A joint that rotates about the file's axes (and translates along them, before the rotations) keeps its
// channels; others become Zrotation Xrotation Yrotation, and three positions if they translate. A joint without DOF
// keeps CHANNELS 0 if it came from a BVH file; otherwise it gets three zero rotations, since few programs read CHANNELS
// 0. Sites that are not joint centres become End Sites, without their names. A leaf without one gets an End Site at its
// joint, unless it came from a BVH file. Names are kept on one line. A root that did not come from a BVH file has
// OFFSET 0, so that both interpretations agree; every other joint is written so that the reader interprets it
// correctly. A root without DOF and children, such as the node of a mesh in glTF, is not written beside others. Without
// a clip there is one frame: the rest pose.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_bvh(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

// `clip` belongs to the content's figure, or is null.
Expected<Written> write_bvh(const Content& content, const Clip* clip, const WriteOptions& options = {});

}  // namespace limber
