#include "limber/roles/facing.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Logits of each sign at full strength, and the ratio to the limb's bone, or to the figure's size, that is full.
struct Sign {
  double logits, full;

  double operator()(double ratio) const { return logits * std::clamp(ratio / full, -1.0, 1.0); }
};
constexpr Sign foot_sign = {3.0, 0.15}, knee_limit_sign = {3.0, 0.5}, knee_bend_sign = {1.5, 0.06};
constexpr Sign elbow_limit_sign = {2.0, 0.5}, elbow_bend_sign = {1.0, 0.06}, thumb_sign = {1.0, 0.3};
constexpr Sign face_sign = {1.5, 0.01}, foot_mass_sign = {1.5, 0.06};
constexpr Sign trunk_sign = {2.0, 1.0};

// How far the middle joint of a limb is beside the line between the others, relative to its upper bone.
double bend_of(const Limb& limb, const Vec3& ahead) {
  if (limb.joint[2].at < 0) return 0.0;
  const auto x = [&](std::size_t k) { return limb.chain.at[static_cast<std::size_t>(limb.joint[k].at)]; };
  const Vec3 line = x(2) - x(0), upper = x(1) - x(0);
  return (upper - upper.dot(line) / line.squaredNorm() * line).dot(ahead) / upper.norm();
}

double upper_length(const Limb& limb) {
  return (limb.chain.at[static_cast<std::size_t>(limb.joint[1].at)] -
          limb.chain.at[static_cast<std::size_t>(limb.joint[0].at)])
      .norm();
}

double of_leg(const BoneTree& tree, const Limb& leg, const Vec3& ahead, bool is_quadruped) {
  if (leg.joint[1].at < 0) return 0.0;
  const double thigh = upper_length(leg);
  double sum = 0.0;
  if (leg.joint[2].at >= 0) {
    const Vec3& ankle = leg.chain.at[static_cast<std::size_t>(leg.joint[2].at)];
    sum += foot_sign((leg.chain.last() - ankle).dot(ahead) / thigh);
    const auto foot = static_cast<std::size_t>(leg.segment(2, true));
    const Segment& segment = tree.figure.segments()[foot];
    if (segment.mass > 0.0 && !(tree.extent[foot] > 0.0))
      sum += foot_mass_sign((tree.rest.segments[foot] * segment.mass_centre - ankle).dot(ahead) / thigh);
  }
  if (!is_quadruped) sum += knee_bend_sign(bend_of(leg, ahead));
  // Legs of quadrupeds bend either way.
  return is_quadruped ? sum : sum + knee_limit_sign(-bent_by_limits(tree, leg).dot(ahead) / thigh);
}

double of_arm(const BoneTree& tree, const Limb& arm, const Vec3& ahead) {
  if (arm.joint[1].at < 0) return 0.0;
  const double upper = upper_length(arm);
  double sum = elbow_bend_sign(-bend_of(arm, ahead)) + elbow_limit_sign(bent_by_limits(tree, arm).dot(ahead) / upper);
  for (const Finger& finger : find_fingers(tree, arm)) {
    if (finger.role != Role::thumb) continue;
    const Vec3& wrist = arm.chain.at[static_cast<std::size_t>(arm.joint[2].at)];
    sum += thumb_sign((chain_from(tree, finger.joints.front()).last() - wrist).dot(ahead) / upper);
  }
  return sum;
}

// What the head carries.
double of_face(const BoneTree& tree, int head, const Vec3& ahead) {
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (int s = head + 1; s < tree.end(head); ++s, ++count) sum += tree.p[static_cast<std::size_t>(s)];
  if (count == 0) return 0.0;
  return face_sign((sum / count - tree.p[static_cast<std::size_t>(head)]).dot(ahead) / tree.size);
}

// A quadruped's head is before its legs, and higher than its tail.
double of_trunk(const BoneTree& tree, const FacingSigns& signs, const Vec3& ahead) {
  Vec3 middle = Vec3::Zero();
  for (const auto& pair : {*signs.legs, *signs.arms})
    for (const Limb& limb : pair) middle += 0.25 * limb.chain.at.front();
  double reach = 0.0;
  for (const auto& pair : {*signs.legs, *signs.arms})
    reach = std::fmax(reach, std::fabs((pair[0].chain.at.front() - middle).dot(ahead)));
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (std::size_t s = 0; s < tree.p.size(); ++s) {
    const bool is_limb = std::ranges::any_of(
        std::array{(*signs.legs)[0], (*signs.legs)[1], (*signs.arms)[0], (*signs.arms)[1]},
        [&](const Limb& limb) { return tree.is_below(static_cast<int>(s), limb.chain.joints.front()); });
    const Vec3 from = tree.p[s] - middle;
    if (is_limb || std::fabs(from.dot(ahead)) < reach) continue;
    sum += from;
    ++count;
  }
  return count > 0 && reach > 0.0 ? trunk_sign(sum.dot(ahead) / (count * reach)) : 0.0;
}

}  // namespace

double facing(const BoneTree& tree, const FacingSigns& signs, const Vec3& ahead) {
  double sum = signs.is_quadruped ? of_trunk(tree, signs, ahead) : 0.0;
  if (signs.legs)
    for (const Limb& leg : *signs.legs) sum += 0.5 * of_leg(tree, leg, ahead, signs.is_quadruped);
  if (signs.arms && !signs.is_quadruped)
    for (const Limb& arm : *signs.arms) sum += 0.5 * of_arm(tree, arm, ahead);
  return signs.head >= 0 ? sum + of_face(tree, signs.head, ahead) : sum;
}

}  // namespace limber
