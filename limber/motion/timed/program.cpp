#include "limber/motion/timed/program.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "limber/base/symmetric.h"
#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// W: penalty of a lock or a limit row until its multiplier converges, against weights of 1. It is small while lock
// errors are large, or steps would follow the curved constraint surface too closely to make progress. It grows by a
// factor per step, or until W r² is lock_value: a thousandth of a demand of weight 1 with an error of a third of the
// figure's length.
constexpr double min_penalty = 1.0, slow_growth = 10.0, fast_growth = 100.0, max_penalty = 1e6;
constexpr double large_step = 0.03;
constexpr double lock_value = 1e-4;
// Converged if no variable moves farther than this in a step, in radians or relative to the figure's length, and the
// hard constraints are met. A single frame is cheap, so its tolerance is smaller.
constexpr double small_step = 1e-3, single_frame_small_step = 1e-4, rough_step = 3e-2;
// Or if the predicted decrease is at most this fraction of the merit: in such a flat valley no difference is visible.
constexpr double small_gain = 3e-4;
// Hard constraints are stuck if max_stuck steps of at most stuck_step each leave more than slow_ratio of the error, and
// a visible one.
constexpr double slow_ratio = 0.9;
constexpr double visible = 1e-5;
constexpr int max_stuck = 3;
constexpr double stuck_step = 5e-3;
// All frames together are also stuck if a large error has not decreased by a percent in so many iterations.
constexpr int plateau = 16;
constexpr double plateau_ratio = 0.99;
// Lock errors above far_error, relative to the figure's length, are large; then variables start at this distance from
// their bounds, in radians and relative to their range.
constexpr double far_error = 1e-2, nudge = 0.1;
// Minimum compliance of a handle in any direction, relative to the mean.
constexpr double min_compliance = 0.03;
// Multipliers are meaningful only near a minimum: after undamped steps of at most this size, and for locks with at most
// this error; others cannot be met, and get as near as possible.
constexpr double near_step = 1e-3;
// A step is accepted if it decreases the merit by this fraction of the prediction.
constexpr double min_gain_ratio = 0.01;
// A rejected step is continued up to max_watchdog_steps times. Then all variables on bounds are fixed: for that step,
// or to the end if W is at its maximum. Then it is damped, first by this fraction of W. Damping is dropped at once
// while W grows, later step by step.
constexpr int max_watchdog_steps = 2;
constexpr double first_damping = 1e-3, damping_growth = 10.0, max_damping = 1e9, min_damping = 1e-6;

// Rows of a frame in the second derivative for contacts; more have none, which only costs steps. A step is computed
// anew this often for contacts that it would run into.
constexpr int max_contact_rows = 64, max_entering = 3;

// W of a solve that slides along contacts: a larger one would keep its steps short.
constexpr double sliding_penalty = 1e4;

// A step leaves an error of about its square.
double next_penalty(double penalty, double max_error, double step, double last_penalty) {
  const double error = std::fmax(max_error, step * step);
  const double growth = step > large_step ? slow_growth : fast_growth;
  return std::clamp(std::fmax(growth * penalty, lock_value / (error * error)), min_penalty, last_penalty);
}

// Whether a large error stays as large.
class Plateau {
 public:
  bool lasts(double error, int iteration, bool is_new) {
    if (is_new || error < plateau_ratio * error_) {
      error_ = error;
      begin_ = iteration;
    }
    return error > far_error && iteration - begin_ >= plateau;
  }

 private:
  double error_ = infinity;
  int begin_ = 0;
};

}  // namespace

double MotionProgram::row_merit(bool equality, double violation, double multiplier, double penalty) {
  return !equality && multiplier + penalty * violation <= 0.0
             ? -0.5 * multiplier * multiplier / penalty
             : multiplier * violation + 0.5 * penalty * violation * violation;
}

