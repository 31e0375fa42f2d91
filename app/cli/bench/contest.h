// A contest: solvers on the same goals, from the same start, by the same clock. Every answer is checked here, by the
// library's own forward kinematics and limits, whatever its solver says of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/bench/table.h"
#include "limber/problem/problem.h"
#include "limber/solver/options.h"

namespace limber::cli {

// What an answer must reach, and by when.
struct Terms {
  double metres;
  double radians;
  double microseconds;
};

// What a solver is asked for, of the terms: they are looked at with other code, which rounds otherwise.
inline constexpr double within_terms = 0.999;

// Solves from `pose` and leaves the answer there. Time that is left may go into other starts; an answer after the
// deadline does not count. False: the problem is none that it takes.
using PoseSolver = std::function<bool(Pose& pose, Clock::time_point deadline)>;

struct Contender {
  std::string name;
  // For one problem, of which only the goals' values change from one solve to the next. It outlives what is made.
  std::function<Expected<PoseSolver>(const Problem& problem, const Terms& terms)> make;
};

// One of our own methods.
Contender limber_contender(Method method);

struct Score {
  std::vector<double> times = {};  // microseconds
  int solved = 0;                  // in time, with all goals met and all limits kept
  int kept = 0;                    // within the limits, solved or not
  bool rejected = false;

  double solved_percent() const { return 100.0 * solved / static_cast<double>(times.size()); }
  double kept_percent() const { return 100.0 * kept / static_cast<double>(times.size()); }
};

// One solve by the clock, added to the score.
void attempt(const PoseSolver& solve, const Problem& problem, const Terms& terms, Pose& pose, Score& score);

// The columns of a score, after those that say whose it is.
BenchRow with_score(BenchRow row, const Score& score);

bool meets_goals(const Problem& problem, const Pose& pose, const Terms& terms);

}  // namespace limber::cli
