// A goal is what is asked of a handle: a residual r(x) that is zero exactly where the goal is met, and ∂r/∂x.
// It knows no figure. Every potential of ZB94 section 5 is P = ‖r‖², so ∇P = 2 (∂r/∂x)ᵀ r.
//
// A goal is one of a closed set of small values; a goal of your own is a CustomGoal.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "limber/base/diagnostic.h"
#include "limber/goal/placing.h"
#include "limber/goal/region.h"

namespace limber {

// A goal of the user's own: two functions. They must not allocate if a solve is not to.
struct CustomGoal {
  std::string title = "custom";
  Shape shape = Shape::point;
  int row_count = 1;
  std::function<void(const HandleValue&, Residual&)> residual;
  std::function<GoalError(const HandleValue&)> error_function;

  static constexpr const char* name = "custom";
  int rows(Shape) const { return row_count; }
  void evaluate(const HandleValue& x, Residual& out) const { residual(x, out); }
  GoalError distance(const HandleValue& x) const { return error_function(x); }
};

using Goal = std::variant<Position, Direction, Orientation, Placement, AimAt, Line, Plane, HalfSpace, InsidePolyhedron,
                          OutsidePolyhedron, InsideCapsule, OutsideCapsule, Coincide, Hold, CustomGoal>;

const char* name_of(const Goal& goal);

// The shape of handle that the goal asks for; nothing where any will do.
std::optional<Shape> shape_of(const Goal& goal);

// How many residuals the goal has for a handle of that shape.
inline int row_count(const Goal& goal, Shape shape) {
  return std::visit([&](const auto& g) { return g.rows(shape); }, goal);
}

// Writes r and J, which must have row_count rows and 3 element_count columns; J need not be zero.
inline void evaluate(const Goal& goal, const HandleValue& x, Residual& out) {
  out.J.setZero();
  std::visit([&](const auto& g) { g.evaluate(x, out); }, goal);
}

inline GoalError distance(const Goal& goal, const HandleValue& x) {
  return std::visit([&](const auto& g) { return g.distance(x); }, goal);
}

// The goal with its unit vectors made exact; rejected where a number is not finite, a vector is zero, axes are
// parallel, a radius or a c is negative, a polyhedron has no face, or w_p + w_o is not 1.
Expected<Goal> checked(Goal goal);

}  // namespace limber
