#include "limber/goal/placing.h"

namespace limber {

void Position::evaluate(const HandleValue& x, Residual& out) const {
  out.r = x[0] - p;
  out.block(0, 0).setIdentity();
}

GoalError Position::error(const HandleValue& x) const { return {(x[0] - p).norm(), {}}; }

Placed Position::placed(Shape, int) const { return {1.0, p}; }

void Position::set_targets(const Vec3* x) { p = x[0]; }

void Position::check(GoalCheck& is) const { is.finite(p, "point"); }

void Direction::evaluate(const HandleValue& x, Residual& out) const {
  out.r = c * (x[0] - v);
  out.block(0, 0).diagonal().setConstant(c);
}

GoalError Direction::error(const HandleValue& x) const { return {{}, angle_of_chord((x[0] - v).norm())}; }

Placed Direction::placed(Shape, int) const { return {c, v}; }

void Direction::set_targets(const Vec3* x) { v = x[0]; }

void Direction::check(GoalCheck& is) {
  is.unit(v, "direction");
  is.at_least_zero(c, "c");
}

void Orientation::evaluate(const HandleValue& e, Residual& out) const {
  out.r.segment<3>(0) = c_x * (e[0] - x);
  out.r.segment<3>(3) = c_y * (e[1] - y);
  out.block(0, 0).diagonal().setConstant(c_x);
  out.block(3, 1).diagonal().setConstant(c_y);
}

GoalError Orientation::error(const HandleValue& e) const {
  return {{},
          std::fmax(c_x > 0.0 ? angle_of_chord((e[0] - x).norm()) : 0.0,
                    c_y > 0.0 ? angle_of_chord((e[1] - y).norm()) : 0.0)};
}

Placed Orientation::placed(Shape, int k) const { return k == 0 ? Placed{c_x, x} : Placed{c_y, y}; }

void Orientation::set_targets(const Vec3* e) {
  x = e[0];
  y = e[1];
}

void Placement::evaluate(const HandleValue& e, Residual& out) const {
  const double root_p = std::sqrt(w_p), root_o = std::sqrt(w_o);
  out.r.segment<3>(0) = root_p * (e[0] - p);
  out.r.segment<3>(3) = root_o * orientation.c_x * (e[1] - orientation.x);
  out.r.segment<3>(6) = root_o * orientation.c_y * (e[2] - orientation.y);
  out.block(0, 0).diagonal().setConstant(root_p);
  out.block(3, 1).diagonal().setConstant(root_o * orientation.c_x);
  out.block(6, 2).diagonal().setConstant(root_o * orientation.c_y);
}

GoalError Placement::error(const HandleValue& e) const {
  GoalError d;
  if (w_p > 0.0) d.metres = (e[0] - p).norm();
  if (w_o > 0.0) d.radians = orientation.error({Shape::directions, e.x + 1}).radians;
  return d;
}

Placed Placement::placed(Shape, int k) const {
  if (k == 0) return {std::sqrt(w_p), p};
  const Placed axis = orientation.placed(Shape::directions, k - 1);
  return {std::sqrt(w_o) * axis.scale, axis.target};
}

void Placement::set_targets(const Vec3* e) {
  p = e[0];
  orientation.set_targets(e + 1);
}

void Coincide::evaluate(const HandleValue& x, Residual& out) const {
  for (int k = 0; k < element_count(x.shape); ++k) {
    const double scale = is_point(x.shape, k) ? 1.0 : c;
    out.r.segment<3>(3 * k) = scale * x[k];
    out.block(3 * k, k).diagonal().setConstant(scale);
  }
}

GoalError Coincide::error(const HandleValue& x) const {
  GoalError d;
  for (int k = 0; k < element_count(x.shape); ++k)
    if (is_point(x.shape, k))
      d.metres = std::fmax(d.metres.value_or(0.0), x[k].norm());
    else
      d.radians = std::fmax(d.radians.value_or(0.0), angle_of_chord(x[k].norm()));
  return d;
}

Placed Coincide::placed(Shape of, int k) const { return {is_point(of, k) ? 1.0 : c, Vec3::Zero()}; }

void Coincide::check(GoalCheck& is) const { is.at_least_zero(c, "c"); }

}  // namespace limber
