// What a caller can say about a solve.
#pragma once

#include <functional>

#include "limber/figure/figure.h"

namespace limber {

struct Progress {
  int iteration = 0;
  double objective = 0.0;  // G
  const Pose& pose;        // within all limits
};

struct Options {
  // Most iterations; the pose at the last one is as good as any before it.
  int iterations = 1000;
  // A solve has converged when its Kuhn-Tucker residual is below this. The residual has no unit: lengths are measured
  // in lengths of the figure, weights by their sum, angles in radians.
  double tolerance = 1e-8;
  // A constraint counts as met when what is left is at most this.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Called after every iteration; false cancels the solve.
  std::function<bool(const Progress&)> observer = {};
};

}  // namespace limber
