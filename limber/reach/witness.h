// Whether a pose is what a map says it is, asked of the plain kinematics in double precision: within all limits of the
// figure, every constraint met, nothing moved that may not move. What keeps clear is looked at by obstacle/near.h, with
// parts that do not move as well.
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

// How far apart a clearance must keep things in a witness: one that has a weight is a goal as others are, and so far it
// may be off; an exact one up to rounding.
double min_gap(const Problem& problem, const Constraint& constraint, double tolerance);

class WitnessCheck {
 public:
  // The constraint with the place `reached` in the problem is the one that the map asks for; the problem must outlive
  // this, and none of its goals may be Hold.
  WitnessCheck(const Problem& problem, std::size_t reached, WitnessTolerance tolerance);

  struct Result {
    bool limits_kept = false;
    bool others_met = false;  // all but the one
    bool is_met = false;      // and that one too
    Vec3 handle = Vec3::Zero();
    double metres = infinity;  // from the goal to the handle
  };
  // goals: one a constraint, in place of its own; that of a pull, of a clearance or of one with several alternatives is
  // not read.
  Result operator()(const VecX& theta, std::span<const Goal> goals);

 private:
  // A clearance that counts.
  struct Kept {
    NearFinder finder;
    Obstacles obstacles;
    double least;  // metres that the skins are apart
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
  std::vector<Kept> kept_;
  std::vector<NearPair> near_;
};

}  // namespace limber
