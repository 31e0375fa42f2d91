// From the world to the picture, and the outline of a solid in it.
//
// A camera has an orthonormal frame (right, up, back); `back` points to the viewer. With d = (x - target) and
// z = back · d, a point lands at
//
//   u = origin + scale · k · (right · d, -up · d),   k = D / (D - z)  from the distance D,   k = 1 from infinity.
//
// An ellipsoid c + A b, ‖b‖ <= 1, has the shadow (P A) b under the derivative P of that map at c: an ellipse, exact
// from infinity and a good likeness else. The outline of the convex hull of ellipsoids follows from its support
// function
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
  double scale = 1.0;          // pixels a metre, at the target
  Vec2 origin = Vec2::Zero();  // where the target lands

  // Looks from the direction `back`, with `up` upright as far as it can be.
  static Camera looking(const Vec3& back, const Vec3& up);

  double depth(const Vec3& x) const { return back.dot(x - target); }  // larger is nearer
  // Whether the point is far enough before a camera at a finite distance to be drawn.
  bool sees(const Vec3& x) const;
  Vec2 project(const Vec3& x) const;
  Eigen::Matrix<double, 2, 3> derivative(const Vec3& x) const;

  // The stretch from a to b, cut off where the camera does not see it; false where nothing is left.
  bool project(const Vec3& a, const Vec3& b, Vec2& from, Vec2& to) const;

  // Moves and scales the picture so that all that is given fits into the middle of the rectangle, at `max_scale` or
  // less.
  void fit(const std::vector<Ellipsoid>& scene, const Rect& into, double max_scale = infinity);
};

// The corners of a circle drawn with so many cannot be seen.
inline constexpr int outline_corners = 40;

// The outline of the hull, as a polygon; empty where the camera cannot see all of it.
std::vector<Vec2> outline(const Camera& camera, const std::vector<Ellipsoid>& hull, int corners = outline_corners);

// Half the width of the ellipsoid's shadow along the unit vector n of the picture.
double half_width(const Camera& camera, const Ellipsoid& ellipsoid, const Vec2& n);

struct Bounds {
  Vec2 least = Vec2::Constant(infinity);
  Vec2 most = Vec2::Constant(-infinity);
};

Bounds bounds(const Camera& camera, const std::vector<Ellipsoid>& scene);

}  // namespace limber::picture
