// A region that certainly holds a point: part of a shell, cut out by a cone.
//
//   E = { c + r d :  r0 <= r <= r1,  ‖d‖ = 1,  angle(d, a) <= α }
//
// Where a point of a figure can be, seen from each segment in turn, from the handle towards the world: a joint turns
// the region about a point of its axis and widens the cone, a slide makes the shell thicker, and the way from one joint
// to the next moves the centre c. What of the region is lost to a cone or a shell only makes it larger, so that a point
// outside of E is out of reach for certain: a proof, and a cheap one.
//
// Moving the centre by v, with γ the angle between v and a, so that φ = angle(v, d) is in [γ - α, γ + α]:
//
//   r' ² = ‖v‖² + r² + 2 ‖v‖ r cos φ
//
// which for two links and a hinge is the law of cosines over the hinge's range, exact at both ends. The new cone is the
// narrowest of several that hold all of v + r d.
#pragma once

#include <vector>

#include "limber/base/vector.h"

namespace limber {

struct Enclosure {
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::UnitX();
  double least = 0.0, most = 0.0;  // r0, r1
  double angle = 0.0;              // α; a half turn or more: no cone

  // A single point.
  static Enclosure of_point(const Vec3& p) { return {.centre = p}; }

  bool is_point() const { return most == 0.0; }
  bool is_finite() const { return std::isfinite(most); }

  // The same region seen from elsewhere: x_new = X x.
  void place(const Frame& X);
  // A region about another centre that holds this one.
  void recentre(const Vec3& to);
  // All turns of the region about a unit axis through the origin, by angles from lower to upper.
  void turn(const Vec3& about, double lower, double upper);
  // All its shifts along a unit vector.
  void shift(const Vec3& along, double lower, double upper);

  // Whether x is in the region or no farther from it than `slack`, as far as shell and cone tell. A point of the region
  // always is.
  bool holds(const Vec3& x, double slack) const;
  // The most of e · x over the region, for a unit vector e.
  double support(const Vec3& e) const;
  double volume() const;
};

}  // namespace limber