MotionProgram::MotionProgram(const TimedProblem& timed, double guide, double smooth_time)
    : schedule_(timed),
      limits_(timed.figure()),
      smooth_time_(smooth_time),
      n_(assembly().variables()),
      must_rows_(assembly().level_ends().front()),
      stiffness_(schedule_.stiffness(guide)) {}

Expected<void> MotionProgram::set_given(const Clip& given, double begin, const std::vector<int>& kept) {
  const int frames = given.frames();
  given_ = given;
  begin_ = begin;
  bend_ = std::pow(smooth_time_ / given_.frame_time, 4.0);
  active_.resize(at(frames));
  partial_.resize(at(frames));
  kept_.assign(at(frames), 0);
  for (const int k : kept) kept_[at(k)] = 1;
  base_.resize(n_, frames);
  schedule_.forget_moving();
  for (int k = 0; k < frames; ++k) {
    theta_ = given_.poses.col(k);
    limits_.project(theta_);
    given_.poses.col(k) = theta_;
    assembly().variables_of(theta_, x_);
    base_.col(k) = x_;
    if (const Expected<void> known = schedule_.active(begin_ + k * given_.frame_time, active_[at(k)]); !known)
      return known;
    weigh(k);
  }
  phi_ = base_;
  const Eigen::Index rows = static_cast<Eigen::Index>(assembly().limits().rows.size());
  multipliers_.resize(must_rows_, frames);
  row_multipliers_.resize(rows, frames);
  multiplier_update_.resize(must_rows_, frames);
  row_violation_.resize(rows, frames);
  gradient_.resize(n_, frames);
  trial_gradient_.resize(n_, frames);
  if (band_.frames() != frames) {
    band_.resize(frames, n_);
    for (BandRows* all : {&rows_, &trial_rows_})
      all->resize(frames, n_, assembly().residuals() + static_cast<int>(rows) + (contacts_ ? max_contact_rows : 0));
  }
  couple();
  return {};
}

void MotionProgram::start_from(const MatX& changes) {
  const Limits& limits = assembly().limits();
  for (int k = 0; k < given_.frames(); ++k)
    if (active_[at(k)].empty() || kept_[at(k)])
      phi_.col(k) = base_.col(k);
    else
      phi_.col(k) = (base_.col(k) + changes.col(k)).cwiseMax(limits.lower).cwiseMin(limits.upper);
}

// W(e) of partially active demands, at the given pose. The compliance of a handle depends on the other active demands;
// partially active ones are first weighed as if alone.
void MotionProgram::weigh(int k) {
  const std::vector<ActiveDemand>& entries = active_[at(k)];
  std::vector<PartialWeight>& partial = partial_[at(k)];
  partial.clear();
  if (std::all_of(entries.begin(), entries.end(), [](const ActiveDemand& entry) { return entry.is_full(); })) return;
  partial.resize(entries.size());
  schedule_.place(entries, given_.poses.col(k), x_);
  assembly().residual(x_, r_);
  assembly().jacobian(x_, J_);
  const auto rows_of = [&](std::size_t e) {
    const RowRange rows = assembly().rows_of(entries[e].slot);
    return J_.middleRows(rows.begin, rows.count);
  };
  // (1 / w + S (1 - e) / e)⁻¹, as the square of a root, for the rows of the assembly. S is J H⁻¹ Jᵀ, with a minimum
  // compliance in directions in which the handle does not move, or only to second order.
  const auto root = [&](std::size_t e, const MatX& H) {
    const auto J = rows_of(e);
    if (J.rows() == 0) return MatX();  // weight 0
    const double own = std::fmin(schedule_.problem().constraints()[entries[e].slot].weight, max_penalty);
    const double factor = schedule_.row_factor(entries[e].slot);
    MatX S = J * H.llt().solve(J.transpose()), V(S.rows(), S.cols());
    diagonalize(S, V);
    const double floor = min_compliance * S.diagonal().mean();
    const VecX compliance = (S.diagonal().array().square() + floor * floor).sqrt();
    const double part = (1.0 - entries[e].activity) / entries[e].activity;
    const VecX weights = (1.0 / (own * factor) + part * compliance.array()).inverse();
    return MatX(weights.cwiseSqrt().asDiagonal() * V.transpose());
  };
  const MatX guide = stiffness_.asDiagonal();
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (!entries[e].is_full()) partial[e].root = root(e, guide);
  const std::vector<PartialWeight> alone = partial;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].is_full()) continue;
    MatX H = guide;
    for (std::size_t other = 0; other < entries.size(); ++other) {
      if (other == e || rows_of(other).rows() == 0) continue;
      const double own = std::fmin(schedule_.problem().constraints()[entries[other].slot].weight, max_penalty);
      const MatX J = entries[other].is_full()
                         ? MatX(std::sqrt(own * schedule_.row_factor(entries[other].slot)) * rows_of(other))
                         : MatX(alone[other].root * rows_of(other));
      H.noalias() += J.transpose() * J;
    }
    partial[e].root = root(e, H);
  }
}

