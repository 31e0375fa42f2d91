#include "limber/solver/residual/pseudoinverse.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "limber/solver/residual/integration.h"

namespace limber {

namespace {

// For the central differences of Manipulability: the cube root of the rounding, the usual balance of both errors.
constexpr double difference_step = 6e-6;
// A singular value below this part of the largest is 0 but for rounding.
constexpr double rank_tolerance = 1e-9;
// Poses beside the start whose rank is looked at: one of them is not singular.
constexpr int points_for_rank = 3;
// Why a variable is taken out.
constexpr char lower_met = 1, upper_met = 2;

bool supports(const LeastSquares& system, const Limits& limits, const MethodOptions& options,
              const PseudoinverseOptions& own) {
  return system.level_ends().size() == 2 && system.must_rows() == 0 && limits.rows.empty() && own.truncation > 0.0 &&
         own.truncation <= 1.0 && std::isfinite(own.damping) && own.damping >= 0.0 && own.longest_task_step > 0.0 &&
         std::isfinite(own.secondary_gain) && own.met >= 0.0 && own.halvings >= 0 && options.longest_step > 0.0;
}

}  // namespace

void Pseudoinverse::reserve(const LeastSquares& system, const Limits& limits) {
  const int n = limits.variables(), m = system.rows();
  for (TaskInverse* inverse : {&inverse_, &undamped_}) inverse->reserve(m, n);
  if (J_.rows() == m && J_.cols() == n) return;
  J_.resize(m, n);
  out_.assign(static_cast<std::size_t>(n), 0);
  for (VecX* v : {&r_, &task_}) v->resize(m);
  for (VecX* v : {&g_, &slope_, &v_, &d_, &x_trial_, &best_, &free_}) v->resize(n);
}

// H first: it may evaluate the system elsewhere, and the Jacobian at x is cheapest just after the residual there.
Pseudoinverse::Value Pseudoinverse::evaluate(const LeastSquares& system, const VecX& x, const PseudoinverseOptions& own,
                                             Loop& loop) {
  Value value;
  slope_.setZero();
  if (own.secondary) value.second = own.secondary_gain * (*own.secondary)(x, slope_);
  slope_ *= own.secondary_gain;
  system.residual(x, r_);
  loop.count_evaluation();
  value.square = r_.squaredNorm();
  return value;
}

// The inverses with all variables, at x.                                                         (3.9)
void Pseudoinverse::start_inverses(const PseudoinverseOptions& own) {
  is_damped_ = own.inverse == PseudoinverseOptions::Inverse::damped;
  inverse_.start(J_, is_damped_ ? 0.0 : own.truncation, is_damped_ ? own.damping : 0.0);
  inverse_.set_task(J_, task_);
  if (is_damped_ && own.secondary) undamped_.start(J_, own.truncation, 0.0);
}

// v_ += -(I - J⁺J) ∇H: the descent direction of H in the null space of the task.
void Pseudoinverse::add_free_part() {
  for (Eigen::Index i = 0; i < free_.size(); ++i) free_[i] = out_[static_cast<std::size_t>(i)] ? 0.0 : -slope_[i];
  (is_damped_ ? undamped_ : inverse_).project(free_);
  v_ += free_;
}

// The variable that first meets a limit on the way from x + d along v; of several at once the fastest.
Pseudoinverse::Hit Pseudoinverse::first_hit(const Limits& limits, const VecX& x) const {
  Hit hit{-1, infinity};
  for (int i = 0; i < limits.variables(); ++i) {
    if (out_[static_cast<std::size_t>(i)] || v_[i] == 0.0) continue;
    const double bound = v_[i] < 0.0 ? limits.lower[i] : limits.upper[i];
    const double after = std::fmax(0.0, (bound - x[i] - d_[i]) / v_[i]);
    if (after < hit.after ||
        (after == hit.after && std::isfinite(after) && std::fabs(v_[i]) > std::fabs(v_[hit.variable])))
      hit = {i, after};
  }
  return hit;
}

// The whole step d: straight until a limit is met, then on with the rest of the task, without that variable.
void Pseudoinverse::walk(const Limits& limits, const VecX& x, const PseudoinverseOptions& own) {
  std::fill(out_.begin(), out_.end(), 0);
  d_.setZero();
  double remaining = 1.0;  // of the step
  start_inverses(own);
  for (;;) {
    v_.setZero();
    inverse_.add_step(v_);
    if (own.secondary) add_free_part();
    const Hit hit = first_hit(limits, x);
    if (hit.variable < 0 || hit.after >= remaining) {
      d_ += remaining * v_;
      return;
    }
    d_ += hit.after * v_;
    d_[hit.variable] =
        (v_[hit.variable] < 0.0 ? limits.lower[hit.variable] : limits.upper[hit.variable]) - x[hit.variable];
    out_[static_cast<std::size_t>(hit.variable)] = v_[hit.variable] < 0.0 ? lower_met : upper_met;
    remaining -= hit.after;
    inverse_.remove(hit.variable);
    if (is_damped_ && own.secondary) undamped_.remove(hit.variable);
  }
}

// d = the projected downhill slope of ‖r‖², of the length that the linear model gives: t = ‖p‖² / ‖J p‖².
void Pseudoinverse::steepest(const Limits& limits, const VecX& x) {
  std::fill(out_.begin(), out_.end(), 0);
  for (int i = 0; i < limits.variables(); ++i) {
    const bool is_blocked = (x[i] <= limits.lower[i] && g_[i] > 0.0) || (x[i] >= limits.upper[i] && g_[i] < 0.0);
    d_[i] = is_blocked ? 0.0 : -g_[i];
  }
  task_.noalias() = J_ * d_;
  const double square = task_.squaredNorm();
  d_ *= square > 0.0 ? d_.squaredNorm() / square : 0.0;
}

// Along d_ to a point that is not worse: in x_trial_, with its value. Halved until there is one.
bool Pseudoinverse::search(const LeastSquares& system, const Limits& limits, const VecX& x, const Value& before,
                           const PseudoinverseOptions& own, Loop& loop, Value& value) {
  const double longest_step = loop.options().longest_step;
  const double moved = d_.cwiseAbs().maxCoeff();
  double part = moved > longest_step ? longest_step / moved : 1.0;
  for (int halving = 0; halving <= own.halvings; ++halving, part *= 0.5) {
    x_trial_ = x + part * d_;
    for (int i = 0; part == 1.0 && i < limits.variables(); ++i) {  // on the limit, not next to it
      if (out_[static_cast<std::size_t>(i)] == lower_met) x_trial_[i] = limits.lower[i];
      if (out_[static_cast<std::size_t>(i)] == upper_met) x_trial_[i] = limits.upper[i];
    }
    clamp_to_box(limits, x_trial_);
    if (x_trial_ == x) return false;
    value = evaluate(system, x_trial_, own, loop);
    if (std::isfinite(value.square) && std::isfinite(value.second) && !is_worse(value, before, own)) return true;
  }
  return false;
}

double Pseudoinverse::projected_gradient(const Limits& limits, const VecX& x) const {
  double largest = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    if ((x[i] <= limits.lower[i] && g_[i] > 0.0) || (x[i] >= limits.upper[i] && g_[i] < 0.0)) continue;
    largest = std::fmax(largest, 2.0 * std::fabs(g_[i]));
  }
  return largest;
}

