#include "limber/obstacle/triangle.h"

namespace limber {

namespace {

// The plane of a triangle, if it is well defined.
struct TrianglePlane {
  Vec3 normal;  // of length twice the area
  double square;

  explicit TrianglePlane(const Triangle& triangle) : normal(triangle.area_vector()), square(normal.squaredNorm()) {
    // Sine of the angle at the first corner; the plane of a degenerate triangle is noise, and its sides suffice.
    constexpr double min_sine = 1e-10;
    const double sides = (triangle[1] - triangle[0]).squaredNorm() * (triangle[2] - triangle[0]).squaredNorm();
    if (!(square > min_sine * min_sine * sides)) square = 0.0;
  }
  bool exists() const { return square > 0.0; }
  // Whether x projects into the triangle.
  bool over_inside(const Vec3& x, const Triangle& triangle) const {
    for (int k = 0; k < 3; ++k) {
      const Vec3& from = triangle[k];
      if (normal.dot((triangle[(k + 1) % 3] - from).cross(x - from)) < 0.0) return false;
    }
    return true;
  }
};

}  // namespace

PointNearTriangle nearest_to_point(const Vec3& x, const Triangle& triangle) {
  PointNearTriangle out;
  const TrianglePlane plane(triangle);
  if (plane.exists() && plane.over_inside(x, triangle)) {
    const double height = plane.normal.dot(x - triangle[0]);
    out.square = height * height / plane.square;
    out.at = x - (height / plane.square) * plane.normal;
    return out;
  }
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vec3 side = triangle[next] - triangle[k];
    const double s = nearest_on(triangle[k], side, side.squaredNorm(), x);
    const Vec3 at = s < 1.0 ? Vec3(triangle[k] + s * side) : triangle[next];
    const double square = (x - at).squaredNorm();
    if (square >= out.square) continue;
    const bool corner = s <= 0.0 || s >= 1.0;
    out = {square, at, {corner ? TrianglePart::Kind::corner : TrianglePart::Kind::side, s >= 1.0 ? next : k}};
  }
  return out;
}

SegmentNearTriangle nearest_to_line_segment(const Vec3& a, const Vec3& u, const Triangle& triangle, double max_square) {
  SegmentNearTriangle out;
  const TrianglePlane plane(triangle);
  if (plane.exists()) {
    const double at_a = plane.normal.dot(a - triangle[0]), at_b = at_a + plane.normal.dot(u);
    const bool crosses = (at_a < 0.0) != (at_b < 0.0);
    if (crosses) {
      const double t = at_a / (at_a - at_b);
      if (plane.over_inside(a + t * u, triangle)) return {0.0, t, a + t * u};
    }
    const double nearer = std::fabs(at_a) <= std::fabs(at_b) ? 0.0 : 1.0;
    if (!crosses && std::fmin(at_a * at_a, at_b * at_b) >= max_square * plane.square) return out;
    const auto examine_end = [&](double t, double height) {
      const double square = height * height / plane.square;
      if (square >= out.square || !plane.over_inside(a + t * u, triangle)) return;
      out = {square, t, a + t * u - (height / plane.square) * plane.normal};
    };
    examine_end(nearer, nearer == 0.0 ? at_a : at_b);
    if (!crosses && out.square < infinity) return out;  // nothing else is nearer to the plane
    examine_end(1.0 - nearer, nearer == 0.0 ? at_b : at_a);
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 side = triangle[(k + 1) % 3] - triangle[k];
    const NearestPair pair = nearest_pair(a - triangle[k], u, side);
    if (pair.square < out.square) out = {pair.square, pair.t, triangle[k] + pair.s * side};
  }
  return out;
}

}  // namespace limber
