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
  void evaluate(const HandleValue& e, Residual& out) const;
  GoalError error(const HandleValue& e) const;
  void check(GoalCheck& is) const;
};

// The point must lie on the line through p along the unit vector v.                          ZB94 (16), (17)
struct Line {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitX();

  static constexpr const char* name = "line";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 3; }
  Vec3 across(const Vec3& x) const;
  // r(x) = (I - v vᵀ)(x - p): the part of x - p across the line.
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is);
};

// The point must lie in the plane through p with the unit normal v.                          ZB94 (18), (19)
struct Plane {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  static constexpr const char* name = "plane";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = v · (x - p).
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is);
};

// The point must be on the side of the plane that v points to.                               ZB94 (20), (21)
struct HalfSpace {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  static constexpr const char* name = "half-space";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  double depth(const Vec3& x) const;
  // r(x) = max(0, v · (p - x)).
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is);
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
  Vec3 away(const Vec3& x) const;
  // ‖x - p‖ - d, max(0, ‖x - p‖ - d) or max(0, d - ‖x - p‖).
  double violation(const Vec3& x) const;
  // r(x) = violation(x);  ∂‖x - p‖/∂x = uᵀ.
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is) const;
};

// One face of a convex polyhedron: a point on it and the unit normal that points out.
struct Face {
  Vec3 p = Vec3::Zero();
  Vec3 v = Vec3::UnitY();

  double outside(const Vec3& x) const;
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
  void evaluate(const HandleValue& x, Residual& out) const;
  // To the most violated face: at most the distance to the polyhedron, and zero where that is zero.
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is);
};

// The point must be outside the convex polyhedron: the disjunction of the outward half-spaces.   ZB94 (27)
// Convention where two faces tie: the lowest index.
struct OutsidePolyhedron {
  std::vector<Face> faces;

  static constexpr const char* name = "outside polyhedron";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // The face nearest to x, from inside.
  int nearest(const Vec3& x) const;
  // r(x) = min_i max(0, -v_i · (x - p_i)).
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is);
};

// The point must be inside the capsule.
struct InsideCapsule {
  Capsule capsule;

  static constexpr const char* name = "inside capsule";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = max(0, ‖d‖ - radius), d = capsule.away(x);  ∂‖d‖/∂x = dᵀ/‖d‖.
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is) const;
};

// The point must be outside the capsule.
// Convention on the axis itself, where no direction is nearest: out along +Y.
struct OutsideCapsule {
  Capsule capsule;

  static constexpr const char* name = "outside capsule";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 1; }
  // r(x) = max(0, radius - ‖d‖).
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  void check(GoalCheck& is) const;
};

}  // namespace limber
