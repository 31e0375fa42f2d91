// A problem: constraints on one figure, solved as a group.                                  ZB94 sections 6, 8 to 11
//
// A constraint is a handle, a goal, a weight and the chain of joints that may move for it; or several handles with
// goals, one of which must be met (27). It can also be a pull towards a pose, a clearance from obstacles, or a limit on
// joint torques. The objective is G(θ) = Σ w_i ‖r_i‖² (25).
//
// Chains (section 10). A constraint's own chain is the set of parameters that move its handle, from the joint `from`
// on. The variables Θ are the union of all chains. Every parameter in Θ that moves a handle is used for it, whether or
// not it is in the handle's own chain (the paper's reconciliation), so the gradient of G is exact. A use count per
// parameter keeps Θ up to date when a constraint is added or removed.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "limber/assess/comfort.h"
#include "limber/assess/strength.h"
#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"
#include "limber/goal/goal.h"
#include "limber/obstacle/body.h"
#include "limber/obstacle/obstacle.h"

namespace limber {

// --- A clearance constraint: capsules around the segments of a figure, against obstacles and against each other.
//
//   gap_p(θ) >= margin   for every pair p of a capsule and an obstacle, or of two capsules
//
// where gap_p is the distance between the cores less the radii (obstacle/obstacle.h).

struct Clearance {
  std::vector<SegmentCapsule> capsules;
  std::vector<Obstacle> obstacles;
  std::vector<CapsulePair> pairs;  // of capsules that must not touch each other
  double margin = 0.0;             // in metres
};

// --- A strength limit: joint torques from gravity, the body's masses and its loads, against human strength (or that of
// motors).
//
//   |h_i(θ)| <= σ S_i(θ)   for every degree of freedom i with a strength in the direction of its torque
//
// with the holding torque h and the strength S of assess/strength.h. A joint on the end of its range needs no strength.
// It counts for all joints, also those that do not move, since what hangs on them does. The feet that stand on the
// ground at the start of the solve carry the figure with the places that touch it then: other constraints should keep
// them there.

struct StrengthLimit {
  StaticLoadOptions carried = {};  // loads, and the feet that carry the figure
  double share = 1.0;              // σ
  StrengthTable table = human_strength(Sex::male);
  StrengthOptions strength = {};
};

// --- A pull is a regulariser: it draws the parameters of a figure towards given values, with residuals in metres; a
// radian counts as much as in the goals (goal/residual.h). It moves only parameters in the chain of another constraint.

// r_j = √k_j (θ_j - t_j), by parameter.
struct PullByStiffness {
  VecX target;     // t
  VecX stiffness;  // k, 0 or more
};
// r = A (θ - t). Parameters that cannot move count too: parameters that A couples to them follow them.
struct PullByMatrix {
  VecX target;  // t, by parameter
  MatX root;    // A, one column per parameter
};
// r_j = √k_j d_j(θ_j): d_j is 0 where the joint is comfortable and 1 at its limit (assess/comfort.h).
struct PullToComfort {
  JointComfort comfort;
  VecX stiffness;  // k, by parameter, 0 or more
};
using PosePull = std::variant<PullByStiffness, PullByMatrix, PullToComfort>;

// Towards a pose, such as the rest pose or the previous frame. The root's degrees of freedom are not pulled.
PullByStiffness towards(const Figure& figure, const Pose& pose);
// Towards a pose, with k = 1 + stiffness: a stiff parameter moves less, as long as others can move instead.
PullByStiffness stiffly_towards(const Pose& pose, const VecX& stiffness);
// Towards the middle of the limits, relative to each range; parameters without two limits are not pulled.
PullByStiffness towards_middle(const Figure& figure);
// Towards comfort (assess/comfort.h), with the same stiffness for all joints; a comfortable joint is not pulled.
PullToComfort towards_comfort(const Figure& figure, JointComfort comfort);
PullToComfort towards_comfort(const Figure& figure);  // that of human_comfort()
// Towards the figure's usual poses (its prior): a standard deviation counts as much as this fraction of its length.
inline constexpr double metres_per_spread = 0.02;
PullByMatrix towards_usual(const Figure& figure);

// Whether the figure has a prior, or one of several figures has.
bool has_prior(const Figure& figure);

// The weight of a hard constraint: it must hold exactly.
inline constexpr double must = infinity;

// Levels of priority: hard constraints come first; then level 1, which is not disturbed by level 2, and so on.
inline constexpr int must_level = 0;
inline constexpr int first_level = 1;
inline constexpr int last_level = 16;

struct ConstraintOptions {
  double weight = 1.0;
  int priority = first_level;  // 1 to 16: a constraint of level 2 never disturbs one of level 1
  MatX weighting = {};         // EE09 (6): a symmetric positive definite W in rᵀ W r; empty: the identity
  std::string from = {};  // the first joint of the chain (a joint, segment or group); empty: all the way to the world
  std::string name = {};  // for the report; empty: the handle's name and the kind of goal
  bool soft = false;      // its weight is reduced until the others are met; it need not be met itself
};

struct Alternative {
  Handle handle;
  Goal goal;
};

// Alternative goals: only the nearest counts, the one with the minimum ‖r‖².                               ZB94 (27)
struct Goals {
  std::vector<Alternative> alternatives;  // at least one
};

enum class ConstraintId : int {};

struct Constraint {
  ConstraintId id = {};
  std::string name;
  std::variant<Goals, PosePull, Clearance, StrengthLimit> what;
  double weight = 1.0;
  int priority = first_level;
  MatX weighting_root;   // Lᵀ of W = L Lᵀ; empty for the identity
  int from = no_parent;  // joint, or no_parent for the whole path
  bool enabled = true;
  bool soft = false;
  std::vector<int> chain;  // parameters, ascending

