#include "limber/solver/solve.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/problem/figure_limits.h"
#include "limber/solver/clear_rounds.h"
#include "limber/solver/solver_impl.h"

namespace limber {

namespace {

// Another start replaces the answer where the first level that differs is smaller by this factor; levels that agree to
// this factor, or are both no more than rounding, do not differ.
constexpr double clear_gain = 0.9;
constexpr double same_value = 1.001;
constexpr double min_value = 1e-16;

// What gives way is given at least this much less weight at a time, and at most so much; no less than this is left of
// it.
constexpr double slow_softening = 0.1;
constexpr double fast_softening = 1e-3;
constexpr double min_soft_scale = 1e-8;
// As long as it still gives way, a solve need not be more exact than this, for a constraint that has all the weight.
constexpr double rough_tolerance = 1e-5;
constexpr int rough_iterations = 30;
// Other starts that are tried quickly, before the thorough way.
constexpr int max_quick_tries = 32;
bool is_clear_gain(double value, double best) { return value < clear_gain * best - min_value; }

}  // namespace

Solver::Impl::Impl(const Problem& problem)
    : problem_(problem), figure_limits_(limits_of(problem.figure())), alignment_(problem.figure()) {
  report_.figure = problem.figure();
}

bool Solver::Impl::accepts(const Pose& pose, const Options& options) {
  const auto reject_with = [&](std::string where, std::string found, std::string expected) {
    report_.exit = Exit::rejected;
    report_.rejection = Diagnostic{std::move(where), std::move(found), std::move(expected)};
    return false;
  };
  if (!problem_.rejections().empty()) {
    const Diagnostic& first = problem_.rejections().front();
    return reject_with(first.where, first.found, first.expected);
  }
  report_.method = options.method == Method::automatic ? Method::levenberg_marquardt : options.method;
  if (std::optional<Diagnostic> cannot = rejection(problem_, *assembly_, options.method)) {
    report_.exit = Exit::rejected;
    report_.rejection = std::move(cannot);
    return false;
  }
  const auto& parameters = problem_.figure().parameters();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters.size()))
    return reject_with("pose", std::to_string(pose.theta.size()) + " values",
                       std::to_string(parameters.size()) + ", one a parameter of the figure");
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!std::isfinite(pose.theta[j]))
      return reject_with("pose, parameter '" + parameters[static_cast<std::size_t>(j)].name + "'",
                         to_text(pose.theta[j]), "a finite number");
  if (!(options.tolerance > 0.0))
    return reject_with("options, tolerance", to_text(options.tolerance), "a number above 0");
  if (options.iterations < 0)
    return reject_with("options, iterations", std::to_string(options.iterations), "0 or more");
  if (options.restarts < 0) return reject_with("options, restarts", std::to_string(options.restarts), "0 or more");
  return true;
}

// All the room that a solve of the problem as it is now can need.
void Solver::Impl::reserve() {
  assembly_.emplace(problem_);
  share_.resize(assembly_->limits().count() + assembly_->residuals());
  values_.resize(static_cast<Eigen::Index>(assembly_->level_ends().size()));
  best_values_.resize(values_.size());
  best_.resize(assembly_->variables());
  for (VecX* forces : {&forces_, &best_forces_, &no_forces_}) assembly_->no_contact_forces(*forces);
  start_.resize(assembly_->variables());
  usual_theta_.resize(static_cast<Eigen::Index>(problem_.figure().parameters().size()));
  residual_.resize(assembly_->residuals());
  restart_.reserve(assembly_->limits());
  damping_ = 0.0;
  has_soft_ = false;
  usual_ = nullptr;
  for (const Constraint& constraint : problem_.constraints()) {
    if (!constraint.counts() || !constraint.soft) continue;
    has_soft_ = true;
    if (constraint.pull() && !std::holds_alternative<PullToComfort>(*constraint.pull())) usual_ = constraint.pull();
  }
  reserve_report();
}

