// The Kuhn-Tucker conditions of a program at a point, from the limits, the point and the gradient alone.
//
//   g + Σ λ_j a_j = 0,  λ_j >= 0 for inequalities,  over the limits j that are active at x.
//
// The multipliers are those that come nearest to that: non-negative least squares over the active normals. The
// remainder, d = -(g + Σ λ_j a_j), is the projection of -g onto the cone of feasible directions, so its size tells how
// far the point is from stationary, and d is a direction in which the objective decreases and no limit is broken.
//
// Bounds of a variable that no row holds are at right angles to all other limits: their multipliers need no system of
// equations. The others are solved together.
#pragma once

#include <vector>

#include "limber/program/limits.h"
#include "limber/program/nnls.h"

namespace limber {

class Kkt {
 public:
  struct Multiplier {
    int limit;
    double lambda;
  };

  // Room for the given limits.
  void reserve(const Limits& limits);

  // A limit is active where its slack is at most `active_slack`. Returns the max entry of |d|.
  double check(const Limits& limits, const VecX& x, const VecX& g, double active_slack);

  const VecX& descent() const { return d_; }                                   // d
  const std::vector<Multiplier>& multipliers() const { return multipliers_; }  // those in use; λ > 0 for inequalities

  // The multipliers that the limits in use would have if `g` were the gradient: the part that comes from it.
  // Valid after check(); `share` must be large enough for them, and its first entries are those of multipliers().
  void shares(const Limits& limits, const VecX& g, VecX& share);

 private:
  // Solves for the multipliers of the limits in coupled_ by the gradient g; they are then nnls_'s.
  const VecX& solve_coupled(const Limits& limits, const VecX& g);
  bool is_coupled(const Limits& limits, int limit) const {
    return limit >= 2 * limits.variables() || in_row_[limit % limits.variables()] != 0;
  }

  Nnls nnls_;
  std::vector<char> in_row_;     // by variable
  std::vector<int> coupled_;     // limits of the system at hand
  std::vector<char> free_sign_;  // by place in coupled_
  std::vector<Multiplier> multipliers_;
  MatX gram_;
  VecX h_, d_;
  VecX normal_;  // of one limit
};

}  // namespace limber
