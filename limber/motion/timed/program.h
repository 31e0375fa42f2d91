// The program of timed/solve_motion.h for all frames, or for a single one. Private to motion/timed/.
//
// Gauss-Newton on
//
//   ½ Σ_k ( g ‖D^½ δ_k‖² + Σ_i ‖r_i‖²_{W_i} + Σ_locks (W ‖r‖² + 2 λᵀr) )
//     + ½ g (τ/h)⁴ Σ_k ‖D^½ (δ_{k-1} - 2 δ_k + δ_{k+1})‖²
//
// with multipliers λ for hard constraints and limit rows, updated to λ + W r near a minimum. Active bounds are fixed
// for a step (timed/active_bounds.h); steps are clamped to the bounds. If such a step does not decrease the merit, all
// variables on bounds are fixed; if that does not help, the step is damped.
//
// Contacts (motion_contacts.h) are inequalities v <= 0 with multipliers λ, as limit rows are: they add
// ½ W max(0, v + λ / W)² - λ² / 2W to the merit. Those that a step would run into have rows for that step (semismooth
// Newton method: Hintermüller, Ito and Kunisch 2002). λ has an upper bound, so that hard demands win where they
// contradict a contact.
#pragma once

#include <vector>

#include "limber/motion/timed/active_bounds.h"
#include "limber/motion/timed/band.h"
#include "limber/motion/timed/motion_contacts.h"
#include "limber/motion/timed/schedule.h"
#include "limber/motion/timed/solve_motion.h"
#include "limber/problem/figure_limits.h"

namespace limber {

class MotionProgram {
 public:
  MotionProgram(const TimedProblem& timed, double guide, double smooth_time);

  Schedule& schedule() { return schedule_; }
  int variables() const { return n_; }

  // The given motion, starting at `begin` seconds, projected onto the limits; the solve starts there. Rejected if a
  // moving goal is invalid.
  Expected<void> set_given(const Clip& given, double begin, const std::vector<int>& kept = {});
  const Clip& given() const { return given_; }
  // Starts from the given motion plus these changes of the variables, one column per frame; kept frames and those
  // without active demands stay as given.
  void start_from(const MatX& changes);
  MatX changes() const { return phi_ - base_; }

  // What keeps clear, from the next solve on; its stations are those of the frames. It must outlive this. Null:
  // nothing.
  void set_contacts(MotionContacts* contacts) { contacts_ = contacts; }
  // How far contacts are inside their margins after a solve, in metres; negative if none is.
  double shortfall() const;

  // Of the last solve: the largest error of hard constraints and limit rows, relative to the figure's length.
  double max_error() const { return max_error_; }

  // Whether a demand is hard; whether all that are fully active hold, by frame.
  bool has_locks() const { return must_rows_ > 0; }
  std::vector<char> held(double met_metres, double met_degrees);

  // The pose of a frame; valid until the next call.
  const VecX& pose(int k);
  void set_pose(int k, const VecX& theta);
  void set_change(int k, const VecX& change) { phi_.col(k) = base_.col(k) + change; }

  // Until the error of hard constraints is at most `exact`, relative to the figure's length, and a step is small. A
  // rough solve ends after larger steps: its result is where another one starts.
  enum class Accuracy { full, rough };
  // Penalties begin small, without multipliers; or a solve goes on from the last one with its multipliers, with the
  // largest penalty, or with a smaller one, to slide along contacts.
  enum class Begin { anew, there, sliding };
  void solve(int max_iterations, double exact, const std::function<bool(const MotionProgress&)>& observer,
             MotionReport& report, Accuracy accuracy = Accuracy::full, Begin begin = Begin::anew);
  // What a frame costs: its change and the errors of its active demands, hard ones with the largest penalty.
  double cost(int k);
  // The poses, and the error of each demand.
  void write(double met_metres, double met_degrees, Clip& clip, MotionReport& report);

 private:
  // A partially active demand: its rows are multiplied by the root of W(e).
  struct PartialWeight {
    MatX root;
  };
  // Of an equality or of an inequality v <= 0.
  static double row_merit(bool equality, double violation, double multiplier, double penalty);
  Assembly& assembly() { return schedule_.assembly(); }
  std::size_t at(int frame) const { return static_cast<std::size_t>(frame); }
  void weigh(int k);
  void couple();
  bool make_trial(const MatX& phi, BandRows& rows, const MatX& gradient, MotionContactList& found, double damping,
                  ActiveBounds::Stay stay);
  bool lowers_merit(double damping, double error, double& max_step);
  bool continue_trial(double damping, double error, double& max_step);
  bool leave_bounds();
  void start(Begin begin);
  bool step(double& damping, double& max_step);
  double assemble(const MatX& phi, BandRows& rows, MatX& gradient, MotionContactList& found);
  double assemble_frame(int k, const MatX& phi, BandRows& rows, MatX& gradient);
  double add_smoothness(const MatX& phi, MatX& gradient);
  double add_demand(int k, std::size_t entry, BandRows& rows, MatX& gradient);
  double add_limits(int k, const VecX& phi, BandRows& rows, MatX& gradient);
  void accept();
  const VecX& theta_at(const MotionContacts::Station& station, const MatX& phi);
  double add_contacts(const MatX& phi, BandRows& rows, MatX& gradient, MotionContactList& found);
  void add_row(const MotionContact& contact, Eigen::Map<const VecX> J, BandRows& rows) const;
  bool enter_contacts(MotionContactList& found, BandRows& rows);
  void accept_contacts();

  Schedule schedule_;
  FigureLimits limits_;  // of all parameters
  double smooth_time_;
  Clip given_;
  double begin_ = 0.0;
  int n_;
  int must_rows_;
  VecX stiffness_;                                              // g d, by variable
  double bend_ = 0.0;                                           // (τ/h)⁴
  std::vector<std::vector<ActiveDemand>> active_;               // by frame
  std::vector<std::vector<PartialWeight>> partial_;             // by frame; empty if all are fully active
  std::vector<char> kept_;                                      // by frame
  MatX base_, phi_, trial_, gradient_, trial_gradient_, step_;  // one column per frame
  BandRows rows_, trial_rows_;                                  // of the second derivative
  MatX multiplier_update_, multipliers_;                        // of hard constraints; the update divided by W
  MatX row_violation_, row_multipliers_;                        // of limit rows
  MotionContacts* contacts_ = nullptr;
  MotionContactList found_, trial_found_;  // at phi_ and at trial_
  MatX model_gradient_;                    // with the contacts that a step runs into
  double entered_merit_ = 0.0;
  ActiveBounds bounds_;
  Band band_;
  // W of the current merit and of the one it is compared with; the merit increase from one to the other.
  double penalty_ = 0.0, compared_penalty_ = 0.0, penalty_merit_ = 0.0;
  double last_penalty_ = 0.0;  // the largest W
  double merit_ = 0.0;
  double expected_ = 0.0;          // predicted decrease of the merit
  double multiplier_merit_ = 0.0;  // merit increase from the multiplier update
  double damping_ = 0.0;           // of the last step
  double exact_ = 0.0, small_step_ = 0.0;
  double max_error_ = 0.0;        // of hard constraints and limit rows
  bool is_damped_ = false;        // the last step: its size is not conclusive
  bool is_near_minimum_ = false;  // multipliers are updated
  bool is_fixing_all_ = false;    // variables on bounds, whatever their multipliers
  VecX x_, r_, theta_, next_theta_, delta_, force_;
  MatX J_;
};

}  // namespace limber
