#include "limber/solver/gradient/projected_descent.h"

#include "limber/solver/gradient/box.h"

namespace limber {

namespace {

constexpr double enough_decrease = 1e-4;  // Armijo's c
// A direction counts as descent when it makes at least this angle (as a cosine) with the contour.
constexpr double contour_cosine = 1e-3;
// The interpolating search is content where the slope has shrunk to this much of the first. Conjugate directions are
// worth an exact search; steepest descent zigzags after one.
constexpr double flat_for_conjugate = 0.1;
constexpr double flat_for_steepest = 0.7;
// So many trials more are spent on flattening it once the decrease is enough; but a step grows while the slope is
// above this much of the first.
constexpr int refinements = 2;
constexpr double still_steep = 0.5;
constexpr double growth = 10.0;  // max growth of a step at a time
constexpr double margin = 0.1;   // trials keep this fraction away from the bracket's ends
constexpr int max_trials = 60;
// Decreases below this much of |f| are noise: the slope decides, as in line_search.h.
constexpr double rounding = 1e-12;
constexpr double rounding_slope = -0.8;  // times the first slope: its max then

// Where values differ by less than this much of f their difference is too rough for a cubic: the slopes alone decide.
constexpr double rough = 1e-7;

// Where the curve through two trials has its minimum.
double minimum_of(const LinePoint& a, const LinePoint& b) {
  if (std::fabs(b.value - a.value) > rough * std::fabs(a.value)) return cubic_minimum(a, b);
  const double t = a.step + (b.step - a.step) * a.slope / (a.slope - b.slope);
  return std::isfinite(t) ? t : 0.5 * (a.step + b.step);
}

}  // namespace

void ProjectedDescent::reserve(const Limits& limits) {
  const int n = limits.variables();
  if (g_.size() == n) return;
  for (VecX* v : {&g_, &p_, &p_prev_, &d_, &x_trial_, &g_trial_, &x_best_, &g_best_}) v->resize(n);
}

void ProjectedDescent::take_steepest() {
  d_ = -p_;
  is_steepest_ = true;
}

void ProjectedDescent::take_conjugate(const Limits& limits, const VecX& x) {
  const int n = limits.variables();
  double over = 0.0, under = 0.0;
  for (int i = 0; i < n; ++i) {
    if (points_out(limits, x, i, -g_[i])) continue;
    over += p_[i] * (p_[i] - p_prev_[i]);
    under += p_prev_[i] * p_prev_[i];
  }
  const double beta = over / under;            // EE09 (8)
  if (!(beta > 0.0 && std::isfinite(beta))) {  // EE09 (9)
    take_steepest();
    return;
  }
  double slope = 0.0, d_square = 0.0;
  for (int i = 0; i < n; ++i) {
    d_[i] = beta * d_[i] - p_[i];
    if (points_out(limits, x, i, -g_[i]) || points_out(limits, x, i, d_[i])) d_[i] = 0.0;
    slope += p_[i] * d_[i];
    d_square += d_[i] * d_[i];
  }
  is_steepest_ = false;
  // DEVIATION: β >= 0 does not make d a direction of descent by itself, as the print has it; after an inexact search
  // it need not be one.
  if (!(slope < -contour_cosine * std::sqrt(p_.squaredNorm() * d_square))) take_steepest();
}

// No variable moves by more than `longest`, and none moves any more once all are stopped by their bounds.
double ProjectedDescent::longest_step(const Limits& limits, const VecX& x, double longest) const {
  double fastest = 0.0, last_stop = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    if (d_[i] == 0.0) continue;
    fastest = std::max(fastest, std::fabs(d_[i]));
    last_stop = std::max(last_stop, ((d_[i] > 0.0 ? limits.upper[i] : limits.lower[i]) - x[i]) / d_[i]);
  }
  return std::fmin(longest / fastest, last_stop);
}

// As far as the last step went, to first order; it is right where the curvature along both directions is the same.
double ProjectedDescent::first_step(const Arc& arc) const {
  if (last_step_ > 0.0) return std::fmin(arc.longest, last_step_ * last_slope_ / arc.slope);
  // A parabola that touches 0 has its minimum at 2 f / ‖g‖²: right for residuals that can be met.
  if (arc.value > 0.0) return std::fmin(arc.longest, -2.0 * arc.value / arc.slope);
  return std::fmin(arc.longest, own_.first_step);
}

