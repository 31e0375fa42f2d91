#include "limber/motion/timed/solve_motion.h"

#include <algorithm>
#include <cassert>

#include "limber/base/number.h"
#include "limber/motion/timed/band.h"
#include "limber/motion/timed/schedule.h"
#include "limber/problem/figure_limits.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// W: what breaking a lock or a limit weighs before its multiplier has found its value, against weights of 1.
constexpr double penalty = 1e6;
// Solved where no variable moves further than this in a step, and what must hold is off by no more, both in radians or
// lengths of the figure.
constexpr double small_step = 1e-4;
constexpr double exact = 1e-8;
// Multipliers say something only near a least: from steps of this size on.
constexpr double near_step = 1e-3;
// A step that does not lower the merit is halved so often; then it is damped, by so much of the guide's weight first.
constexpr int most_halvings = 3;
constexpr double first_damping = 10.0, more_damping = 10.0, most_damping = 1e9;

// All frames as one program.
class WholeMotion {
 public:
  WholeMotion(const TimedProblem& timed, const Clip& given, const MotionOptions& options)
      : options_(options), schedule_(timed), given_(given), n_(schedule_.assembly().variables()) {}

  Expected<SolvedMotion> solve();

 private:
  Assembly& assembly() { return schedule_.assembly(); }
  Expected<void> prepare();
  void take_given();
  void couple();
  void iterate(MotionReport& report);
  bool step(double& damping, double& largest);
  double assemble(const MatX& phi);
  double assemble_frame(int k, const MatX& phi);
  double add_smoothness(const MatX& phi);
  double add_slot(int k, const InForce& entry, double* block);
  double add_rows(int k, const VecX& phi, double* block);
  void accept();
  void fix();
  void write(SolvedMotion& out);

  const MotionOptions& options_;
  Schedule schedule_;
  Clip given_;  // within all limits
  int n_;
  int must_rows_ = 0;
  VecX stiffness_;                              // g d, by variable
  double bend_ = 0.0;                           // (τ/h)⁴
  std::vector<std::vector<InForce>> in_force_;  // by frame
  std::vector<std::vector<double>> weights_;    // w(e), likewise, of what is partly in force
  std::vector<char> kept_;                      // by frame
  MatX base_, phi_, trial_, gradient_, step_;   // a column a frame
  MatX off_, multipliers_;                      // of what must hold
  MatX row_off_, row_multipliers_;              // of rows of limits
  Eigen::Array<char, Eigen::Dynamic, Eigen::Dynamic> fixed_;
  Band band_;
  double merit_ = 0.0;
  bool is_near_ = false;  // to a least: multipliers follow
  double largest_off_ = 0.0;
  VecX at_, r_;
  MatX J_;
};

Expected<void> WholeMotion::prepare() {
  const int frames = given_.frames();
  take_given();
  must_rows_ = assembly().level_ends().front();
  stiffness_ = schedule_.stiffness(options_.guide);
  bend_ = std::pow(options_.smooth_time / given_.frame_time, 4.0);

  for (std::size_t d = 0; d < schedule_.timed().demands().size(); ++d) {
    const Demand& demand = schedule_.timed().demands()[d];
    if (!demand.holds) continue;
    const double at = std::clamp(demand.span.from / given_.frame_time, 0.0, frames - 1.0);
    schedule_.hold(static_cast<int>(d), given_.poses.col(static_cast<int>(std::lround(at))));
  }
  in_force_.resize(static_cast<std::size_t>(frames));
  weights_.resize(in_force_.size());
  kept_.assign(in_force_.size(), 0);
  for (const int k : options_.kept) kept_[static_cast<std::size_t>(k)] = 1;
  base_.resize(n_, frames);
  for (int k = 0; k < frames; ++k) {
    std::vector<InForce>& entries = in_force_[static_cast<std::size_t>(k)];
    if (const Expected<void> known = schedule_.in_force(k * given_.frame_time, entries); !known) return known;
    assembly().variables_of(given_.poses.col(k), at_);
    base_.col(k) = at_;
    // The compliance of what is partly in force is that of the given pose.
    std::vector<double>& weights = weights_[static_cast<std::size_t>(k)];
    weights.assign(entries.size(), 0.0);
    if (std::all_of(entries.begin(), entries.end(), [](const InForce& entry) { return entry.wholly(); })) continue;
    schedule_.place(entries, given_.poses.col(k), at_);
    assembly().residual(at_, r_);
    assembly().jacobian(J_);
    for (std::size_t e = 0; e < entries.size(); ++e) weights[e] = schedule_.weight(entries[e], J_, stiffness_);
  }

  phi_ = base_;
  const Eigen::Index rows = static_cast<Eigen::Index>(assembly().limits().rows.size());
  multipliers_ = MatX::Zero(must_rows_, frames);
  row_multipliers_ = MatX::Zero(rows, frames);
  off_ = multipliers_;
  row_off_ = row_multipliers_;
  gradient_.resize(n_, frames);
  fixed_.resize(n_, frames);
  band_.resize(frames, n_);
  return {};
}

