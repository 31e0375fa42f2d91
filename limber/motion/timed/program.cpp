#include "limber/motion/timed/program.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// W: what breaking a lock or a limit weighs before its multiplier has found its value, against weights of 1. As long as
// locks are far off it is small, or steps would follow the curved surfaces on which they hold too closely to get
// anywhere: it grows by a factor a step, or so that W r² is a thousandth of what a demand of weight 1 that is off by a
// third of the figure's length weighs.
constexpr double min_penalty = 1.0, slow_penalty = 10.0, more_penalty = 100.0, max_penalty = 1e6;
constexpr double large_step = 0.03;
constexpr double lock_value = 1e-4;
// Solved where no variable moves further than this in a step, in radians or lengths of the figure, and what must hold
// does. A single frame costs little.
constexpr double small_step = 1e-3, small_step_of_one = 1e-4;
// Or where a whole step was to gain no more than this part of the merit: along a valley that is so flat nobody sees
// where in it the answer is.
constexpr double small_gain = 3e-4;
// What must hold does not get nearer where so many steps, no longer than this, leave more than a part of
// what was off, and more than can be overlooked.
constexpr double slow = 0.9;
constexpr double visible = 1e-5;
constexpr int max_stuck = 3;
constexpr double stuck_step = 5e-3;
// Locks are far off at more than this, in lengths of the figure; then variables start so far from their bounds, in
// radians and in parts of their range.
constexpr double far_off = 1e-2, nudge = 0.1;
// A direction in which a handle hardly comes along counts as if it did by this part of the mean.
constexpr double stiffest = 0.03;
// Multipliers say something only near a least: from steps of this size on that are not damped, and for locks that are
// off by no more; others cannot hold, and get as near as they can.
constexpr double near_step = 1e-3;
// A step is taken where it lowers the merit by this part of what it promises.
constexpr double enough = 0.01;
// One that does not goes on so often from where it ends. Then all that is on a bound stays: for that step, or, where W
// is as large as it gets, to the end. Then it is damped, by this part of W first. What was needed once is given up at
// once as long as W grows, and then step by step.
constexpr int max_further = 2;
constexpr double first_damping = 1e-3, more_damping = 10.0, max_damping = 1e9, min_damping = 1e-6;

// A step of that size leaves what it was to mend off by about its square.
double next_penalty(double penalty, double max_off, double step) {
  const double off = std::fmax(max_off, step * step);
  const double more = step > large_step ? slow_penalty : more_penalty;
  return std::clamp(std::fmax(more * penalty, lock_value / (off * off)), min_penalty, max_penalty);
}

// What a row of limits that is broken by `over` adds to the merit.
double row_merit(bool equality, double over, double multiplier, double penalty) {
  return !equality && multiplier + penalty * over <= 0.0 ? -0.5 * multiplier * multiplier / penalty
                                                         : multiplier * over + 0.5 * penalty * over * over;
}

}  // namespace

MotionProgram::MotionProgram(const TimedProblem& timed, double guide, double smooth_time)
    : schedule_(timed),
      limits_(limits_of(timed.figure())),
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
  partly_.resize(at(frames));
  kept_.assign(at(frames), 0);
  for (const int k : kept) kept_[at(k)] = 1;
  base_.resize(n_, frames);
  schedule_.forget_moving();
  for (int k = 0; k < frames; ++k) {
    theta_ = given_.poses.col(k);
    make_feasible(limits_, theta_);
    given_.poses.col(k) = theta_;
    assembly().variables_of(theta_, at_);
    base_.col(k) = at_;
    if (const Expected<void> known = schedule_.active(begin_ + k * given_.frame_time, active_[at(k)]); !known)
      return known;
    weigh(k);
  }
  phi_ = base_;
  const Eigen::Index rows = static_cast<Eigen::Index>(assembly().limits().rows.size());
  multipliers_ = MatX::Zero(must_rows_, frames);
  row_multipliers_ = MatX::Zero(rows, frames);
  off_ = multipliers_;
  row_off_ = row_multipliers_;
  gradient_.resize(n_, frames);
  trial_gradient_.resize(n_, frames);
  if (band_.frames() != frames) {
    band_.resize(frames, n_);
    for (BandRows* all : {&rows_, &trial_rows_})
      all->resize(frames, n_, assembly().residuals() + static_cast<int>(rows));
  }
  couple();
  return {};
}

