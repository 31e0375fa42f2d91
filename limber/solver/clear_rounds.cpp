#include "limber/solver/clear_rounds.h"

#include <algorithm>

namespace limber {

namespace {

// Multipliers of contacts stand still where none changes by more than this, in lengths of the figure; so many rounds at
// most.
constexpr double contact_exact = 1e-5;
constexpr int max_contact_rounds = 12;
// Iterations of a try, and of each of its rounds.
constexpr int max_contact_iterations = 200, max_round_iterations = 100;
// So many iterations are spared for getting out of what is still overlapped.
constexpr int max_spared = 20;

}  // namespace

Outcome run_clear(Methods& methods, const Problem& problem, Assembly& assembly, const Options& options,
                  const MethodOptions& own, VecX& phi, VecX& forces, const Observer& observer) {
  struct Part {
    const Observer& observer;
    int before;
  } part{observer, 0};
  const Observer counting = [&part](int iteration, double value, const VecX& x) {
    return part.observer(part.before + iteration, value, x);
  };
  const int most = std::min(own.iterations, max_contact_iterations), spared = std::min(max_spared, most / 4);
  Outcome outcome;
  const auto go_on = [&](int until) {
    part.before = outcome.iterations;
    const MethodOptions left{.iterations = until - outcome.iterations, .tolerance = own.tolerance};
    const Outcome next = methods.run(problem, assembly, options, left, phi, observer ? counting : observer);
    outcome = {next.exit, outcome.iterations + next.iterations, outcome.evaluations + next.evaluations, next.value};
  };
  const auto is_over = [&] { return outcome.exit == Exit::cancelled || outcome.exit == Exit::not_finite; };
  for (int round = 0; round < max_contact_rounds; ++round) {
    go_on(std::min(most - spared, outcome.iterations + max_round_iterations));
    if (is_over()) break;
    const bool round_exhausted = outcome.exit == Exit::iteration_limit;
    assembly.contact_forces(forces);
    if (assembly.follow_contacts(phi) <= contact_exact && !round_exhausted) {
      assembly.set_contact_forces(forces);  // those that the point is stationary under
      break;
    }
    if (outcome.iterations >= most - spared) break;
  }
  if (!is_over() && assembly.shortfall(phi) > 0.0) {
    const Exit exit = outcome.exit;
    assembly.push_hard();
    go_on(most);
    if (outcome.exit == Exit::converged) outcome.exit = exit;
  }
  if (outcome.exit == Exit::iteration_limit && outcome.iterations < own.iterations) outcome.exit = Exit::stalled;
  return outcome;
}

}  // namespace limber
