#include "limber/posing/hang.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limber {

namespace {

// A bone hangs that is at most so far from straight down.
const double max_angle = 35.0 * pi / 180.0;
// Shorter ones, relative to the figure's length, are no bones of limbs.
constexpr double min_length = 0.1;
// A limb may be this deep in the body, relative to the figure's length: both are soft.
constexpr double soft = 0.002;
// It begins to be seen from so far away, and its contacts count as at least so far from its joint.
constexpr double near = 0.1, min_lever = 0.12;
constexpr double max_tilt = 45.0 * pi / 180.0;

// From the joint of a segment to the farthest joint that it carries.
Vec3 bone_of(const Figure& figure, int segment) {
  Vec3 bone = Vec3::Zero();
  for (std::size_t s = static_cast<std::size_t>(segment) + 1; s < figure.segments().size(); ++s)
    if (figure.segments()[s].parent == segment && figure.joints()[s].in_parent.p.norm() > bone.norm())
      bone = figure.joints()[s].in_parent.p;
  return bone - figure.joints()[static_cast<std::size_t>(segment)].in_child.p;
}

bool is_idle(const Figure& figure, int segment, const std::vector<bool>& idle) {
  const Joint& joint = figure.joints()[static_cast<std::size_t>(segment)];
  bool found = false;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    for (int t = freedom.term_begin; t < freedom.term_end; ++t) {
      if (!idle[static_cast<std::size_t>(figure.terms()[static_cast<std::size_t>(t)].parameter)]) return false;
      found = true;
    }
  }
  return found;
}

}  // namespace

std::vector<HangingBone> hanging_bones(const Figure& figure, const Kinematics& state, const std::vector<bool>& idle) {
  std::vector<HangingBone> bones;
  for (int s = 0; s < static_cast<int>(figure.segments().size()); ++s) {
    if (!is_idle(figure, s, idle)) continue;
    const Vec3 bone = bone_of(figure, s);
    if (!(bone.norm() > min_length * figure.length())) continue;
    const Vec3 v = state.segments[static_cast<std::size_t>(s)].R * bone.normalized();
    if (-v.y() < std::cos(max_angle)) continue;
    Handle direction{"", Shape::direction};
    direction.plus[0] = {Element::Kind::direction, s, bone.normalized()};
    bones.push_back({s, direction, v});
  }
  return bones;
}

HangingLimbs::HangingLimbs(const Figure& figure)
    : capsules_(capsules_of(figure)), pairs_(pairs_to_check(figure, capsules_)), finder_({}, {}) {}

void HangingLimbs::begin(const Figure& figure, const std::vector<HangingBone>& bones,
                         const std::vector<ConstraintId>& ids) {
  limbs_.clear();
  for (std::size_t k = 0; k < bones.size(); ++k) {
    const int s = bones[k].segment;
    const bool goes_on = !limbs_.empty() && s < limbs_.back().end;
    if (!goes_on) limbs_.push_back({s, figure.segments()[static_cast<std::size_t>(s)].subtree_end, {}});
    limbs_.back().bones.push_back({ids[k], bones[k].v});
  }
  std::vector<CapsulePair> pairs;
  for (const CapsulePair& pair : pairs_)
    if (limb_of(pair.first) != limb_of(pair.second)) pairs.push_back(pair);
  near_.reserve(pairs.size());
  finder_ = NearFinder(capsules_, std::move(pairs));
}

HangingLimbs::Limb* HangingLimbs::limb_of(int capsule) {
  const int s = capsules_[static_cast<std::size_t>(capsule)].segment;
  const auto limb = std::ranges::find_if(limbs_, [s](const Limb& one) { return s >= one.first && s < one.end; });
  return limb == limbs_.end() ? nullptr : &*limb;
}

void HangingLimbs::state_goals(Problem& problem, const Limb& limb) const {
  const bool tilts = limb.tilt > 0.0 && limb.out != Vec3::Zero();
  const Mat3 R = tilts ? rotation((-Vec3::UnitY()).cross(limb.out), limb.tilt) : Mat3(Mat3::Identity());
  for (const Bone& bone : limb.bones) {
    const Expected<void> set = problem.set_goal(bone.id, Direction{R * bone.v, 1.0});
    assert(set);
    (void)set;
  }
}

void HangingLimbs::hang(Problem& problem) {
  for (Limb& limb : limbs_) {
    limb.tilt = 0.0;
    state_goals(problem, limb);
  }
}

// Outward: from where the limb hangs on to its joint, horizontally; 0 where that says nothing.
Vec3 HangingLimbs::outward(const Limb& limb, const Figure& figure, const Kinematics& state) {
  const int parent = figure.segments()[static_cast<std::size_t>(limb.first)].parent;
  if (parent == no_parent) return Vec3::Zero();
  const Joint& joint = figure.joints()[static_cast<std::size_t>(limb.first)];
  Vec3 out = state.segments[static_cast<std::size_t>(parent)].R * joint.in_parent.p;
  out.y() = 0.0;
  return out.norm() > soft * figure.length() ? Vec3(out.normalized()) : Vec3::Zero();
}

double HangingLimbs::clear(Problem& problem, const Figure& figure, const Kinematics& state) {
  const double length = figure.length();
  for (Limb& limb : limbs_) {
    limb.room = near / min_lever;
    limb.out = outward(limb, figure, state);
  }
  finder_.place(state);
  near_.clear();
  finder_.find(Obstacles(), near * length, near_);
  for (const NearPair& pair : near_) {
    for (const bool is_first : {true, false}) {
      Limb* limb = limb_of(is_first ? pair.capsule : pair.other);
      if (!limb) continue;
      // Only a tilt that leads away from the contact helps.
      const double away = limb->out.dot(is_first ? pair.normal : Vec3(-pair.normal));
      if (!(away > 0.0)) continue;
      const Vec3& joint = state.segments[static_cast<std::size_t>(limb->first)].p;
      const Vec3& contact = is_first ? pair.on_core : pair.on_other;
      const double lever = std::fmax((contact - joint).norm(), min_lever * length);
      limb->room = std::fmin(limb->room, away * (pair.clearance + soft * length) / lever);
    }
  }
  double change = 0.0;
  for (Limb& limb : limbs_) {
    const double before = limb.tilt;
    limb.tilt = std::clamp(before - limb.room, 0.0, max_tilt);
    change = std::fmax(change, std::fabs(limb.tilt - before));
    state_goals(problem, limb);
  }
  return change;
}

}  // namespace limber
