// Projection from the world to the picture, and the outline of a solid.
//
// A camera has an orthonormal frame (right, up, back); `back` points to the viewer. With d = (x - target) and
// z = back · d, a point is projected to
//
//   u = origin + scale · k · (right · d, -up · d),   k = D / (D - z)  from the distance D,   k = 1 from infinity.
//
// An ellipsoid c + A b, ‖b‖ <= 1, is projected to (P A) b with the derivative P of that map at c: an ellipse, exact in
// parallel projection and a good approximation otherwise. The outline of the convex hull of ellipsoids follows from its
// support function
//
//   h(n) = max_i ( u_i · n + ‖(P_i A_i)ᵀ n‖ ),  reached at  u_i + (P_i A_i)(P_i A_i)ᵀ n / ‖(P_i A_i)ᵀ n‖.
#pragma once

#include <vector>

#include "limber/base/vector.h"
#include "limber/body/ellipsoid.h"
#include "limber/picture/canvas.h"

namespace limber::picture {

using body::Ellipsoid;

struct Camera {
  Vec3 right = Vec3::UnitX();
  Vec3 up = Vec3::UnitY();
  Vec3 back = Vec3::UnitZ();
  Vec3 target = Vec3::Zero();
  double distance = infinity;  // in metres
  double scale = 1.0;          // pixels per metre, at the target
  Vec2 origin = Vec2::Zero();  // the projection of the target

  // Looks from the direction `back`, with `up` as upright as possible.
  static Camera looking(const Vec3& back, const Vec3& up);

  double depth(const Vec3& x) const { return back.dot(x - target); }  // larger is nearer
  // Whether the point is far enough in front of a perspective camera to be drawn.
  bool sees(const Vec3& x) const;
  Vec2 project(const Vec3& x) const;
  Eigen::Matrix<double, 2, 3> derivative(const Vec3& x) const;

  // The line segment from a to b, clipped to what the camera sees; false if nothing remains.
  bool project(const Vec3& a, const Vec3& b, Vec2& from, Vec2& to) const;

  // Moves and scales the picture so that the scene fits into the middle of the rectangle, at `max_scale` or less.
  void fit(const std::vector<Ellipsoid>& scene, const Rect& into, double max_scale = infinity);
};

// Enough for a circle to look smooth.
inline constexpr int outline_corners = 40;

// The outline of the hull, as a polygon; empty if the camera does not see all of it.
std::vector<Vec2> outline(const Camera& camera, const std::vector<Ellipsoid>& hull, int corners = outline_corners);

// Half the width of the projected ellipsoid along the unit vector n of the picture.
double half_width(const Camera& camera, const Ellipsoid& ellipsoid, const Vec2& n);

struct Bounds {
  Vec2 min = Vec2::Constant(infinity);
  Vec2 max = Vec2::Constant(-infinity);
};

Bounds bounds(const Camera& camera, const std::vector<Ellipsoid>& scene);

}  // namespace limber::picture
