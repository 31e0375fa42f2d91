// Where a solver that has time left starts again: at the same places as our own would.
#pragma once

#include "limber/program/limits.h"
#include "limber/solver/restart.h"

namespace limber::peers {

class Starts {
 public:
  explicit Starts(Limits limits) : limits_(std::move(limits)) { restart_.reserve(limits_); }

  void begin() { number_ = 0; }
  // x, the best so far, stays as it is the first time, and then becomes another point within the limits.
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
