// The one way in: limber::solve(problem, pose).
#pragma once

#include <memory>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

// Keeps the working memory of a problem, so that solving it again and again allocates nothing: drag a goal by
// problem.set_goal(), and call solve() each time. After constraints were added or removed the next solve makes new
// memory.
class Solver {
 public:
  // The problem must outlive the solver.
  explicit Solver(const Problem& problem);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // Solves from `pose` and leaves the answer there. Whatever the exit, the pose keeps all limits and its objective is
  // not above that of the start (moved within the limits where it was outside, and to what must hold and keep clear);
  // where all was clear all is, and nothing is deeper than the deepest was, unless a lock asks for it.
  // Rejected problems leave the pose alone.
  // The report is valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Solves once. The same as Solver(problem).solve(pose, options).
Report solve(const Problem& problem, Pose& pose, const Options& options = {});

}  // namespace limber
