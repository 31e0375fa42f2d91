// A line segment or a point against a triangle, which may be degenerate.
//
// The nearest point of a triangle to a point is its projection onto the plane, if inside, or a point on a side. For a
// line: it pierces the triangle; or one of its ends projects inside; or a side is nearest.
#pragma once

#include <array>

#include "limber/obstacle/line_segment.h"

namespace limber {

struct Triangle {
  std::array<Vec3, 3> p;

  const Vec3& operator[](int k) const { return p[static_cast<std::size_t>(k)]; }
  // Normal of length twice the area; the corners are counter-clockwise seen from its tip.
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
  double square = infinity;  // 0 if pierced
  double t = 0.0;
  Vec3 at = Vec3::Zero();  // on the triangle
};
// Results with a square of `max_square` or more may be missing.
SegmentNearTriangle nearest_to_line_segment(const Vec3& a, const Vec3& u, const Triangle& triangle,
                                            double max_square = infinity);

}  // namespace limber
