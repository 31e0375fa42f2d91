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
// Value and gradient cost one forward and one backward pass over the axes that a handle hangs on: O(n + m). What no
// variable moves is computed once a solve and not again (W93 5.3.4): the other figures of a scene, a trunk below an
// arm.
//
// Goals that place a handle, r = c (x - t) element by element, are most of all goals. They are laid out as a list of
// pins at the start of a solve, and evaluated without asking any of them what it is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/kinematics/linkage.h"
#include "limber/problem/contacts.h"
#include "limber/problem/problem.h"
#include "limber/program/limits.h"

namespace limber {

template <class T>
struct PinTables;

class Assembly {
 public:
  // The problem must outlive the assembly. Goals' values and weights are read from it by start(); after a change of
  // problem.structure() a new assembly is needed.
  explicit Assembly(const Problem& problem);
  ~Assembly();

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

  // Nothing but the pose: for distance(), value() and theta().
  void evaluate_at(const VecX& phi) { place(phi); }
  // f and ∇f.
  double operator()(const VecX& phi, VecX& gradient);
  // The same as least squares (program/least_squares.h): rows √(w / (ℓ² Σw)) r by level, so that ‖r‖² = f over the
  // constraints with a finite weight; those that must hold come first, as r / ℓ.
  const std::vector<int>& level_ends() const { return level_ends_; }
  // Whether nothing must hold, and nothing comes before anything else.
  bool has_one_level() const { return level_ends().size() == 2 && level_ends().front() == 0; }
  void residual(const VecX& phi, VecX& r);
  void jacobian(const VecX& phi, MatX& J);  // free of kinematics where phi was evaluated last
  // Where a constraint's rows begin, and how many there are; none for one that does not count.
  struct RowRange {
    int begin = 0;
    int count = 0;
  };
  RowRange rows_of(std::size_t constraint) const;
  // What its rows are multiplied by, besides what its goal says.
  double row_scale_of(std::size_t constraint) const { return row_scale(problem_.constraints()[constraint]); }
  // By variable: its parameter is so much of it.
  double scale_of(int variable) const { return scales_[variable]; }
  // Whether a constraint's rows are among those from begin up to end.
  bool is_within(std::size_t constraint, int begin, int end) const;
  // The part of ∇f that one constraint (its place in problem.constraints()) has; of ‖r‖² / ℓ² for one that must hold.
  void gradient_of(std::size_t constraint, const VecX& phi, VecX& gradient);

  // The variables' values in the given pose, within their limits.
  void variables_of(const VecX& theta, VecX& phi) const;
  const Figure& figure() const { return problem_.figure(); }

  // The whole θ of the last evaluation, or of the given variables.
  const VecX& theta() const { return theta_; }
  void set_theta(const VecX& phi) {
    theta_of(phi, theta_);
    is_placed_ = false;
  }
  // Sets the entries of theta that the variables drive, and leaves the others alone.
  void theta_of(const VecX& phi, VecX& theta) const;
  // What is left of the weights that give way: 1 at the start, less where they would keep others from being met.
  void set_soft_scale(double part);
  double soft_scale() const { return soft_scale_; }
  // Exact clearances (problem/clearance.h). Multipliers of all pairs start at 0 with start(); follow_contacts() lets
  // them follow what the last evaluation at phi found, and gives the largest change, in lengths of the figure.
  bool is_exactly_clear() const { return exact_contacts_ > 0; }
  double follow_contacts(const VecX& phi);
  void forget_contacts();
  // No multipliers, but so large an ω that what is left is no overlap.
  void push_hard();
  // The largest margin - gap at phi, in metres and at least 0.
  double shortfall(const VecX& phi);
  // ω and all multipliers, to be set again; none, which makes room for them.
  void no_contact_forces(VecX& forces) const;
  void contact_forces(VecX& forces) const;
  void set_contact_forces(const VecX& forces);
  // What has rows in the pose of the last evaluation, of a constraint that is a clearance.
  const ClearanceContacts* contacts_of(std::size_t constraint);
  // What touches, likewise: obstacles within `reach` beyond the margin, moving or not
  // (ClearanceContacts::find_touches).
  const std::vector<ClearanceContact>& touches_of(std::size_t constraint, double reach);
  int max_touches(std::size_t constraint) const;

  // G = f ℓ² Σ w.
  double objective_scale() const { return scale_; }

  // The problem as nothing but pins in a box, for the methods that take no other: no limit on several parameters, no
  // group, nothing that must hold or has another level, more variables than rows. Null where it is more than that, also
  // for the values that the goals have now. Valid after start(), until the next.
  const PinTables<double>* pins();
  // Sets the bases, the freedoms that do not vary, and the targets, two a task.
  void pin_values(PackedFrame* bases, double* q, Packed* targets) const;
  // The targets of other goals, one a constraint of the problem. False where they are not of the same kinds, with the
  // same weights of their parts, as those of start(), or one is Hold.
  bool targets_of(std::span<const Goal> goals, Packed* targets) const;

  // How far a constraint is from being met, in the pose of the last evaluation. Enabled or not.
  GoalError distance(std::size_t constraint);
  double value(std::size_t constraint);  // ‖r‖², without the weight

