// The limits on all parameters of a figure, as those of a program, and the nearest pose within them.
//
// The variables of the program are φ_j = θ_j / s_j, with s_j the figure's length for a translation and 1 for an angle,
// as those of a solve are (problem/variables.h). So all tolerances are relative to the figure: one of a micrometre
// behaves like one of a thousand kilometres.
#pragma once

#include "limber/figure/figure.h"
#include "limber/program/feasible.h"
#include "limber/program/limits.h"

namespace limber {

class FigureLimits {
 public:
  explicit FigureLimits(const Figure& figure);

  int parameters() const { return limits_.variables(); }
  // Moves θ to the nearest pose within all limits; one that is within them stays as it is, to the bit, and if there is
  // none, θ is only clamped (program/feasible.h). `moved` is in radians and lengths of the figure; limits are numbered
  // as in program/limits.h.
  Feasibility project(VecX& theta);

 private:
  Limits limits_;
  VecX scale_, lower_, upper_;  // s and the limits of θ
  VecX phi_, before_;
};

}  // namespace limber
