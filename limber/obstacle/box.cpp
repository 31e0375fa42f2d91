#include "limber/obstacle/box.h"

#include <algorithm>
#include <array>

namespace limber {

namespace {

// Relative to the factors: a smaller product is zero up to rounding.
constexpr double zero_tolerance = 8.0 * std::numeric_limits<double>::epsilon();
// Relative to the line's length: its minimum extent perpendicular to an axis; below, it is parallel to the axis.
constexpr double min_across = 1e-9;

Vec3 excess(const Vec3& x, const Vec3& half) { return x - x.cwiseMax(-half).cwiseMin(half); }

// The minimum of f: the root of g, or the middle of its roots.
class MinSquare {
 public:
  MinSquare(const Vec3& a, const Vec3& u, const Vec3& half) : a_(a), u_(u), half_(half), size_(u.cwiseAbs().sum()) {}

  double t() {
    examine(0.0);
    examine(1.0);
    for (int i = 0; i < 3; ++i) {
      if (u_[i] == 0.0) continue;
      const double inverse = 1.0 / u_[i];
      examine((half_[i] - a_[i]) * inverse);
      examine((-half_[i] - a_[i]) * inverse);
    }
    if (first_root_ <= last_root_) return 0.5 * (first_root_ + last_root_);
    if (!(g_low_ < 0.0)) return 0.0;
    if (!(g_high_ > 0.0)) return 1.0;
    return low_ + (high_ - low_) * (g_low_ / (g_low_ - g_high_));
  }

 private:
  void examine(double t) {
    if (!(t >= low_ && t <= high_)) return;
    const Vec3 e = excess(a_ + t * u_, half_);
    const double g = u_.dot(e);
    if (std::fabs(g) <= zero_tolerance * size_ * e.cwiseAbs().sum()) {
      first_root_ = std::fmin(first_root_, t);
      last_root_ = std::fmax(last_root_, t);
    } else if (g < 0.0) {
      low_ = t;
      g_low_ = g;
    } else {
      high_ = t;
      g_high_ = g;
    }
  }

  const Vec3 a_, u_, half_;
  const double size_;
  double low_ = 0.0, high_ = 1.0;      // bracket of the root
  double g_low_ = 0.0, g_high_ = 0.0;  // g at both ends
  double first_root_ = infinity, last_root_ = -infinity;
};

// The separating direction with the smallest translation.
class BoxExit {
 public:
  BoxExit(const LineSegment& line, const Vec3& half) : a_(line.a), b_(line.b), u_(b_ - a_), half_(half) {}

  Gap best() {
    for (const int i : {1, 0, 2}) along_axis(i);  // ties prefer up
    const double length = u_.norm();
    if (length > 0.0)
      for (int i = 0; i < 3; ++i) across_edge(i, length);
    return out_;
  }

 private:
  void along_axis(int i) {
    for (const double side : {1.0, -1.0}) {
      const double at_a = side * a_[i], at_b = side * b_[i];
      const double distance = std::fmin(at_a, at_b) - half_[i];
      if (distance <= out_.distance) continue;
      out_.distance = distance;
      out_.t = at_a == at_b ? over_face(i) : (at_a < at_b ? 0.0 : 1.0);
      out_.normal = side * Vec3::Unit(i);
    }
  }

  // The middle of the part of the line over the face perpendicular to axis i.
  double over_face(int i) const {
    double first = 0.0, last = 1.0;
    for (int j = 0; j < 3; ++j) {
      if (j == i || u_[j] == 0.0) continue;
      const double in = (-std::copysign(half_[j], u_[j]) - a_[j]) / u_[j];
      const double out = (std::copysign(half_[j], u_[j]) - a_[j]) / u_[j];
      first = std::fmax(first, in);
      last = std::fmin(last, out);
    }
    return std::clamp(0.5 * (first + last), 0.0, 1.0);
  }

  // n = ± u × e_i / ‖u × e_i‖, outward on the side of the line.
  void across_edge(int i, double length) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double across = std::hypot(u_[j], u_[k]);
    if (across <= min_across * length) return;
    double n_j = u_[k] / across, n_k = -u_[j] / across;
    const double height = n_j * a_[j] + n_k * a_[k];
    const double distance = std::fabs(height) - (std::fabs(n_j) * half_[j] + std::fabs(n_k) * half_[k]);
    if (distance <= out_.distance) return;
    if (height < 0.0) {
      n_j = -n_j;
      n_k = -n_k;
    }
    // Seen along n the line and the edge at ± h_j, ± h_k cross.
    const double to_j = std::copysign(half_[j], n_j) - a_[j], to_k = std::copysign(half_[k], n_k) - a_[k];
    out_.distance = distance;
    out_.t = std::clamp((u_[j] * to_j + u_[k] * to_k) / (across * across), 0.0, 1.0);
    out_.normal.setZero();
    out_.normal[j] = n_j;
    out_.normal[k] = n_k;
  }

  const Vec3 a_, b_, u_, half_;
  Gap out_{.distance = -infinity};
};

}  // namespace

Gap box_gap(const LineSegment& line, const Vec3& half) {
  const Vec3 u = line.b - line.a;
  Gap out;
  out.t = MinSquare(line.a, u, half).t();
  const Vec3 e = excess(line.a + out.t * u, half);
  out.distance = e.norm();
  if (out.distance > resolved_share * (half.sum() + u.cwiseAbs().sum()))
    out.normal = e / out.distance;
  else
    out = BoxExit(line, half).best();
  out.on_line = line.a + out.t * u;
  out.on_shape = out.on_line - out.distance * out.normal;
  return out;
}

}  // namespace limber
