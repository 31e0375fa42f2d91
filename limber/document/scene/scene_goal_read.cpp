#include <utility>

#include "limber/base/number.h"
#include "limber/document/scene/scene_goal.h"

namespace limber {

namespace {

double read_degrees_per_metre(const JsonValue& object) {
  const JsonValue value = object["degrees_per_metre"];
  if (!value) return default_degrees_per_metre;
  const double degrees_per_metre = value.number();
  // Its inverse must be finite too.
  if (degrees_per_metre > 0.0 && std::isfinite(per_metre(degrees_per_metre))) return degrees_per_metre;
  value.fail(value.described(), "a number above 0");
  return default_degrees_per_metre;
}

// true, or {"degrees_per_metre": …}.
template <class T>
T read_flag(const JsonValue& value) {
  if (value.is(JsonKind::boolean) && value.boolean()) return {};
  if (!value.is(JsonKind::object)) {
    value.fail(value.described(), "true, or an object with \"degrees_per_metre\"");
    return {};
  }
  if (!value.object({"degrees_per_metre"})) return {};
  return {read_degrees_per_metre(value)};
}

// The bare vector, or an object with the vector under `key` and "degrees_per_metre".
template <class T, class Read>
T read_aim(const JsonValue& value, std::string_view key, Read read) {
  if (!value.is(JsonKind::object)) return {read(value)};
  if (!value.object({key, "degrees_per_metre"})) return {};
  return {read(value[key]), read_degrees_per_metre(value)};
}

// The members of an orientation, in an object that the caller has checked.
SceneOrientation read_axes(const JsonValue& value) {
  SceneOrientation goal;
  if (value["x"]) goal.x = value["x"].direction();
  if (value["y"]) goal.y = value["y"].direction();
  if (!goal.x && !goal.y) value.fail("neither \"x\" nor \"y\"", "one of them, or both");
  goal.degrees_per_metre = read_degrees_per_metre(value);
  return goal;
}

ScenePlacement read_placement(const JsonValue& value) {
  ScenePlacement goal;
  if (!value.object({"p", "x", "y", "degrees_per_metre", "w_p"})) return goal;
  goal.p = value["p"].vector();
  goal.orientation = read_axes(value);
  goal.w_p = value["w_p"].number_or(goal.w_p);
  if (!(goal.w_p >= 0.0 && goal.w_p <= 1.0)) value["w_p"].fail(value["w_p"].described(), "a number from 0 to 1");
  return goal;
}

template <class T>
T read_point_and_vector(const JsonValue& value) {
  if (!value.object({"p", "v"})) return {};
  return {value["p"].vector(), value["v"].direction()};
}

double read_radius(const JsonValue& value) {
  const double radius = value.number();
  if (!(radius >= 0.0)) value.fail(value.described(), "0 or more");
  return radius;
}

SceneBox read_box(const JsonValue& value) {
  SceneBox box;
  if (!value.object({"p", "size", "matrix", "quaternion", "turns"})) return box;
  box.frame = read_frame(value);
  // As in a figure: written with six digits it passes.
  constexpr double rotation_tolerance = 1e-5;
  if (value["matrix"] && rotation_defect(box.frame.R) > rotation_tolerance)
    value["matrix"].fail("a matrix that deviates from a rotation by " + to_text(rotation_defect(box.frame.R)),
                         "a rotation");
  box.size = value["size"].vector();
  if (!(box.size.minCoeff() >= 0.0)) value["size"].fail("a negative size", "three lengths, 0 or more");
  return box;
}

SceneRegion read_region(const JsonValue& value, SceneRegion::Side side) {
  SceneRegion goal{.side = side};
  const JsonValue region = value.sole({"sphere", "capsule", "box", "polyhedron"});
  if (region.key() == "sphere") {
    if (region.object({"centre", "radius"}))
      goal.region = SceneSphere{region["centre"].vector(), read_radius(region["radius"])};
  } else if (region.key() == "capsule") {
    if (region.object({"a", "b", "radius"}))
      goal.region = Capsule{region["a"].vector(), region["b"].vector(), read_radius(region["radius"])};
  } else if (region.key() == "box") {
    goal.region = read_box(region);
  } else if (region.key() == "polyhedron" && region.object({"faces"}) && region["faces"].array()) {
    ScenePolyhedron polyhedron;
    for (const JsonValue face : region["faces"]) polyhedron.faces.push_back(read_point_and_vector<Face>(face));
    goal.region = std::move(polyhedron);
  }
  return goal;
}

SceneGoal read_unchecked(const JsonValue& goal) {
  const auto point = [](const JsonValue& value) { return value.vector(); };
  const auto direction = [](const JsonValue& value) { return value.direction(); };
  const std::string_view key = goal.key();
  if (key == "position") return Position{goal.vector()};
  if (key == "direction") return read_aim<SceneDirection>(goal, "v", direction);
  if (key == "orientation") return goal.object({"x", "y", "degrees_per_metre"}) ? read_axes(goal) : SceneOrientation{};
  if (key == "placement") return read_placement(goal);
  if (key == "aim_at") return read_aim<SceneAimAt>(goal, "p", point);
  if (key == "line") return read_point_and_vector<Line>(goal);
  if (key == "plane") return read_point_and_vector<Plane>(goal);
  if (key == "half_space") return read_point_and_vector<HalfSpace>(goal);
  if (key == "inside") return read_region(goal, SceneRegion::Side::inside);
  if (key == "outside") return read_region(goal, SceneRegion::Side::outside);
  if (key == "coincide") return read_flag<SceneCoincide>(goal);
  if (key == "hold") return read_flag<SceneHold>(goal);
  return Position{};
}

}  // namespace

SceneGoal read_scene_goal(const JsonValue& value) {
  const JsonValue member = value.sole({"position", "direction", "orientation", "placement", "aim_at", "line", "plane",
                                       "half_space", "inside", "outside", "coincide", "hold"});
  SceneGoal goal = read_unchecked(member);
  if (value.document().error()) return goal;
  if (const Expected<Goal> fine = checked(goal_of(goal)); !fine) member.fail(fine.error().found, fine.error().expected);
  return goal;
}

}  // namespace limber
