// A problem that is nothing but goals that place, in a box, as the tables of lanes/marquardt.h.
#pragma once

#include <vector>

#include "limber/goal/goal.h"
#include "limber/lanes/marquardt.h"

namespace limber {

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

// The same with numbers of another kind.
template <class To, class From>
PinTables<To> converted(const PinTables<From>& from);

}  // namespace limber
