// Obstacles, and where a pose overlaps them.
#include "objects.h"

namespace limber::python {

namespace {

Frame frame_or_identity(const std::optional<ArrayLike>& frame) { return frame ? to_frame(*frame, "frame") : Frame(); }

void bind_penetrations(nb::module_& m) {
  nb::class_<Penetration>(m, "Overlap", "Two bodies that are nearer than the margin.")
      .def_ro("clearance", &Penetration::clearance, "In metres; a negative one is a depth.")
      .def_ro("text", &Penetration::text, "'left_forearm is 0.012 m inside table'.")
      .def("__repr__", [](const Penetration& p) { return "<limber.Overlap: " + p.text + ">"; });
  m.def(
      "overlaps",
      [](const PoseObject& pose, const std::vector<Obstacle>& obstacles, bool self_collision, double margin) {
        const std::vector<SegmentCapsule> capsules = capsules_of(pose.figure);
        const Obstacles boxed(obstacles);
        std::vector<CapsulePair> pairs;
        if (self_collision) pairs = pairs_to_check(pose.figure, capsules, margin);
        const Kinematics state = forward(pose.figure, pose.pose);
        return tuple_of(penetrations(pose.figure, state, capsules, boxed, pairs, margin).list);
      },
      "pose"_a, "obstacles"_a = std::vector<Obstacle>(), nb::kw_only(), "self_collision"_a = true, "margin"_a = 0.0,
      nb::sig("def overlaps(pose: Pose, obstacles: collections.abc.Sequence[Obstacle] = [], *, self_collision: bool "
              "= True, margin: float = 0.0) -> tuple[Overlap, ...]"),
      "All places where a pose is nearer than the margin to an obstacle or to itself, the deepest first.");
}

}  // namespace

void bind_obstacle(nb::module_& m) {
  nb::class_<Obstacle>(m, "Obstacle",
                       "A shape with a frame in the world, to keep clear of.\n\n"
                       ">>> table = limber.Obstacle.box('table', [1.2, 0.02, 0.8], frame=[0, 0.73, 0.5])\n"
                       ">>> table.name\n"
                       "'table'")
      .def_ro("name", &Obstacle::name, "For reports.")
      .def_prop_ro(
          "frame", [](const Obstacle& o) { return new_array(o.X_world_shape); }, "4 x 4.")
      .def_static(
          "floor",
          [](const std::string& name, const std::optional<ArrayLike>& frame) {
            return unwrap(build_obstacle(name, HalfSpaceShape{}, frame_or_identity(frame)));
          },
          "name"_a = "floor", "frame"_a = nb::none(), "All below the plane y = 0 of the frame.")
      .def_static(
          "ball",
          [](const std::string& name, const ArrayLike& centre, double radius) {
            return unwrap(build_obstacle(name, BallShape{radius}, at(to_vec3(centre, "centre"))));
          },
          "name"_a, "centre"_a, "radius"_a)
      .def_static(
          "capsule",
          [](const std::string& name, const Capsule& capsule, const std::optional<ArrayLike>& frame) {
            return unwrap(build_obstacle(name, capsule, frame_or_identity(frame)));
          },
          "name"_a, "capsule"_a, "frame"_a = nb::none())
      .def_static(
          "box",
          [](const std::string& name, const ArrayLike& size, const std::optional<ArrayLike>& frame) {
            return unwrap(build_obstacle(name, BoxShape{0.5 * to_vec3(size, "size")}, frame_or_identity(frame)));
          },
          "name"_a, "size"_a, "frame"_a = nb::none(), "Edges along the axes of the frame, centre at its origin.")
      .def_static(
          "hull",
          [](const std::string& name, const ArrayLike& points, const std::optional<ArrayLike>& frame) {
            return unwrap(
                build_obstacle(name, unwrap(Polyhedron::build(to_points(points, "points"))), frame_or_identity(frame)));
          },
          "name"_a, "points"_a, "frame"_a = nb::none(), "The convex hull of (N, 3) points.")
      .def_static(
          "mesh",
          [](const std::string& name, const ArrayLike& vertices, const ArrayLike& triangles,
             const std::optional<ArrayLike>& frame) {
            return unwrap(build_obstacle(
                name,
                unwrap(TriangleMesh::build(to_points(vertices, "vertices"), to_triangles(triangles, "triangles"))),
                frame_or_identity(frame)));
          },
          "name"_a, "vertices"_a, "triangles"_a, "frame"_a = nb::none(),
          "Triangles over (N, 3) vertices: a solid if closed, else a sheet.")
      .def_static(
          "body",
          [](const std::string& name, const PoseObject& pose, const std::optional<ArrayLike>& frame) {
            return tuple_of(unwrap(body_obstacles(name, pose.figure, pose.pose, frame_or_identity(frame))));
          },
          "name"_a, "pose"_a, "frame"_a = nb::none(), "Another figure in a pose: one obstacle per capsule.")
      .def("__repr__", [](const Obstacle& o) { return "<limber.Obstacle '" + o.name + "'>"; })
      .def("__copy__", [](const Obstacle& o) { return o; })
      .def(
          "__deepcopy__", [](const Obstacle& o, const nb::object&) { return o; }, "memo"_a)
      .def("__getstate__", &obstacle_state)
      .def("__setstate__", [](Obstacle& o, const nb::tuple& state) { new (&o) Obstacle(obstacle_of(state)); });
  bind_penetrations(m);
}

}  // namespace limber::python
