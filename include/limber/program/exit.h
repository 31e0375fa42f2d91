// Why a solve ended.
#pragma once

namespace limber {

enum class Exit {
  converged,        // a Kuhn-Tucker point: the residual is below the tolerance
  met,              // every constraint is met; ended early (Options::until_met)
  iteration_limit,  // all iterations are used up
  stalled,          // above the tolerance, but the objective no longer decreases by more than rounding
  cancelled,        // by the observer
  not_finite,       // the objective is not finite at the start
  infeasible,       // the linear limits contradict each other
  rejected,         // a constraint or an option is invalid, or the method does not support it
};

constexpr const char* name_of(Exit exit) {
  switch (exit) {
    case Exit::converged:
      return "converged";
    case Exit::met:
      return "met";
    case Exit::iteration_limit:
      return "iteration limit";
    case Exit::stalled:
      return "stalled";
    case Exit::cancelled:
      return "cancelled";
    case Exit::not_finite:
      return "not finite";
    case Exit::infeasible:
      return "infeasible";
    case Exit::rejected:
      return "rejected";
  }
  return "?";
}

}  // namespace limber