// The rows of a demand: gradient, Hessian and merit. A fully active hard demand has a multiplier.
double MotionProgram::add_demand(int k, std::size_t e, BandRows& weighted, MatX& gradient) {
  const ActiveDemand& entry = active_[at(k)][e];
  const RowRange rows = assembly().rows_of(entry.slot);
  if (rows.count == 0) return 0.0;  // weight 0
  const bool locked = rows.begin < must_rows_ && entry.is_full();
  if (!entry.is_full()) {
    const MatX& root = partial_[at(k)][e].root;
    r_.segment(rows.begin, rows.count) = root * r_.segment(rows.begin, rows.count).eval();
    J_.middleRows(rows.begin, rows.count) = root * J_.middleRows(rows.begin, rows.count).eval();
  }
  const double own = schedule_.problem().constraints()[entry.slot].weight;
  const double weight = locked ? penalty_ : entry.is_full() ? own * schedule_.row_factor(entry.slot) : 1.0;
  const auto r = r_.segment(rows.begin, rows.count);
  const auto J = J_.middleRows(rows.begin, rows.count);
  const double root = std::sqrt(weight);
  for (int row = 0; row < rows.count; ++row) Eigen::Map<Eigen::RowVectorXd>(weighted.add(k), n_) = root * J.row(row);
  double merit = 0.5 * (locked ? compared_penalty_ : weight) * r.squaredNorm();
  if (!locked) {
    gradient.col(k).noalias() += J.transpose() * (weight * r);
    return merit;
  }
  const auto multipliers = multipliers_.col(k).segment(rows.begin, rows.count);
  merit += multipliers.dot(r);
  const double error = r.cwiseAbs().maxCoeff();
  const bool updates = is_near_minimum_ && error <= near_step;
  auto update = multiplier_update_.col(k).segment(rows.begin, rows.count);
  if (error == 0.0 && J.isZero(0.0))
    update = multipliers / -penalty_;  // an inactive one-sided goal
  else if (updates)
    update = r;
  else
    update.setZero();
  if (updates) multiplier_merit_ += penalty_ * r.squaredNorm();
  penalty_merit_ += 0.5 * (penalty_ - compared_penalty_) * r.squaredNorm();
  max_error_ = std::fmax(max_error_, error);
  // With the multipliers after the update.
  gradient.col(k).noalias() += J.transpose() * (multipliers + (updates ? 2.0 : 1.0) * penalty_ * r);
  return merit;
}

