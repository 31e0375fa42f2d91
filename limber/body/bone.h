// The segments of a figure as bones: length, thickness and kind. Names are not used.
//
// A bone runs from the segment's joint to its children's joints, or to its farthest site if it has no child. Leaves
// that only mark a place, and the control handles of an animator's rig, do not count if there are other ends. The
// radius is that of a cylinder of the segment's mass at the density of water,
//
//   r = √(m / (ρ π L)),
//
// with a different ρ if masses and lengths do not match: a robot in millimetres, a weightless giant.
#pragma once

#include <vector>

#include "limber/figure/figure.h"

namespace limber {

enum class BoneKind {
  nothing,  // no length
  limb,     // one end, or a slender leaf
  hub,      // several ends
  disc,     // thicker than long, one of several in a row
  head,     // a thick leaf
};

struct BoneEnd {
  Vec3 p = Vec3::Zero();  // in the segment
  int child = 0;
};

struct Bone {
  BoneKind kind = BoneKind::nothing;
  Vec3 start = Vec3::Zero();
  std::vector<BoneEnd> ends;
  Vec3 tip = Vec3::Zero();  // of a leaf
  double length = 0.0;      // sum over all ends
  double longest = 0.0;
  double radius = 0.0;
  bool drawn = false;  // already part of a solid
};

struct Bones {
  std::vector<Bone> list;  // one per segment
  double density = 0.0;    // of several figures: that of the first

  // The next disc; -1 if none.
  int next_disc(int s) const;
};

Bones measure_bones(const Figure& figure);

// The number of translational DOF of a joint.
int slides(const Figure& figure, int segment);
// Whether a joint translates in three directions relative to a fixed segment: no bone leads to it.
bool floats(const Figure& figure, int segment);

}  // namespace limber
