// The loop that all iterative methods share: it limits the iterations, tests the tolerance, calls the observer, stores
// the best point and sets the exit.
//
//   Loop loop(options, observer);
//   loop.start(f, is_finite, x);
//   while (loop.next(kkt)) {      // ends: not finite, converged, iterations used up, stopped or cancelled
//     ...                         // a trial point; loop.stop(Exit::stalled) where there is none
//     loop.keep(f, x);
//     loop.observe(f, x);         // counts the iteration; the observer may cancel
//   }
//   return loop.finish(x);
//
// Nothing here allocates.
#pragma once

#include "limber/program/method.h"

namespace limber {

class Loop {
 public:
  // Both must outlive the loop, and so must `best`, which stores the best point of a method whose iterates may get
  // worse. Without it, the current point is taken as the best one.
  Loop(const MethodOptions& options, const Observer& observer, VecX* best = nullptr)
      : options_(options), observer_(observer), best_(best) {}

  const MethodOptions& options() const { return options_; }
  const Outcome& outcome() const { return outcome_; }
  double value() const { return outcome_.value; }  // of the best point
  int iterations() const { return outcome_.iterations; }
  int iterations_without_decrease() const { return idle_; }

  // The first point. A value or derivative that is not finite there ends the loop.
  void start(double value, bool is_finite, const VecX& x) {
    outcome_.value = value;
    if (best_) *best_ = x;
    if (!is_finite) stop(Exit::not_finite);
  }

  bool runs() const { return runs_; }
  void stop(Exit exit) {
    outcome_.exit = exit;
    runs_ = false;
  }
  // Continues after a stop, with the remaining iterations: for the next of several stages.
  void resume() { runs_ = true; }

  // Whether there is another iteration.
  bool next() {
    if (runs_ && outcome_.iterations >= options_.iterations) stop(Exit::iteration_limit);
    return runs_;
  }
  // The same, after testing the Kuhn-Tucker residual against the tolerance.
  bool next(double residual) {
    if (runs_ && residual <= options_.tolerance) stop(Exit::converged);
    return next();
  }

  void count_evaluation() { ++outcome_.evaluations; }

  // x is the best point so far.
  void keep(double value, const VecX& x) {
    idle_ = value < outcome_.value ? 0 : idle_ + 1;
    outcome_.value = value;
    if (best_) *best_ = x;
  }

  // Call at the end of an iteration, at x. Where the best point is stored, that one is shown.
  void observe(double value, const VecX& x) {
    ++outcome_.iterations;
    if (observer_ && !observer_(outcome_.iterations, best_ ? outcome_.value : value, best_ ? *best_ : x))
      stop(Exit::cancelled);
  }

  // x is the best point on return.
  const Outcome& finish(VecX& x) const {
    if (best_) x = *best_;
    return outcome_;
  }

 private:
  const MethodOptions& options_;
  const Observer& observer_;
  VecX* best_;
  Outcome outcome_;
  bool runs_ = true;
  int idle_ = 0;
};

}  // namespace limber
