// A figure as a solver sees it: only the axes of its degrees of freedom, each the z axis of a frame of its own.
//
// All constant transforms between one axis and the next (the joint's frames in parent and child, fixed joints, the
// rotation into the axis) combine into one translation t and one rotation, and any rotation is Rz(ψ) Rx(α) Rz(φ).
// Rotating about z by φ is the same as adding φ to the joint angle, so only the translation and the tilt α remain
// between two axes (Denavit and Hartenberg 1955):
//
//   X_k = X_parent · shift(t_k) · [Rz(ψ_k)] · Rx(α_k) · Rz(q_k + φ_k)                  a turn
//   X_k = X_parent · shift(t_k) · [Rz(ψ_k)] · Rx(α_k) · shift(q_k z) · Rz(φ_k)         a slide
//
// ψ is 0 except for the second and later branches of a link. A tilt of 0 or 90 degrees costs nothing. Axis and point of
// the degree of freedom, u and r of kinematics/forward.h, are the z axis and the origin of X_k, at no extra cost. One
// pass costs about 40 flops per degree of freedom; kinematics/forward.h is the plain counterpart.
//
// The product with the transposed Jacobian is a backward pass (see kinematics/forward.h), with torques about the origin
// of each X_k.
#pragma once

#include <vector>

#include "limber/figure/figure.h"
#include "limber/kinematics/forward.h"
#include "limber/lanes/link.h"

namespace limber {

using Packed = Triple<double>;
using PackedFrame = TripleFrame<double>;
using Link = LinkOf<double>;

inline Packed packed(const Vec3& a) { return {a[0], a[1], a[2]}; }
inline Vec3 unpacked(const Packed& a) { return {a[0], a[1], a[2]}; }

// The placement of a segment on a link: X_link · in_link.
struct LinkPlacement {
  int link = -1;  // or -1 - b for the base b
  Frame in_link;
};

class Linkage {
 public:
  Linkage() = default;
  // Both by segment. `moves`: segments that move, with all their descendants; the others are bases. Of the moving
  // segments, only those in `needed`, with all their parents, get links. The frames of the links do not depend on
  // `needed`.
  Linkage(const Figure& figure, const std::vector<char>& moves, const std::vector<char>& needed);

  const std::vector<Link>& links() const { return links_; }
  const std::vector<int>& bases() const { return bases_; }  // segments; no_parent for the world
  // The placement of a segment: on a link if it moves, else on itself, as a base.
  LinkPlacement placement(int segment);

 private:
  int base_of(int segment);
  void take_spin(const Figure& figure, int segment, double cosine, double sine, LinkPlacement& at);
  void keep(const Figure& figure, const std::vector<char>& needed);

  std::vector<Link> links_;
  std::vector<int> bases_;
  std::vector<LinkPlacement> placements_;  // by segment
  std::vector<char> moves_;                // by segment
};

// A force and a torque about the origin of a frame.
struct Wrench {
  Packed force, torque;
};

struct LinkageState {
  std::vector<PackedFrame> bases;
  std::vector<PackedFrame> frames;                // X_k
  std::vector<double> q, angles, sines, cosines;  // by link
  std::vector<Wrench> wrenches;                   // on what X_k carries

  void resize(const Linkage& linkage);
  const PackedFrame& frame(int link) const { return link >= 0 ? frames[link] : bases[-1 - link]; }
};

// Sets the bases from the state of the figure.
void place_bases(const Linkage& linkage, const Kinematics& state, LinkageState& out);
// All links, for the joint angles q of the figure.
void forward(const Linkage& linkage, const VecX& q, LinkageState& state);

// The backward pass: clear all forces; apply forces at points or directions of links; collect ∂G/∂q.
void clear_forces(LinkageState& state);
inline void pull_point(int link, const Packed& x, const Packed& c, LinkageState& state) {
  if (link < 0) return;
  state.wrenches[link].force += c;
  state.wrenches[link].torque += cross(x - state.frames[link].p, c);
}
inline void pull_direction(int link, const Packed& v, const Packed& c, LinkageState& state) {
  if (link < 0) return;
  state.wrenches[link].torque += cross(v, c);
}
void collect(const Linkage& linkage, LinkageState& state, VecX& gradient_q);

}  // namespace limber
