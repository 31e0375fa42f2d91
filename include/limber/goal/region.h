// Goals that keep a point to a set, and aim: line, plane, half-space, distance, regions.     ZB94 (13) to (21), (27)
#pragma once

#include <vector>

#include "limber/base/vector.h"
#include "limber/goal/check.h"
#include "limber/goal/residual.h"

namespace limber {

// The ray from r along v must pass through p.                                                ZB94 (13), (14), (15)
// Convention where the paper is silent: at p = r every ray passes through p, so r = 0 and J = 0 there.
struct AimAt {
  Vec3 p = Vec3::Zero();
  double c = default_c;

  static constexpr const char* name = "aim-at";
  static constexpr bool aims = true;
  static constexpr Shape shape = Shape::ray;
  int rows(Shape) const { return 3; }
  // r(r, v) = c (n - v), n = (p - r) / ‖p - r‖;  ∂n/∂r = -(I - n nᵀ) / ‖p - r‖.
  void evaluate(const HandleValue& e, Residual& out) const {
    const Vec3 d = p - e[0];
    const double length = d.norm();
    if (length <= std::numeric_limits<double>::min()) {
      out.r.setZero();
      return;
    }
    const Vec3 n = d / length;
    out.r = c * (n - e[1]);
    out.block(0, 0) = (c / length) * (n * n.transpose() - Mat3::Identity());
    out.block(0, 1).diagonal().setConstant(-c);
  }
  GoalError error(const HandleValue& e) const {
    const Vec3 d = p - e[0];
    const double length = d.norm();
    return {{}, length <= std::numeric_limits<double>::min() ? 0.0 : angle_of_chord((d / length - e[1]).norm())};
  }
  void check(GoalCheck& is) const {
    is.finite(p, "point");
    is.at_least_zero(c, "c");
  }
};

// The point must lie on the line through p along the unit vector v.                          ZB94 (16), (17)
struct Line {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitX();

  static constexpr const char* name = "line";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 3; }
  Vec3 across(const Vec3& x) const { return (x - p) - v.dot(x - p) * v; }
  // r(x) = (I - v vᵀ)(x - p): the part of x - p across the line.
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r = across(x[0]);
    out.block(0, 0) = Mat3::Identity() - v * v.transpose();
  }
  GoalError error(const HandleValue& x) const { return {across(x[0]).norm(), {}}; }
  void check(GoalCheck& is) {
    is.finite(p, "point");
    is.unit(v, "direction");
  }
};

// The point must lie in the plane through p with the unit normal v.                          ZB94 (18), (19)
struct Plane {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  static constexpr const char* name = "plane";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = v · (x - p).
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r[0] = v.dot(x[0] - p);
    out.row(0, 0) = v.transpose();
  }
  GoalError error(const HandleValue& x) const { return {std::fabs(v.dot(x[0] - p)), {}}; }
  void check(GoalCheck& is) {
    is.finite(p, "point");
    is.unit(v, "normal");
  }
};

// The point must be on the side of the plane that v points to.                               ZB94 (20), (21)
struct HalfSpace {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  static constexpr const char* name = "half-space";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  double depth(const Vec3& x) const { return std::fmax(0.0, v.dot(p - x)); }
  // r(x) = max(0, v · (p - x)).
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r[0] = depth(x[0]);
    if (out.r[0] > 0.0) out.row(0, 0) = -v.transpose();
  }
  GoalError error(const HandleValue& x) const { return {depth(x[0]), {}}; }
  void check(GoalCheck& is) {
    is.finite(p, "point");
    is.unit(v, "normal");
  }
};

// The point must be at the distance d from p, at most as far, or at least as far: a stick, a rope, personal space.
// For the difference of two points and p = 0, that is the distance between the two.
// Convention at x = p, where every direction leads away: u is +Y.
struct Distance {
  enum class Bound { equal, at_most, at_least };
  Vec3 p = Vec3::Zero();
  double d = 1.0;
  Bound bound = Bound::equal;

  static constexpr const char* name = "distance";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // u = (x - p) / ‖x - p‖.
  Vec3 away(const Vec3& x) const {
    const double length = (x - p).norm();
    return length > std::numeric_limits<double>::min() ? Vec3((x - p) / length) : Vec3(Vec3::UnitY());
  }
  // ‖x - p‖ - d, max(0, ‖x - p‖ - d) or max(0, d - ‖x - p‖).
  double violation(const Vec3& x) const {
    const double excess = (x - p).norm() - d;
    return bound == Bound::equal ? excess : std::fmax(0.0, bound == Bound::at_most ? excess : -excess);
  }
  // r(x) = violation(x);  ∂‖x - p‖/∂x = uᵀ.
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r[0] = violation(x[0]);
    if (bound == Bound::equal || out.r[0] > 0.0)
      out.row(0, 0) = (bound == Bound::at_least ? -1.0 : 1.0) * away(x[0]).transpose();
  }
  GoalError error(const HandleValue& x) const { return {std::fabs(violation(x[0])), {}}; }
  void check(GoalCheck& is) const {
    is.finite(p, "point");
    is.at_least_zero(d, "distance");
  }
};

