// A line, or a point, and a triangle. No area is needed: a needle is as good as its sides.
//
// The nearest point of a triangle to a point is its foot on the plane, where that is inside, or is on one of the sides.
// For a line: it pierces the triangle; or one of its ends is nearest, over the inside; or one of the sides is, as a
// line of its own.
#pragma once

#include <array>

#include "limber/obstacle/line_segment.h"

namespace limber {

struct Triangle {
  std::array<Vec3, 3> p;

  const Vec3& operator[](int k) const { return p[static_cast<std::size_t>(k)]; }
  // Twice its area, counter-clockwise from where it points to.
  Vec3 area_vector() const { return (p[1] - p[0]).cross(p[2] - p[0]); }
};

// Which part of a triangle is nearest: its inside, the side from corner k to the next, or the corner k.
struct TrianglePart {
  enum class Kind { inside, side, corner };
  Kind kind = Kind::inside;
  int k = 0;
};

struct PointNearTriangle {
  double square = infinity;
  Vec3 at = Vec3::Zero();  // on the triangle
  TrianglePart part;
};
PointNearTriangle nearest_to_point(const Vec3& x, const Triangle& triangle);

struct SegmentNearTriangle {
  double square = infinity;  // 0 where it is pierced
  double t = 0.0;
  Vec3 at = Vec3::Zero();  // on the triangle
};
// Anything with a square of `enough` or more is as good as none.
SegmentNearTriangle nearest_to_line_segment(const Vec3& a, const Vec3& u, const Triangle& triangle,
                                            double enough = infinity);

}  // namespace limber
