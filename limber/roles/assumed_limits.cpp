#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>

#include "limber/base/number.h"
#include "limber/figure/human_tables.h"
#include "limber/roles/assumed.h"
#include "limber/roles/bone_tree.h"

namespace limber {

namespace {

using human_tables::Bounds;
namespace range = human_tables::range;

// Turns about one axis after another, in the world at rest, the last one first: W = R(a_1) R(a_2) R(a_3).
struct Turn {
  Vec3 axis = Vec3::UnitX();
  Bounds bounds = {0.0, 0.0};
};

// What no table has: degrees by which hinges give way in other directions, and the turns of shoulder blades.   chosen
constexpr Bounds give = {-6.0, 6.0}, blade = {-20.0, 20.0};
// Samples of each range; from rest to a sample the angles are followed in so many steps.
constexpr int range_samples = 7, path_steps = 6;
// A limb bent by less at rest is straight: the plane in which it bends is that of the body.
constexpr double min_bend = 10.0 * pi / 180.0;

// Degrees, shifted by what the joint is turned at rest, in radians.
Bounds shifted(const Bounds& bounds, double rest) {
  return {bounds.lower_deg - degrees(rest), bounds.upper_deg - degrees(rest)};
}

Bounds part_of(const Bounds& bounds, std::size_t count) {
  return {bounds.lower_deg / static_cast<double>(count), bounds.upper_deg / static_cast<double>(count)};
}

// The three rotations of a joint as R_x R_y R_z in the basis of their axes.
struct JointTurns {
  std::array<std::size_t, 3> freedom;  // within the joint's description
  Mat3 P = Mat3::Identity();           // world from joint, at rest
  Mat3 B = Mat3::Identity();           // the axes, the last one reversed if they are left-handed
  double last_sign = 1.0;
  Mat3 D_rest = Mat3::Identity();
  Vec3 q_rest = Vec3::Zero();

  Mat3 turned(const Vec3& q) const {
    return B * euler_rotation(euler_xyz, {q[0], q[1], last_sign * q[2]}) * B.transpose();
  }
  Vec3 angles(const Mat3& W, const Vec3& near) const {
    const Mat3 D = P.transpose() * W * P * D_rest;
    Vec3 q = euler_angles(B.transpose() * D * B, euler_xyz, {near[0], near[1], last_sign * near[2]});
    q[2] *= last_sign;
    return q;
  }
};

class LimitFinder {
 public:
  LimitFinder(const Figure& figure, const Roles& roles) : figure_(figure), roles_(roles), tree_(figure) {}

  AssumedLimits find() {
    description_ = figure_.description();
    for (const Side side : {Side::left, Side::right}) {
      add_arm(side);
      add_leg(side);
    }
    add_trunk();
    keep_lengths();
    Expected<Figure> limited = build_figure(std::move(description_));
    if (!limited) return {figure_, {}};
    return {std::move(*limited), std::move(parameters_)};
  }

 private:
  const RolePart* part(Role role, Side side) const {
    const RolePart* found = roles_.find(role, side);
    return found && roles_.confidence(role, side) >= sure_confidence ? found : nullptr;
  }
  const Vec3& p(int s) const { return tree_.p[static_cast<std::size_t>(s)]; }

  // From the joint of a part to that of another; nothing if one is unknown.
  std::optional<Vec3> bone(Role from, Role to, Side side) const {
    const RolePart *a = part(from, side), *b = part(to, side);
    if (!a || !b) return std::nullopt;
    const Vec3 way = p(b->segment) - p(a->segment);
    return way.norm() > 0.0 ? std::optional<Vec3>(way.normalized()) : std::nullopt;
  }

  // The axis about which `lower` turns from the line of `upper` towards `way`, and by how much it is turned at rest.
  std::pair<Vec3, double> hinge_of(const Vec3& upper, const Vec3& lower, const Vec3& way) const {
    const Vec3 bent = upper.cross(lower);
    const double angle = std::atan2(bent.norm(), upper.dot(lower));
    const Vec3 usual = upper.cross(way).normalized();
    if (angle < min_bend || bent.dot(usual) <= 0.0) return {usual, bent.dot(usual) < 0.0 ? -angle : angle};
    return {bent.normalized(), angle};
  }

  // What a limb that hangs straight down turns by to be along `bone`.
  static Mat3 from_hanging(const Vec3& bone) {
    return Eigen::Quaterniond::FromTwoVectors(-Vec3::UnitY(), bone).toRotationMatrix();
  }

