// An ellipsoid c + A b, ‖b‖ <= 1: the building block of bodies.
#pragma once

#include "limber/base/vector.h"

namespace limber::body {

struct Ellipsoid {
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Zero();  // half-axes as columns
  int segment = -1;          // of the figure that carries it; -1: none

  static Ellipsoid ball(const Vec3& centre, double radius, int segment = -1) {
    return {centre, radius * Mat3::Identity(), segment};
  }
  bool finite() const { return centre.allFinite() && axes.allFinite(); }
};

}  // namespace limber::body
