// Frame by frame, as they are shown: the pose nearest to the given one that keeps what is in force.      W93 6.3
//
// The objective of timed/solve_motion.h for one frame, without the smoothness. Demands come and go with their
// activities, so that nothing jumps where the given motion does not; but what is not eased begins at once, and nothing
// is done ahead of time.
#pragma once

#include <memory>

#include "limber/motion/timed/timed_problem.h"
#include "limber/solver/solve.h"

namespace limber {

struct PlaybackOptions {
  double guide = 1e-4;  // what staying near the given pose weighs, against weights of 1
  Options solve = {.iterations = 100, .met_metres = 1e-4, .restarts = 0};
};

class Playback {
 public:
  // The problem must outlive the playback.
  explicit Playback(const TimedProblem& timed, PlaybackOptions options = {});
  ~Playback();

  // The pose at that time, near `given`. A frame starts from what the one before changed, unless it is the first since
  // restart(). A demand that holds takes where its handle is in the first given pose in which it is in force. The
  // report, of timed.problem() and the pull towards the given pose, is valid until the next call.
  const Report& solve(double time, const Pose& given, Pose& pose);
  // Times may go back: what holds and the frame before are forgotten.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
