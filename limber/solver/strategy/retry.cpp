#include "limber/solver/strategy/retry.h"

#include <algorithm>
#include <utility>

#include "limber/program/run_sequence.h"

namespace limber {

namespace {

// The result of a restart replaces the best one if the first level that differs is smaller by this factor, or its root
// by so many lengths of the figure: of a goal metres away, one that is a centimetre nearer. Levels that agree within
// the next factor, or are both rounding error, count as equal.
constexpr double clear_gain = 0.9;
constexpr double clear_length = 0.002;
constexpr double same_value = 1.001;
constexpr double min_value = 1e-16;

bool is_clear_gain(double value, double best) {
  return value < clear_gain * best - min_value || std::sqrt(value) + clear_length < std::sqrt(best);
}
bool is_stuck(Exit exit) { return exit == Exit::converged || exit == Exit::stalled; }

}  // namespace

void Retry::reserve(const Workspace& work) {
  for (Answer* answer : {&best_, &trial_}) {
    answer->phi.resize(work.assembly->variables());
    answer->levels.resize(static_cast<Eigen::Index>(work.assembly->level_ends().size()));
    work.assembly->zero_multipliers(answer->forces);
  }
  work.assembly->zero_multipliers(zero_forces_);
  met_.assign(work.problem.constraints().size(), 0);
}

void Retry::take(Workspace& work, Answer& out) {
  Assembly& assembly = *work.assembly;
  out.phi = work.phi;
  out.soft_scale = assembly.soft_scale();
  assembly.multipliers(out.forces);
  assembly.set_multipliers(zero_forces_);
  assembly.set_soft_scale(0.0);
  assembly.residual(work.phi, work.residual);
  assembly.set_soft_scale(out.soft_scale);
  int begin = 0;
  for (std::size_t k = 0; k < assembly.level_ends().size(); ++k) {
    const int end = assembly.level_ends()[k];
    out.levels[static_cast<Eigen::Index>(k)] = work.residual.segment(begin, end - begin).squaredNorm();
    begin = end;
  }
}

// After a better answer took the place of the best one: a level in which they count as equal keeps the lower value, so
// that small losses of several restarts do not add up.
void Retry::keep_lower_levels() {
  for (Eigen::Index k = 0; k < best_.levels.size(); ++k) {
    if (is_clear_gain(best_.levels[k], trial_.levels[k])) return;
    best_.levels[k] = std::fmin(best_.levels[k], trial_.levels[k]);
  }
}

bool Retry::is_better() const {
  for (Eigen::Index k = 0; k < best_.levels.size(); ++k) {
    if (trial_.levels[k] > same_value * best_.levels[k] + min_value) return false;
    if (is_clear_gain(trial_.levels[k], best_.levels[k])) return true;
  }
  return false;
}

// One run from work.phi. Observers see its points only where they are better than the best answer for certain.
Outcome Retry::run_once(Strategy& strategy, const Plan& plan, Workspace& work, const Options& options,
                        const Observer& observer, const Outcome& before, bool comparable) {
  struct Shown {
    const Observer& observer;
    const Outcome& before;
    const VecX& best;
    bool comparable;
  } shown{observer, before, best_.phi, comparable};
  const Observer best_only = [&shown](int iteration, double value, const VecX& phi) {
    const bool better = shown.comparable && is_clear_gain(value, shown.before.value);
    return shown.observer(shown.before.iterations + iteration, better ? value : shown.before.value,
                          better ? phi : shown.best);
  };
  MethodOptions remaining{.iterations = options.iterations - before.iterations,
                          .tolerance = options.tolerance,
                          .ends_when_slow = plan.ends_when_slow};
  const Observer& shows = observer ? best_only : observer;
  RunSequence runs(shows, RunSequence::Values::as_given);
  runs.add(strategy.approach(work, options, remaining, runs.observer()));
  if (runs.outcome().exit == Exit::cancelled || runs.outcome().exit == Exit::not_finite) return runs.outcome();
  remaining.iterations -= runs.outcome().iterations;
  runs.add(strategy.run(work, options, remaining, runs.observer()));
  return runs.outcome();
}

void Retry::run(Strategy& strategy, Starts& starts, const Plan& plan, Workspace& work, const Options& options,
                const Observer& observer, Outcome& outcome) {
  if (plan.max_tries == 0 || work.assembly->variables() == 0 || !row_of(chosen_method(options)).restarts) return;
  if (!is_stuck(outcome.exit) || work.all_met(options)) return;
  work.find_met(options, met_);
  take(work, best_);
  const bool comparable = strategy.minimizes_one_function() && work.assembly->has_one_level();
  const double damping = work.damping;
  const double work_per_iteration = strategy.work_per_iteration(work);
  const bool is_out_of_reach = strategy.is_out_of_reach(work, options);
  int iterations = 0, last_gain = 0;  // of the tries
  const auto goes_on = [&](int number) {
    if (number >= plan.max_tries || outcome.iterations >= options.iterations) return false;
    if (is_out_of_reach && number - last_gain >= plan.sure_tries) return false;
    return number < plan.sure_tries ||
           (iterations < plan.max_iterations && work_per_iteration * iterations < plan.max_work);
  };
  for (int number = 0; goes_on(number);) {
    ++tries_;
    starts.next(work, ++number, plan.order, best_.phi, met_);
    work.damping = 0.0;  // another start has nothing to resume
    work.assembly->forget_multipliers();
    const Outcome again = run_once(strategy, plan, work, options, observer, outcome, comparable);
    iterations += again.iterations + 1;
    outcome.iterations += again.iterations;
    outcome.evaluations += again.evaluations;
    if (again.exit == Exit::cancelled) outcome.exit = Exit::cancelled;
    take(work, trial_);
    // Compares the values that observers saw, if any: a pose that was shown is never replaced by a worse one.
    const bool better = again.exit != Exit::not_finite && (comparable ? is_clear_gain(again.value, outcome.value)
                                                                      : again.exit != Exit::cancelled && is_better());
    if (better) {
      // A start that is the answer already has no iteration that would show it.
      if (again.iterations == 0 && outcome.iterations < options.iterations) {
        ++outcome.iterations;
        if (observer && !observer(outcome.iterations, again.value, trial_.phi)) outcome.exit = Exit::cancelled;
      }
      last_gain = number;
      std::swap(best_, trial_);
      keep_lower_levels();
      outcome.value = again.value;
      if (again.exit != Exit::cancelled && outcome.exit != Exit::cancelled) outcome.exit = again.exit;
      work.find_met(options, met_);
    }
    if (outcome.exit == Exit::cancelled || (better && std::ranges::find(met_, char{0}) == met_.end())) break;
  }
  work.damping = damping;
  if (outcome.exit == Exit::stalled && outcome.iterations >= options.iterations) outcome.exit = Exit::iteration_limit;
  work.phi = best_.phi;
  work.assembly->set_soft_scale(best_.soft_scale);
  work.assembly->set_multipliers(best_.forces);
}

}  // namespace limber
