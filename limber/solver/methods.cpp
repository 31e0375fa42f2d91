#include "limber/solver/methods.h"

#include <algorithm>
#include <numeric>

#include "limber/program/run_sequence.h"

namespace limber {

namespace {

// BFGS converges superlinearly, or not at all.
constexpr int max_polish_iterations = 100;

}  // namespace

namespace {

// With a second criterion, an error up to this part of what counts as met is none: it may come and go on the way.
constexpr double error_for_second = 0.1;
double met_of(const Assembly& assembly, const Options& options) {
  return error_for_second * options.met_metres / assembly.figure().length();
}

// The root of the weight of a hard constraint that is relaxed, beside all others together.
constexpr double relaxed_root = 10.0;

bool may_approach(const Assembly& assembly, const Options& options) {
  return options.method == Method::automatic && assembly.level_ends().front() > 0;
}

bool follows_in_time(Method method) {
  return method == Method::jacobian_transpose || method == Method::lagrange_multipliers;
}

Integration integration_of(Integrator integrator) {
  return integrator == Integrator::euler ? Integration::euler : Integration::runge_kutta;
}

}  // namespace

std::optional<Diagnostic> rejection(const Problem& problem, Method method) {
  const MethodRow& row = row_of(method);
  for (const Constraint& constraint : problem.constraints())
    if (constraint.counts() && !constraint.must_hold() && constraint.priority != first_level && !row.levels)
      return Diagnostic{"constraint '" + constraint.name + "', priority", std::to_string(constraint.priority),
                        "priority 1 with the method " + std::string(row.name) + ". " + std::string(row.cannot)};
  return std::nullopt;
}

void Relaxed::take(Assembly& from) {
  assembly = &from;
  hard = from.level_ends().front();
  ends.assign(from.level_ends().begin(), from.level_ends().end());
  ends.front() = 0;
}

void Relaxed::residual(const VecX& x, VecX& r) const {
  assembly->residual(x, r);
  r.head(hard) *= relaxed_root;
}

void Relaxed::jacobian(const VecX& x, MatX& J) const {
  assembly->jacobian(x, J);
  J.topRows(hard) *= relaxed_root;
}

Outcome Methods::approach(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                          const Observer& observer) {
  if (!may_approach(assembly, options)) return {};
  MethodOptions own = common;
  own.longest_step = options.longest_step;
  own.ends_when_slow = true;
  relaxed_.take(assembly);
  return approach_.minimize(relaxed_, assembly.limits(), phi, own, observer);
}

Outcome Methods::run_quick(const Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                           const Observer& observer) {
  const QuickMarquardt::Enough enough{options.met_metres, 2.0 * std::sin(0.5 * radians(options.met_degrees))};
  MethodOptions own = common;
  own.longest_step = options.longest_step;
  return quick_.minimize(assembly, phi, own, observer, options.until_met ? &enough : nullptr);
}

Outcome Methods::run(const Problem& problem, Assembly& assembly, const Options& options, const MethodOptions& common,
                     VecX& phi, const Observer& observer) {
  const Method method = chosen_method(options);
  const MethodRow& row = row_of(method);
  MethodOptions own = common;
  own.longest_step = options.longest_step;
  const ConstraintRounds::Lacks lacks{assembly.level_ends().front() > 0 && !row.locks,
                                      !assembly.limits().rows.empty() && !row.linear_limits,
                                      follows_in_time(method) ? 1.0 : 10.0};
  if (method == Method::automatic || method == Method::levenberg_marquardt)
    return gauss_newton(assembly, options, own, phi, observer);
  if (method == Method::jacobian_transpose) take_gain(assembly, options, transpose_options_.gain);
  if (method == Method::lagrange_multipliers) take_gain(assembly, options, multiplier_options_.gain);
  if (method == Method::cyclic_coordinate_descent) {
    if (!lacks.any() && has_closed_form(problem)) return coordinates(assembly, options, own, phi, observer);
    take_order(assembly);
  }
  if (options.secondary == Secondary::manipulability) manipulability_.start(assembly, assembly.limits(), phi);
  if (!lacks.any()) return run_on({assembly, assembly, assembly.limits()}, assembly, options, own, phi, observer);
  auto run_round = [&](Objective objective, LeastSquares system, const Limits& limits, const MethodOptions& of_round,
                       VecX& x, const Observer& observer_of_round) {
    return run_on({objective, system, limits}, assembly, options, of_round, x, observer_of_round);
  };
  const double met = options.secondary == Secondary::none ? 0.0 : met_of(assembly, options);
  return rounds_.minimize(assembly, assembly.limits(), lacks, run_round, phi, own, met * met, observer);
}

// Everything but Gauss-Newton and the closed forms.
Outcome Methods::run_on(const Program& program, Assembly& assembly, const Options& options, const MethodOptions& common,
                        VecX& phi, const Observer& observer) {
  const auto& [objective, system, limits] = program;
  switch (chosen_method(options)) {
    case Method::active_set_bfgs:
      return active_set_bfgs_.minimize(objective, limits, phi, common, observer);
    case Method::projected_conjugate_gradient:
      return (options.as_printed ? printed_conjugate_gradient_ : conjugate_gradient_)
          .minimize(objective, limits, phi, common, observer);
    case Method::projected_steepest_descent:
      return (options.as_printed ? printed_steepest_descent_ : steepest_descent_)
          .minimize(objective, limits, phi, common, observer);
    case Method::projected_trust_region:
      return trust_region_.minimize(objective, limits, phi, common, observer);
    case Method::jacobian_transpose: {
      JacobianTransposeOptions& own = transpose_options_;
      own.may_rise = options.as_printed;
      own.integration = integration_of(options.integration);
      own.step = options.step > 0.0 ? options.step : JacobianTransposeOptions().step;
      return jacobian_transpose_.minimize(system, limits, phi, common, own, observer);
    }
    case Method::lagrange_multipliers: {
      LagrangeMultipliersOptions& own = multiplier_options_;
      using Feedback = LagrangeMultipliersOptions::Feedback;
      own.halvings = options.as_printed ? 0 : LagrangeMultipliersOptions().halvings;
      own.feedback = options.as_printed ? Feedback::spring : Feedback::projection;
      own.integration = integration_of(options.integration);
      own.step = options.step > 0.0 ? options.step : LagrangeMultipliersOptions().step;
      own.k = options.feedback;
      own.truncation = options.truncation;
      return lagrange_multipliers_.minimize(system, limits, phi, common, own, observer);
    }
    case Method::pseudoinverse:
    case Method::damped_least_squares:
      return pseudoinverse(program, assembly, options, common, phi, observer);
    case Method::cyclic_coordinate_descent:
      return any_coordinate_descent_.minimize(system, limits, order_, shares_, phi, common, observer);
    case Method::automatic:
    case Method::levenberg_marquardt:
      break;
  }
  return {.exit = Exit::rejected};
}

// K of W93 (4.11) by variable. Without entries all are 1.
void Methods::take_gain(const Assembly& assembly, const Options& options, VecX& gain) const {
  gain.resize(options.gain.size() == 0 ? 0 : assembly.variables());
  for (int i = 0; i < gain.size(); ++i) gain[i] = options.gain[assembly.parameter(i)];
}

// By the last joint that a variable moves, from the leaves; with the part of its way that a stiff one goes.
void Methods::take_order(const Assembly& assembly) {
  const auto& parameters = assembly.figure().parameters();
  order_.resize(static_cast<std::size_t>(assembly.variables()));
  std::iota(order_.begin(), order_.end(), 0);
  shares_.resize(assembly.variables());
  for (int i = 0; i < assembly.variables(); ++i)
    shares_[i] = 1.0 / std::fmax(1.0, parameters[static_cast<std::size_t>(assembly.parameter(i))].range.stiffness);
  const auto last_moved = [&](int i) {
    return parameters[static_cast<std::size_t>(assembly.parameter(i))].drives.back();
  };
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return last_moved(a) != last_moved(b) ? last_moved(a) > last_moved(b) : a > b; });
}

