// The gap between the core of a limb and a shape: signed distance and normal.
//
// A limb is a capsule: all points within a radius of a line segment from a to b, its core (in this folder, the "line").
// So every query about limbs is the gap of a line, minus radii. A gap has a point x = a + t (b - a) on the line, a unit
// normal n from the shape to the line, and
//
//   ∂distance/∂a = (1 - t) slope n,   ∂distance/∂b = t slope n
//
// where the derivative exists; slope is 1 except deep inside a closed mesh (mesh.h). Outside, the distance is the
// minimum distance. Inside a convex shape it is negative: the shortest translation that separates the two is -distance
// along n. Both sides meet at 0 with the same n, except where a corner or an edge is hit head on.
//
// If several points are equally near (a line parallel to a face), t is in their middle. To keep both ends off the same
// plane, use n · (end - on_shape) for each.
#pragma once

#include "limber/base/vector.h"

namespace limber {

struct LineSegment {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();

  Vec3 at(double t) const { return a + t * (b - a); }
};

// The smallest axis-aligned box around the points added.
struct BoundingBox {
  Vec3 low = Vec3::Constant(infinity);
  Vec3 high = Vec3::Constant(-infinity);

  void take(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  // The squared distance between two boxes; 0 if they overlap.
  double square_from(const BoundingBox& other) const {
    const Vec3 separation = (low - other.high).cwiseMax(other.low - high).cwiseMax(0.0);
    return separation.squaredNorm();
  }
};

struct Gap {
  double distance = infinity;  // negative inside
  double t = 0.0;              // on the line: 0 at a, 1 at b
  Vec3 normal = Vec3::UnitY();
  Vec3 on_line = Vec3::Zero();   // a + t (b - a)
  Vec3 on_shape = Vec3::Zero();  // on_line - distance · normal
  double slope = 1.0;
};

// Between two lines: never negative.
// For the second one, from c to d, ∂distance/∂c = -(1 - s) n and ∂distance/∂d = -s n.
struct LineSegmentGap {
  double distance = infinity;
  double t = 0.0;               // on the first
  double s = 0.0;               // on the second
  Vec3 normal = Vec3::UnitY();  // from the second to the first
  Vec3 on_first = Vec3::Zero();
  Vec3 on_second = Vec3::Zero();
};

// Relative to the sizes: the difference of two points nearer than this has no reliable direction.
inline constexpr double resolved_share = 1e-12;

}  // namespace limber
