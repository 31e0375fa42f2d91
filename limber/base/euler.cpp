#include "limber/base/euler.h"

namespace limber {

namespace {

// Below this sine of the middle angle's distance from gimbal lock, the outer axes count as one. The angles are then
// off by no more than this.
constexpr double locked = 1e-12;

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
//   a, b, k:  R_ak = e sin y,  R_aa = cos y cos z,  R_ab = -e cos y sin z,  R_bk = -e cos y sin x,  R_kk = cos y cos x
//   a, b, a:  R_aa = cos y,    R_ab = sin y sin z,  R_ak = e sin y cos z,   R_ba = sin y sin x,   R_ka = -e sin y cos x
Vec3 euler_angles(const Mat3& R, const EulerOrder& order, const Vec3& near) {
  const int a = order[0], b = order[1], k = 3 - a - b;
  const double e = (b - a + 3) % 3 == 1 ? 1.0 : -1.0;
  const bool tait_bryan = order[2] == k;
  const double across = std::hypot(R(a, b), tait_bryan ? R(a, a) : R(a, k));  // |cos y|, or |sin y|

  Vec3 first, second;
  if (across > locked) {
    if (tait_bryan) {
      first = {std::atan2(-e * R(b, k), R(k, k)), std::atan2(e * R(a, k), across), std::atan2(-e * R(a, b), R(a, a))};
      second = {first[0] + pi, pi - first[1], first[2] + pi};
    } else {
      first = {std::atan2(R(b, a), -e * R(k, a)), std::atan2(across, R(a, a)), std::atan2(R(a, b), e * R(a, k))};
      second = {first[0] + pi, -first[1], first[2] + pi};
    }
  } else {
    // R R_c(z)⁻¹ = R_a(x) R_b(y), with the z that was asked for and y where it must be.
    const Mat3 rest = R * rotation(Vec3::Unit(order[2]), -near[2]);
    const double y = tait_bryan ? std::atan2(e * R(a, k), across) : std::atan2(across, R(a, a));
    const double x = std::atan2(e * rest(k, b), rest(b, b));
    return unwound({x, y, near[2]}, near);
  }
  first = unwound(first, near);
  second = unwound(second, near);
  return (second - near).squaredNorm() < (first - near).squaredNorm() ? second : first;
}

}  // namespace limber
