#include "limber/solver/solve.h"

#include <algorithm>

#include "limber/base/number.h"
#include "limber/program/feasible.h"

namespace limber {

namespace {

// A limit holds something back only where the pose is on it: its slack is rounding.
constexpr double active_slack = 1e-12;
// A start that moves by less, in radians or metres, was outside by rounding only, as after a way through a file in
// degrees.
constexpr double rounding = 1e-12;
// Shares below this are not worth a user's attention; so there are at most so many of the others.
constexpr double smallest_share = 0.01;
constexpr int most_shares = 100;

// Another start replaces the answer where the first level that differs is smaller by this factor; levels that agree to
// this factor, or are both no more than rounding, do not differ.
constexpr double clear_gain = 0.9;
constexpr double same_value = 1.001;
constexpr double smallest_value = 1e-16;

bool is_clear_gain(double value, double best) { return value < clear_gain * best - smallest_value; }

bool is_met(const Distance& left, const Options& options) {
  return left.metres.value_or(0.0) <= options.met_metres && degrees(left.radians.value_or(0.0)) <= options.met_degrees;
}

Limits limits_of(const Figure& figure) {
  Limits limits(static_cast<int>(figure.parameters().size()));
  for (int j = 0; j < limits.variables(); ++j) {
    limits.lower[j] = figure.parameters()[j].range.lower;
    limits.upper[j] = figure.parameters()[j].range.upper;
  }
  for (const LimitRow& row : figure.limit_rows())
    limits.add_row(row.parameters, row.coefficients, row.bound, row.relation == Relation::equal);
  return limits;
}

std::string_view limit_name(const Figure& figure, int parameter_count, int limit) {
  if (limit < parameter_count) return figure.parameters()[limit].lower_name;
  if (limit < 2 * parameter_count) return figure.parameters()[limit - parameter_count].upper_name;
  return figure.limit_rows()[limit - 2 * parameter_count].name;
}

}  // namespace

Solver::Solver(const Problem& problem) : problem_(problem), figure_limits_(limits_of(problem.figure())) {
  report_.figure = problem.figure();
}

bool Solver::accepts(const Pose& pose, const Options& options) {
  const auto refuse_with = [&](std::string where, std::string found, std::string expected) {
    report_.exit = Exit::refused;
    report_.refusal = Diagnostic{std::move(where), std::move(found), std::move(expected)};
    return false;
  };
  if (!problem_.refusals().empty()) {
    const Diagnostic& first = problem_.refusals().front();
    return refuse_with(first.where, first.found, first.expected);
  }
  report_.method = options.method == Method::automatic ? Method::levenberg_marquardt : options.method;
  if (std::optional<Diagnostic> cannot = refusal(problem_, *assembly_, options.method)) {
    report_.exit = Exit::refused;
    report_.refusal = std::move(cannot);
    return false;
  }
  const auto& parameters = problem_.figure().parameters();
  if (pose.theta.size() != static_cast<Eigen::Index>(parameters.size()))
    return refuse_with("pose", std::to_string(pose.theta.size()) + " values",
                       std::to_string(parameters.size()) + ", one a parameter of the figure");
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j)
    if (!std::isfinite(pose.theta[j]))
      return refuse_with("pose, parameter '" + parameters[static_cast<std::size_t>(j)].name + "'",
                         to_text(pose.theta[j]), "a finite number");
  if (!(options.tolerance > 0.0))
    return refuse_with("options, tolerance", to_text(options.tolerance), "a number above 0");
  if (options.iterations < 0)
    return refuse_with("options, iterations", std::to_string(options.iterations), "0 or more");
  if (options.restarts < 0) return refuse_with("options, restarts", std::to_string(options.restarts), "0 or more");
  return true;
}

// Moves the start within the limits and hands it to the assembly.
bool Solver::begin(Pose& pose) {
  current_.theta = pose.theta;
  const Feasibility feasibility = make_feasible(figure_limits_, current_.theta);
  if (!feasibility.feasible) {
    std::string names;
    for (const int limit : feasibility.contradictory)
      names += (names.empty() ? "'" : "', '") +
               std::string(limit_name(problem_.figure(), figure_limits_.variables(), limit));
    report_.exit = Exit::infeasible;
    report_.refusal = Diagnostic{"figure '" + problem_.figure().name() + "'",
                                 "limits that contradict each other: " + names + "'", "limits that some pose keeps"};
    return false;
  }
  report_.start_projected = feasibility.moved > rounding;
  pose.theta = current_.theta;
  assembly_->start(current_.theta, phi_);
  return true;
}

