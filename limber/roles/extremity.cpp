#include "limber/roles/extremity.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// A chain begins at the hand if its joint is within this share of the forearm from the wrist.
constexpr double hand_share = 0.75;
// And if it leaves a bone before the hand, within this.
constexpr double beside_share = 0.4;
// A finger has so many joints; what comes before is a bone of the palm.
constexpr std::size_t max_phalanges = 3;
constexpr double on_hand = 0.05;  // of the forearm
// The joint of the toes is nearest to this share of the way from the ankle to the tip, along the ground.
constexpr double ball_share = 0.68;

struct FingerChain {
  std::vector<int> joints;
  Vec3 base = Vec3::Zero(), direction = Vec3::Zero();
  double length = 0.0;
};

// Of the joints of a chain, those of a finger; nothing if it has none.
std::optional<FingerChain> finger_from(const BoneTree& tree, int top, const Vec3& wrist, double forearm) {
  LimbChain chain = chain_from(tree, top);
  FingerChain finger;
  const Vec3 tip = chain.last();
  for (std::size_t k = 0; k < chain.count(); ++k) {
    const int s = chain.joints[k];
    if (tree.turns[static_cast<std::size_t>(s)] == 0) continue;
    if ((chain.at[k] - wrist).norm() <= on_hand * forearm && k + 1 < chain.count()) continue;
    // A bare end is the tip of what comes before.
    if (tree.is_bare(s) && !finger.joints.empty()) continue;
    finger.joints.push_back(s);
  }
  // A single joint without a bone is a socket or a helper.
  if (finger.joints.empty() || tree.is_bare(finger.joints.front())) return std::nullopt;
  if (finger.joints.size() > max_phalanges)
    finger.joints.erase(finger.joints.begin(), finger.joints.end() - static_cast<std::ptrdiff_t>(max_phalanges));
  finger.base = tree.p[static_cast<std::size_t>(finger.joints.front())];
  finger.length = (tip - finger.base).norm();
  finger.direction = tip - wrist;
  if (finger.direction.norm() > 0.0) finger.direction.normalize();
  return finger;
}

// The first segments of chains that leave the hand.
std::vector<int> tops_of(const BoneTree& tree, const Limb& arm, const Vec3& wrist, double forearm) {
  std::vector<int> tops;
  const int last = arm.segment(2, true), above = arm.segment(1, true);
  const auto distance = [&](int s) { return (tree.p[static_cast<std::size_t>(s)] - wrist).norm(); };
  // A thumb may leave a bone whose joint is before the wrist's; so may a whole palm.
  for (int s = last; s != no_parent; s = tree.parent(s)) {
    for (const int child : tree.children[static_cast<std::size_t>(s)])
      if (!tree.is_below(last, child) && distance(child) <= (s == last ? hand_share : beside_share) * forearm)
        tops.push_back(child);
    if (s == above) break;
  }
  // A palm of its own carries the fingers.
  if (tops.size() == 1) {
    int palm = tops.front();
    for (;;) {
      const std::vector<int>& children = tree.children[static_cast<std::size_t>(palm)];
      if (children.size() != 1 || distance(children[0]) > hand_share * forearm) break;
      palm = children[0];
    }
    const std::vector<int>& children = tree.children[static_cast<std::size_t>(palm)];
    if (children.size() > 1 && distance(palm) <= hand_share * forearm) tops = children;
  }
  return tops;
}

// The finger that points away from the others, and begins nearer to the wrist.
std::size_t thumb_of(const std::vector<FingerChain>& fingers, const Vec3& wrist, const Vec3& forearm) {
  std::size_t best = 0;
  double max_score = -infinity;
  for (std::size_t i = 0; i < fingers.size(); ++i) {
    Vec3 mean = fingers.size() > 2 ? Vec3(Vec3::Zero()) : Vec3(forearm.normalized());
    double far = 0.0;
    for (std::size_t j = 0; j < fingers.size(); ++j) {
      if (j == i) continue;
      if (fingers.size() > 2) mean += fingers[j].direction;
      far = std::fmax(far, (fingers[j].base - wrist).norm());
    }
    if (mean.norm() > 0.0) mean.normalize();
    const double angle = std::acos(std::clamp(mean.dot(fingers[i].direction), -1.0, 1.0));
    const double near = far > 0.0 ? 1.0 - (fingers[i].base - wrist).norm() / far : 0.0;
    const double score = angle + near;
    if (score <= max_score) continue;
    max_score = score;
    best = i;
  }
  return best;
}

}  // namespace

std::vector<Finger> find_fingers(const BoneTree& tree, const Limb& arm) {
  std::vector<Finger> fingers;
  if (arm.joint[2].at < 0) return fingers;
  const Vec3 wrist = arm.chain.at[static_cast<std::size_t>(arm.joint[2].at)];
  const Vec3 forearm = wrist - arm.chain.at[static_cast<std::size_t>(arm.joint[1].at)];
  std::vector<FingerChain> chains;
  for (const int top : tops_of(tree, arm, wrist, forearm.norm()))
    if (std::optional<FingerChain> one = finger_from(tree, top, wrist, forearm.norm()))
      chains.push_back(std::move(*one));
  if (chains.empty() || chains.size() > 5) return fingers;
  const double sure = arm.joint[2].confidence * (chains.size() >= 4 ? 1.0 : 0.75);
  if (chains.size() == 1) {
    // A mitten; fewer joints may as well be the hand and what it holds.
    if (chains[0].joints.size() == max_phalanges) fingers.push_back({Role::middle, chains[0].joints, 0.5 * sure});
    return fingers;
  }
  const std::size_t thumb = thumb_of(chains, wrist, forearm);
  const Vec3 from = chains[thumb].base;
  fingers.push_back({Role::thumb, chains[thumb].joints, sure});
  chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(thumb));
  std::ranges::stable_sort(chains, {}, [&](const FingerChain& one) { return (one.base - from).norm(); });
  constexpr Role order[] = {Role::index, Role::middle, Role::ring, Role::little};
  for (std::size_t k = 0; k < chains.size(); ++k)
    fingers.push_back({chains.size() == 1 ? Role::middle : order[k], chains[k].joints, sure});
  return fingers;
}

int find_ball(const BoneTree& tree, const Limb& leg) {
  if (leg.joint[2].at < 0) return -1;
  const Vec3 ankle = leg.chain.at[static_cast<std::size_t>(leg.joint[2].at)];
  Vec3 foot = leg.chain.last() - ankle;
  foot.y() = 0.0;
  const double length = foot.norm();
  int best = -1;
  double nearest = infinity;
  for (auto k = static_cast<std::size_t>(leg.joint[2].last) + 1; k < leg.chain.count(); ++k) {
    if (!(length > 0.0)) break;
    const double share = (leg.chain.at[k] - ankle).dot(foot) / (length * length);
    if (std::fabs(share - ball_share) >= nearest) continue;
    // A bare end is a tip if there is a joint before it.
    if (tree.is_bare(leg.chain.joints[k]) && best >= 0) continue;
    nearest = std::fabs(share - ball_share);
    best = leg.chain.joints[k];
  }
  return best;
}

}  // namespace limber