const Report& Solver::Impl::solve(Pose& pose, const Options& options) {
  if (!assembly_ || assembly_->structure() != problem_.structure()) reserve();
  report_.rejection.reset();
  report_.variables = assembly_->variables();
  report_.iterations = report_.evaluations = 0;
  report_.start_projected = false;
  report_.objective = report_.objective_before = report_.kkt = 0.0;
  if (!accepts(pose, options) || !begin(pose)) {
    report_.constraints.clear();  // nothing is known of them
    assembly_.reset();            // the next solve makes room again
    return report_;
  }

  const double scale = assembly_->objective_scale();
  gradient_.resize(assembly_->variables());
  report_.objective_before = scale * objective();
  if (has_soft_) choose_start(options);
  double* const resumed = has_soft_ ? &soft_damping_ : options.resumes ? &damping_ : nullptr;
  methods_.resume_from(assembly_->is_exactly_clear() ? nullptr : resumed);
  Observer observer;
  struct Context {
    Impl& solver;
    const Options& options;
  } context{*this, options};
  if (options.observer)
    observer = [&context](int iteration, double value, const VecX& phi) {
      Impl& solver = context.solver;
      solver.assembly_->theta_of(phi, solver.current_.theta);
      return context.options.observer({iteration, value * solver.assembly_->objective_scale(), solver.current_});
    };
  report_.restarts = 0;
  Outcome outcome;
  if (!solve_quickly(options, observer, outcome)) {
    if (options.until_met && !has_soft_)  // what gives way must first have its turn
      solve_until_met(options, observer, outcome);
    else
      solve_thoroughly(options, observer, outcome);
  }
  finish(options, outcome);
  if (assembly_->is_exactly_clear() && outcome.exit != Exit::not_finite) come_back_from_worse();
  report_.soft_scale = assembly_->soft_scale();
  report_.exit = outcome.exit;
  report_.iterations = outcome.iterations;
  report_.evaluations = outcome.evaluations;
  if (outcome.exit == Exit::not_finite)
    report_.rejection =
        Diagnostic{"objective at the start", to_text(report_.objective_before), "a finite number from every goal"};
  // Heuristic methods may have ended on another point than their last; those that promise descent report it.
  const bool is_last = row_of(options.method).restarts && !has_soft_ && !assembly_->is_exactly_clear();
  const double value = is_last ? outcome.value : objective();
  report_.objective = scale * (std::isfinite(value) ? value : outcome.value);
  assembly_->evaluate_at(phi_);
  pose.theta = assembly_->theta();
  if (outcome.exit != Exit::not_finite) explain(options);
  return report_;
}

// f at phi_, added up in the order of the method that is used, so that what is reported is what the method saw.
double Solver::Impl::objective() {
  if (assembly_->is_exactly_clear()) {
    assembly_->evaluate_at(phi_);
    double sum = 0.0;
    for (std::size_t c = 0; c < problem_.constraints().size(); ++c)
      if (const Constraint& constraint = problem_.constraints()[c];
          constraint.counts() && std::isfinite(constraint.weight))
        sum += (constraint.soft ? assembly_->soft_scale() : 1.0) * constraint.weight * assembly_->value(c);
    return sum / assembly_->objective_scale();
  }
  switch (report_.method) {
    case Method::active_set_bfgs:
    case Method::projected_conjugate_gradient:
    case Method::projected_steepest_descent:
    case Method::projected_trust_region:
      return (*assembly_)(phi_, gradient_);
    default:
      assembly_->residual(phi_, residual_);
      return residual_.tail(residual_.size() - assembly_->level_ends().front()).squaredNorm();
  }
}

