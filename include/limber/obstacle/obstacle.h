// An obstacle: a shape with a frame in the world.
//
//   HalfSpaceShape   the half-space y <= 0: a floor, or a rotated wall
//   BallShape        around the origin
//   Capsule          around a line segment (base/capsule.h)
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

// Rejected: numbers that are not finite, negative radii and sides, a frame that is not a rotation.
Expected<Obstacle> build_obstacle(std::string name, ObstacleShape shape, const Frame& X_world_shape = {});

// From the line to the shape, in the shape's own frame, and in the world.
Gap gap(const LineSegment& line, const ObstacleShape& shape);
Gap gap(const LineSegment& line, const Obstacle& obstacle);

// Around the obstacle in the world; infinite on all sides for a half-space.
BoundingBox bounds_of(const Obstacle& obstacle);

}  // namespace limber
