// A figure that stands in the world can be let go: robots are described as bolted down, and walk.
#pragma once

#include "limber/figure/figure.h"

namespace limber {

// The figure with six freedoms where its first segment was joined rigidly to the world; as it is where that is not so,
// or where the root_parameters of a joint farther up carry it already, if only along a rail. Their names are "root.x"
// and so on (description.h), or "free_root.x" where a joint has that name already.
Expected<Figure> with_free_root(const Figure& figure);

// The parameters that carry the whole figure: those of the only joint that moves and has none above it that does. None
// where there are several such joints, or where it only turns: then the figure stands in its place.
std::vector<int> root_parameters(const Figure& figure);

}  // namespace limber
