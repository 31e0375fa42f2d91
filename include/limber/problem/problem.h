// A problem: constraints on one figure, solved as a group.                                      ZB94 sections 6, 8 to
// 11
//
// A constraint is a handle, a goal, a weight and the chain of joints that may serve it; or several handles with goals
// of which one must be met (27). The objective is G(θ) = Σ w_i ‖r_i‖² (25).
//
// Chains (section 10). A constraint's own chain are the parameters that move its handle, from the joint `from` on. The
// variables Θ are the union of all chains. A parameter in Θ that moves a handle counts for it, whether its own chain
// holds it or not: that is the reconciliation, and it leaves G with its true gradient. A use count a parameter keeps Θ
// up to date when a constraint comes or goes.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/assess/comfort.h"
#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/goal/goal.h"
#include "limber/problem/clearance.h"

namespace limber {

// The weight of a constraint that must hold exactly.
inline constexpr double must = infinity;

// Levels of priority: what must hold comes before all; then 1, which is not disturbed by 2, and so on.
inline constexpr int must_level = 0;
inline constexpr int first_level = 1;
inline constexpr int last_level = 16;

struct ConstraintOptions {
  double weight = 1.0;
  int priority = first_level;  // 1 to 16: a constraint of level 2 never disturbs one of level 1
  MatX weighting = {};         // EE09 (6): a symmetric positive definite W in rᵀ W r; empty: the identity
  std::string from = {};  // the first joint of the chain (a joint, segment or group); empty: all the way to the world
  std::string name = {};  // for the report; empty: the handle's name and the kind of goal
  bool soft = false;      // its weight falls until the others are met; it is not asked whether it is itself
};

struct Alternative {
  Handle handle;
  Goal goal;
};

// A regulariser: every parameter is pulled towards a value of its own, r_j = √k_j (θ_j - t_j), in metres; a radian
// counts as much as in the goals (goal/residual.h). It moves only what the chain of another constraint holds.
struct PosePull {
  VecX target = {};     // t, by parameter
  VecX stiffness = {};  // k, by parameter, 0 or more
  // In place of stiffness: r = A (θ - t), in metres, with a column a parameter. Parameters that do not move count too:
  // what goes together with them follows them.
  MatX root = {};
  // In place of θ_j - t_j: d_j(θ_j), by which a joint is out of comfort: 0 where it is comfortable, 1 at its limit.
  std::optional<JointComfort> comfort = {};
};
// Towards a pose: the rest, the frame before, one that was liked. Freedoms that carry a root are left alone.
PosePull towards(const Figure& figure, const Pose& pose);
// Towards a pose, every parameter by 1 and by what it is stiffer than the others: that moves less while they can serve.
PosePull stiffly_towards(const Pose& pose, const VecX& stiffness);
// Towards the middle of the limits, each parameter in parts of its range; those without two limits are left alone.
PosePull towards_middle(const Figure& figure);
// Towards comfort (assess/comfort.h), all joints alike; one that is comfortable is left alone.
PosePull towards_comfort(const Figure& figure, JointComfort comfort);
PosePull towards_comfort(const Figure& figure);  // that of human_comfort()
// Towards how the figure usually stands (its prior): a standard deviation counts as much as this part of its length.
inline constexpr double metres_a_spread = 0.02;
PosePull towards_usual(const Figure& figure);

enum class ConstraintId : int {};

struct Constraint {
  ConstraintId id = {};
  std::string name;
  std::vector<Alternative> alternatives;  // one, or several of which the nearest counts; none for a pull or a clearance
  std::optional<PosePull> pull;
  std::optional<Clearance> clearance;
  double weight = 1.0;
  int priority = first_level;
  MatX weighting_root;   // Lᵀ of W = L Lᵀ; empty for the identity
  int from = no_parent;  // joint, or no_parent for the whole way
  bool enabled = true;
  bool soft = false;
  std::vector<int> chain;  // parameters, ascending

  // A constraint that is off or weighs nothing has no part in the problem, nor has its chain.
  bool counts() const { return enabled && weight > 0.0; }
  // An exact lock. A clearance that is exact is none: it is an inequality, and has multipliers of its own.
  bool must_hold() const { return !std::isfinite(weight) && !clearance; }
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

  // A regulariser. With a small weight it gives way to the goals; with a priority above theirs' number it takes only
  // what they leave free. It cannot be one that must hold, and has no chain of its own.
  Expected<ConstraintId> add_pull(PosePull pull, ConstraintOptions options = {});

  // What the figure keeps clear of. It moves only what the chain of another constraint holds, as a pull does. With the
  // weight `must` the answer is free of overlaps, or the report names those that are left.
  Expected<ConstraintId> add_clearance(Clearance clearance, ConstraintOptions options = {.weight = must});

  // The figure's prior as regularisers that give way: a pull towards how it usually stands, and its usual direction up.
  // Rejected for a figure without one.                                                           W93 7.2, ZB94 section
  // 12
  Expected<void> add_prior(double weight = 1.0);

  Expected<void> set_goal(ConstraintId id, Goal goal);  // of a constraint with one alternative
  Expected<void> set_pull(ConstraintId id, const VecX& target);
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
  // Forget what was rejected, after the caller has seen it.
  void clear_rejections() { rejections_.clear(); }

  // Θ: the parameters that the chain of some constraint that counts holds.
  std::vector<int> variables() const;
  // A constraint's chain after reconciliation: all of Θ that moves its handles.
  std::vector<int> reconciled_chain(ConstraintId id) const;

  // Grows whenever something changes that a workspace must be rebuilt for; a new value in a goal does not.
  int structure() const { return structure_; }

 private:
  Expected<ConstraintId> rejected(Diagnostic diagnostic);
  bool belongs(const Handle& handle) const;
  Constraint* editable(ConstraintId id);
  template <class Change>
  void change(Constraint& constraint, Change&& how);
  void count_chain(const Constraint& constraint, int change);

  Figure figure_;
  std::vector<Constraint> constraints_;
  std::vector<double> rigidities_;  // by parameter
  std::vector<int> uses_;           // by parameter: chains that hold it
  std::vector<Diagnostic> rejections_;
  int next_id_ = 0;
  int structure_ = 0;
};

// The parameters that move a handle, from the joint `from` on (no_parent: all of them), ascending.
std::vector<int> chain_of(const Figure& figure, const Handle& handle, int from);

}  // namespace limber
