// A regulariser: it pulls the parameters of a figure towards values of their own, with residuals in metres; a radian
// counts as much as in the goals (goal/residual.h). It moves only parameters in the chain of another constraint.
#pragma once

#include <variant>

#include "limber/assess/comfort.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

// r_j = √k_j (θ_j - t_j), by parameter.
struct PullByStiffness {
  VecX target;     // t
  VecX stiffness;  // k, 0 or more
};
// r = A (θ - t). Parameters that do not move count too: those that A couples to them follow them.
struct PullByMatrix {
  VecX target;  // t, by parameter
  MatX root;    // A, one column per parameter
};
// r_j = √k_j d_j(θ_j): d_j is 0 where the joint is comfortable and 1 at its limit (assess/comfort.h).
struct PullToComfort {
  JointComfort comfort;
  VecX stiffness;  // k, by parameter, 0 or more
};
using PosePull = std::variant<PullByStiffness, PullByMatrix, PullToComfort>;

// Towards a pose: the rest, the previous frame, one that was liked. Degrees of freedom that carry a root are not
// pulled.
PullByStiffness towards(const Figure& figure, const Pose& pose);
// Towards a pose, every parameter with 1 plus its own stiffness: a stiff one moves less while the others can serve.
PullByStiffness stiffly_towards(const Pose& pose, const VecX& stiffness);
// Towards the middle of the limits, each parameter in parts of its range; those without two limits are not pulled.
PullByStiffness towards_middle(const Figure& figure);
// Towards comfort (assess/comfort.h), all joints alike; a comfortable one is not pulled.
PullToComfort towards_comfort(const Figure& figure, JointComfort comfort);
PullToComfort towards_comfort(const Figure& figure);  // that of human_comfort()
// Towards how the figure usually stands (its prior): a standard deviation counts as much as this part of its length.
inline constexpr double metres_per_spread = 0.02;
PullByMatrix towards_usual(const Figure& figure);

}  // namespace limber