// How far the constraints that count are from being met at phi: the largest part of what counts as met.
double Solver::Impl::max_unmet(const Options& options, const VecX& phi) {
  assembly_->residual(phi, residual_);
  double most = 0.0;
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    if (!constraint.counts() || constraint.soft) continue;
    const GoalError error = assembly_->distance(c);
    if (is_met(constraint, error, options)) continue;
    const double part = std::fmax(error.metres.value_or(0.0) / options.met_metres,
                                  degrees(error.radians.value_or(0.0)) / options.met_degrees);
    most = std::fmax(most, part > 1.0 ? part : infinity);
  }
  return most;
}

// Runs the method from phi_, in rounds where something keeps clear exactly.
Outcome Solver::Impl::run(const Options& options, const MethodOptions& own, const Observer& observer) {
  if (!assembly_->is_exactly_clear()) return methods_.run(problem_, *assembly_, options, own, phi_, observer);
  Outcome outcome = run_clear(methods_, problem_, *assembly_, options, own, phi_, forces_, observer);
  outcome.value = objective();
  return outcome;
}

// Runs the method from phi_. What gives way does so until the others are met: the distance that it leaves falls with
// its weight.
Outcome Solver::Impl::settle(const Options& options, int iterations, const Observer& observer) {
  if (!has_soft_) return run(options, {.iterations = iterations, .tolerance = options.tolerance}, observer);
  struct Part {
    const Observer& observer;
    int before;
  } part{observer, 0};
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    return part.observer(part.before + iteration, value, x);
  };
  const auto run = [&](int most, double tolerance, Outcome& outcome) {
    part.before = outcome.iterations;
    const MethodOptions own{.iterations = std::min(most, iterations - outcome.iterations), .tolerance = tolerance};
    const Outcome next = this->run(options, own, observer ? counting : observer);
    outcome = {next.exit, outcome.iterations + next.iterations, outcome.evaluations + next.evaluations, next.value};
  };
  const auto goes_on = [&](const Outcome& outcome) {
    return outcome.exit == Exit::converged || outcome.exit == Exit::stalled ||
           (outcome.exit == Exit::iteration_limit && outcome.iterations < iterations);
  };
  double least = infinity, all = 0.0;
  for (const Constraint& constraint : problem_.constraints()) {
    if (!constraint.counts() || constraint.must_hold() || constraint.clearance()) continue;
    all += constraint.weight;
    if (!constraint.soft) least = std::fmin(least, constraint.weight);
  }
  const double rough = std::fmax(options.tolerance, rough_tolerance * std::fmin(1.0, least / all));
  Outcome outcome;
  soft_damping_ = 0.0;
  for (double soft_scale = 1.0;;) {
    assembly_->set_soft_scale(soft_scale);
    run(rough_iterations, rough, outcome);
    if (!goes_on(outcome)) return outcome;
    const double unmet = max_unmet(options, phi_);
    if (unmet <= 1.0 || soft_scale <= min_soft_scale) break;
    soft_scale = std::fmax(min_soft_scale, soft_scale * std::clamp(0.5 / unmet, fast_softening, slow_softening));
  }
  run(iterations, options.tolerance, outcome);
  return outcome;
}

// Against the weights that are left the answer must not be worse than the start.
void Solver::Impl::finish(const Options& options, Outcome& outcome) {
  if (!has_soft_ || outcome.exit == Exit::not_finite) return;
  const double value = objective();
  best_ = phi_;
  phi_ = start_;
  const double before = objective();
  report_.objective_before = assembly_->objective_scale() * before;
  // What keeps clear may have had to rise.
  if (value <= before || assembly_->is_exactly_clear()) {
    phi_ = best_;
    return;
  }
  const Outcome again = methods_.run(
      problem_, *assembly_, options,
      {.iterations = std::max(0, options.iterations - outcome.iterations), .tolerance = options.tolerance}, phi_, {});
  outcome.iterations += again.iterations;
  outcome.evaluations += again.evaluations;
  outcome.exit = again.exit;
}

