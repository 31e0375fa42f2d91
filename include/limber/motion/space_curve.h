// A curve in space for a handle to follow, by the way travelled along it.      ZB94 section 1 "animation", W93 7.2.1
//
// A goal whose position moves along a curve animates the figure: each frame asks for the next place on the way, and the
// pose is solved from the one before. So that a step along the curve is as long as it says, the curve is known by its
// arc length s in metres (W93 2.2.1): ‖dx/ds‖ = 1 everywhere but in corners.
//
// Through the points p_i go pieces x(u) = c0 + u (c1 + u (c2 + u c3)), 0 <= u <= 1, one from each point to the next:
//
//   straight   c1 = p_i+1 - p_i
//   spline     the centripetal Catmull-Rom spline: knots t_i+1 - t_i = d_i = ‖p_i+1 - p_i‖^½, and at p_i the tangent
//
//                m_i = (d_i s_i-1 + d_i-1 s_i) / (d_i-1 + d_i),   s_i = (p_i+1 - p_i) / d_i
//
//              of the parabola through three neighbours; since ‖s_i‖ = d_i it halves the angle of the two chords. At
//              the ends of an open curve it is that of the parabola too. C¹ in t, so the tangent is continuous but
//              where the way turns back by half a circle. It makes no loop or cusp between two points.
//
// The way s(u) = ∫ ‖x'‖ du is summed once by Gauss-Legendre quadrature of eight points over spans that are halved until
// the two halves agree with the whole. A query finds its span and solves s(u) = s by Newton's method within a bracket;
// it asks for no memory. Cost: about 30 evaluations of x'.
#pragma once

#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

class SpaceCurve {
 public:
  enum class Kind { straight, spline };

  // Through all points in their order, and from the last back to the first where it is closed. A point that repeats the
  // one before it is passed over. Rejected with fewer than two different points, or numbers that are not finite.
  static Expected<SpaceCurve> make(const std::vector<Vec3>& points, bool closed = false, Kind kind = Kind::spline);

  double length() const { return length_; }
  bool closed() const { return closed_; }
  // How many points were given, and the way at which the curve is at one of them.
  int points() const { return static_cast<int>(way_to_point_.size()); }
  double way_to(int point) const { return way_to_point_[static_cast<std::size_t>(point)]; }

  // s in metres, finite. An open curve stays at its ends; a closed one goes round and round.
  Vec3 at(double s) const;
  // The direction of travel, a unit vector; in a corner that in which the way goes on.
  Vec3 tangent(double s) const;

 private:
  struct Piece {
    Vec3 c0, c1, c2, c3;

    Vec3 at(double u) const { return c0 + u * (c1 + u * (c2 + u * c3)); }
    Vec3 derivative(double u) const { return c1 + u * (2.0 * c2 + 3.0 * u * c3); }
    Vec3 tangent(double u) const;
    double way(double from, double to) const;
  };
  struct Span {
    double s;  // where it begins
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
  std::vector<double> way_to_point_;
};

}  // namespace limber
