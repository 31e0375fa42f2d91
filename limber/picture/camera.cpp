#include "limber/picture/camera.h"

#include <algorithm>

namespace limber::picture {

namespace {

constexpr double min_distance = 0.15;  // relative to the camera's distance: nearer points are not drawn
constexpr int tangent_halvings = 14;   // of the angle between two corners of an outline

}  // namespace

Camera Camera::looking(const Vec3& back, const Vec3& up) {
  Camera camera;
  camera.back = back.normalized();
  camera.right = up.cross(camera.back).normalized();
  camera.up = camera.back.cross(camera.right);
  return camera;
}

bool Camera::sees(const Vec3& x) const {
  return x.allFinite() && (distance == infinity || depth(x) < (1.0 - min_distance) * distance);
}

Vec2 Camera::project(const Vec3& x) const {
  const Vec3 d = x - target;
  const double k = distance == infinity ? 1.0 : distance / (distance - back.dot(d));
  return origin + scale * k * Vec2(right.dot(d), -up.dot(d));
}

Eigen::Matrix<double, 2, 3> Camera::derivative(const Vec3& x) const {
  Eigen::Matrix<double, 2, 3> P;
  P.row(0) = scale * right.transpose();
  P.row(1) = -scale * up.transpose();
  if (distance == infinity) return P;
  const Vec3 d = x - target;
  const double k = distance / (distance - back.dot(d));
  // ∂k/∂x = k² back / D.
  const Vec2 flat = scale * Vec2(right.dot(d), -up.dot(d));
  return k * P + (k * k / distance) * flat * back.transpose();
}

bool Camera::project(const Vec3& a, const Vec3& b, Vec2& from, Vec2& to) const {
  if (!a.allFinite() || !b.allFinite()) return false;
  Vec3 p = a, q = b;
  if (distance != infinity) {
    const double limit = (1.0 - min_distance) * distance;
    const double z_p = depth(p), z_q = depth(q);
    if (z_p >= limit && z_q >= limit) return false;
    if (z_p > limit) p = q + (limit - z_q) / (z_p - z_q) * (p - q);
    if (z_q > limit) q = p + (limit - z_p) / (z_q - z_p) * (q - p);
  }
  from = project(p);
  to = project(q);
  return true;
}

void Camera::fit(const std::vector<Ellipsoid>& scene, const Rect& into, double max_scale) {
  origin = Vec2::Zero();
  scale = 1.0;
  const Bounds box = bounds(*this, scene);
  const Vec2 size = box.max - box.min;
  if (!size.allFinite() || size.maxCoeff() <= 0.0) {
    origin = into.centre();
    return;
  }
  const double by_width = size.x() > 0.0 ? into.width / size.x() : infinity;
  const double by_height = size.y() > 0.0 ? into.height / size.y() : infinity;
  scale = std::fmin(max_scale, std::fmin(by_width, by_height));
  origin = into.centre() - scale * 0.5 * (box.min + box.max);
}

namespace {

// The projection of an ellipsoid: an ellipse.
struct Ellipse {
  Vec2 centre;
  Eigen::Matrix2d S;

  double support(const Vec2& n) const { return centre.dot(n) + std::sqrt(std::fmax(0.0, n.dot(S * n))); }
  Vec2 support_point(const Vec2& n) const {
    const double width = std::sqrt(std::fmax(0.0, n.dot(S * n)));
    return width > 0.0 ? Vec2(centre + S * n / width) : centre;
  }
};

Vec2 unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

std::size_t foremost(const std::vector<Ellipse>& ellipses, const Vec2& n) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < ellipses.size(); ++k)
    if (ellipses[k].support(n) > ellipses[best].support(n)) best = k;
  return best;
}

}  // namespace

std::vector<Vec2> outline(const Camera& camera, const std::vector<Ellipsoid>& hull, int corners) {
  std::vector<Ellipse> ellipses;
  for (const Ellipsoid& ellipsoid : hull) {
    if (!ellipsoid.finite() || !camera.sees(ellipsoid.centre)) return {};
    const Eigen::Matrix<double, 2, 3> A = camera.derivative(ellipsoid.centre) * ellipsoid.axes;
    ellipses.push_back({camera.project(ellipsoid.centre), A * A.transpose()});
  }
  if (ellipses.empty()) return {};
  std::vector<Vec2> points;
  std::size_t last = foremost(ellipses, unit(0.0));
  for (int k = 1; k <= corners; ++k) {
    const double angle = 2.0 * pi * k / corners;
    const std::size_t current = foremost(ellipses, unit(angle));
    if (current != last) {
      // The common tangent of two ellipses: its normal lies between the last direction and this one.
      double before = 2.0 * pi * (k - 1) / corners, after = angle;
      for (int halving = 0; halving < tangent_halvings; ++halving) {
        const double middle = 0.5 * (before + after);
        (foremost(ellipses, unit(middle)) == last ? before : after) = middle;
      }
      points.push_back(ellipses[last].support_point(unit(before)));
      points.push_back(ellipses[foremost(ellipses, unit(after))].support_point(unit(after)));
    }
    points.push_back(ellipses[current].support_point(unit(angle)));
    last = current;
  }
  return points;
}

double half_width(const Camera& camera, const Ellipsoid& ellipsoid, const Vec2& n) {
  return ((camera.derivative(ellipsoid.centre) * ellipsoid.axes).transpose() * n).norm();
}

Bounds bounds(const Camera& camera, const std::vector<Ellipsoid>& scene) {
  Bounds box;
  for (const Ellipsoid& ellipsoid : scene) {
    if (!ellipsoid.finite() || !camera.sees(ellipsoid.centre)) continue;
    const Vec2 centre = camera.project(ellipsoid.centre);
    const Vec2 half(half_width(camera, ellipsoid, Vec2::UnitX()), half_width(camera, ellipsoid, Vec2::UnitY()));
    box.min = box.min.cwiseMin(centre - half);
    box.max = box.max.cwiseMax(centre + half);
  }
  return box;
}

}  // namespace limber::picture
