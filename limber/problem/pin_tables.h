// A problem that consists only of pins (problem/pins.h) within box limits, as tables for the fast loops of
// lanes/marquardt.h. A task is one pin, or two pins that are axes of one frame.
#pragma once

#include <memory>
#include <vector>

#include "limber/kinematics/linkage.h"
#include "limber/lanes/marquardt.h"
#include "limber/problem/variables.h"

namespace limber {

struct Pin;

template <class T>
struct PinTables {
  int bases = 0;
  std::vector<LinkOf<T>> links;
  std::vector<VariableOf<T>> variables;
  std::vector<TaskOf<T>> tasks;
  std::vector<int> first_pin;  // by task
  std::vector<int> path;
  std::vector<int> common;

  PinPlan<T> plan() const {
    return {static_cast<int>(links.size()),
            bases,
            static_cast<int>(variables.size()),
            static_cast<int>(tasks.size()),
            static_cast<int>(path.size()),
            links.data(),
            variables.data(),
            tasks.data(),
            path.data(),
            common.data()};
  }
};

// Whether two axes are unit vectors at right angles.
bool is_frame(const Vec3& x, const Vec3& y);

// Tables of pins on links, if every variable is one degree of freedom. Null if there are more rows than
// variables.
std::unique_ptr<PinTables<double>> pin_tables(const Figure& figure, const Variables& variables, const Linkage& linkage,
                                              const std::vector<Pin>& pins);

// The same with another number type.
template <class To, class From>
PinTables<To> converted(const PinTables<From>& from);

}  // namespace limber
