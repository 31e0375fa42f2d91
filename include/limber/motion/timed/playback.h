// Solves frame by frame, for live use: the pose nearest to the given one that meets the active demands.      W93 6.3
//
// The objective of timed/solve_motion.h for one frame, without the smoothness term. Demands fade in and out with their
// activities, so nothing jumps where the given motion does not; but demands without easing start at once, and there is
// no anticipation.
#pragma once

#include <memory>

#include "limber/motion/timed/solve_motion.h"

namespace limber {

struct PlaybackOptions {
  double guide = 1e-4;  // weight of staying near the given pose, against weights of 1
  int iterations = 50;  // per frame, at most
  double met_metres = 1e-4;
  double met_degrees = 0.1;
};

class Playback {
 public:
  // The problem must outlive the playback, and not change.
  explicit Playback(const TimedProblem& timed, const PlaybackOptions& options = {});
  ~Playback();

  // The pose at that time, near `given`. A frame starts from the change of the previous frame, unless it is the first
  // since restart(). A Hold demand takes its goal from the first given pose in which it is active. Rejected: a pose
  // that does not fit the figure, an invalid moving goal, a time that is not finite, and options out of range. The
  // report is valid until the next call.
  Expected<const MotionReport*> solve(double time, const Pose& given, Pose& pose);
  // Forgets the Hold goals and the previous frame, so that times may go back.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Plays the motion from its first frame to its last; the report covers all frames. Rejected: what solve() rejects, and
// a motion without frames or with an invalid frame time.
Expected<SolvedMotion> play_motion(const TimedProblem& problem, const Clip& given, const PlaybackOptions& options = {});

}  // namespace limber
