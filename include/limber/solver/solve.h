// The entry point: limber::solve(problem, pose).
#pragma once

#include <memory>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

// Keeps the working memory of a problem, so that solving it repeatedly allocates nothing: drag a goal by
// problem.set_goal(), and call solve() each time. After constraints were added or removed, the next solve allocates
// anew.
class Solver {
 public:
  // The problem must outlive the solver.
  explicit Solver(const Problem& problem);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // Solves from `pose` and leaves the answer there. Whatever the exit, the pose satisfies all limits, and its objective
  // is not above that of the start (moved within the limits, and to the hard and clearance constraints), nor above that
  // of a pose that the observer has seen. A start without overlaps gives an answer without; otherwise no overlap is
  // deeper than the deepest was, unless a hard constraint requires it.
  // Rejected problems leave the pose unchanged.
  // The report is valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Solves once. The same as Solver(problem).solve(pose, options).
Report solve(const Problem& problem, Pose& pose, const Options& options = {});

}  // namespace limber
