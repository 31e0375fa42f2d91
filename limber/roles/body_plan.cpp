#include "limber/roles/body_plan.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Two chains are a pair if their lengths differ by less than this ratio, their ends are at about the same height, and
// their points are mirror images up to this share of their length: rest poses are not exactly symmetric.
constexpr double min_length_ratio = 0.7, max_tilt = 0.45, max_error = 0.25;
// Points on a chain that are compared.
constexpr int samples = 6;
// Legs go down for this share of their way, and end within this share of their length of the lowest pair.
constexpr double min_down = 0.6, ground_share = 0.1;
// The shortest limb, relative to the figure and to the longest pair.
constexpr double min_limb = 0.15, min_stump = 0.05;
// A trunk as long as this share of the legs lies between two pairs that stand; the shorter pair is at least so long.
constexpr double min_trunk = 0.5, min_front_leg = 0.6;
// Arms are the longest pair but the legs, with at least this share of their length, in about the same plane.
constexpr double min_arm = 0.3, same_plane = 0.8, plane_share = 0.12;
// A third chain as long as this share of two others makes a hand of them.
constexpr double third_share = 0.7;
constexpr int min_limb_turns = 3;
// The limb's own length, relative to its distance from the middle.
constexpr double min_reach = 0.5;
constexpr std::size_t min_arm_joints = 3;
// Of two pairs, one with this error counts as e times shorter.
constexpr double error_scale = 0.125;
// And one that ends so much higher, relative to the figure's size.
constexpr double lift_scale = 0.03;
constexpr double both_limbs = 1.0, arms_alone = 0.6, of_stumps = 0.4;

std::optional<LimbPair> pair_of(const BoneTree& tree, int carrier, int a, int b, double min_share) {
  LimbPair pair;
  pair.carrier = carrier;
  pair.top = {a, b};
  const Vec3 &at_a = tree.p[static_cast<std::size_t>(a)], &at_b = tree.p[static_cast<std::size_t>(b)];
  const Vec3 from = 0.5 * (at_a + at_b);
  const double apart = 0.5 * (at_a - at_b).norm();
  const std::array length = {apart + tree.reach[static_cast<std::size_t>(a)],
                             apart + tree.reach[static_cast<std::size_t>(b)]};
  pair.length = 0.5 * (length[0] + length[1]);
  if (!(pair.length > min_share * tree.size)) return std::nullopt;
  if (std::fmin(length[0], length[1]) < min_length_ratio * std::fmax(length[0], length[1])) return std::nullopt;
  pair.chain = {chain_from(tree, a), chain_from(tree, b)};
  std::array<std::array<Vec3, samples>, 2> x;
  Vec3 across = Vec3::Zero();
  for (int k = 0; k < samples; ++k) {
    for (std::size_t side = 0; side < 2; ++side)
      x[side][static_cast<std::size_t>(k)] = pair.chain[side].point((k + 1.0) / samples, from);
    across += x[0][static_cast<std::size_t>(k)] - x[1][static_cast<std::size_t>(k)];
    pair.middle += (x[0][static_cast<std::size_t>(k)] + x[1][static_cast<std::size_t>(k)]) / (2.0 * samples);
  }
  const double tilt = std::fabs(across.y()) / std::fmax(across.norm(), 1e-12 * tree.size);
  across.y() = 0.0;
  if (tilt > max_tilt || across.norm() < 0.05 * samples * pair.length) return std::nullopt;
  pair.normal = across.normalized();
  for (int k = 0; k < samples; ++k) {
    const Vec3 &p = x[0][static_cast<std::size_t>(k)], &q = x[1][static_cast<std::size_t>(k)];
    const Vec3 image = p - 2.0 * pair.normal.dot(p - pair.middle) * pair.normal;
    pair.error += (image - q).norm() / (samples * pair.length);
  }
  const Vec3 of_carrier = tree.p[static_cast<std::size_t>(carrier)] - pair.middle;
  if (pair.error > max_error || std::fabs(pair.normal.dot(of_carrier)) > max_error * pair.length) return std::nullopt;
  pair.low = infinity;
  double drop = 0.0, way = 0.0;
  for (const LimbChain& chain : pair.chain) {
    double low = chain.last().y();
    for (const Vec3& at : chain.at) low = std::fmin(low, at.y());
    pair.low = std::fmin(pair.low, low);
    drop += chain.at.front().y() - low;
    way += chain.length();
  }
  pair.down = way > 0.0 ? drop / way : 0.0;
  return pair;
}

