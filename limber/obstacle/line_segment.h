// The nearest points of two line segments.
//
// With u = b - a, v = d - c, w = a - c the squared distance is convex in the two parameters:
//
//   f(t, s) = ‖w + t u - s v‖²   on 0 <= t, s <= 1.
//
// Far from parallel it has one minimum, in closed form. Near parallel the minimum is on one of the four edges of the
// square (an end against a line), or inside, where both derivatives vanish; all five are evaluated, without division by
// a number that may be zero. Ties are averaged: f is convex, so the average is as good, and it is the middle of the
// overlap of two parallel lines.
//
// Where the lines cross, the difference has no direction. Then n is perpendicular to both, so that -distance n is still
// the shortest translation; of the two signs the one that points up is chosen, so that it does not flicker between
// frames.
#pragma once

#include <algorithm>
#include <limits>

#include "limber/obstacle/obstacle.h"

namespace limber {

// Relative to the sizes: smaller differences of distances are ties up to rounding.
inline constexpr double tie_share = 8.0 * std::numeric_limits<double>::epsilon();

LineSegmentGap gap(const LineSegment& first, const LineSegment& second);

// From the line to a point.
Gap gap(const LineSegment& line, const Vec3& point);

// The parameter of the point of a line segment nearest to x.
inline double nearest_on(const Vec3& a, const Vec3& u, double uu, const Vec3& x) {
  return uu > 0.0 ? std::clamp(u.dot(x - a) / uu, 0.0, 1.0) : 0.0;
}

// The minimum of f with its t and s: gap() without ties and normals.
struct NearestPair {
  double square = infinity;
  double t = 0.0;
  double s = 0.0;

  void take(double new_square, double new_t, double new_s) {
    if (new_square >= square) return;
    square = new_square;
    t = new_t;
    s = new_s;
  }
};
NearestPair nearest_pair(const Vec3& w, const Vec3& u, const Vec3& v);

// The unit vector perpendicular to u that points up as far as possible.
Vec3 upward_across(const Vec3& u);

}  // namespace limber
