// Frame by frame, as they are shown: the pose nearest to the given one that keeps what is in force.      W93 6.3
//
// The objective of timed/solve_motion.h for one frame, without the smoothness. Demands come and go with their
// activities, so that nothing jumps where the given motion does not; but what is not eased begins at once, and nothing
// is done ahead of time.
#pragma once

#include <memory>

#include "limber/motion/timed/solve_motion.h"

namespace limber {

struct PlaybackOptions {
  double guide = 1e-4;  // what staying near the given pose weighs, against weights of 1
  int iterations = 50;  // a frame, at most
  double met_metres = 1e-4;
  double met_degrees = 0.1;
};

class Playback {
 public:
  // The problem must outlive the playback, and stay as it is.
  explicit Playback(const TimedProblem& timed, const PlaybackOptions& options = {});
  ~Playback();

  // The pose at that time, near `given`. A frame starts from what the one before changed, unless it is the first since
  // restart(). A demand that holds takes where its handle is in the first given pose in which it is in force. Rejected:
  // a pose that is not one of the figure, a goal that moves and is not one, a time that is not finite, and options out
  // of range. The report is valid until the next call.
  Expected<const MotionReport*> solve(double time, const Pose& given, Pose& pose);
  // Times may go back: what holds and the frame before are forgotten.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The motion, played from its first frame to its last; the report is over all frames. Rejected: what solve() rejects,
// and a motion without a frame or a time from frame to frame.
Expected<SolvedMotion> play_motion(const TimedProblem& problem, const Clip& given, const PlaybackOptions& options = {});

}  // namespace limber
