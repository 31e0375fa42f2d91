#include "limber/posing/root_placer.h"

namespace limber {

namespace {

constexpr double right_angle_defect = 1e-9;

int parameter_of(const Figure& figure, int freedom) {
  return figure.terms()[figure.freedoms()[freedom].term_begin].parameter;
}

}  // namespace

RootPlacer::RootPlacer(const Figure& figure)
    : figure_(figure), state_(figure), q_(static_cast<Eigen::Index>(figure.freedoms().size())) {}

std::optional<RootPlacer> RootPlacer::make(const Figure& figure) {
  RootPlacer placer(figure);
  int roots = 0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (figure.segments()[s].parent == no_parent) {
      placer.segment_ = static_cast<int>(s);
      ++roots;
    }
  const Joint& joint = figure.joints()[placer.segment_];
  if (roots != 1 || joint.freedom_end - joint.freedom_begin != 6) return std::nullopt;
  int shifts = 0, turns = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    const bool turning = freedom.motion == Motion::rotate;
    if (freedom.term_end - freedom.term_begin != 1 || (turning ? turns : shifts) == 3) return std::nullopt;
    if (figure.parameters()[parameter_of(figure, i)].group != no_group) return std::nullopt;
    if (turning) {
      placer.axes_.col(turns) = freedom.axis;
      placer.turn_[turns++] = i;
    } else {
      placer.shift_[shifts++] = i;
    }
  }
  if (placer.axes_.determinant() < 0.0) {
    placer.axes_.col(2) *= -1.0;
    placer.sign_[2] = -1.0;
  }
  if (rotation_defect(placer.axes_) > right_angle_defect) return std::nullopt;
  placer.only_ = {placer.segment_};
  return placer;
}

void RootPlacer::place(const Frame& X_world_segment, VecX& theta) {
  // in_parent · shifts · R_1 R_2 R_3 · in_child⁻¹ has the rotation that is asked for.
  const Joint& joint = figure_.joints()[segment_];
  const Mat3 turned = axes_.transpose() * joint.in_parent.R.transpose() * X_world_segment.R * joint.in_child.R * axes_;
  Vec3 near;
  for (int k = 0; k < 3; ++k) near[k] = sign_[k] * theta[parameter_of(figure_, turn_[k])];
  const Vec3 angles = euler_angles(turned, euler_xyz, near);
  for (int k = 0; k < 3; ++k) theta[parameter_of(figure_, turn_[k])] = sign_[k] * angles[k];
  figure_.angles(theta, q_);
  forward(figure_, q_, only_, state_);
  Mat3 axes;
  for (int k = 0; k < 3; ++k) axes.col(k) = state_.axes[shift_[k]];
  const Vec3 shift = axes.inverse() * (X_world_segment.p - state_.segments[segment_].p);
  for (int k = 0; k < 3; ++k) theta[parameter_of(figure_, shift_[k])] += shift[k];
}

}  // namespace limber
