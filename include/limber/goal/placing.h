// Goals that place a handle: position, direction, orientation, both, coincide, hold.        ZB94 (6) to (12)
// Each element of the handle has a target: r = scale (x - target), which placed() gives.
#pragma once

#include "limber/goal/check.h"
#include "limber/goal/residual.h"

namespace limber {

// The point must be at p.                                                                   ZB94 (6), (7)
struct Position {
  Vec3 p = Vec3::Zero();

  static constexpr const char* name = "position";
  static constexpr Shape shape = Shape::point;
  int rows(Shape) const { return 3; }
  // r(x) = x - p.
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  Placed placed(Shape, int) const;
  void set_targets(const Vec3* x);
  void check(GoalCheck& is) const;
};

// The direction must be v.
struct Direction {
  Vec3 v = Vec3::UnitX();
  double c = default_c;

  static constexpr const char* name = "direction";
  static constexpr Shape shape = Shape::direction;
  int rows(Shape) const { return 3; }
  // r(x) = c (x - v).
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  Placed placed(Shape, int) const;
  void set_targets(const Vec3* x);
  void check(GoalCheck& is);
};

// The directions must be x and y; a c of 0 suppresses one.                                  ZB94 (9), (10), (11)
// DEVIATION: (10) and (11) are printed with the wrong sign; here the gradient follows from r.
struct Orientation {
  Vec3 x = Vec3::UnitX();
  Vec3 y = Vec3::UnitY();
  double c_x = default_c;
  double c_y = default_c;

  static constexpr const char* name = "orientation";
  static constexpr Shape shape = Shape::directions;
  int rows(Shape) const { return 6; }
  // r(x_e, y_e) = (c_x (x_e - x), c_y (y_e - y)).
  void evaluate(const HandleValue& e, Residual& out) const;
  // The larger of the angles that count.
  GoalError error(const HandleValue& e) const;
  Placed placed(Shape, int k) const;
  void set_targets(const Vec3* e);
  void check(GoalCheck& is);
};

// Position and orientation as one goal, with w_p + w_o = 1.                                 ZB94 (12)
struct Placement {
  Vec3 p = Vec3::Zero();
  Orientation orientation = {};
  double w_p = 0.5;
  double w_o = 0.5;

  static constexpr const char* name = "placement";
  static constexpr Shape shape = Shape::frame;
  int rows(Shape) const { return 9; }
  // r = (√w_p (r_e - p), √w_o c_x (x_e - x), √w_o c_y (y_e - y)).
  void evaluate(const HandleValue& e, Residual& out) const;
  GoalError error(const HandleValue& e) const;
  Placed placed(Shape, int k) const;
  void set_targets(const Vec3* e);
  void check(GoalCheck& is);
};

// A difference of two handles must vanish: hands clasped, a box between them. Takes a handle of any shape.
struct Coincide {
  double c = default_c;

  static constexpr const char* name = "coincide";
  int rows(Shape of) const { return 3 * element_count(of); }
  // r = x for a point, c x for a direction.
  void evaluate(const HandleValue& x, Residual& out) const;
  GoalError error(const HandleValue& x) const;
  Placed placed(Shape of, int k) const;
  void check(GoalCheck& is) const;
};

// The handle must stay where it is in the start pose. The problem subtracts its value there; after that it is the same
// as Coincide.
struct Hold : Coincide {
  static constexpr const char* name = "hold";
  static constexpr bool holds = true;
};

inline Hold hold() { return {}; }

// The orientation of a rotation's x and y axes, by (8) with d degrees per metre.
inline Orientation orientation(const Mat3& R, double degrees_per_metre = 100.0) {
  return {R.col(0), R.col(1), per_metre(degrees_per_metre), per_metre(degrees_per_metre)};
}

}  // namespace limber
