#include "limber/solver/methods.h"

#include <algorithm>

#include "limber/program/run_sequence.h"

namespace limber {

std::optional<Diagnostic> rejection(const Problem& problem, const Assembly& assembly, Method method) {
  const MethodRow& row = row_of(method);
  const auto name = [&] { return std::string(row.name); };
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.counts()) continue;
    if (constraint.must_hold() && !row.locks)
      return Diagnostic{"constraint '" + constraint.name + "', weight", "must",
                        "a finite weight: " + name() + " supports no hard constraints"};
    if (!constraint.must_hold() && constraint.priority != first_level && !row.levels)
      return Diagnostic{"constraint '" + constraint.name + "', priority", std::to_string(constraint.priority),
                        "1: " + name() + " supports no levels"};
  }
  if (!assembly.limits().rows.empty() && !row.linear_limits)
    return Diagnostic{"limit '" + problem.figure().limit_rows()[assembly.limit_row(0)].name + "'",
                      "a limit on several parameters together",
                      "limits on single ones: " + name() + " supports no others"};
  if (method == Method::cyclic_coordinate_descent) return rejection(problem);
  return std::nullopt;
}

Outcome Methods::run_quick(const Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                           const Observer& observer) {
  const QuickMarquardt::Enough enough{options.met_metres, 2.0 * std::sin(0.5 * radians(options.met_degrees))};
  return quick_.minimize(assembly, phi, common, observer, options.until_met ? &enough : nullptr);
}

Outcome Methods::run(const Problem& problem, Assembly& assembly, const Options& options, const MethodOptions& common,
                     VecX& phi, const Observer& observer) {
  const Limits& limits = assembly.limits();
  switch (options.method) {
    case Method::automatic:
    case Method::levenberg_marquardt:
      return gauss_newton(assembly, options, common, phi, observer);
    case Method::active_set_bfgs:
      return active_set_bfgs_.minimize(assembly, limits, phi, common, observer);
    case Method::projected_conjugate_gradient:
      return (options.as_printed ? printed_conjugate_gradient_ : conjugate_gradient_)
          .minimize(assembly, limits, phi, common, observer);
    case Method::projected_steepest_descent:
      return (options.as_printed ? printed_steepest_descent_ : steepest_descent_)
          .minimize(assembly, limits, phi, common, observer);
    case Method::projected_trust_region:
      return trust_region_.minimize(assembly, limits, phi, common, observer);
    case Method::jacobian_transpose:
      return jacobian_transpose_.minimize(assembly, limits, phi, common, {.may_rise = options.as_printed}, observer);
    case Method::lagrange_multipliers: {
      LagrangeMultipliersOptions own;
      if (options.as_printed) own.halvings = 0;
      if (!options.as_printed) own.feedback = LagrangeMultipliersOptions::Feedback::projection;
      return lagrange_multipliers_.minimize(assembly, limits, phi, common, own, observer);
    }
    case Method::pseudoinverse:
    case Method::damped_least_squares:
      return pseudoinverse(assembly, options, common, phi, observer);
    case Method::cyclic_coordinate_descent:
      return coordinates(problem, assembly, options, common, phi, observer);
  }
  return {.exit = Exit::rejected};
}

// Gauss-Newton steps converge slowly if a residual remains. Then BFGS, which approximates the full curvature, continues
// from the inverse Hessian of the Gauss-Newton model.
Outcome Methods::gauss_newton(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                              const Observer& observer) {
  const bool is_rough = common.tolerance > options.tolerance;
  levenberg_marquardt_.takes_curvature = options.method == Method::automatic;
  levenberg_marquardt_.leaves_remainder = options.method == Method::automatic && assembly.has_one_level() && !is_rough;
  if (levenberg_marquardt_.leaves_remainder) {
    // Allocates what may be needed later, so that no later solve allocates.
    active_set_bfgs_.reserve(assembly.limits());
    metric_.resize(assembly.variables(), assembly.variables());
  }
  Outcome outcome = levenberg_marquardt_.minimize(assembly, assembly.limits(), phi, common, observer);
  if (!levenberg_marquardt_.leaves_remainder || common.ends_when_slow || outcome.exit != Exit::stalled) return outcome;
  RunSequence runs(observer, RunSequence::Values::non_increasing, outcome);
  MethodOptions remaining = common;
  remaining.iterations -= outcome.iterations;
  levenberg_marquardt_.inverse_hessian(metric_);
  const Outcome polished =
      active_set_bfgs_.minimize(assembly, assembly.limits(), phi, remaining, runs.observer(), &metric_);
  runs.add(polished);
  const double value = polished.iterations > 0 ? std::fmin(outcome.value, polished.value) : outcome.value;
  outcome = runs.outcome();
  outcome.value = value;
  return outcome;
}

Outcome Methods::pseudoinverse(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                               const Observer& observer) {
  PseudoinverseOptions own;
  if (options.method == Method::pseudoinverse) own.inverse = PseudoinverseOptions::Inverse::truncated;
  RangeAvailability joint_range{assembly.limits()};
  const auto run = [&](const Objective* secondary) {
    own.secondary = secondary;
    return pseudoinverse_.minimize(assembly, assembly.limits(), phi, common, own, observer);
  };
  switch (options.secondary) {
    case Secondary::none:
      break;
    case Secondary::joint_range: {
      const Objective second(joint_range);
      return run(&second);
    }
    case Secondary::comfort: {
      assembly.variables_of(assembly.figure().rest().theta, comfort_.pose);
      const Objective second(comfort_);
      return run(&second);
    }
    case Secondary::manipulability: {
      manipulability_.emplace(assembly, assembly.variables());
      const Objective second(*manipulability_);
      return run(&second);
    }
  }
  return run(nullptr);
}

Outcome Methods::coordinates(const Problem& problem, Assembly& assembly, const Options& options,
                             const MethodOptions& common, VecX& phi, const Observer& observer) {
  if (!coordinate_descent_ || coordinate_descent_->structure() != problem.structure())
    coordinate_descent_.emplace(problem);
  assembly.set_theta(phi);
  theta_ = assembly.theta();
  CyclicCoordinateDescentOptions own;
  if (options.as_printed) own.weights = CyclicCoordinateDescentOptions::Weights::distance;
  struct Context {
    const Observer& observer;
    Assembly& assembly;
    VecX& at;
  } context{observer, assembly, at_};
  const Observer by_variables = [&context](int iteration, double value, const VecX& theta) {
    context.assembly.variables_of(theta, context.at);
    return context.observer(iteration, value, context.at);
  };
  const Outcome outcome = coordinate_descent_->minimize(theta_, common, own, observer ? by_variables : observer);
  assembly.variables_of(theta_, phi);
  return outcome;
}

}  // namespace limber
