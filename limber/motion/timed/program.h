// The program of timed/solve_motion.h: all frames of a stretch of time, or a single one. Private to motion/timed/.
//
// Gauss and Newton on
//
//   ½ Σ_k ( g ‖D^½ δ_k‖² + Σ_i ‖r_i‖²_{W_i} + Σ_locks (W ‖r‖² + 2 λᵀr) ) + ½ g (τ/h)⁴ Σ_k ‖D^½ (δ_{k-1} - 2 δ_k +
//   δ_{k+1})‖²
//
// with multipliers λ for what must hold and for rows of limits, which follow as λ + W r near a least. A variable on a
// bound that pushes back stays there for a step (timed/active_bounds.h); steps are cut off at the bounds. Where such a
// step does not lower the merit, all that is on a bound stays; where that does not either, the step is damped.
#pragma once

#include <vector>

#include "limber/motion/timed/active_bounds.h"
#include "limber/motion/timed/band.h"
#include "limber/motion/timed/schedule.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

class MotionProgram {
 public:
  MotionProgram(const TimedProblem& timed, double guide, double smooth_time);

  Schedule& schedule() { return schedule_; }
  int variables() const { return n_; }

  // The motion that is given, from `begin` on in seconds, moved into the limits where it breaks them; the answer starts
  // there. Rejected where a goal that moves is not one.
  Expected<void> set_given(const Clip& given, double begin, const std::vector<int>& kept = {});
  const Clip& given() const { return given_; }
  // Starts instead from the given motion and these changes of the variables, a column a frame; where nothing is in
  // force there is nothing to change.
  void start_from(const MatX& changes);
  MatX changes() const { return phi_ - base_; }

  // Until what must hold is off by no more than `exact`, in lengths of the figure.
  void solve(int max_iterations, double exact, const std::function<bool(const MotionProgress&)>& observer,
             MotionReport& report);
  // The poses, and what is left of each demand.
  void write(double met_metres, double met_degrees, Clip& clip, MotionReport& report);

 private:
  // A demand that is partly in force: its rows are multiplied by the root of W(e).
  struct Partly {
    MatX root;
  };
  Assembly& assembly() { return schedule_.assembly(); }
  std::size_t at(int frame) const { return static_cast<std::size_t>(frame); }
  void weigh(int k);
  void couple();
  bool go_from(const MatX& phi, const BandRows& rows, const MatX& gradient, double damping, ActiveBounds::Stay stay);
  bool lowers_merit(double damping, double off, double& largest);
  bool goes_on(double damping, double off, double& largest);
  bool leave_bounds();
  bool step(double& damping, double& largest);
  double assemble(const MatX& phi, BandRows& rows, MatX& gradient);
  double assemble_frame(int k, const MatX& phi, BandRows& rows, MatX& gradient);
  double add_smoothness(const MatX& phi, MatX& gradient);
  double add_demand(int k, std::size_t entry, BandRows& rows, MatX& gradient);
  double add_limits(int k, const VecX& phi, BandRows& rows, MatX& gradient);
  void accept();

  Schedule schedule_;
  Limits limits_;  // of all parameters
  double smooth_time_;
  Clip given_;
  double begin_ = 0.0;
  int n_;
  int must_rows_;
  VecX stiffness_;                                              // g d, by variable
  double bend_ = 0.0;                                           // (τ/h)⁴
  std::vector<std::vector<ActiveDemand>> active_;               // by frame
  std::vector<std::vector<Partly>> partly_;                     // likewise; empty where all are wholly in force
  std::vector<char> kept_;                                      // by frame
  MatX base_, phi_, trial_, gradient_, trial_gradient_, step_;  // a column a frame
  BandRows rows_, trial_rows_;                                  // of the second derivative
  MatX off_, multipliers_;                                      // of what must hold; what the multipliers follow by
  MatX row_off_, row_multipliers_;                              // of rows of limits
  ActiveBounds bounds_;
  Band band_;
  // W of the merit that is assembled, and of the one that it is compared with; how much more it is by that.
  double penalty_ = 0.0, compared_penalty_ = 0.0, more_merit_ = 0.0;
  double merit_ = 0.0;
  double expected_ = 0.0;        // how much lower the step makes it, by its own equations
  double followed_merit_ = 0.0;  // how much higher it is with the multipliers that follow
  double damping_ = 0.0;         // of the last step
  double exact_ = 0.0, small_step_ = 0.0;
  double max_off_ = 0.0;
  bool is_damped_ = false;   // the last step: a small one says nothing
  bool is_near_ = false;     // to a least: multipliers follow
  bool is_staying_ = false;  // what is on a bound
  VecX at_, r_, theta_, off_frame_, force_;
  MatX J_;
};

}  // namespace limber
