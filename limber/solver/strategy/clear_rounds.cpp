#include "limber/solver/strategy/clear_rounds.h"

#include <algorithm>

#include "limber/program/run_sequence.h"

namespace limber {

namespace {

// The multipliers have converged if none changes by more than this, relative to the figure's length.
constexpr double contact_tolerance = 1e-5;
constexpr int max_rounds = 12;
// Max iterations of a run, and of each of its rounds.
constexpr int max_run_iterations = 200, max_round_iterations = 100;
// Iterations reserved for resolving the overlaps that remain.
constexpr int max_reserved = 20;
// Squares of rows below this are rounding.
constexpr double rounding_square = 1e-16;

}  // namespace

Outcome ClearRounds::run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) {
  Assembly& assembly = *work.assembly;
  const int max_iterations = std::min(own.iterations, max_run_iterations);
  const int reserved = std::min(max_reserved, max_iterations / 4);
  RunSequence rounds(observer, RunSequence::Values::as_given);
  const auto run_until = [&](int iterations) {
    const MethodOptions remaining{.iterations = iterations - rounds.outcome().iterations, .tolerance = own.tolerance};
    rounds.add(work.methods.run(work.problem, assembly, options, remaining, work.phi, rounds.observer()));
  };
  const auto is_over = [&] {
    return rounds.outcome().exit == Exit::cancelled || rounds.outcome().exit == Exit::not_finite;
  };
  for (int round = 0; round < max_rounds; ++round) {
    run_until(std::min(max_iterations - reserved, rounds.outcome().iterations + max_round_iterations));
    if (is_over()) break;
    const bool round_exhausted = rounds.outcome().exit == Exit::iteration_limit;
    assembly.multipliers(forces_);
    if (assembly.follow_multipliers(work.phi) <= contact_tolerance && !round_exhausted) {
      assembly.set_multipliers(forces_);  // those that the point is stationary under
      break;
    }
    if (rounds.outcome().iterations >= max_iterations - reserved) break;
  }
  Exit exit = rounds.outcome().exit;
  if (!is_over() && assembly.shortfall(work.phi) > 0.0) {
    assembly.push_hard();
    run_until(max_iterations);
    if (rounds.outcome().exit != Exit::converged) exit = rounds.outcome().exit;
  }
  Outcome outcome = rounds.outcome();
  outcome.exit = exit == Exit::iteration_limit && outcome.iterations < own.iterations ? Exit::stalled : exit;
  outcome.value = objective(work, options);
  return outcome;
}

double ClearRounds::objective(Workspace& work, const Options&) {
  work.assembly->evaluate_at(work.phi);
  double sum = 0.0;
  for (std::size_t c = 0; c < work.problem.constraints().size(); ++c)
    if (const Constraint& constraint = work.problem.constraints()[c];
        constraint.counts() && std::isfinite(constraint.weight))
      sum += (constraint.soft ? work.assembly->soft_scale() : 1.0) * constraint.weight * work.assembly->value(c);
  return sum / work.assembly->objective_scale();
}

// If stopped early, overlaps may be deeper than at the start, or removed at the cost of the goals. Then the start is
// the better result: hard constraints are compared first, then overlaps, then goals if they have one level.
void ClearRounds::finish(Workspace& work, const Options& options, Outcome& outcome) {
  if (outcome.exit == Exit::not_finite) return;
  Assembly& assembly = *work.assembly;
  const int hard_rows = assembly.level_ends().front();
  struct Measure {
    double hard = 0.0, shortfall = 0.0, value = 0.0;
  };
  const auto measure = [&] {
    Measure out;
    assembly.residual(work.phi, work.residual);
    out.hard = work.residual.head(hard_rows).squaredNorm();
    out.shortfall = assembly.shortfall(work.phi);
    out.value = assembly.level_ends().size() == 2 ? objective(work, options) : 0.0;
    return out;
  };
  const Measure answer = measure();
  work.phi.swap(work.start);
  const Measure start = measure();
  const bool start_is_better =
      start.hard <= answer.hard + rounding_square &&
      (answer.shortfall > start.shortfall || (answer.shortfall == start.shortfall && answer.value > start.value));
  if (!start_is_better) work.phi.swap(work.start);
}

}  // namespace limber
