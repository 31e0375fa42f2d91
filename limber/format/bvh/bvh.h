// BVH: a tree of joints with their channels, and a row of numbers a frame.
//
//   HIERARCHY  ROOT name { OFFSET x y z  CHANNELS n …  JOINT name { … }  End Site { OFFSET x y z } }  MOTION  Frames: n
//   Frame Time: s  then the rows
//
// A joint lies in its parent by  T(OFFSET, position channels) · R_1 · R_2 · …, the rotation channels in the order of
// the list, wherever the position channels stand in it. Degrees; the file states neither its unit nor which axis is up.
//
// Reading. A segment, a joint and a site for every JOINT, of its name; its freedoms are called tx ty tz rx ry rz, the
// positions first. A site for every End Site: the name after the words, or the joint's with "_End".
//
// The unit: as given; else, of a figure with the joints LHipJoint and LowerBack that is then 0.5 to 3 m large, the
// inch / 0.45 of the CMU motion library; else of m, cm, dm, mm and inch the one for which the rest pose is nearest to
// 1.7 m large (the logarithm counts; dm, mm and inch must be nearer by a factor of 1.5).
// The axis that is up: as given; else z where the first joint with "head" in its name lies above its root more than
// twice as far along z as along y, in the mean over the motion, or at rest where there is none; else y.
//
// An OFFSET that is not zero, of a joint with position channels, has two readings: the positions are added to it, or
// they replace it (the components that have a channel). BvhOffsetRule decides. Where replaced, the OFFSET is the rest
// value of the freedoms. Each such choice is a note.
//
// Positions of inner joints stretch bones: a motion may do that, a solve does not. Their rigidity is 1.
//
// Rows may be wrapped or joined over lines if the count of all numbers is right, and a blank before a minus may be
// missing; both are noted. Fewer rows than Frames says are rejected, further ones are left out and noted.
//
// Writing. A joint whose freedoms are turns about the file's axes (and shifts along them, before the turns) keeps its
// channels; others become Zrotation Xrotation Yrotation, and three positions where they shift. A joint without freedoms
// keeps its CHANNELS 0 if it came from a BVH file, and gets three rotations of 0 otherwise, since few programs read the
// former. Sites that are no joint centre become End Sites, without their names. A leaf without one gets an End Site
// at its joint, if it did not come from a BVH file. Names stay on one line. A root that did not come from a BVH file
// has the OFFSET 0, so that both readings are the same; of any joint the file is so written that the rule above reads
// it right. Without a clip there is one frame: the rest pose.
#pragma once

#include <string>
#include <string_view>

#include "limber/base/diagnostic.h"
#include "limber/format/content/content.h"

namespace limber {

Expected<Content> read_bvh(std::string_view bytes, const std::string& file_name, const ReadOptions& options = {});

// `clip` is one of the content's figure, or null.
Expected<Written> write_bvh(const Content& content, const Clip* clip, const WriteOptions& options = {});

// RootOffset::automatic. A program that writes a file has one convention, and a bone keeps its length more or less:
// of all inner joints the positions of frame 0 are on the whole nearer to the OFFSETs, or nearer to zero. A root can be
// anywhere, so it is taken as replaced where its position in frame 0 is its OFFSET, else like the inner joints, else as
// added. Without frames: added.
class BvhOffsetRule {
 public:
  // Both with 0 in the components that have no channel.
  void see_inner(const Vec3& offset, const Vec3& position_in_frame_0) {
    if (offset == Vec3::Zero()) return;
    from_offset_ += (position_in_frame_0 - offset).norm();
    from_zero_ += position_in_frame_0.norm();
  }
  bool inner_is_replaced() const { return from_offset_ < from_zero_; }
  bool root_is_replaced(const Vec3& offset, const Vec3& position_in_frame_0) const {
    constexpr double same = 1e-4;  // of the OFFSET's length: the files round to some six digits
    return (position_in_frame_0 - offset).norm() <= same * offset.norm() || inner_is_replaced();
  }

 private:
  double from_offset_ = 0.0;
  double from_zero_ = 0.0;
};

}  // namespace limber
