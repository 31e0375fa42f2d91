// Which of several alternatives a motion takes. Private to motion/timed/.
#pragma once

#include "limber/motion/clip.h"
#include "limber/motion/timed/timed_problem.h"

namespace limber {

// Takes an alternative of each open group that is active in the motion, which begins at `begin` seconds: the one for
// which some frames of its span, solved one after the other, cost least in all,
//
//   Σ_k ( g ‖D^½ δ_k‖² + Σ_i w_i ‖r_i‖² / ℓ² )                                      as in timed/solve_motion.h
//
// so of those that can be met, the one that is nearest to the given motion. Groups are gone through in the order in
// which they begin, each beside the alternatives that were taken before it; later ones do not count yet. The first of
// two that cost the same is taken. Rejected: an invalid moving goal.
Expected<void> choose_alternatives(TimedProblem& problem, const Clip& given, double begin, double guide);

// The problem of a whole motion without open groups: of those that are active in no frame, the first alternative.
Expected<TimedProblem> settled(TimedProblem problem, const Clip& given, double guide);

}  // namespace limber