// All the room that a solve of the problem as it is now can need.
void Solver::reserve() {
  assembly_.emplace(problem_);
  share_.resize(assembly_->limits().count() + assembly_->residuals());
  values_.resize(static_cast<Eigen::Index>(assembly_->level_ends().size()));
  best_values_.resize(values_.size());
  best_.resize(assembly_->variables());
  residual_.resize(assembly_->residuals());
  restart_.reserve(assembly_->limits());
  report_.constraints.resize(problem_.constraints().size());
  for (ConstraintReport& constraint : report_.constraints)
    constraint.held_back_by.reserve(static_cast<std::size_t>(std::min(most_shares, assembly_->variables())));
}

const Report& Solver::solve(Pose& pose, const Options& options) {
  if (!assembly_ || assembly_->structure() != problem_.structure()) reserve();
  report_.refusal.reset();
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
  Observer observer;
  struct Context {
    Solver& solver;
    const Options& options;
  } context{*this, options};
  if (options.observer)
    observer = [&context](int iteration, double value, const VecX& phi) {
      Solver& solver = context.solver;
      solver.assembly_->theta_of(phi, solver.current_.theta);
      return context.options.observer({iteration, value * solver.assembly_->objective_scale(), solver.current_});
    };
  Outcome outcome = methods_.run(problem_, *assembly_, options, options.iterations, phi_, observer);
  report_.restarts = 0;
  try_again(options, observer, outcome);
  report_.exit = outcome.exit;
  report_.iterations = outcome.iterations;
  report_.evaluations = outcome.evaluations;
  if (outcome.exit == Exit::not_finite)
    report_.refusal =
        Diagnostic{"objective at the start", to_text(report_.objective_before), "a finite number from every goal"};
  // Heuristic methods may have ended on another point than their last; those that promise descent report it.
  const double value = row_of(options.method).restarts ? outcome.value : objective();
  report_.objective = scale * (std::isfinite(value) ? value : outcome.value);
  (*assembly_)(phi_, gradient_);
  pose.theta = assembly_->theta();
  if (outcome.exit != Exit::not_finite) explain(options);
  return report_;
}

// f at phi_, added up in the order of the method that is used, so that what is reported is what the method saw.
double Solver::objective() {
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

// Whether every constraint that counts is met at phi_.
bool Solver::all_met(const Options& options) {
  assembly_->residual(phi_, residual_);
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c)
    if (problem_.constraints()[c].counts() && !is_met(assembly_->distance(c), options)) return false;
  return true;
}

// ‖r‖² level by level at phi_.
void Solver::level_values(VecX& values) {
  assembly_->residual(phi_, residual_);
  int begin = 0;
  for (std::size_t k = 0; k < assembly_->level_ends().size(); ++k) {
    const int end = assembly_->level_ends()[k];
    values[static_cast<Eigen::Index>(k)] = residual_.segment(begin, end - begin).squaredNorm();
    begin = end;
  }
}

// Other starts, where the first left something unmet. The answer changes only for a clear gain, so that a figure whose
// goal is out of reach does not flicker between poses that are equally good.
void Solver::try_again(const Options& options, const Observer& observer, Outcome& outcome) {
  if (options.restarts == 0 || assembly_->variables() == 0 || !row_of(options.method).restarts) return;
  const auto is_stuck = [&](Exit exit) { return exit == Exit::converged || exit == Exit::stalled; };
  if (!is_stuck(outcome.exit) || all_met(options)) return;
  best_ = phi_;
  level_values(best_values_);
  while (report_.restarts < options.restarts && outcome.iterations < options.iterations) {
    phi_ = best_;
    restart_.move(assembly_->limits(), ++report_.restarts, phi_);
    const int before = outcome.iterations;
    // The caller sees the best pose so far.
    struct Try {
      const Observer& observer;
      const VecX &best, &values;
      double value;
      int before;
    } one{observer, best_, best_values_, outcome.value, before};
    const Observer best_only = [&one](int iteration, double value, const VecX& phi) {
      const double best = one.value;
      const bool better = one.values.size() == 2 && one.values[0] == 0.0 && is_clear_gain(value, best);
      return one.observer(one.before + iteration, better ? value : best, better ? phi : one.best);
    };
    const Outcome again =
        methods_.run(problem_, *assembly_, options, options.iterations - before, phi_, observer ? best_only : observer);
    outcome.iterations += again.iterations;
    outcome.evaluations += again.evaluations;
    if (again.exit == Exit::cancelled) outcome.exit = Exit::cancelled;
    level_values(values_);
    bool better = false;
    for (Eigen::Index k = 0; k < values_.size() && !better; ++k) {
      if (values_[k] > same_value * best_values_[k] + smallest_value) break;
      better = is_clear_gain(values_[k], best_values_[k]);
    }
    if (better && again.exit != Exit::not_finite) {
      best_ = phi_;
      best_values_ = values_;
      outcome.value = again.value;
      if (again.exit != Exit::cancelled) outcome.exit = again.exit;
    }
    if (outcome.exit == Exit::cancelled || (better && all_met(options))) break;
  }
  if (outcome.exit == Exit::stalled && outcome.iterations >= options.iterations) outcome.exit = Exit::iteration_limit;
  phi_ = best_;
}