// The nearest poses that keep all limits.
void WholeMotion::take_given() {
  const Limits limits = limits_of(schedule_.problem().figure());
  for (int k = 0; k < given_.frames(); ++k) {
    VecX theta = given_.poses.col(k);
    make_feasible(limits, theta);
    given_.poses.col(k) = theta;
  }
}

// The rows of a slot: gradient, Hessian and merit. What must hold and does so wholly has a multiplier.
double WholeMotion::add_slot(int k, const InForce& entry, double* block) {
  const Assembly::RowRange rows = assembly().rows_of(entry.slot);
  const bool must = rows.begin < must_rows_, locked = must && entry.wholly();
  const std::size_t e = static_cast<std::size_t>(&entry - in_force_[static_cast<std::size_t>(k)].data());
  const double own =
      entry.wholly() ? schedule_.problem().constraints()[entry.slot].weight : weights_[static_cast<std::size_t>(k)][e];
  const double weight = locked ? penalty : own * schedule_.row_factor(entry.slot);
  const auto r = r_.segment(rows.begin, rows.count);
  const auto J = J_.middleRows(rows.begin, rows.count);
  Eigen::Map<MatX, 0, Eigen::OuterStride<>> H(block, n_, n_, Eigen::OuterStride<>(band_.stride()));
  H.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose(), weight);
  double merit = 0.5 * weight * r.squaredNorm();
  if (!locked) {
    gradient_.col(k).noalias() += weight * (J.transpose() * r);
    return merit;
  }
  const auto multipliers = multipliers_.col(k).segment(rows.begin, rows.count);
  merit += multipliers.dot(r);
  off_.col(k).segment(rows.begin, rows.count) = r;
  largest_off_ = std::fmax(largest_off_, r.cwiseAbs().maxCoeff());
  // With the multipliers that this point will have.
  gradient_.col(k).noalias() += J.transpose() * (multipliers + (is_near_ ? 2.0 : 1.0) * penalty * r);
  return merit;
}

// Rows of limits on several variables, likewise.
double WholeMotion::add_rows(int k, const VecX& phi, double* block) {
  const Limits& limits = assembly().limits();
  double merit = 0.0;
  for (std::size_t row = 0; row < limits.rows.size(); ++row) {
    const int limit = 2 * n_ + static_cast<int>(row);
    const double over = -limits.slack(limit, phi);
    row_off_(static_cast<Eigen::Index>(row), k) = over;
    const double multiplier = row_multipliers_(static_cast<Eigen::Index>(row), k);
    const bool equality = limits.rows[row].equality;
    const double force = multiplier + penalty * over;
    if (!equality && force <= 0.0) {
      merit -= 0.5 * multiplier * multiplier / penalty;
      continue;
    }
    merit += multiplier * over + 0.5 * penalty * over * over;
    const double later = is_near_ ? force + penalty * over : force;
    const double next = equality ? later : std::fmax(0.0, later);
    const Limits::Row& at = limits.rows[row];
    for (int a = at.begin; a < at.end; ++a) {
      gradient_(limits.column[a], k) += next * limits.coefficient[a];
      for (int b = at.begin; b < at.end; ++b)
        if (limits.column[a] >= limits.column[b])
          block[static_cast<std::ptrdiff_t>(limits.column[b]) * band_.stride() + limits.column[a]] +=
              penalty * limits.coefficient[a] * limits.coefficient[b];
    }
  }
  return merit;
}

