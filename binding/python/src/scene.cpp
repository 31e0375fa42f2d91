// Scenes: a figure, its pose, its constraints and options as one JSON document.
#include "objects.h"

namespace limber::python {

namespace {

SceneObject scene_from(std::string_view text, const std::string& name, const nb::object& load) {
  std::optional<nb::python_error> thrown;
  const FigureLoader loader = [&](const std::string& file) -> Expected<Figure> {
    const nb::gil_scoped_acquire lock;
    try {
      return nb::cast<Figure>(load(file));
    } catch (nb::python_error& error) {
      if (!thrown) thrown.emplace(std::move(error));
      return reject(file, "an exception", "a figure");
    } catch (const nb::cast_error&) {
      return reject(file, "something else", "a figure");
    }
  };
  Expected<Scene> scene = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    scene = read_scene(text, name, loader);
  }
  if (thrown) throw nb::python_error(std::move(*thrown));
  return {unwrap(std::move(scene)), load};
}

// The document with some of its members replaced.
SceneObject replaced(const SceneObject& s, const nb::kwargs& changes) {
  const nb::module_ json = nb::module_::import_("json");
  const nb::object document = json.attr("loads")(write_scene(s.scene));
  document.attr("update")(changes);
  const auto text = nb::cast<std::string>(json.attr("dumps")(document, "indent"_a = 1));
  return scene_from(text, "scene.json", s.load);
}

nb::object solve_scene(const SceneObject& s, const nb::kwargs& options) {
  const nb::object problem = nb::cast(ProblemObject(unwrap(problem_of(s.scene))));
  return nb::module_::import_("limber._limber")
      .attr("solve")(problem, PoseObject{s.scene.figure, s.scene.pose}, "options"_a = s.scene.options, **options);
}

}  // namespace

void bind_scene(nb::module_& m) {
  nb::class_<SceneObject>(m, "Scene",
                          "A figure, its pose, its constraints and options: one JSON document (doc/scene.md).\n\n"
                          ">>> scene = limber.Scene(limber.human())\n"
                          ">>> scene = scene.replaced(constraints=[\n"
                          "...     {'handle': {'point': 'right_palm'}, 'goal': {'position': [-0.3, 1.1, 0.4]}}])\n"
                          ">>> scene.solve().met\n"
                          "True")
      .def(
          "__init__",
          [](SceneObject* s, const Figure& figure, const std::optional<PoseLike>& pose) {
            new (s) SceneObject{Scene(figure)};
            s->scene.pose = to_pose(figure, pose);
          },
          "figure"_a, "pose"_a = nb::none(), "A scene without constraints.")
      .def_static("from_json", &scene_from, "text"_a, "name"_a = "scene.json", "load"_a = nb::none(),
                  nb::sig("def from_json(text: str, name: str = ..., load: "
                          "collections.abc.Callable[[str], Figure] | None = None) -> Scene"),
                  "From its text; `load` gives the figure of a file that the scene names.")
      .def(
          "to_json", [](const SceneObject& s) { return write_scene(s.scene); }, "Its text.")
      .def_prop_rw(
          "title", [](const SceneObject& s) { return s.scene.title; },
          [](SceneObject& s, const std::string& title) { s.scene.title = title; }, "Its title.")
      .def_prop_ro(
          "figure", [](const SceneObject& s) { return s.scene.figure; }, "Its figure.")
      .def_prop_rw(
          "pose", [](const SceneObject& s) { return PoseObject{s.scene.figure, s.scene.pose}; },
          [](SceneObject& s, const PoseLike& pose) { s.scene.pose = to_pose(s.scene.figure, pose); },
          "Its pose, a copy; set it to change it.")
      .def_prop_rw(
          "options", [](const SceneObject& s) { return s.scene.options; },
          [](SceneObject& s, const Options& options) { s.scene.options = options; },
          "How it is solved, a copy; set it to change it.")
      .def(
          "problem", [](const SceneObject& s) { return ProblemObject(unwrap(problem_of(s.scene))); },
          "Its constraints as a problem.")
      .def("replaced", &replaced, "members"_a, nb::sig("def replaced(self, **members: typing.Any) -> Scene"),
           "A scene with other members of its document: constraints, obstacles, pose, …")
      .def("solve", &solve_scene, "options"_a, nb::sig("def solve(self, **options: typing.Any) -> Report"),
           "Solves it from its pose with its options; those that are given come before its own.")
      .def("_repr_svg_",
           [](const SceneObject& s) {
             return draw_svg(unwrap(problem_of(s.scene)), s.scene.pose, Report(), {.title = s.scene.title});
           })
      .def(
          "hung_from",
          [](const SceneObject& s, std::string_view place) { return SceneObject{unwrap(hung_from(s.scene, place))}; },
          "place"_a, "With its figure hung from another segment, in the same place.")
      .def("__copy__", [](const SceneObject& s) { return s; })
      .def(
          "__deepcopy__", [](const SceneObject& s, const nb::object&) { return s; }, "memo"_a)
      .def("__getstate__",
           [](const SceneObject& s) {
             Scene scene = s.scene;
             scene.source = InlineFigure{};  // no file need be there where it is read
             scene.root.clear();
             return nb::make_tuple(write_scene(scene), s.scene.figure, new_array(s.scene.pose.theta));
           })
      .def("__setstate__",
           [](SceneObject& s, const nb::tuple& state) {
             const auto text = nb::cast<std::string>(nb::object(state[0]));
             const SourcedFigure figure{nb::cast<Figure>(nb::object(state[1])), InlineFigure{}};
             Scene scene = unwrap(read_scene(text, "pickle", {}, &figure));
             scene.pose = to_pose(scene.figure, PoseLike{nb::object(state[2])});
             new (&s) SceneObject{std::move(scene)};
           })
      .def("__repr__", [](const SceneObject& s) {
        return "<limber.Scene '" + s.scene.title + "' of '" + s.scene.figure.name() +
               "': " + std::to_string(s.scene.constraints.size()) + " constraints>";
      });
}

}  // namespace limber::python
