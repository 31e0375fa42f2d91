// Joint torques against published strength, the joint that fails first, and the max load.
//
// A table has one row per freedom and direction. A row is the torque of the 5th, 50th and 95th percentile of people;
// between them the torque is linear in the normal deviate z(p),
//
//   S(p) = S_50 + (S_95 - S_50) z(p)/z(95)   above the median, with S_5 likewise below
//
// and may depend on the joint angle q, S(q) = S · max(0, cos(c (q - q0))) (Anderson et al. 2007, the angle factor of
// their equation 1), and may be relative to the person's weight times stature.
//
// The share used is |h| / S with the holding torque h (above) and the S of the direction in which the muscles
// must pull. A joint fails if its share exceeds 1. A joint pressed against the end of its range is held by bones and
// ligaments, like a straight knee in standing, and needs no muscle.
//
// Max load. Let m be the mass of a load at given points, and M the remaining mass. For a figure on its root h is affine
// in m. For one on its feet the points of the reactions also depend on m, but h(m) (M + m) is quadratic: λ W and d W
// are affine in m, and h contains (1 - λ) W d. So h(m) = ±S is a quadratic equation in either case.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/figure/human.h"

namespace limber {

// --- Static equilibrium: the gravity torque at every freedom, from the body's masses and its loads, and the holding
// torque that muscles (or motors) must provide.
//
// Let V(q) = g Σ m_k y_k be the potential energy of all masses and loads; y is up. The generalized gravity force is
//
// Q_i = -∂V/∂q_i        N m for a rotation, N for a translation
//
// computed for all freedoms in one sweep from the leaves to the root (kinematics/forward.h). A standing body also has
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

struct StrengthRow {
  std::string freedom;  // "elbow.flexion" for the left and the right one, or the full name
  int direction = 1;    // +1: towards larger angles, -1: towards smaller ones
  double percentile_5 = 0.0, percentile_50 = 0.0, percentile_95 = 0.0;  // N m, or relative to weight times stature
  bool of_size = false;
  double curve = 0.0;       // c, per radian; 0: the same at all angles
  double best_angle = 0.0;  // q0
  std::string source = {};
};

using StrengthTable = std::vector<StrengthRow>;

// Adults, for the freedoms of human() and simple_human(). doc/assess.md lists the rows and their reliability. Freedoms
// without a row have no known strength and are never the first to fail.
StrengthTable human_strength(Sex sex);

// A joint this close to the end of its range rests on it, radians.
inline constexpr double stop_tolerance = radians(0.5);

struct StrengthOptions {
  double percentile = 50.0;  // 5 to 95
  double stature = 0.0;      // metres; 0: the height of the figure at rest
  double weight = 0.0;       // N; 0: that of the figure
};

// Rejected: an empty name, a direction other than 1 or -1, strengths that are negative, not finite or not in order, a
// percentile outside 5 to 95, a negative stature or weight.
Expected<void> check_strength(const StrengthTable& table, const StrengthOptions& options);

// The load of one rotational freedom.
struct JointLoad {
  int freedom = 0;
  double angle = 0.0;          // q, radians
  double torque = 0.0;         // h, N m
  double strength = infinity;  // in the direction of the torque; infinity if the table has none
  double share = 0.0;
  int row = -1;          // of the table; -1: none
  bool at_stop = false;  // held by the end of its range; no strength needed
};

// All rotational freedoms except those of a free root, in the order of the figure.
Expected<std::vector<JointLoad>> joint_loads(const Figure& figure, const Pose& pose, const StaticLoad& load,
                                             const StrengthTable& table, const StrengthOptions& options = {});

// The joint with the max share, which fails first; null if no joint has a strength.
const JointLoad* first_to_give(const std::vector<JointLoad>& loads);

struct MaxLoad {
  double mass = infinity;  // kg, over all points; infinity if no joint ever fails, 0 if one fails without load
  int freedom = -1;        // that fails first
};

// The points `at` carry the load in equal parts, in addition to the loads of `options`.
Expected<MaxLoad> max_load(const Figure& figure, const Pose& pose, const StaticLoadOptions& options,
                           const std::vector<Handle>& at, const StrengthTable& table,
                           const StrengthOptions& strength = {});

}  // namespace limber
