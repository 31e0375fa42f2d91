// A region guaranteed to contain a point: the part of a spherical shell inside a cone.
//
//   E = { c + r d :  r0 <= r <= r1,  ‖d‖ = 1,  angle(d, a) <= α }
//
// It bounds a point of a figure in the frame of each segment in turn, from the handle towards the world: a hinge
// rotates the region about a point of its axis and widens the cone, a slider thickens the shell, and the offset from
// one joint to the next moves the centre c. Every step only enlarges the region, so a point outside of E is out of
// reach: a cheap proof.
//
// Moving the centre by v, with γ the angle between v and a, so that φ = angle(v, d) is in [γ - α, γ + α]:
//
//   r' ² = ‖v‖² + r² + 2 ‖v‖ r cos φ
//
// which for two links and a hinge is the law of cosines over the hinge's range, exact at both ends. The new cone is the
// narrowest of several that contain all v + r d.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

struct Enclosure {
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::UnitX();
  double min_radius = 0.0, max_radius = 0.0;  // r0, r1
  double angle = 0.0;                         // α; π or more: no cone

  // A single point.
  static Enclosure of_point(const Vec3& p) { return {.centre = p}; }

  bool is_point() const { return max_radius == 0.0; }
  bool is_finite() const { return std::isfinite(max_radius); }

  // The same region in another frame: x_new = X x.
  void place(const Frame& X);
  // An enclosing region with another centre.
  void recentre(const Vec3& to);
  // All rotations of the region about a unit axis through the origin, by angles from lower to upper.
  void turn(const Vec3& about, double lower, double upper);
  // All its translations along a unit vector.
  void shift(const Vec3& along, double lower, double upper);

  // Whether x is in the region or within `slack` of it, up to the approximation by shell and cone. Always true for
  // points of the region.
  bool contains(const Vec3& x, double slack) const;
  // The maximum of e · x over the region, for a unit vector e.
  double support(const Vec3& e) const;
  double volume() const;
};

}  // namespace limber
