// The projected nonlinear conjugate gradient method.                                             EE09 section 3
#pragma once

#include "limber/solver/gradient/projected_descent.h"

namespace limber {

class ProjectedConjugateGradient : public ProjectedDescent {
 public:
  explicit ProjectedConjugateGradient(const ProjectedDescentOptions& options = {})
      : ProjectedDescent(Update::polak_ribiere_plus, options) {}
};

}  // namespace limber
