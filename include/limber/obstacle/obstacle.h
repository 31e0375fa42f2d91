// What stands in the way: a shape, placed in the world by a frame, so that it can be dragged.
//
//   HalfSpaceShape   all below the plane y = 0: a floor; a wall where the frame turns it
//   BallShape        around the origin
//   Capsule          around a line (base/capsule.h)
//   BoxShape         |x_i| <= half_i
//   Polyhedron       the convex hull of points
//   TriangleMesh     closed: a solid; open: a sheet
//
// Example: a table top of 2 cm, and how far a forearm is from it.
//
//   const Expected<Obstacle> table = build_obstacle("table", BoxShape{{0.6, 0.01, 0.4}}, at({0, 0.73, 0.5}));
//   const Gap gap = limber::gap({elbow, wrist}, *table);
//   const double clearance = gap.distance - forearm_radius;      // the flesh begins a radius from its core
//
// No query asks for memory.
#pragma once

#include <string>
#include <variant>

#include "limber/base/capsule.h"
#include "limber/base/diagnostic.h"
#include "limber/obstacle/gap.h"
#include "limber/obstacle/mesh.h"
#include "limber/obstacle/polyhedron.h"

namespace limber {

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

// Rejected: numbers that are not finite, radii and sides below 0, a frame that does not turn rightly.
Expected<Obstacle> build_obstacle(std::string name, ObstacleShape shape, const Frame& X_world_shape = {});

// Of the core to the shape, in the shape's own frame, and in the world.
Gap gap(const LineSegment& line, const ObstacleShape& shape);
Gap gap(const LineSegment& line, const Obstacle& obstacle);

// Around the obstacle in the world; infinite on all sides for a half-space.
BoundingBox bounds_of(const Obstacle& obstacle);

}  // namespace limber
