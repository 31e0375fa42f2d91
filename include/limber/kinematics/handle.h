// Handles computed: x(q), its exact Jacobian, and the transposed Jacobian as one sweep over the tree.
//
// The sweep. A goal hands back a cotangent c = ∂G/∂x for each element of its handle. A point x pulled by c is a
// force c at x; a direction v pulled by c is a torque v × c. Forces and torques (about the world's origin) add
// up from the leaves to the root, and a degree of freedom with axis u through r takes the part of those below it:
//
//   turn:  ∂G/∂q = u · (τ - r × f)         shift:  ∂G/∂q = u · f
//
// This is ZB94 (24) with (3), (4) for all goals at once, in O(n + m) instead of O(n m).
#pragma once

#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"

namespace limber {

// One element in the world. The centre of mass needs all segments placed.
Vec3 evaluate(const Figure& figure, const Kinematics& state, const Element& element);

// x has handle.count() elements.
void evaluate(const Figure& figure, const Kinematics& state, const Handle& handle, Vec3* x);

// J = ∂x/∂q, 3 handle.count() rows, one column per degree of freedom.
void jacobian(const Figure& figure, const Kinematics& state, const Handle& handle, MatX& J);

class Sweep {
 public:
  explicit Sweep(const Figure& figure);

  // Forgets all forces on the listed segments.
  void clear(const std::vector<int>& which);
  // The handle is pulled by the cotangents c, one per element.
  void pull(const Kinematics& state, const Handle& handle, const Vec3* c);
  // gradient_q of the listed segments' freedoms, in the order of `forward`; entries of others are left alone.
  void gradient(const Figure& figure, const Kinematics& state, const std::vector<int>& which, VecX& gradient_q);

 private:
  void pull(const Kinematics& state, const Element& element, const Vec3& c);

  std::vector<Vec3> force_;
  std::vector<Vec3> torque_;
  Vec3 on_mass_centre_ = Vec3::Zero();
  bool mass_centre_pulled_ = false;
};

}  // namespace limber
