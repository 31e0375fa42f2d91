// Several runs of methods that form one solve: a rough and a final run, rounds of multipliers, decreasing weights. The
// caller sees one sequence of iterations and gets one outcome.
#pragma once

#include <cmath>

#include "limber/program/method.h"

namespace limber {

class RunSequence {
 public:
  enum class Values {
    as_given,        // the runs minimise different functions
    non_increasing,  // they minimise the same function, but sum it in different orders: the next run may start a
                     // rounding error above the value at which the last one ended
  };

  // The observer must outlive the sequence. `before` is the outcome of what already ran.
  RunSequence(const Observer& observer, Values values, const Outcome& before = {})
      : observer_(observer), values_(values), min_value_(before.iterations > 0 ? before.value : infinity) {
    outcome_ = before;
    if (observer)
      numbered_ = [this](int iteration, double value, const VecX& x) {
        if (values_ == Values::non_increasing) value = min_value_ = std::fmin(min_value_, value);
        return observer_(outcome_.iterations + iteration, value, x);
      };
  }
  RunSequence(const RunSequence&) = delete;
  RunSequence& operator=(const RunSequence&) = delete;

  // For the next run; empty without an observer.
  const Observer& observer() const { return numbered_; }

  // The exit and the value of the last run; the iterations and evaluations of all runs.
  const Outcome& outcome() const { return outcome_; }
  void add(const Outcome& run) {
    outcome_ = {run.exit, outcome_.iterations + run.iterations, outcome_.evaluations + run.evaluations, run.value};
  }

 private:
  const Observer& observer_;
  Values values_;
  double min_value_;
  Outcome outcome_;
  Observer numbered_;
};

}  // namespace limber
