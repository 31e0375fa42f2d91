#include "limber/posing/root_placer.h"

#include <algorithm>

namespace limber {

namespace {

constexpr double right_angle_defect = 1e-9;

int parameter_of(const Figure& figure, int freedom) {
  return figure.terms()[figure.freedoms()[freedom].term_begin].parameter;
}

}  // namespace

RootPlacer::RootPlacer(const Figure& figure, int segment)
    : figure_(figure), segment_(segment), state_(figure), q_(static_cast<Eigen::Index>(figure.freedoms().size())) {
  for (int s = segment; s != no_parent; s = figure.segments()[s].parent) path_.push_back(s);
  std::ranges::reverse(path_);
}

std::optional<RootPlacer> RootPlacer::make(const Figure& figure, int segment) {
  RootPlacer placer(figure, segment);
  const auto root = std::ranges::find_if(placer.path_, [&](int s) {
    const Joint& joint = figure.joints()[s];
    return joint.freedom_end > joint.freedom_begin;
  });
  if (root == placer.path_.end()) return std::nullopt;
  placer.root_ = *root;
  const Joint& joint = figure.joints()[placer.root_];
  if (joint.freedom_end - joint.freedom_begin != 6) return std::nullopt;
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
  return placer;
}

void RootPlacer::place(const Frame& X_world_segment, VecX& theta) {
  const auto update = [&] {
    figure_.angles(theta, q_);
    forward(figure_, q_, path_, state_);
  };
  update();
  const Joint& joint = figure_.joints()[root_];
  const int parent = figure_.segments()[root_].parent;
  const Mat3 R_world_parent = parent == no_parent ? Mat3(Mat3::Identity()) : state_.segments[parent].R;
  const Mat3 R_root_segment = state_.segments[root_].R.transpose() * state_.segments[segment_].R;
  // R_parent · in_parent · R_1 R_2 R_3 · in_child⁻¹ · R_root_segment is the rotation that is asked for.
  const Mat3 R_root = X_world_segment.R * R_root_segment.transpose();
  const Mat3 turned =
      axes_.transpose() * (R_world_parent * joint.in_parent.R).transpose() * R_root * joint.in_child.R * axes_;
  Vec3 near;
  for (int k = 0; k < 3; ++k) near[k] = sign_[k] * theta[parameter_of(figure_, turn_[k])];
  const Vec3 angles = euler_angles(turned, euler_xyz, near);
  for (int k = 0; k < 3; ++k) theta[parameter_of(figure_, turn_[k])] = sign_[k] * angles[k];
  update();
  Mat3 axes;
  for (int k = 0; k < 3; ++k) axes.col(k) = state_.axes[shift_[k]];
  const Vec3 shift = axes.inverse() * (X_world_segment.p - state_.segments[segment_].p);
  for (int k = 0; k < 3; ++k) theta[parameter_of(figure_, shift_[k])] += shift[k];
}

}  // namespace limber
