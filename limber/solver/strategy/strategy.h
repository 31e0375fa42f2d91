// How one kind of problem is solved from one start: a strategy runs a method, once or several times. Restarts are the
// same for all strategies (retry.h).
#pragma once

#include "limber/solver/workspace.h"

namespace limber {

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual void reserve(const Workspace&) {}

  // Called before the first run of a solve, at work.start. May move work.phi to a better start.
  virtual void begin(Workspace& work, const Options& options) = 0;

  // Minimises from work.phi, which must be feasible, within the iterations and the tolerance of `own`.
  virtual Outcome run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) = 0;

  // Before a run from another start: moves work.phi nearer to where the run will end, for less than it would take.
  virtual Outcome approach(Workspace&, const Options&, const MethodOptions&, const Observer&) { return {}; }

  // f at work.phi, without the penalties that runs add.
  virtual double objective(Workspace& work, const Options& options) = 0;

  // Called after the last run: ensures that work.phi is not worse than work.start.
  virtual void finish(Workspace&, const Options&, Outcome&) {}

  // Whether all runs minimise the same function, so that no run increases it and the values of two runs can be
  // compared.
  virtual bool minimizes_one_function() const { return true; }

  // Of an iteration, in nanoseconds or so, by the size of the problem; and whether one run of several may end as soon
  // as it is slow (MethodOptions). Then the best of them is run to the end.
  virtual double work_per_iteration(const Workspace& work) const {
    const double rows = work.assembly->residuals(), kept = work.assembly->level_ends().front(),
                 variables = work.assembly->variables();
    return 3000.0 + variables * (0.15 * rows * std::fmin(rows, variables) + 0.9 * kept * kept);
  }
  virtual bool may_end_when_slow(const Options&) const { return false; }

  // Whether it is certain, after a run, that no pose meets all constraints.
  virtual bool is_out_of_reach(Workspace&, const Options&) const { return false; }

  // Whether a run may end as soon as all constraints are met.
  virtual bool may_end_when_met() const { return true; }
};

}  // namespace limber
