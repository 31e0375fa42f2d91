#include "limber/solver/workspace.h"

#include "limber/solver/report.h"

namespace limber {

void Workspace::reserve() {
  assembly.emplace(problem);
  start.resize(assembly->variables());
  gradient.resize(assembly->variables());
  residual.resize(assembly->residuals());
  damping = 0.0;
  reserved.reset();
}

void Workspace::reserve_method(const Options& options) {
  const std::pair needed(options.method, options.secondary);
  if (reserved == needed || assembly->variables() == 0) return;
  methods.reserve(problem, *assembly, options, phi);
  reserved = needed;
}

double Workspace::max_unmet(const Options& options, const VecX& at) {
  assembly->residual(at, residual);
  double max_ratio = 0.0;
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    if (!constraint.counts() || constraint.soft) continue;
    const GoalError error = assembly->error_of(c);
    if (is_met(constraint, error, options)) continue;
    double ratio = std::fmax(error.metres.value_or(0.0) / options.met_metres,
                             degrees(error.radians.value_or(0.0)) / options.met_degrees);
    ratio = std::fmax(ratio, error.overload.value_or(0.0) / met_overload);
    max_ratio = std::fmax(max_ratio, ratio > 1.0 ? ratio : infinity);
  }
  return max_ratio;
}

void Workspace::find_met(const Options& options, std::vector<char>& met) {
  assembly->residual(phi, residual);
  for (std::size_t c = 0; c < met.size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    met[c] = !constraint.counts() || constraint.soft || is_met(constraint, assembly->error_of(c), options);
  }
}

}  // namespace limber
