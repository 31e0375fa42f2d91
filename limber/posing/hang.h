// What hangs: bones of limbs that nobody touched and that point down at the grab. They go on pointing there, however
// the trunk leans, as gravity lets an arm hang.
#pragma once

#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

struct HangingBone {
  int segment = 0;
  Handle direction;
  Vec3 v = Vec3::UnitX();  // in the world, at the grab
};

// `idle` by parameter: it moves neither a grip nor a pin.
std::vector<HangingBone> hanging_bones(const Figure& figure, const Kinematics& state, const std::vector<bool>& idle);

}  // namespace limber