 private:
  struct Nearest {
    std::size_t alternative;
    double square;
  };
  // An element of a handle, as a link carries it.
  struct AttachedElement {
    Element::Kind kind = Element::Kind::point;
    int link = -1;
    Vec3 local = Vec3::Zero();
  };
  struct AttachedHandle {
    AttachedElement plus[max_elements], minus[max_elements];
    Vec3 held[max_elements];  // subtracted
  };
  // One element of a goal that places: r = scale (x - target).
  struct Pin {
    std::size_t constraint = 0;
    int row = 0;
    int element = 0;  // of the handle
    AttachedElement plus, minus;
    bool is_difference = false;
    double scale = 0.0;         // of the goal
    double row_scale = 0.0;     // that times the constraint's
    double square_scale = 0.0;  // for f: 0 for what must hold
    Packed target = {};
  };
  // A freedom that moves a constraint's handles, and the variable that drives it.
  struct Drive {
    int variable;
    int link;
    int term;
  };
  // A constraint's place among the residuals.
  struct Block {
    std::size_t constraint;
    int row;
    int rows;
    bool is_pinned;
    std::vector<Drive> drives;
    std::vector<int> pulled;  // variables, of a pull: a row each
    int contacts = -1;        // into contacts_, of a clearance
  };
  // What a pull multiplies by its root, and the derivative by θ.
  struct Deviation {
    double value;
    double slope;
  };
  // What a link carries of the figure's mass.
  struct Load {
    int link;
    double mass;
    Vec3 centre;
  };

  void attach_handles();
  void make_pin_tables();
  void make_blocks();
  void read_goals();
  void weigh_pins();
  void place(const VecX& phi);
  void add_up_loads();
  AttachedElement attached(const Element& element);
  void evaluate(const AttachedElement& attached, Packed& x) const;
  void pull(const AttachedElement& attached, const Packed& x, const Packed& c);
  void column(const AttachedElement& attached, const Packed& x, int link, Packed& column) const;
  HandleValue handle_value(std::size_t constraint, std::size_t alternative);
  Residual scratch(int rows, int elements) { return {{r_.data(), rows}, {J_.data(), rows, 3 * elements}}; }
  double evaluate_alternative(std::size_t constraint, std::size_t alternative);
  Nearest nearest_alternative(std::size_t constraint);
  double pull(std::size_t constraint, double factor);
  double pull_pin(const Pin& pin, double square_scale);
  void collect_gradient(VecX& gradient);
  double weight_of(const Constraint& constraint) const;
  double pull_root(const PosePull& pull, int variable) const;
  Deviation pull_error(const PosePull& pull, int variable) const;
  void pull_residual(const PosePull& pull);
  double add_pose_pull(const PosePull& pull, double factor, VecX& gradient);
  double row_scale(const Constraint& constraint) const;
  void pin_jacobian(const Block& block, MatX& J) const;
  void attach_contacts();
  int contacts_index(std::size_t constraint) const;
  ClearanceContacts& found(int contacts);
  double penalty_growth(int contacts) const;
  double contact_scale(int contacts) const;
  bool is_exact(int contacts) const;
  double pull_contacts(int contacts);
  void contact_residual(const Block& block, VecX& r);
  void contact_jacobian(const Block& block, MatX& J);

  const Problem& problem_;
  int structure_;
  std::vector<int> parameters_;        // by variable
  std::vector<double> scales_;         // s_j, by variable
  VecX range_lower_, range_upper_;     // of θ, by variable
  std::vector<int> still_;             // segments that handles hang on and no variable moves, with all their parents
  std::vector<int> limit_rows_;        // figure rows that hold a variable
  std::vector<Block> blocks_;          // by level, then in the order of the problem
  std::vector<int> level_ends_;        // in rows
  std::vector<char> pinned_;           // by constraint: it is a list of pins
  std::vector<std::size_t> unpinned_;  // the other constraints that count and have goals
  std::vector<Pin> pins_;              // in the order of the rows
  std::unique_ptr<PinTables<double>> pin_tables_;  // null where the problem is more than pins in a box
  bool holds_ = false;                             // some goal is Hold
  std::vector<ClearanceContacts> contacts_;        // of the clearances that count, in the order of the problem
  std::vector<std::size_t> contact_constraints_;   // likewise
  std::vector<char> is_found_;                     // likewise: in the pose of the last evaluation
  int exact_contacts_ = 0;                         // how many of them are exact
  double push_ = 0.0;                              // ω
  std::vector<int> first_load_;                    // by link, and one more: in loads_, which go by link
  std::vector<double> mass_before_;                // by load, and one more: the sum of all masses before it
  std::vector<Packed> moment_before_;              // likewise of their moments, in the pose
  std::vector<Load> loads_;                        // where some handle is the centre of mass
  std::vector<int> freedoms_;  // by variable: the freedom that it is, where every one is just one; else empty
  double scale_ = 1.0;
  double soft_scale_ = 1.0;

  Limits limits_;
  Linkage linkage_;
  LinkageState state_;
  Kinematics figure_state_;  // of the start, where no variable moves anything
  bool is_placed_ = false;
  VecX placed_;  // the φ that state_ and theta_ are of
  VecX theta_, q_, gradient_q_, gradient_theta_;
  VecX r_;    // of the constraint at hand
  VecX off_;  // θ - t of the pull at hand
  VecX J_;    // its derivative by the handle, rows × 3 elements
  Vec3 x_[max_elements];
  std::vector<std::vector<AttachedHandle>> handles_;  // by constraint and alternative
};

}  // namespace limber
