#include "limber/solver/solve.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/program/run_sequence.h"
#include "limber/solver/check.h"
#include "limber/solver/reporter.h"
#include "limber/solver/start.h"
#include "limber/solver/strategy/clear_rounds.h"
#include "limber/solver/strategy/plain.h"
#include "limber/solver/strategy/quick.h"
#include "limber/solver/strategy/retry.h"
#include "limber/solver/strategy/soft.h"
#include "limber/solver/strategy/until_met.h"
#include "limber/solver/workspace.h"

namespace limber {

namespace {

// Other starts without Options::restarts: so many at least, and at most. Then as many as go into these iterations and
// this work, which is counted in nanoseconds or so, so that a goal out of reach is answered in time for a drag at 60
// Hz, and by the problem, so that the same one gives the same answer anywhere.
constexpr int few_tries = 4, max_tries = 200;
constexpr int max_tried_iterations = 700;
constexpr double least_work_of_tries = 4e5, work_of_tries_per_variable = 7e4, max_work_of_tries = 4e6;
// An answer whose errors are at most this many tolerances is nearly met.
constexpr double nearly_met = 10.0;

double work_of_tries(int variables) {
  return std::fmin(least_work_of_tries + work_of_tries_per_variable * variables, max_work_of_tries);
}

}  // namespace

// A solve: check, start, choose a strategy, run it, retry from other starts where it is stuck, report.
class Solver::Impl {
 public:
  explicit Impl(const Problem& problem) : work_(problem), starts_(problem) { report_.figure = problem.figure(); }
  const Report& solve(Pose& pose, const Options& options);
  void forget() { work_.damping = 0.0; }

 private:
  void reserve();
  void clear_report(const Options& options);
  bool begin(Pose& pose, const Options& options);
  Strategy& choose_strategy();
  Outcome run(Strategy& strategy, const Options& options, const Observer& observer);
  Retry::Plan plan_of(const Strategy& strategy, const Options& options) const;
  Retry::Plan quick_plan_of(const Options& options) const;
  void attempt(Strategy& strategy, const Retry::Plan& plan, const Options& options, const Observer& observer,
               Outcome& outcome);
  void attempt_from_starts(Strategy& strategy, const Retry::Plan& plan, const Options& options,
                           const Observer& observer, Outcome& outcome);
  bool has_weighted_pull() const;
  void write_report(Strategy& strategy, const Options& options, const Outcome& outcome);

