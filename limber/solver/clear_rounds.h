// Keeping clear exactly, by any method that takes goals: rounds of an augmented Lagrangian.
//
// For a pair p let e_p = margin - gap_p (problem/clearance.h). The program
//
//   min f(φ)   under   e_p(φ) <= 0 for all p,   and the limits
//
// is solved by rounds. Each finds the least, under the limits, of
//
//   f(φ) + Σ_p ω max(0, e_p(φ) + λ_p / ω)²,   then   λ_p ← max(0, λ_p + ω e_p),
//
// until no λ_p / ω has changed by more than a hundred thousandth of the figure's length: then every e_p that pushes is
// as small, and λ is what the obstacles push back with (Hestenes 1969, Powell 1969; for inequalities Rockafellar 1973).
// ω is small in the first round, so that a limb that starts inside of something goes out along with its goals; it is
// larger in all others, where each round divides what is left by a large number. The assembly has the rows and
// multipliers; pairs that come near or go away do so between two evaluations, not between two rounds.
//
// A pose that still falls short when the rounds are over spends the last iterations, which were spared, on getting out:
// without multipliers, at an ω that leaves nothing else a say.
#pragma once

#include "limber/problem/assembly.h"
#include "limber/solver/methods.h"

namespace limber {

// Minimises from phi. The value of the outcome is that of the last round, with what its multipliers add. A try that
// takes too long ends as one that is stuck, Exit::stalled, if `own` has iterations left: others may be better.
// `forces` is room for the multipliers of a round.
Outcome run_clear(Methods& methods, const Problem& problem, Assembly& assembly, const Options& options,
                  const MethodOptions& own, VecX& phi, VecX& forces, const Observer& observer);

}  // namespace limber