void MotionProgram::start_from(const MatX& changes) {
  const Limits& limits = assembly().limits();
  for (int k = 0; k < given_.frames(); ++k)
    if (!active_[at(k)].empty())
      phi_.col(k) = (base_.col(k) + changes.col(k)).cwiseMax(limits.lower).cwiseMin(limits.upper);
}

// W(e) of what is partly in force, at the given pose. How readily a handle comes along depends on what else is in
// force; what is partly so itself is first weighed as if it were alone.
void MotionProgram::weigh(int k) {
  const std::vector<ActiveDemand>& entries = active_[at(k)];
  std::vector<Partly>& partly = partly_[at(k)];
  partly.clear();
  if (std::all_of(entries.begin(), entries.end(), [](const ActiveDemand& entry) { return entry.wholly(); })) return;
  partly.resize(entries.size());
  schedule_.place(entries, given_.poses.col(k), at_);
  assembly().residual(at_, r_);
  assembly().jacobian(at_, J_);
  const auto rows_of = [&](std::size_t e) {
    const RowRange rows = assembly().rows_of(entries[e].slot);
    return J_.middleRows(rows.begin, rows.count);
  };
  // (1 / w + S (1 - e) / e)⁻¹, as the square of a root, for the rows of the assembly. S is J H⁻¹ Jᵀ, where the
  // directions in which the handle does not come along, or only by the square of an angle, count as stiff.
  const auto root = [&](std::size_t e, const MatX& H) {
    const auto J = rows_of(e);
    if (J.rows() == 0) return MatX();  // it weighs nothing
    const double own = std::fmin(schedule_.problem().constraints()[entries[e].slot].weight, max_penalty);
    const double factor = schedule_.row_factor(entries[e].slot);
    const Eigen::SelfAdjointEigenSolver<MatX> S(J * H.llt().solve(J.transpose()));
    const double stiff = stiffest * S.eigenvalues().mean();
    const VecX soft = (S.eigenvalues().array().square() + stiff * stiff).sqrt();
    const double part = (1.0 - entries[e].activity) / entries[e].activity;
    const VecX weights = (1.0 / (own * factor) + part * soft.array()).inverse();
    return MatX(weights.cwiseSqrt().asDiagonal() * S.eigenvectors().transpose());
  };
  const MatX guide = stiffness_.asDiagonal();
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (!entries[e].wholly()) partly[e].root = root(e, guide);
  const std::vector<Partly> alone = partly;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].wholly()) continue;
    MatX H = guide;
    for (std::size_t other = 0; other < entries.size(); ++other) {
      if (other == e || rows_of(other).rows() == 0) continue;
      const double own = std::fmin(schedule_.problem().constraints()[entries[other].slot].weight, max_penalty);
      const MatX J = entries[other].wholly()
                         ? MatX(std::sqrt(own * schedule_.row_factor(entries[other].slot)) * rows_of(other))
                         : MatX(alone[other].root * rows_of(other));
      H.noalias() += J.transpose() * J;
    }
    partly[e].root = root(e, H);
  }
}

// The rows of a demand: gradient, Hessian and merit. What must hold and does so wholly has a multiplier.
double MotionProgram::add_demand(int k, std::size_t e, BandRows& weighted, MatX& gradient) {
  const ActiveDemand& entry = active_[at(k)][e];
  const RowRange rows = assembly().rows_of(entry.slot);
  if (rows.count == 0) return 0.0;  // it weighs nothing
  const bool locked = rows.begin < must_rows_ && entry.wholly();
  if (!entry.wholly()) {
    const MatX& root = partly_[at(k)][e].root;
    r_.segment(rows.begin, rows.count) = root * r_.segment(rows.begin, rows.count).eval();
    J_.middleRows(rows.begin, rows.count) = root * J_.middleRows(rows.begin, rows.count).eval();
  }
  const double own = schedule_.problem().constraints()[entry.slot].weight;
  const double weight = locked ? penalty_ : entry.wholly() ? own * schedule_.row_factor(entry.slot) : 1.0;
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
  const double off = r.cwiseAbs().maxCoeff();
  const bool follows = is_near_ && off <= near_step;
  auto follow = off_.col(k).segment(rows.begin, rows.count);
  if (off == 0.0 && J.isZero(0.0))
    follow = multipliers / -penalty_;  // a goal with one side, on which it is: nothing pulls
  else if (follows)
    follow = r;
  else
    follow.setZero();
  if (follows) followed_merit_ += penalty_ * r.squaredNorm();
  more_merit_ += 0.5 * (penalty_ - compared_penalty_) * r.squaredNorm();
  max_off_ = std::fmax(max_off_, off);
  // With the multipliers that this point will have.
  gradient.col(k).noalias() += J.transpose() * (multipliers + (follows ? 2.0 : 1.0) * penalty_ * r);
  return merit;
}

