// The pose prior of a figure: validation, and transfer of a prior learned on another figure.
#pragma once

#include "limber/figure/figure.h"

namespace limber {

// The figure with this prior in place of its own, reduced to the terms whose parameters the figure has. Rejected if it
// has none of them.
Expected<Figure> with_prior(const Figure& figure, const PriorDescription& prior);

// Known parameters and segments, finite numbers, positive spreads, positive definite correlation. Private to figure/.
Expected<void> check_prior(const Figure::Data& data);

}  // namespace limber
