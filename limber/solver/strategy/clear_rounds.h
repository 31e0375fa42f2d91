// Inequalities that must hold, by any method that takes goals: rounds of an augmented Lagrangian.
//
// For a pair p of a clearance let e_p = margin - gap_p, for a joint of a strength limit the torque beyond what is
// permitted, as a length (problem/strength_rows.h). The program
//
//   min f(φ)   under   e_p(φ) <= 0 for all p,   and the limits
//
// is solved by rounds. Each minimises, under the limits,
//
//   f(φ) + Σ_p ω max(0, e_p(φ) + λ_p / ω)²,   then   λ_p ← max(0, λ_p + ω e_p),
//
// until no λ_p / ω changes by more than 1e-5 of the figure's length. Then every active e_p is as small, and λ are the
// contact forces (Hestenes 1969, Powell 1969; for inequalities Rockafellar 1973). ω is small in the first round, so
// that a limb that starts inside an obstacle moves out while its goals still count; it is larger in all others, where
// each round divides the remaining error by a large factor. The assembly has the rows and multipliers; the list of near
// pairs is updated at every evaluation, not once per round.
//
// If the pose still overlaps after the last round, the last, reserved iterations resolve the overlaps: without
// multipliers, at an ω that outweighs everything else.
#pragma once

#include "limber/solver/strategy/strategy.h"

namespace limber {

class ClearRounds : public Strategy {
 public:
  void reserve(const Workspace& work) override { work.assembly->zero_multipliers(forces_); }
  // No damping is resumed: the first round has another ω than the last.
  void begin(Workspace& work, const Options&) override { work.methods.resume_from(nullptr); }
  // A run that takes too long ends as Exit::stalled if iterations of `own` remain: another start may be better.
  Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) override;
  // Σ w r² over the weighted constraints, without multipliers and hard constraints.
  double objective(Workspace& work, const Options& options) override;
  void finish(Workspace& work, const Options& options, Outcome& outcome) override;
  bool minimizes_one_function() const override { return false; }

 private:
  VecX forces_;  // multipliers of a round
};

}  // namespace limber
