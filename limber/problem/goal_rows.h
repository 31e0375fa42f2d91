// The rows of goals: r(x) of the nearest alternative (ZB94 (27)), its gradient and its Jacobian. The rows of goals that
// only place a handle are in problem/pins.h, where they cost less; their value, error and gradient for one constraint
// are also here.
#pragma once

#include <vector>

#include "limber/problem/attached_handles.h"
#include "limber/problem/drives.h"
#include "limber/problem/row_layout.h"

namespace limber {

class GoalRows {
 public:
  // The problem must outlive this.
  GoalRows(const Problem& problem, const RowLayout& rows, const Variables& variables, PosedLinkage& links);

  // The max number of rows of a constraint's alternatives.
  static int row_count(const Constraint& constraint);

  const AttachedHandles& handles() const { return handles_; }
  bool empty() const { return blocks_.empty(); }  // all goals are pins
  // Takes the current pose of the links as the targets of Hold.
  void hold(const PosedLinkage& links) { handles_.hold(links); }
  // The links have moved: another alternative may be the nearest.
  void new_pose() { ++pose_; }

  // For any constraint with goals: ‖r‖² without the weight, and the error.
  double value(std::size_t constraint, const PosedLinkage& links) { return nearest(constraint, links).square; }
  GoalError error_of(std::size_t constraint, const PosedLinkage& links);
  // Applies factor · ∂‖r‖²/∂x to its handle as a force, and returns factor · ‖r‖².
  double pull(std::size_t constraint, double factor, PosedLinkage& links);

  // For all goals that are not pins: adds to f, and applies ∂f/∂x to the handles as forces.
  void add_value(const RowLayout& rows, PosedLinkage& links, double& value);
  void residual(const RowLayout& rows, const PosedLinkage& links, VecX& r);
  // Adds to J, which is 0 there.
  void jacobian(const RowLayout& rows, const Variables& variables, const PosedLinkage& links, const VecX& theta,
                MatX& J);

 private:
  struct Nearest {
    std::size_t alternative;
    double square;
  };
  struct Block {
    std::size_t constraint;
    std::vector<Drive> drives;
    std::size_t chosen = 0;  // the nearest alternative in the pose chosen_at
    int chosen_at = -1;
  };
  Residual scratch(int rows, int elements) { return {{r_.data(), rows}, {J_.data(), rows, 3 * elements}}; }
  double evaluate(std::size_t constraint, std::size_t alternative, const PosedLinkage& links);
  Nearest nearest(std::size_t constraint, const PosedLinkage& links);
  void choose(Block& block, const PosedLinkage& links);

  const Problem& problem_;
  AttachedHandles handles_;
  std::vector<Block> blocks_;  // in the order of the rows
  int pose_ = 0;
  double met_square_;  // ‖r‖² of a goal that is met but for rounding
  VecX r_, J_;         // of the current constraint: r and ∂r/∂x, rows × 3 elements
};

}  // namespace limber
