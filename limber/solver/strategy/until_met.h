// Options::until_met: an observer that ends the runs as soon as every constraint that counts is met.
#pragma once

#include "limber/solver/strategy/strategy.h"

namespace limber {

class UntilMet {
 public:
  // All must outlive this.
  UntilMet(Workspace& work, const Options& options, const Observer& observer)
      : work_(work), options_(options), observer_(observer), met_(work.all_met(options)) {
    looking_ = [this](int iteration, double value, const VecX& phi) {
      if (observer_ && !observer_(iteration, value, phi)) return false;
      met_ = work_.max_unmet(options_, phi) <= 1.0;
      return !met_;
    };
  }
  UntilMet(const UntilMet&) = delete;
  UntilMet& operator=(const UntilMet&) = delete;

  // At the start, or at the last observed point.
  bool met() const { return met_; }
  const Observer& observer() const { return looking_; }

 private:
  Workspace& work_;
  const Options& options_;
  const Observer& observer_;
  bool met_;
  Observer looking_;
};

}  // namespace limber
