#include "limber/roles/limb.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Proportions of people, as natural logarithms of ratios: median and standard deviation. The medians follow Winter,
// Biomechanics and Motor Control of Human Movement, Fig. 4.1: upper arm 0.186 of the stature, forearm 0.146, hand
// 0.108, half the shoulders 0.129, thigh 0.245, shank 0.246, height of the ankle 0.039, half the hips 0.096. The
// deviations are wide enough for cartoon figures and robots.
struct Proportion {
  double median, deviation;

  double z(double ratio) const { return std::log(std::fmax(ratio, 1e-3) / median) / deviation; }
};
constexpr Proportion forearm_to_upper = {0.80, 0.30}, hand_to_forearm = {0.70, 0.60}, shoulder_to_upper = {0.70, 0.50};
constexpr Proportion shank_to_thigh = {1.00, 0.25}, hip_to_thigh = {0.40, 0.60};
// As shares of the thigh: height of the ankle above the lowest of the foot, and length of the foot.
constexpr double ankle_height = 0.20, ankle_deviation = 0.25, foot_length = 0.45, foot_deviation = 0.35;

// Joints nearer to each other than this, relative to the chain, are in one place.
constexpr double one_place = 0.02;
// A joint of one axis belongs to the ones before it up to this, relative to the bone that leads to them: a shoulder, an
// ankle or a wrist that robots make of several.
constexpr double compound = 0.40;
constexpr double along = 0.9, across = 0.7;
constexpr double wrong_hinge = 3.0, few_turns = 1.5, inner_joint = 0.5, clavicle_cost = 0.2, max_clavicles = 2;
constexpr double odd_joint = 2.0, near_odd_joint = 0.3, no_end = 1.5, no_hand = 0.3;
// A joint this near to the first of a leg, relative to the thigh, is hardly odd.
constexpr double near_hip = 0.12;
// A hinge that was left out though it makes one joint with the first, or with the third.
constexpr double split_joint = 1.0, near_end = 0.15;
constexpr double bend_deviation = 0.1, hinge_bend_deviation = 0.4;
// Costs up to this are those of a usual body.
constexpr double usual_cost = 3.0, cost_scale = 5.0;
constexpr std::size_t max_joints = 24;
// The confidence of a limb that is one joint.
constexpr double single_joint = 0.5;
// Costs are rough: a difference says so much more than its exponential.
constexpr double sharpness = 1.5;
constexpr double near_hinges = 0.15;
// Fingers leave the wrist, not the elbow.
constexpr int min_fingers = 3;
constexpr double beside_wrist = 0.1;
constexpr double fingers_at_wrist = -1.5, fingers_at_elbow = 2.0;

double cost_of(double z) { return 2.0 * std::log(1.0 + 0.25 * z * z); }

struct Hypothesis {
  std::array<std::size_t, 3> at;  // at[2] == count: the end of the chain
  double cost = 0.0;
};

class LimbFinder {
 public:
  LimbFinder(const BoneTree& tree, const LimbChain& chain, const LimbSetting& setting)
      : tree_(tree), chain_(chain), setting_(setting), length_(chain.length()) {}

  std::vector<Hypothesis> all() const {
    std::vector<Hypothesis> list;
    const std::size_t n = std::min(chain_.count(), max_joints), last = n + (chain_.has_end && n == chain_.count());
    for (std::size_t r = 0; r + 2 < last; ++r) {
      if (tree_.turns[static_cast<std::size_t>(chain_.joints[r])] == 0) continue;
      for (std::size_t m = r + 1; m + 1 < last; ++m)
        for (std::size_t e = m + 1; e < last; ++e) {
          if (e >= n && m + 1 != n) continue;
          if (const std::optional<double> cost = judge(r, m, e)) list.push_back({{r, m, e}, *cost});
        }
    }
    return list;
  }