double WholeMotion::assemble_frame(int k, const MatX& phi) {
  double* block = band_.block(k);
  std::fill(block, block + static_cast<std::ptrdiff_t>(band_.stride()) * band_.stride(), 0.0);
  const VecX off = phi.col(k) - base_.col(k);
  gradient_.col(k) = stiffness_.cwiseProduct(off);
  for (int i = 0; i < n_; ++i) block[static_cast<std::ptrdiff_t>(i) * (band_.stride() + 1)] = stiffness_[i];
  double merit = 0.5 * off.dot(gradient_.col(k));
  const std::vector<InForce>& entries = in_force_[static_cast<std::size_t>(k)];
  if (entries.empty() && row_off_.rows() == 0) return merit;
  schedule_.place(entries, given_.poses.col(k), at_);
  at_ = phi.col(k);
  if (!entries.empty()) {
    assembly().residual(at_, r_);
    assembly().jacobian(J_);
  }
  for (const InForce& entry : entries) merit += add_slot(k, entry, block);
  return merit + add_rows(k, at_, block);
}

// ½ g (τ/h)⁴ Σ ‖D (δ_{k-1} - 2 δ_k + δ_{k+1})‖².
double WholeMotion::add_smoothness(const MatX& phi) {
  double merit = 0.0;
  VecX bent(n_);
  for (int k = 1; k + 1 < given_.frames(); ++k) {
    bent = phi.col(k - 1) - base_.col(k - 1) - 2.0 * (phi.col(k) - base_.col(k)) + phi.col(k + 1) - base_.col(k + 1);
    const VecX force = bend_ * stiffness_.cwiseProduct(bent);
    merit += 0.5 * force.dot(bent);
    gradient_.col(k - 1) += force;
    gradient_.col(k) -= 2.0 * force;
    gradient_.col(k + 1) += force;
    for (int i = 0; i < n_; ++i) {
      const double s = bend_ * stiffness_[i];
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * (band_.stride() + 1);
      band_.block(k - 1)[at] += s;
      band_.block(k)[at] += 4.0 * s;
      band_.block(k + 1)[at] += s;
    }
  }
  return merit;
}

double WholeMotion::assemble(const MatX& phi) {
  double merit = 0.0;
  largest_off_ = 0.0;
  for (int k = 0; k < given_.frames(); ++k) merit += assemble_frame(k, phi);
  return merit + add_smoothness(phi);
}

// The couplings of the smoothness; what is fixed has none.
void WholeMotion::couple() {
  band_.next.setZero();
  band_.after.setZero();
  for (int k = 1; k + 1 < given_.frames(); ++k)
    for (int i = 0; i < n_; ++i) {
      const double s = bend_ * stiffness_[i];
      band_.next(i, k - 1) -= 2.0 * s;
      band_.next(i, k) -= 2.0 * s;
      band_.after(i, k - 1) += s;
    }
}

