// Pose priors for figures without one, learned from motions of the CMU database (motion/learn.h). with_prior (prior.h)
// drops the parameters that a figure does not have.
#pragma once

#include "limber/figure/description.h"

namespace limber {

PriorDescription usual_cmu();    // skeletons with CMU's names
PriorDescription usual_human();  // human()

}  // namespace limber