// Rows of limits on several variables, likewise.
double MotionProgram::add_limits(int k, const VecX& phi, BandRows& weighted, MatX& gradient) {
  const Limits& limits = assembly().limits();
  double merit = 0.0;
  for (std::size_t row = 0; row < limits.rows.size(); ++row) {
    const Limits::Row& at = limits.rows[row];
    const double over = -limits.slack(2 * n_ + static_cast<int>(row), phi);
    const double multiplier = row_multipliers_(static_cast<Eigen::Index>(row), k);
    row_off_(static_cast<Eigen::Index>(row), k) = over;
    max_off_ = std::fmax(max_off_, at.equality ? std::fabs(over) : over);
    const double compared = row_merit(at.equality, over, multiplier, compared_penalty_);
    merit += compared;
    more_merit_ += row_merit(at.equality, over, multiplier, penalty_) - compared;
    const double force = multiplier + penalty_ * over;
    if (!at.equality && force <= 0.0) continue;
    const double later = is_near_ ? force + penalty_ * over : force;
    const double next = at.equality ? later : std::fmax(0.0, later);
    Eigen::Map<VecX> all(weighted.add(k), n_);
    all.setZero();
    for (int a = at.begin; a < at.end; ++a) {
      gradient(limits.column[a], k) += next * limits.coefficient[a];
      all[limits.column[a]] = std::sqrt(penalty_) * limits.coefficient[a];
    }
  }
  return merit;
}

double MotionProgram::assemble_frame(int k, const MatX& phi, BandRows& rows, MatX& gradient) {
  rows.clear(k);
  off_frame_ = phi.col(k) - base_.col(k);
  gradient.col(k) = stiffness_.cwiseProduct(off_frame_);
  double merit = 0.5 * off_frame_.dot(gradient.col(k));
  const std::vector<ActiveDemand>& entries = active_[at(k)];
  // What is asked of a frame that is kept changes nothing, and is not waited for.
  if (kept_[at(k)] || (entries.empty() && row_off_.rows() == 0)) return merit;
  schedule_.place(entries, given_.poses.col(k), at_);
  at_ = phi.col(k);
  if (!entries.empty()) {
    assembly().residual(at_, r_);
    assembly().jacobian(at_, J_);
  }
  for (std::size_t e = 0; e < entries.size(); ++e) merit += add_demand(k, e, rows, gradient);
  return merit + add_limits(k, at_, rows, gradient);
}

// ½ g (τ/h)⁴ Σ ‖D (δ_{k-1} - 2 δ_k + δ_{k+1})‖².
double MotionProgram::add_smoothness(const MatX& phi, MatX& gradient) {
  double merit = 0.0;
  for (int k = 1; k + 1 < given_.frames(); ++k) {
    off_frame_ =
        phi.col(k - 1) - base_.col(k - 1) - 2.0 * (phi.col(k) - base_.col(k)) + phi.col(k + 1) - base_.col(k + 1);
    force_ = bend_ * stiffness_.cwiseProduct(off_frame_);
    merit += 0.5 * force_.dot(off_frame_);
    gradient.col(k - 1) += force_;
    gradient.col(k) -= 2.0 * force_;
    gradient.col(k + 1) += force_;
  }
  return merit;
}

// The merit; its gradient, and the rows whose square is its second derivative but for what couple() sets.
double MotionProgram::assemble(const MatX& phi, BandRows& rows, MatX& gradient) {
  double merit = 0.0;
  more_merit_ = 0.0;
  followed_merit_ = 0.0;
  max_off_ = 0.0;
  for (int k = 0; k < given_.frames(); ++k) merit += assemble_frame(k, phi, rows, gradient);
  return merit + add_smoothness(phi, gradient);
}

