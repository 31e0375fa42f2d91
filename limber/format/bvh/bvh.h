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
// closest to 1.7 m (on a log scale; dm, mm and inch must be closer by a factor of 1.5). The up axis: as given; else z
// if the first joint with "head" in its name is more than twice as far from its root along z as along y, averaged over
// the motion, or at rest if there is no motion; else y.
//
// A nonzero OFFSET of a joint with position channels has two interpretations: the positions are added to it, or they
// replace it (in the components with a channel). BvhOffsetRule decides. If replaced, the OFFSET is the rest value of
// the freedoms. Each such choice is noted.
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
// OFFSET 0, so that both interpretations agree; every other joint is written so that the rule above interprets it
// correctly. Without a clip there is one frame: the rest pose.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_bvh(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

// `clip` belongs to the content's figure, or is null.
Expected<Written> write_bvh(const Content& content, const Clip* clip, const WriteOptions& options = {});

// RootOffset::automatic. A file follows one convention, and bones roughly keep their length: summed over the inner
// joints, the positions of frame 0 are closer either to the OFFSETs (replaced) or to zero (added). A root can be
// anywhere: it is replaced if its position in frame 0 equals its OFFSET, or if the inner joints are replaced; else
// added. Without frames: added.
class BvhOffsetRule {
 public:
  // Both with 0 in the components without a channel.
  void add_inner(const Vec3& offset, const Vec3& position_in_frame_0) {
    if (offset == Vec3::Zero()) return;
    from_offset_ += (position_in_frame_0 - offset).norm();
    from_zero_ += position_in_frame_0.norm();
  }
  bool inner_is_replaced() const { return from_offset_ < from_zero_; }
  bool root_is_replaced(const Vec3& offset, const Vec3& position_in_frame_0) const {
    constexpr double tolerance = 1e-4;  // relative to the OFFSET: files round to about six digits
    return (position_in_frame_0 - offset).norm() <= tolerance * offset.norm() || inner_is_replaced();
  }

 private:
  double from_offset_ = 0.0;
  double from_zero_ = 0.0;
};

}  // namespace limber
