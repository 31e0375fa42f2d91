// Levenberg-Marquardt for problems of positions and directions alone (pins) within box limits: a quick first attempt.
//
// It runs lanes/marquardt.h on one problem; the loop is lanes/quick.h, which is compiled for several processors and so
// shares no code with program/loop.h. It ends `converged` where the Kuhn-Tucker residual is below the tolerance, and
// `stalled` where f hardly decreases any more: near a minimum above 0, or in a narrow valley. Then the general method
// (levenberg_marquardt.h), which takes every kind of limit and goal, goes on from there, or another start is tried.
//
// Every iterate is within the limits, and none increases f. None allocates once the problem was accepted.
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

  // Whether this method takes the problem, with its present values; reserves memory for it. After start().
  bool accepts(Assembly& assembly);
  // Minimises from phi, which must be within the limits; phi is the best point on return.
  // Ends as `met` where all goals are, within the metres and the chord of a unit vector of `enough`, if that is given.
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
