#include "limber/document/scene/scene_goal.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

struct GoalWriter {
  JsonWriter& out;

  void importance(double degrees_per_metre) const {
    out.member_unless("degrees_per_metre", degrees_per_metre, default_degrees_per_metre);
  }

  void flag(const char* key, double degrees_per_metre) const {
    if (degrees_per_metre == default_degrees_per_metre) {
      out.member(key, true);
      return;
    }
    out.key(key).begin_object();
    importance(degrees_per_metre);
    out.end();
  }
  void point_and_vector(const Vec3& p, const Vec3& v) const {
    out.begin_object().member("p", p).key("v").direction(v).end();
  }
  void axes(const SceneOrientation& g) const {
    if (g.x) out.key("x").direction(*g.x);
    if (g.y) out.key("y").direction(*g.y);
    importance(g.degrees_per_metre);
  }

  void operator()(const Position& g) const { out.member("position", g.p); }
  void operator()(const SceneDirection& g) const {
    if (g.degrees_per_metre == default_degrees_per_metre) {
      out.key("direction").direction(g.v);
      return;
    }
    out.key("direction").begin_object().key("v").direction(g.v);
    importance(g.degrees_per_metre);
    out.end();
  }
  void operator()(const SceneOrientation& g) const {
    out.key("orientation").begin_object();
    axes(g);
    out.end();
  }
  void operator()(const ScenePlacement& g) const {
    out.key("placement").begin_object().member("p", g.p);
    axes(g.orientation);
    out.member_unless("w_p", g.w_p, ScenePlacement{}.w_p).end();
  }
  void operator()(const SceneAimAt& g) const {
    if (g.degrees_per_metre == default_degrees_per_metre) {
      out.member("aim_at", g.p);
      return;
    }
    out.key("aim_at").begin_object().member("p", g.p);
    importance(g.degrees_per_metre);
    out.end();
  }
  void operator()(const Line& g) const {
    out.key("line");
    point_and_vector(g.p, g.v);
  }
  void operator()(const Plane& g) const {
    out.key("plane");
    point_and_vector(g.p, g.v);
  }
  void operator()(const HalfSpace& g) const {
    out.key("half_space");
    point_and_vector(g.p, g.v);
  }
  void operator()(const SceneRegion& g) const {
    out.key(g.side == SceneRegion::Side::inside ? "inside" : "outside").begin_object();
    std::visit(*this, g.region);
    out.end();
  }
  void operator()(const SceneCoincide& g) const { flag("coincide", g.degrees_per_metre); }
  void operator()(const SceneHold& g) const { flag("hold", g.degrees_per_metre); }

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
    for (const Face& face : p.faces) point_and_vector(face.p, face.v);
    out.end().end();
  }
};

}  // namespace

void write_scene_goal(JsonWriter& out, const SceneGoal& goal) {
  out.begin_object(Layout::row);
  std::visit(GoalWriter{out}, goal);
  out.end();
}

}  // namespace limber