ProjectedDescent::Trial ProjectedDescent::probe(Arc& arc, double step) {
  const Limits& limits = arc.limits;
  double linear = 0.0, stopped = 0.0, start_slope = 0.0;
  for (int i = 0; i < limits.variables(); ++i) {
    // Without a branch: which variables a bound stops changes from trial to trial.
    const double d = d_[i], x = arc.x[i], bound = d > 0.0 ? limits.upper[i] : limits.lower[i], room = bound - x;
    const bool stops = d != 0.0 && std::fabs(step * d) >= std::fabs(room);  // on the bound, not next to it
    x_trial_[i] = stops ? bound : clamp_between(x + step * d, limits.lower[i], limits.upper[i]);
    stopped += stops ? p_[i] * room : 0.0;
    start_slope += stops ? 0.0 : p_[i] * d;
  }
  linear = stopped + step * start_slope;
  const double value = arc.objective(x_trial_, g_trial_);
  arc.loop.count_evaluation();
  double slope = 0.0;
  for (int i = 0; i < limits.variables(); ++i)
    slope += x_trial_[i] > limits.lower[i] && x_trial_[i] < limits.upper[i] ? g_trial_[i] * d_[i] : 0.0;

  Trial trial{{step, value, slope}, {0.0, arc.value + stopped, start_slope}, linear, false};
  const bool finite = std::isfinite(value) && g_trial_.allFinite();
  if (!finite) trial.at.value = infinity;
  trial.enough = finite && linear < 0.0 &&
                 (value <= arc.value + enough_decrease * linear ||
                  (value <= arc.value && arc.value - value <= rounding * std::fabs(arc.value) &&
                   slope <= rounding_slope * start_slope));
  return trial;
}

void ProjectedDescent::keep(const Trial& trial) {
  x_best_.swap(x_trial_);
  g_best_.swap(g_trial_);
  best_ = trial.at;
  best_start_ = trial.start.slope;
}

bool ProjectedDescent::search_binary(Arc& arc) {
  double step = std::fmin(own_.first_step, arc.longest);
  for (int trial = 0; trial < max_trials && step > 0.0; ++trial, step *= 0.5) {
    const Trial at = probe(arc, step);
    if (!at.enough) continue;
    keep(at);
    return true;
  }
  return false;
}

bool ProjectedDescent::search_interpolating(Arc& arc) {
  const double flat = update_ == Update::steepest ? flat_for_steepest : flat_for_conjugate;
  LinePoint low{0.0, arc.value, arc.slope}, high{};
  bool bracketed = false, found = false;
  int refined = 0;
  double step = first_step(arc);
  for (int trial = 0; trial < max_trials && step > 0.0; ++trial) {
    const Trial now = probe(arc, step);
    const LinePoint& at = now.at;
    const bool better = now.enough && (!found || at.value <= best_.value);
    if (better) {
      keep(now);
      found = true;
      if (std::fabs(at.slope) <= flat * std::fabs(now.start.slope)) return true;
      if (at.slope <= 0.0 && step >= arc.longest) return true;
    }
    if (better && at.slope < 0.0) {
      low = at;
    } else {
      high = at;
      bracketed = true;
    }
    const bool grows = !bracketed && at.slope < still_steep * now.start.slope;
    if (found && !grows && refined++ == refinements) return true;
    // From t = 0 the cubic is that of the variables that still move.
    if (bracketed) {
      const double width = high.step - low.step;
      const double next = std::isfinite(high.value) ? minimum_of(low.step == 0.0 ? now.start : low, high) : low.step;
      step = std::clamp(next, low.step + margin * width, high.step - margin * width);
      if (!(step > low.step && step < high.step)) break;
    } else {
      const double next = minimum_of(now.start, low);
      step = std::clamp(next > low.step ? next : growth * low.step, 1.5 * low.step, growth * low.step);
      step = std::fmin(arc.longest, step);
      if (!(step > low.step)) break;
    }
  }
  return found;
}

Outcome ProjectedDescent::minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                                   const Observer& observer) {
  reserve(limits);
  Loop loop(options, observer);
  start_in_box(objective, limits, x, g_, loop);
  last_step_ = 0.0;
  double largest = projected_gradient(limits, x, g_, p_);
  take_steepest();
  while (loop.next(largest)) {
    if (loop.iterations_without_decrease() >= patience_without_decrease) {
      loop.stop(Exit::stalled);
      break;
    }
    Arc arc{objective, limits, x, loop, loop.value(), p_.dot(d_), longest_step(limits, x, options.longest_step)};
    const bool found = own_.search == ProjectedSearch::binary ? search_binary(arc) : search_interpolating(arc);
    if (!found) {
      if (is_steepest_ && last_step_ == 0.0) {
        loop.stop(Exit::stalled);
        break;
      }
      last_step_ = 0.0;
      take_steepest();
      continue;
    }
    last_step_ = best_start_ < 0.0 ? best_.step : 0.0;  // where all was stopped, the step has no meaning
    last_slope_ = best_start_;
    x.swap(x_best_);
    g_.swap(g_best_);
    p_prev_.swap(p_);
    largest = projected_gradient(limits, x, g_, p_);
    loop.keep(best_.value, x);
    loop.observe(best_.value, x);
    if (update_ == Update::steepest)
      take_steepest();
    else
      take_conjugate(limits, x);
  }
  return loop.finish(x);
}

}  // namespace limber
