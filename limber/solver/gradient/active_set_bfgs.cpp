#include "limber/solver/gradient/active_set_bfgs.h"

#include <algorithm>
#include <cassert>

#include "limber/program/loop.h"
#include "limber/solver/gradient/line_search.h"

namespace limber {

namespace {

// A row whose normal makes an angle smaller than this with the orthogonal complement of the working set does not block
// a step: it depends on the set, and the angle is rounding error.
constexpr double along_tolerance = 1e-12;
// A direction counts as descent when it makes at least this angle (as a cosine) with the contour.
constexpr double descent_cosine = 1e-10;
// The metric is updated only where the curvature σᵀy exceeds this much of ‖σ‖‖y‖.
constexpr double curvature_cosine = 1e-12;
// Max number of limits that join at one point without a step. Then the vertex is left by the cone of feasible
// directions; without such a rule, limits can join and leave forever.
constexpr int patience_at_vertex = 12;
// A limit is active for the choice of the first working set and at a vertex when its slack is below this.
constexpr double active_slack = 1e-12;
// A limit nearer than this, relative to the largest variable, counts as reached: a step to it would be rounding error.
constexpr double coincident = 1e-15;

}  // namespace

void ActiveSetBfgs::reserve(const Limits& limits) {
  const int n = limits.variables();
  set_.reserve(limits);
  kkt_.reserve(limits);
  if (H_.rows() == n) return;
  H_.resize(n, n);
  for (VecX* v : {&g_, &Hg_, &Pg_, &alpha_, &s_, &x_trial_, &g_trial_, &sigma_, &y_, &Hy_, &t_}) v->resize(n);
}

// H = P: the identity, projected onto the working set.
void ActiveSetBfgs::reset_metric(const Limits& limits) {
  H_.setIdentity();
  metric_is_fresh_ = true;
  const int n = limits.variables();
  for (int i = 0; i < set_.size(); ++i)
    if (set_.member(i) < 2 * n) H_(set_.member(i) % n, set_.member(i) % n) = 0.0;
  // P = I - A N Aᵀ, a column at a time, for the entries that no bound fixes.
  for (int j = 0; j < n; ++j) {
    if (H_(j, j) == 0.0) continue;
    t_.setZero();
    t_[j] = 1.0;
    set_.project(limits, t_);
    H_.col(j) = t_;
  }
}

// A limit joins the set, and H_{q+1} = H_q - (H_q a)(H_q a)ᵀ / (aᵀ H_q a).                      ZB94 (32)
bool ActiveSetBfgs::join(const Limits& limits, int limit) {
  if (!set_.add(limits, limit)) return false;
  project_metric(limits, limit);
  return true;
}

void ActiveSetBfgs::project_metric(const Limits& limits, int limit) {
  const int n = limits.variables();
  t_.setZero();
  limits.add_normal(limit, 1.0, t_);
  Hy_.noalias() = H_ * t_;
  const double aHa = t_.dot(Hy_);
  if (!(aHa > std::numeric_limits<double>::min())) {
    reset_metric(limits);
    return;
  }
  for (int j = 0; j < n; ++j)
    if (Hy_[j] != 0.0) H_.col(j) -= (Hy_[j] / aHa) * Hy_;
  if (limit < 2 * n) {  // exactly, not to rounding
    H_.col(limit % n).setZero();
    H_.row(limit % n).setZero();
  }
}

// A limit leaves the set, and H_{q-1} = H_q + (P a)(P a)ᵀ / (aᵀ P a), P of the others.           ZB94 (30)
void ActiveSetBfgs::leave(const Limits& limits, int place) {
  const int limit = set_.member(place);
  set_.remove(limits, place);
  t_.setZero();
  limits.add_normal(limit, 1.0, t_);
  set_.project(limits, t_);
  const double aPa = t_.squaredNorm();  // P is a projection: aᵀPa = ‖Pa‖²
  for (int j = 0; j < limits.variables(); ++j)
    if (t_[j] != 0.0) H_.col(j) += (t_[j] / aPa) * t_;
}

// Step 1: the equalities, then every limit that is active at x, as far as they are independent.
void ActiveSetBfgs::start_from(const Limits& limits, const VecX& x) {
  set_.clear();
  for (int limit = 2 * limits.variables(); limit < limits.count(); ++limit)
    if (limits.is_equality(limit)) set_.add(limits, limit);
  for (int limit = 0; limit < limits.count(); ++limit)
    if (!limits.is_equality(limit) && limits.slack(limit, x) <= active_slack) set_.add(limits, limit);
  reset_metric(limits);
}

// Steps 2 and 3: s = -H_q g once no limit should leave the set; or the point is stationary.
ActiveSetBfgs::Direction ActiveSetBfgs::find_direction(const Limits& limits, const MethodOptions& options) {
  for (;;) {
    set_.multipliers(limits, g_, alpha_);
    Pg_ = g_;
    for (int i = 0; i < set_.size(); ++i) limits.add_normal(set_.member(i), -alpha_[i], Pg_);
    Hg_.noalias() = H_ * g_;
    // The inequality with the most wrong multiplier: max α_i N_ii^{-1/2}.
    // DEVIATION: Step 3 prints a_qq^{1/2} once where a_qq^{-1/2} is meant.
    int worst = -1;
    double pull = 0.0, max_alpha = 0.0;
    for (int i = 0; i < set_.size(); ++i) {
      if (limits.is_equality(set_.member(i)) || alpha_[i] <= 0.0) continue;
      max_alpha = std::fmax(max_alpha, alpha_[i]);
      const double strength = alpha_[i] / std::sqrt(set_.diagonal(i));
      if (strength > pull) {
        pull = strength;
        worst = i;
      }
    }
    // DEVIATION: Step 2 tests H_q g = 0. For a positive definite H, the projected gradient is equivalent, with a known
    // scale.
    const bool flat = Pg_.size() == 0 || Pg_.cwiseAbs().maxCoeff() <= 0.5 * options.tolerance;
    if (flat && max_alpha <= 0.5 * options.tolerance) return Direction::stationary;
    if (worst < 0 || !(flat || Hg_.norm() <= 0.5 * pull)) break;
    leave(limits, worst);
  }
  s_ = -Hg_;
  set_.project(limits, s_);  // rounding in H must not carry the step across a limit of the set
  if (-g_.dot(s_) <= descent_cosine * g_.norm() * s_.norm()) {
    reset_metric(limits);
    s_ = -Pg_;
    set_.project(limits, s_);
  }
  return Direction::found;
}

// DEVIATION: at a degenerate vertex, the steps of the appendix can cycle forever. Here the gradient is projected onto
// the cone of feasible directions, and the limits that shape the projection become the working set.
bool ActiveSetBfgs::leave_vertex(const Limits& limits, const VecX& x, double tolerance) {
  if (kkt_.check(limits, x, g_, active_slack) <= tolerance) return false;
  set_.clear();
  for (const Kkt::Multiplier& multiplier : kkt_.multipliers()) set_.add(limits, multiplier.limit);
  reset_metric(limits);
  return true;
}

// Step 4: how far along s the first limit outside the set is.
// DEVIATION: only limits with aᵀs > 0 can be reached; the print does not say so.
ActiveSetBfgs::Block ActiveSetBfgs::first_block(const Limits& limits, const VecX& x) const {
  const int n = limits.variables();
  Block block{infinity, -1};
  const auto consider = [&](double slack, double speed, int limit) {
    const double step = std::fmax(0.0, slack) / speed;
    if (step < block.step) block = {step, limit};
  };
  for (int i = 0; i < n; ++i) {
    if (s_[i] < 0.0 && !set_.contains(i)) consider(x[i] - limits.lower[i], -s_[i], i);
    if (s_[i] > 0.0 && !set_.contains(n + i)) consider(limits.upper[i] - x[i], s_[i], n + i);
  }
  const double slowest = along_tolerance * s_.norm();
  for (int limit = 2 * n; limit < limits.count(); ++limit) {
    if (set_.contains(limit) || limits.is_equality(limit)) continue;
    const double speed = limits.along(limit, s_);
    if (speed > slowest) consider(limits.slack(limit, x), speed, limit);
  }
  return block;
}

// Step 6: BFGS (33) or DFP (34), whichever Fletcher's test picks.
void ActiveSetBfgs::update_metric() {
  const double sy = sigma_.dot(y_);
  if (!(sy > curvature_cosine * sigma_.norm() * y_.norm())) return;
  Hy_.noalias() = H_ * y_;
  double yHy = y_.dot(Hy_);
  if (!(yHy > 0.0)) return;
  if (metric_is_fresh_) {
    // The paper leaves H_0 open. Scaled so that σᵀy = yᵀHy, the first metric has the size of the curvature just seen
    // (Shanno and Phua 1978).
    const double scale = sy / yHy;
    H_ *= scale;
    Hy_ *= scale;
    yHy = sy;
    metric_is_fresh_ = false;
  }
  const int n = static_cast<int>(sigma_.size());
  if (sy >= yHy) {
    // (33) is H + σ tᵀ + t σᵀ with t = (½ (1 + yᵀHy/σᵀy) σ - H y) / σᵀy.
    t_ = (0.5 * (1.0 + yHy / sy) * sigma_ - Hy_) / sy;
    for (int j = 0; j < n; ++j) H_.col(j) += t_[j] * sigma_ + sigma_[j] * t_;
  } else {
    for (int j = 0; j < n; ++j) H_.col(j) += (sigma_[j] / sy) * sigma_ - (Hy_[j] / yHy) * Hy_;
  }
}

Outcome ActiveSetBfgs::minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                                const Observer& observer, const MatX* inverse_hessian) {
  reserve(limits);
  const int n = limits.variables();
  Loop loop(options, observer);
  double value = objective(x, g_);
  loop.count_evaluation();
  loop.start(value, std::isfinite(value) && g_.allFinite(), x);
  // A start that satisfies the Kuhn-Tucker conditions, such as an earlier answer, is the answer.
  if (loop.runs() && kkt_.check(limits, x, g_, active_slack) <= options.tolerance) loop.stop(Exit::converged);
  if (!loop.runs()) return loop.finish(x);
  start_from(limits, x);
  if (inverse_hessian && inverse_hessian->allFinite()) {
    H_ = *inverse_hessian;
    metric_is_fresh_ = false;
    for (int k = 0; k < set_.size() && !metric_is_fresh_; ++k) project_metric(limits, set_.member(k));
  }

  int joined_here = 0;
  bool retried = false, left_vertex = false;
  while (loop.next()) {
    if (find_direction(limits, options) == Direction::stationary) {
      loop.stop(Exit::converged);
      break;
    }
    const Block block = first_block(limits, x);
    const double size = s_.cwiseAbs().maxCoeff();
    if (block.step * size <= coincident * std::fmax(1.0, x.cwiseAbs().maxCoeff())) {
      // The limit is here already: it joins without a step.
      if (++joined_here <= patience_at_vertex && join(limits, block.limit)) continue;
      if (left_vertex || !leave_vertex(limits, x, 0.5 * options.tolerance)) {
        loop.stop(Exit::stalled);  // or stationary: the caller checks the Kuhn-Tucker conditions
        break;
      }
      left_vertex = true;
      joined_here = 0;
      continue;
    }

    const double cap = options.longest_step / size;
    const double longest = std::fmin(block.step, cap);
    const double slope = g_.dot(s_);
    double probed = 0.0;
    value = loop.value();
    const auto probe = [&](double step) {
      probed = step;
      x_trial_ = x + step * s_;
      for (int i = 0; i < n; ++i) x_trial_[i] = std::clamp(x_trial_[i], limits.lower[i], limits.upper[i]);
      if (step == block.step && block.limit < 2 * n) {  // on the bound, not next to it
        const int i = block.limit % n;
        x_trial_[i] = block.limit < n ? limits.lower[i] : limits.upper[i];
      }
      value = objective(x_trial_, g_trial_);
      loop.count_evaluation();
      return LinePoint{step, value, g_trial_.allFinite() ? g_trial_.dot(s_) : infinity};
    };
    const LineSearchResult found = line_search(loop.value(), slope, 1.0, longest, probe);
    if (found.step > 0.0 && probed != found.step) probe(found.step);
    if (found.step <= 0.0 || !(value <= loop.value())) {
      if (retried || metric_is_fresh_) {
        loop.stop(Exit::stalled);
        break;
      }
      retried = true;
      reset_metric(limits);
      continue;
    }
    retried = left_vertex = false;
    joined_here = 0;
    sigma_ = x_trial_ - x;
    y_ = g_trial_ - g_;
    x.swap(x_trial_);
    g_.swap(g_trial_);
    loop.keep(value, x);
    if (found.at_longest && block.step <= cap)
      join(limits, block.limit);  // Step 5
    else
      update_metric();  // Step 6
    loop.observe(value, x);
  }
  return loop.finish(x);
}

}  // namespace limber
