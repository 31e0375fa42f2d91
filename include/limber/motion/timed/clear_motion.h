// A motion that keeps clear, frame by frame: every pose near the one that is given, free of overlaps.
//
// Of a motion that is solved already (timed/solve_motion.h, timed/playback.h) each frame k becomes the pose that keeps
// clear, and what is wholly in force, and else is nearest to
//
//   θ̄_k + exp(-h / τ) (θ_{k-1} - θ̄_{k-1})
//
// the given pose and what is left of the last frame's change. Each frame is sought from there: so a limb that went
// round an obstacle on one side stays on that side, as long as that is not beyond the obstacle's middle, and comes back
// within about τ when the obstacle is behind it. Nothing is done ahead of time: where the given motion enters an
// obstacle within a frame, so quickly does the change begin. Frames that are clear, and whose last change has faded,
// stay as they are to the bit; what is left of their demands is reported all the same.
//
// All that carries what keeps clear may move, whatever chain a demand has: one that asks for an arm alone has the body
// make way too.
//
// All frames are then checked by obstacle/check.h, which knows no solver.
#pragma once

#include <vector>

#include "limber/motion/timed/solve_motion.h"
#include "limber/obstacle/check.h"
#include "limber/problem/clearance.h"

namespace limber {

struct ClearMotionOptions {
  double guide = 1e-4;       // what staying near weighs, against weights of 1
  double fade_time = 0.15;   // τ, seconds
  int iterations = 300;      // a frame, at most
  double met_metres = 1e-4;  // of demands, as those of MotionOptions
  double met_degrees = 0.1;
  // The motion in which demands that hold find their places: that before it was solved. Null: the given one.
  const Clip* held_in = nullptr;
  // Whether they do in the first frame in which they are in force at all, as play_motion() has it, instead of that in
  // which their spans begin.
  bool held_as_played = false;
};

struct FrameOverlap {
  int frame = 0;
  Penetrations found;  // of all clearances; obstacles are counted on from one clearance to the next
};

struct ClearedMotion {
  Clip clip;
  MotionReport report;
  int changed = 0;                          // frames
  std::vector<FrameOverlap> overlaps = {};  // the frames that could not be cleared, each once
};

// The clearances are exact. Rejected: a motion that is not one of the problem's figure or has no frame, what
// Problem::add_clearance rejects, a goal that moves and is not one, and options out of range, held_in among them where
// its frames are not those of the given motion. Every pose keeps all limits, also where the given motion does not.
Expected<ClearedMotion> clear_motion(const TimedProblem& problem, const Clip& given,
                                     const std::vector<Clearance>& clearances, const ClearMotionOptions& options = {});

}  // namespace limber