// One face of a convex polyhedron: a point on it and the unit normal that points out.
struct Face {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  double outside(const Vec3& x) const { return v.dot(x - p); }
};

// At least one face, with finite points and normals that are not zero.
void check(std::vector<Face>& faces, GoalCheck& is);
void check(const Capsule& capsule, GoalCheck& is);

// The point must be inside the convex polyhedron: one half-space per face.
struct InsidePolyhedron {
  std::vector<Face> faces;

  static constexpr const char* name = "inside polyhedron";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return static_cast<int>(faces.size()); }
  // r_i(x) = max(0, v_i · (x - p_i)).
  void evaluate(const HandleValue& x, Residual& out) const {
    for (int i = 0; i < static_cast<int>(faces.size()); ++i) {
      out.r[i] = std::fmax(0.0, faces[i].outside(x[0]));
      if (out.r[i] > 0.0) out.row(i, 0) = faces[i].v.transpose();
    }
  }
  // To the most violated face: at most the distance to the polyhedron, and zero where that is zero.
  GoalError error(const HandleValue& x) const {
    double depth = 0.0;
    for (const Face& face : faces) depth = std::fmax(depth, face.outside(x[0]));
    return {depth, {}};
  }
  void check(GoalCheck& is) { limber::check(faces, is); }
};

// The point must be outside the convex polyhedron: the disjunction of the outward half-spaces.   ZB94 (27)
// Convention where two faces tie: the lowest index.
struct OutsidePolyhedron {
  std::vector<Face> faces;

  static constexpr const char* name = "outside polyhedron";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // The face nearest to x, from inside.
  int nearest(const Vec3& x) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(faces.size()); ++i)
      if (faces[i].outside(x) > faces[best].outside(x)) best = i;
    return best;
  }
  // r(x) = min_i max(0, -v_i · (x - p_i)).
  void evaluate(const HandleValue& x, Residual& out) const {
    const Face& face = faces[nearest(x[0])];
    out.r[0] = std::fmax(0.0, -face.outside(x[0]));
    if (out.r[0] > 0.0) out.row(0, 0) = -face.v.transpose();
  }
  GoalError error(const HandleValue& x) const { return {std::fmax(0.0, -faces[nearest(x[0])].outside(x[0])), {}}; }
  void check(GoalCheck& is) { limber::check(faces, is); }
};

// The point must be inside the capsule.
struct InsideCapsule {
  Capsule capsule;

  static constexpr const char* name = "inside capsule";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = max(0, ‖d‖ - radius), d = capsule.away(x);  ∂‖d‖/∂x = dᵀ/‖d‖.
  void evaluate(const HandleValue& x, Residual& out) const {
    const Vec3 d = capsule.away(x[0]);
    const double length = d.norm();
    out.r[0] = std::fmax(0.0, length - capsule.radius);
    if (out.r[0] > 0.0) out.row(0, 0) = d.transpose() / length;
  }
  GoalError error(const HandleValue& x) const {
    return {std::fmax(0.0, capsule.away(x[0]).norm() - capsule.radius), {}};
  }
  void check(GoalCheck& is) const { limber::check(capsule, is); }
};

// The point must be outside the capsule.
// Convention on the axis itself, where no direction is nearest: out along +Y.
struct OutsideCapsule {
  Capsule capsule;

  static constexpr const char* name = "outside capsule";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = max(0, radius - ‖d‖).
  void evaluate(const HandleValue& x, Residual& out) const {
    const Vec3 d = capsule.away(x[0]);
    const double length = d.norm();
    out.r[0] = std::fmax(0.0, capsule.radius - length);
    if (out.r[0] <= 0.0) return;
    const Vec3 n = length > std::numeric_limits<double>::min() ? Vec3(d / length) : Vec3(Vec3::UnitY());
    out.row(0, 0) = -n.transpose();
  }
  GoalError error(const HandleValue& x) const {
    return {std::fmax(0.0, capsule.radius - capsule.away(x[0]).norm()), {}};
  }
  void check(GoalCheck& is) const { limber::check(capsule, is); }
};

}  // namespace limber
