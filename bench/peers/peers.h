// Solvers of other libraries for the tasks in bench/task. Each file of this folder is built only if its package is
// installed; README.md lists their settings with reasons.
#pragma once

#include <vector>

#include "bench/task/comparison.h"

namespace limber::peers {

using bench::Clock;
using bench::ComparedSolver;
using bench::Criteria;
using bench::PoseSolver;

std::vector<ComparedSolver> kdl_solvers();      // arms: one chain to one frame
std::vector<ComparedSolver> nlopt_solvers();    // any problem
std::vector<ComparedSolver> ceres_solvers();    // any problem
std::vector<ComparedSolver> simbody_solvers();  // positions only

// The max difference of another library's forward kinematics from ours, in metres and as a chord, for its figure to
// count as the same.
inline constexpr double same_place = 1e-9;

}  // namespace limber::peers
