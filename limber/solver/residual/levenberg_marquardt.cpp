#include "limber/solver/residual/levenberg_marquardt.h"

#include <algorithm>

#include "limber/program/feasible.h"

namespace limber {

namespace {

// A limit with a slack below this is active.
constexpr double active_slack = 1e-12;
// μ = damping · ‖r‖; the first μ is this fraction of ‖J‖².
constexpr double first_damping = 0.05;
constexpr double min_damping = 1e-10;
constexpr double max_damping = 1e12;
// The square of this, relative to f, is the min predicted decrease; below it no progress is possible.
constexpr double promise_rounding = 1e-14;
// A step is accepted if the decrease is at least this fraction of the predicted one.
constexpr double min_ratio = 1e-4;
// A decrease below this fraction of f is rounding error; this many such steps are still tried.
constexpr double noise_ratio = 1e-13;
constexpr int max_noise_steps = 40;
// f decreases slowly if, slow_steps steps later, f is still more than slow_decrease and the Kuhn-Tucker residual more
// than slow_settling times its earlier value.
constexpr double slow_decrease = 0.8;
constexpr double slow_settling = 0.5;
constexpr int slow_steps = 8;
// With the curvature, f decreases slowly for no more steps than these: of goals that do not know theirs.
constexpr int max_slow_curved_steps = 60;
// The same for a run that ends when it is slow, whatever the Kuhn-Tucker residual does: ‖r‖, in lengths of the figure,
// must also have decreased by no more than try_slow_length. Where a large error remains, f decreases by little of
// itself.
constexpr double try_slow_decrease = 0.8;
constexpr double try_slow_length = 0.003;
constexpr int try_slow_steps = 3;
// Rows that are kept are kept to this; lengths are in lengths of the figure.
constexpr double row_feasible = 1e-13;
constexpr int max_corrections = 12;
// Tolerance of the gradient when solving hard constraints; they are met if no row exceeds lock_tolerance.
constexpr double must_tolerance = 1e-13;
constexpr double lock_tolerance = 1e-7;
// A row whose normal makes an angle of less than this with the face does not stop a step: it depends on the face.
constexpr double along_tolerance = 1e-12;
// A multiplier is of the wrong sign when it is more than this much of the gradient.
constexpr double wrong_sign = 1e-12;
// Tolerance for a fixed variable to count as on its bound.
constexpr double at_bound = 1e-14;
// A limit row with more slack than this is not active at the end of a step.
constexpr double row_active_slack = 1e-9;
// Max number of limits that join at one point without a step; then the step is taken as it is.
constexpr int patience_at_vertex = 12;
// Multiplications of one step, at most: after them it is taken as it is, since it is feasible all along. Only problems
// with hundreds of variables at limits need more.
constexpr double max_step_work = 5e8;

}  // namespace

void LevenbergMarquardt::reserve(const Limits& limits, const std::vector<int>& level_ends) {
  const int n = limits.variables(), rows = level_ends.back();
  const int kept = level_ends[level_ends.size() - 2], tangents = std::min(kept, n);
  int dual_rows = 0;  // of the largest level that is not primal
  bool is_primal = takes_curvature;
  for (std::size_t k = 0; k < level_ends.size(); ++k) {
    const int of_level = level_ends[k] - (k == 0 ? 0 : level_ends[k - 1]);
    if (of_level <= n) dual_rows = std::max(dual_rows, of_level);
    is_primal = is_primal || of_level > n;
  }
  face_.reserve(limits, kept);
  kkt_.reserve(limits, tangents);
  start_.reserve(static_cast<std::size_t>(limits.count()));
  counted_.resize(static_cast<std::size_t>(n));
  J_.resize(rows, n);
  gram_.resize(dual_rows, dual_rows);
  factor_.resize(is_primal ? n : dual_rows, is_primal ? n : dual_rows);
  const int max_rank = face_.max_rank();
  B_.resize(n, max_rank);
  if (takes_curvature) weights_.resize(rows);
  if (is_primal) {
    H_.resize(n, n);
    Mr_.resize(n);
    z_primal_.resize(n);
    schur_.resize(max_rank, max_rank);
    schur_right_.resize(max_rank);
    free_.reserve(static_cast<std::size_t>(n));
    full_.resize(std::min(rows, max_full_rows), n);
    entries_.reserve(static_cast<std::size_t>(n));
  }
  for (VecX* v : {&r_, &r_trial_, &kept_, &rm_, &z_, &model_}) v->resize(rows);
  for (VecX* v : {&g_, &s_, &u_, &un_, &x_trial_}) v->resize(n);
  lambda_.resize(rows + limits.count());
  error_.resize(rows + static_cast<int>(limits.rows.size()));
  if (kept == 0) return;
  kept_rows_.reserve(kept, n);
  tangent_.assign(limits, tangents);
}

// The Kuhn-Tucker residual of the level at x. Leaves the limits that push back in start_.
double LevenbergMarquardt::stationarity(const Limits& limits, const Level& level, const VecX& x) {
  g_.noalias() = 2.0 * (J_.middleRows(level.begin, level.end - level.begin).transpose() *
                        r_.segment(level.begin, level.end - level.begin));
  const Limits* against = &limits;
  if (level.begin > 0) {
    tangent_ = limits;
    tangent_.add_tangent(J_, kept_rows_.find(J_, level.begin), x);
    against = &tangent_;
  }
  const double residual = kkt_.check(*against, x, g_, active_slack);
  start_.clear();
  for (const Kkt::Multiplier& multiplier : kkt_.multipliers())
    if (multiplier.limit < limits.count()) start_.push_back(multiplier.limit);
  return residual;
}

// The feasible fraction of the step from s to u, at most 1, and the limit that blocks it.
double LevenbergMarquardt::block(const Limits& limits, const VecX& x, int& limit) const {
  const int n = limits.variables();
  double part = 1.0;
  limit = -1;
  const auto meet = [&](int which, double speed, double slack) {
    if (!(speed > 0.0) || speed * part <= slack) return;
    part = std::fmax(0.0, slack) / speed;
    limit = which;
  };
  for (int i = 0; i < n; ++i) {
    if (!face_.is_free(i)) continue;
    const double p = u_[i] - s_[i];
    if (p < 0.0) meet(i, -p, x[i] + s_[i] - limits.lower[i]);
    if (p > 0.0) meet(n + i, p, limits.upper[i] - x[i] - s_[i]);
  }
  for (int row = 2 * n; row < limits.count(); ++row) {
    if (face_.contains(row) || limits.is_equality(row)) continue;
    const double speed = limits.along(row, u_) - limits.along(row, s_);
    if (speed > along_tolerance * (u_ - s_).norm()) meet(row, speed, limits.slack(row, x) - limits.along(row, s_));
  }
  return part;
}

// Multiplications to find the face's basis and the minimum on it.
double LevenbergMarquardt::round_work() const {
  const double n = static_cast<double>(J_.cols()), rank = face_.rank(), size = is_primal() ? n : m_;
  return rank * (rank + face_.rows()) * n + size * size * size / 3.0 + rank * size * size;
}

// s = the minimum of the model with x + s feasible, by a primal active-set method from s = 0.
void LevenbergMarquardt::find_step(const Limits& limits, const Level& level, const VecX& x, double mu) {
  const int n = limits.variables();
  const int max_rounds = 2 * n + 2 * static_cast<int>(limits.rows.size()) + 10;  // more is rounding at a vertex
  face_.clear(J_, level.begin);
  for (const int limit : start_) face_.add(limit);
  for (int row = 2 * n; row < limits.count(); ++row)
    if (limits.is_equality(row)) face_.add(row);
  face_.update(limits);
  s_.setZero();
  indefinite_ = false;
  int joined_here = 0;  // without a step between
  double work = 0.0;
  for (int round = 0; round < max_rounds && work < max_step_work; ++round) {
    work += round_work();
    face_minimum(mu);
    if (indefinite_) return;
    int limit = -1;
    const double part = block(limits, x, limit);
    s_ += part * (u_ - s_);
    if (limit >= 0) {
      if (limit < n) s_[limit] = limits.lower[limit] - x[limit];
      if (limit >= n && limit < 2 * n) s_[limit - n] = limits.upper[limit - n] - x[limit - n];
      joined_here = part > 0.0 ? 0 : joined_here + 1;
      face_.add(limit);
      face_.update(limits);
      continue;
    }
    // The minimum on this face. A limit with a multiplier of the wrong sign leaves.
    if (joined_here > patience_at_vertex) return;
    if (is_primal()) {
      u_ = Mr_ + mu * s_;
      for (int i = 0; i < n; ++i)
        if (s_[i] != 0.0) u_ += s_[i] * H_.col(i);
    } else {
      model_.head(m_) = rm_.head(m_);
      for (int i = 0; i < n; ++i)
        if (s_[i] != 0.0) model_.head(m_) += s_[i] * M_column(i);
      for (int i = 0; i < n; ++i) u_[i] = M_column(i).dot(model_.head(m_)) + mu * s_[i];
    }
    face_.multipliers(limits, u_, lambda_);
    int worst = -1;
    double max_pull = wrong_sign * u_.norm();
    for (std::size_t k = 0; k < face_.limits().size(); ++k) {
      const int member = face_.limits()[k];
      const double lambda = lambda_[level.begin + static_cast<Eigen::Index>(k)];
      if (limits.is_equality(member) || -lambda <= max_pull) continue;
      if (member < 2 * n && limits.lower[member % n] == limits.upper[member % n]) continue;
      max_pull = -lambda;
      worst = member;
    }
    if (worst < 0) return;
    face_.remove(worst);
    face_.update(limits);
  }
}

// x_trial = x + s, brought back onto the rows that are kept; r_trial at it. False where that fails.
bool LevenbergMarquardt::find_trial(LeastSquares problem, const Limits& limits, const Level& level, const VecX& x,
                                    Loop& loop) {
  const int n = limits.variables();
  x_trial_ = x + s_;
  const auto clamp = [&] {
    for (int i = 0; i < n; ++i) x_trial_[i] = std::clamp(x_trial_[i], limits.lower[i], limits.upper[i]);
  };
  // Exactly on the bounds that the step ends at; it may have been made shorter.
  for (const int limit : face_.limits()) {
    if (limit >= 2 * n) continue;
    const double bound = limit < n ? limits.lower[limit] : limits.upper[limit - n];
    double& value = x_trial_[limit % n];
    if (std::fabs(value - bound) <= at_bound * std::fmax(1.0, std::fabs(bound))) value = bound;
  }
  clamp();
  bool evaluated = false;  // r_trial is of x_trial
  for (int round = 0;; ++round) {
    if (level.begin > 0 || round == 0) {
      problem.residual(x_trial_, r_trial_);
      loop.count_evaluation();
      if (!r_trial_.head(level.end).allFinite()) return false;
      evaluated = true;
    }
    double worst = 0.0;
    for (int row = 0; row < level.begin; ++row) {
      error_[row] = r_trial_[row] - kept_[row];
      worst = std::fmax(worst, std::fabs(error_[row]));
    }
    // Nothing to correct, or rows that have no slope here, as inside a region, where steps may lead out.
    if (face_.rank() == 0) return worst <= row_feasible;
    bool rows_hold = true;
    for (std::size_t k = 0; k < face_.row_limits().size(); ++k) {
      const int limit = face_.row_limits()[k];
      const double slack = limits.slack(limit, x_trial_);
      // A step that was made shorter does not reach the limits that joined on its way.
      const bool is_there = limits.is_equality(limit) || slack <= row_active_slack;
      error_[level.begin + static_cast<Eigen::Index>(k)] = is_there ? -slack : 0.0;
      rows_hold =
          rows_hold && (!is_there || std::fabs(slack) <= 0.1 * row_feasible * limit_scale(limits, limit, x_trial_));
    }
    if (worst <= row_feasible && rows_hold) break;
    if (round == max_corrections) {
      if (worst > row_feasible) return false;
      break;
    }
    face_.correct(error_, x_trial_);
    clamp();
    evaluated = false;
  }
  if (!evaluated) {
    problem.residual(x_trial_, r_trial_);
    loop.count_evaluation();
    if (!r_trial_.head(level.end).allFinite()) return false;
  }
  for (int row = 2 * n; row < limits.count(); ++row) {
    const double over = -limits.slack(row, x_trial_);
    if ((limits.is_equality(row) ? std::fabs(over) : over) > row_feasible * limit_scale(limits, row, x_trial_))
      return false;
  }
  return true;
}

void LevenbergMarquardt::minimize_level(LeastSquares problem, const Limits& limits, const Level& level, VecX& x,
                                        double tolerance, Loop& loop) {
  const auto value_of = [&](const VecX& r) { return r.segment(level.begin, level.rows()).squaredNorm(); };
  const auto all_of = [&](const VecX& r) { return r.tail(r.size() - problem.must_rows()).squaredNorm(); };
  double f = value_of(r_);
  double own_damping = 0.0;  // μ / ‖r‖
  double& damping = resumed && level.end == problem.level_ends().back() ? *resumed : own_damping;
  double growth = 2.0;
  bool fresh = true;  // J is of an earlier x
  int noise_steps = 0, steps = 0, slow_curved_steps = 0;
  double kkt = 0.0;
  struct Before {
    double f, kkt;
  } before[slow_steps] = {};  // of the last steps, in turn
  const bool is_try = loop.options().ends_when_slow && level.end > problem.must_rows();
  bool can_curve = takes_curvature && problem.has_curvature() && level.end > problem.must_rows();
  curved_ = false;
  const int window = is_try ? try_slow_steps : slow_steps;
  const auto decreases_slowly = [&](int step, double f_now, double kkt_now) {
    Before& then = before[step % window];
    const bool slow = step >= window && (is_try ? f_now > try_slow_decrease * then.f &&
                                                      std::sqrt(then.f) - std::sqrt(f_now) < try_slow_length
                                                : f_now > slow_decrease * then.f && kkt_now > slow_settling * then.kkt);
    then = {f_now, kkt_now};
    return slow;
  };
  const double longest_step = loop.options().longest_step;
  while (loop.runs()) {
    if (fresh) {
      problem.jacobian(x, J_);
      fresh = false;
      kkt = stationarity(limits, level, x);
      if (kkt <= tolerance) return loop.stop(Exit::converged);
      if ((leaves_remainder || is_try || can_curve) && decreases_slowly(steps, f, kkt)) {
        if (is_try || (!can_curve && leaves_remainder)) return loop.stop(Exit::stalled);
        if (curved_ && ++slow_curved_steps > max_slow_curved_steps) return loop.stop(Exit::stalled);
        if (can_curve) curved_ = true;
        can_curve = false;
      }
      make_model(level);
      if (curved_) add_curvature(problem, limits, level, x);
      if (damping == 0.0) {
        // Hard constraints nearly hold as a rule: then the first μ is no more than ‖J‖² ‖r‖.
        const double min_norm = level.begin == 0 && level.end == problem.must_rows() ? first_damping : 0.0;
        damping = first_damping * M().squaredNorm() /
                  std::fmax(std::sqrt(f), std::fmax(min_norm, std::numeric_limits<double>::min()));
      }
    }
    if (!loop.next()) return;
    mu_ = damping * std::sqrt(f);
    find_step(limits, level, x, mu_);
    const double longest = s_.size() == 0 ? 0.0 : s_.cwiseAbs().maxCoeff();
    if (longest > longest_step) s_ *= longest_step / longest;
    // ‖r‖² - ‖r + J s‖², without taking the difference of two large numbers.
    model_.head(m_).setZero();
    for (Eigen::Index i = 0; i < s_.size(); ++i)
      if (s_[i] != 0.0) model_.head(m_) += s_[i] * M_column(i);
    double promised = -model_.head(m_).dot(2.0 * rm_.head(m_) + model_.head(m_));
    if (curved_) {
      u_.noalias() = H_.selfadjointView<Eigen::Lower>() * s_;
      promised = -s_.dot(2.0 * Mr_ + u_);
    }
    if (indefinite_) {
      damping *= growth;
      growth *= 2.0;
      if (!(damping <= max_damping)) return loop.stop(Exit::stalled);
      continue;
    }
    const bool there = find_trial(problem, limits, level, x, loop);
    const double f_trial = there ? value_of(r_trial_) : infinity;
    const double ratio = (f - f_trial) / promised;
    // Near a minimum above 0 the decrease is below the rounding of f: any step that does not increase f
    // will do, a few times.
    const bool is_noise = promised > 0.0 && promised <= noise_ratio * f && ++noise_steps <= max_noise_steps;
    const bool accept_noise = is_noise && f_trial <= f;
    if (accept_noise || (promised > 0.0 && f_trial < f && ratio > min_ratio)) {
      x.swap(x_trial_);
      r_.swap(r_trial_);
      f = f_trial;
      fresh = true;
      ++steps;
      const double t = accept_noise ? 1.0 : 2.0 * ratio - 1.0;
      damping = std::fmax(min_damping, damping * std::fmax(1.0 / 3.0, 1.0 - t * t * t));
      growth = 2.0;
      loop.observe(all_of(r_), x);
      continue;
    }
    if (is_noise && there) {
      damping = std::fmax(min_damping, 0.5 * damping);  // another step near by, which rounds otherwise
      continue;
    }
    damping *= growth;
    growth *= 2.0;
    if (!(promised > promise_rounding * promise_rounding * f) || !(damping <= max_damping)) {
      damping = 0.0;  // nothing to resume with
      loop.stop(Exit::stalled);
    }
  }
}

Outcome LevenbergMarquardt::minimize(LeastSquares problem, const Limits& limits, VecX& x, const MethodOptions& options,
                                     const Observer& observer) {
  const std::vector<int>& ends = problem.level_ends();
  reserve(limits, ends);
  Loop loop(options, observer);
  problem.residual(x, r_);
  loop.count_evaluation();
  const auto value = [&] { return r_.tail(r_.size() - ends.front()).squaredNorm(); };
  loop.start(value(), r_.allFinite(), x);
  if (!loop.runs()) return loop.finish(x);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const Level level{k == 0 ? 0 : ends[k - 1], ends[k]};
    if (level.rows() == 0) continue;
    if (k == 0 && r_.head(level.end).cwiseAbs().maxCoeff() <= row_feasible) {  // they hold already
      kept_.head(level.end).setZero();
      continue;
    }
    const double tolerance = k == 0 ? std::fmin(options.tolerance, must_tolerance) : options.tolerance;
    loop.resume();
    minimize_level(problem, limits, level, x, tolerance, loop);
    // Hard constraints that can hold are kept at 0, not at their rounding error.
    if (k == 0 && r_.head(level.end).cwiseAbs().maxCoeff() <= lock_tolerance)
      kept_.head(level.end).setZero();
    else
      kept_.segment(level.begin, level.rows()) = r_.segment(level.begin, level.rows());
    if (loop.outcome().exit != Exit::converged && loop.outcome().exit != Exit::stalled) break;
  }
  loop.keep(value(), x);
  return loop.finish(x);
}

}  // namespace limber
