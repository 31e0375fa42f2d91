// Starting points for restarts, if a solve is stuck.
//
// The first ones are near the current point, to leave a saddle (an arm stretched away from its goal); the later ones
// are spread over the limits. Every point is feasible, and the same number gives the same point.
#pragma once

#include "limber/program/active_face.h"
#include "limber/program/limits.h"

namespace limber {

class Restart {
 public:
  void reserve(const Limits& limits);

  // x ← the start of restart `number` (1, 2, …), computed from the feasible point x.
  void move(const Limits& limits, int number, VecX& x);
  // x ← point `number` of a sequence that fills the box evenly, independent of x. There must be no limit rows.
  void spread(const Limits& limits, int number, VecX& x) const;

 private:
  ActiveFace face_;
  MatX no_rows_;
  VecX d_;
  double ratio_ = 0.0;  // of the sequence
};

}  // namespace limber
