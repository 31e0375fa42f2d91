// Static equilibrium: the gravity torque at every freedom, from the body's masses and its loads, and the holding torque
// that muscles (or motors) must provide.
//
// Let V(q) = g Σ m_k y_k be the potential energy of all masses and loads; y is up. The generalized gravity force is
//
// Q_i = -∂V/∂q_i        N m for a rotation, N for a translation
//
// computed for all freedoms in one sweep from the leaves to the root (kinematics/handle.h). A standing body also has
// ground reactions. With the reaction f_k at the point p_k of a foot, and J_k = ∂p_k/∂q, equilibrium means
//
//   h + Q + Σ J_kᵀ f_k = 0,   so   h = ∂V/∂q - Σ J_kᵀ f_k
//
// where h is the holding torque, positive if the muscles must pull towards larger q.
//
// The reactions are vertical. Their sum is the weight W, and their centre of pressure is the point c below the total
// centre of mass. One foot takes all of W at c. Two feet with centres a and b share it by the lever rule, in the ground
// plane:
//
//   λ = (c - a)·(b - a) / |b - a|²      f_b = λ W at b + d      f_a = (1 - λ) W at a + d      d = c - a - λ (b - a)
//
// so that the total force and moment on the body vanish, and with them h at a free root. Horizontal forces between the
// feet cannot be derived from the pose, and are taken as zero. If c is outside the support polygon the body would fall;
// the torques are then those with feet fixed to the ground, and `outside` is the distance of c from the polygon.
//
// Without feet the root carries everything: an arm on its base, a person on a seat with hanging legs.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

inline constexpr double standard_gravity = 9.80665;  // m/s², along -y

// A mass carried at a point of the figure.
struct Load {
  Handle handle;      // a shape that starts with a point
  double mass = 0.0;  // kg
};

struct StaticLoadOptions {
  std::vector<Load> loads = {};
  // One or two feet: segments, or sites or joints on them; each foot includes its subtree. Empty: the root carries.
  std::vector<std::string> feet = {};
  double gravity = standard_gravity;
};

// left_foot and right_foot if the figure has both and a free root; else none.
std::vector<std::string> usual_feet(const Figure& figure);

struct Reaction {
  std::string foot;
  int segment = 0;
  Vec3 at = Vec3::Zero();  // in the world
  double force = 0.0;      // N, upward
};

struct StaticLoad {
  double mass = 0.0;                // kg, including the loads
  Vec3 centre = Vec3::Zero();       // of all masses
  VecX gravity;                     // Q, by freedom
  VecX holding;                     // h, by freedom
  std::vector<Reaction> reactions;  // of the feet on the ground; a raised foot has none
  // Distance of c from the support polygon, in metres; 0 inside it or without feet.
  double outside = 0.0;
};

// Rejected: an unknown name, more than two feet, a load that is negative, not finite or not at a point. `pose` must be
// a pose of the figure.
Expected<StaticLoad> static_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options);

// V(q) with the same loads, in joules; zero at y = 0.
double potential_energy(const Figure& figure, const Pose& pose, const StaticLoadOptions& options);

}  // namespace limber
