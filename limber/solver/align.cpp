#include "limber/solver/align.h"

#include "limber/base/symmetric.h"
#include "limber/kinematics/forward.h"

namespace limber {

namespace {

// Tolerance of orthogonal axes.
constexpr double right_angle = 1e-9;
// Weight of the current orientation relative to all goals together, so that what they leave open does not change.
constexpr double inertia = 1e-6;

// The data of all goals for a rigid motion: sums of w x, w p, w p xᵀ and of w c² v uᵀ.
struct Pairs {
  double weight = 0.0;
  Vec3 x = Vec3::Zero(), p = Vec3::Zero();
  Mat3 points = Mat3::Zero(), directions = Mat3::Zero();
  double size = 0.0;

  void point(double w, const Vec3& from, const Vec3& to) {
    weight += w;
    x += w * from;
    p += w * to;
    points += w * to * from.transpose();
    size += w * from.squaredNorm();
  }
  void direction(double w, const Vec3& from, const Vec3& to) {
    directions += w * to * from.transpose();
    size += w;
  }
};

// Adds the targets of a goal for the elements x of its handle.
void collect(const Goal& goal, const Handle& handle, const Vec3* x, double w, Pairs& pairs) {
  for (int k = 0; k < (has_targets(goal) ? handle.count() : 0); ++k) {
    const Placed placed = placed_element(goal, handle.shape, k);
    const double weight = w * placed.scale * placed.scale;
    if (is_point(handle.shape, k))
      pairs.point(weight, x[k], placed.target);
    else
      pairs.direction(weight, x[k], placed.target);
  }
}

// The rotation R that maximises the trace of Rᵀ M.
Mat3 nearest_rotation(const Mat3& M) {
  const Mat3 S = M.transpose();  // Horn's S_ab: a of x, b of p
  Eigen::Matrix4d N;
  N(0, 0) = S.trace();
  N.block<3, 3>(1, 1) = S + S.transpose() - S.trace() * Mat3::Identity();
  N.block<3, 1>(1, 0) = Vec3(S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0));
  N.block<1, 3>(0, 1) = N.block<3, 1>(1, 0).transpose();
  Eigen::Matrix4d V;
  diagonalize(N, V);
  const Eigen::Vector4d q = V.col(3);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

}  // namespace

RootAlignment::RootAlignment(const Figure& figure) : root_(free_root_of(figure)), state_(figure) {
  q_.resize(static_cast<Eigen::Index>(figure.freedoms().size()));
}

std::optional<RootAlignment::FreeRoot> RootAlignment::free_root_of(const Figure& figure) {
  FreeRoot root;
  int roots = 0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    if (figure.segments()[s].parent == no_parent) {
      root.segment = static_cast<int>(s);
      ++roots;
    }
  if (roots != 1) return std::nullopt;
  const Joint& joint = figure.joints()[root.segment];
  if (joint.freedom_end - joint.freedom_begin != 6) return std::nullopt;
  int shifts = 0, turns = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    const bool turning = freedom.motion == Motion::rotate;
    if (freedom.term_end - freedom.term_begin != 1 || (turning ? turns : shifts) == 3) return std::nullopt;
    const Term& term = figure.terms()[freedom.term_begin];
    const Parameter& parameter = figure.parameters()[term.parameter];
    if (parameter.group != no_group || std::isfinite(parameter.range.lower) || std::isfinite(parameter.range.upper))
      return std::nullopt;
    if (turning) {
      root.axes.col(turns) = freedom.axis;
      root.turn[turns++] = i;
    } else {
      root.shift[shifts++] = i;
    }
  }
  for (double& sign : root.sign) sign = 1.0;
  if (root.axes.determinant() < 0.0) {
    root.axes.col(2) *= -1.0;
    root.sign[2] = -1.0;
  }
  if (rotation_defect(root.axes) > right_angle) return std::nullopt;
  return root;
}

void RootAlignment::align(const Problem& problem, VecX& theta) {
  if (!root_) return;
  const Figure& figure = problem.figure();
  const auto parameter_of = [&](int freedom) {
    return figure.terms()[figure.freedoms()[freedom].term_begin].parameter;
  };
  const auto is_slow = [&](int freedom) {
    const int j = parameter_of(freedom);
    return problem.rigidities()[j] > 0.0 || figure.parameters()[j].range.stiffness > 1.0;
  };
  for (int k = 0; k < 3; ++k)
    if (is_slow(root_->shift[k]) || is_slow(root_->turn[k])) return;
  const auto collect_all = [&](Pairs& pairs) {
    figure.angles(theta, q_);
    forward(figure, q_, state_);
    for (const Constraint& constraint : problem.constraints()) {
      if (!constraint.counts() || constraint.alternatives().size() != 1) continue;
      const Alternative& only = constraint.alternatives().front();
      if (only.handle.minus_count > 0) continue;
      Vec3 x[max_elements];
      evaluate(figure, state_, only.handle, x);
      collect(only.goal, only.handle, x, constraint.must_hold() ? 1.0 : constraint.weight, pairs);
    }
  };
  Pairs pairs;
  collect_all(pairs);
  if (!(pairs.size > 0.0)) return;
  Mat3 M = pairs.directions + pairs.points;
  if (pairs.weight > 0.0) {
    M -= pairs.p * pairs.x.transpose() / pairs.weight;
    pairs.size -= pairs.x.squaredNorm() / pairs.weight;
  }
  M.diagonal().array() += inertia * pairs.size;
  const Mat3 R = nearest_rotation(M) * state_.segments[root_->segment].R;
  const Joint& joint = figure.joints()[root_->segment];
  const Mat3 turned = root_->axes.transpose() * joint.in_parent.R.transpose() * R * joint.in_child.R * root_->axes;
  Vec3 near;
  for (int k = 0; k < 3; ++k) near[k] = root_->sign[k] * theta[parameter_of(root_->turn[k])];
  const Vec3 angles = euler_angles(turned, euler_xyz, near);
  for (int k = 0; k < 3; ++k) theta[parameter_of(root_->turn[k])] = root_->sign[k] * angles[k];
  if (!(pairs.weight > 0.0)) return;
  Pairs after;
  collect_all(after);
  Mat3 axes;
  for (int k = 0; k < 3; ++k) axes.col(k) = state_.axes[root_->shift[k]];
  const Vec3 shift = axes.inverse() * ((after.p - after.x) / after.weight);
  if (!shift.allFinite()) return;
  for (int k = 0; k < 3; ++k) theta[parameter_of(root_->shift[k])] += shift[k];
}

}  // namespace limber
