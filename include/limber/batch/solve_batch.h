// Many problems that differ only in the values of their goals: a map of reach, a crowd, a motion frame by frame.
//
// The lanes of the processor's vectors take problems that are nothing but pins in a box: goals that
// place points and directions, with finite weights and one priority; no more rows than variables; only limits on single
// parameters; no groups, pulls or differences. The goals must be of the same kinds and proportions as the
// problem's own, and the parameters that do not vary keep their limits in the start. One problem runs in each lane, in
// single precision, from its own start and then from points that fill the limits evenly (the sequence of Roberts 2018,
// the same for every problem). Every answer is then checked in double precision, and refined there where it is not
// exact enough. Problems that are stuck, and those of any other kind, are solved one by one as by Solver.
//
// The answers do not depend on the number of threads, nor on which other problems are in the batch.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

struct BatchOptions {
  // A problem is met when the error of every constraint that counts and is not soft is at most this. Below about
  // 3e-7 m or rad single precision is not exact enough, and most are solved one by one.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Restarts in the lanes for problems that are stuck; then Options::restarts for those solved one by one.
  int lane_tries = 64;
  // For problems solved one by one; its observer sees only those. With another method than the default all are.
  // met_metres and met_degrees are those above.
  Options thorough = {};
  // Called with the report of each problem that was solved one by one (all that are not met are), by its number, on the
  // thread that solved it: at the same time for others.
  std::function<void(std::size_t problem, const Report& report)> reported = {};
  int threads = 1;  // 0: as many as the machine has cores
};

struct BatchReport {
  std::vector<char> met;  // by problem
  std::size_t met_count = 0;
  std::size_t in_lanes = 0;    // answered by the lanes
  std::size_t one_by_one = 0;  // solved as by Solver
  long lane_steps = 0;         // steps of all lanes together
};

// goals: one per constraint of the problem, for the first problem, then for the second, and so on; that of a pull, or
// of a constraint with several alternatives, is not read. poses: one column per problem, the starts; then the answers,
// which keep all limits. Rejected where the sizes do not fit, where the problem was rejected, or a goal is not one that
// its constraint can have.
Expected<BatchReport> solve_batch(const Problem& problem, std::span<const Goal> goals, MatX& poses,
                                  const BatchOptions& options = {});

}  // namespace limber