// Limit rows, likewise.
double MotionProgram::add_limits(int k, const VecX& phi, BandRows& weighted, MatX& gradient) {
  const Limits& limits = assembly().limits();
  double merit = 0.0;
  for (std::size_t row = 0; row < limits.rows.size(); ++row) {
    const Limits::Row& limit = limits.rows[row];
    const double violation = -limits.slack(2 * n_ + static_cast<int>(row), phi);
    const double multiplier = row_multipliers_(static_cast<Eigen::Index>(row), k);
    row_violation_(static_cast<Eigen::Index>(row), k) = violation;
    max_error_ = std::fmax(max_error_, limit.equality ? std::fabs(violation) : violation);
    const double compared = row_merit(limit.equality, violation, multiplier, compared_penalty_);
    merit += compared;
    penalty_merit_ += row_merit(limit.equality, violation, multiplier, penalty_) - compared;
    const double force = multiplier + penalty_ * violation;
    if (!limit.equality && force <= 0.0) continue;
    const double updated = is_near_minimum_ ? force + penalty_ * violation : force;
    const double next = limit.equality ? updated : std::fmax(0.0, updated);
    Eigen::Map<VecX> all(weighted.add(k), n_);
    all.setZero();
    for (int a = limit.begin; a < limit.end; ++a) {
      gradient(limits.column[a], k) += next * limits.coefficient[a];
      all[limits.column[a]] = std::sqrt(penalty_) * limits.coefficient[a];
    }
  }
  return merit;
}

double MotionProgram::assemble_frame(int k, const MatX& phi, BandRows& rows, MatX& gradient) {
  rows.clear(k);
  delta_ = phi.col(k) - base_.col(k);
  gradient.col(k) = stiffness_.cwiseProduct(delta_);
  double merit = 0.5 * delta_.dot(gradient.col(k));
  const std::vector<ActiveDemand>& entries = active_[at(k)];
  // Demands on kept frames change nothing and do not affect convergence.
  if (kept_[at(k)] || (entries.empty() && row_violation_.rows() == 0)) return merit;
  schedule_.place(entries, given_.poses.col(k), x_);
  x_ = phi.col(k);
  if (!entries.empty()) {
    assembly().residual(x_, r_);
    assembly().jacobian(x_, J_);
  }
  for (std::size_t e = 0; e < entries.size(); ++e) merit += add_demand(k, e, rows, gradient);
  return merit + add_limits(k, x_, rows, gradient);
}

// ½ g (τ/h)⁴ Σ ‖D^½ (δ_{k-1} - 2 δ_k + δ_{k+1})‖².
double MotionProgram::add_smoothness(const MatX& phi, MatX& gradient) {
  double merit = 0.0;
  for (int k = 1; k + 1 < given_.frames(); ++k) {
    delta_ = phi.col(k - 1) - base_.col(k - 1) - 2.0 * (phi.col(k) - base_.col(k)) + phi.col(k + 1) - base_.col(k + 1);
    force_ = bend_ * stiffness_.cwiseProduct(delta_);
    merit += 0.5 * force_.dot(delta_);
    gradient.col(k - 1) += force_;
    gradient.col(k) -= 2.0 * force_;
    gradient.col(k + 1) += force_;
  }
  return merit;
}

// The merit, its gradient, and the rows whose square is its second derivative apart from couple().
double MotionProgram::assemble(const MatX& phi, BandRows& rows, MatX& gradient, MotionContactList& found) {
  double merit = 0.0;
  penalty_merit_ = 0.0;
  multiplier_merit_ = 0.0;
  max_error_ = 0.0;
  for (int k = 0; k < given_.frames(); ++k) merit += assemble_frame(k, phi, rows, gradient);
  if (contacts_) merit += add_contacts(phi, rows, gradient, found);
  return merit + add_smoothness(phi, gradient);
}

// The constant part of the second derivative: guide and smoothness.
void MotionProgram::couple() {
  band_.next.setZero();
  band_.after.setZero();
  band_.diagonal = stiffness_.replicate(1, given_.frames());
  for (int k = 1; k + 1 < given_.frames(); ++k) {
    band_.diagonal.col(k - 1) += bend_ * stiffness_;
    band_.diagonal.col(k) += 4.0 * bend_ * stiffness_;
    band_.diagonal.col(k + 1) += bend_ * stiffness_;
    band_.next.col(k - 1) -= 2.0 * bend_ * stiffness_;
    band_.next.col(k) -= 2.0 * bend_ * stiffness_;
    band_.after.col(k - 1) += bend_ * stiffness_;
  }
}

