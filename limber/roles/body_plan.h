// The pairs of limbs of a figure: which are the legs, which the arms. Private to roles/.
#pragma once

#include <optional>
#include <vector>

#include "limber/roles/bone_tree.h"
#include "limber/roles/roles.h"

namespace limber {

// Two chains from children of one segment that mirror each other at rest.
struct LimbPair {
  int carrier = 0;
  std::array<int, 2> top = {};  // their first segments
  std::array<LimbChain, 2> chain = {};
  double length = 0.0;          // mean, from the carrier's joint
  Vec3 normal = Vec3::UnitX();  // horizontal, towards the first
  Vec3 middle = Vec3::Zero();   // on the plane of symmetry
  double error = 0.0;           // of the mirror image, relative to the length
  double low = 0.0;             // height of the lowest
  double down = 0.0;            // share of the length that goes down
};

struct LimbPairs {
  BodyPlan plan = BodyPlan::unknown;
  double confidence = 0.0;
  std::optional<LimbPair> legs, arms;
};

LimbPairs find_pairs(const BoneTree& tree);

}  // namespace limber
