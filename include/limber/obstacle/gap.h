// How far the core of a limb is from something, and which way is out.
//
// A limb is a capsule: all within a radius of a line from a to b, its core. So everything that is asked about limbs
// is the gap of a line, minus radii. A gap has a place x = a + t (b - a) on the line, a unit vector n that points
// from the shape to the line, and
//
//   ∂distance/∂a = (1 - t) slope n,   ∂distance/∂b = t slope n
//
// wherever there is a derivative; slope is 1 but deep inside a closed mesh (mesh.h). Outside, the distance is the
// shortest one. Inside a convex shape it is negative: the shortest shift that takes the line out goes -distance
// along n. Both sides meet at 0 with the same n, but where a corner or an edge is hit head on.
//
// Where several places are equally near (a line that lies flat) t is in their middle. A caller that wants both ends
// kept off the same plane has their gaps from the one: n · (end - on_shape).
#pragma once

#include "limber/base/vector.h"

namespace limber {

struct LineSegment {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();

  Vec3 at(double t) const { return a + t * (b - a); }
};

// The smallest box with sides along the axes around what it has taken in.
struct BoundingBox {
  Vec3 low = Vec3::Constant(infinity);
  Vec3 high = Vec3::Constant(-infinity);

  void take(const Vec3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  // The square of the distance of two boxes; 0 where they overlap.
  double square_from(const BoundingBox& other) const {
    const Vec3 apart = (low - other.high).cwiseMax(other.low - high).cwiseMax(0.0);
    return apart.squaredNorm();
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

// Between two lines: never negative, and ∂distance/∂c = -(1 - s) n, ∂distance/∂d = -s n for the second one, c to d.
struct LineSegmentGap {
  double distance = infinity;
  double t = 0.0;               // on the first
  double s = 0.0;               // on the second
  Vec3 normal = Vec3::UnitY();  // from the second to the first
  Vec3 on_first = Vec3::Zero();
  Vec3 on_second = Vec3::Zero();
};

// The difference of two points that are nearer to each other than this share of the sizes has no direction left.
inline constexpr double resolved_share = 1e-12;

}  // namespace limber
