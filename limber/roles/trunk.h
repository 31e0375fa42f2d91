// Pelvis, spine, neck and head. Private to roles/.
#pragma once

#include <vector>

#include "limber/roles/body_plan.h"

namespace limber {

struct Trunk {
  int pelvis = -1, head = -1;
  std::vector<int> spine;  // from the pelvis up; the last one carries the arms
  std::vector<int> neck;
  double confidence = 0.0, head_confidence = 0.0;
};

Trunk find_trunk(const BoneTree& tree, const LimbPairs& pairs);

}  // namespace limber