// The Kuhn-Tucker conditions, checked anew; each constraint's distance; and for those not met, the limits that push
// back.
void Solver::explain(const Options& options) {
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    ConstraintReport& out = report_.constraints[c];
    out.id = constraint.id;
    out.name = constraint.name;
    out.counted = constraint.counts();
    out.left = assembly_->distance(c);
    out.value = assembly_->value(c);
    out.met = is_met(out.left, options);
    out.held_back_by.clear();
  }
  report_.kkt = 0.0;
  int begin = 0;
  for (const int end : assembly_->level_ends()) {
    if (end == begin && end > 0) continue;
    explain_level(begin, end, options);
    begin = end;
  }
  if (report_.kkt <= options.tolerance && report_.exit != Exit::cancelled) report_.exit = Exit::converged;
  if (report_.kkt > options.tolerance && report_.exit == Exit::converged) report_.exit = Exit::stalled;
}

// One level: its gradient against the limits and the tangent of what the levels above it keep.
void Solver::explain_level(int begin, int end, const Options& options) {
  const bool is_only_level = begin == 0 && end == assembly_->residuals() && assembly_->level_ends().front() == 0;
  if (is_only_level) {
    (*assembly_)(phi_, gradient_);
  } else {
    assembly_->residual(phi_, residual_);
    assembly_->jacobian(jacobian_);
    gradient_.noalias() =
        2.0 * (jacobian_.middleRows(begin, end - begin).transpose() * residual_.segment(begin, end - begin));
    if (begin > 0) {
      tangent_ = assembly_->limits();
      tangent_.add_tangent(jacobian_, begin, phi_);
    }
  }
  const Limits& limits = begin > 0 ? tangent_ : assembly_->limits();
  const double residual = kkt_.check(limits, phi_, gradient_, active_slack);
  // A goal that fails now: nothing is known of the point.
  report_.kkt = gradient_.allFinite() ? std::fmax(report_.kkt, residual) : infinity;
  if (kkt_.multipliers().empty()) return;
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& out = report_.constraints[c];
    if (out.met || !out.counted || !assembly_->is_within(c, begin, end)) continue;
    assembly_->gradient_of(c, phi_, gradient_);
    kkt_.shares(limits, gradient_, share_);
    name_limits(limits, options, out);
  }
}

// The limits that push a constraint back, by the share_ that each has.
void Solver::name_limits(const Limits& limits, const Options& options, ConstraintReport& out) {
  const Figure& figure = problem_.figure();
  const int n = limits.variables();
  const auto in_use = static_cast<Eigen::Index>(kkt_.multipliers().size());
  const auto is_limit = [&](Eigen::Index k) {
    return kkt_.multipliers()[static_cast<std::size_t>(k)].limit < assembly_->limits().count();
  };
  double total = 0.0;
  for (Eigen::Index k = 0; k < in_use; ++k)
    if (is_limit(k)) total += std::fmax(0.0, share_[k]);
  // Parts this small against the whole are rounding, not limits that push.
  if (!(total > options.tolerance)) return;
  for (Eigen::Index k = 0; k < in_use; ++k) {
    if (!is_limit(k) || share_[k] < smallest_share * total) continue;
    const int limit = kkt_.multipliers()[static_cast<std::size_t>(k)].limit;
    HoldingLimit holding;
    holding.share = share_[k] / total;
    if (limit >= 2 * n) {
      holding.name = figure.limit_rows()[assembly_->limit_row(limit - 2 * n)].name;
    } else {
      holding.parameter = assembly_->parameter(limit % n);
      const Parameter& parameter = figure.parameters()[holding.parameter];
      holding.name = limit < n ? parameter.lower_name : parameter.upper_name;
    }
    out.held_back_by.push_back(holding);
  }
  std::sort(out.held_back_by.begin(), out.held_back_by.end(), [](const HoldingLimit& a, const HoldingLimit& b) {
    return a.share != b.share ? a.share > b.share : a.name < b.name;
  });
}

Report solve(const Problem& problem, Pose& pose, const Options& options) {
  return Solver(problem).solve(pose, options);
}

}  // namespace limber