  // Whether a joint is a hinge about a bone.
  bool twists(std::size_t k, const Vec3& bone) const {
    const std::optional<Vec3> axis = hinge(k);
    return axis && std::fabs(axis->dot(bone)) > along * bone.norm();
  }

  // For how certain a joint is: hinges that are near each other make one.
  bool alike(std::size_t a, std::size_t b) const {
    return same(a, b) || (hinge(a) && hinge(b) && (x(a) - x(b)).norm() <= near_hinges * length_);
  }
  bool same(std::size_t a, std::size_t b) const { return a == b || (x(a) - x(b)).norm() <= one_place * length_; }

 private:
  const Vec3& x(std::size_t k) const { return k < chain_.count() ? chain_.at[k] : chain_.end; }
  std::optional<Vec3> hinge(std::size_t k) const {
    return k < chain_.count() ? tree_.hinge(chain_.joints[k]) : std::nullopt;
  }
  double from_middle(std::size_t k) const { return std::fabs(setting_.normal.dot(x(k) - setting_.middle)); }
  bool is_leg() const { return setting_.kind == LimbKind::leg; }

  std::optional<double> judge(std::size_t r, std::size_t m, std::size_t e) const {
    const Vec3 upper = x(m) - x(r), lower = x(e) - x(m);
    const double u = upper.norm(), f = lower.norm();
    if (!(u > 2.0 * one_place * length_ && f > 2.0 * one_place * length_)) return std::nullopt;
    const double side = from_middle(r) / u;
    double cost = cost_of(is_leg() ? shank_to_thigh.z(f / u) : forearm_to_upper.z(f / u));
    cost += cost_of(is_leg() ? hip_to_thigh.z(side) : shoulder_to_upper.z(side));
    cost += end_cost(e, u, f) + before_cost(r, u) + inner_cost(r, m) + inner_cost(m, e) + split_cost(m, e);
    if (const auto axis = hinge(m)) {
      if (std::fabs(axis->dot(upper)) > across * u || std::fabs(axis->dot(lower)) > across * f) cost += wrong_hinge;
      if (is_leg() && std::fabs(axis->dot(setting_.normal)) < across) cost += wrong_hinge;
    }
    if (twists(e, lower) && (e + 1 < chain_.count() || (e > m + 1 && hinge(e - 1) && !twists(e - 1, lower))))
      cost += wrong_hinge;
    if (!is_leg() && branches(m) >= min_fingers) cost += fingers_at_elbow;
    if (!is_leg() && e < chain_.count() && branches(e) >= min_fingers) cost += fingers_at_wrist;
    int turns = 0;
    for (std::size_t k = r; k < m; ++k) turns += tree_.turns[static_cast<std::size_t>(chain_.joints[k])];
    if (turns < 2) cost += few_turns;
    for (std::size_t k = 0; k < 3; ++k)
      if (const std::size_t at = std::array{r, m, e}[k]; at < chain_.count())
        cost += setting_.name_cost(chain_.joints[at], static_cast<int>(k));
    return cost;
  }

  // Chains with joints that leave this place, or begin beside it.
  int branches(std::size_t k) const {
    int count = 0;
    const auto begins = [&](int s) { return tree_.turns[static_cast<std::size_t>(s)] > 0 && !tree_.is_bare(s); };
    for (std::size_t j = 0; j < chain_.count(); ++j)
      if (same(j, k))
        for (const int child : tree_.children[static_cast<std::size_t>(chain_.joints[j])]) count += begins(child);
    if (k == 0) return count;
    for (const int child : tree_.children[static_cast<std::size_t>(tree_.parent(chain_.joints[k]))])
      count += child != chain_.joints[k] && begins(child) &&
               (tree_.p[static_cast<std::size_t>(child)] - x(k)).norm() <= beside_wrist * length_;
    return count;
  }

