#include "limber/solver/constraint_rounds.h"

#include <algorithm>
#include <cmath>

#include "limber/program/run_sequence.h"

namespace limber {

namespace {

constexpr double weight_growth = 4.0, max_weight = 1e8;
// Iterations of the first round; a round that helps doubles them.
constexpr int first_length = 5, max_length = 160;
// A round that does not help makes the steps of the next one shorter by this.
constexpr double shorter = 0.25;
constexpr int max_failures = 10;
// The nearest feasible point need not be exact.
constexpr double nearest_tolerance = 1e-9;
constexpr int nearest_iterations = 40;
// A limit with no more slack than this is where the point is.
constexpr double on_limit = 1e-12;
// Where the feasible point is no better, one nearer to where the round began may be: so many parts of the way.
constexpr int max_parts = 4;
constexpr double next_part = 0.25;
// Hard constraints hold as well as before where they are off by no more than this beyond.
constexpr double lock_rounding = 1e-10;
// Singular values of J_cᵀ below this much of the largest are omitted, as in lagrange_multipliers.h.
constexpr double small_sigma = 1e-4;
// A decrease of f below this part is rounding; after so many such rounds the method has stalled.
constexpr double no_decrease = 1e-12;
constexpr int patience = 5;

}  // namespace

void ConstraintRounds::Nearest::residual(const VecX& x, VecX& out) {
  problem->residual(x, r);
  out.resize(ends.back());
  out.head(ends.front()) = r.head(ends.front());
  out.tail(x.size()) = x - target;
}

void ConstraintRounds::Nearest::jacobian(const VecX& x, MatX& out) {
  out.setZero(ends.back(), x.size());
  out.bottomRows(x.size()).setIdentity();
  if (ends.front() == 0) return;
  problem->residual(x, r);
  problem->jacobian(x, J);
  out.topRows(ends.front()) = J.topRows(ends.front());
}

// Whether the program of a round has another size than before.
bool ConstraintRounds::reserve(const LeastSquares& problem, const Limits& limits, const Lacks& lacks) {
  const int n = limits.variables();
  lacks_ = lacks;
  hard_ = problem.must_rows();
  all_ = problem.rows();
  const int rows = all_ + (lacks.rows ? static_cast<int>(limits.rows.size()) : 0);
  level_ends_.assign({lacks.locks ? 0 : hard_, rows});
  box_.lower = limits.lower;
  box_.upper = limits.upper;
  if (lacks.rows) {
    box_.rows.clear();
    box_.column.clear();
    box_.coefficient.clear();
  } else {
    box_.rows = limits.rows;
    box_.column = limits.column;
    box_.coefficient = limits.coefficient;
  }
  independent_.reserve(hard_, n);
  tangent_.assign(limits, std::min(hard_, n));
  held_limits_ = limits;
  kkt_.reserve(limits, std::min(hard_, n));
  nearest_.ends.assign({hard_, hard_ + n});
  projection_.reserve(limits, nearest_.ends);
  svd_.reserve(std::max(n, hard_), std::min(n, hard_));
  for (VecX* v : {&g_, &s_, &x_, &base_, &trial_, &nearest_.target}) v->resize(n);
  for (VecX* v : {&lock_shift_, &lambda_}) v->resize(hard_);
  row_lambda_.resize(static_cast<Eigen::Index>(limits.rows.size()));
  held_.resize(static_cast<std::size_t>(limits.count()));
  r_.resize(all_);
  nearest_.r.resize(all_);
  J_.resize(all_, n);
  nearest_.J.resize(all_, n);
  const bool is_new = J_round_.rows() != rows || J_round_.cols() != n;
  r_round_.resize(rows);
  J_round_.resize(rows, n);
  return is_new;
}

// f at x; the residual is in r_.
double ConstraintRounds::evaluate(const VecX& x) {
  problem_->residual(x, r_);
  return r_.tail(all_ - hard_).squaredNorm();
}

// The multipliers at x, where evaluate() has just been; returns the Kuhn-Tucker residual.
double ConstraintRounds::multipliers(const Limits& limits, const VecX& x) {
  problem_->jacobian(x, J_);
  g_.noalias() = 2.0 * J_.bottomRows(all_ - hard_).transpose() * r_.tail(all_ - hard_);
  tangent_ = limits;
  tangent_.add_tangent(J_, independent_.find(J_, hard_), x);
  const double residual = kkt_.check(tangent_, x, g_, on_limit);
  row_lambda_.setZero();
  held_.assign(held_.size(), 0);
  const int first_row = 2 * limits.variables(), first_lock = limits.count();
  s_.setZero();
  for (const Kkt::Multiplier& one : kkt_.multipliers()) {
    if (one.limit >= first_lock) {
      tangent_.add_normal(one.limit, one.lambda, s_);
      continue;
    }
    held_[static_cast<std::size_t>(one.limit)] = 1;
    if (one.limit >= first_row) row_lambda_[one.limit - first_row] = one.lambda;
  }
  lambda_.setZero();
  // λ of least norm with J_cᵀ λ = s.
  if (hard_ > 0) {
    const bool wide = hard_ > x.size();
    if (wide)
      svd_.W = J_.topRows(hard_);
    else
      svd_.W = J_.topRows(hard_).transpose();
    svd_.compute();
    const MatX &of_s = wide ? svd_.V : svd_.W, &of_lambda = wide ? svd_.W : svd_.V;
    for (Eigen::Index k = 0; k < svd_.sigma.size(); ++k)
      if (const double sigma = svd_.sigma[k]; sigma > small_sigma * svd_.largest())
        lambda_ += (of_s.col(k).dot(s_) / (sigma * sigma)) * of_lambda.col(k);
  }
  lock_shift_ = r_.head(hard_) - lambda_ / (2.0 * weight_);
  return residual;
}

// x becomes the feasible point nearest to the target, as far as that leads from x. Returns the evaluations.
int ConstraintRounds::go_to_nearest(const Limits& limits, const VecX& target, VecX& x) {
  const MethodOptions options{.iterations = nearest_iterations, .tolerance = nearest_tolerance};
  nearest_.target = target;
  return projection_.minimize(nearest_, limits, x, options).evaluations;
}

// The limits, with those as equalities that the multipliers at φ₀ hold and the method has not left: else it would come
// near to them, but not onto them.
void ConstraintRounds::hold_limits(const Limits& limits, const VecX& reached) {
  const int n = limits.variables();
  held_limits_ = limits;
  for (int i = 0; i < n; ++i) {
    if (held_[static_cast<std::size_t>(i)] && reached[i] == limits.lower[i]) held_limits_.upper[i] = limits.lower[i];
    if (held_[static_cast<std::size_t>(n) + static_cast<std::size_t>(i)] && reached[i] == limits.upper[i])
      held_limits_.lower[i] = limits.upper[i];
  }
  for (std::size_t k = 0; k < limits.rows.size(); ++k)
    if (held_[2 * static_cast<std::size_t>(n) + k]) held_limits_.rows[k].equality = true;
}

// Leaves in trial_ a feasible point on the way to x_ that is better than base_, with its value; false where none is.
bool ConstraintRounds::find_better(const Limits& limits, double best, double indifferent, double& reached,
                                   int& evaluations) {
  if (!x_.allFinite()) return false;
  hold_limits(limits, x_);
  evaluate(base_);
  const double off = hard_ > 0 ? r_.head(hard_).cwiseAbs().maxCoeff() : 0.0;
  s_ = x_ - base_;
  double part = 1.0;
  for (int k = 0; k < max_parts; ++k, part *= next_part) {
    x_ = base_ + part * s_;
    trial_ = base_;
    evaluations += 1 + go_to_nearest(k < max_parts / 2 ? held_limits_ : limits, x_, trial_);
    reached = evaluate(trial_);
    const bool keeps = hard_ == 0 || r_.head(hard_).cwiseAbs().maxCoeff() <= off + lock_rounding;
    if (keeps && trial_ != base_ && (reached < best || reached <= indifferent)) return true;
  }
  return false;
}

// e + λ' / 2ω where the limit takes part, else 0.
double ConstraintRounds::row_excess(int k, const VecX& x) const {
  const int limit = 2 * limits_->variables() + k;
  const double excess = row_lambda_[k] / (2.0 * weight_) - limits_->slack(limit, x);
  return limits_->is_equality(limit) ? excess : std::fmax(0.0, excess);
}

void ConstraintRounds::residual(const VecX& x, VecX& r) {
  problem_->residual(x, r_);
  r.resize(level_ends_.back());
  r.head(all_) = r_;
  const double root = std::sqrt(weight_);
  if (lacks_.locks) r.head(hard_) = root * (r_.head(hard_) - lock_shift_);
  for (int k = 0; k < level_ends_.back() - all_; ++k) r[all_ + k] = root * row_excess(k, x);
}

void ConstraintRounds::jacobian(const VecX& x, MatX& J) {
  problem_->jacobian(x, J_);
  J.resize(level_ends_.back(), x.size());
  J.topRows(all_) = J_;
  const double root = std::sqrt(weight_);
  if (lacks_.locks) J.topRows(hard_) *= root;
  for (int k = 0; k < level_ends_.back() - all_; ++k) {
    J.row(all_ + k).setZero();
    if (row_excess(k, x) == 0.0) continue;
    const Limits::Row& row = limits_->rows[static_cast<std::size_t>(k)];
    for (int at = row.begin; at < row.end; ++at)
      J(all_ + k, limits_->column[static_cast<std::size_t>(at)]) =
          root * limits_->coefficient[static_cast<std::size_t>(at)];
  }
}

double ConstraintRounds::value(const VecX& x, VecX& gradient) {
  residual(x, r_round_);
  jacobian(x, J_round_);
  gradient.noalias() = 2.0 * J_round_.transpose() * r_round_;
  return r_round_.squaredNorm();
}

Outcome ConstraintRounds::minimize(LeastSquares problem, const Limits& limits, const Lacks& lacks, Method method,
                                   VecX& x, const MethodOptions& options, double indifferent,
                                   const Observer& observer) {
  problem_ = nearest_.problem = &problem;
  limits_ = &limits;
  const bool is_new = reserve(problem, limits, lacks);
  Outcome outcome;
  base_ = x;
  double best = evaluate(base_);
  if (!std::isfinite(best) || !r_.allFinite()) return {.exit = Exit::not_finite, .evaluations = 1, .value = best};
  if (hard_ > 0) outcome.evaluations += go_to_nearest(limits, x, base_);
  best = evaluate(base_);
  // The pose does not change within a round.
  struct Shown {
    const Observer& observer;
    const VecX& base;
    const double& value;
    const Outcome& before;
  } const shown{observer, base_, best, outcome};
  const Observer best_only = [&shown](int iteration, double, const VecX&) {
    return !shown.observer || shown.observer(shown.before.iterations + iteration, shown.value, shown.base);
  };
  Program program(*this);
  weight_ = lacks.first_weight;
  if (is_new) {  // the memory of the method, which this solve may not need, but a later one
    evaluate(base_);
    multipliers(limits, base_);
    x_ = base_;
    (void)method(program, program, box_, {.iterations = 0}, x_, {});
  }
  int length = first_length, failures = 0, idle = 0;
  double longest_step = options.longest_step;
  for (;;) {
    outcome.value = best;
    evaluate(base_);
    if (multipliers(limits, base_) <= options.tolerance) {
      outcome.exit = Exit::converged;
      break;
    }
    if (outcome.iterations >= options.iterations) {
      outcome.exit = Exit::iteration_limit;
      break;
    }
    if (failures > max_failures || idle > patience) {
      outcome.exit = Exit::stalled;
      break;
    }
    const MethodOptions own{.iterations = std::min(length, options.iterations - outcome.iterations),
                            .tolerance = 0.1 * options.tolerance,
                            .longest_step = longest_step};
    x_ = base_;
    const Outcome run = method(program, program, box_, own, x_, best_only);
    // A round without an iteration counts as one.
    const bool cancelled = run.exit == Exit::cancelled || (run.iterations == 0 && !best_only(1, best, base_));
    outcome.iterations += std::max(1, run.iterations);
    outcome.evaluations += run.evaluations;
    if (cancelled) {
      outcome.exit = Exit::cancelled;
      break;
    }
    double reached = best;
    if (find_better(limits, best, indifferent, reached, outcome.evaluations)) {
      idle = reached < (1.0 - no_decrease) * best ? 0 : idle + 1;
      base_ = trial_;
      best = reached;
      failures = 0;
      length = std::min(2 * length, max_length);
      longest_step = std::fmin(options.longest_step, longest_step / shorter);
    } else {
      ++failures;
      length = std::max(1, length / 4);
      longest_step = shorter * std::fmin(longest_step, 1.0);
      weight_ = std::fmin(max_weight, weight_growth * weight_);
    }
  }
  x = base_;
  return outcome;
}

}  // namespace limber
