#include "limber/roles/roles.h"

#include <algorithm>
#include <cmath>

#include "limber/roles/body_plan.h"
#include "limber/roles/extremity.h"
#include "limber/roles/facing.h"
#include "limber/roles/limb.h"
#include "limber/roles/trunk.h"
#include "limber/roles/words.h"

namespace limber {

namespace {

constexpr std::array arm_roles = {Role::shoulder, Role::elbow, Role::wrist};
constexpr std::array leg_roles = {Role::hip, Role::knee, Role::ankle};
// What a name that agrees or differs is worth, as a cost of limb.h.
constexpr double named_so = -1.5, named_otherwise = 1.0;
// The share of doubt that stays where a name agrees; the confidence where it says another part.
constexpr double agreeing_doubt = 0.3, differing_share = 0.7;
// Logits of sides by name, if all that tell are right.
constexpr double name_sign = 4.0;
// A limb whose other side is read otherwise is less certain by this.
constexpr double uneven_share = 0.6;

class RoleFinder {
 public:
  RoleFinder(const Figure& figure, const RoleOptions& options) : tree_(figure) {
    for (const Segment& segment : figure.segments())
      hints_.push_back(options.names ? name_hint(segment.name) : NameHint{});
  }

  Roles find();

 private:
  using Pair = std::array<Limb, 2>;

  const NameHint& hint(int s) const { return hints_[static_cast<std::size_t>(s)]; }
  Pair limbs_of(const LimbPair& pair, LimbKind kind) const;
  void find_facing(const LimbPair& plane);
  double side_by_name(const LimbPair& pair) const;
  void add(Role role, Side side, int order, int first, int segment, double confidence);
  void add_limb(const LimbPair& pair, const Pair& limbs, LimbKind kind);
  void add_clavicle(const Limb& arm, Side side);
  void add_trunk();
  void set_aside();

