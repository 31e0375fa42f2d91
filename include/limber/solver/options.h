// What a caller can say about a solve.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "limber/figure/figure.h"

namespace limber {

// How a problem is solved; doc/method has a page on each.
enum class Method {
  automatic,                     // picks by the problem; the report says what
  levenberg_marquardt,           // Gauss-Newton under all limits, locks and priorities: what automatic picks
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

// What a method can honour besides a sum of squares under box limits; what it cannot, it rejects.
struct MethodRow {
  Method method;
  std::string_view name;
  bool linear_limits = false;  // equalities and polygons
  bool locks = false;          // weight must
  bool levels = false;         // priorities
  bool descends = true;        // the objective never rises from one iteration to the next
  bool restarts = false;       // is tried again from other starts
};

inline constexpr MethodRow method_table[] = {
    {Method::automatic, "automatic", true, true, true, true, true},
    {Method::levenberg_marquardt, "levenberg-marquardt", true, true, true, true, true},
    {Method::active_set_bfgs, "active-set-bfgs", true, false, false, true, true},
    {Method::projected_conjugate_gradient, "projected-conjugate-gradient", false, false, false, true, true},
    {Method::projected_steepest_descent, "projected-steepest-descent", false, false, false, true, true},
    {Method::projected_trust_region, "projected-trust-region", false, false, false, true, true},
    {Method::jacobian_transpose, "jacobian-transpose"},
    {Method::cyclic_coordinate_descent, "cyclic-coordinate-descent"},
    {Method::lagrange_multipliers, "lagrange-multipliers", false, true, false, false, false},
    {Method::pseudoinverse, "pseudoinverse"},
    {Method::damped_least_squares, "damped-least-squares"},
};

constexpr const MethodRow& row_of(Method method) { return method_table[static_cast<int>(method)]; }

constexpr std::string_view name_of(Method method) { return row_of(method).name; }

// The method of that name; nothing for a name that none has.
constexpr std::optional<Method> method_of(std::string_view name) {
  for (const MethodRow& row : method_table)
    if (row.name == name) return row.method;
  return std::nullopt;
}

// What the pseudoinverse and damped least squares move towards where the goals leave it free.      W93 (3.8)
enum class Secondary {
  none,
  joint_range,     // the middle of the limits
  comfort,         // the pose at rest
  manipulability,  // away from singular poses
};

struct Progress {
  int iteration = 0;
  double objective = 0.0;  // G
  const Pose& pose;        // within all limits
};

struct Options {
  Method method = Method::automatic;
  // Most iterations of all tries together; the pose at the last one is as good as any before it.
  int iterations = 1000;
  // A solve has converged when its Kuhn-Tucker residual is below this. The residual has no unit: lengths are measured
  // in lengths of the figure, weights by their sum, angles in radians.
  double tolerance = 1e-8;
  // A constraint counts as met when what is left is at most this.
  double met_metres = 1e-3;
  double met_degrees = 0.1;
  // Whether to end as soon as every constraint that counts is met: a drag at 60 Hz needs no tenth digit. Without effect
  // where a constraint gives way. What Hold holds may then drift by met_metres from one solve to the next: hold it with
  // the weight `must`, or at a Placement.
  bool until_met = false;
  // Whether to begin with steps as long as the last solve that said so ended with, instead of short ones that grow: for
  // a goal that moves a little from solve to solve, as under a pointer. Few iterations a solve are enough then. Of
  // Gauss-Newton methods; others do not remember, nor do solves that keep clear exactly, those where something gives
  // way, and those that ask for places alone and have a quick way.
  bool resumes = false;
  // Where a solve ends with a constraint unmet, it is tried again so often, from a pose near by and then from poses all
  // over the limits, and the best answer is kept. The same problem gives the same tries.
  int restarts = 4;
  // The paper's own choices where ours differ: the binary line search of EE09, steps that may raise the objective and
  // the heuristic weights of W93.
  bool as_printed = false;
  Secondary secondary = Secondary::none;
  // Called after every iteration; false cancels the solve.
  std::function<bool(const Progress&)> observer = {};
};

}  // namespace limber
