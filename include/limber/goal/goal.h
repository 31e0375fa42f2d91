// A goal states what a handle should do: a residual r(x) that is zero exactly where the goal is met, and ∂r/∂x.
// It does not depend on a figure. Every potential of ZB94 section 5 is P = ‖r‖², so ∇P = 2 (∂r/∂x)ᵀ r.
//
// A goal is one of a closed set of small values; CustomGoal is a goal of your own. Every goal has a residual, a name,
// an error in metres and radians, and a check of its numbers. A goal may also have these members:
//   shape          the shape of handle that it needs; without it, any shape
//   p              its point in the world
//   placed(…)      r = scale (x - target) for every element of the handle
//   set_targets(x) moves these targets to x, if they are positions in the world
//   aims           it turns its handle towards p
//   holds          its residual is relative to the start pose
// The functions below use these members, so a new goal needs no code in them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "limber/base/diagnostic.h"
#include "limber/goal/placing.h"
#include "limber/goal/region.h"

namespace limber {

// A user-defined goal: two functions. If a solve must not allocate, they must not allocate either.
struct CustomGoal {
  std::string title = "custom";
  Shape shape = Shape::point;
  int row_count = 1;
  std::function<void(const HandleValue&, Residual&)> residual;
  std::function<GoalError(const HandleValue&)> error_function;

  static constexpr const char* name = "custom";
  int rows(Shape) const { return row_count; }
  void evaluate(const HandleValue& x, Residual& out) const { residual(x, out); }
  GoalError error(const HandleValue& x) const { return error_function(x); }
  void check(GoalCheck& is) const;
};

using Goal =
    std::variant<Position, Direction, Orientation, Placement, AimAt, Line, Plane, HalfSpace, Distance, InsidePolyhedron,
                 OutsidePolyhedron, InsideCapsule, OutsideCapsule, Coincide, Hold, CustomGoal>;

const char* name_of(const Goal& goal);

// The shape of handle that the goal needs; none if it accepts any.
std::optional<Shape> shape_of(const Goal& goal);

// How many residuals the goal has for a handle of that shape.
int row_count(const Goal& goal, Shape shape);

// Writes r and J, which must have row_count rows and 3 element_count columns; J need not be zero.
void evaluate(const Goal& goal, const HandleValue& x, Residual& out);

GoalError error_of(const Goal& goal, const HandleValue& x);

// The point of the goal, if it has one; and the goal with another point (unchanged if it has none).
std::optional<Vec3> target_of(const Goal& goal);
Goal with_target(Goal goal, const Vec3& p);

// Whether r = scale (x - target), element by element; then placed_element() gives both for element k of a handle.
bool places(const Goal& goal);
Placed placed_element(const Goal& goal, Shape shape, int k);
// Whether it places its handle at positions in the world; then set_targets() moves these to the elements x.
bool has_targets(const Goal& goal);
void set_targets(Goal& goal, const Vec3* x);
// The position in the world at which the goal places the point of its handle, if any.
std::optional<Vec3> placed_point(const Goal& goal);

// The point at which the goal aims its handle, if any.
std::optional<Vec3> aim_of(const Goal& goal);
bool holds(const Goal& goal);

// The goal with its unit vectors normalized. Rejected: a number that is not finite, a zero vector, parallel axes, a
// negative radius or c, a polyhedron without faces, w_p + w_o other than 1.
Expected<Goal> checked(Goal goal);

}  // namespace limber
