// A problem: constraints on one figure, solved as a group.                                  ZB94 sections 6, 8 to 11
//
// A constraint is a handle, a goal, a weight and the chain of joints that may serve it; or several handles with goals
// of which one must be met (27). It can also be a pull towards a pose, or a clearance from obstacles. The objective is
// G(θ) = Σ w_i ‖r_i‖² (25).
//
// Chains (section 10). A constraint's own chain is the set of parameters that move its handle, from the joint `from`
// on. The variables Θ are the union of all chains. A parameter in Θ that moves a handle counts for it, whether it is in
// the handle's own chain or not: that is the reconciliation, and it leaves G with its true gradient. A use count per
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
  std::vector<CapsulePair> pairs;  // of capsules that keep clear of each other
  double margin = 0.0;             // in metres
};

// --- A regulariser: it pulls the parameters of a figure towards values of their own, with residuals in metres; a
// radian counts as much as in the goals (goal/residual.h). It moves only parameters in the chain of another constraint.

// r_j = √k_j (θ_j - t_j), by parameter.
struct PullByStiffness {
  VecX target;     // t
  VecX stiffness;  // k, 0 or more
};
// r = A (θ - t). Parameters that do not move count too: those that A couples to them follow them.
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

// Towards a pose: the rest, the previous frame, one that was liked. Degrees of freedom that carry a root are not
// pulled.
PullByStiffness towards(const Figure& figure, const Pose& pose);
// Towards a pose, every parameter with 1 plus its own stiffness: a stiff one moves less while the others can serve.
PullByStiffness stiffly_towards(const Pose& pose, const VecX& stiffness);
// Towards the middle of the limits, each parameter in parts of its range; those without two limits are not pulled.
PullByStiffness towards_middle(const Figure& figure);
// Towards comfort (assess/comfort.h), all joints alike; a comfortable one is not pulled.
PullToComfort towards_comfort(const Figure& figure, JointComfort comfort);
PullToComfort towards_comfort(const Figure& figure);  // that of human_comfort()
// Towards how the figure usually stands (its prior): a standard deviation counts as much as this part of its length.
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
  bool soft = false;      // its weight decreases until the others are met; it need not be met itself
};

struct Alternative {
  Handle handle;
  Goal goal;
};

// Goals of which the nearest counts: the one with the smallest ‖r‖².                                       ZB94 (27)
struct Goals {
  std::vector<Alternative> alternatives;  // at least one
};

enum class ConstraintId : int {};

struct Constraint {
  ConstraintId id = {};
  std::string name;
  std::variant<Goals, PosePull, Clearance> what;
  double weight = 1.0;
  int priority = first_level;
  MatX weighting_root;   // Lᵀ of W = L Lᵀ; empty for the identity
  int from = no_parent;  // joint, or no_parent for the whole way
  bool enabled = true;
  bool soft = false;
  std::vector<int> chain;  // parameters, ascending

  // Its goals; none for a pull or a clearance.
  std::span<const Alternative> alternatives() const {
    const Goals* goals = std::get_if<Goals>(&what);
    return goals ? std::span<const Alternative>(goals->alternatives) : std::span<const Alternative>();
  }
  // Null where it is of another kind.
  const PosePull* pull() const { return std::get_if<PosePull>(&what); }
  const Clearance* clearance() const { return std::get_if<Clearance>(&what); }

  // A constraint that is disabled or has no weight has no part in the problem, nor has its chain.
  bool counts() const { return enabled && weight > 0.0; }
  // An exact lock, kept as an equality. An exact clearance is no lock: it is an inequality with multipliers of its own.
  bool must_hold() const { return !std::isfinite(weight) && !clearance(); }
  int level() const { return must_hold() ? must_level : priority; }
};

class Problem {
 public:
  explicit Problem(Figure figure);

  // Adds a constraint. A rejected one is also remembered, and solve() answers with it: nothing is ignored in silence.
  Expected<ConstraintId> add(const Expected<Handle>& handle, Goal goal, ConstraintOptions options = {});
  // One of several must be met.                                                                 ZB94 (27)
  Expected<ConstraintId> add_one_of(std::vector<std::pair<Expected<Handle>, Goal>> alternatives,
                                    ConstraintOptions options = {});

  // A regulariser. With a small weight the goals prevail; with a lower priority (a larger number) it uses only the
  // degrees of freedom that they leave. It cannot be a hard constraint, and has no chain of its own.
  Expected<ConstraintId> add_pull(PosePull pull, ConstraintOptions options = {});

  // Keeps the figure clear of obstacles and of itself. It moves only parameters in the chain of another constraint, as
  // a pull does. With the weight `must` the answer is free of overlaps, or the report names those that remain.
  Expected<ConstraintId> add_clearance(Clearance clearance, ConstraintOptions options = {.weight = must});

  // The figure's prior as soft constraints: a pull towards how it usually stands, and its usual direction up. Rejected
  // for a figure without one.                                                               W93 7.2, ZB94 section 12
  Expected<void> add_prior(double weight = 1.0);

  Expected<void> set_goal(ConstraintId id, Goal goal);           // of a constraint with one alternative
  Expected<void> set_pull(ConstraintId id, const VecX& target);  // of a pull towards a pose
  Expected<void> set_obstacle(ConstraintId id, std::size_t obstacle, const Frame& X_world_shape);
  Expected<void> set_weight(ConstraintId id, double weight);
  Expected<void> set_enabled(ConstraintId id, bool enabled);
  Expected<void> remove(ConstraintId id);

  // θ_i = (1 - ρ_i) φ_i: 0 is free, 1 takes the parameter out.                                   ZB94 section 11
  Expected<void> set_rigidity(std::string_view parameter, double rigidity);

  const Figure& figure() const { return figure_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const Constraint* find(ConstraintId id) const;
  const std::vector<double>& rigidities() const { return rigidities_; }
  const std::vector<Diagnostic>& rejections() const { return rejections_; }
  // Forgets the rejections, after the caller has seen them.
  void clear_rejections() { rejections_.clear(); }

  // Θ: the parameters in the chain of some constraint that counts.
  std::vector<int> variables() const;
  // A constraint's chain after reconciliation: all of Θ that moves its handles.
  std::vector<int> reconciled_chain(ConstraintId id) const;

  // Increases whenever a workspace must be rebuilt; a new value in a goal does not need that.
  int structure() const { return structure_; }

 private:
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