  Workspace work_;
  Starts starts_;
  Plain plain_;
  Quick quick_;
  ClearRounds clear_rounds_;
  Soft soft_{starts_};
  Retry retry_;
  Reporter reporter_;
  Report report_;
  Pose shown_;  // to the observer
  VecX best_;   // of several starts
};

void Solver::Impl::reserve() {
  work_.reserve();
  starts_.reserve(work_);
  clear_rounds_.reserve(work_);
  soft_.reserve(work_);
  retry_.reserve(work_);
  best_.resize(work_.assembly->variables());
  reporter_.reserve(work_, report_);
}

void Solver::Impl::clear_report(const Options& options) {
  report_.rejection.reset();
  const Method method = chosen_method(options);
  report_.method = method == Method::automatic ? Method::levenberg_marquardt : method;
  report_.variables = work_.assembly->variables();
  report_.iterations = report_.evaluations = report_.restarts = 0;
  report_.start_projected = false;
  report_.objective = report_.objective_before = report_.kkt = 0.0;
}

// Moves the start within the limits and passes it to the assembly. False if the solve cannot begin.
bool Solver::Impl::begin(Pose& pose, const Options& options) {
  report_.rejection = rejection(work_.problem, pose, options);
  report_.exit = Exit::rejected;
  if (report_.rejection) return false;
  shown_.theta = pose.theta;
  Starts::Projected projected = starts_.project(shown_.theta);
  report_.rejection = std::move(projected.contradiction);
  report_.exit = Exit::infeasible;
  if (report_.rejection) return false;
  report_.start_projected = projected.moved;
  pose.theta = shown_.theta;
  work_.assembly->start(shown_.theta, work_.phi);
  work_.start = work_.phi;
  return true;
}

Strategy& Solver::Impl::choose_strategy() {
  Strategy& strategy = work_.assembly->has_hard_inequalities() ? static_cast<Strategy&>(clear_rounds_) : plain_;
  if (!Soft::applies_to(work_.problem)) return strategy;
  soft_.set_inner(strategy);
  return soft_;
}

// The strategy from work_.phi, after what ran before; then from other starts where it is stuck. If the best answer is
// nearly met, one of a few more starts that run to their end probably meets everything.
void Solver::Impl::attempt(Strategy& strategy, const Retry::Plan& plan, const Options& options,
                           const Observer& observer, Outcome& outcome) {
  attempt_from_starts(strategy, plan, options, observer, outcome);
  const bool is_stuck = outcome.exit == Exit::converged || outcome.exit == Exit::stalled;
  if (options.restarts || !plan.ends_when_slow || !is_stuck || has_weighted_pull() || work_.all_met(options) ||
      work_.max_unmet(options, work_.phi) > nearly_met)
    return;
  retry_.run(strategy, starts_, {few_tries, Starts::Order::near_first}, work_, options, observer, outcome);
}

// Between a pull and a goal, an error may be the balance of the two.
bool Solver::Impl::has_weighted_pull() const {
  return std::ranges::any_of(work_.problem.constraints(), [](const Constraint& constraint) {
    return constraint.counts() && constraint.pull() && !constraint.soft;
  });
}

// Where the tries end early, the best one is then run to its end.
void Solver::Impl::attempt_from_starts(Strategy& strategy, const Retry::Plan& plan, const Options& options,
                                       const Observer& observer, Outcome& outcome) {
  const auto run_once = [&](RunSequence& runs, bool ends_when_slow) {
    const MethodOptions remaining{.iterations = options.iterations - outcome.iterations,
                                  .tolerance = options.tolerance,
                                  .ends_when_slow = ends_when_slow};
    runs.add(strategy.run(work_, options, remaining, runs.observer()));
    outcome = runs.outcome();
  };
  // An earlier level may improve at the cost of a later one.
  const bool has_one_function = work_.assembly->has_one_level() && strategy.minimizes_one_function();
  const auto values = has_one_function ? RunSequence::Values::non_increasing : RunSequence::Values::as_given;
  RunSequence first(observer, values, outcome);
  run_once(first, plan.ends_when_slow);
  retry_.run(strategy, starts_, plan, work_, options, observer, outcome);
  if (!plan.ends_when_slow || outcome.exit != Exit::stalled || outcome.iterations >= options.iterations) return;
  const Outcome best = outcome;
  best_ = work_.phi;
  RunSequence last(observer, values, outcome);
  run_once(last, false);
  // As observers have seen it.
  if (outcome.iterations == best.iterations)
    outcome.value = best.value;
  else if (has_one_function)
    outcome.value = std::fmin(outcome.value, best.value);
  if (outcome.exit == Exit::not_finite) {  // a goal that fails from here on
    outcome = best;
    work_.phi = best_;
  }
}

// Few other starts in general; as many as may be useful where they cost little.
Retry::Plan Solver::Impl::plan_of(const Strategy& strategy, const Options& options) const {
  Retry::Plan plan{options.restarts.value_or(few_tries), Starts::Order::near_first};
  if (plan.max_tries == 0 || !strategy.may_end_when_slow(options)) return plan;
  plan.ends_when_slow = true;
  if (options.restarts) return plan;
  plan.sure_tries = few_tries;
  plan.max_tries = max_tries;
  plan.max_iterations = max_tried_iterations;
  plan.max_work = work_of_tries(work_.assembly->variables());
  return plan;
}

Retry::Plan Solver::Impl::quick_plan_of(const Options& options) const {
  Retry::Plan plan{std::min(options.restarts.value_or(max_tries), max_tries), Starts::Order::spread_first};
  if (options.restarts) return plan;
  plan.sure_tries = few_tries;
  plan.max_iterations = max_tried_iterations;
  plan.max_work = work_of_tries(work_.assembly->variables());
  return plan;
}

Outcome Solver::Impl::run(Strategy& strategy, const Options& options, const Observer& observer) {
  Outcome outcome;
  if (Quick::accepts(work_, options)) {
    attempt(quick_, quick_plan_of(options), options, observer, outcome);
    const bool goes_on = (outcome.exit == Exit::converged && !work_.all_met(options)) || outcome.exit == Exit::stalled;
    if (!goes_on || outcome.iterations >= options.iterations) return outcome;
  }
  // Where the quick method found nothing from many starts, the general one goes on from the best of them.
  const bool tried = outcome.iterations > 0 && !options.restarts;
  const Retry::Plan plan = tried ? Retry::Plan{} : plan_of(strategy, options);
  if (!options.until_met || !strategy.may_end_when_met()) {
    attempt(strategy, plan, options, observer, outcome);
    return outcome;
  }
  UntilMet until_met(work_, options, observer);
  if (until_met.met()) {
    outcome.exit = Exit::met;
    outcome.value = strategy.objective(work_, options);
    return outcome;
  }
  attempt(strategy, plan, options, until_met.observer(), outcome);
  if (until_met.met() && outcome.exit == Exit::cancelled) outcome.exit = Exit::met;
  return outcome;
}

void Solver::Impl::write_report(Strategy& strategy, const Options& options, const Outcome& outcome) {
  const double scale = work_.assembly->objective_scale();
  report_.objective_before = scale * work_.start_value;
  report_.soft_scale = work_.assembly->soft_scale();
  report_.exit = outcome.exit;
  report_.iterations = outcome.iterations;
  report_.evaluations = outcome.evaluations;
  report_.restarts = retry_.tries();
  if (outcome.exit == Exit::not_finite)
    report_.rejection =
        Diagnostic{"objective at the start", to_text(report_.objective_before), "a finite number from every goal"};
  // The value of a method that guarantees descent is that of the answer; others may have ended elsewhere.
  const bool descends = row_of(chosen_method(options)).restarts && strategy.minimizes_one_function();
  const double value = descends ? outcome.value : strategy.objective(work_, options);
  report_.objective = scale * (std::isfinite(value) ? value : outcome.value);
}

const Report& Solver::Impl::solve(Pose& pose, const Options& options) {
  if (!work_.assembly || work_.assembly->structure() != work_.problem.structure()) reserve();
  clear_report(options);
  if (!begin(pose, options)) {
    report_.constraints.clear();  // nothing is known about them
    work_.assembly.reset();       // the next solve allocates again
    return report_;
  }
  struct Context {
    Impl& solver;
    const Options& options;
  } context{*this, options};
  Observer observer;
  if (options.observer)
    observer = [&context](int iteration, double value, const VecX& phi) {
      const Assembly& assembly = *context.solver.work_.assembly;
      Pose& shown = context.solver.shown_;
      assembly.theta_of(phi, shown.theta);
      return context.options.observer({iteration, value * assembly.objective_scale(), shown});
    };
  Strategy& strategy = choose_strategy();
  retry_.clear();
  work_.start_value = strategy.objective(work_, options);
  strategy.begin(work_, options);
  Outcome outcome = run(strategy, options, observer);
  strategy.finish(work_, options, outcome);
  write_report(strategy, options, outcome);
  work_.assembly->evaluate_at(work_.phi);
  pose.theta = work_.assembly->theta();
  if (outcome.exit != Exit::not_finite) reporter_.explain(work_, options, report_);
  work_.reserve_method(options);
  return report_;
}

Solver::Solver(const Problem& problem) : impl_(std::make_unique<Impl>(problem)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Report& Solver::solve(Pose& pose, const Options& options) { return impl_->solve(pose, options); }

void Solver::forget() { impl_->forget(); }

Report solve(const Problem& problem, Pose& pose, const Options& options) {
  return Solver(problem).solve(pose, options);
}

}  // namespace limber
