// The options that every method takes, and its outcome.
#pragma once

#include <functional>

#include "limber/base/vector.h"
#include "limber/program/exit.h"

namespace limber {

// Called after each iteration with its number, the objective and the point; false stops the solve.
using Observer = std::function<bool(int iteration, double objective, const VecX& x)>;

struct MethodOptions {
  int iterations = 1000;
  double tolerance = 1e-8;    // on the max entry of the projected gradient and of a multiplier of the wrong sign
  double longest_step = 1.0;  // no variable changes by more than this in one iteration
  // Whether to end as `stalled` as soon as the objective decreases slowly: for one start of many. Methods that do not
  // support it ignore it.
  bool ends_when_slow = false;
};

struct Outcome {
  Exit exit = Exit::converged;
  int iterations = 0;
  int evaluations = 0;
  double value = 0.0;
};

}  // namespace limber
