// A comparison of solvers on the same goals, from the same start, with the same clock. Every solution is checked here
// by the library's own forward kinematics and limits, whatever its solver reports.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/task/table.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"

namespace limber::bench {

// The tolerances and the time limit of a solution.
struct Criteria {
  double metres;
  double radians;
  double microseconds;
};

// Solvers get slightly tighter tolerances than the check: the check uses other code, which rounds differently.
inline constexpr double tolerance_margin = 0.999;

// Solves from `pose` and writes the solution there. Remaining time may be used for restarts; a solution after the
// deadline does not count. Returns false if it does not support the problem.
using PoseSolver = std::function<bool(Pose& pose, Clock::time_point deadline)>;

struct ComparedSolver {
  std::string name;
  // For one problem, of which only the goal values change between solves. The problem outlives the solver.
  std::function<Expected<PoseSolver>(const Problem& problem, const Criteria& criteria)> make;
};

// One of our own methods.
ComparedSolver limber_solver(Method method);

struct Score {
  std::vector<double> times = {};  // microseconds
  int solved = 0;                  // in time, all goals met, within the limits
  int within_limits = 0;           // solved or not
  bool rejected = false;

  double solved_percent() const { return 100.0 * solved / static_cast<double>(times.size()); }
  double within_limits_percent() const { return 100.0 * within_limits / static_cast<double>(times.size()); }
};

// One timed solve, added to the score.
void attempt(const PoseSolver& solve, const Problem& problem, const Criteria& criteria, Pose& pose, Score& score);

// The row with the columns of a score appended.
BenchRow with_score(BenchRow row, const Score& score);

bool meets_goals(const Problem& problem, const Pose& pose, const Criteria& criteria);

}  // namespace limber::bench
