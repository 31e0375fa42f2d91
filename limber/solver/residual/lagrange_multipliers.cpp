#include "limber/solver/residual/lagrange_multipliers.h"

#include <algorithm>
#include <cassert>

namespace limber {

namespace {

// A variable nearer than this to a limit is put on it, in units of the larger of the limit and 1.
constexpr double touch = 1e-11;
// Shorter and shorter Runge-Kutta steps to meet a limit, before it is met by clamping.
constexpr int aims = 12;
// Two values of ‖r‖² nearer to each other than this part are alike.
constexpr double rounding = 1e-12;
// Halvings of a step towards numbers that are not finite.
constexpr int last_halving = 60;

bool supports(const LeastSquares& system, const Limits& limits, const MethodOptions& options,
              const LagrangeMultipliersOptions& own) {
  return system.level_ends().size() == 2 && limits.rows.empty() && is_gain(own.gain, limits.variables()) &&
         std::isfinite(own.step) && own.step > 0.0 && std::isfinite(own.k) && own.k >= 0.0 && own.fastest > 0.0 &&
         own.accuracy > 0.0 && own.truncation > 0.0 && own.truncation <= 1.0 && own.kept >= 0.0 && own.halvings >= 0 &&
         options.longest_step > 0.0;
}

double reach_of(double bound) { return std::isfinite(bound) ? touch * std::fmax(1.0, std::fabs(bound)) : 0.0; }

}  // namespace

void LagrangeMultipliers::reserve(const LeastSquares& system, const Limits& limits) {
  const int n = limits.variables(), m = system.rows(), c = system.must_rows();
  pair_.reserve(n);
  constraints_ = c;
  svd_.reserve(std::max(n, c), std::min(n, c));
  if (J_.rows() == m && J_.cols() == n && KJt_.cols() == c) return;
  J_.resize(m, n);
  J_start_.resize(m, n);
  KJt_.resize(n, c);
  out_.assign(static_cast<std::size_t>(n), 0);
  for (VecX* v : {&r_, &r_start_}) v->resize(m);
  for (VecX* v : {&C_, &lambda_, &b_, &y_}) v->resize(c);
  for (VecX* v : {&g_a_, &net_, &v_, &v0_, &d_, &d_stage_, &x_trial_, &best_, &gain_}) v->resize(n);
}

LagrangeMultipliers::Value LagrangeMultipliers::evaluate(const LeastSquares& system, const VecX& x, Loop& loop) {
  system.residual(x, r_);
  loop.count_evaluation();
  return {r_.head(constraints_).norm(), r_.tail(r_.size() - constraints_).squaredNorm()};
}

// J, C and g_a = -J_aᵀ r_a at x, where evaluate() has just been.
void LagrangeMultipliers::take_jacobian(const LeastSquares& system, const VecX& x) {
  system.jacobian(x, J_);
  const Eigen::Index rest = r_.size() - constraints_;
  C_ = r_.head(constraints_);
  g_a_.noalias() = -J_.bottomRows(rest).transpose() * r_.tail(rest);
}

void LagrangeMultipliers::free_all(const LagrangeMultipliersOptions& own) {
  for (std::size_t i = 0; i < out_.size(); ++i) {
    gain_[static_cast<Eigen::Index>(i)] = gain_of(own.gain, static_cast<int>(i));
    out_[i] = gain_[static_cast<Eigen::Index>(i)] == 0.0;
  }
}

// y = (J_c K J_cᵀ)⁺ b = V Σ⁻² Vᵀ b, where √K J_cᵀ = U Σ Vᵀ, the small singular values omitted.     W93 5.2.4
void LagrangeMultipliers::apply_inverse(const VecX& b, VecX& y, double truncation) {
  y.setZero();
  const double min_sigma = truncation * svd_.largest();
  const bool wide = is_wide();
  for (Eigen::Index i = 0; i < svd_.sigma.size(); ++i) {
    const double sigma = svd_.sigma[i], square = sigma * sigma;
    if (sigma <= min_sigma) continue;
    if (wide)
      y += (svd_.W.col(i).dot(b) / (square * square)) * svd_.W.col(i);  // σ times a column of V
    else
      y += (svd_.V.col(i).dot(b) / square) * svd_.V.col(i);
  }
}

// (5.5) to (5.7) over the variables that are not taken out.
void LagrangeMultipliers::solve(const LagrangeMultipliersOptions& own, VecX& v) {
  const auto J_c = J_.topRows(constraints_);
  const bool wide = is_wide();
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    const double K = out_[static_cast<std::size_t>(i)] ? 0.0 : gain_[i];
    v[i] = K * g_a_[i];
    const double root = std::sqrt(K);
    for (int c = 0; c < constraints_; ++c) {
      (wide ? svd_.W(c, i) : svd_.W(i, c)) = root * J_c(c, i);
      KJt_(i, c) = K * J_c(c, i);
    }
  }
  net_ = g_a_;
  if (constraints_ > 0) {
    svd_.compute();
    b_.noalias() = -J_c * v;
    apply_inverse(b_, lambda_, own.truncation);
    v.noalias() += KJt_ * lambda_;
    net_.noalias() += J_c.transpose() * lambda_;
    if (own.feedback == LagrangeMultipliersOptions::Feedback::projection)
      apply_inverse(C_, y_, own.truncation);
    else
      y_ = C_;
    y_ *= own.k;
    v.noalias() -= KJt_ * y_;
  }
  // All entries alike, so that the constraints stay kept.
  const double largest = v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff();
  if (largest > own.fastest) v *= own.fastest / largest;
}

