// How a body usually stands, as part of a figure: checks, and a prior learned on one figure carried over to another.
#pragma once

#include "limber/figure/figure.h"

namespace limber {

// The figure with that prior in place of its own: the terms whose parameters it has, in its order. Rejected where it
// has none of them. Parameters that the prior does not know are left alone.
Expected<Figure> with_prior(const Figure& figure, const PriorDescription& prior);

// Known parameters and segments, finite numbers, spreads above 0, a correlation that is positive definite. Private to
// figure/.
Expected<void> check_prior(const Figure::Data& data);

}  // namespace limber
