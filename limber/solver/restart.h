// Other points to start from where a solve is stuck.
//
// The first tries are near the point, to leave a saddle (an arm stretched away from its goal); the later ones are all
// over the limits. Every point is feasible, and the same number gives the same point.
#pragma once

#include "limber/program/active_face.h"
#include "limber/program/limits.h"

namespace limber {

class Restart {
 public:
  void reserve(const Limits& limits);

  // x ← the start of try `number` (1, 2, …), made from the feasible point x.
  void move(const Limits& limits, int number, VecX& x);
  // x ← point `number` of a sequence that fills the box evenly, whatever x is. There must be no rows.
  void spread(const Limits& limits, int number, VecX& x) const;

 private:
  ActiveFace face_;
  MatX no_rows_;
  VecX d_;
  double ratio_ = 0.0;  // of the sequence
};

}  // namespace limber
