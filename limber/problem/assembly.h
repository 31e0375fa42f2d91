// A problem as a program: variables φ, limits on them, value and gradient, residuals and Jacobian.    ZB94 sections 9,
// 11
//
// Variables. The parameters of Θ that can move, scaled: θ_j = s_j φ_j with
//
//   s_j = (1 - ρ_j) · (ℓ for a parameter in metres, 1 for one in radians)
//
// where ρ is the rigidity and ℓ the figure's length, so that all variables are of the size of an angle. The objective
// is scaled to f = G / (ℓ² Σ w): then f, its gradient and every tolerance on them are numbers without a unit, and a
// figure of a millimetre behaves like one of a kilometre.
//
// Value and gradient cost one forward and one backward pass over the segments that a handle hangs on: O(n + m). What no
// variable moves is computed once a solve and not again (W93 5.3.4): the other figures of a scene, a trunk below an
// arm.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/kinematics/handle.h"
#include "limber/problem/problem.h"
#include "limber/program/limits.h"

namespace limber {

class Assembly {
 public:
  // The problem must outlive the assembly. Goals' values and weights are read from it at every evaluation; after a
  // change of problem.structure() a new assembly is needed.
  explicit Assembly(const Problem& problem);

  int structure() const { return structure_; }
  int variables() const { return static_cast<int>(parameters_.size()); }
  int residuals() const { return level_ends_.back(); }
  int parameter(int variable) const { return parameters_[variable]; }

  // Takes the values of all other parameters, and what hold() holds, from theta, which must keep all limits.
  // phi gets the variables' values.
  void start(const VecX& theta, VecX& phi);

  // Limits on φ; 2n + k is the figure's limit row limit_row(k). Valid after start().
  const Limits& limits() const { return limits_; }
  int limit_row(int k) const { return limit_rows_[k]; }

  // f and ∇f.
  double operator()(const VecX& phi, VecX& gradient);
  // The same as least squares (program/least_squares.h): rows √(w / (ℓ² Σw)) r by level, so that ‖r‖² = f over the
  // constraints with a finite weight; those that must hold come first, as r / ℓ.
  const std::vector<int>& level_ends() const { return level_ends_; }
  void residual(const VecX& phi, VecX& r);
  void jacobian(MatX& J);  // at the φ of the last evaluation
  // Whether a constraint's rows are among those from begin up to end.
  bool is_within(std::size_t constraint, int begin, int end) const;
  // The part of ∇f that one constraint (its place in problem.constraints()) has; of ‖r‖² / ℓ² for one that must hold.
  void gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient);

  // The variables' values in the given pose, within their limits.
  void variables_of(const VecX& theta, VecX& phi) const;
  const Figure& figure() const { return problem_.figure(); }

  // The whole θ of the last evaluation, or of the given variables.
  const VecX& theta() const { return theta_; }
  void set_theta(const VecX& phi) { theta_of(phi, theta_); }
  // Sets the entries of theta that the variables drive, and leaves the others alone.
  void theta_of(const VecX& phi, VecX& theta) const;
  // What is left of the weights that give way: 1 at the start, less where they would keep others from being met.
  void set_yield(double part) { yield_ = part; }
  double yield() const { return yield_; }
  // G = f ℓ² Σ w.
  double objective_scale() const { return scale_; }

  // How far a constraint is from being met, in the pose of the last evaluation. Enabled or not.
  Distance distance(std::size_t constraint);
  double value(std::size_t constraint);  // ‖r‖², without the weight

 private:
  struct Nearest {
    std::size_t alternative;
    double square;
  };
  // A freedom that moves a constraint's handles, and the variable that drives it.
  struct Drive {
    int variable;
    int freedom;
    int term;
  };
  // A constraint's place among the residuals.
  struct Block {
    std::size_t constraint;
    int row;
    int rows;
    std::vector<Drive> drives;
    std::vector<int> pulled;  // variables, of a pull: a row each
  };

  void place(const VecX& phi);
  HandleValue handle_value(std::size_t constraint, std::size_t alternative);
  Residual scratch(int rows, int elements) { return {{r_.data(), rows}, {J_.data(), rows, 3 * elements}}; }
  double evaluate_alternative(std::size_t constraint, std::size_t alternative);
  Nearest nearest_alternative(std::size_t constraint);
  double pull(std::size_t constraint, double factor);
  void collect_gradient(VecX& gradient);
  void make_blocks();
  double weight_of(const Constraint& constraint) const;
  double pull_root(const PosePull& pull, int variable) const;
  void pull_residual(const PosePull& pull);
  double add_pose_pull(const PosePull& pull, double factor, VecX& gradient);
  double row_scale(const Constraint& constraint) const;
  void handle_column(const Handle& handle, int freedom, Vec3* column) const;

  const Problem& problem_;
  int structure_;
  std::vector<int> parameters_;      // by variable
  std::vector<double> scales_;       // s_j, by variable
  std::vector<int> segments_;        // that handles hang on, with all their parents
  std::vector<int> moving_;          // those among them that a variable moves; the others stay where start() put them
  std::vector<int> limit_rows_;      // figure rows that hold a variable
  std::vector<Block> blocks_;        // by level, then in the order of the problem
  std::vector<int> level_ends_;      // in rows
  std::vector<std::size_t> chosen_;  // by constraint: the alternative of the last residual()
  double scale_ = 1.0;
  double yield_ = 1.0;

  Limits limits_;
  Kinematics state_;
  Sweep sweep_;
  VecX theta_, q_, gradient_q_, gradient_theta_;
  VecX r_;    // of the constraint at hand
  VecX off_;  // θ - t of the pull at hand
  VecX J_;    // its derivative by the handle, rows × 3 elements
  MatX handle_J_;
  Vec3 x_[max_elements];
  std::vector<std::vector<std::array<Vec3, max_elements>>>
      held_;  // by constraint and alternative: subtracted from the handle
};

}  // namespace limber
