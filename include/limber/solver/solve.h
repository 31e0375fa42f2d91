// The entry point: limber::solve(problem, pose).
#pragma once

#include <memory>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

// Owns the working memory of a problem, so that solving it repeatedly does not allocate: to drag a goal, call
// problem.set_goal() and solve() in turn. After constraints were added or removed, the next solve allocates again.
class Solver {
 public:
  // The problem must outlive the solver.
  explicit Solver(const Problem& problem);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // Solves from `pose`, and writes the result to it. Whatever the exit, the pose satisfies all limits, and it is no
  // worse than the start (moved within the limits) and every pose that the observer has seen: the objective is at most
  // theirs or, with hard constraints or priorities, the first level that differs has a smaller error. If the start is
  // free of overlaps, so is the result; otherwise no overlap is deeper than the deepest one of the start, unless a hard
  // constraint requires it. If the problem is rejected, the pose is unchanged. The report is valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

  // Forgets what solves with Options::resumes have left: the next one begins as the first did.
  void forget();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Solves once. The same as Solver(problem).solve(pose, options).
Report solve(const Problem& problem, Pose& pose, const Options& options = {});

}  // namespace limber