int turns_of(const BoneTree& tree, const LimbChain& chain) {
  int turns = 0;
  for (const int s : chain.joints) turns += tree.turns[static_cast<std::size_t>(s)];
  return turns;
}

bool overlap(const BoneTree& tree, const LimbPair& a, const LimbPair& b) {
  for (const int s : a.top)
    for (const int t : b.top)
      if (tree.is_below(s, t) || tree.is_below(t, s)) return true;
  return false;
}

// The share of hinges that turn about the axis from left to right. Most do, so the front and hind leg of one side are
// no pair, nor those of two corners.
double lateral_hinges(const BoneTree& tree, const LimbPair& pair) {
  const Vec3 ahead = pair.normal.cross(Vec3::UnitY());
  double lateral = 0.0, other = 0.0;
  for (const LimbChain& chain : pair.chain)
    for (const int s : chain.joints)
      if (const std::optional<Vec3> axis = tree.hinge(s)) {
        lateral += std::fabs(axis->dot(pair.normal));
        other += std::fabs(axis->dot(ahead));
      }
  return lateral + other > 0.0 ? lateral / (lateral + other) : 1.0;
}

// Whether more chains of about this length begin where the pair does: fingers of a hand.
bool has_third(const BoneTree& tree, const LimbPair& pair) {
  for (const int child : tree.children[static_cast<std::size_t>(pair.carrier)]) {
    if (child == pair.top[0] || child == pair.top[1]) continue;
    if (turns_of(tree, chain_from(tree, child)) >= min_limb_turns &&
        tree.reach[static_cast<std::size_t>(child)] > third_share * pair.length)
      return true;
  }
  return false;
}

// A single joint far from the middle, such as the target of a hand, is none.
bool is_limb(const BoneTree& tree, const LimbPair& pair) {
  const double reach =
      0.5 * (tree.reach[static_cast<std::size_t>(pair.top[0])] + tree.reach[static_cast<std::size_t>(pair.top[1])]);
  return reach >= min_reach * (pair.length - reach);
}

// Pairs of one joint each, without an end.
std::vector<LimbPair> stumps(const BoneTree& tree) {
  std::vector<LimbPair> pairs;
  for (std::size_t s = 0; s < tree.children.size(); ++s)
    for (const int a : tree.children[s])
      for (const int b : tree.children[s]) {
        if (a >= b || !tree.is_bare(a) || !tree.is_bare(b)) continue;
        if (tree.turns[static_cast<std::size_t>(a)] == 0 || tree.turns[static_cast<std::size_t>(b)] == 0) continue;
        if (std::optional<LimbPair> pair = pair_of(tree, static_cast<int>(s), a, b, min_stump)) pairs.push_back(*pair);
      }
  return pairs;
}

void sort_by(std::vector<LimbPair>& pairs, const auto& value) {
  std::ranges::stable_sort(pairs, std::ranges::greater(), value);
}

std::vector<LimbPair> all_pairs(const BoneTree& tree) {
  std::vector<LimbPair> pairs;
  for (std::size_t s = 0; s < tree.children.size(); ++s) {
    const std::vector<int>& children = tree.children[s];
    for (std::size_t i = 0; i < children.size(); ++i)
      for (std::size_t j = i + 1; j < children.size(); ++j) {
        std::optional<LimbPair> pair = pair_of(tree, static_cast<int>(s), children[i], children[j], min_limb);
        if (pair && turns_of(tree, pair->chain[0]) >= min_limb_turns &&
            turns_of(tree, pair->chain[1]) >= min_limb_turns && is_limb(tree, *pair))
          pairs.push_back(std::move(*pair));
      }
  }
  if (pairs.empty()) pairs = stumps(tree);
  sort_by(pairs, [](const LimbPair& pair) { return pair.length * std::exp(-pair.error / error_scale); });
  return pairs;
}

