// Masses of people by part. What has no bone of its own counts with the one that carries it.
#include <cmath>

#include "limber/figure/human_tables.h"
#include "limber/roles/assumed.h"
#include "limber/roles/bone_tree.h"

namespace limber {

namespace {

using human_tables::male_sample;

// Of a person as tall as the figure, without what is above the joint of the head.
constexpr double head_above_joint = 0.09;  // of the stature: skull base to vertex

class MassFinder {
 public:
  MassFinder(const Figure& figure, const Roles& roles) : figure_(figure), roles_(roles), tree_(figure) {}

  Figure find() {
    description_ = figure_.description();
    double low = infinity, high = -infinity;
    for (const RolePart& part : roles_.parts) {
      low = std::fmin(low, p(part.segment).y());
      high = std::fmax(high, p(part.segment).y());
    }
    stature_ = (high - low) / (1.0 - head_above_joint);
    mass_ = male_sample.mass * std::pow(stature_ / male_sample.stature, 3.0);
    for (const Side side : {Side::left, Side::right}) add_limbs(side);
    add_trunk();
    Expected<Figure> heavy = build_figure(std::move(description_));
    return heavy ? *heavy : figure_;
  }

 private:
  const Vec3& p(int s) const { return tree_.p[static_cast<std::size_t>(s)]; }
  int segment(Role role, Side side, int order = 0) const {
    const RolePart* part = roles_.find(role, side, order);
    return part ? part->segment : -1;
  }

  // A share of the mass, this far along the way from the segment's joint to a point.
  void add(int s, double share, double along, const Vec3& to) {
    const Frame& X = tree_.rest.segments[static_cast<std::size_t>(s)];
    const Vec3 centre = X.inverse() * Vec3(p(s) + along * (to - p(s)));
    for (SegmentDescription& one : description_.segments) {
      if (one.name != figure_.segments()[static_cast<std::size_t>(s)].name) continue;
      const double sum = one.mass + share * mass_;
      one.mass_centre = (one.mass * one.mass_centre + share * mass_ * centre) / sum;
      one.mass = sum;
    }
  }

  void add_limb(const std::array<int, 3>& joints, const std::array<double, 3>& shares,
                const std::array<double, 3>& along, const Vec3& end) {
    int last = -1;
    for (std::size_t k = 0; k < 3; ++k) {
      if (joints[k] >= 0) last = joints[k];
      if (last < 0) continue;
      const bool is_own = joints[k] >= 0;
      const Vec3 to = k < 2 && joints[k + 1] >= 0 ? p(joints[k + 1]) : end;
      add(last, shares[k], is_own ? along[k] : 1.0, to);
    }
  }

  Vec3 end_of(int s) const { return s < 0 ? Vec3(Vec3::Zero()) : chain_from(tree_, s).last(); }

  void add_limbs(Side side) {
    const std::array arm = {segment(Role::shoulder, side), segment(Role::elbow, side), segment(Role::wrist, side)};
    const std::array leg = {segment(Role::hip, side), segment(Role::knee, side), segment(Role::ankle, side)};
    add_limb(arm, {male_sample.upper_arm, male_sample.forearm, male_sample.hand},
             {male_sample.upper_arm_centre, male_sample.forearm_centre, male_sample.hand_centre},
             end_of(arm[2] >= 0 ? arm[2] : arm[1]));
    add_limb(leg, {male_sample.thigh, male_sample.shank, male_sample.foot},
             {male_sample.thigh_centre, male_sample.shank_centre, male_sample.foot_centre},
             end_of(leg[2] >= 0 ? leg[2] : leg[1]));
  }

  void add_trunk() {
    std::vector<int> column;
    for (const RolePart& part : roles_.parts)
      if (part.role == Role::pelvis || part.role == Role::spine) column.push_back(part.segment);
    const int head = segment(Role::head, Side::middle);
    if (column.empty()) return;
    const Vec3 top = head >= 0 ? p(head) : p(column.back());
    const auto next = [&](std::size_t k) { return k + 1 < column.size() ? p(column[k + 1]) : top; };
    add(column.front(), male_sample.lower_trunk, 0.5, next(0));
    add(column.back(), male_sample.upper_trunk, 0.5, top);
    const std::size_t inner = column.size() > 1 ? column.size() - 1 : 1;
    for (std::size_t k = column.size() - inner; k < column.size(); ++k)
      add(column[k], male_sample.middle_trunk / static_cast<double>(inner), 0.5, next(k));
    add(head >= 0 ? head : column.back(), male_sample.head, 1.0,
        (head >= 0 ? p(head) : top) + 0.5 * head_above_joint * stature_ * Vec3::UnitY());
  }

  const Figure& figure_;
  const Roles& roles_;
  const BoneTree tree_;
  FigureDescription description_;
  double stature_ = 1.0, mass_ = 1.0;
};

}  // namespace

Figure with_assumed_masses(const Figure& figure, const Roles& roles) {
  if (roles.plan != BodyPlan::person || figure.mass() > 0.0) return figure;
  return MassFinder(figure, roles).find();
}

}  // namespace limber
