#include <algorithm>

#include "limber/base/arc_tangent.h"
#include "limber/motion/channel.h"

namespace limber {

namespace {

// Pairs shorter than this count as gimbal lock. The error of the rotation is at most this.
constexpr double lock_length = 1e-12;
// Cosine between axes at right angles, and length of what remains of an axis in gimbal lock; both are rounding.
constexpr double square_axes = 1e-12;

// e of channel.h.
double cyclic(const EulerOrder& order) { return (order[1] - order[0] + 3) % 3 == 1 ? 1.0 : -1.0; }

// The coordinate axis, 0 to 2, that a unit vector lies on.
std::optional<int> coordinate(const Vec3& axis) {
  for (int k = 0; k < 3; ++k)
    if (std::fabs(axis[k]) == 1.0) return k;
  return std::nullopt;
}

// angle + 2πk, within half a turn of `near`.
double unwound(double angle, double near) {
  const double difference = near - angle;
  return std::fabs(difference) <= pi ? angle : angle + 2.0 * pi * std::round(difference / (2.0 * pi));
}

Quaternion about(const Vec3& axis, double angle) {
  Quaternion q;
  q.w() = std::cos(0.5 * angle);
  q.vec() = std::sin(0.5 * angle) * axis;
  return q;
}

// Of the rotation about a unit axis that is nearest to q.
double angle_about(const Vec3& axis, const Quaternion& q) { return 2.0 * std::atan2(q.vec().dot(axis), q.w()); }

// x and z of channel.h for one of the two solutions y.
Vec3 with_middle(const BallAxes& axes, const Quaternion& R, double y, const Vec3& near) {
  const auto& [u, v, w] = axes;
  const Quaternion middle = about(v, y);
  const Vec3 from = u.cross(middle * w), to = u.cross(R * w);
  double x, z;
  if (from.norm() <= square_axes || to.norm() <= square_axes) {
    z = near[2];
    x = angle_about(u, R * about(w, -z) * middle.conjugate());
  } else {
    x = std::atan2(u.dot(from.cross(to)), from.dot(to));
    z = angle_about(w, middle.conjugate() * about(u, -x) * R);
  }
  return {unwound(x, near[0]), unwound(y, near[1]), unwound(z, near[2])};
}

Vec3 angles_about(const BallAxes& axes, const Quaternion& R, const Vec3& near) {
  const auto& [u, v, w] = axes;
  const double uv = u.dot(v), vw = v.dot(w), cosine = u.dot(w) - uv * vw, sine = u.dot(v.cross(w));
  const Vec3 last = R * w;
  const double middle = std::atan2(sine, cosine), k = (u.dot(last) - uv * vw) / std::hypot(cosine, sine);
  // At right angles ρ = 1, and k is the cosine of the angle between u and Rw.
  const double off = std::fabs(uv) + std::fabs(vw) <= square_axes ? std::atan2(u.cross(last).norm(), u.dot(last))
                                                                  : std::acos(std::clamp(k, -1.0, 1.0));
  const Vec3 first = with_middle(axes, R, middle + off, near), second = with_middle(axes, R, middle - off, near);
  return (second - near).squaredNorm() < (first - near).squaredNorm() ? second : first;
}

}  // namespace

Quaternion Ball::rotation(const Vec3& angles) const {
  if (axes) return about((*axes)[0], angles[0]) * about((*axes)[1], angles[1]) * about((*axes)[2], angles[2]);
  Quaternion q = Quaternion::Identity();
  for (int t = 0; t < 3; ++t) {
    const int axis = order[static_cast<std::size_t>(t)];
    Quaternion factor(std::cos(0.5 * angles[t]), 0.0, 0.0, 0.0);
    factor.coeffs()[axis] = std::sin(0.5 * angles[t]);
    q = q * factor;
  }
  return q;
}

Ball::Pairs Ball::pairs(const Quaternion& rotation) const {
  const int i = order[0], j = order[1], k = 3 - i - j;
  const double w = rotation.w(), qi = rotation.coeffs()[i], qj = rotation.coeffs()[j];
  const double qk = cyclic(order) * rotation.coeffs()[k];
  const bool proper = order[2] == i;
  const double a = proper ? w : w - qj, b = proper ? qi : qi - qk;
  const double c = proper ? qj : w + qj, d = proper ? qk : qi + qk;
  return {{a, c, std::sqrt(a * a + b * b)}, {b, d, std::sqrt(c * c + d * d)}};
}

Vec3 Ball::angles(const Pairs& pairs, const double* arcs, const Vec3& near) const {
  const bool proper = order[2] == order[0];
  const double alpha = arcs[0], beta = arcs[1], y = 2.0 * arcs[2] - (proper ? 0.0 : pi / 2.0);
  const double g = proper ? 1.0 : -cyclic(order);  // z = g (α - β)
  const auto locked = [&](double x) { return Vec3(unwound(x, near[0]), unwound(y, near[1]), near[2]); };
  if (pairs.x[2] <= lock_length) return locked(2.0 * beta + g * near[2]);
  if (pairs.y[2] <= lock_length) return locked(2.0 * alpha - g * near[2]);

  const double x = alpha + beta, z = g * (alpha - beta);
  Vec3 first(unwound(x, near[0]), unwound(y, near[1]), unwound(z, near[2]));
  const Vec3 change = first - near;
  // The other triple is half a turn away in x and in z: seldom the nearer one.
  if (change[1] * change[1] <= 2.0 * pi * (pi - std::fabs(change[0]) - std::fabs(change[2]))) return first;
  const Vec3 second(unwound(x + pi, near[0]), unwound(proper ? -y : pi - y, near[1]), unwound(z + pi, near[2]));
  return (second - near).squaredNorm() < change.squaredNorm() ? second : first;
}

Vec3 Ball::angles(const Quaternion& rotation, const Vec3& near) const {
  if (axes) return angles_about(*axes, rotation, near);
  const Pairs points = pairs(rotation);
  std::array<double, 3> arcs;
  arc_tangents(points.y.data(), points.x.data(), 3, arcs.data());
  return angles(points, arcs.data(), near);
}

std::optional<Ball> ball_of(const Figure& figure, const Joint& joint) {
  Ball ball = {};
  int rotations = 0;
  for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[i];
    if (freedom.motion == Motion::translate) continue;
    const int parameter = figure.terms()[freedom.term_begin].parameter;
    const std::optional<int> axis = coordinate(freedom.axis);
    if (rotations == 3 || !axis || figure.parameters()[parameter].group != no_group) return std::nullopt;
    if (rotations > 0 && ball.order[rotations - 1] == *axis) return std::nullopt;
    ball.order[rotations] = *axis;
    ball.parameters[rotations] = parameter;
    ball.signs[rotations++] = freedom.axis[*axis];
  }
  return rotations == 3 ? std::optional(ball) : std::nullopt;
}

std::vector<Ball> balls_of(const Figure& figure) {
  std::vector<Ball> balls;
  for (const Joint& joint : figure.joints())
    if (const std::optional<Ball> ball = ball_of(figure, joint)) balls.push_back(*ball);
  return balls;
}

}  // namespace limber