  // Its goals; none for other kinds.
  std::span<const Alternative> alternatives() const {
    const Goals* goals = std::get_if<Goals>(&what);
    return goals ? std::span<const Alternative>(goals->alternatives) : std::span<const Alternative>();
  }
  // Null if it is of another kind.
  const PosePull* pull() const { return std::get_if<PosePull>(&what); }
  const Clearance* clearance() const { return std::get_if<Clearance>(&what); }
  const StrengthLimit* strength() const { return std::get_if<StrengthLimit>(&what); }

  // A constraint that is disabled or has weight 0 is ignored, and so is its chain.
  bool counts() const { return enabled && weight > 0.0; }
  // As a hard constraint, an inequality with multipliers of its own.
  bool is_inequality() const { return clearance() || strength(); }
  // An exact lock, kept as an equality.
  bool must_hold() const { return !std::isfinite(weight) && !is_inequality(); }
  int level() const { return must_hold() ? must_level : priority; }
};

class Problem {
 public:
  explicit Problem(Figure figure);

  // Adds a constraint. If it is rejected, solve() also returns the rejection: nothing is ignored silently.
  Expected<ConstraintId> add(const Expected<Handle>& handle, Goal goal, ConstraintOptions options = {});
  // One of several must be met.                                                                 ZB94 (27)
  Expected<ConstraintId> add_one_of(std::vector<std::pair<Expected<Handle>, Goal>> alternatives,
                                    ConstraintOptions options = {});

  // A regulariser. With a small weight the goals prevail; with a lower priority (a larger number) it acts only in their
  // null space. It cannot be a hard constraint, and has no chain of its own.
  Expected<ConstraintId> add_pull(PosePull pull, ConstraintOptions options = {});

  // Keeps the figure clear of obstacles and of itself. Like a pull, it moves only parameters in the chain of another
  // constraint. With the weight `must` the result is free of overlaps, or the report names those that remain.
  Expected<ConstraintId> add_clearance(Clearance clearance, ConstraintOptions options = {.weight = must});

  // Keeps joint torques within a share of the strength. It moves only parameters in the chain of another constraint, as
  // a pull does. With the weight `must` the answer can be held, or the report names the joints that are too weak.
  Expected<ConstraintId> add_strength(StrengthLimit limit, ConstraintOptions options = {.weight = must});

  // The figure's prior as soft constraints: a pull towards its usual poses, and its usual up direction. Rejected for a
  // figure without a prior.                                                               W93 7.2, ZB94 section 12
  Expected<void> add_prior(double weight = 1.0);

  Expected<void> set_goal(ConstraintId id, Goal goal);  // of a constraint with one alternative
  // The same; where it succeeds, `goal` is the goal before. Goals that own memory can so be set without an allocation.
  Expected<void> exchange_goal(ConstraintId id, Goal& goal);
  Expected<void> set_pull(ConstraintId id, const VecX& target);  // of a pull towards a pose
  Expected<void> set_obstacle(ConstraintId id, std::size_t obstacle, const Frame& X_world_shape);
  Expected<void> set_weight(ConstraintId id, double weight);
  Expected<void> set_enabled(ConstraintId id, bool enabled);
  Expected<void> remove(ConstraintId id);

  // θ_i = (1 - ρ_i) φ_i: 0 is free, 1 fixes the parameter.                                       ZB94 section 11
  Expected<void> set_rigidity(std::string_view parameter, double rigidity);

  const Figure& figure() const { return figure_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const Constraint* find(ConstraintId id) const;
  const std::vector<double>& rigidities() const { return rigidities_; }
  const std::vector<Diagnostic>& rejections() const { return rejections_; }
  // Clears the rejections.
  void clear_rejections() { rejections_.clear(); }

  // Θ: the parameters in the chain of some constraint that counts.
  std::vector<int> variables() const;
  // A constraint's chain after reconciliation: all of Θ that moves its handles.
  std::vector<int> reconciled_chain(ConstraintId id) const;

  // Increases whenever a workspace must be rebuilt; new values in a goal do not need that.
  int structure() const { return structure_; }

 private:
  // A checked constraint becomes part of the problem.
  ConstraintId admit(Constraint constraint);
  Expected<ConstraintId> rejected(Diagnostic diagnostic);
  bool belongs(const Handle& handle) const;
  Expected<void> add_upright(const Figure& figure, int begin, const std::string& prefix, double weight);
  Constraint* editable(ConstraintId id);
  template <class Change>
  void change(Constraint& constraint, Change&& how);
  void count_chain(const Constraint& constraint, int change);

  Figure figure_;
  std::vector<Constraint> constraints_;
  std::vector<double> rigidities_;  // by parameter
  std::vector<int> uses_;           // by parameter: how many chains it is in
  std::vector<Diagnostic> rejections_;
  int next_id_ = 0;
  int structure_ = 0;
};

// The parameters that move a handle, from the joint `from` on (no_parent: all of them), ascending.
std::vector<int> chain_of(const Figure& figure, const Handle& handle, int from);

}  // namespace limber
