// A motion that meets constraints over time and stays near the given one.                            W93 6.3, Fig. 6.5
//
// All frames are solved together. With δ_k = φ_k - φ̄_k, the change of frame k from the given motion in the variables of
// an Assembly (angles; lengths relative to the figure's length), d the stiffness of each, h the frame time:
//
//   min  g Σ_k ( ‖D^½ δ_k‖² + (τ/h)⁴ ‖D^½ (δ_{k-1} - 2 δ_k + δ_{k+1})‖² ) + Σ_k Σ_i w_i(t_k) ‖r_i(φ_k)‖² / ℓ²
//   s.t. r_i(φ_k) = 0 for hard constraints that are fully active, and all limits in every frame.
//
// The second term makes the change smooth: the effect of a constraint begins about τ before it and fades about τ after
// it, whatever its easing. Gauss-Newton: the Hessian of a frame is dense, and frames are coupled by diagonals to the
// next two (timed/band.h), so a step costs O(frames · n³) and memory is linear in the frames. Hard constraints and
// limit rows are enforced by multipliers (Hestenes 1969, Powell 1969), box limits by projection (Bertsekas 1982).
//
// Of alternatives (TimedProblem::add_one_of), the one is taken that costs least by a few frames of its span, solved one
// after the other; it stays for the whole span. solve_clear_motion() and clear_motion() choose in the same way,
// playback where a span begins.
//
// With hard constraints, the solve starts from the frames solved one after the other, as in Playback, with the same
// goals: that meets them where the given motion is far from them. What holds there holds in the result.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "limber/motion/clip.h"
#include "limber/motion/timed/timed_problem.h"
#include "limber/obstacle/check.h"
#include "limber/problem/problem.h"
#include "limber/program/exit.h"

namespace limber {

struct MotionProgress {
  int iteration = 0;
  int max_iterations = 0;
  double max_error = 0.0;  // of hard constraints, relative to the figure's length
};

struct MotionOptions {
  double guide = 1e-4;        // g: weight of staying near the given motion, against weights of 1
  double smooth_time = 0.15;  // τ, seconds
  int iterations = 30;        // at most
  double exact = 1e-8;        // tolerance of hard constraints, relative to the figure's length
  // A hard demand is met if its error is at most this in every frame in which it is fully active; a soft one, which
  // competes with the given motion, at soft_slack times as much.
  double met_metres = 1e-4;
  double met_degrees = 0.1;
  // Frames that stay as given, if they respect the limits: keys.
  std::vector<int> kept = {};
  // Called after every iteration; false cancels, and the current iterate is returned.
  std::function<bool(const MotionProgress&)> observer = {};
};

inline constexpr double soft_slack = 10.0;

struct DemandReport {
  std::string name;
  int frames = 0;        // in which it is fully active
  GoalError error = {};  // maximum over these
  int worst = -1;        // frame of the maximum
  bool met = true;
  bool taken = true;  // of alternatives: whether the motion takes this one

  void take(int frame, const GoalError& distance);
};

// Hard demands that cannot hold together in a frame, as far as a solve of that frame can find: without any one of them
// the others hold. A single one is out of reach, or beyond the limits.
struct Contradiction {
  int frame = 0;
  std::vector<int> demands = {};  // their indices in the problem
};

struct MotionReport {
  Exit exit = Exit::converged;
  int iterations = 0;
  int variables = 0;                       // per frame
  std::vector<DemandReport> demands = {};  // in the order of the problem
  // Of solve_motion(): why hard demands are not met, unless a kept frame is the reason.
  std::vector<Contradiction> contradictions = {};

  bool met() const;
};

struct SolvedMotion {
  Clip clip;
  MotionReport report;
};

// Rejected: a motion of another figure or without a frame, and options out of range. Every pose of the result respects
// all limits, even where the given motion does not.
Expected<SolvedMotion> solve_motion(const TimedProblem& problem, const Clip& given, const MotionOptions& options = {});

// --- Solves frame by frame, for live use: the pose nearest to the given one that meets the active demands. W93 6.3
//
// The objective of timed/solve_motion.h for one frame, without the smoothness term. Demands fade in and out with their
// activities, so nothing jumps where the given motion does not; but demands without easing start at once, and there is
// no anticipation.

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
  // report is valid until the next call. Of alternatives, one is taken in the first given pose in which they are
  // active.
  Expected<const MotionReport*> solve(double time, const Pose& given, Pose& pose);
  // Forgets the Hold goals, the previous frame and what it took of alternatives, so that times may go back.
  void restart();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Plays the motion from its first frame to its last; the report covers all frames. Rejected: what solve() rejects, and
// a motion without frames or with an invalid frame time.
Expected<SolvedMotion> play_motion(const TimedProblem& problem, const Clip& given, const PlaybackOptions& options = {});

// --- Resolves overlaps of a motion frame by frame: each pose is free of overlaps and near the given one.
//
// For a motion that is already solved, each frame k becomes the pose that
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
// Every part with a capsule may move, whatever the chain of a demand: the body may move aside for an arm.
//
// All frames are then checked by obstacle/check.h, independently of the solver.

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
  // Between two frames, of solve_clear_motion(): the part of the way to the next frame where it is deepest. 0 at the
  // frame.
  double after = 0.0;
  // Of solve_clear_motion(), for the deepest of consecutive overlaps: indices of hard demands without any one of which
  // the figure could be clear there, as far as a solve of that moment can find.
  std::vector<int> demands = {};
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

// --- Keeps clear over time: solve_motion() with hard clearances, in all frames and between them
//
// The program of solve_motion() with one more hard constraint per pair and frame, and per pair at places between
// frames,
//
//   gap_p((1 - s) θ_k + s θ_{k+1}) >= margin
//
// for parameters that go linearly from one frame to the next. Places between frames are added where conservative
// subdivision of the way finds too little room, until nothing passes through, at any speed. Where the motion without
// clearances passes through an obstacle, the way around that needs the least translation is tried first, then others. A
// motion that is clear without clearances is returned as it is, to the bit.
//
// Hard demands win where they contradict a clearance, and kept frames stay, clear or not. What is not clear is reported
// with the demands that contradict it. In all frames it is checked by obstacle/check.h, between them up to 1e-6 of the
// figure's length.
//
// Everything that carries a capsule may move, whatever the chain of a demand. Rejected: what solve_motion() and
// Problem::add_clearance reject.
Expected<ClearedMotion> solve_clear_motion(const TimedProblem& problem, const Clip& given,
                                           const std::vector<Clearance>& clearances, const MotionOptions& options = {});

}  // namespace limber