  void add_arm(Side side) {
    const Vec3 out = side == Side::left ? roles_.left : Vec3(-roles_.left), ahead = roles_.forward;
    const std::optional<Vec3> upper = bone(Role::shoulder, Role::elbow, side),
                              lower = bone(Role::elbow, Role::wrist, side);
    if (const RolePart* clavicle = part(Role::clavicle, side))
      limit(clavicle->segment,
            {{out.cross(Vec3::UnitY()), range::clavicle_shrug}, {Vec3::UnitY(), blade}, {out, blade}});
    if (upper)
      limit(part(Role::shoulder, side)->segment,
            {{-roles_.left, range::shoulder_elevation},
             {out.cross(Vec3::UnitY()), range::shoulder_abduction},
             {side == Side::left ? Vec3(-Vec3::UnitY()) : Vec3(Vec3::UnitY()), range::shoulder_twist}},
            from_hanging(*upper).transpose());
    if (!upper || !lower) return;
    const auto [axis, bent] = hinge_of(*upper, *lower, ahead);
    limit(part(Role::elbow, side)->segment,
          {{axis, shifted(range::elbow_flexion, bent)}, {axis.cross(*lower), give}, {*lower, give}});
    const Vec3 across = axis.cross(*lower).normalized();
    // The forearm turns in the wrist; which way the palm looks is not known.
    limit(part(Role::wrist, side)->segment,
          {{axis, range::wrist_flexion}, {across, range::wrist_flexion}, {*lower, range::wrist_pronation}});
  }

  void add_leg(Side side) {
    const Vec3 out = side == Side::left ? roles_.left : Vec3(-roles_.left), ahead = roles_.forward;
    const std::optional<Vec3> thigh = bone(Role::hip, Role::knee, side), shank = bone(Role::knee, Role::ankle, side);
    const Vec3 forward_axis = -roles_.left;  // turns what hangs ahead
    if (thigh)
      limit(part(Role::hip, side)->segment,
            {{forward_axis, range::hip_flexion},
             {out.cross(Vec3::UnitY()), range::hip_abduction},
             {side == Side::left ? Vec3(-Vec3::UnitY()) : Vec3(Vec3::UnitY()), range::hip_rotation}},
            from_hanging(*thigh).transpose());
    if (!thigh || !shank) return;
    const auto [axis, bent] = hinge_of(*thigh, *shank, -ahead);
    limit(part(Role::knee, side)->segment,
          {{axis, shifted(range::knee_flexion, bent)}, {*shank, give}, {axis.cross(*shank), give}});
    limit(part(Role::ankle, side)->segment, {{forward_axis, range::ankle_flexion},
                                             {side == Side::left ? Vec3(-ahead) : ahead, range::ankle_inversion},
                                             {Vec3::UnitY(), give}});
    if (const RolePart* ball = part(Role::ball, side))
      limit(ball->segment, {{roles_.left, range::toes_flexion}, {Vec3::UnitY(), give}, {ahead, give}});
  }

  void add_trunk() {
    std::vector<int> spine, neck;
    for (const RolePart& one : roles_.parts) {
      if (one.role == Role::spine) spine.push_back(one.segment);
      if (one.role == Role::neck) neck.push_back(one.segment);
    }
    add_column(spine, range::spine_forward, range::spine_lateral, range::spine_axial);
    if (neck.empty()) {
      if (const RolePart* head = part(Role::head, Side::middle))
        add_column({head->segment}, range::neck_flexion, range::neck_lateral, range::head_turn);
      return;
    }
    add_column(neck, range::neck_flexion, range::neck_lateral, range::neck_axial);
    if (const RolePart* head = part(Role::head, Side::middle))
      add_column({head->segment}, range::head_nod, give, range::head_turn);
  }

  void add_column(const std::vector<int>& joints, const Bounds& forward, const Bounds& lateral, const Bounds& axial) {
    for (const int s : joints)
      limit(s, {{Vec3::UnitY(), part_of(axial, joints.size())},
                {-roles_.forward, part_of(lateral, joints.size())},
                {roles_.left, part_of(forward, joints.size())}});
  }

  // Bones do not stretch, and joints do not come apart.
  void keep_lengths() {
    const RolePart* pelvis = part(Role::pelvis, Side::middle);
    if (!pelvis) return;
    const std::vector<Segment>& segments = figure_.segments();
    for (int s = pelvis->segment + 1; s < segments[static_cast<std::size_t>(pelvis->segment)].subtree_end; ++s) {
      const std::string& name = figure_.joints()[static_cast<std::size_t>(s)].name;
      const auto joint = std::ranges::find(description_.joints, name, &JointDescription::name);
      if (joint == description_.joints.end()) continue;
      for (FreedomDescription& freedom : joint->freedoms) {
        if (freedom.motion != Motion::translate || freedom.range.lower != -infinity || freedom.range.upper != infinity)
          continue;
        freedom.range.lower = freedom.range.upper = freedom.range.rest;
        parameters_.push_back(joint->name + "." + freedom.name);
      }
    }
  }