// The guide and the smoothness: what of the second derivative is the same everywhere.
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

// The multipliers become what the gradient has been computed with, and the merit that of this point with them.
void MotionProgram::accept() {
  multipliers_ += penalty_ * off_;
  merit_ += followed_merit_;
  if (!is_near_) return;
  for (int k = 0; k < given_.frames(); ++k)
    for (Eigen::Index row = 0; row < row_off_.rows(); ++row) {
      const double over = row_off_(row, k), old = row_multipliers_(row, k);
      const bool equality = assembly().limits().rows[static_cast<std::size_t>(row)].equality;
      const double next = equality ? old + penalty_ * over : std::fmax(0.0, old + penalty_ * over);
      merit_ += row_merit(equality, over, next, penalty_) - row_merit(equality, over, old, penalty_);
      row_multipliers_(row, k) = next;
    }
}

// Takes the trial, cut off at the bounds, if it lowers the merit.
bool MotionProgram::lowers_merit(double damping, double off, double& largest) {
  const Limits& limits = assembly().limits();
  for (int k = 0; k < given_.frames(); ++k) trial_.col(k) = trial_.col(k).cwiseMax(limits.lower).cwiseMin(limits.upper);
  largest = (trial_ - phi_).cwiseAbs().maxCoeff();
  penalty_ = next_penalty(compared_penalty_, off, largest);
  is_damped_ = damping > first_damping * compared_penalty_;
  is_near_ = !is_damped_ && largest <= near_step;
  const double merit = assemble(trial_, trial_rows_, trial_gradient_);
  if (!(merit <= merit_ - enough * expected_)) return false;
  merit_ = merit + more_merit_;
  phi_.swap(trial_);
  gradient_.swap(trial_gradient_);
  std::swap(rows_, trial_rows_);
  return true;
}

// The trial one step on from there, not cut off.
bool MotionProgram::go_from(const MatX& phi, const BandRows& rows, const MatX& gradient, double damping,
                            ActiveBounds::Stay stay) {
  bounds_.hold(phi, stay, band_);
  step_ = gradient;
  if (!band_.solve(rows, damping, step_)) return false;
  bounds_.meet(phi, step_, gradient, rows, band_);
  trial_ = phi - step_;
  return true;
}

// A long step along a lock that is curved, or one that is cut off, ends beside the lock, where the merit is higher.
// Before it is given up it goes on from there (Chamberlain, Powell, Lemarechal and Pedersen 1982: a watchdog).
bool MotionProgram::goes_on(double damping, double off, double& largest) {
  for (int more = 0; more < max_further; ++more) {
    if (!go_from(trial_, trial_rows_, trial_gradient_, 0.0, ActiveBounds::Stay::on_bound)) return false;
    if (lowers_merit(damping, off, largest)) return true;
  }
  return false;
}

// One step of Levenberg and Marquardt; false where none lowers the merit. `largest` is how far a variable moved; where
// none lowers it, the whole step if that is small and what must hold does, else infinite.
bool MotionProgram::step(double& damping, double& largest) {
  const double off = max_off_;
  compared_penalty_ = penalty_;
  const bool is_last = compared_penalty_ == max_penalty;
  if (!is_last) is_staying_ = false;
  for (;;) {
    const bool lets_go = !is_staying_ && bounds_.lets_go(phi_);
    const ActiveBounds::Stay stay = is_staying_ ? ActiveBounds::Stay::on_bound : ActiveBounds::Stay::pushed;
    if (go_from(phi_, rows_, gradient_, damping, stay)) {
      expected_ = 0.5 * gradient_.cwiseProduct(step_).sum();
      const bool is_lower = lowers_merit(damping, off, largest);
      if (!is_lower && damping == 0.0 && largest <= small_step_ && off <= exact_)
        return false;  // only rounding is left
      if (is_lower || (must_rows_ > 0 && goes_on(damping, off, largest))) {
        damping_ = damping;
        damping = damping > (is_last ? min_damping : first_damping) * penalty_ ? damping / more_damping : 0.0;
        return true;
      }
    }
    is_staying_ = true;
    if (lets_go) continue;
    damping = std::fmax(first_damping * compared_penalty_, more_damping * damping);
    if (damping > max_damping) {
      largest = infinity;
      return false;
    }
  }
}

