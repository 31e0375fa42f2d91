// A line and a box.
//
// The box is |x_i| <= h_i in its own frame, and e(x) = x - clamp(x, -h, h) what x sticks out by. Along the line
// x(t) = a + t u the square of the distance and half its derivative are
//
//   f(t) = ‖e(x(t))‖²,   g(t) = u · e(x(t)),
//
// f is convex, and g grows and is straight between the at most six t where x(t) passes a plane of the box. So the least
// f is found by a look at each of these, without iterating.
//
// A line that touches the box is taken out along the best of the separating directions of a box and a line: the
// three axes and their cross products with u, both ways. Of the sum of the box and the turned-round line these are
// all the faces, so that the depth is exact.
#pragma once

#include "limber/obstacle/gap.h"

namespace limber {

// In the frame of the box.
Gap box_gap(const LineSegment& line, const Vec3& half);

}  // namespace limber
