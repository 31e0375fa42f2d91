// The active set of box bounds for a step of all frames. Private to motion/timed/.
//
// A step solves M s = g for the free variables; a variable fixed on a bound then has the multiplier g - M s. It stays
// fixed while its multiplier has the right sign, and is released otherwise. The gradient before the step is no guide:
// it is dominated by small lock errors, and variables would alternate. A variable that crosses a bound is clamped there
// and fixed in the next step. This is the primal-dual active set method (Hintermüller, Ito and Kunisch 2002), except
// for the choice among consecutive frames.
#pragma once

#include <vector>

#include "limber/motion/timed/band.h"
#include "limber/program/limits.h"

namespace limber {

class ActiveBounds {
 public:
  // Kept frames do not move. `is_bent`: neighbouring frames are coupled.
  void start(const Limits& limits, const std::vector<char>& kept, bool is_bent, const MatX& phi, const MatX& gradient);

  // Fixes in M the kept frames and, of the variables on a bound, those with a positive multiplier, or all.
  enum class Stay { pushed, on_bound };
  void fix(const MatX& phi, Stay stay, Band& M) const;
  // Whether a variable on a bound is released.
  bool releases(const MatX& phi) const;
  // Updates the active set from the step, before it is clamped.
  void update(const MatX& phi, const MatX& step, const MatX& gradient, const BandRows& rows, const Band& M);

 private:
  bool is_on(const MatX& phi, int i, int k) const;
  bool is_pushed(const MatX& phi, double slope, int i, int k) const;

  const Limits* limits_ = nullptr;
  std::vector<char> kept_;
  bool is_bent_ = false;
  Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic> pushed_;  // active: its bound pushes back
  std::vector<double> forces_;                                 // M s of the fixed variables
};

}  // namespace limber