bool Pseudoinverse::is_worse(const Value& now, const Value& before, const PseudoinverseOptions& own) {
  if (!own.secondary) return now.square > before.square;
  const double met = own.met * own.met;
  const double a = std::fmax(before.square, met), b = std::fmax(now.square, met);
  return a != b ? b > a : now.second > before.second;
}

Outcome Pseudoinverse::minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                                const PseudoinverseOptions& own, const Observer& observer) {
  assert(x.size() == limits.variables());
  if (!supports(system, limits, options, own)) return {.exit = Exit::rejected};
  reserve(system, limits);
  Loop loop(options, observer, &best_);

  clamp_to_box(limits, x);
  Value value = evaluate(system, x, own, loop);
  Value best = value;
  loop.start(value.square, std::isfinite(value.square) && std::isfinite(value.second), x);
  while (loop.runs()) {
    system.jacobian(x, J_);
    g_.noalias() = J_.transpose() * r_;
    if (!J_.allFinite() || !slope_.allFinite()) {
      loop.stop(loop.iterations() == 0 ? Exit::not_finite : Exit::stalled);
      break;
    }
    const double length = r_.norm();
    task_ = (length > own.longest_task_step ? -own.longest_task_step / length : -1.0) * r_;
    walk(limits, x, own);
    const double moved = d_.size() == 0 ? 0.0 : d_.cwiseAbs().maxCoeff();
    if (projected_gradient(limits, x) <= options.tolerance && (!own.secondary || moved <= options.tolerance)) {
      loop.stop(is_worse(value, best, own) ? Exit::stalled : Exit::converged);
      break;
    }
    if (!loop.next()) break;

    const Value before = value;
    if (!search(system, limits, x, before, own, loop, value)) {
      // Removed one by one, all useful variables may be gone. The gradient step does not have this problem.
      steepest(limits, x);
      if (!search(system, limits, x, before, own, loop, value)) {
        loop.stop(Exit::stalled);
        break;
      }
    }
    x.swap(x_trial_);
    if (!is_worse(value, best, own)) {
      best = value;
      loop.keep(value.square, x);
    }
    loop.observe(value.square, x);
  }
  return loop.finish(x);
}

