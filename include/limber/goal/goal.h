// A goal is what is asked of a handle: a residual r(x) that is zero exactly where the goal is met, and ∂r/∂x.
// It knows no figure. Every potential of ZB94 section 5 is P = ‖r‖², so ∇P = 2 (∂r/∂x)ᵀ r.
//
// A goal is one of a closed set of small values; a goal of your own is a CustomGoal. Beside its residual every goal
// has its name, its error in metres and radians, and the check of its numbers. Where these apply to it, it also has
//   shape          the shape of handle that it needs; without it, any
//   p              its point, a place in the world
//   placed(…)      r = scale (x - target) for every element of the handle
//   set_targets(x) moves those targets to x; only where they are places in the world
//   aims           it turns its handle towards p
//   holds          its residual is relative to the start pose
// The functions below read that, so a new goal needs no line in them.
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
  GoalError error(const HandleValue& x) const { return error_function(x); }
  void check(GoalCheck& is) const;
};

using Goal =
    std::variant<Position, Direction, Orientation, Placement, AimAt, Line, Plane, HalfSpace, Distance, InsidePolyhedron,
                 OutsidePolyhedron, InsideCapsule, OutsideCapsule, Coincide, Hold, CustomGoal>;

const char* name_of(const Goal& goal);

// The shape of handle that the goal asks for; nothing where any will do.
std::optional<Shape> shape_of(const Goal& goal);

// How many residuals the goal has for a handle of that shape.
int row_count(const Goal& goal, Shape shape);

// Writes r and J, which must have row_count rows and 3 element_count columns; J need not be zero.
void evaluate(const Goal& goal, const HandleValue& x, Residual& out);

GoalError error_of(const Goal& goal, const HandleValue& x);

// The point of the goal, and the goal with another one; nothing, and the same goal, where it has no point.
std::optional<Vec3> target_of(const Goal& goal);
Goal with_target(Goal goal, const Vec3& p);

// Whether r = scale (x - target), element by element; then placed_element() gives both for element k of a handle.
bool places(const Goal& goal);
Placed placed_element(const Goal& goal, Shape shape, int k);
// Whether it places, and its targets are places in the world; then set_targets() moves them to the elements x.
bool has_targets(const Goal& goal);
void set_targets(Goal& goal, const Vec3* x);
// Where the goal places the point of its handle in the world; nothing where it leaves that open.
std::optional<Vec3> placed_point(const Goal& goal);

// The point that the goal turns its handle to.
std::optional<Vec3> aim_of(const Goal& goal);
bool holds(const Goal& goal);

// The goal with its unit vectors made exact; rejected where a number is not finite, a vector is zero, axes are
// parallel, a radius or a c is negative, a polyhedron has no face, or w_p + w_o is not 1.
Expected<Goal> checked(Goal goal);

}  // namespace limber
