#include "limber/solver/residual/coordinate_descent.h"

#include <algorithm>
#include <cassert>

#include "limber/program/loop.h"
#include "limber/solver/residual/integration.h"

namespace limber {

namespace {

constexpr int max_halvings_of_a_move = 12;

double max_projected_slope(const Limits& limits, const VecX& x, const VecX& g) {
  double largest = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    if ((x[i] <= limits.lower[i] && g[i] > 0.0) || (x[i] >= limits.upper[i] && g[i] < 0.0)) continue;
    largest = std::fmax(largest, 2.0 * std::fabs(g[i]));
  }
  return largest;
}

}  // namespace

void CoordinateDescent::reserve(const LeastSquares& system, const Limits& limits) {
  J_.resize(system.rows(), limits.variables());
  for (VecX* v : {&r_, &r_trial_}) v->resize(system.rows());
  g_.resize(limits.variables());
}

// Variable i to the minimum of its model; r_ and value_ follow. False where it stays.
bool CoordinateDescent::move(const LeastSquares& system, const Limits& limits, int i, double share, double longest_step,
                             VecX& x, int& evaluations) {
  const double slope = J_.col(i).dot(r_), curvature = J_.col(i).squaredNorm();
  if (!(curvature > 0.0)) return false;
  const double from = x[i];
  double by = std::clamp(-share * slope / curvature, -longest_step, longest_step);
  for (int halving = 0; halving <= max_halvings_of_a_move; ++halving, by *= 0.5) {
    x[i] = std::clamp(from + by, limits.lower[i], limits.upper[i]);
    if (x[i] == from) break;
    system.residual(x, r_trial_);
    ++evaluations;
    if (const double value = r_trial_.squaredNorm(); value < value_) {
      value_ = value;
      r_.swap(r_trial_);
      return true;
    }
  }
  x[i] = from;
  return false;
}

Outcome CoordinateDescent::minimize(LeastSquares system, const Limits& limits, std::span<const int> order,
                                    const VecX& shares, VecX& x, const MethodOptions& options,
                                    const Observer& observer) {
  assert(x.size() == limits.variables());
  if (system.level_ends().size() != 2 || system.must_rows() > 0 || !limits.rows.empty() ||
      !(options.longest_step > 0.0))
    return {.exit = Exit::rejected};
  reserve(system, limits);
  Loop loop(options, observer);
  clamp_to_box(limits, x);
  int evaluations = 1;
  const auto differentiate = [&] {
    system.residual(x, r_);
    system.jacobian(x, J_);
    g_.noalias() = J_.transpose() * r_;
  };
  differentiate();
  value_ = r_.squaredNorm();
  loop.start(value_, std::isfinite(value_) && g_.allFinite(), x);
  while (loop.runs()) {
    if (!loop.next(max_projected_slope(limits, x, g_))) break;
    const double before = value_;
    bool fresh = true;  // J is of this x
    for (const int i : order) {
      if (!fresh) {
        system.residual(x, r_trial_);
        system.jacobian(x, J_);
        fresh = true;
      }
      if (!J_.allFinite()) break;
      if (move(system, limits, i, shares[i], options.longest_step, x, evaluations)) fresh = false;
    }
    differentiate();
    loop.keep(value_, x);
    if (!(value_ < before) || !g_.allFinite()) {
      loop.stop(max_projected_slope(limits, x, g_) <= options.tolerance ? Exit::converged : Exit::stalled);
      break;
    }
    loop.observe(value_, x);
  }
  Outcome outcome = loop.finish(x);
  outcome.evaluations = evaluations;
  return outcome;
}

}  // namespace limber
