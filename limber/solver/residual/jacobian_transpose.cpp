#include "limber/solver/residual/jacobian_transpose.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace limber {

namespace {

bool supports(const LeastSquares& system, const Limits& limits, const MethodOptions& options,
              const JacobianTransposeOptions& own) {
  return system.level_ends().size() == 2 && system.must_rows() == 0 && limits.rows.empty() &&
         is_gain(own.gain, limits.variables()) && std::isfinite(own.step) && own.step > 0.0 && own.fastest > 0.0 &&
         own.accuracy > 0.0 && options.longest_step > 0.0;
}

}  // namespace

void JacobianTranspose::reserve(const LeastSquares& system, const Limits& limits) {
  const int n = limits.variables();
  pair_.reserve(n);
  if (r_.size() != system.rows()) r_.resize(system.rows());
  if (J_.rows() != system.rows() || J_.cols() != n) J_.resize(system.rows(), n);
  for (VecX* v : {&g_, &v_, &d_, &x_trial_, &best_})
    if (v->size() != n) v->resize(n);
}

double JacobianTranspose::evaluate(const LeastSquares& system, const VecX& x, Loop& loop) {
  system.residual(x, r_);
  loop.count_evaluation();
  return r_.squaredNorm();
}

// g = Jᵀ r at x, where evaluate() has just been.
void JacobianTranspose::pull(const LeastSquares& system, const VecX& x) {
  system.jacobian(x, J_);
  g_.noalias() = J_.transpose() * r_;
}

// (4.10) with the velocities clamped (4.1.1), and none that leads out of the box.
void JacobianTranspose::velocity_from_pull(const Limits& limits, const VecX& x, const JacobianTransposeOptions& own,
                                           VecX& v) const {
  for (int i = 0; i < limits.variables(); ++i) {
    v[i] = std::clamp(-gain_of(own.gain, i) * g_[i], -own.fastest, own.fastest);
    if ((x[i] <= limits.lower[i] && v[i] < 0.0) || (x[i] >= limits.upper[i] && v[i] > 0.0)) v[i] = 0.0;
  }
}

// Of ‖r‖², whose gradient is 2 Jᵀ r.
double JacobianTranspose::projected_gradient(const Limits& limits, const VecX& x,
                                             const JacobianTransposeOptions& own) const {
  double largest = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    if (gain_of(own.gain, i) == 0.0) continue;
    if ((x[i] <= limits.lower[i] && g_[i] > 0.0) || (x[i] >= limits.upper[i] && g_[i] < 0.0)) continue;
    largest = std::fmax(largest, 2.0 * std::fabs(g_[i]));
  }
  return largest;
}

// Leaves a new point in x_trial_ and the step to try next in h_; false where no step is short enough to help.
bool JacobianTranspose::try_step(const LeastSquares& system, const Limits& limits, const VecX& x, double value,
                                 const JacobianTransposeOptions& own, Loop& loop, double& reached) {
  const double longest_step = loop.options().longest_step;
  const bool adapts = own.integration == Integration::runge_kutta;
  const auto velocity = [&](const VecX& at, VecX& v) {
    evaluate(system, at, loop);
    pull(system, at);
    velocity_from_pull(limits, at, own, v);
  };
  for (bool first = true;; first = false) {
    double error = 0.0;
    if (adapts)
      error = pair_(limits, x, v_, h_, own.accuracy, velocity, d_);
    else
      d_ = h_ * v_;  // (4.12)
    if (!(error <= 1.0)) {
      h_ *= CashKarp::next(error);
      if (h_ * v_.cwiseAbs().maxCoeff() <= std::numeric_limits<double>::min()) return false;
      continue;
    }
    x_trial_ = x + d_.cwiseMax(-longest_step).cwiseMin(longest_step);
    clamp_to_box(limits, x_trial_);  // 4.1.6
    if (x_trial_ == x) return false;
    reached = evaluate(system, x_trial_, loop);
    if (reached <= value || (own.may_rise && std::isfinite(reached))) {
      if (adapts)
        h_ *= CashKarp::next(error);
      else if (first)
        h_ = std::fmin(own.step, 2.0 * h_);
      return true;
    }
    if (own.may_rise) return false;
    // DEVIATION: the print takes the step as it is. One that increases ‖r‖² has gone past the minimum.
    h_ *= 0.5;
  }
}

Outcome JacobianTranspose::minimize(LeastSquares system, const Limits& limits, VecX& x, const MethodOptions& options,
                                    const JacobianTransposeOptions& own, const Observer& observer) {
  assert(x.size() == limits.variables());
  if (!supports(system, limits, options, own)) return {.exit = Exit::rejected};
  reserve(system, limits);
  Loop loop(options, observer, &best_);
  h_ = own.step;

  clamp_to_box(limits, x);
  double value = evaluate(system, x, loop);
  pull(system, x);
  loop.start(value, std::isfinite(value) && g_.allFinite(), x);
  while (loop.next(projected_gradient(limits, x, own))) {
    velocity_from_pull(limits, x, own, v_);
    if (!try_step(system, limits, x, value, own, loop, value)) {
      loop.stop(Exit::stalled);
      break;
    }
    x.swap(x_trial_);
    if (value <= loop.value()) loop.keep(value, x);
    pull(system, x);
    loop.observe(value, x);
    if (loop.runs() && !g_.allFinite()) loop.stop(Exit::stalled);
  }
  // A stationary point that is worse than an earlier one is no answer.
  if (loop.outcome().exit == Exit::converged && value > loop.value()) loop.stop(Exit::stalled);
  return loop.finish(x);
}

}  // namespace limber
