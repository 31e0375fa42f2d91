// The fast path: Levenberg-Marquardt for problems with only positions and directions (pins).
//
// It runs lanes/marquardt.h on one problem. Its loop is lanes/quick.h, which is compiled for several instruction sets
// and so shares no code with program/loop.h. It ends as `converged` if the Kuhn-Tucker residual is below the tolerance,
// and as `stalled` if f hardly decreases: near a minimum above 0, or in a narrow valley. Then the general method
// (levenberg_marquardt.h) continues from there, or another start is tried.
//
// Every iterate is within the limits, f never increases, and nothing allocates after accepts().
#pragma once

#include <memory>

#include "limber/problem/assembly.h"
#include "limber/program/method.h"

namespace limber {

class QuickMarquardt {
 public:
  QuickMarquardt();
  ~QuickMarquardt();
  QuickMarquardt(QuickMarquardt&&) noexcept;
  QuickMarquardt& operator=(QuickMarquardt&&) noexcept;

  // Whether this method supports the problem with its current values; allocates memory for it. Call after start().
  bool accepts(Assembly& assembly);
  // In nanoseconds or so.
  double work_per_iteration() const;
  // Whether a point cannot come as near to its target as this, in whatever pose. Call after minimize().
  bool is_out_of_reach(double metres) const;
  // Minimises from phi, which must be within the limits; phi is the best point on return.
  // If `enough` is given, ends as `met` once all goals are met within its metres and its chord of unit vectors.
  struct Enough {
    double metres, chord;
  };
  Outcome minimize(const Assembly& assembly, VecX& phi, const MethodOptions& options, const Observer& observer = {},
                   const Enough* enough = nullptr);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace limber