// The variable that first meets a limit on the way from x + d along v, and when; of several at once the fastest.
LagrangeMultipliers::Hit LagrangeMultipliers::first_hit(const Limits& limits, const VecX& x, const VecX& d,
                                                        const VecX& v) const {
  Hit hit{-1, infinity};
  for (int i = 0; i < limits.variables(); ++i) {
    if (out_[static_cast<std::size_t>(i)] || v[i] == 0.0) continue;
    const double bound = v[i] < 0.0 ? limits.lower[i] : limits.upper[i];
    if (!std::isfinite(bound)) continue;
    const double distance = v[i] < 0.0 ? x[i] + d[i] - bound : bound - x[i] - d[i];
    const double after = distance <= reach_of(bound) ? 0.0 : distance / std::fabs(v[i]);
    if (!std::isfinite(after)) continue;
    if (after < hit.after || (after == hit.after && std::fabs(v[i]) > std::fabs(v[hit.variable]))) hit = {i, after};
  }
  return hit;
}

// q' at x, with the variables taken out that are on a limit and would go on.
void LagrangeMultipliers::velocity_within(const Limits& limits, const VecX& x, const LagrangeMultipliersOptions& own,
                                          VecX& v) {
  free_all(own);
  d_stage_.setZero();
  for (;;) {
    solve(own, v);
    const Hit hit = first_hit(limits, x, d_stage_, v);
    if (hit.variable < 0 || hit.after > 0.0) return;
    out_[static_cast<std::size_t>(hit.variable)] = 1;
  }
}

// Euler's step: straight until a limit is met, then on without that variable. The constraints are kept to first order
// all the way, since every piece keeps them. Leaves the change in d_.
void LagrangeMultipliers::walk(const Limits& limits, const VecX& x, double time, const MethodOptions& options,
                               const LagrangeMultipliersOptions& own) {
  free_all(own);
  d_.setZero();
  v_ = v0_;
  for (bool first = true;; first = false) {
    if (!first) solve(own, v_);
    const double speed = v_.cwiseAbs().maxCoeff();
    if (!(speed > 0.0)) return;
    time = std::fmin(time, (options.longest_step - d_.cwiseAbs().maxCoeff()) / speed);
    if (!(time > 0.0)) return;
    const Hit hit = first_hit(limits, x, d_, v_);
    if (hit.variable < 0 || hit.after >= time) {
      d_ += time * v_;
      return;
    }
    d_ += hit.after * v_;
    const double bound = v_[hit.variable] < 0.0 ? limits.lower[hit.variable] : limits.upper[hit.variable];
    d_[hit.variable] = bound - x[hit.variable];
    out_[static_cast<std::size_t>(hit.variable)] = 1;
    time -= hit.after;
  }
}

// One Runge-Kutta step of at most h_ that ends at the first limit that it meets. Leaves the change in d_ and the step
// for the next iteration in `next`.
bool LagrangeMultipliers::follow(const LeastSquares& system, const Limits& limits, const VecX& x,
                                 const LagrangeMultipliersOptions& own, Loop& loop, double& next) {
  const double longest_step = loop.options().longest_step;
  const auto velocity = [&](const VecX& at, VecX& v) {
    evaluate(system, at, loop);
    take_jacobian(system, at);
    velocity_within(limits, at, own, v);
  };
  double unhindered = 0.0;
  for (int aim = 0;;) {
    const double error = pair_(limits, x, v0_, h_, own.accuracy, velocity, d_);
    if (!(error <= 1.0)) {
      h_ *= CashKarp::next(error);
      if (!(h_ * v0_.cwiseAbs().maxCoeff() > std::numeric_limits<double>::min())) return false;
      continue;
    }
    if (unhindered == 0.0) unhindered = h_ * CashKarp::next(error);
    next = unhindered;
    const double length = d_.cwiseAbs().maxCoeff();
    double part = length > longest_step ? 0.9 * longest_step / length : 1.0;
    for (int i = 0; i < limits.variables(); ++i) {
      const double bound = d_[i] < 0.0 ? limits.lower[i] : limits.upper[i];
      const double over = d_[i] < 0.0 ? bound - (x[i] + d_[i]) : x[i] + d_[i] - bound;
      if (over > reach_of(bound) && x[i] != bound) part = std::fmin(part, std::fabs(bound - x[i]) / std::fabs(d_[i]));
    }
    if (part >= 1.0 || ++aim > aims) {
      d_ = d_.cwiseMax(-longest_step).cwiseMin(longest_step);
      return true;
    }
    h_ *= part;
  }
}

