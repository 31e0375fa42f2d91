// Writes the report of a solve: how far each constraint is from being met, what a clearance touches, and the limits
// that hold back what is not met.
//
// The Kuhn-Tucker conditions are checked anew, level by level: ∇f = Σ μ_k a_k with μ_k >= 0 over the limits a_k that
// the pose is on. A constraint's own gradient, written by the same a_k, says which of them hold it back, and by what
// share.
#pragma once

#include "limber/program/kkt.h"
#include "limber/solver/report.h"
#include "limber/solver/workspace.h"

namespace limber {

class Reporter {
 public:
  // All the memory that a report on the problem as it is now can need.
  void reserve(const Workspace& work, Report& report);

  // The answer is work.phi. Fills in the constraints and the Kuhn-Tucker residual, and corrects the exit by it.
  void explain(Workspace& work, const Options& options, Report& report);

 private:
  void explain_level(Workspace& work, int begin, int end, const Options& options, Report& report);
  void name_limits(const Workspace& work, const Limits& limits, const Options& options, ConstraintReport& out) const;

  Kkt kkt_;
  Limits tangent_;  // the limits, and the levels above as equalities
  VecX residual_, gradient_, share_;
  MatX jacobian_;
};

}  // namespace limber
