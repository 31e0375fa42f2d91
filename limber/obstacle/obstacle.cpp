#include "limber/obstacle/obstacle.h"

#include <utility>

#include "limber/base/number.h"
#include "limber/obstacle/box.h"
#include "limber/obstacle/line_segment.h"

namespace limber {

namespace {

constexpr double frame_tolerance = 1e-6;  // of |RᵀR - I|

using Checked = Expected<void>;

Checked check_length(const std::string& where, double length) {
  if (std::isfinite(length) && length >= 0.0) return {};
  return reject(where, to_text(length), "a length of 0 or more");
}

struct CheckShape {
  const std::string& where;

  Checked operator()(const HalfSpaceShape&) const { return {}; }
  Checked operator()(const BallShape& ball) const { return check_length(where + ", radius", ball.radius); }
  Checked operator()(const Capsule& capsule) const {
    if (!capsule.a.allFinite() || !capsule.b.allFinite())
      return reject(where + ", ends", "a number that is not finite", "two finite points");
    return check_length(where + ", radius", capsule.radius);
  }
  Checked operator()(const BoxShape& box) const {
    for (int i = 0; i < 3; ++i)
      if (const Checked good = check_length(where + ", half sides", box.half[i]); !good) return good;
    return {};
  }
  Checked operator()(const Polyhedron&) const { return {}; }
  Checked operator()(const TriangleMesh&) const { return {}; }
};

// The gap to the surface at `radius` around the shape.
Gap inflated(double radius, Gap gap) {
  gap.distance -= radius;
  gap.on_shape += radius * gap.normal;
  return gap;
}

struct GapOf {
  const LineSegment& line;

  Gap operator()(const HalfSpaceShape&) const {
    const double at_a = line.a[1], at_b = line.b[1];
    Gap out{.distance = std::fmin(at_a, at_b), .t = at_a == at_b ? 0.5 : (at_a < at_b ? 0.0 : 1.0)};
    out.on_line = line.at(out.t);
    out.on_shape = out.on_line - out.distance * out.normal;
    return out;
  }
  Gap operator()(const BallShape& ball) const { return inflated(ball.radius, gap(line, Vec3(Vec3::Zero()))); }
  Gap operator()(const Capsule& capsule) const {
    const LineSegmentGap cores = gap(line, LineSegment{capsule.a, capsule.b});
    return inflated(capsule.radius, {.distance = cores.distance,
                                     .t = cores.t,
                                     .normal = cores.normal,
                                     .on_line = cores.on_first,
                                     .on_shape = cores.on_first - cores.distance * cores.normal});
  }
  Gap operator()(const BoxShape& box) const { return box_gap(line, box.half); }
  Gap operator()(const Polyhedron& polyhedron) const { return polyhedron.gap(line); }
  Gap operator()(const TriangleMesh& mesh) const { return mesh.gap(line); }
};

struct BoundsOf {
  const Frame& X;

  // The world box of the local box with this centre and these half sides.
  BoundingBox around(const Vec3& centre, const Vec3& half) const {
    const Vec3 c = X * centre, reach = X.R.cwiseAbs() * half;
    return {c - reach, c + reach};
  }
  BoundingBox around(const BoundingBox& box) const {
    return around(0.5 * (box.low + box.high), 0.5 * (box.high - box.low));
  }
  BoundingBox operator()(const HalfSpaceShape&) const { return {Vec3::Constant(-infinity), Vec3::Constant(infinity)}; }
  BoundingBox operator()(const BallShape& ball) const {
    return {X.p - Vec3::Constant(ball.radius), X.p + Vec3::Constant(ball.radius)};
  }
  BoundingBox operator()(const Capsule& capsule) const {
    BoundingBox box;
    box.take(X * capsule.a);
    box.take(X * capsule.b);
    return {box.low - Vec3::Constant(capsule.radius), box.high + Vec3::Constant(capsule.radius)};
  }
  BoundingBox operator()(const BoxShape& box) const { return around(Vec3::Zero(), box.half); }
  BoundingBox operator()(const Polyhedron& polyhedron) const { return around(polyhedron.box()); }
  BoundingBox operator()(const TriangleMesh& mesh) const { return around(mesh.box()); }
};

}  // namespace

Expected<Obstacle> build_obstacle(std::string name, ObstacleShape shape, const Frame& X_world_shape) {
  const std::string where = "obstacle '" + name + "'";
  if (!X_world_shape.p.allFinite()) return reject(where + ", place", "a number that is not finite", "a finite point");
  if (!(rotation_defect(X_world_shape.R) <= frame_tolerance))
    return reject(where + ", orientation", "a matrix that is not a rotation", "a right-handed frame of unit vectors");
  if (const Checked good = std::visit(CheckShape{where}, shape); !good) return std::unexpected(good.error());
  return Obstacle{std::move(name), std::move(shape), X_world_shape};
}

Gap gap(const LineSegment& line, const ObstacleShape& shape) { return std::visit(GapOf{line}, shape); }

Gap gap(const LineSegment& line, const Obstacle& obstacle) {
  const Frame& X = obstacle.X_world_shape;
  const Vec3 a = X.R.transpose() * (line.a - X.p), b = X.R.transpose() * (line.b - X.p);
  Gap out = gap(LineSegment{a, b}, obstacle.shape);
  out.normal = X.R * out.normal;
  out.on_line = line.at(out.t);
  out.on_shape = out.on_line - out.distance * out.normal;
  return out;
}

BoundingBox bounds_of(const Obstacle& obstacle) { return std::visit(BoundsOf{obstacle.X_world_shape}, obstacle.shape); }

}  // namespace limber
