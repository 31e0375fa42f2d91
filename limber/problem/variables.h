// The variables φ of a program: their parameters θ, scales and limits.                      ZB94 section 11, W93 (4.11)
//
//   θ_j = s_j φ_j,   s_j = (1 - ρ_j) · (ℓ for a parameter in metres, 1 for one in radians) / √α_j
//
// where ρ is the rigidity, α the stiffness and ℓ the figure's length, so all variables have the magnitude of angles. A
// gradient step in φ is a gradient step in θ with the gain s_j², so proportional to 1 / α_j, the gain K_j of W93
// (4.11). A minimum-norm step in φ weights a change of θ_j by α_j. So every method moves a stiff parameter less. A
// parameter with rigidity 1, or whose range is a single value, is not a variable. Limits on φ are those on θ divided by
// s; if φ is at its limit, θ is exactly at its own.
#pragma once

#include <vector>

#include "limber/problem/problem.h"
#include "limber/program/limits.h"

namespace limber {

class Variables {
 public:
  // The problem's figure must outlive this.
  explicit Variables(const Problem& problem);

  int count() const { return static_cast<int>(parameters_.size()); }
  int parameter(int variable) const { return parameters_[variable]; }
  double scale(int variable) const { return scales_[variable]; }  // s_j
  const std::vector<int>& parameters() const { return parameters_; }

  // By variable: its degree of freedom, if every variable is exactly one; empty if there are groups.
  const std::vector<int>& freedoms() const { return freedoms_; }

  // Reads the parameters that are not variables from theta: the bound that a limit on several parameters sets for the
  // variables depends on them.
  void start(const VecX& theta);
  // Limits on φ; 2n + k is the figure's limit row limit_row(k). Valid after start().
  const Limits& limits() const { return limits_; }
  int limit_row(int k) const { return limit_rows_[k]; }

  // φ of a pose, within the limits.
  void phi_of(const VecX& theta, VecX& phi) const;
  // Sets the entries of theta that are variables; the others are not changed.
  void theta_of(const VecX& phi, VecX& theta) const;
  // The joint angles of theta; angles that no variable drives need not be written.
  void angles_of(const VecX& theta, VecX& q) const;
  // ∂f/∂φ from ∂f/∂q.
  void pull_back(const VecX& theta, const VecX& gradient_q, VecX& gradient);

 private:
  double unit_of(int parameter) const;  // of its values: ℓ or 1

  const Figure& figure_;
  std::vector<int> parameters_;     // by variable, ascending
  std::vector<double> scales_;      // by variable
  VecX range_lower_, range_upper_;  // of θ, by variable
  std::vector<int> freedoms_;
  std::vector<int> limit_rows_;  // the figure's limit rows that contain a variable
  Limits limits_;
  VecX gradient_theta_;
};

}  // namespace limber