  const BoneTree tree_;
  std::vector<NameHint> hints_;
  LimbPairs pairs_;
  std::optional<Pair> legs_, arms_;
  Trunk trunk_;
  bool first_is_left_ = true;
  Roles roles_;
};

RoleFinder::Pair RoleFinder::limbs_of(const LimbPair& pair, LimbKind kind) const {
  LimbSetting setting{kind, pair.normal, pair.middle, [&](int segment, int place) {
                        const std::optional<Role> named = hint(segment).role;
                        if (!named) return 0.0;
                        const auto& own = kind == LimbKind::arm ? arm_roles : leg_roles;
                        return *named == own[static_cast<std::size_t>(place)] ? named_so : named_otherwise;
                      }};
  Pair limbs = find_limbs(tree_, pair.chain, setting);
  for (std::size_t k = 0; k < 3; ++k)
    if (limbs[0].joint[k].at != limbs[1].joint[k].at && limbs[0].chain.count() == limbs[1].chain.count())
      for (Limb& limb : limbs) limb.joint[k].confidence *= uneven_share;
  return limbs;
}

// The share of the first limb's names that say left, less those that say right, against the other limb's.
double RoleFinder::side_by_name(const LimbPair& pair) const {
  double sum = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < 2; ++k)
    for (const int s : pair.chain[k].joints) {
      if (hint(s).side == Side::middle) continue;
      sum += (hint(s).side == Side::left) == (k == 0) ? 1.0 : -1.0;
      ++count;
    }
  return count > 0 ? sum / count : 0.0;
}

// With the first limb to the left, the figure looks along left × up.
void RoleFinder::find_facing(const LimbPair& plane) {
  const Vec3 ahead = plane.normal.cross(Vec3::UnitY());
  double logits = facing(tree_, {legs_, arms_, trunk_.head, pairs_.plan == BodyPlan::quadruped}, ahead);
  for (const auto* pair : {&pairs_.legs, &pairs_.arms})
    if (*pair)
      logits += 0.5 * name_sign * side_by_name(**pair) * ((*pair)->normal.dot(plane.normal) > 0.0 ? 1.0 : -1.0);
  first_is_left_ = logits >= 0.0;
  roles_.left = (first_is_left_ ? 1.0 : -1.0) * plane.normal;
  roles_.forward = roles_.left.cross(Vec3::UnitY());
  roles_.side_confidence = 1.0 / (1.0 + std::exp(-std::fabs(logits)));
}

void RoleFinder::add(Role role, Side side, int order, int first, int segment, double confidence) {
  confidence *= roles_.plan_confidence;
  for (const int s : {segment, first}) {
    const std::optional<Role> named = hint(s).role;
    if (!named) continue;
    confidence = *named == role ? 1.0 - agreeing_doubt * (1.0 - confidence) : differing_share * confidence;
    break;
  }
  roles_.parts.push_back({role, side, order, first, segment, confidence});
}

void RoleFinder::add_limb(const LimbPair& pair, const Pair& limbs, LimbKind kind) {
  const double sure = std::exp(-pair.error);
  for (std::size_t k = 0; k < 2; ++k) {
    const Limb& limb = limbs[k];
    const bool is_left = (k == 0 ? pair.normal : Vec3(-pair.normal)).dot(roles_.left) > 0.0;
    const Side side = is_left ? Side::left : Side::right;
    if (kind == LimbKind::arm) add_clavicle(limb, side);
    for (std::size_t j = 0; j < 3; ++j)
      if (limb.joint[j].at >= 0)
        add((kind == LimbKind::arm ? arm_roles : leg_roles)[j], side, 0, limb.segment(j, false), limb.segment(j, true),
            sure * limb.joint[j].confidence);
    if (kind == LimbKind::leg) {
      if (const int ball = find_ball(tree_, limb); ball >= 0)
        add(Role::ball, side, 0, ball, ball, sure * limb.joint[2].confidence);
      continue;
    }
    if (pairs_.plan != BodyPlan::person) continue;
    for (const Finger& finger : find_fingers(tree_, limb))
      for (std::size_t i = 0; i < finger.joints.size(); ++i)
        add(finger.role, side, static_cast<int>(i), finger.joints[i], finger.joints[i], sure * finger.confidence);
  }
}

// The first joint beside the middle, between the trunk and the shoulder; else the last one in the middle.
void RoleFinder::add_clavicle(const Limb& arm, Side side) {
  if (arm.joint[0].at < 1) return;
  const LimbPair& pair = *pairs_.arms;
  const auto beside = [&](int k) {
    return std::fabs(pair.normal.dot(arm.chain.at[static_cast<std::size_t>(k)] - pair.middle));
  };
  constexpr double off_middle = 0.05;  // of the shoulder's distance from it
  int at = arm.joint[0].at - 1;
  for (int k = 0; k < arm.joint[0].at; ++k)
    if (beside(k) > off_middle * beside(arm.joint[0].at)) {
      at = k;
      break;
    }
  const int segment = arm.chain.joints[static_cast<std::size_t>(at)];
  if (tree_.turns[static_cast<std::size_t>(segment)] == 0) return;
  add(Role::clavicle, side, 0, segment, segment, arm.joint[0].confidence);
}

void RoleFinder::add_trunk() {
  if (trunk_.pelvis >= 0) add(Role::pelvis, Side::middle, 0, trunk_.pelvis, trunk_.pelvis, trunk_.confidence);
  for (const auto& [role, list] : {std::pair{Role::spine, &trunk_.spine}, {Role::neck, &trunk_.neck}})
    for (std::size_t k = 0; k < list->size(); ++k)
      add(role, Side::middle, static_cast<int>(k), (*list)[k], (*list)[k], trunk_.confidence);
  if (trunk_.head >= 0) add(Role::head, Side::middle, 0, trunk_.head, trunk_.head, trunk_.head_confidence);
}

void RoleFinder::set_aside() {
  const int count = static_cast<int>(tree_.p.size());
  std::vector<bool> has_role(static_cast<std::size_t>(count), false);
  for (const RolePart& part : roles_.parts)
    for (int s = part.segment; s != no_parent; s = tree_.parent(s)) {
      has_role[static_cast<std::size_t>(s)] = true;
      if (s == part.first) break;
    }
  std::vector<int> feet;
  for (const RolePart& part : roles_.parts)
    if (part.role == Role::ankle) feet.push_back(part.segment);
  for (int s = 0; s < count; ++s) {
    if (has_role[static_cast<std::size_t>(s)]) continue;
    AsideReason reason = AsideReason::helper;
    if (trunk_.pelvis >= 0 && tree_.is_below(trunk_.pelvis, s))
      reason = AsideReason::above;
    else if (trunk_.pelvis >= 0 && !tree_.is_below(s, trunk_.pelvis))
      reason = AsideReason::control;
    else if (trunk_.head >= 0 && tree_.is_below(s, trunk_.head))
      reason = AsideReason::face;
    else if (std::ranges::any_of(feet, [&](int foot) { return tree_.is_below(s, foot); }))
      reason = AsideReason::toe;
    else if (tree_.turns[static_cast<std::size_t>(s)] == 0 && tree_.is_leaf(s))
      reason = AsideReason::tip;
    roles_.aside.push_back({s, reason});
  }
}

Roles RoleFinder::find() {
  if (!tree_.figure.parts().empty() || tree_.p.empty() || !(tree_.size > 0.0)) return roles_;
  pairs_ = find_pairs(tree_);
  roles_.plan = pairs_.plan;
  roles_.plan_confidence = pairs_.confidence;
  if (pairs_.plan == BodyPlan::unknown) return roles_;
  const bool is_quadruped = pairs_.plan == BodyPlan::quadruped;
  if (pairs_.legs) legs_ = limbs_of(*pairs_.legs, LimbKind::leg);
  if (pairs_.arms) arms_ = limbs_of(*pairs_.arms, is_quadruped ? LimbKind::leg : LimbKind::arm);
  trunk_ = find_trunk(tree_, pairs_);
  find_facing(pairs_.legs ? *pairs_.legs : *pairs_.arms);
  // The pair of a quadruped that is ahead are its arms.
  if (is_quadruped && (pairs_.arms->middle - pairs_.legs->middle).dot(roles_.forward) < 0.0) {
    std::swap(pairs_.arms, pairs_.legs);
    std::swap(arms_, legs_);
  }
  add_trunk();
  if (arms_) add_limb(*pairs_.arms, *arms_, LimbKind::arm);
  if (legs_) add_limb(*pairs_.legs, *legs_, LimbKind::leg);
  set_aside();
  return roles_;
}

}  // namespace

