// What the steps of a solve share: the problem as a program, the methods with their memory, and the point that moves.
#pragma once

#include <optional>

#include "limber/problem/assembly.h"
#include "limber/solver/methods.h"

namespace limber {

struct Workspace {
  explicit Workspace(const Problem& of) : problem(of) {}

  const Problem& problem;
  std::optional<Assembly> assembly;  // set by reserve()
  Methods methods;
  VecX phi;                  // the point
  VecX start;                // where the solve began, within the limits
  double start_value = 0.0;  // the objective there
  double damping = 0.0;      // where the last solve that may be resumed ended (Options::resumes)
  VecX residual, gradient;   // of the evaluation at hand

  // All the memory that a solve of the problem as it is now can need.
  void reserve();

  // How far the hard and weighted constraints are from being met at a point: the max ratio of an error to its
  // tolerance, soft constraints left out. All are met where it is at most 1.
  double max_unmet(const Options& options, const VecX& at);
  bool all_met(const Options& options) { return max_unmet(options, phi) <= 1.0; }
};

}  // namespace limber
