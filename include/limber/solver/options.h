// The options of a solve, and the table of methods.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/figure/figure.h"

namespace limber {

// How a problem is solved; doc/method has a page on each method.
enum class Method {
  automatic,                     // chosen for the problem; the report names the choice
  levenberg_marquardt,           // Gauss-Newton under all limits, hard constraints and priorities: the default
  active_set_bfgs,               // ZB94
  projected_conjugate_gradient,  // EE09
  projected_steepest_descent,    // EE09
  projected_trust_region,        // EE09
  jacobian_transpose,            // W93 4.1
  cyclic_coordinate_descent,     // W93 4.2, 5.4
  lagrange_multipliers,          // W93 5.2, 5.3
  pseudoinverse,                 // W93 3.2
  damped_least_squares,          // W93 3.2
};

// What a method supports besides a sum of squares under box limits. Linear limits and hard constraints that it does not
// keep in its own iterations are kept between them, in rounds (solver/constraint_rounds.h). What it cannot do at all
// is rejected, with the sentence `cannot`.
struct MethodRow {
  Method method;
  std::string_view name;
  bool linear_limits = false;  // equalities and polygons, in its own iterations
  bool locks = false;          // hard constraints (weight `must`), in its own iterations
  bool levels = false;         // priorities
  bool descends = true;        // the objective never increases from one iteration to the next
  bool restarts = false;       // restarts from other poses if stuck (Options::restarts)
  bool gradient = false;       // evaluates f and its gradient; the others evaluate residuals
  std::string_view cannot = "It supports no priorities: every constraint must have priority 1.";
};

inline constexpr MethodRow method_table[] = {
    {Method::automatic, "automatic", true, true, true, true, true, false, ""},
    {Method::levenberg_marquardt, "levenberg-marquardt", true, true, true, true, true, false, ""},
    {Method::active_set_bfgs, "active-set-bfgs", true, false, false, true, true, true},
    {Method::projected_conjugate_gradient, "projected-conjugate-gradient", false, false, false, true, true, true},
    {Method::projected_steepest_descent, "projected-steepest-descent", false, false, false, true, true, true},
    {Method::projected_trust_region, "projected-trust-region", false, false, false, true, true, true},
    {Method::jacobian_transpose, "jacobian-transpose"},
    {Method::cyclic_coordinate_descent, "cyclic-coordinate-descent"},
    {Method::lagrange_multipliers, "lagrange-multipliers", false, true, false, false, false},
    {Method::pseudoinverse, "pseudoinverse"},
    {Method::damped_least_squares, "damped-least-squares"},
};

constexpr const MethodRow& row_of(Method method) { return method_table[static_cast<int>(method)]; }

constexpr std::string_view name_of(Method method) { return row_of(method).name; }

// The method of that name, if there is one.
constexpr std::optional<Method> method_of(std::string_view name) {
  for (const MethodRow& row : method_table)
    if (row.name == name) return row.method;
  return std::nullopt;
}

// Secondary criterion of the pseudoinverse and damped least squares, in the null space of the goals.   W93 (3.8)
enum class Secondary {
  none,
  joint_range,     // towards the middle of the limits
  comfort,         // towards the rest pose
  manipulability,  // away from singular poses
};

// How the methods that follow a pull in time take a step.                                         W93 4.1.5
enum class Integrator {
  runge_kutta,  // with a step that follows the error
  euler,        // straight, of the length Options::step
};

struct Progress {
  int iteration = 0;
  double objective = 0.0;  // G
  const Pose& pose;        // within all limits
};

struct Options {
  Method method = Method::automatic;
  // Max iterations over all restarts. The result is the best pose found so far.
  int iterations = 1000;
  // A solve has converged when its Kuhn-Tucker residual is below this. The residual is dimensionless: lengths are
  // relative to the figure's length, weights relative to their sum, angles in radians.
  double tolerance = 1e-8;
  // A constraint counts as met when its error is at most this.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Whether to end as soon as every constraint is met, which is precise enough for a drag. No effect on problems with
  // soft constraints. A handle with the goal Hold may drift by met_metres per solve: use a hard constraint (weight
  // `must`) or a Placement to prevent that.
  bool until_met = false;
  // Warm start of the damping: begin with the damping at which the last solve with this option ended, instead of a
  // large one. For a goal that moves a little per solve, such as under a pointer; a few iterations per solve are then
  // enough. Only Levenberg-Marquardt supports it. It has no effect with hard clearances, with soft constraints, or if
  // all goals are positions and directions within box limits (the fast path).
  bool resumes = false;
  // Where a solve ends with a constraint unmet, up to so many other starts are tried, and the best answer is kept. What
  // moves a met constraint stays as far as possible. Without a number, as many as fit in about a millisecond for an
  // arm, a few for a human: enough to meet nearly every goal that can be met. The same problem gives the same starts.
  std::optional<int> restarts = {};
  // Use the papers' choices where ours differ: the binary line search of EE09, steps that may increase the objective,
  // and the heuristic weights of W93.
  bool as_printed = false;
  // With a secondary goal, `automatic` is damped least squares.
  Secondary secondary = Secondary::none;
  // No parameter changes by more than this in an iteration: radians, or lengths of the figure. ZB94, W93 and EE09 have
  // no such limit, which is `infinity`.
  double longest_step = 1.0;
  // Of the Jacobian transpose and Lagrange multipliers; 0: the method's own step. The first one where it adapts.
  Integrator integration = Integrator::runge_kutta;
  double step = 0.0;      // h of W93 (4.12)
  double feedback = 1.0;  // k of W93 (5.7): how fast hard constraints return where they are off
  // Of Lagrange multipliers and the pseudoinverse: singular values below this part of the largest are left out, so that
  // goals that depend on each other ask for nothing twice.                                                W93 5.2.4
  double truncation = 1e-4;
  VecX gain = {};  // K of W93 (4.11), by parameter, 0 or more; empty: 1 for all
  // Called after every iteration, with the best pose so far; false cancels the solve.
  std::function<bool(const Progress&)> observer = {};
};

// The method that solves: with a secondary goal, `automatic` is one that follows it.
constexpr Method chosen_method(Method method, Secondary secondary) {
  return method == Method::automatic && secondary != Secondary::none ? Method::damped_least_squares : method;
}
inline Method chosen_method(const Options& options) { return chosen_method(options.method, options.secondary); }

}  // namespace limber
