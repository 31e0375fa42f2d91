// A problem prepared for a reach map, for the command-line tool and the editor.
//
// A constraint that places the handle itself would leave one point of the map: it is removed. Constraints that aim at
// that place, such as the eyes, aim at every point of the map in turn.
//
// All constraints get the same weight. A witness meets every one of them, whatever its weight (witness.h), so weights
// and locks only affect convergence, which is best from a distant start if nothing dominates.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/reach/reach_map.h"

namespace limber {

struct ReachSubject {
  Problem problem;
  std::vector<std::string> left_out = {};  // names of removed constraints on the handle itself
  std::vector<ConstraintId> looking = {};  // for ReachOptions: those that aimed at its goal
};

// The handle is a point, or begins with one.
ReachSubject reach_subject(Problem problem, const Element& handle);

// The origin of directions: the first joint of the chain, or the handle if all joints may move.
Vec3 reach_origin(const Figure& figure, const Pose& pose, const std::string& from, const Element& handle);

// The name of one of neighbour_directions(): "up front". The figure faces +z, with its left at +x.
std::string direction_name(const CellIndex& direction);

}  // namespace limber