// Updates the multipliers, which the gradient already includes, and the merit accordingly.
void MotionProgram::accept() {
  multipliers_ += penalty_ * multiplier_update_;
  merit_ += multiplier_merit_;
  if (!is_near_minimum_) return;
  if (contacts_) accept_contacts();
  for (int k = 0; k < given_.frames(); ++k)
    for (Eigen::Index row = 0; row < row_violation_.rows(); ++row) {
      const double violation = row_violation_(row, k), old = row_multipliers_(row, k);
      const bool equality = assembly().limits().rows[static_cast<std::size_t>(row)].equality;
      const double next = equality ? old + penalty_ * violation : std::fmax(0.0, old + penalty_ * violation);
      merit_ += row_merit(equality, violation, next, penalty_) - row_merit(equality, violation, old, penalty_);
      row_multipliers_(row, k) = next;
    }
}

// Clamps the trial to the bounds, and accepts it if it decreases the merit.
bool MotionProgram::lowers_merit(double damping, double error, double& max_step) {
  const Limits& limits = assembly().limits();
  for (int k = 0; k < given_.frames(); ++k) trial_.col(k) = trial_.col(k).cwiseMax(limits.lower).cwiseMin(limits.upper);
  max_step = (trial_ - phi_).cwiseAbs().maxCoeff();
  penalty_ = next_penalty(compared_penalty_, error, max_step, last_penalty_);
  is_damped_ = damping > first_damping * compared_penalty_;
  is_near_minimum_ = !is_damped_ && max_step <= near_step;
  const double merit = assemble(trial_, trial_rows_, trial_gradient_, trial_found_);
  if (!(merit <= merit_ - min_gain_ratio * expected_)) return false;
  merit_ = merit + penalty_merit_;
  phi_.swap(trial_);
  gradient_.swap(trial_gradient_);
  std::swap(rows_, trial_rows_);
  std::swap(found_, trial_found_);
  return true;
}

// The trial point one step from phi, not clamped.
bool MotionProgram::make_trial(const MatX& phi, BandRows& rows, const MatX& gradient, MotionContactList& found,
                               double damping, ActiveBounds::Stay stay) {
  bounds_.fix(phi, stay, band_);
  step_ = gradient;
  if (!band_.solve(rows, damping, step_)) return false;
  model_gradient_ = gradient;
  entered_merit_ = 0.0;
  if (contacts_) {
    const BandRows::Mark own = rows.mark();
    bool is_solved = true;
    for (int k = 0; k < max_entering && is_solved && enter_contacts(found, rows); ++k) {
      step_ = model_gradient_;
      is_solved = band_.solve(rows, damping, step_);
    }
    if (is_solved) bounds_.update(phi, step_, model_gradient_, rows, band_);
    rows.reset(own);
    for (MotionContact& contact : found.contacts)
      if (contact.is_entered) contact.has_row = contact.is_entered = false;
    if (!is_solved) return false;
  } else {
    bounds_.update(phi, step_, gradient, rows, band_);
  }
  trial_ = phi - step_;
  return true;
}

// A long step along a curved lock, or a clamped one, ends off the lock, where the merit is higher. Before it is
// rejected it continues from there (watchdog technique: Chamberlain, Powell, Lemarechal and Pedersen 1982).
bool MotionProgram::continue_trial(double damping, double error, double& max_step) {
  for (int k = 0; k < max_watchdog_steps; ++k) {
    if (!make_trial(trial_, trial_rows_, trial_gradient_, trial_found_, 0.0, ActiveBounds::Stay::on_bound))
      return false;
    if (lowers_merit(damping, error, max_step)) return true;
  }
  return false;
}

