// The nearest points of two lines.
//
// With u = b - a, v = d - c, w = a - c the square of the distance is convex in the two parameters:
//
//   f(t, s) = ‖w + t u - s v‖²   on 0 <= t, s <= 1.
//
// Far from parallel it has one least point, in closed form. Near to parallel it is least on one of the four sides of
// the square (an end against a line), or inside, where both derivatives vanish; all five are looked at, and none
// divides by a number that may be zero. Those that tie are averaged: f is convex, so the average is as good, and it is
// the middle of where two parallel lines run beside each other.
//
// Where the lines cross there is no shortest difference to point along. Then n is across both, so that the shift
// -distance n stays the shortest one; of the two such directions it is the one that points up, so that it does not
// flicker from one frame to the next.
#pragma once

#include <algorithm>

#include "limber/obstacle/gap.h"

namespace limber {

LineSegmentGap gap(const LineSegment& first, const LineSegment& second);

// The line and a ball of no radius.
Gap gap(const LineSegment& line, const Vec3& point);

// The parameter of the point of a line that is nearest to x.
inline double nearest_on(const Vec3& a, const Vec3& u, double uu, const Vec3& x) {
  return uu > 0.0 ? std::clamp(u.dot(x - a) / uu, 0.0, 1.0) : 0.0;
}

// The least of f with its t and s: what gap() does before it cares for ties and normals.
struct NearestPair {
  double square = infinity;
  double t = 0.0;
  double s = 0.0;

  void take(double square_here, double t_here, double s_here) {
    if (square_here >= square) return;
    square = square_here;
    t = t_here;
    s = s_here;
  }
};
NearestPair nearest_pair(const Vec3& w, const Vec3& u, const Vec3& v);

// The unit vector across u that points up, as nearly as it can.
Vec3 upward_across(const Vec3& u);

}  // namespace limber
