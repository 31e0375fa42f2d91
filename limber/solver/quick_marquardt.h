// Levenberg-Marquardt for problems that are nothing but pins in a box: the quick way to goals that can be met.
//
// It runs lanes/marquardt.h on the one problem. It ends `converged` where the Kuhn-Tucker residual is below the
// tolerance, and `stalled` where f hardly falls any more: at a remainder, or on its way through a valley. Then the
// general method (levenberg_marquardt.h), which sees every kind of limit and goal, goes on from there, or another start
// is tried.
//
// Every iterate is within the limits, and none raises f. None allocates once the problem was accepted.
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

  // Whether the problem, with the values that it has now, is for this method; makes room for it. After start().
  bool accepts(Assembly& assembly);
  // Minimises from phi, which must be within the limits; phi is the best point on return.
  // Ends as `met` where all goals are, within the metres and the chord of a unit vector of `enough`, if that is given.
  struct Enough {
    double metres, chord;
  };
  Outcome minimize(const Assembly& assembly, VecX& phi, const MethodOptions& options, const Observer& observer = {},
                   const Enough* enough = nullptr);

 private:
  struct Room;
  std::unique_ptr<Room> room_;
};

}  // namespace limber
