#include "limber/goal/goal.h"

#include <cassert>
#include <type_traits>

#include "limber/base/number.h"

namespace limber {

namespace {

// Tolerance of w_p + w_o = 1.
constexpr double weight_sum_tolerance = 1e-9;
// Tolerance of orthogonal axes; axes written with a few digits pass.
constexpr double right_angle_tolerance = 1e-4;

}  // namespace

const char* name_of(const Goal& goal) {
  return std::visit([](const auto& g) { return std::decay_t<decltype(g)>::name; }, goal);
}

std::optional<Shape> shape_of(const Goal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<Shape> {
        if constexpr (requires { g.shape; }) return g.shape;
        return std::nullopt;
      },
      goal);
}

int row_count(const Goal& goal, Shape shape) {
  return std::visit([&](const auto& g) { return g.rows(shape); }, goal);
}

void evaluate(const Goal& goal, const HandleValue& x, Residual& out) {
  out.J.setZero();
  std::visit([&](const auto& g) { g.evaluate(x, out); }, goal);
}

GoalError error_of(const Goal& goal, const HandleValue& x) {
  return std::visit([&](const auto& g) { return g.error(x); }, goal);
}

std::optional<Vec3> target_of(const Goal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<Vec3> {
        if constexpr (requires { g.p; }) return g.p;
        return std::nullopt;
      },
      goal);
}

Goal with_target(Goal goal, const Vec3& p) {
  std::visit(
      [&](auto& g) {
        if constexpr (requires { g.p; }) g.p = p;
      },
      goal);
  return goal;
}

bool places(const Goal& goal) {
  return std::visit([](const auto& g) { return requires { g.placed(Shape::point, 0); }; }, goal);
}

Placed placed_element(const Goal& goal, Shape shape, int k) {
  return std::visit(
      [&](const auto& g) -> Placed {
        if constexpr (requires { g.placed(shape, k); }) return g.placed(shape, k);
        assert(false);
        return {};
      },
      goal);
}

bool has_targets(const Goal& goal) {
  return std::visit([]<class G>(const G&) { return requires(G& g, const Vec3* x) { g.set_targets(x); }; }, goal);
}

void set_targets(Goal& goal, const Vec3* x) {
  std::visit(
      [&](auto& g) {
        if constexpr (requires { g.set_targets(x); }) g.set_targets(x);
      },
      goal);
}

std::optional<Vec3> placed_point(const Goal& goal) {
  if (!has_targets(goal) || !starts_with_point(*shape_of(goal))) return std::nullopt;
  const Placed point = placed_element(goal, *shape_of(goal), 0);
  return point.scale > 0.0 ? std::optional(point.target) : std::nullopt;
}

std::optional<Vec3> aim_of(const Goal& goal) {
  return std::visit(
      [](const auto& g) -> std::optional<Vec3> {
        if constexpr (requires { g.aims; }) return g.p;
        return std::nullopt;
      },
      goal);
}

bool holds(const Goal& goal) {
  return std::visit([](const auto& g) { return requires { g.holds; }; }, goal);
}

void Orientation::check(GoalCheck& is) {
  is.unit(x, "x direction");
  is.unit(y, "y direction");
  is.at_least_zero(c_x, "c_x");
  is.at_least_zero(c_y, "c_y");
  if (is.fault()) return;
  if (std::fabs(x.dot(y)) > right_angle_tolerance)
    return is.fail("directions at " + to_text(degrees(std::acos(x.dot(y))), 3) + " degrees",
                   "directions at right angles");
  const Mat3 R = rotation_from_xy(x, y);
  x = R.col(0);
  y = R.col(1);
}

void Placement::check(GoalCheck& is) {
  is.finite(p, "point");
  orientation.check(is);
  is.at_least_zero(w_p, "w_p");
  is.at_least_zero(w_o, "w_o");
  if (std::fabs(w_p + w_o - 1.0) > weight_sum_tolerance) is.fail("w_p + w_o = " + to_text(w_p + w_o), "w_p + w_o = 1");
}

void CustomGoal::check(GoalCheck& is) const {
  if (!residual || !error_function) is.fail("a missing function", "residual and error_function");
  if (row_count < 1) is.fail(std::to_string(row_count) + " rows", "at least one");
}

void check(std::vector<Face>& faces, GoalCheck& is) {
  if (faces.empty()) is.fail("no face", "at least one");
  for (Face& face : faces) {
    is.finite(face.p, "face point");
    is.unit(face.v, "face normal");
  }
}

void check(const Capsule& capsule, GoalCheck& is) {
  is.finite(capsule.a, "end a");
  is.finite(capsule.b, "end b");
  is.at_least_zero(capsule.radius, "radius");
}

Expected<Goal> checked(Goal goal) {
  GoalCheck is(name_of(goal));
  std::visit([&](auto& g) { g.check(is); }, goal);
  if (is.fault()) return std::unexpected(*is.fault());
  return goal;
}

}  // namespace limber
