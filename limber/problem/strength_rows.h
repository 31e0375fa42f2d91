// The rows of all strength limits of a problem (problem/problem.h), with the multipliers of the hard ones.
//
// With the holding torque h of a degree of freedom (assess/static_torques.h), its strength S(q) in a direction d = ±1,
// and the permitted share σ, one inequality per degree of freedom and direction that has a strength:
//
//   e = (b(q) d h - σ S(q)) / (σ Ŝ) <= 0
//
// where Ŝ is S at its best angle: for a strength that is the same at all angles e = |h| / (σ S) - 1 in the direction of
// the torque, and where S(q) falls to 0 e stays finite. b rises smoothly from 0 to 1 between the end of the range that
// would hold the torque and stop_tolerance from it: a joint on its end needs no muscle.
//
// A row is √(w / (ℓ² Σ w)) r with r = max(0, L e) for a limit with a finite weight, and √ω max(0, L e + λ / ω) / ℓ for
// a hard one, with multipliers λ >= 0 as in problem/clearance_contacts.h. L is overload_length of the figure. The two
// directions of a joint do not push at once, so a degree of freedom has one row.
//
// Reactions are those of feet that touch the ground where they did at the start of the solve.
#pragma once

#include <vector>

#include "limber/assess/static_torques.h"
#include "limber/assess/strengths.h"
#include "limber/problem/problem.h"
#include "limber/problem/row_layout.h"
#include "limber/problem/variables.h"

namespace limber {

// A torque of twice what is permitted counts as much as an error of this part of the figure's length.
inline constexpr double overload_length = 0.1;

class StrengthRows {
 public:
  // Of the limits that count. The problem must outlive this.
  StrengthRows(const Problem& problem, const Variables& variables);

  // 0 for a constraint that is no strength limit or does not count.
  int row_count(std::size_t constraint) const;
  bool has_hard() const { return has_hard_; }

  // Forgets all multipliers, takes the weights as they are now, and the ground under the feet, for the joint angles q.
  void start(const VecX& q);
  // Takes the pose.
  void place(const VecX& q);

  // In the pose: max e of a constraint, at least 0; and ‖r‖² without weight or multipliers.
  double overload(std::size_t constraint) const;
  double value(std::size_t constraint) const;
  // Joints that are overloaded or, if there are none, those with a strength; the highest share first.
  void name_joints(std::size_t constraint, std::vector<JointLoad>& joints) const;
  int max_joints(std::size_t constraint) const { return row_count(constraint); }

  // Adds to f and its gradient: of all limits, or of one.
  void add_value(const RowLayout& rows, const VecX& theta, double& value, VecX& gradient);
  void add_gradient(std::size_t constraint, const RowLayout& rows, const VecX& theta, VecX& gradient);
  void residual(const RowLayout& rows, VecX& r) const;
  // Adds to J, which is 0 there.
  void jacobian(const RowLayout& rows, const VecX& theta, MatX& J);

  // Multipliers of the hard limits, as in problem/contact_rows.h.
  double follow();
  void forget_multipliers();
  void push_hard();
  // The largest L e of the hard limits, in metres and at least 0.
  double shortfall() const;
  Eigen::Index multiplier_count() const;
  void zero_multipliers(Eigen::Ref<VecX> multipliers) const;
  void multipliers(Eigen::Ref<VecX> multipliers) const;
  void set_multipliers(const Eigen::Ref<const VecX>& multipliers);

 private:
  struct Direction {
    int row = -1;  // of the table; -1: no strength
    double sign = 1.0;
    double scale = 1.0;  // σ Ŝ
    double shift = 0.0;  // λ / ω, in metres
    double e = 0.0;      // in the pose
  };
  struct MuscleJoint {
    int freedom;
    Direction directions[2];
  };
  struct Block {
    std::size_t constraint;
    StaticTorques torques;
    Strengths strengths;
    std::vector<MuscleJoint> joints;
    bool is_hard = false;
    bool has_derivatives = false;  // of the torques, in the pose
  };
  // A variable that drives a degree of freedom.
  struct FreedomDrive {
    int variable, freedom, term;
  };
  const StrengthLimit& limit(const Block& block) const;
  const Block* block_of(std::size_t constraint) const;
  void make_joints(Block& block) const;
  double evaluate(const Block& block, const MuscleJoint& joint, const Direction& direction) const;
  double metres(const Block& block, const Direction& direction) const;
  const Direction* pushed(const Block& block, const MuscleJoint& joint) const;
  double row_scale(const Block& block, const RowLayout& rows) const;
  template <class Add>
  void add_slopes(Block& block, const MuscleJoint& joint, const Direction& direction, const VecX& theta, Add&& add);
  double add_block(Block& block, const RowLayout& rows, const VecX& theta, VecX& gradient);

  const Problem& problem_;
  const Variables& variables_;
  std::vector<Block> blocks_;  // in the order of the problem
  std::vector<FreedomDrive> drives_;
  Kinematics state_;
  VecX q_;
  double length_;  // L
  bool has_hard_ = false;
  double penalty_ = 0.0;  // ω
};

}  // namespace limber
