// Forward kinematics: where every segment is, and the axis of every degree of freedom.   ZB94 section 4.2
//
// For degree of freedom i the state keeps the world axis u_i and a world point r_i on it, so that
//
//   turn:   ∂x/∂q_i = u_i × (x - r_i),  ∂v/∂q_i = u_i × v         ZB94 (3), (4)
//   shift:  ∂x/∂q_i = u_i,              ∂v/∂q_i = 0
//
// for a point x and a direction v below it. Cost: one pass over the segments, about 100 flops per degree of freedom.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

struct Kinematics {
  explicit Kinematics(const Figure& figure);

  std::vector<Frame> segments;  // X_world_segment
  std::vector<Vec3> axes;       // u_i, by freedom
  std::vector<Vec3> points;     // r_i, by freedom
  VecX sines, cosines;          // of q, by freedom
};

// All segments, for the joint angles q.
void forward(const Figure& figure, const VecX& q, Kinematics& state);

// Only the segments listed, in ascending order; the parent of every listed segment must be listed too.
void forward(const Figure& figure, const VecX& q, const std::vector<int>& which, Kinematics& state);

// Convenience: the state of a pose.
Kinematics forward(const Figure& figure, const Pose& pose);

// Of one of several figures, within the state of the whole; in the world of the whole.
Kinematics state_of(const FigurePart& part, const Kinematics& whole);

// --- Handles computed: x(q), its exact Jacobian, and the transposed Jacobian as one sweep over the tree.
//
// The sweep. A goal gives the gradient c = ∂G/∂x for each element of its handle. For a point x, c is a force at x; for
// a direction v, it is a torque v × c. Forces f and torques τ (about the world's origin) are summed from the leaves to
// the root. For a degree of freedom with axis u through r, with the sums over everything below it:
//
//   turn:  ∂G/∂q = u · (τ - r × f)         shift:  ∂G/∂q = u · f
//
// This is ZB94 (24) with (3), (4) for all goals at once, in O(n + m) instead of O(n m) for n joints and m goals.

// One element in the world. For the centre of mass, `state` must contain all segments.
Vec3 evaluate(const Figure& figure, const Kinematics& state, const Element& element);

// x has handle.count() elements.
void evaluate(const Figure& figure, const Kinematics& state, const Handle& handle, Vec3* x);

// J = ∂x/∂q, 3 handle.count() rows, one column per degree of freedom.
void jacobian(const Figure& figure, const Kinematics& state, const Handle& handle, MatX& J);

class Sweep {
 public:
  explicit Sweep(const Figure& figure);

  // Clears the forces on the listed segments.
  void clear(const std::vector<int>& which);
  // Adds the gradients c, one per element of the handle, as forces.
  void pull(const Kinematics& state, const Handle& handle, const Vec3* c);
  // gradient_q of the listed segments' freedoms, in the order of `forward`; other entries are not changed.
  void gradient(const Figure& figure, const Kinematics& state, const std::vector<int>& which, VecX& gradient_q);

 private:
  void pull(const Kinematics& state, const Element& element, const Vec3& c);

  std::vector<Vec3> force_;
  std::vector<Vec3> torque_;
  std::vector<std::pair<Element, Vec3>> on_mass_centres_;
};

// --- Re-rooting: a figure with another segment as its root. W93 2.1.2, ZB94 4.1

// The same figure with another root: in the given pose every segment is where it was, and every joint keeps its
// degrees of freedom, names, limits and values. The joints on the way are reversed:
//   (D_1(q_1) … D_k(q_k))⁻¹ = D_k(-q_k) … D_1(-q_1),  and turning by -q about u is turning by q about -u.
// The new root is free if the old one had degrees of freedom, else fixed. Mirror pairs are dropped.
Expected<FigureDescription> rerooted(const Figure& figure, std::string_view segment, const Pose& pose);

// The figure with another segment as its permanent root: `place` names the segment, or a site or joint on it. The joint
// that moves the whole figure in the world is removed. The new root has the six degrees of freedom of free_root(), all
// 0 where the segment is at rest; all other joints are as in rerooted(). Segments above the old root joint stay fixed
// in the world. Returns the same figure if the segment is already its root. Rejected: an unknown name, a segment that
// is fixed in the world, and a figure that does not move freely in the world: its base would come loose, or limits
// would be lost.
Expected<Figure> hung_from(const Figure& figure, std::string_view place);
// The pose of `to`, made by hung_from(), in which every segment is where it is on `from`. Of the equivalent angles of
// the new root, those closest to `near`.
Pose placed_as(const Figure& from, const Pose& pose, const Figure& to, const Pose& near);
inline Pose placed_as(const Figure& from, const Pose& pose, const Figure& to) {
  return placed_as(from, pose, to, to.rest());
}

// Transfers a pose from `from` to `to` (made by rerooted()): parameters that both have get the same values, by name.
Pose carried_over(const Figure& from, const Pose& pose, const Figure& to);

}  // namespace limber
