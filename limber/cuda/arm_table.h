// Whether a plan is an arm as lanes/arm.h takes it, and its table.
#pragma once

#include "limber/lanes/arm.h"

namespace limber {

inline constexpr int min_arm = 6, max_arm = 8;  // joints

inline bool is_arm(const PinPlan<double>& plan) {
  const int n = plan.variables;
  if (n < min_arm || n > max_arm || plan.links != n || plan.bases != 1 || plan.tasks != 2) return false;
  for (int k = 0; k < n; ++k) {
    const LinkOf<double>& link = plan.link[k];
    const VariableOf<double>& variable = plan.variable[k];
    if (link.parent != k - 1 || !link.turns || link.is_spun || variable.link != k || variable.scale != 1.0)
      return false;
  }
  for (int a = 0; a < 2; ++a)
    if (plan.task[a].link != n - 1 || plan.task[a].path_end - plan.task[a].path_begin != n) return false;
  return plan.task[0].kind == TaskKind::point && plan.task[1].kind == TaskKind::turn;
}

// The last joint's position counts more than the tip's would: of the usual arms' goals, this takes the fewest steps.
inline constexpr double point_weight = 2.5;

// `part`: a lane stops at this fraction of the tolerance, half of it for the joint's position and half for what its
// rotation adds at the tip. `floor`: the distance that single precision can tell, relative to the arm's length.
template <class T, int N>
ArmTable<T, N> arm_table(const PinPlan<double>& plan, const double* enough, double part, double floor) {
  ArmTable<T, N> arm{};
  const TaskOf<double>&point = plan.task[0], &turn = plan.task[1];
  // Two axes of a turn, of weight σ² each, have a mean Gauss-Newton matrix of 4/3 σ²; ½ Σ over three axes has 1.
  const double length = point_weight * point.scale / (turn.scale * __builtin_sqrt(4.0 / 3.0));
  arm.length = static_cast<T>(length);
  double reach = 0.0, lever = 0.0;
  for (int k = 0; k < N; ++k) {
    const LinkOf<double>& link = plan.link[k];
    auto& joint = arm.joint[k];
    double square = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      joint.shift[axis] = static_cast<T>(length * link.shift[axis]);
      square += link.shift[axis] * link.shift[axis];
    }
    reach += __builtin_sqrt(square);
    joint.cos_tilt = static_cast<T>(link.tilt == Tilt::none ? 1.0 : link.cos_tilt);
    joint.sin_tilt = static_cast<T>(link.tilt == Tilt::none ? 0.0 : link.sin_tilt);
    joint.offset = static_cast<T>(link.offset);
    joint.lower = static_cast<T>(plan.variable[k].lower);
    joint.upper = static_cast<T>(plan.variable[k].upper);
  }
  const double *x = turn.local, *y = turn.local + 3;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    arm.tip[axis] = static_cast<T>(point.local[axis]);
    arm.tip_x[axis] = static_cast<T>(x[axis]);
    arm.tip_y[axis] = static_cast<T>(y[axis]);
    arm.tip_z[axis] = static_cast<T>(x[next] * y[last] - x[last] * y[next]);
    lever += point.local[axis] * point.local[axis];
  }
  lever = __builtin_sqrt(lever);
  const auto larger_of = [](double a, double b) { return a > b ? a : b; };
  const double far = 0.5 * part * __builtin_sqrt(enough[0]);
  double chord = part * __builtin_sqrt(enough[1]);
  if (lever * chord > far) chord = far / lever;
  const double metres = length * larger_of(far, floor * (reach + lever)), radians = larger_of(chord, floor);
  arm.point_enough = static_cast<T>(metres * metres);
  arm.chord_enough = static_cast<T>(radians * radians);
  return arm;
}

}  // namespace limber
