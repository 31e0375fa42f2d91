// Restarts, if a strategy ends stuck with a constraint unmet.
//
// The result changes only for a clear gain, so that a figure whose goal is out of reach does not flicker between
// equally good poses. Two results are compared level by level, without soft constraints and multipliers. Observers see
// the best pose so far, and the final result is never worse than what they have seen.
#pragma once

#include "limber/solver/start.h"
#include "limber/solver/strategy/strategy.h"

namespace limber {

class Retry {
 public:
  void reserve(const Workspace& work);

  struct Plan {
    int max_tries = 0;
    Starts::Order order = Starts::Order::near_first;
    // After the sure ones, tries go on while these iterations and this work, in nanoseconds or so, are not used up;
    // where it is certain that not everything can be met, while one of so many is better.
    int sure_tries = max_tries;
    int max_iterations = 0;
    double max_work = 0.0;
    bool ends_when_slow = false;  // MethodOptions, of each try
  };
  // work.phi and `outcome` come from a first run; on return they are those of the best run, with the iterations and
  // evaluations of all. tries() is the number of restarts.
  void run(Strategy& strategy, Starts& starts, const Plan& plan, Workspace& work, const Options& options,
           const Observer& observer, Outcome& outcome);
  int tries() const { return tries_; }
  void clear() { tries_ = 0; }

 private:
  // A result, with the weights under which it was found.
  struct Answer {
    VecX phi;
    double soft_scale = 1.0;
    VecX forces;  // multipliers of clearances
    VecX levels;  // ‖r‖² level by level, without soft constraints and multipliers
  };
  void take(Workspace& work, Answer& out);
  Outcome run_once(Strategy& strategy, const Plan& plan, Workspace& work, const Options& options,
                   const Observer& observer, const Outcome& before, bool comparable);
  bool is_better() const;
  void keep_lower_levels();

  int tries_ = 0;
  Answer best_, trial_;
  std::vector<char> met_;  // by constraint, of the best one
  VecX zero_forces_;
};

}  // namespace limber
