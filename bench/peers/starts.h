// Restarts for solvers that have time remaining: from the same points as our own.
#pragma once

#include "limber/program/limits.h"
#include "limber/solver/restart.h"

namespace limber::peers {

class Starts {
 public:
  explicit Starts(Limits limits) : limits_(std::move(limits)) { restart_.reserve(limits_); }

  void begin() { number_ = 0; }
  // The first call keeps x; later calls replace it, the best so far, by another point within the limits.
  void next(VecX& x) {
    if (number_ > 0) restart_.move(limits_, number_, x);
    ++number_;
  }
  const Limits& limits() const { return limits_; }

 private:
  Limits limits_;
  Restart restart_;
  int number_ = 0;
};

}  // namespace limber::peers
