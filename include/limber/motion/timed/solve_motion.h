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
#pragma once

#include <functional>
#include <vector>

#include "limber/motion/clip.h"
#include "limber/motion/timed/timed_problem.h"
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

  void take(int frame, const GoalError& distance);
};

struct MotionReport {
  Exit exit = Exit::converged;
  int iterations = 0;
  int variables = 0;                       // per frame
  std::vector<DemandReport> demands = {};  // in the order of the problem

  bool met() const;
};

struct SolvedMotion {
  Clip clip;
  MotionReport report;
};

// Rejected: a motion of another figure or without a frame, and options out of range. Every pose of the result respects
// all limits, even where the given motion does not.
Expected<SolvedMotion> solve_motion(const TimedProblem& problem, const Clip& given, const MotionOptions& options = {});

}  // namespace limber
