#include "limber/reach/enclosure.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// Widening per step of a chain, relative to lengths and in radians: a thousand times its rounding error.
constexpr double widening = 1e-12;

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

double third_side(double a, double b, double angle) {
  return std::sqrt(std::fmax(0.0, a * a + b * b + 2.0 * a * b * std::cos(angle)));
}

struct Cone {
  Vec3 axis = Vec3::UnitX();
  double angle = pi;
};

// A cone that contains v + r d. The narrowest of four:
Cone cone_after(const Enclosure& e, const Vec3& v, double gamma, double phi_max) {
  const double L = v.norm();
  Cone best{v / L, pi};
  const auto offer = [&](const Vec3& axis, double angle) {
    if (angle < best.angle) best = {axis, angle};
  };
  // Around v: larger r and φ are farther away, but if r < ‖v‖ no farther than the tangent.
  if (e.is_finite()) {
    const double phi = e.max_radius < L ? std::fmin(phi_max, std::acos(-e.max_radius / L)) : phi_max;
    offer(v / L, std::atan2(e.max_radius * std::sin(phi), L + e.max_radius * std::cos(phi)));
  }
  // Around a: v + r d lies on the short arc from v to d, which a cone of less than a quarter turn contains.
  if (std::fmax(gamma, e.angle) < 0.5 * pi) offer(e.axis, std::fmax(gamma, e.angle));
  // Around the middle: the ball around v + r a that contains the region, for two r.
  if (e.is_finite() && e.angle < 0.5 * pi)
    for (const double part : {1.0, 0.5}) {
      const double r = part * e.max_radius;
      const Vec3 middle = v + r * e.axis;
      const auto distance_at = [&](double s) { return third_side(s, -r, e.angle); };
      const double radius = std::fmax(distance_at(e.min_radius), distance_at(e.max_radius));
      const double distance = middle.norm();
      if (radius < distance) offer(middle / distance, std::asin(radius / distance));
    }
  return best;
}

}  // namespace

void Enclosure::place(const Frame& X) {
  centre = X * centre;
  axis = (X.R * axis).normalized();
}

void Enclosure::recentre(const Vec3& to) {
  const Vec3 v = centre - to;
  const double L = v.norm();
  centre = to;
  if (!(L > 0.0)) return;
  if (is_point()) {
    *this = {to, v / L, L * (1.0 - widening), L * (1.0 + widening), widening};
    return;
  }
  const double gamma = angle_between(v, axis);
  const double phi_min = std::fmax(0.0, gamma - angle), phi_max = std::fmin(pi, gamma + angle);
  const Cone cone = cone_after(*this, v, gamma, phi_max);
  const double nearest = std::clamp(-L * std::cos(phi_max), min_radius, max_radius);
  const double r0 = third_side(L, nearest, phi_max);
  const double r1 =
      std::fmax(third_side(L, min_radius, phi_min), is_finite() ? third_side(L, max_radius, phi_min) : infinity);
  axis = cone.axis;
  angle = std::fmin(pi, cone.angle + widening);
  const double slack = widening * (L + (is_finite() ? max_radius : min_radius));
  min_radius = std::fmax(0.0, r0 - slack);
  max_radius = r1 + slack;
}

void Enclosure::turn(const Vec3& about, double lower, double upper) {
  if (is_point() && centre.isZero(0.0)) return;
  if (lower == upper) {
    if (lower != 0.0) place({rotation(about, lower), Vec3::Zero()});
    return;
  }
  recentre(Vec3::Zero());
  if (!std::isfinite(lower) || !std::isfinite(upper)) {
    angle = pi;
    return;
  }
  // The middle of the range rotates the axis; the remaining angle is bounded by the chord seen from the origin.
  const double half = 0.5 * (upper - lower);
  const double to_axis = angle_between(about, axis);
  axis = (rotation(about, 0.5 * (lower + upper)) * axis).normalized();
  angle += 2.0 * std::asin(std::fmin(1.0, std::sin(to_axis) * std::sin(std::fmin(0.5 * half, 0.5 * pi))));
  angle = std::fmin(pi, angle + widening);
}

void Enclosure::shift(const Vec3& along, double lower, double upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper)) {
    *this = {centre, axis, 0.0, infinity, pi};
    return;
  }
  centre += 0.5 * (lower + upper) * along;
  const double half = 0.5 * (upper - lower);
  if (half == 0.0) return;
  angle = half < min_radius ? std::fmin(pi, angle + std::asin(half / min_radius) + widening) : pi;
  min_radius = std::fmax(0.0, min_radius - half * (1.0 + widening));
  max_radius += half * (1.0 + widening);
}

bool Enclosure::contains(const Vec3& x, double slack) const {
  const Vec3 d = x - centre;
  const double r = d.norm();
  if (r > max_radius + slack || r < min_radius - slack) return false;
  if (angle >= pi || r <= slack) return true;
  return angle_between(d, axis) <= angle + std::asin(std::fmin(1.0, slack / r));
}

double Enclosure::support(const Vec3& e) const {
  const double cosine = std::cos(std::fmax(0.0, angle_between(axis, e) - angle));
  return centre.dot(e) + std::fmax(min_radius * cosine, max_radius * cosine);
}

double Enclosure::volume() const {
  const double cubes = max_radius * max_radius * max_radius - min_radius * min_radius * min_radius;
  return 2.0 * pi / 3.0 * cubes * (1.0 - std::cos(std::fmin(pi, angle)));
}

}  // namespace limber