// Variables on a bound that the gradient pushes them against do not move, nor do those of frames that are kept.
void WholeMotion::fix() {
  const Limits& limits = assembly().limits();
  couple();
  for (int k = 0; k < given_.frames(); ++k)
    for (int i = 0; i < n_; ++i) {
      const bool fixed = kept_[static_cast<std::size_t>(k)] ||
                         (phi_(i, k) <= limits.lower[i] && gradient_(i, k) > 0.0) ||
                         (phi_(i, k) >= limits.upper[i] && gradient_(i, k) < 0.0);
      fixed_(i, k) = fixed;
      if (!fixed) continue;
      double* block = band_.block(k);
      const std::ptrdiff_t stride = band_.stride();
      for (int j = 0; j < i; ++j) block[j * stride + i] = 0.0;
      for (int j = i; j < n_; ++j) block[i * stride + j] = 0.0;
      block[i * (stride + 1)] = 1.0;
      band_.next(i, k) = 0.0;
      band_.after(i, k) = 0.0;
      if (k > 0) band_.next(i, k - 1) = 0.0;
      if (k > 1) band_.after(i, k - 2) = 0.0;
    }
}

// The multipliers become what the gradient has been computed with, and the merit that of this point with them.
void WholeMotion::accept() {
  if (!is_near_) return;
  multipliers_ += penalty * off_;
  merit_ += penalty * off_.squaredNorm();
  for (int k = 0; k < given_.frames(); ++k)
    for (Eigen::Index row = 0; row < row_off_.rows(); ++row) {
      const double over = row_off_(row, k), old = row_multipliers_(row, k);
      const bool equality = assembly().limits().rows[static_cast<std::size_t>(row)].equality;
      const auto merit = [&](double multiplier) {
        const double force = multiplier + penalty * over;
        return !equality && force <= 0.0 ? -0.5 * multiplier * multiplier / penalty
                                         : multiplier * over + 0.5 * penalty * over * over;
      };
      const double next = equality ? old + penalty * over : std::fmax(0.0, old + penalty * over);
      merit_ += merit(next) - merit(old);
      row_multipliers_(row, k) = next;
    }
}

// One step of Gauss and Newton; false where none lowers the merit. `largest` is how far a variable moved.
bool WholeMotion::step(double& damping, double& largest) {
  const Limits& limits = assembly().limits();
  const MatX gradient = gradient_;
  for (;; damping = std::fmax(first_damping, more_damping * damping)) {
    if (damping > most_damping) return false;
    if (damping > 0.0) {
      is_near_ = false;
      assemble(phi_);
      gradient_ = gradient;
      for (int k = 0; k < given_.frames(); ++k)
        for (int i = 0; i < n_; ++i)
          band_.block(k)[static_cast<std::ptrdiff_t>(i) * (band_.stride() + 1)] += damping * stiffness_[i];
    }
    fix();
    step_ = gradient;
    for (int k = 0; k < given_.frames(); ++k)
      for (int i = 0; i < n_; ++i)
        if (fixed_(i, k)) step_(i, k) = 0.0;
    if (!band_.factor()) continue;
    band_.solve(step_);
    double part = 1.0;
    for (int halving = 0; halving <= most_halvings; ++halving, part *= 0.5) {
      trial_ = phi_ - part * step_;
      for (int k = 0; k < given_.frames(); ++k)
        trial_.col(k) = trial_.col(k).cwiseMax(limits.lower).cwiseMin(limits.upper);
      largest = (trial_ - phi_).cwiseAbs().maxCoeff();
      is_near_ = largest <= near_step;
      const double merit = assemble(trial_);
      if (!(merit <= merit_)) continue;
      merit_ = merit;
      phi_.swap(trial_);
      return true;
    }
  }
}

void WholeMotion::iterate(MotionReport& report) {
  merit_ = assemble(phi_);
  double damping = 0.0, largest = infinity;
  report.exit = Exit::iteration_limit;
  while (report.iterations < options_.iterations) {
    if (!step(damping, largest)) {
      report.exit = Exit::stalled;
      return;
    }
    accept();
    ++report.iterations;
    damping = damping > first_damping ? damping / (more_damping * more_damping) : 0.0;
    if (options_.observer && !options_.observer({report.iterations, options_.iterations, largest_off_})) {
      report.exit = Exit::cancelled;
      return;
    }
    if (largest <= small_step && largest_off_ <= exact) {
      report.exit = Exit::converged;
      return;
    }
  }
}

