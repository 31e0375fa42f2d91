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
  for (const Constraint& constraint : problem_.constraints())
    if (constraint.counts() && !std::isfinite(constraint.weight))
      return refuse_with("constraint '" + constraint.name + "', weight", "must",
                         "a finite weight: active-set BFGS keeps no exact locks");
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
  share_.resize(assembly_->limits().count());
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
  report_.objective_before = scale * (*assembly_)(phi_, gradient_);
  Observer observer;
  struct Context {
    Solver& solver;
    const Options& options;
  } context{*this, options};
  if (options.observer)
    observer = [&context](int iteration, double value, const VecX& phi) {
      Solver& solver = context.solver;
      solver.assembly_->set_theta(phi);
      solver.current_.theta = solver.assembly_->theta();
      return context.options.observer({iteration, value * solver.assembly_->objective_scale(), solver.current_});
    };
  const MethodOptions method_options{.iterations = options.iterations, .tolerance = options.tolerance};
  const Outcome outcome = method_.minimize(*assembly_, assembly_->limits(), phi_, method_options, observer);
  report_.exit = outcome.exit;
  report_.iterations = outcome.iterations;
  report_.evaluations = outcome.evaluations;
  if (outcome.exit == Exit::not_finite)
    report_.refusal =
        Diagnostic{"objective at the start", to_text(report_.objective_before), "a finite number from every goal"};
  (*assembly_)(phi_, gradient_);
  report_.objective = scale * outcome.value;
  pose.theta = assembly_->theta();
  if (outcome.exit != Exit::not_finite) explain(options);
  return report_;
}

// The Kuhn-Tucker conditions, checked anew; each constraint's distance; and for those not met, the limits that push
// back.
void Solver::explain(const Options& options) {
  const Limits& limits = assembly_->limits();
  report_.kkt = kkt_.check(limits, phi_, gradient_, active_slack);
  if (!gradient_.allFinite()) report_.kkt = infinity;  // a goal that fails now: nothing is known of the point
  if (report_.kkt <= options.tolerance && report_.exit != Exit::cancelled) report_.exit = Exit::converged;
  if (report_.kkt > options.tolerance && report_.exit == Exit::converged) report_.exit = Exit::stalled;

  const Figure& figure = problem_.figure();
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    ConstraintReport& out = report_.constraints[c];
    out.id = constraint.id;
    out.name = constraint.name;
    out.counted = constraint.counts();
    out.left = assembly_->distance(c);
    out.value = assembly_->value(c);
    out.met = out.left.metres.value_or(0.0) <= options.met_metres &&
              degrees(out.left.radians.value_or(0.0)) <= options.met_degrees;
    out.held_back_by.clear();
  }
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& out = report_.constraints[c];
    if (out.met || !out.counted || kkt_.multipliers().empty()) continue;
    assembly_->gradient_of(c, phi_, gradient_);
    kkt_.shares(limits, gradient_, share_);
    const auto in_use = static_cast<Eigen::Index>(kkt_.multipliers().size());
    double total = 0.0;
    for (Eigen::Index k = 0; k < in_use; ++k) total += std::fmax(0.0, share_[k]);
    // Parts this small against the whole are rounding, not limits that push.
    if (!(total > options.tolerance)) continue;
    for (Eigen::Index k = 0; k < in_use; ++k) {
      if (share_[k] < smallest_share * total) continue;
      const int n = limits.variables(), limit = kkt_.multipliers()[static_cast<std::size_t>(k)].limit;
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
}

Report solve(const Problem& problem, Pose& pose, const Options& options) {
  return Solver(problem).solve(pose, options);
}

}  // namespace limber
