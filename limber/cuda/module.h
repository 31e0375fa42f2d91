// What liblimber_cuda.so offers to the library, which loads it at run time if it is there (batch/device.cpp): the lanes
// of a batch on a GPU. A C interface of plain structs, so that neither side needs the other to be built.
#pragma once

#include "limber/lanes/plan.h"

namespace limber {

// Many problems that differ only in their values. Solved in single precision, then checked in double precision and
// refined where they are not exact enough. Lists are in the memory of the host, or all in that of the card.
struct CudaCall {
  PinPlan<double> plan;  // without coupled variables; tables in the memory of the host
  PinPlan<float> float_plan;
  long count = 0;
  // By problem, one after the other; a stride of 0 if all problems share the values.
  const double* bases = nullptr;  // twelve numbers each
  long base_stride = 0;
  const double* q = nullptr;  // by link
  long q_stride = 0;
  const double* targets = nullptr;  // six numbers per task
  double* x = nullptr;              // the starts, within the bounds; of the met problems then the answers
  unsigned char* met = nullptr;     // output
  bool is_on_card = false;          // bases, q, targets, x and met
  void* stream = nullptr;           // of the card, if they are there: work begins when this has arrived there
  // In the memory of the host: starts for restarts of a stuck problem, tried in order, and by task |h - t|² of a
  // problem that is met.
  const float* other_starts = nullptr;
  int max_tries = 0;
  const double* enough = nullptr;
  int max_iterations = 0;
  int max_refinements = 0;
  double longest_step = 1.0;

  long iterations = 0;          // output: of all threads together
  double kernel_seconds = 0.0;  // output: of the kernels
};

// Random problems, made, solved and checked on the card, for benchmarks: the targets are those of random points within
// the limits. What is met is checked by code of its own.
struct CudaTrial {
  CudaCall call;  // without targets, x and met; bases and q are shared by all random problems
  unsigned long long seed = 0;
  long piece = 1L << 25;  // problems at a time
  // The start: the same for all if `spread` is 0, else that of the targets with each variable moved by at most
  // `spread`. Variables without a limit are within half a unit of `start`.
  const double* start = nullptr;
  double spread = 0.0;
  // Or `given` problems, again and again, with the bases and q of the call by their strides.
  long given = 0;
  const double* given_targets = nullptr;
  const double* given_x = nullptr;

  long met = 0;         // output
  long violations = 0;  // output: answers beyond a limit, not finite, or called met beyond what is enough
};

struct CudaModule {
  int version;  // of this interface
  // How many cards there are; if none, why.
  int (*cards)(const char** why);
  // The name of a card.
  void (*name)(int card, char* name, int size);
  // A workspace on a card, for one thread at a time; null, and why, if there is none.
  void* (*open)(int card, const char** why);
  // Null, or what went wrong.
  const char* (*solve)(void* workspace, CudaCall& call);
  const char* (*run)(void* workspace, CudaTrial& trial);
  void (*close)(void* workspace);
};

inline constexpr int cuda_module_version = 1;
inline constexpr char limber_cuda_symbol[] = "limber_cuda_module";

}  // namespace limber

// The module's one symbol.
extern "C" __attribute__((visibility("default"))) const limber::CudaModule* limber_cuda_module();
