// Starting points for restarts, if a solve is stuck.
//
// A point is made from another one, of which it keeps the variables that are not asked to move. Near it is right to
// leave a saddle (an arm stretched away from its goal), anywhere within the limits to leave a local minimum. Every
// point is feasible, and the same number gives the same point.
//
// Variables that a limit on several of them couples move along its equalities, and together no farther than to its
// first inequality. Others are not held back by it.
#pragma once

#include <vector>

#include "limber/program/active_face.h"
#include "limber/program/limits.h"

namespace limber {

class Restart {
 public:
  void reserve(const Limits& limits);

  // x ← the start of try `number` (1, 2, …), made from the feasible point x: the first ones near by, the others
  // anywhere.
  void move(const Limits& limits, int number, VecX& x);
  // x ← point `number` near x.
  void move_near(const Limits& limits, int number, VecX& x);
  // x ← point `number` of a sequence that fills the box of the chosen variables: evenly, where these are few.
  void move_anywhere(const Limits& limits, int number, const std::vector<char>& chosen, VecX& x);
  // x ← point `number` of a sequence that fills the box evenly, whatever x is. There must be no rows.
  void spread(const Limits& limits, int number, VecX& x) const;

 private:
  double speed(const Limits& limits, int limit) const;
  void hold_back(const Limits& limits, int limit, double factor);
  void go(const Limits& limits, VecX& x);

  ActiveFace face_;
  MatX no_rows_;
  VecX d_;
  double ratio_ = 0.0;          // of the sequence over all variables
  std::vector<double> ratios_;  // of the one over so many variables
  std::vector<int> together_;   // by variable: the first one of those that equalities couple, or itself
  std::vector<double> part_;    // by variable: how far those go
  std::vector<char> held_;
};

}  // namespace limber