// One Levenberg-Marquardt step; false if none decreases the merit. `max_step` is the max_step change of a variable; on
// failure it is that of the whole step if small and the hard constraints are met, else infinite.
bool MotionProgram::step(double& damping, double& max_step) {
  const double error = max_error_;
  compared_penalty_ = penalty_;
  const bool is_last = compared_penalty_ == last_penalty_;
  if (!is_last) is_fixing_all_ = false;
  for (;;) {
    const bool releases = !is_fixing_all_ && bounds_.releases(phi_);
    const ActiveBounds::Stay stay = is_fixing_all_ ? ActiveBounds::Stay::on_bound : ActiveBounds::Stay::pushed;
    if (make_trial(phi_, rows_, gradient_, found_, damping, stay)) {
      expected_ = std::fmax(0.0, 0.5 * model_gradient_.cwiseProduct(step_).sum() - entered_merit_);
      const bool is_lower = lowers_merit(damping, error, max_step);
      if (!is_lower && damping == 0.0 && max_step <= small_step_ && error <= exact_)
        return false;  // converged to rounding
      if (is_lower || ((must_rows_ > 0 || contacts_) && continue_trial(damping, error, max_step))) {
        damping_ = damping;
        damping = damping > (is_last ? min_damping : first_damping) * penalty_ ? damping / damping_growth : 0.0;
        return true;
      }
    }
    is_fixing_all_ = true;
    if (releases) continue;
    damping = std::fmax(first_damping * compared_penalty_, damping_growth * damping);
    if (damping > max_damping) {
      max_step = infinity;
      return false;
    }
  }
}

// The gradient does not show that a straight knee at its limit could bring a foot nearer: if lock errors are large,
// variables on bounds start slightly inside. False if nothing changed.
bool MotionProgram::leave_bounds() {
  const Limits& limits = assembly().limits();
  bool changed = false;
  for (int k = 0; k < given_.frames(); ++k) {
    if (active_[at(k)].empty() || kept_[at(k)]) continue;
    for (int i = 0; i < n_; ++i) {
      const double distance = std::fmin(nudge, nudge * (limits.upper[i] - limits.lower[i]));
      if (phi_(i, k) < limits.lower[i] + distance)
        phi_(i, k) = limits.lower[i] + distance;
      else if (phi_(i, k) > limits.upper[i] - distance)
        phi_(i, k) = limits.upper[i] - distance;
      else
        continue;
      changed = true;
    }
  }
  return changed;
}

void MotionProgram::start(Begin begin) {
  is_near_minimum_ = false;
  for (MatX* start : {&multiplier_update_, &row_violation_}) start->setZero();
  last_penalty_ = begin == Begin::sliding ? sliding_penalty : max_penalty;
  penalty_ = compared_penalty_ = begin == Begin::anew ? min_penalty : last_penalty_;
  if (begin == Begin::anew) {
    multipliers_.setZero();
    row_multipliers_.setZero();
    if (contacts_) contacts_->forget_multipliers();
  }
  merit_ = assemble(phi_, rows_, gradient_, found_);
  if (begin == Begin::anew && max_error_ > far_error && leave_bounds())
    merit_ = assemble(phi_, rows_, gradient_, found_);
  bounds_.start(assembly().limits(), kept_, smooth_time_ > given_.frame_time, phi_, gradient_);
  is_fixing_all_ = false;
}

