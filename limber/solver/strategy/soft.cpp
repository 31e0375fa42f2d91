#include "limber/solver/strategy/soft.h"

#include <algorithm>

#include "limber/program/run_sequence.h"

namespace limber {

namespace {

// The factor from one scale of the soft weights to the next is between these; the scale is never below the last one.
constexpr double max_factor = 0.1;
constexpr double min_factor = 1e-3;
constexpr double min_soft_scale = 1e-8;
// Tolerance of all runs but the last, for a constraint that has all the weight.
constexpr double rough_tolerance = 1e-5;
constexpr int rough_iterations = 30;

// The rough tolerance for the constraint of the min weight.
double rough_tolerance_of(const Problem& problem, double tolerance) {
  double min_weight = infinity, sum = 0.0;
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.counts() || constraint.must_hold() || constraint.is_inequality()) continue;
    sum += constraint.weight;
    if (!constraint.soft) min_weight = std::fmin(min_weight, constraint.weight);
  }
  return std::fmax(tolerance, rough_tolerance * std::fmin(1.0, min_weight / sum));
}

}  // namespace

bool Soft::applies_to(const Problem& problem) {
  return std::any_of(problem.constraints().begin(), problem.constraints().end(),
                     [](const Constraint& constraint) { return constraint.counts() && constraint.soft; });
}

void Soft::begin(Workspace& work, const Options& options) {
  inner_->begin(work, options);
  if (inner_->minimizes_one_function()) work.methods.resume_from(&damping_);
  work.assembly->set_soft_scale(1.0);
  if (options.iterations == 0 || !starts_.usual(work, best_)) return;
  const auto value = [&] {  // with the hard constraints
    work.assembly->residual(work.phi, work.residual);
    return work.residual.squaredNorm();
  };
  const double given = value();
  work.phi.swap(best_);
  if (!(value() < given)) work.phi.swap(best_);
}

Outcome Soft::run(Workspace& work, const Options& options, const MethodOptions& own, const Observer& observer) {
  RunSequence runs(observer, RunSequence::Values::as_given);
  const auto run_once = [&](int max_iterations, double tolerance) {
    const MethodOptions remaining{.iterations = std::min(max_iterations, own.iterations - runs.outcome().iterations),
                                  .tolerance = tolerance};
    runs.add(inner_->run(work, options, remaining, runs.observer()));
  };
  const auto may_go_on = [&](const Outcome& outcome) {
    return outcome.exit == Exit::converged || outcome.exit == Exit::stalled ||
           (outcome.exit == Exit::iteration_limit && outcome.iterations < own.iterations);
  };
  const double rough = rough_tolerance_of(work.problem, own.tolerance);
  damping_ = 0.0;
  for (double scale = 1.0;;) {
    work.assembly->set_soft_scale(scale);
    run_once(rough_iterations, rough);
    if (!may_go_on(runs.outcome())) return runs.outcome();
    const double unmet = work.max_unmet(options, work.phi);
    if (unmet <= 1.0 || scale <= min_soft_scale) break;
    scale = std::fmax(min_soft_scale, scale * std::clamp(0.5 / unmet, min_factor, max_factor));
  }
  run_once(own.iterations, own.tolerance);
  return runs.outcome();
}

void Soft::finish(Workspace& work, const Options& options, Outcome& outcome) {
  if (outcome.exit == Exit::not_finite) return;
  const double value = objective(work, options);
  best_ = work.phi;
  work.phi = work.start;
  work.start_value = objective(work, options);
  // Exact clearances may have to increase the objective.
  if (value <= work.start_value || !inner_->minimizes_one_function()) {
    work.phi = best_;
  } else {
    const MethodOptions remaining{.iterations = std::max(0, options.iterations - outcome.iterations),
                                  .tolerance = options.tolerance};
    const Outcome again = inner_->run(work, options, remaining, {});
    outcome = {again.exit, outcome.iterations + again.iterations, outcome.evaluations + again.evaluations,
               outcome.value};
  }
  inner_->finish(work, options, outcome);
}

}  // namespace limber
