// Where a figure looks. Private to roles/.
//
// Each sign that tells front from back is worth so many logits, the natural logarithm of the odds, towards the front:
// feet point ahead, knees bend the shank back and elbows the forearm ahead (by their limits, and as they are bent at
// rest), thumbs and faces are in front. The sum s gives the probability 1 / (1 + e^-|s|).
#pragma once

#include <array>
#include <optional>

#include "limber/roles/extremity.h"
#include "limber/roles/limb.h"

namespace limber {

struct FacingSigns {
  std::optional<std::array<Limb, 2>> legs, arms;
  int head = -1;
  bool is_quadruped = false;
};

// Logits for facing along a horizontal unit vector.
double facing(const BoneTree& tree, const FacingSigns& signs, const Vec3& ahead);

}  // namespace limber
