#include "limber/obstacle/box.h"

#include <algorithm>
#include <array>

namespace limber {

namespace {

// Of the lengths that are multiplied: a product below this is zero but for rounding.
constexpr double flat_share = 8.0 * std::numeric_limits<double>::epsilon();
// Of the line's length: what is left of it across an axis, below which it runs along that axis.
constexpr double along_axis_share = 1e-9;

Vec3 sticks_out(const Vec3& x, const Vec3& half) { return x - x.cwiseMax(-half).cwiseMin(half); }

// Where f is least: the root of g, or the middle of its roots.
class LeastSquare {
 public:
  LeastSquare(const Vec3& a, const Vec3& u, const Vec3& half) : a_(a), u_(u), half_(half), size_(u.cwiseAbs().sum()) {}

  double t() {
    look_at(0.0);
    look_at(1.0);
    for (int i = 0; i < 3; ++i) {
      if (u_[i] == 0.0) continue;
      const double inverse = 1.0 / u_[i];
      look_at((half_[i] - a_[i]) * inverse);
      look_at((-half_[i] - a_[i]) * inverse);
    }
    if (first_root_ <= last_root_) return 0.5 * (first_root_ + last_root_);
    if (!(fall_ < 0.0)) return 0.0;
    if (!(rise_ > 0.0)) return 1.0;
    return low_ + (high_ - low_) * (fall_ / (fall_ - rise_));
  }

 private:
  void look_at(double t) {
    if (!(t >= low_ && t <= high_)) return;
    const Vec3 e = sticks_out(a_ + t * u_, half_);
    const double g = u_.dot(e);
    if (std::fabs(g) <= flat_share * size_ * e.cwiseAbs().sum()) {
      first_root_ = std::fmin(first_root_, t);
      last_root_ = std::fmax(last_root_, t);
    } else if (g < 0.0) {
      low_ = t;
      fall_ = g;
    } else {
      high_ = t;
      rise_ = g;
    }
  }

  const Vec3 a_, u_, half_;
  const double size_;
  double low_ = 0.0, high_ = 1.0;   // the root lies between
  double fall_ = 0.0, rise_ = 0.0;  // g there
  double first_root_ = infinity, last_root_ = -infinity;
};

// The direction along which the least is missing.
class BoxExit {
 public:
  BoxExit(const LineSegment& line, const Vec3& half) : a_(line.a), b_(line.b), u_(b_ - a_), half_(half) {}

  Gap best() {
    for (const int i : {1, 0, 2}) along_axis(i);  // up where two are equally good
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

  // The middle of what of the line is over the face across axis i.
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

  // n = ± u × e_i / ‖u × e_i‖, out on the side of the line.
  void across_edge(int i, double length) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double across = std::hypot(u_[j], u_[k]);
    if (across <= along_axis_share * length) return;
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
  out.t = LeastSquare(line.a, u, half).t();
  const Vec3 e = sticks_out(line.a + out.t * u, half);
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
