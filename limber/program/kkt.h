// The Kuhn-Tucker conditions of a program at a point, from the limits, the point and the gradient alone.
//
//   g + Σ λ_j a_j = 0,  λ_j >= 0 for inequalities,  over the limits j that are active at x.
//
// The multipliers minimise the residual of this equation: non-negative least squares over the active normals. The
// negative residual, d = -(g + Σ λ_j a_j), is the projection of -g onto the cone of feasible directions. Its size
// measures how far the point is from stationary, and d is a feasible descent direction.
//
// The bound of a variable that occurs in no row is orthogonal to all other limits: its multiplier has a closed form.
// The others are solved together.
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

  // Allocates for the given limits, and for so many tangents more (Limits::add_tangent).
  void reserve(const Limits& limits, int tangents = 0);

  // A limit is active if its slack is at most `active_slack`. Returns the max entry of |d|.
  double check(const Limits& limits, const VecX& x, const VecX& g, double active_slack);

  const VecX& descent() const { return d_; }  // d
  // The nonzero ones; λ > 0 for inequalities.
  const std::vector<Multiplier>& multipliers() const { return multipliers_; }

  // The contribution of the gradient `g` to each of multipliers(): what they would be if g were the whole gradient.
  // Valid after check(). Fills the first entries of `share`, in the order of multipliers().
  void shares(const Limits& limits, const VecX& g, VecX& share);

 private:
  // Solves for the multipliers of the limits in coupled_ for the gradient g; nnls_ then holds them.
  const VecX& solve_coupled(const Limits& limits, const VecX& g);
  bool is_coupled(const Limits& limits, int limit) const {
    return limit >= 2 * limits.variables() || in_row_[limit % limits.variables()] != 0;
  }

  Nnls nnls_;
  std::vector<char> in_row_;     // by variable
  std::vector<int> coupled_;     // limits of the current system
  std::vector<char> free_sign_;  // by place in coupled_
  std::vector<Multiplier> multipliers_;
  MatX gram_;
  VecX h_, d_;
  VecX normal_;  // of one limit
};

}  // namespace limber
