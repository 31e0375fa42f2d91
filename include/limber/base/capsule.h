// A line segment with a radius: the shape of a region, a limb or an obstacle.
#pragma once

#include "limber/base/vector.h"

namespace limber {

// All points within `radius` of the line segment from a to b; a sphere where a = b.
struct Capsule {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
  double radius = 1.0;

  // The vector to x from the nearest point of the line segment.
  Vec3 away(const Vec3& x) const {
    const Vec3 ab = b - a;
    const double square = ab.squaredNorm();
    const double t = square > 0.0 ? std::fmin(1.0, std::fmax(0.0, ab.dot(x - a) / square)) : 0.0;
    return x - (a + t * ab);
  }
};

inline Capsule sphere(const Vec3& centre, double radius) { return {centre, centre, radius}; }

}  // namespace limber
