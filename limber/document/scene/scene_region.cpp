#include "limber/document/scene/scene_region.h"

#include <utility>

#include "limber/base/number.h"

namespace limber {

namespace {

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
    value["matrix"].fail("a matrix that is off a rotation by " + to_text(rotation_defect(box.frame.R)), "a rotation");
  box.size = value["size"].vector();
  if (!(box.size.minCoeff() >= 0.0)) value["size"].fail("a negative size", "three lengths, 0 or more");
  return box;
}

// Two faces per axis.
std::vector<Face> faces_of(const SceneBox& box) {
  std::vector<Face> faces;
  for (int k = 0; k < 3; ++k)
    for (const double side : {1.0, -1.0}) {
      const Vec3 v = side * box.frame.R.col(k);
      faces.push_back({box.frame.p + 0.5 * box.size[k] * v, v});
    }
  return faces;
}

struct RegionWriter {
  JsonWriter& out;

  void operator()(const SceneSphere& s) const {
    out.key("sphere").begin_object().member("centre", s.centre).member("radius", s.radius).end();
  }
  void operator()(const Capsule& c) const {
    out.key("capsule").begin_object().member("a", c.a).member("b", c.b).member("radius", c.radius).end();
  }
  void operator()(const SceneBox& b) const {
    out.key("box").begin_object();
    write_frame_members(out, b.frame);
    out.member("size", b.size).end();
  }
  void operator()(const ScenePolyhedron& p) const {
    out.key("polyhedron").begin_object().key("faces").begin_array();
    for (const Face& face : p.faces) write_point_and_vector(out, face.p, face.v);
    out.end().end();
  }
};

struct RegionGoal {
  bool inside;

  Goal operator()(const SceneSphere& s) const { return (*this)(sphere(s.centre, s.radius)); }
  Goal operator()(const Capsule& capsule) const {
    return inside ? Goal(InsideCapsule{capsule}) : Goal(OutsideCapsule{capsule});
  }
  Goal operator()(const SceneBox& box) const { return (*this)(ScenePolyhedron{faces_of(box)}); }
  Goal operator()(const ScenePolyhedron& p) const {
    return inside ? Goal(InsidePolyhedron{p.faces}) : Goal(OutsidePolyhedron{p.faces});
  }
};

struct RegionMover {
  const PointMap& by;

  void operator()(SceneSphere& s) const { s.centre = by.point(s.centre); }
  void operator()(Capsule& c) const {
    c.a = by.point(c.a);
    c.b = by.point(c.b);
  }
  // A box is symmetric: an axis may change its sign, so that the axes stay right-handed where the map mirrors.
  void operator()(SceneBox& b) const {
    b.frame.p = by.point(b.frame.p);
    const Vec3 x = by.vector(b.frame.R.col(0)), y = by.vector(b.frame.R.col(1));
    b.frame.R = rotation_from_xy(x, y);
  }
  void operator()(ScenePolyhedron& p) const {
    for (Face& face : p.faces) face = {by.point(face.p), by.vector(face.v)};
  }
};

}  // namespace

SceneRegion read_scene_region(const JsonValue& value, SceneRegion::Side side) {
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

void write_scene_region(JsonWriter& out, const SceneRegion& region) {
  out.begin_object();
  std::visit(RegionWriter{out}, region.region);
  out.end();
}

Goal goal_of_region(const SceneRegion& region) {
  return std::visit(RegionGoal{region.side == SceneRegion::Side::inside}, region.region);
}

void move_region(SceneRegion& region, const PointMap& by) { std::visit(RegionMover{by}, region.region); }

}  // namespace limber
