// Verifies a pose of a map by plain kinematics in double precision: within all limits of the figure, every constraint
// met, nothing moved that must not move. Clearance constraints are checked by obstacle/near_finder.h, including parts
// that do not move.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/obstacle/near_finder.h"
#include "limber/problem/problem.h"

namespace limber {

struct WitnessTolerance {
  double metres = 1e-3;
  double radians = 2e-3;
};

// The clearance required of a witness: a weighted clearance is a goal with the usual tolerance; an exact one is kept up
// to rounding.
double min_gap(const Problem& problem, const Constraint& constraint, double tolerance);

class WitnessCheck {
 public:
  // `reached` is the index of the constraint that the map varies; the problem must outlive this, and none of its goals
  // may be Hold.
  WitnessCheck(const Problem& problem, std::size_t reached, WitnessTolerance tolerance);

  struct Result {
    bool limits_kept = false;
    bool others_met = false;  // all but that constraint
    bool is_met = false;      // all constraints
    Vec3 handle = Vec3::Zero();
    double metres = infinity;  // from the goal to the handle
  };
  // goals: one per constraint, in place of its own; ignored for pulls, clearances and constraints with several
  // alternatives.
  Result operator()(const VecX& theta, std::span<const Goal> goals);

 private:
  // An active clearance constraint.
  struct ClearanceCheck {
    NearFinder finder;
    Obstacles obstacles;
    double min_gap;  // metres
  };

  bool keeps_limits(const VecX& theta) const;
  GoalError error_of(const Handle& handle, const Goal& goal) const;
  bool is_met(const GoalError& error) const;
  bool is_met(const Constraint& constraint, const Goal& goal) const;
  bool is_clear();

  const Problem& problem_;
  std::size_t reached_;
  WitnessTolerance tolerance_;
  std::vector<int> needed_;  // segments
  Kinematics state_;
  VecX q_;
  std::vector<ClearanceCheck> clearances_;
  std::vector<NearPair> near_;
};

}  // namespace limber