void MotionProgram::solve(int max_iterations, double exact, const std::function<bool(const MotionProgress&)>& observer,
                          MotionReport& report, Accuracy accuracy, Begin begin) {
  exact_ = exact;
  small_step_ = accuracy == Accuracy::rough ? rough_step : given_.frames() == 1 ? single_frame_small_step : small_step;
  report.variables = n_;
  report.exit = Exit::converged;
  if (n_ == 0) return;
  start(begin);
  double damping = 0.0, max_step = infinity, previous_error = infinity;
  int stuck = 0;
  Plateau plateau_of_error;
  report.exit = Exit::iteration_limit;
  while (report.iterations < max_iterations) {
    if (!step(damping, max_step)) {
      // A minimum for this W, where the locks are not met yet.
      if (max_error_ > exact_ && penalty_ < last_penalty_) {
        penalty_ = compared_penalty_ = last_penalty_;
        is_near_minimum_ = false;
        merit_ = assemble(phi_, rows_, gradient_, found_);
        damping = 0.0;
        continue;
      }
      report.exit = max_step <= small_step_ ? Exit::converged : Exit::stalled;
      return;
    }
    accept();
    ++report.iterations;
    if (observer && !observer({report.iterations, max_iterations, max_error_})) {
      report.exit = Exit::cancelled;
      return;
    }
    const bool is_flat_error = plateau_of_error.lasts(max_error_, report.iterations, penalty_ < last_penalty_);
    if (given_.frames() > 1 && !contacts_ && is_flat_error) {
      report.exit = Exit::stalled;
      return;
    }
    // Locks that cannot all be met are left as near as possible. Before multipliers are updated, or while steps are
    // damped, slow progress is not conclusive.
    const bool is_slow = is_near_minimum_ && damping_ == 0.0 && penalty_ == last_penalty_ &&
                         max_error_ > std::fmax(visible, slow_ratio * previous_error);
    stuck = is_slow ? stuck + 1 : 0;
    if (is_damped_) continue;
    const bool is_flat = given_.frames() > 1 && compared_penalty_ == last_penalty_ && max_error_ <= exact_ &&
                         expected_ <= small_gain * std::fabs(merit_);
    if (is_flat || (max_step <= small_step_ && max_error_ <= exact_) ||
        (max_step <= stuck_step && stuck >= max_stuck)) {
      report.exit = max_error_ <= exact_ ? Exit::converged : Exit::stalled;
      return;
    }
    previous_error = max_error_;
  }
}

const VecX& MotionProgram::pose(int k) {
  theta_ = given_.poses.col(k);
  if (phi_.col(k) == base_.col(k)) return theta_;  // unchanged to the bit, despite scaling
  x_ = phi_.col(k);
  assembly().theta_of(x_, theta_);
  limits_.project(theta_);
  return theta_;
}

void MotionProgram::set_pose(int k, const VecX& theta) {
  assembly().variables_of(theta, x_);
  phi_.col(k) = x_;
}

double MotionProgram::cost(int k) {
  delta_ = phi_.col(k) - base_.col(k);
  double sum = delta_.dot(stiffness_.cwiseProduct(delta_));
  const std::vector<ActiveDemand>& entries = active_[at(k)];
  if (entries.empty()) return sum;
  schedule_.place(entries, given_.poses.col(k), x_);
  x_ = phi_.col(k);
  assembly().residual(x_, r_);
  for (const ActiveDemand& entry : entries) {
    const RowRange rows = assembly().rows_of(entry.slot);
    const double weight = std::fmin(schedule_.problem().constraints()[entry.slot].weight, max_penalty);
    sum +=
        entry.activity * weight * schedule_.row_factor(entry.slot) * r_.segment(rows.begin, rows.count).squaredNorm();
  }
  return sum;
}

std::vector<char> MotionProgram::held(double met_metres, double met_degrees) {
  std::vector<char> out;
  out.reserve(static_cast<std::size_t>(given_.frames()));
  for (int k = 0; k < given_.frames(); ++k)
    out.push_back(schedule_.holds(active_[at(k)], pose(k), met_metres, met_degrees));
  return out;
}

void MotionProgram::write(double met_metres, double met_degrees, Clip& clip, MotionReport& report) {
  clip = given_;
  schedule_.begin_report(report);
  for (int k = 0; k < given_.frames(); ++k) {
    clip.poses.col(k) = pose(k);
    schedule_.report_frame(k, active_[at(k)], theta_, report);
  }
  schedule_.end_report(met_metres, met_degrees, report);
}

}  // namespace limber
