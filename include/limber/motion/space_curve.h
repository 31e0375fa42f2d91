// A curve in space for a handle to follow, by arc length.                      ZB94 section 1 "animation", W93 7.2.1
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
#pragma once

#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

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

}  // namespace limber
