// Data shared by the steps of a solve: the problem as a program, the methods with their memory, the current point.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "limber/problem/assembly.h"
#include "limber/solver/methods.h"

namespace limber {

struct Workspace {
  explicit Workspace(const Problem& of) : problem(of) {}

  const Problem& problem;
  std::optional<Assembly> assembly;  // set by reserve()
  Methods methods;
  VecX phi;                                                   // the current point
  VecX start;                                                 // the start, within the limits
  double start_value = 0.0;                                   // the objective there
  double damping = 0.0;                                       // the last damping, for a warm start (Options::resumes)
  VecX residual, gradient;                                    // of the current evaluation
  std::optional<std::pair<Method, Secondary>> reserved = {};  // by reserve_method()

  // Allocates all memory that a solve of the current problem can need, but for that of its method.
  void reserve();
  // After a first solve: all that its method did not need this time, but may need another time.
  void reserve_method(const Options& options);

  // The max ratio of an error to its tolerance over the hard and weighted constraints (not the soft ones): all are met
  // if it is at most 1.
  double max_unmet(const Options& options, const VecX& at);
  bool all_met(const Options& options) { return max_unmet(options, phi) <= 1.0; }
  // Which constraints are met at phi, by their place in the problem; those that do not count are.
  void find_met(const Options& options, std::vector<char>& met);
};

}  // namespace limber