  // What is left beyond the third joint.
  double end_cost(std::size_t e, double u, double f) const {
    if (e >= chain_.count()) return no_end;
    double rest = 0.0;
    for (std::size_t k = e; k + 1 < chain_.count() + chain_.has_end; ++k) rest += (x(k + 1) - x(k)).norm();
    if (!is_leg()) return rest > 0.0 ? cost_of(hand_to_forearm.z(rest / f)) : no_hand;
    double low = x(e).y();
    for (std::size_t k = e; k < chain_.count() + chain_.has_end; ++k) low = std::fmin(low, x(k).y());
    const double height = cost_of(((x(e).y() - low) / u - ankle_height) / ankle_deviation);
    return height + (rest > 0.0 ? cost_of((rest / u - foot_length) / foot_deviation) : no_hand);
  }

  // Joints before the first: clavicles, and helpers that begin in the middle.
  double before_cost(std::size_t r, double u) const {
    double cost = 0.0, clavicles = 0.0;
    for (std::size_t k = 0; k < r; ++k) {
      if (same(k, r)) continue;
      const double way = (x(k) - x(r)).norm();
      if (hinge(k) && hinge(r) && way <= compound * u)
        cost += split_joint;
      else if (!is_leg())
        cost += ++clavicles > max_clavicles ? odd_joint : clavicle_cost;
      else if (from_middle(k) > 0.3 * from_middle(r))
        cost += way <= near_hip * u ? near_odd_joint : odd_joint;
    }
    return cost;
  }

  // A hinge of the third joint that comes before it.
  double split_cost(std::size_t m, std::size_t e) const {
    const Vec3 lower = x(e) - x(m);
    double cost = 0.0;
    for (std::size_t k = m + 1; k < e; ++k)
      if (const auto axis = hinge(k); axis && !same(k, m) && (x(e) - x(k)).norm() <= near_end * lower.norm() &&
                                      std::fabs(axis->dot(lower)) < across * lower.norm())
        cost += split_joint;
    return cost;
  }

  // Joints within a bone.
  double inner_cost(std::size_t from, std::size_t to) const {
    double cost = 0.0, way = 0.0;
    bool hinges_only = true;
    for (std::size_t k = from; k < to; ++k) {
      way += (x(k + 1) - x(k)).norm();
      if (k == from) continue;
      const bool is_hinge = hinge(k).has_value();
      hinges_only = hinges_only && is_hinge;
      if (!is_hinge && !same(k, from) && !same(k, to)) cost += inner_joint;
    }
    const double direct = (x(to) - x(from)).norm();
    return cost + cost_of((way / direct - 1.0) / (hinges_only ? hinge_bend_deviation : bend_deviation));
  }

  const BoneTree& tree_;
  const LimbChain& chain_;
  const LimbSetting& setting_;
  const double length_;
};

// The last of the joints that follow in one place, or of several of one axis that make one.
int last_of(const BoneTree& tree, const LimbChain& chain, std::size_t at, std::size_t end, double reach,
            const LimbFinder& finder, bool is_compound) {
  std::size_t last = at;
  int turns = tree.turns[static_cast<std::size_t>(chain.joints[at])];
  for (std::size_t k = at + 1; k < end; ++k) {
    const auto s = static_cast<std::size_t>(chain.joints[k]);
    const bool is_near =
        is_compound && tree.turns[s] == 1 && turns < 3 && (chain.at[k] - chain.at[at]).norm() <= compound * reach;
    if (!finder.same(at, k) && !is_near) break;
    turns += tree.turns[s];
    last = k;
  }
  return static_cast<int>(last);
}

}  // namespace

