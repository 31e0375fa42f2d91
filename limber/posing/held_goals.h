// Goals that are met exactly, though their constraints are soft: the method of multipliers.
//
// A stiff constraint beside a weak preference makes a narrow, curved valley, along which a solver takes many short
// steps. Here all constraints have a moderate weight w, and what a handle misses is added to what it is asked for:
//
//   t ← t + (g - x)
//
// where g is the goal, t the goal that the solver sees, and x where the handle came to. After a few solves x = g, and
// w (t - g) is the force that holds it there.
//
// Of a limit on one side, a half-space or a face of a polyhedron, the border recedes by what it was crossed, and comes
// back where the handle stays away from it:  s ← max(0, s + outside(x)).
//
// A goal that yields is pulled with a force of at most F, so that a body does not twist itself for what is out of
// reach: there ‖g - x‖ counts in proportion, with the slope 2 F, instead of squared.
#pragma once

#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/problem/problem.h"

namespace limber {

// What a radian counts as much as: for a person as usual (goal/residual.h), for others in proportion to their length.
inline double metres_per_radian(const Figure& figure) {
  constexpr double person = 1.57;
  return default_c * figure.length() / person;
}
// An orientation that counts so.
inline Orientation firm_orientation(const Figure& figure, const Mat3& R) {
  const double c = metres_per_radian(figure);
  return {R.col(0), R.col(1), c, c};
}

class HeldGoals {
 public:
  void clear() { held_.clear(); }
  // False for a goal of another kind than positions, lines, orientations, placements, half-spaces and inside polyhedra.
  bool add(const Constraint& constraint, bool yields = false);
  bool contains(ConstraintId id) const;
  // It yields from now on. False if it is not held.
  bool make_yield(ConstraintId id);
  // Another goal of the same kind, for the constraint too; its shift stays.
  void set(Problem& problem, ConstraintId id, const Goal& goal);

  // No shifts, and all weights w.
  void restart(Problem& problem);
  struct Change {
    double error = 0.0;      // the largest of those that do not yield now, in metres; a radian counts as default_c
    bool reweighed = false;  // whether a weight has changed
  };
  // After a solve: shifts goals and adapts weights by what is missed in its pose.
  Change shift(Problem& problem, const Figure& figure, const Kinematics& state, double max_force);
  // Before a solve: goals that yield are pulled from this state with the limited force, if they are farther than that.
  void limit_force(Problem& problem, const Figure& figure, const Kinematics& state, double max_force);
  // Whether some goal is out of reach of the force.
  bool yields() const;
  // The goals themselves, for a report.
  void state(Problem& problem);

 private:
  struct Held {
    ConstraintId id;
    Handle handle;
    Goal goal;
    bool yields = false;
    double weight = 0.0;
    Vec3 shift = Vec3::Zero();
    Mat3 turn = Mat3::Identity();
    std::vector<double> borders = {};  // by face
    Goal seen;                         // by the solver, before it is set
  };
  struct Miss {
    Vec3 at;  // the point of the handle
    Vec3 p = Vec3::Zero();
    Mat3 R = Mat3::Identity();
  };
  static Miss miss_of(const Held& held, const Figure& figure, const Kinematics& state);
  static void set_shifted(Problem& problem, Held& held);
  static double move_borders(Held& held, const Vec3& p);
  static bool yield(Held& held, const Vec3& miss, double max_force);

  std::vector<Held> held_;
};

}  // namespace limber
