// The goals of a scene, one row each: its keys in JSON, the members of its value where that is an object, how it is
// read and written, the goal that it becomes, and how it moves. A type of SceneGoal without a row does not compile.
#include "limber/document/scene/scene_goal.h"

#include <array>
#include <string>
#include <utility>

#include "limber/document/scene/scene_region.h"

namespace limber {

namespace {

constexpr std::string_view scale_key = "degrees_per_metre";
constexpr std::string_view y_scale_key = "degrees_per_metre_y";

template <class... Text>
constexpr auto words(Text... text) {
  return std::array<std::string_view, sizeof...(Text)>{text...};
}

// --- Parts of several rows -------------------------------------------------------------------------

double read_scale(const JsonValue& object, std::string_view key = scale_key) {
  const JsonValue value = object[key];
  if (!value) return default_degrees_per_metre;
  const double degrees_per_metre = value.number();
  // Its inverse must be finite too.
  if (degrees_per_metre > 0.0 && std::isfinite(per_metre(degrees_per_metre))) return degrees_per_metre;
  value.fail(value.described(), "a number above 0");
  return default_degrees_per_metre;
}

void write_scale(JsonWriter& out, double degrees_per_metre) {
  out.member_unless(scale_key, degrees_per_metre, default_degrees_per_metre);
}

// The members of an orientation, in an object that the caller has checked.
SceneOrientation read_axes(const JsonValue& value) {
  SceneOrientation goal;
  if (value["x"]) goal.x = value["x"].direction();
  if (value["y"]) goal.y = value["y"].direction();
  if (!goal.x && !goal.y) value.fail("neither \"x\" nor \"y\"", "one of them, or both");
  goal.degrees_per_metre = read_scale(value);
  if (value[y_scale_key]) goal.degrees_per_metre_y = read_scale(value, y_scale_key);
  return goal;
}

void write_axes(JsonWriter& out, const SceneOrientation& g) {
  if (g.x) out.key("x").direction(*g.x);
  if (g.y) out.key("y").direction(*g.y);
  write_scale(out, g.degrees_per_metre);
  if (g.degrees_per_metre_y) out.member(y_scale_key, *g.degrees_per_metre_y);
}

// A unit vector across v, for an axis that does not count but must be there.
Vec3 across(const Vec3& v) {
  Eigen::Index smallest = 0;
  v.cwiseAbs().minCoeff(&smallest);
  return v.cross(Vec3::Unit(smallest)).normalized();
}

Orientation orientation_of(const SceneOrientation& from) {
  const double c = per_metre(from.degrees_per_metre);
  Orientation to;
  to.x = from.x ? *from.x : from.y ? across(*from.y) : to.x;
  to.y = from.y ? *from.y : from.x ? across(*from.x) : to.y;
  to.c_x = from.x ? c : 0.0;
  to.c_y = from.y ? per_metre(from.degrees_per_metre_y.value_or(from.degrees_per_metre)) : 0.0;
  return to;
}

// --- Rows ------------------------------------------------------------------------------------------

// For a value that is no object, or an object that the row passes on.
struct PlainRow {
  static constexpr std::array<std::string_view, 0> members = {};
};

template <class G>
struct Row;

template <>
struct Row<Position> : PlainRow {
  static constexpr auto keys = words("position");
  static Position read(const JsonValue& value) { return {value.vector()}; }
  static void write(JsonWriter& out, const Position& g) { out.value(g.p); }
  static Goal goal(const Position& g) { return g; }
  static void move(Position& g, const PointMap& by) { g.p = by.point(g.p); }
};

// A direction, or {"v": …, "degrees_per_metre": …}.
template <>
struct Row<SceneDirection> {
  static constexpr auto keys = words("direction");
  static constexpr auto members = words("v", scale_key);
  static SceneDirection read(const JsonValue& value) {
    if (!value.is(JsonKind::object)) return {value.direction()};
    if (!value.object(members)) return {};
    return {value["v"].direction(), read_scale(value)};
  }
  static void write(JsonWriter& out, const SceneDirection& g) {
    if (g.degrees_per_metre == default_degrees_per_metre) {
      out.direction(g.v);
      return;
    }
    out.begin_object().key("v").direction(g.v);
    write_scale(out, g.degrees_per_metre);
    out.end();
  }
  static Goal goal(const SceneDirection& g) { return Direction{g.v, per_metre(g.degrees_per_metre)}; }
  static void move(SceneDirection& g, const PointMap& by) { g.v = by.vector(g.v); }
};

template <>
struct Row<SceneOrientation> {
  static constexpr auto keys = words("orientation");
  static constexpr auto members = words("x", "y", scale_key, y_scale_key);
  static SceneOrientation read(const JsonValue& value) {
    return value.object(members) ? read_axes(value) : SceneOrientation{};
  }
  static void write(JsonWriter& out, const SceneOrientation& g) {
    out.begin_object();
    write_axes(out, g);
    out.end();
  }
  static Goal goal(const SceneOrientation& g) { return orientation_of(g); }
  static void move(SceneOrientation& g, const PointMap& by) {
    if (g.x) g.x = by.vector(*g.x);
    if (g.y) g.y = by.vector(*g.y);
  }
};

template <>
struct Row<ScenePlacement> {
  static constexpr auto keys = words("placement");
  static constexpr auto members = words("p", "x", "y", scale_key, y_scale_key, "w_p");
  static ScenePlacement read(const JsonValue& value) {
    ScenePlacement g;
    if (!value.object(members)) return g;
    g.p = value["p"].vector();
    g.orientation = read_axes(value);
    g.w_p = value["w_p"].number_or(g.w_p);
    if (!(g.w_p >= 0.0 && g.w_p <= 1.0)) value["w_p"].fail(value["w_p"].described(), "a number from 0 to 1");
    return g;
  }
  static void write(JsonWriter& out, const ScenePlacement& g) {
    out.begin_object().member("p", g.p);
    write_axes(out, g.orientation);
    out.member_unless("w_p", g.w_p, ScenePlacement{}.w_p).end();
  }
  static Goal goal(const ScenePlacement& g) {
    return Placement{g.p, orientation_of(g.orientation), g.w_p, 1.0 - g.w_p};
  }
  static void move(ScenePlacement& g, const PointMap& by) {
    g.p = by.point(g.p);
    Row<SceneOrientation>::move(g.orientation, by);
  }
};

// A point, or {"p": …, "degrees_per_metre": …}.
template <>
struct Row<SceneAimAt> {
  static constexpr auto keys = words("aim_at");
  static constexpr auto members = words("p", scale_key);
  static SceneAimAt read(const JsonValue& value) {
    if (!value.is(JsonKind::object)) return {value.vector()};
    if (!value.object(members)) return {};
    return {value["p"].vector(), read_scale(value)};
  }
  static void write(JsonWriter& out, const SceneAimAt& g) {
    if (g.degrees_per_metre == default_degrees_per_metre) {
      out.value(g.p);
      return;
    }
    out.begin_object().member("p", g.p);
    write_scale(out, g.degrees_per_metre);
    out.end();
  }
  static Goal goal(const SceneAimAt& g) { return AimAt{g.p, per_metre(g.degrees_per_metre)}; }
  static void move(SceneAimAt& g, const PointMap& by) { g.p = by.point(g.p); }
};

template <class G>
struct ThroughRow {
  static constexpr auto members = words("p", "v");
  static G read(const JsonValue& value) { return read_point_and_vector<G>(value); }
  static void write(JsonWriter& out, const G& g) { write_point_and_vector(out, g.p, g.v); }
  static Goal goal(const G& g) { return g; }
  static void move(G& g, const PointMap& by) { g = {by.point(g.p), by.vector(g.v)}; }
};

template <>
struct Row<Line> : ThroughRow<Line> {
  static constexpr auto keys = words("line");
};
template <>
struct Row<Plane> : ThroughRow<Plane> {
  static constexpr auto keys = words("plane");
};
template <>
struct Row<HalfSpace> : ThroughRow<HalfSpace> {
  static constexpr auto keys = words("half_space");
};

// The distance stands at the key that names its bound.
template <>
struct Row<Distance> {
  static constexpr auto keys = words("distance");
  static constexpr auto members = words("p", "equal", "at_most", "at_least");
  static constexpr std::size_t first_bound = 1;
  static Distance read(const JsonValue& value) {
    Distance g;
    if (!value.object(members)) return g;
    if (value["p"]) g.p = value["p"].vector();
    int bounds = 0;
    for (std::size_t k = first_bound; k < members.size(); ++k)
      if (const JsonValue bound = value[members[k]]) {
        g.bound = static_cast<Distance::Bound>(k - first_bound);
        g.d = bound.number();
        if (!(g.d >= 0.0)) bound.fail(bound.described(), "metres, 0 or more");
        ++bounds;
      }
    if (bounds != 1) value.fail(std::to_string(bounds) + " distances", "\"equal\", \"at_most\" or \"at_least\"");
    return g;
  }
  static void write(JsonWriter& out, const Distance& g) {
    out.begin_object().member_unless("p", g.p, Vec3(Vec3::Zero()));
    out.member(members[first_bound + static_cast<std::size_t>(g.bound)], g.d).end();
  }
  static Goal goal(const Distance& g) { return g; }
  static void move(Distance& g, const PointMap& by) { g.p = by.point(g.p); }
};

template <>
struct Row<SceneRegion> : PlainRow {
  using Side = SceneRegion::Side;
  static constexpr auto keys = words("inside", "outside");
  static std::string_view key(const SceneRegion& g) { return keys[g.side == Side::inside ? 0 : 1]; }
  static SceneRegion read(const JsonValue& value) {
    return read_scene_region(value, value.key() == keys[0] ? Side::inside : Side::outside);
  }
  static void write(JsonWriter& out, const SceneRegion& g) { write_scene_region(out, g); }
  static Goal goal(const SceneRegion& g) { return goal_of_region(g); }
  static void move(SceneRegion& g, const PointMap& by) { move_region(g, by); }
};

// true, or {"degrees_per_metre": …}.
template <class G>
struct FlagRow {
  static constexpr auto members = words(scale_key);
  static G read(const JsonValue& value) {
    if (value.is(JsonKind::boolean) && value.boolean()) return {};
    if (!value.is(JsonKind::object)) {
      value.fail(value.described(), "true, or an object with \"degrees_per_metre\"");
      return {};
    }
    if (!value.object(members)) return {};
    return {read_scale(value)};
  }
  static void write(JsonWriter& out, const G& g) {
    if (g.degrees_per_metre == default_degrees_per_metre) {
      out.value(true);
      return;
    }
    out.begin_object();
    write_scale(out, g.degrees_per_metre);
    out.end();
  }
  static void move(G&, const PointMap&) {}
};

template <>
struct Row<SceneCoincide> : FlagRow<SceneCoincide> {
  static constexpr auto keys = words("coincide");
  static Goal goal(const SceneCoincide& g) { return Coincide{per_metre(g.degrees_per_metre)}; }
};
template <>
struct Row<SceneHold> : FlagRow<SceneHold> {
  static constexpr auto keys = words("hold");
  static Goal goal(const SceneHold& g) { return Hold{{per_metre(g.degrees_per_metre)}}; }
};

// --- All rows --------------------------------------------------------------------------------------

template <class G>
std::string_view key_of(const G& goal) {
  if constexpr (requires { Row<G>::key(goal); })
    return Row<G>::key(goal);
  else
    return Row<G>::keys.front();
}

// Calls with the type of each row, in the order of SceneGoal.
template <class Call, class... G>
void for_each_row(const std::variant<G...>*, Call call) {
  (call(std::type_identity<G>{}), ...);
}
template <class Call>
void for_each_row(Call call) {
  for_each_row(static_cast<const SceneGoal*>(nullptr), call);
}

SceneGoal read_unchecked(const JsonValue& member) {
  SceneGoal goal;
  for_each_row([&]<class G>(std::type_identity<G>) {
    for (const std::string_view key : Row<G>::keys)
      if (member.key() == key) goal = Row<G>::read(member);
  });
  return goal;
}

}  // namespace

std::vector<SceneGoalKey> scene_goal_keys() {
  std::vector<SceneGoalKey> all;
  for_each_row([&]<class G>(std::type_identity<G>) {
    for (const std::string_view key : Row<G>::keys) all.push_back({key, Row<G>::members});
  });
  return all;
}

SceneGoal read_scene_goal(const JsonValue& value) {
  std::vector<std::string_view> keys;
  for (const SceneGoalKey& one : scene_goal_keys()) keys.push_back(one.key);
  const JsonValue member = value.sole(keys);
  SceneGoal goal = read_unchecked(member);
  if (value.document().error()) return goal;
  if (const Expected<Goal> fine = checked(goal_of(goal)); !fine) member.fail(fine.error().found, fine.error().expected);
  return goal;
}

void write_scene_goal(JsonWriter& out, const SceneGoal& goal) {
  out.begin_object(JsonWriter::Layout::row);
  std::visit(
      [&]<class G>(const G& g) {
        out.key(key_of(g));
        Row<G>::write(out, g);
      },
      goal);
  out.end();
}

Goal goal_of(const SceneGoal& goal) {
  return std::visit([]<class G>(const G& g) { return Row<G>::goal(g); }, goal);
}

SceneGoal moved(SceneGoal goal, const PointMap& by) {
  std::visit([&]<class G>(G& g) { Row<G>::move(g, by); }, goal);
  return goal;
}

SceneOrientation moved(SceneOrientation goal, const PointMap& by) {
  Row<SceneOrientation>::move(goal, by);
  return goal;
}

}  // namespace limber
