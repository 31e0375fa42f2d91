// Pins: goals that place an element of a handle at a target, r = c (x - t). Most goals do. They are stored as one list
// of pins at the start of a solve, and evaluated without branching on the kind of goal. A position is one pin, an
// orientation two, a placement three.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "limber/problem/attached_handles.h"
#include "limber/problem/drives.h"
#include "limber/problem/pin_tables.h"
#include "limber/problem/row_layout.h"

namespace limber {

struct Pin {
  std::size_t constraint = 0;
  int row = 0;      // the first of its three rows
  int element = 0;  // of the handle
  AttachedElement plus, minus;
  bool is_difference = false;
  double scale = 0.0;         // c, of the goal
  double row_scale = 0.0;     // c times the row scale of the constraint
  double square_scale = 0.0;  // factor of ‖x - t‖² in f; 0 for a hard constraint
  Packed target = {};         // t
};

class Pins {
 public:
  // The problem must outlive this.
  Pins(const Problem& problem, const RowLayout& rows, const AttachedHandles& handles, const Variables& variables,
       const PosedLinkage& links);

  // Whether a constraint's rows are pins: a single goal that places, without a weighting matrix.
  static bool are_rows_of(const Constraint& constraint);

  // Reads the goals, the targets of Hold, and the weights.
  void start(const RowLayout& rows, const AttachedHandles& handles);
  // Reads the weights and the soft scale.
  void weigh(const RowLayout& rows);

  // Adds to f, and applies ∂f/∂x to the handles as forces.
  void add_value(PosedLinkage& links, double& value) const;
  void residual(const PosedLinkage& links, VecX& r) const;
  // Adds to J, which is 0 there.
  void jacobian(const Variables& variables, const PosedLinkage& links, const VecX& theta, MatX& J) const;
  // Adds Σ w_k ∇²r_k to H over the rows of pins, but for those of centres of mass. For links i and j, i the nearer to
  // the root, an element x has
  //
  //   ∂²x/∂q_i∂q_j = u_i × ∂x/∂q_j     where i turns about u_i; 0 where it slides
  //
  // The curvature of the way from parameters to joint angles is left out; for most figures there is none.
  void add_curvature(const Variables& variables, const PosedLinkage& links, const VecX& theta, const VecX& weights,
                     MatX& H);
  bool empty() const { return pins_.empty(); }

  // The problem as tables, if it consists only of pins (which may depend on the goals' current values); else null.
  // Valid from one start() to the next, for the parameters of theta that do not vary.
  const PinTables<double>* tables(const VecX& theta, const Limits& limits);
  // Two targets per task; the second is 0 for a task of one pin.
  void targets(Packed* targets) const;
  // The targets for other goals, one per constraint of the problem. False if their kinds or relative weights differ
  // from those of start(), or one is Hold.
  bool targets_of(std::span<const Goal> goals, Packed* targets) const;

 private:
  // The pins of one constraint.
  struct Block {
    std::size_t first, count;
    std::vector<Drive> drives;
  };
  bool are_all(const RowLayout& rows, const Variables& variables) const;

  const Problem& problem_;
  std::vector<Pin> pins_;  // in the order of the rows
  std::vector<Block> blocks_;
  // By drive, for add_curvature(): how an element moves; w × u_i; whether the link moves it.
  std::vector<Packed> columns_, bends_;
  std::vector<int> moving_;
  std::unique_ptr<PinTables<double>> tables_;  // null where the problem is more than pins
};

}  // namespace limber
