// Other starts, where a strategy ends stuck with a constraint unmet.
//
// The answer changes only for a clear gain, so that a figure whose goal is out of reach does not flicker between poses
// that are equally good. Two answers are compared level by level, without soft constraints and multipliers. Observers
// see the best pose so far: what they have seen is never better than the answer.
#pragma once

#include "limber/solver/start.h"
#include "limber/solver/strategy/strategy.h"

namespace limber {

class Retry {
 public:
  void reserve(const Workspace& work);

  struct Plan {
    int max_tries;
    Starts::Order order;
  };
  // work.phi and `outcome` are those of a first run; on return they are those of the best one, with the iterations and
  // evaluations of all. The answer to how many starts were tried is tries().
  void run(Strategy& strategy, Starts& starts, const Plan& plan, Workspace& work, const Options& options,
           const Observer& observer, Outcome& outcome);
  int tries() const { return tries_; }
  void clear() { tries_ = 0; }

 private:
  // An answer, with the weights that it was found under.
  struct Answer {
    VecX phi;
    double soft_scale = 1.0;
    VecX forces;  // multipliers of clearances
    VecX levels;  // ‖r‖² level by level, without soft constraints and multipliers
  };
  void take(Workspace& work, Answer& out);
  Outcome run_once(Strategy& strategy, Workspace& work, const Options& options, const Observer& observer,
                   const Outcome& before, bool comparable);
  bool is_better() const;

  int tries_ = 0;
  Answer best_, trial_;
  VecX zero_forces_;
};

}  // namespace limber
