// Whether a solve can begin: the problem, the method, the pose and the options are checked once, before anything moves.
#pragma once

#include <optional>

#include "limber/problem/problem.h"
#include "limber/solver/options.h"

namespace limber {

// What is wrong, and where; nothing where all is well.
std::optional<Diagnostic> rejection(const Problem& problem, const Pose& pose, const Options& options);
// Of the options alone: a number out of its range, or an option that the chosen method does not use.
std::optional<Diagnostic> rejection(const Options& options, const Figure& figure);

}  // namespace limber
