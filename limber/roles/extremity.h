// What hand and foot carry: fingers and toes. Private to roles/.
#pragma once

#include <vector>

#include "limber/roles/limb.h"
#include "limber/roles/roles.h"

namespace limber {

struct Finger {
  Role role = Role::index;
  std::vector<int> joints;  // from the hand on, three at most
  double confidence = 0.0;
};

std::vector<Finger> find_fingers(const BoneTree& tree, const Limb& arm);

// The joint of the toes; -1: the foot is one piece.
int find_ball(const BoneTree& tree, const Limb& leg);

}  // namespace limber
