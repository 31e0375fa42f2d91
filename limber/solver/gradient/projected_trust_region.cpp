#include "limber/solver/gradient/projected_trust_region.h"

#include "limber/solver/gradient/box.h"

namespace limber {

namespace {

constexpr double acceptable = 1e-4;  // ρ of a step that is taken
constexpr double poor = 0.25;        // ρ below which the region shrinks
constexpr double good = 0.75;        // ρ above which it grows, if the step went to its edge
constexpr double shrink = 0.3;       // of the step
constexpr double grow = 2.5;
constexpr double at_edge = 0.9;  // of the radius
// The model is minimised until its gradient in the face has shrunk to this much of the projected gradient.
constexpr double face_accuracy = 1e-3;
// The curvature pᵀy counts as positive where it exceeds this much of ‖p‖‖y‖; elsewhere this much of B's is kept.
constexpr double min_curvature_cosine = 1e-10;
constexpr double damped = 0.2;
// B begins as this much of the curvature that the first step shows, times the identity. Updates increase a curvature at
// once and lower it slowly, and figures have many directions with next to none.
constexpr double first_curvature = 0.05;
// Decreases below this much of |f| are noise: the slopes at both ends decide.
constexpr double noise_share = 1e-12;
// A step shorter than this, of the largest variable, is rounding.
constexpr double shortest_step = 1e-15;

}  // namespace

void ProjectedTrustRegion::reserve(const Limits& limits) {
  const int n = limits.variables();
  if (B_.rows() == n && g_.size() == n) return;
  B_.resize(n, n);
  for (VecX* v : {&g_, &projected_, &p_, &r_, &d_, &Bd_, &low_, &high_, &x_trial_, &g_trial_, &y_}) v->resize(n);
  breaks_.reserve(static_cast<std::size_t>(n));
  free_.resize(static_cast<std::size_t>(n));
}

void ProjectedTrustRegion::reset_model() {
  B_.setIdentity();
  model_is_fresh_ = true;
}

// low <= p <= high: the box and the trust region together.
void ProjectedTrustRegion::shape_region(const Limits& limits, const VecX& x, double radius) {
  for (int i = 0; i < limits.variables(); ++i) {
    low_[i] = std::fmax(limits.lower[i] - x[i], -radius);
    high_[i] = std::fmin(limits.upper[i] - x[i], radius);
  }
}

// p(t) = P(-t g): the first minimum of m along this path. r is the gradient of m at p, g + B p.
void ProjectedTrustRegion::go_to_cauchy_point() {
  const int n = static_cast<int>(g_.size());
  p_.setZero();
  r_ = g_;
  d_ = -projected_;
  breaks_.clear();
  for (int i = 0; i < n; ++i)
    if (d_[i] != 0.0) breaks_.push_back({(d_[i] < 0.0 ? low_[i] : high_[i]) / d_[i], i});
  std::sort(breaks_.begin(), breaks_.end(),
            [](const Break& a, const Break& b) { return a.t < b.t || (a.t == b.t && a.i < b.i); });
  Bd_.noalias() = B_ * d_;
  double t = 0.0;
  for (const Break& next : breaks_) {
    const double slope = r_.dot(d_), curvature = d_.dot(Bd_);
    if (!(slope < 0.0)) return;
    const double step = next.t - t;
    if (curvature > 0.0 && -slope < step * curvature) {
      p_ -= (slope / curvature) * d_;
      r_ -= (slope / curvature) * Bd_;
      return;
    }
    p_ += step * d_;
    r_ += step * Bd_;
    t = next.t;
    put_on_bound(next.i);
    Bd_ -= d_[next.i] * B_.col(next.i);
    d_[next.i] = 0.0;
  }
}

// Conjugate gradients on the entries that are inside the region. A bound that is met fixes its entry, and the rest
// restarts from there; so there are at most n restarts.
void ProjectedTrustRegion::go_on_in_face(double tolerance) {
  const int n = static_cast<int>(g_.size());
  int size = 0;
  for (int i = 0; i < n; ++i) {
    free_[i] = p_[i] > low_[i] && p_[i] < high_[i];
    size += free_[i];
  }
  double square = 0.0;  // ‖r‖² over the free entries
  bool anew = true;
  for (int steps = 0; size > 0 && steps < 3 * n; ++steps) {
    double before = square;
    square = 0.0;
    for (int i = 0; i < n; ++i)
      if (free_[i]) square += r_[i] * r_[i];
    if (square <= tolerance * tolerance) return;
    const double beta = anew ? 0.0 : square / before;
    for (int i = 0; i < n; ++i) d_[i] = free_[i] ? (anew ? 0.0 : beta * d_[i]) - r_[i] : 0.0;
    anew = false;
    Bd_.noalias() = B_ * d_;
    const double curvature = d_.dot(Bd_), slope = r_.dot(d_);
    if (!(slope < 0.0)) return;
    double step = curvature > 0.0 ? -slope / curvature : infinity;
    int met = -1;
    for (int i = 0; i < n; ++i) {
      if (d_[i] == 0.0) continue;
      const double room = ((d_[i] < 0.0 ? low_[i] : high_[i]) - p_[i]) / d_[i];
      if (room <= step) {
        step = room;
        met = i;
      }
    }
    if (!std::isfinite(step)) return;
    p_ += step * d_;
    r_ += step * Bd_;
    if (met < 0) continue;
    put_on_bound(met);
    free_[met] = 0;
    --size;
    anew = true;
  }
}

void ProjectedTrustRegion::place_trial(const Limits& limits, const VecX& x) {
  for (int i = 0; i < limits.variables(); ++i) {
    x_trial_[i] = clamp_between(x[i] + p_[i], limits.lower[i], limits.upper[i]);
    if (p_[i] < 0.0 && p_[i] <= limits.lower[i] - x[i]) x_trial_[i] = limits.lower[i];  // on the bound, not next to it
    if (p_[i] > 0.0 && p_[i] >= limits.upper[i] - x[i]) x_trial_[i] = limits.upper[i];
  }
  p_ = x_trial_ - x;
}

// B ← B - (B p)(B p)ᵀ / pᵀB p + y yᵀ / pᵀy; before the first, B is scaled by the curvature along p.
void ProjectedTrustRegion::update_model() {
  y_ = g_trial_ - g_;
  double py = p_.dot(y_);
  const bool curved = py > min_curvature_cosine * std::sqrt(p_.squaredNorm() * y_.squaredNorm());
  if (model_is_fresh_ && curved) {
    B_.setZero();
    B_.diagonal().setConstant(first_curvature * py / p_.squaredNorm());
    model_is_fresh_ = false;
  }
  Bd_.noalias() = B_ * p_;
  const double pBp = p_.dot(Bd_);
  if (!(pBp > std::numeric_limits<double>::min()) || !std::isfinite(pBp)) {
    reset_model();
    return;
  }
  if (!curved) {  // y is moved towards B p (Powell 1978): B stays positive, and flattens along p
    const double theta = (1.0 - damped) * pBp / (pBp - py);
    y_ = theta * y_ + (1.0 - theta) * Bd_;
    py = damped * pBp;
  }
  for (int j = 0; j < B_.cols(); ++j) B_.col(j) += (y_[j] / py) * y_ - (Bd_[j] / pBp) * Bd_;
}

Outcome ProjectedTrustRegion::minimize(Objective objective, const Limits& limits, VecX& x, const MethodOptions& options,
                                       const Observer& observer) {
  reserve(limits);
  Loop loop(options, observer);
  start_in_box(objective, limits, x, g_, loop);
  reset_model();
  double largest = projected_gradient(limits, x, g_, projected_);
  // The parabola along -g that touches 0: right for residuals that can be met, and of the right unit for others.
  if (loop.value() > 0.0) B_ *= projected_.squaredNorm() / (2.0 * loop.value());
  double radius = options.longest_step;
  bool retried = false;  // with a new model, since the last step
  while (loop.next(largest)) {
    if (loop.iterations_without_decrease() >= patience_without_decrease) {
      loop.stop(Exit::stalled);
      break;
    }
    shape_region(limits, x, radius);
    go_to_cauchy_point();
    go_on_in_face(face_accuracy * projected_.norm());
    const double promised = -0.5 * (g_.dot(p_) + r_.dot(p_));  // -m(p), as r = g + B p
    place_trial(limits, x);
    const double size = p_.cwiseAbs().maxCoeff();
    if (!(promised > 0.0) || size <= shortest_step * std::fmax(1.0, x.cwiseAbs().maxCoeff())) {
      if (retried || model_is_fresh_) {
        loop.stop(Exit::stalled);
        break;
      }
      retried = true;
      reset_model();
      radius = options.longest_step;
      continue;
    }

    const double value = objective(x_trial_, g_trial_);
    loop.count_evaluation();
    const bool finite = std::isfinite(value) && g_trial_.allFinite();
    double gained = loop.value() - value;
    if (finite && std::fabs(gained) <= noise_share * std::fabs(loop.value()) && value <= loop.value())
      gained = -0.5 * (g_.dot(p_) + g_trial_.dot(p_));
    const double ratio = finite ? gained / promised : -1.0;
    if (ratio < poor)
      radius = shrink * size;
    else if (ratio > good && size >= at_edge * radius)
      radius = std::fmin(grow * radius, options.longest_step);
    if (finite) update_model();
    if (!(ratio >= acceptable && value <= loop.value())) continue;
    retried = false;
    x.swap(x_trial_);
    g_.swap(g_trial_);
    largest = projected_gradient(limits, x, g_, projected_);
    loop.keep(value, x);
    loop.observe(value, x);
  }
  return loop.finish(x);
}

}  // namespace limber
