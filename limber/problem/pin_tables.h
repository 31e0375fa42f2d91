// A problem that consists only of pins (problem/pins.h), as tables for the fast loops of lanes/marquardt.h. A task is
// one pin, or two pins that are axes of one frame.
//
// Variables of joint groups and those in limits on several variables are coupled (PinCoupling). They lead the path of
// every task, in the same order. Variables and limits that move no task, not even through others, are left out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/kinematics/linkage.h"
#include "limber/lanes/marquardt.h"
#include "limber/problem/variables.h"

namespace limber {

struct Pin;

// The joint angles q = T(θ) of the links, and limits on several variables.
struct PinCoupling {
  // q of a link is a constant and the curves of the terms from term_begin to term_end.
  struct Turn {
    int link;
    int term_begin, term_end;
    int fixed_begin, fixed_end;  // of parameters that do not vary
    double constant = 0.0;
  };
  struct Term {
    int variable;
    double scale;  // θ = scale x
    const Curve* curve;
  };
  struct Fixed {
    int parameter;
    const Curve* curve;
  };
  std::vector<Turn> turns;
  std::vector<Term> terms;  // their numbers are those of the slopes
  std::vector<Fixed> fixed;

  std::vector<DriveOfPath> drives;
  std::vector<int> drive_begin;  // by path element, and one more

  std::vector<int> leading;  // the variables that lead every path
  std::vector<int> row;      // of the program's limits
  std::vector<double> normal, bound;
  std::vector<char> is_equality;

  // Takes the angles of parameters that do not vary, and the bounds, which depend on these.
  void start(const VecX& theta, const Limits& limits);
  static void angles(const void* coupling, const double* x, double* q, double* slopes);
  // A bound on |q| of a link, 0 where no variable drives it.
  double farthest(int link, const VariableOf<double>* variables) const;
};

template <class T>
struct PinTables {
  int bases = 0;
  std::vector<LinkOf<T>> links;
  std::vector<VariableOf<T>> variables;
  std::vector<TaskOf<T>> tasks;
  std::vector<int> first_pin;  // by task
  std::vector<int> path;
  std::vector<int> common;
  std::optional<PinCoupling> coupling;  // where variables are coupled; only for one problem at a time

  // Valid while the tables are where they are.
  PinPlan<T> plan() const;
};

// Whether two axes are unit vectors at right angles.
bool is_frame(const Vec3& x, const Vec3& y);

// Tables of pins on links. Null if there are many more rows than variables.
std::unique_ptr<PinTables<double>> pin_tables(const Figure& figure, const Variables& variables, const Linkage& linkage,
                                              const std::vector<Pin>& pins);

// The same with another number type.
template <class To, class From>
PinTables<To> converted(const PinTables<From>& from);

}  // namespace limber
