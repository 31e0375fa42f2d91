// The two long bones of an arm or a leg within a chain of joints. Private to roles/.
//
// Every choice of three joints r < m < e of the chain is a hypothesis, with the cost
//
//   C = Σ_k c(z_k),   c(z) = 2 ln(1 + z²/4)        about z²/2, but an odd body has no joint excluded
//
// over how many standard deviations z its proportions are from those of people (lengths of bones to each other, how far
// from the middle the limb begins, what is left for hand or foot), and over joints that would have no place: a joint
// within a bone that bends it, hinges about the wrong axis. The probability of a joint is the sum of e^-C over the
// hypotheses with a joint in that place, relative to all.
#pragma once

#include <array>
#include <functional>

#include "limber/roles/bone_tree.h"

namespace limber {

enum class LimbKind { arm, leg };

struct LimbSetting {
  LimbKind kind = LimbKind::arm;
  Vec3 normal = Vec3::UnitX();  // of the plane of symmetry
  Vec3 middle = Vec3::Zero();   // on it
  // A cost of calling the joint of a segment the first, second or third of the limb, by its name; 0: it says nothing.
  std::function<double(int segment, int place)> name_cost;
};

struct LimbJoint {
  int at = -1;    // in the chain; -1: the figure has none
  int last = -1;  // of the joints that follow in the same place
  double confidence = 0.0;
};

struct Limb {
  LimbChain chain;
  std::array<LimbJoint, 3> joint;  // shoulder, elbow, wrist, or hip, knee, ankle
  double cost = 0.0;

  int segment(std::size_t k, bool last) const {
    const int at = last ? joint[k].last : joint[k].at;
    return at < 0 ? -1 : chain.joints[static_cast<std::size_t>(at)];
  }
};

// Of both sides at once, if they have as many joints: the hypotheses are then about both, at the mean of their costs.
std::array<Limb, 2> find_limbs(const BoneTree& tree, const std::array<LimbChain, 2>& chains,
                               const LimbSetting& setting);

// The way of the third joint when the second turns from rest to the middle of its limits. Zero: it has none, or is
// there.
Vec3 bent_by_limits(const BoneTree& tree, const Limb& limb);

}  // namespace limber