namespace {

// The hypotheses that both limbs have, at the mean of their costs; empty if their chains differ.
std::vector<Hypothesis> shared(const std::vector<Hypothesis>& left, const std::vector<Hypothesis>& right) {
  std::vector<Hypothesis> both;
  for (const Hypothesis& one : left) {
    const auto other = std::ranges::find(right, one.at, &Hypothesis::at);
    if (other != right.end()) both.push_back({one.at, 0.5 * (one.cost + other->cost)});
  }
  return both;
}

Limb read_limb(const BoneTree& tree, const LimbChain& chain, const LimbFinder& finder,
               const std::vector<Hypothesis>& list) {
  Limb limb{chain, {}, 0.0};
  if (list.empty()) {
    if (chain.count() > 0) limb.joint[0] = {0, 0, single_joint};
    return limb;
  }
  Hypothesis best = *std::ranges::min_element(list, {}, &Hypothesis::cost);
  double total = 0.0;
  std::array<double, 3> share = {};
  for (const Hypothesis& one : list) {
    const double p = std::exp(sharpness * (best.cost - one.cost));
    total += p;
    for (std::size_t k = 0; k < 3; ++k) share[k] += finder.alike(one.at[k], best.at[k]) ? p : 0.0;
  }
  // The first of the joints in one place.
  for (std::size_t k = 1; k < 3; ++k)
    while (best.at[k] > best.at[k - 1] + 1 && best.at[k] < chain.count() && finder.same(best.at[k], best.at[k] - 1) &&
           !finder.twists(best.at[k] - 1, chain.at[best.at[k]] - chain.at[best.at[k - 1]]))
      --best.at[k];
  limb.cost = best.cost;
  const double fit = std::exp(-std::fmax(0.0, best.cost - usual_cost) / cost_scale);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = best.at[k];
    if (at >= chain.count()) continue;
    const std::size_t end = k < 2 ? std::min(best.at[k + 1], chain.count()) : chain.count();
    const double bone = (chain.at[at] - chain.at[best.at[k == 0 ? 1 : k - 1]]).norm();
    const bool is_compound = tree.hinge(chain.joints[at]).has_value() && k != 1;
    limb.joint[k] = {static_cast<int>(at), last_of(tree, chain, at, end, bone, finder, is_compound),
                     fit * share[k] / total};
  }
  return limb;
}

}  // namespace

std::array<Limb, 2> find_limbs(const BoneTree& tree, const std::array<LimbChain, 2>& chains,
                               const LimbSetting& setting) {
  const std::array finders = {LimbFinder(tree, chains[0], setting), LimbFinder(tree, chains[1], setting)};
  const std::array lists = {finders[0].all(), finders[1].all()};
  const std::vector<Hypothesis> both =
      chains[0].count() == chains[1].count() ? shared(lists[0], lists[1]) : std::vector<Hypothesis>();
  std::array<Limb, 2> limbs;
  for (std::size_t k = 0; k < 2; ++k) limbs[k] = read_limb(tree, chains[k], finders[k], both.empty() ? lists[k] : both);
  return limbs;
}

Vec3 bent_by_limits(const BoneTree& tree, const Limb& limb) {
  const int segment = limb.segment(1, false);
  if (segment < 0) return Vec3::Zero();
  const Vec3 end =
      limb.joint[2].at >= 0 ? limb.chain.at[static_cast<std::size_t>(limb.joint[2].at)] : limb.chain.last();
  const Joint& joint = tree.figure.joints()[static_cast<std::size_t>(segment)];
  const Vec3 lower = end - tree.p[static_cast<std::size_t>(segment)];
  Vec3 way = Vec3::Zero();
  const VecX theta = tree.figure.rest().theta;
  VecX q;
  tree.figure.angles(theta, q);
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = tree.figure.freedoms()[static_cast<std::size_t>(i)];
    if (freedom.motion != Motion::rotate || !std::isfinite(freedom.lower) || !std::isfinite(freedom.upper)) continue;
    const Vec3& axis = tree.rest.axes[static_cast<std::size_t>(i)];
    if (std::fabs(axis.dot(lower)) > across * lower.norm()) continue;
    const double turn = 0.5 * (freedom.lower + freedom.upper) - q[i];
    way += rotation(axis, turn) * lower - lower;
  }
  return way;
}

}  // namespace limber
