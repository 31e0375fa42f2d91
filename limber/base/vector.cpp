#include "limber/base/vector.h"

namespace limber {

bool Frame::finite() const { return R.allFinite() && p.allFinite(); }

Mat3 rotation_from_xy(const Vec3& x, const Vec3& y) {
  Mat3 R;
  R.col(0) = x.normalized();
  R.col(1) = (y - R.col(0).dot(y) * R.col(0)).normalized();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

Mat3 rotation(const Vec3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

double rotation_defect(const Mat3& R) {
  if (!R.allFinite() || R.determinant() <= 0.0) return infinity;
  return (R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff();
}

Vec3 Capsule::away(const Vec3& x) const {
  const Vec3 ab = b - a;
  const double square = ab.squaredNorm();
  const double t = square > 0.0 ? std::fmin(1.0, std::fmax(0.0, ab.dot(x - a) / square)) : 0.0;
  return x - (a + t * ab);
}

}  // namespace limber
