// Paths in space: curves by arc length, and the speed along them.
#pragma once

#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/description.h"

namespace limber {

// --- A curve in space for a handle to follow, by arc length.                      ZB94 section 1 "animation",
// W93 7.2.1
//
// A goal whose position moves along a curve animates the figure: each frame sets the next position, and the pose is
// solved from the previous one. For steps of known length the curve is parametrised by its arc length s in metres
// (W93 2.2.1): ‖dx/ds‖ = 1 everywhere except in corners.
//
// The points p_i are joined by pieces x(u) = c0 + u (c1 + u (c2 + u c3)), 0 <= u <= 1:
//
//   straight   c1 = p_i+1 - p_i
//   spline     the centripetal Catmull-Rom spline: knots t_i+1 - t_i = d_i = ‖p_i+1 - p_i‖^½, and at p_i the tangent
//
//                m_i = (d_i s_i-1 + d_i-1 s_i) / (d_i-1 + d_i),   s_i = (p_i+1 - p_i) / d_i
//
//              of the parabola through three neighbours; since ‖s_i‖ = d_i it bisects the angle of the two chords. At
//              the ends of an open curve it is also that of the parabola. C¹ in t, so the tangent is continuous except
//              where the curve reverses. No loops or cusps between two points.
//
// The arc length s(u) = ∫ ‖x'‖ du is integrated once by 8-point Gauss-Legendre quadrature over spans that are halved
// until the two halves agree with the whole. A query finds its span and solves s(u) = s by Newton's method within a
// bracket, without allocation. Cost: about 30 evaluations of x'.

class SpaceCurve {
 public:
  enum class Kind { straight, spline };

  // Through all points in order; a closed curve returns from the last to the first. Points equal to their predecessor
  // are skipped. Rejected with fewer than two distinct points, or numbers that are not finite.
  static Expected<SpaceCurve> make(const std::vector<Vec3>& points, bool closed = false, Kind kind = Kind::spline);

  double length() const { return length_; }
  bool closed() const { return closed_; }
  // The number of points given, and the arc length at each of them.
  int points() const { return static_cast<int>(point_arc_length_.size()); }
  double arc_length_to(int point) const { return point_arc_length_[static_cast<std::size_t>(point)]; }

  // s in metres, finite. Clamped on an open curve, periodic on a closed one.
  Vec3 at(double s) const;
  // The direction of travel, a unit vector; in a corner that of the outgoing piece.
  Vec3 tangent(double s) const;

 private:
  struct Piece {
    Vec3 c0, c1, c2, c3;

    Vec3 at(double u) const { return c0 + u * (c1 + u * (c2 + u * c3)); }
    Vec3 derivative(double u) const { return c1 + u * (2.0 * c2 + 3.0 * u * c3); }
    Vec3 tangent(double u) const;
    double arc_length(double from, double to) const;
  };
  struct Span {
    double s;  // at u0
    double u0, u1;
    int piece;
  };
  struct Spot {
    const Piece& piece;
    double u;
  };

  SpaceCurve() = default;
  void add_straight(const std::vector<Vec3>& p);
  void add_spline(const std::vector<Vec3>& p);
  void measure(int piece, double u0, double u1, double whole, double tolerance, int halvings);
  Spot find(double s) const;

  bool closed_ = false;
  double length_ = 0.0;
  std::vector<Piece> pieces_;
  std::vector<Span> spans_;
  std::vector<double> point_arc_length_;
};

// --- Position of a handle along its path over time, as a fraction σ from 0 at the start to 1 at the end. W93 2.2.1
//
// Eased: the speed increases over the first fraction a of the time, is constant, and decreases over the last fraction
// b. With x = (t - start) / (end - start) and w(y) = 3y² - 2y³,
//
//   dσ/dx = V w(x/a)  for x < a,   V  between,   V w((1-x)/b)  for x > 1 - b,      V = 1 / (1 - (a + b)/2)
//
// so σ goes from 0 to 1 and, if a and b are above 0, is C² for all times, constant before and after.
//
// By keys: σ is given at some times, interpolated by the monotone cubic of Fritsch and Carlson (figure/description.h):
// C¹, without overshoot, and constant between equal keys.

class SpeedProfile {
 public:
  struct Key {
    double time;  // seconds
    double part;  // σ; below 0 or above 1 are further rounds of a closed curve
  };

  // Fractions of the time, 0 or more, together at most 1. 0: full speed at once.
  static Expected<SpeedProfile> eased(double start, double end, double ease_in = 0.25, double ease_out = 0.25);
  // At least two keys with increasing times; parts may decrease.
  static Expected<SpeedProfile> by_keys(const std::vector<Key>& keys);

  double start() const { return start_; }  // seconds
  double end() const { return end_; }

  // σ(t), constant before the start and after the end.
  double part(double t) const;
  // dσ/dt in 1/s, 0 outside.
  double rate(double t) const;

 private:
  SpeedProfile() = default;

  double start_ = 0.0, end_ = 1.0;
  double ease_in_ = 0.0, ease_out_ = 0.0;
  double max_speed_ = 1.0;  // V
  bool has_keys_ = false;
  Curve keys_;
};

// Position and velocity of the handle at a time.
Vec3 along(const SpaceCurve& curve, const SpeedProfile& profile, double t);
Vec3 velocity(const SpaceCurve& curve, const SpeedProfile& profile, double t);

}  // namespace limber
