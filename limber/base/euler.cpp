#include "limber/base/vector.h"

namespace limber {

namespace {

// Gimbal lock: below this sine of the middle angle's distance from the lock, the outer axes count as parallel. The
// error of the angles is at most this.
constexpr double lock_threshold = 1e-12;

// angle + 2πk, within a half turn of `near`.
double unwound(double angle, double near) { return angle + 2.0 * pi * std::round((near - angle) / (2.0 * pi)); }

Vec3 unwound(const Vec3& angles, const Vec3& near) {
  return {unwound(angles[0], near[0]), unwound(angles[1], near[1]), unwound(angles[2], near[2])};
}

}  // namespace

Mat3 euler_rotation(const EulerOrder& order, const Vec3& angles) {
  Mat3 R = Mat3::Identity();
  for (int k = 0; k < 3; ++k) R = (R * rotation(Vec3::Unit(order[k]), angles[k])).eval();
  return R;
}

// With k the axis that is neither a nor b, and e = +1 for the cyclic order (0 1 2, 1 2 0, 2 0 1), -1 otherwise:
//   a, b, k:  R_ak = e sin y,  R_aa = cos y cos z,  R_ab = -e cos y sin z
//   a, b, a:  R_aa = cos y,    R_ab = sin y sin z,  R_ak = e sin y cos z
Vec3 euler_angles(const Mat3& R, const EulerOrder& order, const Vec3& near) {
  const int a = order[0], b = order[1], k = 3 - a - b;
  const double e = (b - a + 3) % 3 == 1 ? 1.0 : -1.0;
  const bool tait_bryan = order[2] == k;
  const double across = std::hypot(R(a, b), tait_bryan ? R(a, a) : R(a, k));  // |cos y|, or |sin y|

  const double y = tait_bryan ? std::atan2(e * R(a, k), across) : std::atan2(across, R(a, a));
  // From R R_c(z)⁻¹ = R_a(x) R_b(y): near the lock, where z is badly determined, x makes up for its error.
  const auto x_for = [&](double z) {
    const Vec3 u = R * rotation(Vec3::Unit(order[2]), -z).col(b);
    return std::atan2(e * u[k], u[b]);
  };
  if (across <= lock_threshold) return unwound({x_for(near[2]), y, near[2]}, near);

  const double z = tait_bryan ? std::atan2(-e * R(a, b), R(a, a)) : std::atan2(R(a, b), e * R(a, k));
  const double x = x_for(z);
  const Vec3 first = unwound({x, y, z}, near);
  const Vec3 second = unwound({x + pi, tait_bryan ? pi - y : -y, z + pi}, near);
  return (second - near).squaredNorm() < (first - near).squaredNorm() ? second : first;
}

}  // namespace limber
