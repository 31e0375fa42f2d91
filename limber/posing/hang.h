// What hangs: bones of limbs that nobody touched and that point down at the grab. They go on pointing there, however
// the trunk leans, as gravity lets an arm hang; and a limb that would hang into the body hangs beside it.
#pragma once

#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/near_finder.h"
#include "limber/problem/problem.h"

namespace limber {

struct HangingBone {
  int segment = 0;
  Handle direction;
  Vec3 v = Vec3::UnitX();  // in the world, at the grab
};

// `idle` by parameter: it moves neither a grip nor a pin.
std::vector<HangingBone> hanging_bones(const Figure& figure, const Kinematics& state, const std::vector<bool>& idle);

// Tilts hanging limbs outward, by as little as keeps them out of the rest of the body.
class HangingLimbs {
 public:
  explicit HangingLimbs(const Figure& figure);

  // Of a problem in which constraint k asks bone k for its direction.
  void begin(const Figure& figure, const std::vector<HangingBone>& bones, const std::vector<ConstraintId>& ids);
  bool empty() const { return limbs_.empty(); }
  // The goals of all bones, straight down again.
  void hang(Problem& problem);
  // The same, tilted as this pose needs; by how much a tilt has changed, in radians. Allocates nothing.
  double clear(Problem& problem, const Figure& figure, const Kinematics& state);

 private:
  struct Bone {
    ConstraintId id;
    Vec3 v;
  };
  struct Limb {
    int first, end;  // its segments
    std::vector<Bone> bones;
    double tilt = 0.0;
    Vec3 out = Vec3::Zero();  // where to, horizontally
    double room = 0.0;        // by which angle it may come nearer to the body; negative: it is in it
  };
  static Vec3 outward(const Limb& limb, const Figure& figure, const Kinematics& state);
  void state_goals(Problem& problem, const Limb& limb) const;
  Limb* limb_of(int capsule);

  std::vector<SegmentCapsule> capsules_;
  std::vector<CapsulePair> pairs_;  // of the whole body
  NearFinder finder_;               // those between a limb and the rest
  std::vector<Limb> limbs_;
  std::vector<NearPair> near_;
};

}  // namespace limber
