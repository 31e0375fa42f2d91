// What a BVH file leaves open: whether position channels are added to an OFFSET or replace it, and the up axis.
//
// A nonzero OFFSET o of a joint with position channels p places it at o + p (added) or at p (replaced, in the
// components with a channel); programs do both. A file follows one convention:
//
//   inner joints   bones roughly keep their length: replaced if, summed over the joints, p of frame 0 is closer to o
//                  than to zero
//   roots          replaced if p of frame 0 equals o, as recorders write it, or if inner joints are replaced. If no
//                  inner joint decides, figures stand on the floor: replaced if the lowest point of the motion is then
//                  closer to height 0. Else added.
//
// Without frames: added. The up axis is z if the first joint with "head" in its name is more than twice as far from its
// root along z as along y, averaged over the motion, or at rest if there is no motion; else y.
#pragma once

#include "limber/format/bvh/bvh_text.h"

namespace limber {

class BvhInnerRule {
 public:
  // Both with 0 in the components without a channel.
  void add(const Vec3& offset, const Vec3& position_in_frame_0) {
    if (offset == Vec3::Zero()) return;
    any_ = true;
    from_offset_ += (position_in_frame_0 - offset).norm();
    from_zero_ += position_in_frame_0.norm();
  }
  bool any() const { return any_; }
  bool replaced() const { return from_offset_ < from_zero_; }

 private:
  bool any_ = false;
  double from_offset_ = 0.0;
  double from_zero_ = 0.0;
};

// Why a root is read as it is.
enum class BvhReason { no_frames, same_as_frame_0, inner_joints, floor };

// Sets `replaced` of the inner joints; choose_root uses them.
BvhInnerRule choose_inner_offsets(BvhText& file);
BvhReason choose_root_offset(BvhText& file, std::size_t root, const BvhInnerRule& inner, Up up);

// The joint along which Z is up, or none if Y is. After choose_inner_offsets.
const BvhNode* head_along_z(const BvhText& file);

}  // namespace limber
