// A line segment and a box.
//
// The box is |x_i| <= h_i in its own frame, and e(x) = x - clamp(x, -h, h) the excess of x. Along the line
// x(t) = a + t u the squared distance and half its derivative are
//
//   f(t) = ‖e(x(t))‖²,   g(t) = u · e(x(t)),
//
// f is convex, and g is increasing and linear between the at most six t where x(t) crosses a plane of the box. So the
// minimum is found by evaluating each of these, without iteration.
//
// A line that touches the box is moved out along the best separating direction of a box and a line: the three axes and
// their cross products with u, in both signs. These are all face normals of the Minkowski difference, so the depth is
// exact.
#pragma once

#include "limber/obstacle/obstacle.h"

namespace limber {

// In the frame of the box.
Gap box_gap(const LineSegment& line, const Vec3& half);

}  // namespace limber
