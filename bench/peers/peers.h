// Other solvers as contenders of the tasks in app/cli/bench. Each file of this folder is built only where its package
// is there; README.md says how each of them is set, and why.
#pragma once

#include <vector>

#include "app/cli/bench/contest.h"

namespace limber::peers {

using cli::Clock;
using cli::Contender;
using cli::PoseSolver;
using cli::Terms;

std::vector<Contender> kdl_contenders();      // arms: one chain to one frame
std::vector<Contender> nlopt_contenders();    // any problem
std::vector<Contender> ceres_contenders();    // any problem
std::vector<Contender> simbody_contenders();  // positions only

// How far another library's forward kinematics may be from ours, in metres and as a chord, for its figure to count as
// the same as ours.
inline constexpr double same_place = 1e-9;

}  // namespace limber::peers
