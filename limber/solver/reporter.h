// Writes the report of a solve: the error of each constraint, the contacts of a clearance, and the limits that block
// unmet constraints.
//
// The Kuhn-Tucker conditions are checked again, level by level: -∇f = Σ μ_k a_k with μ_k >= 0 over the active limits
// a_k. The gradient of a single constraint, expressed in the same a_k, shows which limits block it, and with what
// share.
#pragma once

#include "limber/program/independent_rows.h"
#include "limber/program/kkt.h"
#include "limber/solver/report.h"
#include "limber/solver/workspace.h"

namespace limber {

class Reporter {
 public:
  // Allocates all memory that a report on the current problem can need.
  void reserve(const Workspace& work, Report& report);

  // The result is work.phi. Fills in the constraints and the Kuhn-Tucker residual, and corrects the exit accordingly.
  void explain(Workspace& work, const Options& options, Report& report);

 private:
  void explain_level(Workspace& work, int begin, int end, const Options& options, Report& report);
  void name_limits(const Workspace& work, const Limits& limits, const Options& options, ConstraintReport& out) const;

  Kkt kkt_;
  IndependentRows independent_;  // of the levels above
  Limits tangent_;               // the limits, and these as equalities
  VecX residual_, gradient_, share_;
  MatX jacobian_;
};

}  // namespace limber