Vec3 top_middle(const LimbPair& pair) { return 0.5 * (pair.chain[0].at.front() + pair.chain[1].at.front()); }

// The pairs that reach the ground, longest first.
std::vector<LimbPair> standing(const BoneTree& tree, const std::vector<LimbPair>& pairs) {
  std::vector<LimbPair> list;
  double ground = infinity;
  for (const LimbPair& pair : pairs)
    if (pair.down >= min_down) ground = std::fmin(ground, pair.low);
  for (const LimbPair& pair : pairs)
    if (pair.down >= min_down && pair.low <= ground + ground_share * pair.length) list.push_back(pair);
  sort_by(list, [&](const LimbPair& pair) {
    const double lift = (pair.low - ground) / (lift_scale * tree.size);
    return pair.length * std::exp(-pair.error / error_scale - lift) * lateral_hinges(tree, pair);
  });
  return list;
}

bool is_on_plane(const LimbPair& pair, const LimbPair& plane) {
  return std::fabs(pair.normal.dot(plane.normal)) >= same_plane &&
         std::fabs(plane.normal.dot(pair.middle - plane.middle)) <= plane_share * plane.length;
}

// Legs that are one piece each: the widest such pair below the arms.
std::optional<LimbPair> find_leg_stumps(const BoneTree& tree, const LimbPair& arms) {
  std::optional<LimbPair> best;
  for (const LimbPair& pair : stumps(tree))
    if (is_on_plane(pair, arms) && !overlap(tree, pair, arms) && top_middle(pair).y() < top_middle(arms).y() &&
        (!best || pair.length > best->length))
      best = pair;
  return best;
}

}  // namespace

LimbPairs find_pairs(const BoneTree& tree) {
  LimbPairs found;
  const std::vector<LimbPair> pairs = all_pairs(tree);
  const std::vector<LimbPair> legs = standing(tree, pairs);
  if (!legs.empty()) found.legs = legs.front();
  for (const LimbPair& pair : legs) {
    if (!found.legs || overlap(tree, pair, *found.legs) || pair.length < min_front_leg * found.legs->length) continue;
    Vec3 trunk = top_middle(pair) - top_middle(*found.legs);
    trunk.y() = 0.0;
    if (trunk.norm() < min_trunk * found.legs->length) continue;
    found.plan = BodyPlan::quadruped;
    found.arms = pair;
    found.confidence = std::exp(-2.0 * (pair.error + found.legs->error));
    return found;
  }
  for (const LimbPair& pair : pairs) {
    if (found.legs) {
      if (!is_on_plane(pair, *found.legs) || overlap(tree, pair, *found.legs)) continue;
      if (pair.length < min_arm * found.legs->length || top_middle(pair).y() < top_middle(*found.legs).y()) continue;
    } else if (has_third(tree, pair)) {
      continue;
    }
    found.arms = pair;
    break;
  }
  if (!found.legs && !found.arms) return found;
  found.confidence = found.legs && found.arms ? both_limbs : arms_alone;
  if (!found.legs) {
    found.legs = find_leg_stumps(tree, *found.arms);
    if (found.legs) found.confidence = of_stumps;
  }
  // Two joints are no arm.
  if (!found.legs && found.arms->chain[0].count() < min_arm_joints) return LimbPairs{};
  found.plan = BodyPlan::person;
  for (const auto* pair : {&found.legs, &found.arms})
    if (*pair) found.confidence *= std::exp(-(*pair)->error);
  return found;
}

}  // namespace limber
