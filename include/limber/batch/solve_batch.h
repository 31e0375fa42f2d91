// Solves many problems that differ only in the values of their goals: a reach map, a crowd, a motion frame by frame.
//
// Simple problems are solved several at a time, one per vector lane (SIMD) of the processor. Simple means: all goals
// place points or directions, with finite weights and one priority; no more residuals than variables; only box limits;
// no groups, pulls or differences of handles; goals of the same kinds and with the same relative weights as the
// problem's own; and fixed parameters that are within their limits in the start. Each lane works in single precision,
// from the given start and then from points spread evenly over the limits (the sequence of Roberts 2018, the same for
// every problem). Every result is then checked in double precision, and refined there if it is not exact enough.
// Problems that get stuck, and all others, are solved one by one by Solver.
//
// The results do not depend on the number of threads, nor on the other problems in the batch.
//
// With Device::gpu, simple problems are solved on the GPUs of this machine, one per thread of the GPU, as above: in
// single precision, checked and refined there in double precision; the others by the processor. This needs
// liblimber_cuda.so, which is loaded if it is there (doc/gpu.md). On the same kind of card results are the same, bit
// for bit; they differ from those of the processor, where a goal can be met in more than one way.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/solver/options.h"
#include "limber/solver/report.h"

namespace limber {

enum class Device { cpu, gpu };

struct BatchOptions {
  // A problem is met if the error of every constraint that counts and is not soft is at most this. Below about 3e-7 m
  // or rad, single precision is not exact enough, and most problems are solved one by one.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Width of the lanes: 4 on any processor, 8 with AVX2, 16 with AVX-512; 0: the widest of this one. Results differ
  // between widths by rounding, so work that is shared among different machines fixes it.
  int lanes = 0;
  // Max restarts in the lanes; after them, Options::restarts for problems solved one by one.
  int lane_tries = 64;
  // Options of problems solved one by one; the observer sees only those. With a method other than the default, all
  // problems are solved one by one. met_metres and met_degrees are ignored in favour of those above.
  Options thorough = {.restarts = 4};
  // Called with the number and the report of each problem that was solved one by one (which includes all that are not
  // met), on the thread that solved it, so possibly from several threads at the same time.
  std::function<void(std::size_t problem, const Report& report)> reported = {};
  int threads = 1;  // 0: as many as the machine has cores
  Device device = Device::cpu;
};

struct BatchReport {
  std::vector<char> met;  // by problem
  std::size_t met_count = 0;
  std::size_t in_lanes = 0;    // solved in the lanes
  std::size_t one_by_one = 0;  // solved by Solver
  long lane_steps = 0;         // steps of all lanes together
  // With Device::gpu: the card that solved the problems in lanes, or a sentence why the processor did; else empty.
  std::string card = {};
  std::string no_card = {};
  double kernel_seconds = 0.0;  // of all cards and threads together
};

// goals: one per constraint, for the first problem, then for the second, and so on; the entry of a pull or of a
// constraint with several alternatives is ignored. poses: one column per problem; the starts, replaced by the results,
// which satisfy all limits. Rejected: sizes that do not fit, a rejected problem, a goal of the wrong kind for its
// constraint, lanes that this processor does not have.
Expected<BatchReport> solve_batch(const Problem& problem, std::span<const Goal> goals, MatX& poses,
                                  const BatchOptions& options = {});

}  // namespace limber