double RangeAvailability::operator()(const VecX& x, VecX& gradient) const {
  double sum = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    gradient[i] = 0.0;
    const double half = 0.5 * (limits.upper[i] - limits.lower[i]);
    if (!std::isfinite(half) || !(half > 0.0)) continue;
    const double off = (x[i] - (limits.lower[i] + half)) / half;
    sum += 0.5 * off * off;
    gradient[i] = off / half;
  }
  return sum;
}

double Comfort::operator()(const VecX& x, VecX& gradient) const {
  gradient = x - pose;
  return 0.5 * gradient.squaredNorm();
}

void Manipulability::start(const LeastSquares& system, const Limits& limits, const VecX& x) {
  system_ = system;
  limits_ = &limits;
  const int m = system.rows() - system.must_rows(), n = limits.variables();
  svd_.reserve(std::max(m, n), std::min(m, n));
  largest_.resize(static_cast<std::size_t>(std::min(m, n)));
  J_.resize(system.rows(), n);
  for (MatX* M : {&J_rows_, &J_change_, &inverse_}) M->resize(m, n);
  r_.resize(system.rows());
  rank_ = 0;
  for (int k = 0; k <= points_for_rank; ++k) {
    x_ = x;
    for (int i = 0; k > 0 && i < n; ++i)  // points that no symmetry of the figure singles out
      x_[i] = std::clamp(x[i] + 0.5 * std::sin(1.0 + 12.9898 * (i + 1) * k), limits.lower[i], limits.upper[i]);
    decompose(x_);
    const double min_sigma = rank_tolerance * svd_.largest();
    const auto rank = std::ranges::count_if(svd_.sigma, [&](double sigma) { return sigma > min_sigma; });
    rank_ = std::max(rank_, static_cast<int>(rank));
  }
  decompose(x);
  const double size = product();
  usual_gain_ = size > 0.0 && std::isfinite(1.0 / size) ? 1.0 / size : 1.0;
}

// Leaves the rows in J_rows_, and the places of the singular values in their order.
void Manipulability::decompose(const VecX& x) {
  system_->residual(x, r_);
  system_->jacobian(x, J_);
  J_rows_ = J_.bottomRows(J_rows_.rows());
  if (J_rows_.rows() <= J_rows_.cols())
    svd_.W = J_rows_.transpose();
  else
    svd_.W = J_rows_;
  svd_.compute();
  std::iota(largest_.begin(), largest_.end(), 0);
  std::sort(largest_.begin(), largest_.end(), [this](int a, int b) { return svd_.sigma[a] > svd_.sigma[b]; });
}

double Manipulability::product() {
  double product = 1.0;
  for (int k = 0; k < rank_; ++k) product *= svd_.sigma[largest_[static_cast<std::size_t>(k)]];
  return product;
}

double Manipulability::operator()(const VecX& x, VecX& gradient) {
  decompose(x);
  const double value = -product();
  // (J⁺)ᵀ over the singular values that count.
  inverse_.setZero();
  const double min_sigma = rank_tolerance * svd_.largest();
  const bool wide = J_rows_.rows() <= J_rows_.cols();
  for (int k = 0; k < rank_; ++k) {
    const int j = largest_[static_cast<std::size_t>(k)];
    const double sigma = svd_.sigma[j];
    if (!(sigma > min_sigma)) continue;
    const auto left = wide ? svd_.V.col(j) : svd_.W.col(j), right = wide ? svd_.W.col(j) : svd_.V.col(j);
    for (Eigen::Index c = 0; c < inverse_.cols(); ++c) inverse_.col(c) += (right[c] / (sigma * sigma)) * left;
  }
  x_ = x;
  const Eigen::Index m = J_rows_.rows();
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double h = difference_step * std::fmax(1.0, std::fabs(x[i]));
    const double after = std::fmin(x[i] + h, limits_->upper[i]), before = std::fmax(x[i] - h, limits_->lower[i]);
    gradient[i] = 0.0;
    if (!(after > before)) continue;
    x_[i] = after;
    system_->residual(x_, r_);
    system_->jacobian(x_, J_);
    J_change_ = J_.bottomRows(m);
    x_[i] = before;
    system_->residual(x_, r_);
    system_->jacobian(x_, J_);
    J_change_ -= J_.bottomRows(m);
    x_[i] = x[i];
    gradient[i] = value * inverse_.cwiseProduct(J_change_).sum() / (after - before);
  }
  return value;
}

}  // namespace limber
