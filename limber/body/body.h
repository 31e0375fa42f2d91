// A figure's flesh: solids around its bones, from the joint tree, sites and masses; names are not used.
//
// Read body/bone.h first: it defines limb, hub, disc and head. A limb becomes a cone with round ends that meets its
// neighbour at radius √(r r'), a hub the hull of its ends, a row of discs one trunk, wider than deep if the figure has
// a left and a right, and a head an ellipsoid around its mass. A forward-facing site on a head gets eyes and a nose.
#pragma once

#include <vector>

#include "limber/body/ellipsoid.h"
#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber::body {

// Convex pieces that are painted together, with one common outline.
struct Solid {
  std::vector<std::vector<Ellipsoid>> pieces;  // each is the hull of its ellipsoids
  std::vector<int> segments;
  Vec3 from = Vec3::Zero();  // its axis in the world; from the root outward
  Vec3 to = Vec3::Zero();
  bool trunk = false;
  bool head = false;
  bool marker = false;  // only shows the position of a segment
  // For a trunk with shoulders: the hull of shoulders and ribs. Only meshes need it, because overlapping pieces show in
  // a mesh but not in a painted outline.
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

// Solids that are not finite are omitted.
Body make_body(const Figure& figure, const Kinematics& state);

}  // namespace limber::body
