// The variables φ of a program: which parameters θ they are, and what limits them.          ZB94 section 11, W93 (4.11)
//
//   θ_j = s_j φ_j,   s_j = (1 - ρ_j) · (ℓ for a parameter in metres, 1 for one in radians) / √α_j
//
// where ρ is the rigidity, α the stiffness and ℓ the figure's length, so that all variables are of the size of an
// angle. A step along the gradient in φ moves θ_j by s_j² times its own: by 1 / α_j of it, the gain K_j of W93 (4.11);
// a step of least norm in φ weighs a change of θ_j by α_j. So every method moves a stiff parameter less. A parameter
// that is wholly rigid, or whose range is one value, is no variable. Limits on φ are those on θ divided by s; a φ at
// its limit is a θ exactly at its own.
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

  // By variable: the degree of freedom that it is, where every variable is just one; empty where some are groups.
  const std::vector<int>& freedoms() const { return freedoms_; }

  // Takes the parameters that are no variables from theta: what is left for the variables of a limit on several
  // parameters depends on them.
  void start(const VecX& theta);
  // Limits on φ; 2n + k is the figure's limit row limit_row(k). Valid after start().
  const Limits& limits() const { return limits_; }
  int limit_row(int k) const { return limit_rows_[k]; }

  // φ of a pose, within the limits.
  void phi_of(const VecX& theta, VecX& phi) const;
  // Sets the entries of theta that are variables, and leaves the others alone.
  void theta_of(const VecX& phi, VecX& theta) const;
  // The joint angles of theta. Those that no variable drives may be left as they are.
  void angles_of(const VecX& theta, VecX& q) const;
  // ∂f/∂φ from ∂f/∂q.
  void pull_back(const VecX& theta, const VecX& gradient_q, VecX& gradient);

 private:
  const Figure& figure_;
  std::vector<int> parameters_;     // by variable, ascending
  std::vector<double> scales_;      // by variable
  VecX range_lower_, range_upper_;  // of θ, by variable
  std::vector<int> freedoms_;
  std::vector<int> limit_rows_;  // the figure's rows that limit a variable
  Limits limits_;
  VecX gradient_theta_;
};

}  // namespace limber
