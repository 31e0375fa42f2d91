// The effort of a change of pose: what a body prefers to move.
//
//   E(θ, θ₀) = Σ_j ((θ_j - t_j) / σ_j)²  +  Σ_s (m_s / m) ‖J_s (θ - t)‖² / ℓ²
//
// The first sum is the stiffness of the joints: σ_j is how far joint j usually turns in a second, a share of its range.
// The second is Gauss's least constraint: parts of the mass m_s resist being displaced, by J_s (θ - t) to first order
// from the pose θ₀ at the grab. So an arm moves before the trunk, the balance is paid for by what moves most mass for
// its turn, hips and legs, not by throwing the arms about, and arms that nobody touched hang where they were.
// t is θ₀, or a pose that was proposed.
#pragma once

#include <vector>

#include "limber/figure/figure.h"
#include "limber/problem/problem.h"

namespace limber {

// √E as a matrix: E = ‖A (θ - t)‖². Parameters that are `idle` move neither a grip nor a pin, so they can only help the
// balance: they do so last. `stiffness` by parameter: its own part of E is greater by this factor plus 1; empty: 0.
PullByMatrix effort_from(const Figure& figure, const Pose& grab, const std::vector<bool>& idle, const VecX& stiffness);

}  // namespace limber