void WholeMotion::write(SolvedMotion& out) {
  const Figure& figure = schedule_.problem().figure();
  const Limits limits = limits_of(figure);
  out.clip = given_;
  for (const Demand& demand : schedule_.timed().demands()) out.report.demands.push_back({.name = demand.name});
  VecX theta;
  for (int k = 0; k < given_.frames(); ++k) {
    theta = given_.poses.col(k);
    at_ = phi_.col(k);
    assembly().theta_of(at_, theta);
    make_feasible(limits, theta);
    out.clip.poses.col(k) = theta;
    schedule_.place(in_force_[static_cast<std::size_t>(k)], theta, at_);
    assembly().evaluate_at(at_);
    for (const InForce& entry : in_force_[static_cast<std::size_t>(k)]) {
      if (!entry.wholly()) continue;
      DemandReport& demand = out.report.demands[static_cast<std::size_t>(entry.demand)];
      const Distance left = assembly().distance(entry.slot);
      ++demand.frames;
      const bool farther = left.metres.value_or(0.0) > demand.left.metres.value_or(-1.0) ||
                           left.radians.value_or(0.0) > demand.left.radians.value_or(-1.0);
      if (farther) demand.worst = k;
      if (left.metres) demand.left.metres = std::fmax(*left.metres, demand.left.metres.value_or(0.0));
      if (left.radians) demand.left.radians = std::fmax(*left.radians, demand.left.radians.value_or(0.0));
    }
  }
  for (DemandReport& demand : out.report.demands)
    demand.met = demand.left.metres.value_or(0.0) <= options_.met_metres &&
                 degrees(demand.left.radians.value_or(0.0)) <= options_.met_degrees;
}

Expected<SolvedMotion> WholeMotion::solve() {
  if (const Expected<void> ready = prepare(); !ready) return std::unexpected(ready.error());
  SolvedMotion out;
  out.report.variables = n_;
  if (n_ > 0) iterate(out.report);
  write(out);
  return out;
}

Expected<void> checked(const TimedProblem& problem, const Clip& given, const MotionOptions& options) {
  const std::string motion = given.name.empty() ? "motion" : "motion '" + given.name + "'";
  const auto parameters = static_cast<Eigen::Index>(problem.figure().parameters().size());
  if (given.frames() == 0) return refuse(motion, "no frame", "at least one");
  if (given.poses.rows() != parameters)
    return refuse(motion, std::to_string(given.poses.rows()) + " numbers a frame",
                  std::to_string(parameters) + ", the parameters of the figure");
  if (!given.poses.allFinite()) return refuse(motion, "a number that is not finite", "finite numbers");
  if (!(given.frame_time > 0.0 && std::isfinite(given.frame_time)))
    return refuse(motion, to_text(given.frame_time) + " s from frame to frame", "a number above 0");
  if (!(options.guide > 0.0 && std::isfinite(options.guide)))
    return refuse("guide", to_text(options.guide), "a finite number above 0");
  if (!(options.smooth_time >= 0.0 && std::isfinite(options.smooth_time)))
    return refuse("smooth_time", to_text(options.smooth_time) + " s", "a finite time, 0 or more");
  if (options.iterations < 0) return refuse("iterations", std::to_string(options.iterations), "0 or more");
  for (const int k : options.kept)
    if (k < 0 || k >= given.frames())
      return refuse("kept", "frame " + std::to_string(k), "a frame from 0 to " + std::to_string(given.frames() - 1));
  return {};
}

}  // namespace

bool MotionReport::met() const {
  return std::all_of(demands.begin(), demands.end(), [](const DemandReport& demand) { return demand.met; });
}

Expected<SolvedMotion> solve_motion(const TimedProblem& problem, const Clip& given, const MotionOptions& options) {
  if (const Expected<void> right = checked(problem, given, options); !right) return std::unexpected(right.error());
  return WholeMotion(problem, given, options).solve();
}

}  // namespace limber
