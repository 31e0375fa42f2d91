// The result of a solve: how it ended, which constraints are met, and what blocks the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/problem/problem.h"
#include "limber/program/exit.h"
#include "limber/solver/options.h"

namespace limber {

// An active limit that blocks a constraint. The name is valid as long as the report.
struct HoldingLimit {
  std::string_view name;  // "right_elbow.flexion upper limit", or the name of a limit row
  int parameter = -1;     // of a box limit; -1 for a row
  double share = 0.0;     // of all limits that block the constraint, 0 to 1
};

// A contact of a clearance in the result: a segment is nearer to an obstacle than the margin plus Options::met_metres.
// A figure that rests on an obstacle is at the margin or just outside it, so both cases are listed. Two segments of the
// figure, which are often close to each other, are listed only if they are inside the margin or held apart.
struct Touch {
  int segment = 0;              // of the figure
  int other_segment = -1;       // the one that it touches, or
  int obstacle = -1;            // index in ConstraintReport::obstacles
  bool too_near = false;        // inside the margin; otherwise the segment rests there
  double gap = 0.0;             // in metres; negative where they overlap
  Vec3 at = Vec3::Zero();       // on the skin of the segment, in the world
  Vec3 normal = Vec3::UnitY();  // points away from the obstacle
};

struct ConstraintReport {
  ConstraintId id = {};
  std::string name;
  bool counted = true;                     // enabled and of a weight above 0
  bool met = false;                        // always true for a pull
  bool soft = false;                       // a soft constraint counts as met, whatever its error
  GoalError error;                         // in metres and radians, as far as they apply
  double value = 0.0;                      // G_i = ‖r‖², ZB94 (26)
  std::optional<double> comfort;           // of a pull towards comfort: that of the pose, at most 1
  std::vector<HoldingLimit> held_back_by;  // of an unmet constraint, the strongest first
  std::vector<Touch> touches;              // of a clearance that counts, the deepest first
  std::vector<std::string> obstacles;      // their names, of a clearance
  // Of a strength limit that counts: the joints that are too weak or, if none is, those with a strength; the highest
  // share first.
  std::vector<JointLoad> joints;
};

struct Report {
  Exit exit = Exit::rejected;
  Method method = Method::automatic;  // the method used
  int restarts = 0;                   // number of restarts
  int variables = 0;                  // degrees of freedom of the program
  int iterations = 0;
  int evaluations = 0;
  double objective = 0.0;  // G = Σ w_i G_i, ZB94 (25)
  double objective_before = 0.0;
  double soft_scale = 1.0;                    // final factor of the weights of soft constraints
  double kkt = 0.0;                           // Kuhn-Tucker residual, dimensionless (Options::tolerance)
  bool start_projected = false;               // the start violated limits and was moved to the nearest feasible pose
  std::vector<ConstraintReport> constraints;  // in the order of the problem
  std::optional<Diagnostic> rejection;        // for Exit::rejected, infeasible and not_finite

  std::optional<Figure> figure;  // keeps the names alive

  // Whether all constraints that count are met.
  bool met() const;
};

// A weighted strength limit counts as met up to this overload.
inline constexpr double met_overload = 1e-3;

// Whether a constraint with this error counts as met. A clearance or strength limit that must hold is met where nothing
// is too near, or too weak, at all.
bool is_met(const Constraint& constraint, const GoalError& error, const Options& options);

// "right_forearm and table".
std::string pair_text(const Report& report, const ConstraintReport& constraint, const Touch& touch);

// The report as a table for people.
std::string to_text(const Report& report);

}  // namespace limber
