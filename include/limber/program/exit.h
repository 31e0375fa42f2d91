// How a solve ended.
#pragma once

namespace limber {

enum class Exit {
  converged,        // a Kuhn-Tucker point: the residual is below the tolerance
  met,              // every constraint that counts is met, and no more was asked for (Options::until_met)
  iteration_limit,  // the iterations that were allowed are used up
  stalled,          // no further decrease can be told from rounding, short of the tolerance
  cancelled,        // the caller's observer said so
  not_finite,       // the objective is not finite at the start
  infeasible,       // the linear limits contradict each other
  rejected,         // the problem holds a constraint or an option that cannot be honoured
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
