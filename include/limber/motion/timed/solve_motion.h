// A motion that keeps what is asked of it over time, and else stays near the one that is given.     W93 6.3, Fig. 6.5
//
// All frames are solved together. With δ_k = φ_k - φ̄_k, how far frame k is from the given one in the variables of an
// Assembly (angles, lengths in lengths of the figure), d the stiffness of each, h the frame time:
//
//   min  g Σ_k ( ‖D^½ δ_k‖² + (τ/h)⁴ ‖D^½ (δ_{k-1} - 2 δ_k + δ_{k+1})‖² ) + Σ_k Σ_i w_i(t_k) ‖r_i(φ_k)‖² / ℓ²
//   where r_i(φ_k) = 0 for what must hold and is wholly in force, and every frame keeps all limits.
//
// The second term makes the change smooth: what a constraint does to the motion begins about τ before it and fades
// about τ after it, whatever its easing. Gauss-Newton: every frame's Hessian is dense, frames couple by diagonals with
// the next two (timed/band.h), so that a step costs O(frames · n³) and memory is linear in frames. What must hold, and
// rows of limits, by multipliers (Hestenes 1969, Powell 1969); box limits by projection (Bertsekas 1982).
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
  double max_error = 0.0;  // of what must hold, in lengths of the figure
};

struct MotionOptions {
  double guide = 1e-4;        // g: what staying near the given motion weighs, against weights of 1
  double smooth_time = 0.15;  // τ, seconds
  int iterations = 30;        // at most
  double exact = 1e-8;        // what must hold is off by no more in the end, in lengths of the figure
  // A demand that must hold counts as met where what is left is at most this, in every frame in which it is wholly in
  // force; one that has a weight, which the given motion pulls at, ten times as much.
  double met_metres = 1e-4;
  double met_degrees = 0.1;
  // Frames that stay as they are given, where they keep the limits: keys.
  std::vector<int> kept = {};
  // Called after every iteration; false cancels, and the motion is as far as it is.
  std::function<bool(const MotionProgress&)> observer = {};
};

inline constexpr double soft_slack = 10.0;

struct DemandReport {
  std::string name;
  int frames = 0;        // in which it is wholly in force
  GoalError error = {};  // at most, in these
  int worst = -1;        // frame
  bool met = true;

  void take(int frame, const GoalError& distance);
};

struct MotionReport {
  Exit exit = Exit::converged;
  int iterations = 0;
  int variables = 0;                       // a frame
  std::vector<DemandReport> demands = {};  // in the order of the problem

  bool met() const;
};

struct SolvedMotion {
  Clip clip;
  MotionReport report;
};

// Rejected: a motion that is not one of the problem's figure or has no frame, and options out of range. Every pose of
// the answer keeps all limits, also where the given motion does not.
Expected<SolvedMotion> solve_motion(const TimedProblem& problem, const Clip& given, const MotionOptions& options = {});

}  // namespace limber
