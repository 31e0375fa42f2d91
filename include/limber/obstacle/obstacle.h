// An obstacle: a shape with a frame in the world.
//
//   HalfSpaceShape   the half-space y <= 0: a floor, or a rotated wall
//   BallShape        around the origin
//   Capsule          around a line segment (base/vector.h)
//   BoxShape         |x_i| <= half_i
//   Polyhedron       the convex hull of points
//   TriangleMesh     closed: a solid; open: a sheet
//
// Example: a table top 2 cm thick, and the clearance of a forearm.
//
//   const Expected<Obstacle> table = build_obstacle("table", BoxShape{{0.6, 0.01, 0.4}}, at({0, 0.73, 0.5}));
//   const Gap gap = limber::gap({elbow, wrist}, *table);
//   const double clearance = gap.distance - forearm_radius;
//
// Queries do not allocate.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"

namespace limber {

// --- The gap between the core of a limb and a shape: signed distance and normal.
//
// A limb is a capsule: all points within a radius of a line segment from a to b, its core (in this folder, the "line").
// So every query about limbs is the gap of a line, minus radii. A gap has a point x = a + t (b - a) on the line, a unit
// normal n from the shape to the line, and
//
//   ∂distance/∂a = (1 - t) slope n,   ∂distance/∂b = t slope n
//
// where the derivative exists; slope is 1 except deep inside a closed mesh. Outside, the distance is the
// minimum distance. Inside a convex shape it is negative: the shortest translation that separates the two is -distance
// along n. Both sides meet at 0 with the same n, except where a corner or an edge is hit head on.
//
// If several points are equally near (a line parallel to a face), t is in their middle. To keep both ends off the same
// plane, use n · (end - on_shape) for each.

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

// --- A line segment and a triangle mesh.
//
// Outside, the distance is that to the nearest triangle. The inside depends on the mesh:
//
// A closed mesh, in which each edge of each triangle is shared with exactly one other that traverses it in the opposite
// direction, is a solid. A point has a signed distance φ, negative inside; the sign is that of the pseudonormal at the
// nearest point (Baerentzen and Aanaes 2005), or, if that is inconclusive, of the winding number. A line that is partly
// inside has the φ of its deepest point,
//
//   distance = min over t of φ(a + t (b - a)),
//
// which is continuous in a and b, meets the outside distance at 0, and is no larger than the separating translation. At
// its deepest point a line is usually equally far from two triangles, whose outward normals n₀, n₁ have a mean
// λ n₀ + (1 - λ) n₁ = slope n perpendicular to the line; that is the derivative. Where a line passes straight through a
// thin plate the slope is 0: no small translation reduces the depth.
//
// Any other mesh is a sheet, without an inside. A line that pierces it is moved back, or past the boundary, whichever
// is nearest:
//
//   distance = -min(distance of a, distance of b, distance of the line from the boundary).
//
// This is continuous except where a line begins to cut through a fold from the side.

struct Triangle;

// A cheap handle to shared immutable data. Only build() makes one, so it is always valid.
class TriangleMesh {
 public:
  // Three vertex indices per triangle, from 0. Coincident vertices are merged, and degenerate triangles dropped. A
  // closed mesh that is inside out is reversed. Rejected: no triangle, a number that is not finite, an invalid vertex
  // index, all vertices coincident.
  static Expected<TriangleMesh> build(const std::vector<Vec3>& vertices,
                                      const std::vector<std::array<int, 3>>& triangles);

  bool solid() const;
  int triangle_count() const;
  const Triangle& triangle(int k) const;
  const BoundingBox& box() const;

  // In its own frame.
  Gap gap(const LineSegment& line) const;

 private:
  struct Data;
  explicit TriangleMesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

// --- A line segment and a convex polyhedron.
//
// The Minkowski difference of the polyhedron and the line is a polyhedron too. Its faces are those of the polyhedron
// and one for each edge e whose two faces n₁, n₂ face opposite sides of the line's direction u:
//
//   n = ± u × e / ‖u × e‖,   (n₁ · u)(n₂ · u) < 0.
//
// The maximum distance along these n is positive exactly if the two are disjoint; else it is minus the shortest
// separating translation. If they are disjoint, the distance is that to the nearest triangle.
//
// Cost: a few nanoseconds per face and edge, and a tree traversal if disjoint.

struct Hull;

// A cheap handle to shared immutable data. Only build() makes one, so it is always valid.
class Polyhedron {
 public:
  // The hull of the vertices. Rejected: what convex_hull rejects.
  static Expected<Polyhedron> build(const std::vector<Vec3>& vertices);

  const Hull& hull() const;
  const BoundingBox& box() const;

  // In its own frame.
  Gap gap(const LineSegment& line) const;

 private:
  struct Data;
  explicit Polyhedron(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

struct HalfSpaceShape {};

struct BallShape {
  double radius = 1.0;
};

struct BoxShape {
  Vec3 half = Vec3::Constant(0.5);
};

using ObstacleShape = std::variant<HalfSpaceShape, BallShape, Capsule, BoxShape, Polyhedron, TriangleMesh>;

struct Obstacle {
  std::string name;
  ObstacleShape shape;
  Frame X_world_shape;
};

// Rejected: numbers that are not finite, negative radii and sides, a frame that is not a rotation.
Expected<Obstacle> build_obstacle(std::string name, ObstacleShape shape, const Frame& X_world_shape = {});

// From the line to the shape, in the shape's own frame, and in the world.
Gap gap(const LineSegment& line, const ObstacleShape& shape);
Gap gap(const LineSegment& line, const Obstacle& obstacle);

// Around the obstacle in the world; infinite on all sides for a half-space.
BoundingBox bounds_of(const Obstacle& obstacle);

}  // namespace limber
