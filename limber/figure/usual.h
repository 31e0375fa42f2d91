// How bodies usually stand, for figures that bring no prior of their own: learned from motions of the CMU database
// (motion/prior.h). Parameters of that name that a figure does not have are left out by with_prior (prior.h).
#pragma once

#include "limber/figure/description.h"

namespace limber {

PriorDescription usual_cmu();    // skeletons with CMU's names
PriorDescription usual_human();  // human()

}  // namespace limber
