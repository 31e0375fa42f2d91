// A free root for figures that are fixed to the world, such as the description of a walking robot.
#pragma once

#include "limber/figure/figure.h"

namespace limber {

// The figure with a six-DOF root in place of the rigid joint between its first segment and the world. Unchanged if that
// joint is not rigid or the figure already has root_parameters, if only along a rail. The parameters are "root.x" and
// so on (description.h), or "free_root.x" if a joint "root" exists.
Expected<Figure> with_free_root(const Figure& figure);

// The parameters that move the whole figure: those of the first joint with DOF on the way from the root. Empty if there
// are several such joints, or if it only rotates: then the figure is fixed in place.
std::vector<int> root_parameters(const Figure& figure);

}  // namespace limber
