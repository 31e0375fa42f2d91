// Curves through keys: cubics with the tangents of Kochanek and Bartels (1984), quaternions on great circles and on
// Shoemake's quadrangles (1985), monotone cubics, and arc length tables.                                  W93 2.2.1
//
// Tangents at key p_i, between intervals of h₋ and h₊ seconds, as velocities; t, c, b are tension, continuity and bias:
//
//   v_in  = (1-t) ((1-c)(1+b) Δ₋ + (1+c)(1-b) Δ₊) / (h₋ + h₊),   Δ₋ = p_i - p_i-1
//   v_out = (1-t) ((1+c)(1+b) Δ₋ + (1-c)(1-b) Δ₊) / (h₋ + h₊),   Δ₊ = p_i+1 - p_i
//
// These are the tangents DS and DD of the paper for evenly spaced keys. Otherwise a tangent is scaled by twice its own
// interval over the sum of both, so that with c = 0 the velocity is continuous in time. All zero: Catmull-Rom.
//
// Quaternions: slerp(a, b; u) goes from a to b on the great circle at constant speed, and
//
//   squad(u) = slerp( slerp(q_0, q_1; u), slerp(s_0, s_1; u); 2u(1-u) )
//
// has q⁻¹q' = log(q_0⁻¹q_1) + 2 log(q_0⁻¹s_0) at 0 and log(q_0⁻¹q_1) - 2 log(q_1⁻¹s_1) at 1. So a velocity v at a key
// needs s = q exp((h₊v - L₊)/2) on the interval after it and s = q exp((L₋ - h₋v)/2) on the one before, L₋ and L₊
// the logarithms of the two rotations. With v as above, Δ = L, and even keys both are Shoemake's q exp((L₋ - L₊)/4).
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "limber/base/vector.h"
#include "limber/motion/channel.h"

namespace limber {

// How a curve passes a key; each from -1 to 1.                                                                KB84
struct Bend {
  double tension = 0.0;     // 1: stops at the key; -1: swings wide
  double continuity = 0.0;  // other than 0: a corner
  double bias = 0.0;        // 1: overshoots; -1: turns ahead of the key
};

template <class T>
struct Velocities {
  T in;
  T out;
};

// `before` and `after` are the differences to the previous and the next key, over the given times.
template <class T>
Velocities<T> kochanek_bartels(const T& before, double seconds_before, const T& after, double seconds_after,
                               const Bend& bend) {
  const double t = bend.tension, c = bend.continuity, b = bend.bias;
  const double scale = (1.0 - t) / (seconds_before + seconds_after);
  const double in_before = scale * (1.0 - c) * (1.0 + b), in_after = scale * (1.0 + c) * (1.0 - b);
  const double out_before = scale * (1.0 + c) * (1.0 + b), out_after = scale * (1.0 - c) * (1.0 - b);
  return {in_before * before + in_after * after, out_before * before + out_after * after};
}

// c_0 + c_1 u + c_2 u² + c_3 u³.
template <class T>
struct Cubic {
  T c0, c1, c2, c3;

  T operator()(double u) const { return c0 + u * (c1 + u * (c2 + u * c3)); }
  T slope(double u) const { return c1 + u * (2.0 * c2 + (3.0 * u) * c3); }
};

// From p0 to p1 with slopes m0 and m1 over 0 <= u <= 1.
template <class T>
Cubic<T> hermite(const T& p0, const T& p1, const T& m0, const T& m1) {
  return {p0, m0, 3.0 * (p1 - p0) - 2.0 * m0 - m1, 2.0 * (p0 - p1) + m0 + m1};
}

// log(cos φ + n sin φ) = φ n, 0 <= φ <= π, and its inverse. Half a rotation vector.
Vec3 quaternion_log(const Quaternion& unit);
Quaternion quaternion_exp(const Vec3& v);

// Of q and -q, which are the same rotation, the one nearer to `other`.
inline Quaternion on_side_of(const Quaternion& other, const Quaternion& q) {
  return other.dot(q) < 0.0 ? Quaternion(-q.coeffs()) : q;
}

// On the great circle between two unit quaternions: cos(uω) from + sin(uω) across. Signs are not changed.
struct Slerp {
  Quaternion from = Quaternion::Identity();
  Quaternion across = Quaternion(0.0, 0.0, 0.0, 0.0);  // orthogonal to `from`
  double angle = 0.0;                                  // ω

  Slerp() = default;
  Slerp(const Quaternion& a, const Quaternion& b);
  Quaternion operator()(double u) const { return at(std::cos(u * angle), std::sin(u * angle)); }
  Quaternion at(double cosine, double sine) const {
    return Quaternion(cosine * from.coeffs() + sine * across.coeffs());
  }
};

// sin((1-h)ω) / sin ω and sin(hω) / sin ω, the weights of two quaternions, for `count` pairs, each with
// z = sin²(ω/2) <= max_series_z.
inline constexpr double max_series_z = 1.0 / 64.0;
void slerp_weights(const double* h, const double* z, int count, double* from, double* to);

// As Slerp, without precomputation; signs are not changed.
Quaternion slerp(const Quaternion& a, const Quaternion& b, double u);

// The inner quadrangle points at key q: on the interval that ends there, and on the one that begins there.
Velocities<Quaternion> quadrangle_points(const Quaternion& q, const Vec3& log_before, double seconds_before,
                                         const Vec3& log_after, double seconds_after, const Bend& bend);

struct Squad {
  Slerp outer;  // q_0 to q_1
  Slerp inner;  // s_0 to s_1

  Quaternion operator()(double u) const { return slerp(outer(u), inner(u), 2.0 * u * (1.0 - u)); }
  // |dq/du| of the rotation, in radians.
  double speed(double u) const;
};

// A monotone cubic through points with increasing x: no extremum between two of them (Fritsch and Carlson 1980).
// Constant before the first and after the last.
class MonotoneCurve {
 public:
  struct Knot {
    double x;
    double y;
  };
  MonotoneCurve() = default;
  explicit MonotoneCurve(std::vector<Knot> knots);
  bool empty() const { return knots_.empty(); }
  double operator()(double x) const;

 private:
  std::vector<Knot> knots_;
  std::vector<double> slopes_;
};

// Arc length of a curve over 0 <= u <= 1, and its inverse.
//
// The arc length s(u) is tabulated at even steps of u with the speed; between them it is the monotone cubic of both.
class LengthTable {
 public:
  template <class Speed>
  explicit LengthTable(const Speed& speed) {
    // Three-point Gauss-Legendre quadrature per step.
    const double node = std::sqrt(0.6), step = 1.0 / steps;
    for (int k = 0; k <= steps; ++k) {
      speeds_[k] = step * speed(k * step);
      if (k == steps) break;
      const double middle = (k + 0.5) * step;
      const double sum =
          5.0 * speed(middle - 0.5 * step * node) + 8.0 * speed(middle) + 5.0 * speed(middle + 0.5 * step * node);
      lengths_[k + 1] = lengths_[k] + step * sum / 18.0;
    }
    keep_monotone();
  }

  double length() const { return lengths_.back(); }
  // u with s(u) = part · length, by Newton's method within its step.
  double at(double part) const;

 private:
  static constexpr int steps = 32;
  void keep_monotone();

  std::array<double, steps + 1> lengths_ = {};
  std::array<double, steps + 1> speeds_ = {};  // per step
};

}  // namespace limber
