// Pins as the fast loops take them: the figure, the paths of the tasks and the limits, without the values of the goals.
#pragma once

#include "limber/lanes/link.h"
#include "limber/lanes/rows.h"

namespace limber {

enum class TaskKind : char { point, direction, turn };

template <class T>
struct TaskOf {
  TaskKind kind = TaskKind::point;
  int link = 0;
  int path_begin = 0;  // of the variables that move it, from the root on
  int path_end = 0;
  T local[6] = {0, 0, 0, 0, 0, 0};  // of the point or the direction; of x and y
  T scale = 1;                      // σ
};

template <class T>
struct VariableOf {
  int link = 0;  // the last one that it drives; PinPlan::links if there is none
  T scale = 1;   // q = scale x
  T lower = 0;
  T upper = 0;
};

// A link that a variable of a path drives, and the number of the slope ∂q/∂x.
struct DriveOfPath {
  int link = 0;
  int slope = 0;
};

// The figure and the goals, without their values. A view: the caller owns the data.
template <class T>
struct PinPlan {
  int links = 0;
  int bases = 0;
  int variables = 0;
  int tasks = 0;
  int path_length = 0;
  const LinkOf<T>* link = nullptr;
  const VariableOf<T>* variable = nullptr;
  const TaskOf<T>* task = nullptr;
  const int* path = nullptr;    // variables
  const int* common = nullptr;  // tasks × tasks
  // Where variables are coupled: q and the slopes for x, and the drives of path element k, from drive_begin[k] on.
  void (*angles)(const void* coupling, const T* x, T* q, T* slopes) = nullptr;
  const void* coupling = nullptr;
  int slopes = 0;
  const DriveOfPath* drive = nullptr;
  const int* drive_begin = nullptr;
  RowPlan<T> limits = {};

  int rows() const { return 3 * tasks; }
};

}  // namespace limber
