// A problem as a program: variables φ, limits on them, value and gradient, residuals and Jacobian.   ZB94 sections 9,
// 11
//
// The parts, each in a file of its own:
//
//   Variables     φ ↔ θ ↔ q, and limits                         problem/variables.h
//   RowLayout     rows by level, weights and scales             problem/row_layout.h
//   PosedLinkage  links in a pose, centre of mass, backward pass    problem/posed_linkage.h, mass_sums.h
//   Pins, GoalRows, PullRows, ContactRows, StrengthRows         the rows of each kind of constraint
//
// An assembly holds these parts in one pose. If it is evaluated at another φ, it places the links there, and each kind
// of constraint adds its terms. Value and gradient cost one forward and one backward pass over the links that carry a
// handle: O(n + m) for n links and m handles.
#pragma once

#include <span>
#include <vector>

#include "limber/problem/contact_rows.h"
#include "limber/problem/goal_rows.h"
#include "limber/problem/pins.h"
#include "limber/problem/posed_linkage.h"
#include "limber/problem/problem.h"
#include "limber/problem/pull_rows.h"
#include "limber/problem/row_layout.h"
#include "limber/problem/strength_rows.h"
#include "limber/problem/variables.h"

namespace limber {

class Assembly {
 public:
  // The problem must outlive the assembly. start() reads the goals' values and weights from it; after a change of
  // problem.structure() a new assembly is needed.
  explicit Assembly(const Problem& problem);
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  int structure() const { return structure_; }
  const Figure& figure() const { return problem_.figure(); }

  int variables() const { return variables_.count(); }
  int parameter(int variable) const { return variables_.parameter(variable); }
  // Limits on φ; 2n + k is the figure's limit row limit_row(k). Valid after start().
  const Limits& limits() const { return variables_.limits(); }
  int limit_row(int k) const { return variables_.limit_row(k); }

  // Takes the values of all parameters that are not variables, and the targets of Hold goals, from theta, which must
  // satisfy all limits. Writes the values of the variables to phi.
  void start(const VecX& theta, VecX& phi);

  // f and ∇f.
  double operator()(const VecX& phi, VecX& gradient);
  // The problem as least squares (program/least_squares.h): rows by level, scaled as in problem/row_layout.h.
  int residuals() const { return rows_.level_ends().back(); }
  const std::vector<int>& level_ends() const { return rows_.level_ends(); }
  bool has_one_level() const { return rows_.has_one_level(); }
  void residual(const VecX& phi, VecX& r);
  void jacobian(const VecX& phi, MatX& J);
  // Σ w_k ∇²r_k over the rows of goals that place, symmetric; 0 where there are none.
  bool has_curvature() const { return !pins_.empty() && !has_hard_inequalities(); }
  void add_curvature(const VecX& phi, const VecX& weights, MatX& H) {
    place(phi);
    pins_.add_curvature(variables_, links_, theta_, weights, H);
  }
  // For one constraint, by its index in problem.constraints().
  const RowRange& rows_of(std::size_t constraint) const { return rows_.of(constraint); }
  double row_scale_of(std::size_t constraint) const { return rows_.row_scale(constraint); }
  bool is_within(std::size_t constraint, int begin, int end) const { return rows_.is_within(constraint, begin, end); }
  // Its contribution to ∇f; for a hard constraint ∇ ‖r‖² / ℓ².
  void gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient);
  // G = f · objective_scale().
  double objective_scale() const { return rows_.objective_scale(); }
  // Factor on the weights of soft constraints: 1 at first, reduced if they keep other constraints from being met.
  void set_soft_scale(double soft_scale);
  double soft_scale() const { return rows_.soft_scale(); }

  // Evaluates the pose only, for error_of(), value() and theta().
  void evaluate_at(const VecX& phi) { place(phi); }
  // In the pose of the last evaluation: the error of a constraint (enabled or not), and its ‖r‖² without the weight.
  GoalError error_of(std::size_t constraint);
  double value(std::size_t constraint);

  // φ of a pose, within the limits.
  void variables_of(const VecX& theta, VecX& phi) const { variables_.phi_of(theta, phi); }
  // Sets the entries of theta that are variables; the others are not changed.
  void theta_of(const VecX& phi, VecX& theta) const { variables_.theta_of(phi, theta); }
  // The whole θ of the last evaluation, or of the given variables.
  const VecX& theta() const { return theta_; }
  void set_theta(const VecX& phi) {
    theta_of(phi, theta_);
    is_placed_ = false;
  }

  // Inequalities that must hold: clearances (problem/contact_rows.h) and strength limits (problem/strength_rows.h).
  // Multipliers start at 0 with start().
  bool has_hard_inequalities() const { return contacts_.has_exact() || strengths_.has_hard(); }
  double follow_multipliers(const VecX& phi);
  void forget_multipliers();
  void push_hard();
  double shortfall(const VecX& phi);
  // All of them, to be set again; none, which makes room for them.
  void zero_multipliers(VecX& all) const;
  void multipliers(VecX& all) const;
  void set_multipliers(const VecX& all);
  // In the pose of the last evaluation: the joints of a strength limit that its report names.
  void name_joints(std::size_t constraint, std::vector<JointLoad>& joints) const {
    strengths_.name_joints(constraint, joints);
  }
  int max_joints(std::size_t constraint) const { return strengths_.max_joints(constraint); }
  // In the pose of the last evaluation.
  const ClearanceContacts* contacts_of(std::size_t constraint) { return contacts_.found(constraint, links_); }
  const std::vector<ClearanceContact>& touches_of(std::size_t constraint, double reach) {
    return contacts_.touches(constraint, reach, links_);
  }
  int max_touches(std::size_t constraint) const { return contacts_.max_touches(constraint); }

  // The problem as tables for the fast path, if it consists only of pins (problem/pins.h): no hard constraint, one
  // level, not many more rows than variables. Else null.
  const PinTables<double>* pins() { return pins_.tables(theta_, limits()); }
  // Sets the bases, the joint angles by link, and the targets, two per task.
  void pin_values(PackedFrame* bases, double* q, Packed* targets) const;
  bool targets_of(std::span<const Goal> goals, Packed* targets) const { return pins_.targets_of(goals, targets); }

 private:
  void place(const VecX& phi);

  const Problem& problem_;
  int structure_;
  Variables variables_;
  PosedLinkage links_;
  ContactRows contacts_;
  StrengthRows strengths_;
  RowLayout rows_;
  GoalRows goals_;
  Pins pins_;
  PullRows pulls_;

  bool is_placed_ = false;
  VecX placed_;     // the φ at which the links and theta_ are placed
  VecX theta_, q_;  // q: joint angles
};

}  // namespace limber
