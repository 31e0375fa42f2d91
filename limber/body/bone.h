// The segments of a figure as bones: how long, how thick, of what shape. No name is looked at.
//
// A segment is a bone from its own joint to its children's joints, or to its farthest site where it has no child.
// Leaves that only mark a place, and the handles of an animator's rig, are no ends of a bone that has others. Its
// radius is that of a cylinder of the segment's mass at the density of water,
//
//   r = √(m / (ρ π L)),
//
// and ρ is another where masses and lengths do not go together: a robot in millimetres, a giant without weight.
#pragma once

#include <vector>

#include "limber/figure/figure.h"

namespace limber {

enum class BoneKind {
  nothing,  // no length
  limb,     // one way out, or a slender end
  hub,      // several ways out
  disc,     // thicker than long, one of several in a row
  head,     // no way out, and thick
};

struct BoneEnd {
  Vec3 p = Vec3::Zero();  // in the segment
  int child = 0;
};

struct Bone {
  BoneKind kind = BoneKind::nothing;
  Vec3 start = Vec3::Zero();
  std::vector<BoneEnd> ends;
  Vec3 tip = Vec3::Zero();  // of a segment without ends
  double length = 0.0;      // of all ways out together
  double longest = 0.0;
  double radius = 0.0;
  bool drawn = false;  // belongs to a solid already
};

struct Bones {
  std::vector<Bone> list;  // one a segment
  double density = 0.0;

  // The disc that follows this one; -1 if none does.
  int next_disc(int s) const;
};

Bones measure_bones(const Figure& figure);

// The number of directions in which a joint shifts.
int slides(const Figure& figure, int segment);
// What shifts in three directions from a place that stands still goes anywhere: no bone leads to it.
bool floats(const Figure& figure, int segment);

}  // namespace limber