// A knee that is straight, and at its limit, does not look as if it could bring a foot nearer: where locks are far off,
// what stands on a bound starts a little within. False where nothing does.
bool MotionProgram::leave_bounds() {
  const Limits& limits = assembly().limits();
  bool any = false;
  for (int k = 0; k < given_.frames(); ++k) {
    if (active_[at(k)].empty() || kept_[at(k)]) continue;
    for (int i = 0; i < n_; ++i) {
      const double away = std::fmin(nudge, nudge * (limits.upper[i] - limits.lower[i]));
      if (phi_(i, k) < limits.lower[i] + away)
        phi_(i, k) = limits.lower[i] + away;
      else if (phi_(i, k) > limits.upper[i] - away)
        phi_(i, k) = limits.upper[i] - away;
      else
        continue;
      any = true;
    }
  }
  return any;
}

void MotionProgram::solve(int max_iterations, double exact, const std::function<bool(const MotionProgress&)>& observer,
                          MotionReport& report) {
  exact_ = exact;
  small_step_ = given_.frames() == 1 ? small_step_of_one : small_step;
  report.variables = n_;
  report.exit = Exit::converged;
  if (n_ == 0) return;
  is_near_ = false;
  penalty_ = compared_penalty_ = min_penalty;
  merit_ = assemble(phi_, rows_, gradient_);
  if (max_off_ > far_off && leave_bounds()) merit_ = assemble(phi_, rows_, gradient_);
  bounds_.start(assembly().limits(), kept_, smooth_time_ > given_.frame_time, phi_, gradient_);
  is_staying_ = false;
  double damping = 0.0, largest = infinity, off_before = infinity;
  int stuck = 0;
  report.exit = Exit::iteration_limit;
  while (report.iterations < max_iterations) {
    if (!step(damping, largest)) {
      // A least for this W, which does not hold the locks yet.
      if (max_off_ > exact_ && penalty_ < max_penalty) {
        penalty_ = compared_penalty_ = max_penalty;
        is_near_ = false;
        merit_ = assemble(phi_, rows_, gradient_);
        damping = 0.0;
        continue;
      }
      report.exit = largest <= small_step_ ? Exit::converged : Exit::stalled;
      return;
    }
    accept();
    ++report.iterations;
    if (observer && !observer({report.iterations, max_iterations, max_off_})) {
      report.exit = Exit::cancelled;
      return;
    }
    // Locks that cannot all hold are left where they are as near as they come; before multipliers follow, or where a
    // step is damped, that they do not come nearer says nothing.
    const bool is_slow =
        is_near_ && damping_ == 0.0 && penalty_ == max_penalty && max_off_ > std::fmax(visible, slow * off_before);
    stuck = is_slow ? stuck + 1 : 0;
    if (is_damped_) continue;
    const bool is_flat = given_.frames() > 1 && compared_penalty_ == max_penalty && max_off_ <= exact_ &&
                         expected_ <= small_gain * std::fabs(merit_);
    if (is_flat || (largest <= small_step_ && max_off_ <= exact_) || (largest <= stuck_step && stuck >= max_stuck)) {
      report.exit = max_off_ <= exact_ ? Exit::converged : Exit::stalled;
      return;
    }
    off_before = max_off_;
  }
}

void MotionProgram::write(double met_metres, double met_degrees, Clip& clip, MotionReport& report) {
  clip = given_;
  schedule_.begin_report(report);
  for (int k = 0; k < given_.frames(); ++k) {
    theta_ = given_.poses.col(k);
    if (phi_.col(k) != base_.col(k)) {  // else to the bit, whatever the scaling rounds to
      at_ = phi_.col(k);
      assembly().theta_of(at_, theta_);
      make_feasible(limits_, theta_);
    }
    clip.poses.col(k) = theta_;
    schedule_.report_frame(k, active_[at(k)], theta_, report);
  }
  schedule_.end_report(met_metres, met_degrees, report);
}

}  // namespace limber
