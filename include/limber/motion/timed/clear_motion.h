// Resolves overlaps of a motion frame by frame: each pose is free of overlaps and near the given one.
//
// For a motion that is already solved (timed/solve_motion.h, timed/playback.h), each frame k becomes the pose that
// satisfies the clearance constraints and the fully active demands, nearest to
//
//   θ̄_k + exp(-h / τ) (θ_{k-1} - θ̄_{k-1})
//
// the given pose plus the decayed change of the previous frame. The solve starts there: a limb that passes an obstacle
// on one side stays on that side, unless that leads past the obstacle's middle, and returns within about τ after the
// obstacle. There is no anticipation: the change starts as abruptly as the given motion enters the obstacle. Frames
// without overlap, whose previous change has faded, are unchanged to the bit; the errors of their demands are still
// reported.
//
// Everything that carries a capsule may move, whatever the chain of a demand: a demand on the arm alone may still make
// the body give way.
//
// All frames are then checked by obstacle/check.h, independently of the solver.
#pragma once

#include <vector>

#include "limber/motion/timed/solve_motion.h"
#include "limber/obstacle/check.h"
#include "limber/problem/clearance.h"

namespace limber {

struct ClearMotionOptions {
  double guide = 1e-4;       // weight of staying near the given motion, against weights of 1
  double fade_time = 0.15;   // τ, seconds
  int iterations = 300;      // per frame, at most
  double met_metres = 1e-4;  // for demands, as in MotionOptions
  double met_degrees = 0.1;
  // The motion from which Hold demands take their goals: that before it was solved. Null: the given one.
  const Clip* hold_reference = nullptr;
  // Take them in the first frame with any activity, as play_motion() does, instead of at the start of their spans.
  bool hold_at_first_activity = false;
};

struct FrameOverlap {
  int frame = 0;
  Penetrations found;  // of all clearances; obstacles are numbered consecutively over the clearances
};

struct ClearedMotion {
  Clip clip;
  MotionReport report;
  int changed = 0;                          // frames
  std::vector<FrameOverlap> overlaps = {};  // the frames that could not be cleared
};

// The clearances are exact. Rejected: a motion of another figure or without a frame, what Problem::add_clearance
// rejects, an invalid moving goal, and options out of range, including a hold_reference whose frames do not match the
// given motion. Every pose respects all limits, even where the given motion does not.
Expected<ClearedMotion> clear_motion(const TimedProblem& problem, const Clip& given,
                                     const std::vector<Clearance>& clearances, const ClearMotionOptions& options = {});

}  // namespace limber
