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
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r = x[0] - p;
    out.block(0, 0).setIdentity();
  }
  GoalError error(const HandleValue& x) const { return {(x[0] - p).norm(), {}}; }
  Placed placed(Shape, int) const { return {1.0, p}; }
  void set_targets(const Vec3* x) { p = x[0]; }
  void check(GoalCheck& is) const { is.finite(p, "point"); }
};

// The direction must be v.
struct Direction {
  Vec3 v = Vec3::UnitX();
  double c = default_c;

  static constexpr const char* name = "direction";
  static constexpr Shape shape = Shape::direction;
  int rows(Shape) const { return 3; }
  // r(x) = c (x - v).
  void evaluate(const HandleValue& x, Residual& out) const {
    out.r = c * (x[0] - v);
    out.block(0, 0).diagonal().setConstant(c);
  }
  GoalError error(const HandleValue& x) const { return {{}, angle_of_chord((x[0] - v).norm())}; }
  Placed placed(Shape, int) const { return {c, v}; }
  void set_targets(const Vec3* x) { v = x[0]; }
  void check(GoalCheck& is) {
    is.unit(v, "direction");
    is.at_least_zero(c, "c");
  }
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
  void evaluate(const HandleValue& e, Residual& out) const {
    out.r.segment<3>(0) = c_x * (e[0] - x);
    out.r.segment<3>(3) = c_y * (e[1] - y);
    out.block(0, 0).diagonal().setConstant(c_x);
    out.block(3, 1).diagonal().setConstant(c_y);
  }
  // The larger of the angles that count.
  GoalError error(const HandleValue& e) const {
    return {{},
            std::fmax(c_x > 0.0 ? angle_of_chord((e[0] - x).norm()) : 0.0,
                      c_y > 0.0 ? angle_of_chord((e[1] - y).norm()) : 0.0)};
  }
  Placed placed(Shape, int k) const { return k == 0 ? Placed{c_x, x} : Placed{c_y, y}; }
  void set_targets(const Vec3* e) {
    x = e[0];
    y = e[1];
  }
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
  void evaluate(const HandleValue& e, Residual& out) const {
    const double root_p = std::sqrt(w_p), root_o = std::sqrt(w_o);
    out.r.segment<3>(0) = root_p * (e[0] - p);
    out.r.segment<3>(3) = root_o * orientation.c_x * (e[1] - orientation.x);
    out.r.segment<3>(6) = root_o * orientation.c_y * (e[2] - orientation.y);
    out.block(0, 0).diagonal().setConstant(root_p);
    out.block(3, 1).diagonal().setConstant(root_o * orientation.c_x);
    out.block(6, 2).diagonal().setConstant(root_o * orientation.c_y);
  }
  GoalError error(const HandleValue& e) const {
    GoalError d;
    if (w_p > 0.0) d.metres = (e[0] - p).norm();
    if (w_o > 0.0) d.radians = orientation.error({Shape::directions, e.x + 1}).radians;
    return d;
  }
  Placed placed(Shape, int k) const {
    if (k == 0) return {std::sqrt(w_p), p};
    const Placed axis = orientation.placed(Shape::directions, k - 1);
    return {std::sqrt(w_o) * axis.scale, axis.target};
  }
  void set_targets(const Vec3* e) {
    p = e[0];
    orientation.set_targets(e + 1);
  }
  void check(GoalCheck& is);
};

// A difference of two handles must vanish: hands clasped, a box between them. Takes a handle of any shape.
struct Coincide {
  double c = default_c;

  static constexpr const char* name = "coincide";
  int rows(Shape of) const { return 3 * element_count(of); }
  // r = x for a point, c x for a direction.
  void evaluate(const HandleValue& x, Residual& out) const {
    for (int k = 0; k < element_count(x.shape); ++k) {
      const double scale = k == 0 && starts_with_point(x.shape) ? 1.0 : c;
      out.r.segment<3>(3 * k) = scale * x[k];
      out.block(3 * k, k).diagonal().setConstant(scale);
    }
  }
  GoalError error(const HandleValue& x) const {
    GoalError d;
    for (int k = 0; k < element_count(x.shape); ++k)
      if (k == 0 && starts_with_point(x.shape))
        d.metres = x[k].norm();
      else
        d.radians = std::fmax(d.radians.value_or(0.0), angle_of_chord(x[k].norm()));
    return d;
  }
  Placed placed(Shape of, int k) const { return {k == 0 && starts_with_point(of) ? 1.0 : c, Vec3::Zero()}; }
  void check(GoalCheck& is) const { is.at_least_zero(c, "c"); }
};

// The handle must stay where it is in the start pose. The problem subtracts its value there, so that the rest is
// Coincide.
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
