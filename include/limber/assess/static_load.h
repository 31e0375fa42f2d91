// What it takes to keep still: the torques of gravity at every freedom, from the body's own masses and from loads that
// hang on it, and the torques that its muscles (or motors) must give.
//
// Let V(q) = g Σ m_k y_k be the potential energy over all masses and loads; y is up. Gravity's part in a freedom is
//
//   Q_i = -∂V/∂q_i        N m for a turn, N for a shift
//
// and comes for all freedoms from one sweep from the leaves to the root (kinematics/handle.h). A body that stands is
// also pushed by the ground. With the reaction f_k at the point p_k of a foot, and J_k = ∂p_k/∂q, rest means
//
//   h + Q + Σ J_kᵀ f_k = 0,   so   h = ∂V/∂q - Σ J_kᵀ f_k
//
// where h is what is asked for, the holding torque: positive where the muscles must pull towards larger q.
//
// The reactions are vertical. Their sum is the weight W, and they meet in the point c below the common centre of mass.
// One foot takes all of it at c. Two feet with the middles a and b share it by the lever rule, seen from above:
//
//   λ = (c - a)·(b - a) / |b - a|²      f_b = λ W at b + d      f_a = (1 - λ) W at a + d      d = c - a - λ (b - a)
//
// so that forces and moments on the whole body vanish, and with them h at the freedoms of a free root. What the feet
// push sideways against each other is not known from the pose, and is taken as zero. Where c is not over the feet the
// body would fall; the torques are then those of one whose feet are glued down, and `outside` says how far it is.
//
// Without feet the root carries all: an arm on its stand, a body on a seat with its legs hanging.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

inline constexpr double standard_gravity = 9.80665;  // m/s², along -y

// What hangs at a point of the figure.
struct Load {
  Handle handle;      // a point, or what begins with one
  double mass = 0.0;  // kg
};

struct StaticLoadOptions {
  std::vector<Load> loads = {};
  // One or two feet: segments, or sites or joints on them; all from there on stands on the ground. Empty: the root
  // carries.
  std::vector<std::string> feet = {};
  double gravity = standard_gravity;
};

// left_foot and right_foot where the figure has them and moves freely in the world; else none.
std::vector<std::string> usual_feet(const Figure& figure);

struct Reaction {
  std::string foot;
  int segment = 0;
  Vec3 at = Vec3::Zero();  // in the world
  double force = 0.0;      // N, upward
};

struct StaticLoad {
  double mass = 0.0;                // kg, with the loads
  Vec3 centre = Vec3::Zero();       // of all masses
  VecX gravity;                     // Q, by freedom
  VecX holding;                     // h, by freedom
  std::vector<Reaction> reactions;  // of the feet on the ground; a raised foot has none
  // How far c is from the places on the ground, seen from above, in metres; 0 over them. Without feet 0.
  double outside = 0.0;
};

// A foot stands on the ground where its lowest place is no higher than 3 % of the figure's length above the other's; so
// do its places.
//
// Rejected: a name that is not known, more than two feet, a load that is negative or not finite or hangs on no point.
// `pose` must be one of the figure's.
Expected<StaticLoad> static_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options);

// V(q) of the same, in joules, zero where all is at y = 0.
double potential_energy(const Figure& figure, const Pose& pose, const StaticLoadOptions& options);

}  // namespace limber