// Constraints first; up to `kept` they count as equal. Then a point is worse if no part is better and one is worse.
bool LagrangeMultipliers::is_worse(const Value& now, const Value& before, double kept) {
  const double a = std::fmax(before.constraints, kept), b = std::fmax(now.constraints, kept);
  if (a != b) return b > a;
  return before.constraints <= now.constraints && before.rest < (1.0 - rounding) * now.rest;
}

bool LagrangeMultipliers::step_once(const LeastSquares& system, const Limits& limits, const VecX& x, const Value& from,
                                    const LagrangeMultipliersOptions& own, Loop& loop, Value& reached) {
  const bool adapts = own.integration == Integration::runge_kutta;
  J_start_ = J_;
  r_start_ = r_;
  for (int halving = 0; halving <= last_halving; ++halving, h_ *= 0.5) {
    double next = halving == 0 ? std::fmin(own.step, 2.0 * h_) : h_;
    if (adapts) {
      if (!follow(system, limits, x, own, loop, next)) return false;
    } else {
      J_ = J_start_;
      C_ = r_start_.head(constraints_);
      g_a_.noalias() = -J_.bottomRows(r_.size() - constraints_).transpose() * r_start_.tail(r_.size() - constraints_);
      walk(limits, x, h_, loop.options(), own);
    }
    x_trial_ = x + d_;
    for (int i = 0; i < limits.variables(); ++i) {  // on a limit, not next to it
      if (!(x_trial_[i] > limits.lower[i] + reach_of(limits.lower[i]))) x_trial_[i] = limits.lower[i];
      if (!(x_trial_[i] < limits.upper[i] - reach_of(limits.upper[i]))) x_trial_[i] = limits.upper[i];
    }
    if (x_trial_ == x) return false;
    reached = evaluate(system, x_trial_, loop);
    if (!std::isfinite(reached.all())) continue;
    // DEVIATION: the print takes the step as it is.
    if (halving >= own.halvings || !is_worse(reached, from, own.kept)) {
      h_ = next;
      return true;
    }
  }
  return false;
}

// After velocity_within(): no net force where a variable is free, none inward at the limits, and C = 0.
bool LagrangeMultipliers::is_stationary(const Limits& limits, const VecX& x, const MethodOptions& options) const {
  if (constraints_ > 0 && C_.cwiseAbs().maxCoeff() > options.tolerance) return false;
  for (int i = 0; i < limits.variables(); ++i) {
    if (gain_[i] == 0.0) continue;
    const double force = 2.0 * net_[i];
    if ((x[i] <= limits.lower[i] && force < 0.0) || (x[i] >= limits.upper[i] && force > 0.0)) continue;
    if (std::fabs(force) > options.tolerance) return false;
  }
  return true;
}

Outcome LagrangeMultipliers::minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                                      const LagrangeMultipliersOptions& own, const Observer& observer) {
  assert(x.size() == limits.variables());
  if (!supports(system, limits, options, own)) return {.exit = Exit::rejected};
  reserve(system, limits);
  Loop loop(options, observer, &best_);
  h_ = own.step;

  clamp_to_box(limits, x);
  Value value = evaluate(system, x, loop);
  take_jacobian(system, x);
  drift_ = value.constraints;
  loop.start(value.all(), std::isfinite(value.all()) && J_.allFinite(), x);
  const Value first = value;
  Value best = value;
  while (loop.runs()) {
    velocity_within(limits, x, own, v0_);
    if (is_stationary(limits, x, options)) {
      // An answer, unless the start was better in both: then it stands.
      const bool is_answer = !is_worse(value, first, own.kept);
      if (is_answer) loop.keep(value.all(), x);
      loop.stop(is_answer ? Exit::converged : Exit::stalled);
      break;
    }
    if (!loop.next()) break;
    const Value before = value;
    if (!step_once(system, limits, x, before, own, loop, value)) {
      loop.stop(Exit::stalled);
      break;
    }
    x.swap(x_trial_);
    drift_ = std::fmax(drift_, value.constraints);
    if (!is_worse(value, best, own.kept)) {
      best = value;
      loop.keep(value.all(), x);
    }
    take_jacobian(system, x);
    loop.observe(value.all(), x);
    if (loop.runs() && !J_.allFinite()) loop.stop(Exit::stalled);
  }
  return loop.finish(x);
}

}  // namespace limber
