#include "limber/motion/spline.h"

#include "limber/base/clones.h"

namespace limber {

namespace {

// Below this sine of their angle two quaternions are equal or opposite: the great circle is not unique.
constexpr double min_sine = 1e-12;
// In u, for the speed along a quadrangle by fourth-order differences.
constexpr double speed_step = 1e-3;
// Relative to a step of a length table: tolerance of Newton's method. The table's own error is far larger.
constexpr double newton_tolerance = 1e-12;
constexpr int max_newton_steps = 40;

}  // namespace

// sin(hω) / sin ω = h F(1+h, 1-h; 3/2; z), the hypergeometric series; up to max_series_z nine terms suffice for
// rounding.
LIMBER_CLONES void slerp_weights(const double* __restrict h, const double* __restrict z, int count,
                                 double* __restrict from, double* __restrict to) {
  for (int i = 0; i < count; ++i) {
    const double u = h[i], v = 1.0 - h[i], uu = u * u, vv = v * v;
    double p = 1.0, q = 1.0;
    const auto term = [&](double n) {
      const double a = n / (n + 0.5), b = 1.0 / (n * (n + 0.5));
      p = 1.0 + (a - b * vv) * z[i] * p;
      q = 1.0 + (a - b * uu) * z[i] * q;
    };
    term(9.0);
    term(8.0);
    term(7.0);
    term(6.0);
    term(5.0);
    term(4.0);
    term(3.0);
    term(2.0);
    term(1.0);
    from[i] = v * p;
    to[i] = u * q;
  }
}

Vec3 quaternion_log(const Quaternion& unit) {
  const double sine = unit.vec().norm();
  if (sine == 0.0) return Vec3::Zero();
  return (std::atan2(sine, unit.w()) / sine) * unit.vec();
}

Quaternion quaternion_exp(const Vec3& v) {
  const double angle = v.norm();
  const double ratio = angle == 0.0 ? 1.0 : std::sin(angle) / angle;
  Quaternion q;
  q.w() = std::cos(angle);
  q.vec() = ratio * v;
  return q;
}

Slerp::Slerp(const Quaternion& a, const Quaternion& b) : from(a) {
  const Eigen::Vector4d rest = b.coeffs() - a.dot(b) * a.coeffs();
  const double sine = rest.norm();
  if (sine <= min_sine) return;
  angle = std::atan2(sine, a.dot(b));
  across = Quaternion(Eigen::Vector4d(rest / sine));
}

Quaternion slerp(const Quaternion& a, const Quaternion& b, double u) {
  const double z = 0.25 * (a.coeffs() - b.coeffs()).squaredNorm();
  if (z > max_series_z) return Slerp(a, b)(u);
  double from, to;
  slerp_weights(&u, &z, 1, &from, &to);
  return Quaternion(from * a.coeffs() + to * b.coeffs());
}

Velocities<Quaternion> quadrangle_points(const Quaternion& q, const Vec3& log_before, double seconds_before,
                                         const Vec3& log_after, double seconds_after, const Bend& bend) {
  const Velocities<Vec3> v = kochanek_bartels(log_before, seconds_before, log_after, seconds_after, bend);
  return {q * quaternion_exp(0.5 * (log_before - seconds_before * v.in)),
          q * quaternion_exp(0.5 * (seconds_after * v.out - log_after))};
}

double Squad::speed(double u) const {
  const double d = speed_step;
  const Eigen::Vector4d near = (*this)(u + d).coeffs() - (*this)(u - d).coeffs();
  const Eigen::Vector4d far = (*this)(u + 2.0 * d).coeffs() - (*this)(u - 2.0 * d).coeffs();
  return 2.0 * (8.0 * near - far).norm() / (12.0 * d);
}

MonotoneCurve::MonotoneCurve(std::vector<Knot> knots) : knots_(std::move(knots)), slopes_(knots_.size(), 0.0) {
  const std::size_t n = knots_.size();
  if (n < 2) return;
  const auto secant = [&](std::size_t k) { return (knots_[k + 1].y - knots_[k].y) / (knots_[k + 1].x - knots_[k].x); };
  slopes_.front() = secant(0);
  slopes_.back() = secant(n - 2);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = secant(k - 1), after = secant(k);
    slopes_[k] = before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
  }
}

double MonotoneCurve::operator()(double x) const {
  if (!(x > knots_.front().x)) return knots_.front().y;  // also for NaN
  if (x >= knots_.back().x) return knots_.back().y;
  const auto after = std::ranges::upper_bound(knots_, x, {}, &Knot::x);
  const auto k = static_cast<std::size_t>(after - knots_.begin()) - 1;
  const double h = knots_[k + 1].x - knots_[k].x;
  const double y = hermite(knots_[k].y, knots_[k + 1].y, h * slopes_[k], h * slopes_[k + 1])((x - knots_[k].x) / h);
  // Only rounding can exceed these bounds.
  return std::clamp(y, std::min(knots_[k].y, knots_[k + 1].y), std::max(knots_[k].y, knots_[k + 1].y));
}

// Speeds of at most three times the adjacent secants suffice for a monotone cubic.
void LengthTable::keep_monotone() {
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) speeds_[k] = std::min(speeds_[k], 3.0 * (lengths_[k] - lengths_[k - 1]));
    if (k < steps) speeds_[k] = std::min(speeds_[k], 3.0 * (lengths_[k + 1] - lengths_[k]));
  }
}

double LengthTable::at(double part) const {
  if (part <= 0.0 || part >= 1.0 || !(length() > 0.0)) return std::clamp(part, 0.0, 1.0);
  const double target = part * length();
  const auto after = std::ranges::upper_bound(lengths_, target);
  const int k = std::clamp(static_cast<int>(after - lengths_.begin()) - 1, 0, steps - 1);
  const Cubic<double> s = hermite(lengths_[k], lengths_[k + 1], speeds_[k], speeds_[k + 1]);
  double low = 0.0, high = 1.0, v = (target - lengths_[k]) / (lengths_[k + 1] - lengths_[k]);
  for (int i = 0; i < max_newton_steps; ++i) {
    const double error = s(v) - target;
    (error > 0.0 ? high : low) = v;
    const double slope = s.slope(v);
    double next = v - error / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::fabs(next - v);
    v = next;
    if (moved <= newton_tolerance) break;
  }
  return (k + v) / steps;
}

}  // namespace limber