Roles roles_of(const Figure& figure, const RoleOptions& options) { return RoleFinder(figure, options).find(); }

const RolePart* Roles::find(Role role, Side side, int order) const {
  const RolePart* found = nullptr;
  for (const RolePart& part : parts)
    if (part.role == role && part.side == side &&
        (order < 0 ? !found || part.order > found->order : part.order == order))
      found = &part;
  return found;
}

double Roles::confidence(Role role, Side side) const {
  const RolePart* part = find(role, side);
  if (!part) return 0.0;
  return side == Side::middle ? part->confidence : part->confidence * side_confidence;
}

namespace {

constexpr std::string_view role_names[] = {"pelvis", "spine", "neck",  "head",  "clavicle", "shoulder",
                                           "elbow",  "wrist", "thumb", "index", "middle",   "ring",
                                           "little", "hip",   "knee",  "ankle", "ball"};
constexpr std::string_view plan_names[] = {"unknown", "person", "quadruped"};
constexpr std::string_view reason_names[] = {"above", "control", "helper", "face", "toe", "tip"};

}  // namespace

std::string_view name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }
std::string_view name_of(BodyPlan plan) { return plan_names[static_cast<std::size_t>(plan)]; }
std::string_view name_of(AsideReason reason) { return reason_names[static_cast<std::size_t>(reason)]; }

std::string name_of(const RolePart& part) {
  std::string name = part.side == Side::left ? "left_" : part.side == Side::right ? "right_" : "";
  name += name_of(part.role);
  if (part.order > 0) name += "_" + std::to_string(part.order + 1);
  return name;
}

std::vector<std::string> missing_roles(const Roles& roles) {
  std::vector<std::string> missing;
  for (const Role role : {Role::pelvis, Role::spine, Role::neck, Role::head})
    if (!roles.find(role)) missing.emplace_back(name_of(role));
  for (const Side side : {Side::left, Side::right})
    for (const Role role : {Role::shoulder, Role::elbow, Role::wrist, Role::hip, Role::knee, Role::ankle, Role::ball})
      if (!roles.find(role, side)) missing.push_back(name_of(RolePart{role, side}));
  return missing;
}

}  // namespace limber
