// Steepest descent along projected arcs: the conjugate gradient method with β = 0.               EE09 Fig. 3
#pragma once

#include "limber/solver/gradient/projected_descent.h"

namespace limber {

class ProjectedSteepestDescent : public ProjectedDescent {
 public:
  explicit ProjectedSteepestDescent(const ProjectedDescentOptions& options = {})
      : ProjectedDescent(Update::steepest, options) {}
};

}  // namespace limber