// Stopped halfway, what keeps clear may be deeper than it was, or clear at the price of the goals. Then the start is
// the better answer: first what must hold counts, then what is clear, then the goals where they have one level.
void Solver::Impl::come_back_from_worse() {
  const int locks = assembly_->level_ends().front();
  const auto look_at = [&](double& off_locks, double& shortfall, double& value) {
    assembly_->residual(phi_, residual_);
    off_locks = residual_.head(locks).squaredNorm();
    shortfall = assembly_->shortfall(phi_);
    value = assembly_->level_ends().size() == 2 ? objective() : 0.0;
  };
  double off_locks = 0.0, shortfall = 0.0, value = 0.0, locks_before = 0.0, shortfall_before = 0.0, before = 0.0;
  look_at(off_locks, shortfall, value);
  phi_.swap(start_);
  look_at(locks_before, shortfall_before, before);
  if (locks_before <= off_locks + min_value &&
      (shortfall > shortfall_before || (shortfall == shortfall_before && value > before)))
    return;
  phi_.swap(start_);
}

// ‖r‖² level by level at phi_, without what gives way and without the multipliers of what keeps clear.
void Solver::Impl::level_values(VecX& values) {
  const double soft_scale = assembly_->soft_scale();
  if (assembly_->is_exactly_clear()) assembly_->set_contact_forces(no_forces_);
  assembly_->set_soft_scale(0.0);
  assembly_->residual(phi_, residual_);
  assembly_->set_soft_scale(soft_scale);
  int begin = 0;
  for (std::size_t k = 0; k < assembly_->level_ends().size(); ++k) {
    const int end = assembly_->level_ends()[k];
    values[static_cast<Eigen::Index>(k)] = residual_.segment(begin, end - begin).squaredNorm();
    begin = end;
  }
}

// The quick way, where there is one: true where it has led to an end. Otherwise phi_ is a start that is no worse.
bool Solver::Impl::solve_quickly(const Options& options, const Observer& observer, Outcome& outcome) {
  if (has_soft_ || !methods_.has_quick_way(*assembly_, options)) return false;
  start_ = phi_;
  outcome = methods_.run_quickly(*assembly_, options,
                                 {.iterations = options.iterations, .tolerance = options.tolerance}, phi_, observer);
  if (outcome.exit != Exit::converged && outcome.exit != Exit::stalled) return true;
  try_again(options, observer, outcome, Pace::quick);
  return outcome.exit == Exit::cancelled || outcome.exit == Exit::met || outcome.iterations >= options.iterations ||
         (outcome.exit == Exit::converged && all_met(options));
}

// The thorough way, stopped by an observer that looks whether all is met.
void Solver::Impl::solve_until_met(const Options& options, const Observer& observer, Outcome& outcome) {
  struct Context {
    Impl& solver;
    const Options& options;
    const Observer& observer;
    bool met;
  } context{*this, options, observer, all_met(options)};
  if (context.met) {
    outcome.exit = Exit::met;
    outcome.value = objective();
    return;
  }
  const Observer looking = [&context](int iteration, double value, const VecX& phi) {
    if (context.observer && !context.observer(iteration, value, phi)) return false;
    context.met = context.solver.max_unmet(context.options, phi) <= 1.0;
    return !context.met;
  };
  solve_thoroughly(options, looking, outcome);
  if (context.met && outcome.exit == Exit::cancelled) outcome.exit = Exit::met;
}

// From where the quick way ended, if there is one.
void Solver::Impl::solve_thoroughly(const Options& options, const Observer& observer, Outcome& outcome) {
  struct Part {
    const Observer& observer;
    int before;
    double value;
  } part{observer, outcome.iterations, outcome.iterations > 0 ? outcome.value : infinity};
  // The quick way adds f up in another order: what this starts from may be a rounding error above where it ended.
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    part.value = std::fmin(part.value, value);
    return part.observer(part.before + iteration, part.value, x);
  };
  const int evaluations = outcome.evaluations;
  outcome = settle(options, options.iterations - part.before, observer ? counting : observer);
  outcome.iterations += part.before;
  outcome.evaluations += evaluations;
  report_.restarts = 0;
  try_again(options, observer, outcome, Pace::thorough);
}

