#include "limber/solver/strategy/retry.h"

#include <utility>

namespace limber {

namespace {

// The result of a restart replaces the best one if the first level that differs is smaller by this factor. Levels that
// agree within the next factor, or are both rounding error, count as equal.
constexpr double clear_gain = 0.9;
constexpr double same_value = 1.001;
constexpr double min_value = 1e-16;

bool is_clear_gain(double value, double best) { return value < clear_gain * best - min_value; }
bool is_stuck(Exit exit) { return exit == Exit::converged || exit == Exit::stalled; }

}  // namespace

void Retry::reserve(const Workspace& work) {
  for (Answer* answer : {&best_, &trial_}) {
    answer->phi.resize(work.assembly->variables());
    answer->levels.resize(static_cast<Eigen::Index>(work.assembly->level_ends().size()));
    work.assembly->zero_multipliers(answer->forces);
  }
  work.assembly->zero_multipliers(zero_forces_);
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

bool Retry::is_better() const {
  for (Eigen::Index k = 0; k < best_.levels.size(); ++k) {
    if (trial_.levels[k] > same_value * best_.levels[k] + min_value) return false;
    if (is_clear_gain(trial_.levels[k], best_.levels[k])) return true;
  }
  return false;
}

// One run from work.phi. Observers see its points only if they are certainly better than the best result.
Outcome Retry::run_once(Strategy& strategy, Workspace& work, const Options& options, const Observer& observer,
                        const Outcome& before, bool comparable) {
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
  const MethodOptions remaining{.iterations = options.iterations - before.iterations, .tolerance = options.tolerance};
  return strategy.run(work, options, remaining, observer ? best_only : observer);
}

void Retry::run(Strategy& strategy, Starts& starts, const Plan& plan, Workspace& work, const Options& options,
                const Observer& observer, Outcome& outcome) {
  if (options.restarts == 0 || work.assembly->variables() == 0 || !row_of(chosen_method(options)).restarts) return;
  if (!is_stuck(outcome.exit) || work.all_met(options)) return;
  take(work, best_);
  const bool comparable = strategy.minimizes_one_function() && work.assembly->has_one_level();
  const double damping = work.damping;
  while (tries_ < plan.max_tries && outcome.iterations < options.iterations) {
    starts.next(work, ++tries_, plan.order, best_.phi);
    work.damping = 0.0;  // no warm start from another point
    work.assembly->forget_multipliers();
    const Outcome again = run_once(strategy, work, options, observer, outcome, comparable);
    outcome.iterations += again.iterations;
    outcome.evaluations += again.evaluations;
    if (again.exit == Exit::cancelled) outcome.exit = Exit::cancelled;
    take(work, trial_);
    // Compares the values that observers saw, if any: a pose that was shown is never replaced by a worse one.
    const bool better =
        again.exit != Exit::not_finite && (comparable ? is_clear_gain(again.value, outcome.value) : is_better());
    if (better) {
      std::swap(best_, trial_);
      outcome.value = again.value;
      if (again.exit != Exit::cancelled) outcome.exit = again.exit;
    }
    if (outcome.exit == Exit::cancelled || (better && work.all_met(options))) break;
  }
  work.damping = damping;
  if (outcome.exit == Exit::stalled && outcome.iterations >= options.iterations) outcome.exit = Exit::iteration_limit;
  work.phi = best_.phi;
  work.assembly->set_soft_scale(best_.soft_scale);
  work.assembly->set_multipliers(best_.forces);
}

}  // namespace limber
