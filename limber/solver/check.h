// Whether a solve can begin: the problem, the method, the pose and the options are checked once, before anything moves.
#pragma once

#include <optional>

#include "limber/problem/assembly.h"
#include "limber/solver/options.h"

namespace limber {

// The first error, if any.
std::optional<Diagnostic> rejection(const Problem& problem, const Assembly& assembly, const Pose& pose,
                                    const Options& options);

}  // namespace limber
