// Re-rooting: a figure with another segment as its root.                                                   W93 2.1.2,
// ZB94 4.1
#pragma once

#include <string_view>

#include "limber/figure/figure.h"

namespace limber {

// The same figure with another root: in the given pose every segment is where it was, and every joint keeps its
// degrees of freedom, names, limits and values. The joints on the way are reversed:
//   (D_1(q_1) … D_k(q_k))⁻¹ = D_k(-q_k) … D_1(-q_1),  and turning by -q about u is turning by q about -u.
// The new root is free if the old one had degrees of freedom, else fixed. Mirror pairs are dropped.
Expected<FigureDescription> rerooted(const Figure& figure, std::string_view segment, const Pose& pose);

// The pose of `to` (made by rerooted() from `from`) that shows what `pose` shows on `from`, for the parameters
// that both have: the same values by name.
Pose carried_over(const Figure& from, const Pose& pose, const Figure& to);

}  // namespace limber