  // The three free rotations of a joint about perpendicular axes; nothing for other joints.
  std::optional<JointTurns> turns_of(int s, const JointDescription& joint) const {
    JointTurns turns;
    std::size_t count = 0;
    Mat3 axes;
    const VecX rest = figure_.rest().theta;
    for (std::size_t i = 0; i < joint.freedoms.size(); ++i) {
      const FreedomDescription& freedom = joint.freedoms[i];
      if (freedom.motion != Motion::rotate) continue;
      const Expected<int> parameter = figure_.find_parameter(joint.name + "." + freedom.name);
      if (count == 3 || !parameter || freedom.range.lower != -infinity || freedom.range.upper != infinity)
        return std::nullopt;
      turns.freedom[count] = i;
      turns.q_rest[static_cast<Eigen::Index>(count)] = rest[*parameter];
      axes.col(static_cast<Eigen::Index>(count++)) = freedom.axis.normalized();
    }
    constexpr double square = 1e-6;
    if (count != 3 || ((axes.transpose() * axes) - Mat3::Identity()).norm() > square) return std::nullopt;
    turns.B = axes;
    if (axes.determinant() < 0.0) {
      turns.last_sign = -1.0;
      turns.B.col(2) *= -1.0;
    }
    turns.D_rest = turns.turned(turns.q_rest);
    const int up = tree_.parent(s);
    turns.P = (up == no_parent ? Mat3(Mat3::Identity()) : tree_.rest.segments[static_cast<std::size_t>(up)].R) *
              joint.in_parent.R;
    return turns;
  }

  // W_rest: what the joint is turned by at rest, from where the ranges are measured, transposed.
  void limit(int s, std::initializer_list<Turn> allowed, const Mat3& W_rest = Mat3::Identity()) {
    const std::string& name = figure_.joints()[static_cast<std::size_t>(s)].name;
    const auto joint = std::ranges::find(description_.joints, name, &JointDescription::name);
    if (joint == description_.joints.end()) return;
    const std::optional<JointTurns> turns = turns_of(s, *joint);
    if (!turns) return;
    Vec3 lower = turns->q_rest, upper = turns->q_rest;
    for (int i = 0; i < range_samples; ++i)
      for (int j = 0; j < range_samples; ++j)
        for (int k = 0; k < range_samples; ++k) {
          const Vec3 q = follow(*turns, std::span(allowed.begin(), allowed.size()), {i, j, k}, W_rest);
          lower = lower.cwiseMin(q);
          upper = upper.cwiseMax(q);
        }
    for (Eigen::Index k = 0; k < 3; ++k) {
      if (upper[k] - lower[k] >= 2.0 * pi) continue;
      FreedomDescription& freedom = joint->freedoms[turns->freedom[static_cast<std::size_t>(k)]];
      freedom.range.lower = lower[k];
      freedom.range.upper = upper[k];
      parameters_.push_back(joint->name + "." + freedom.name);
    }
  }

  // The angles at a sample, followed from rest on, so that none is a turn away.
  Vec3 follow(const JointTurns& turns, std::span<const Turn> allowed, const std::array<int, 3>& at,
              const Mat3& W_rest) const {
    Mat3 goal = Mat3::Identity();
    for (std::size_t k = 0; k < 3; ++k) {
      const Bounds& bounds = allowed[k].bounds;
      const double angle_deg =
          bounds.lower_deg + (bounds.upper_deg - bounds.lower_deg) * at[k] / static_cast<double>(range_samples - 1);
      goal = goal * rotation(allowed[k].axis.normalized(), radians(angle_deg));
    }
    const Eigen::AngleAxisd way(goal * W_rest);
    Vec3 q = turns.q_rest;
    for (int step = 1; step <= path_steps; ++step)
      q = turns.angles(rotation(way.axis(), way.angle() * step / path_steps), q);
    return q;
  }

  const Figure& figure_;
  const Roles& roles_;
  const BoneTree tree_;
  FigureDescription description_;
  std::vector<std::string> parameters_;
};

}  // namespace

AssumedLimits with_assumed_limits(const Figure& figure, const Roles& roles) {
  if (roles.plan != BodyPlan::person) return {figure, {}};
  return LimitFinder(figure, roles).find();
}

}  // namespace limber
