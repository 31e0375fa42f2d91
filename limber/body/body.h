// A figure's flesh: solids around its bones, from the joint tree, the sites and the masses; no name is looked at.
//
// Read body/bone.h first: it says what is a limb, a hub, a disc and a head. A limb becomes a cone with round ends
// that meets its neighbour at √(r r'), a hub the hull of its ends, a row of discs one trunk, wider than deep if the
// figure has a left and a right, and a head an ellipsoid around its mass; a site that looks out of it gets eyes and a
// nose.
#pragma once

#include <vector>

#include "limber/body/ellipsoid.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber::body {

// Convex pieces that are painted as one, with one outline around them all.
struct Solid {
  std::vector<std::vector<Ellipsoid>> pieces;  // each the hull of its ellipsoids, which know their segments
  std::vector<int> segments;
  Vec3 from = Vec3::Zero();  // its axis in the world; from the root outward
  Vec3 to = Vec3::Zero();
  bool trunk = false;
  bool head = false;
  bool marker = false;  // says no more than where a segment is
  // Of a trunk with shoulders: their hull with the ribs between them. Painted as one, the pieces need none; a surface
  // shows where they pass through each other.
  std::vector<Ellipsoid> chest = {};
};

struct Eye {
  Vec3 at = Vec3::Zero();
  Vec3 outward = Vec3::UnitZ();
  double radius = 0.0;
  int segment = 0;
};

struct Body {
  std::vector<Solid> solids;
  std::vector<Eye> eyes;
};

// All that is not finite is left out.
Body make_body(const Figure& figure, const Kinematics& state);

}  // namespace limber::body