// Other starts, where the first left something unmet. The answer changes only for a clear gain, so that a figure whose
// goal is out of reach does not flicker between poses that are equally good.
//
// A quick try counts only where it meets everything.
void Solver::Impl::try_again(const Options& options, const Observer& observer, Outcome& outcome, Pace pace) {
  const int most = pace == Pace::quick ? std::min(options.restarts, max_quick_tries) : options.restarts;
  if (options.restarts == 0 || assembly_->variables() == 0 || !row_of(options.method).restarts) return;
  const auto is_stuck = [&](Exit exit) { return exit == Exit::converged || exit == Exit::stalled; };
  if (!is_stuck(outcome.exit) || all_met(options)) return;
  best_ = phi_;
  double best_soft_scale = assembly_->soft_scale();
  assembly_->contact_forces(best_forces_);
  level_values(best_values_);
  const double damping = damping_;
  while (report_.restarts < most && outcome.iterations < options.iterations) {
    next_start(pace);
    damping_ = 0.0;  // another start has nothing to resume
    assembly_->forget_contacts();
    const int before = outcome.iterations;
    // The caller sees the best pose so far.
    struct Try {
      const Observer& observer;
      const VecX &best, &values;
      double value;
      int before;
      Impl* solver;  // null where the method does not go on from the assembly's last evaluation
    } one{observer, best_, best_values_, outcome.value, before, pace == Pace::thorough ? this : nullptr};
    const Observer best_only = [&one](int iteration, double value, const VecX& phi) {
      const double best = one.value;
      const bool better = one.values.size() == 2 && one.values[0] == 0.0 && is_clear_gain(value, best);
      const bool goes_on = one.observer(one.before + iteration, better ? value : best, better ? phi : one.best);
      if (one.solver) one.solver->assembly_->residual(phi, one.solver->residual_);  // it may have looked elsewhere
      return goes_on;
    };
    const Observer& watching = observer ? best_only : observer;
    const Outcome again =
        pace == Pace::quick
            ? methods_.run_quickly(*assembly_, options,
                                   {.iterations = options.iterations - before, .tolerance = options.tolerance}, phi_,
                                   watching)
            : settle(options, options.iterations - before, watching);
    outcome.iterations += again.iterations;
    outcome.evaluations += again.evaluations;
    if (again.exit == Exit::cancelled) outcome.exit = Exit::cancelled;
    assembly_->contact_forces(forces_);
    level_values(values_);
    bool better = false;
    for (Eigen::Index k = 0; k < values_.size() && !better; ++k) {
      if (values_[k] > same_value * best_values_[k] + min_value) break;
      better = is_clear_gain(values_[k], best_values_[k]);
    }
    if (pace == Pace::quick)
      better = better && (again.exit == Exit::met || (again.exit == Exit::converged && all_met(options)));
    if (better && again.exit != Exit::not_finite) {
      best_ = phi_;
      best_soft_scale = assembly_->soft_scale();
      best_forces_.swap(forces_);
      best_values_ = values_;
      outcome.value = again.value;
      if (again.exit != Exit::cancelled) outcome.exit = again.exit;
    }
    if (outcome.exit == Exit::cancelled || (better && all_met(options))) break;
  }
  damping_ = damping;
  if (outcome.exit == Exit::stalled && outcome.iterations >= options.iterations) outcome.exit = Exit::iteration_limit;
  phi_ = best_;
  assembly_->set_soft_scale(best_soft_scale);
  if (assembly_->is_exactly_clear()) assembly_->set_contact_forces(best_forces_);
}

Solver::Solver(const Problem& problem) : impl_(std::make_unique<Impl>(problem)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Report& Solver::solve(Pose& pose, const Options& options) { return impl_->solve(pose, options); }

Report solve(const Problem& problem, Pose& pose, const Options& options) {
  return Solver(problem).solve(pose, options);
}

}  // namespace limber
