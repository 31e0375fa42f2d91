// A problem made ready for a map of reach, as the tool and the editor ask for one.
//
// A constraint that says where the handle itself is to be would leave one point of the map: it makes way. What aimed at
// that place, the eyes for one, aims at every point of the map in turn.
//
// All constraints weigh the same. A witness meets every one of them, whatever it weighs (witness.h), so that weights
// and locks only say how a solve gets there; and a solve that starts far off gets there best where nothing outweighs
// the rest.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/problem.h"
#include "limber/reach/reach_map.h"

namespace limber {

struct ReachSubject {
  Problem problem;
  std::vector<std::string> left_out = {};  // names of constraints on the handle itself
  std::vector<ConstraintId> looking = {};  // for ReachOptions: those that aimed at the same point
};

// The handle is a point, or begins with one.
ReachSubject reach_subject(Problem problem, const Element& handle);

// Where directions are measured from: the first joint of the chain, or the handle where all may move.
Vec3 reach_origin(const Figure& figure, const Pose& pose, const std::string& from, const Element& handle);

// In words, for one of neighbour_directions(): "up front". A figure faces +z, and its left is +x.
std::string direction_name(const CellIndex& direction);

}  // namespace limber