void Methods::reserve(const Problem& problem, Assembly& assembly, const Options& options, const VecX& phi) {
  const Method method = chosen_method(options);
  if (method == Method::automatic || method == Method::levenberg_marquardt) {
    reserve_gauss_newton(assembly, options);
    return;
  }
  at_ = phi;
  (void)run(problem, assembly, options, {.iterations = 0}, at_, {});
}

// What Gauss-Newton and what may follow it need, whether this solve gets there or a later one.
void Methods::reserve_gauss_newton(Assembly& assembly, const Options& options) {
  const bool is_automatic = options.method == Method::automatic;
  levenberg_marquardt_.takes_curvature = is_automatic;
  levenberg_marquardt_.reserve(assembly.limits(), assembly.level_ends());
  if (is_automatic && assembly.has_one_level()) {
    active_set_bfgs_.reserve(assembly.limits());
    metric_.resize(assembly.variables(), assembly.variables());
  }
  if (may_approach(assembly, options)) {
    relaxed_.take(assembly);
    approach_.reserve(assembly.limits(), relaxed_.ends);
  }
}

// Gauss-Newton steps converge slowly where a residual remains. Then BFGS, which sees curvature, goes on from the
// model's own inverse Hessian.
Outcome Methods::gauss_newton(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                              const Observer& observer) {
  const bool is_rough = common.tolerance > options.tolerance;
  levenberg_marquardt_.takes_curvature = options.method == Method::automatic;
  levenberg_marquardt_.leaves_remainder = options.method == Method::automatic && assembly.has_one_level() && !is_rough;
  Outcome outcome = levenberg_marquardt_.minimize(assembly, assembly.limits(), phi, common, observer);
  if (!levenberg_marquardt_.leaves_remainder || common.ends_when_slow || outcome.exit != Exit::stalled) return outcome;
  RunSequence runs(observer, RunSequence::Values::non_increasing, outcome);
  MethodOptions remaining = common;
  remaining.iterations = std::min(common.iterations - outcome.iterations, max_polish_iterations);
  levenberg_marquardt_.inverse_hessian(metric_);
  const Outcome polished =
      active_set_bfgs_.minimize(assembly, assembly.limits(), phi, remaining, runs.observer(), &metric_);
  runs.add(polished);
  const double value = polished.iterations > 0 ? std::fmin(outcome.value, polished.value) : outcome.value;
  outcome = runs.outcome();
  outcome.value = value;
  if (polished.exit != Exit::iteration_limit || outcome.iterations >= common.iterations) return outcome;
  // At the rounding error of f, BFGS may creep. Gauss-Newton steps go on.
  levenberg_marquardt_.leaves_remainder = false;
  RunSequence rest(observer, RunSequence::Values::non_increasing, outcome);
  remaining.iterations = common.iterations - outcome.iterations;
  const Outcome last = levenberg_marquardt_.minimize(assembly, assembly.limits(), phi, remaining, rest.observer());
  rest.add(last);
  outcome = rest.outcome();
  outcome.value = last.iterations > 0 ? std::fmin(value, last.value) : value;
  return outcome;
}

Outcome Methods::pseudoinverse(const Program& program, Assembly& assembly, const Options& options,
                               const MethodOptions& common, VecX& phi, const Observer& observer) {
  PseudoinverseOptions own;
  if (options.method == Method::pseudoinverse) own.inverse = PseudoinverseOptions::Inverse::truncated;
  own.truncation = options.truncation;
  own.met = met_of(assembly, options);
  RangeAvailability joint_range{program.limits};
  const auto run = [&](const Objective* secondary) {
    own.secondary = secondary;
    return pseudoinverse_.minimize(program.system, program.limits, phi, common, own, observer);
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
      const Objective second(manipulability_);
      own.secondary_gain = manipulability_.usual_gain();
      return run(&second);
    }
  }
  return run(nullptr);
}

// Whether the joints that move and all goals are of the kinds that have W93's closed forms.
bool Methods::has_closed_form(const Problem& problem) {
  if (!coordinate_descent_ || coordinate_descent_->structure() != problem.structure())
    coordinate_descent_.emplace(problem);
  return coordinate_descent_->accepts();
}

Outcome Methods::coordinates(Assembly& assembly, const Options& options, const MethodOptions& common, VecX& phi,
                             const Observer& observer) {
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
