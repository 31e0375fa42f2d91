// Figures and motions from bytes and to bytes; the Python side opens the files (limber/_files.py).
#include "objects.h"

namespace limber::python {

namespace {

constexpr Names<Up, 2> ups = {{{"y", Up::y}, {"z", Up::z}}};
constexpr Names<RootOffset, 3> offsets = {
    {{"automatic", RootOffset::automatic}, {"added", RootOffset::added}, {"replaced", RootOffset::replaced}}};

// A loader in Python returns bytes, or None for a file that is not there.
FileLoader loader_of(const nb::object& load, std::optional<nb::python_error>& thrown) {
  return [&load, &thrown](const std::string& name) -> Expected<std::string> {
    const nb::gil_scoped_acquire lock;
    try {
      const nb::object bytes = load(name);
      if (!nb::isinstance<nb::bytes>(bytes)) return reject(name, "no such file", "one beside the file that names it");
      const auto found = nb::borrow<nb::bytes>(bytes);
      return std::string(found.c_str(), found.size());
    } catch (nb::python_error& error) {
      if (!thrown) thrown.emplace(std::move(error));
      return reject(name, "an exception", "bytes");
    }
  };
}

Content read_bytes(const nb::bytes& bytes, const std::string& name, const nb::object& load, const Content* skeleton,
                   std::optional<double> metres_per_unit, const std::optional<std::string>& up,
                   std::string_view root_offset, std::optional<double> frames_per_second) {
  ReadOptions options{.metres_per_unit = metres_per_unit,
                      .root_offset = to_enum(offsets, root_offset, "root_offset"),
                      .frames_per_second = frames_per_second};
  if (up) options.up = to_enum(ups, *up, "up");
  std::optional<nb::python_error> thrown;
  const FileLoader loader = loader_of(load, thrown);
  const std::string_view view(bytes.c_str(), bytes.size());
  Expected<Content> content = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    content = read_content(view, name, options, loader, skeleton);
  }
  if (thrown) throw nb::python_error(std::move(*thrown));
  return unwrap(std::move(content));
}

std::vector<std::pair<std::string, nb::bytes>> write_bytes(const Content& content, const std::vector<ClipObject>& clips,
                                                           const std::string& name,
                                                           std::optional<double> metres_per_unit,
                                                           const std::optional<std::string>& up) {
  WriteOptions options{.metres_per_unit = metres_per_unit};
  if (up) options.up = to_enum(ups, *up, "up");
  std::vector<Clip> all;
  for (const ClipObject& clip : clips) all.push_back(clip.clip);
  Expected<WrittenFiles> written = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    written = write_content(content, all, name, options);
  }
  std::vector<std::pair<std::string, nb::bytes>> files;
  for (const WrittenFile& file : unwrap(std::move(written)).files)
    files.emplace_back(file.name, nb::bytes(file.bytes.data(), file.bytes.size()));
  return files;
}

Content content_of(const Figure& figure) {
  Content content;
  content.figure = figure;
  return content;
}

}  // namespace

void bind_file(nb::module_& m) {
  nb::class_<Markers>(m, "Markers", "Points over time, as a motion-capture system sees them.")
      .def(
          "__init__",
          [](Markers* self, const std::vector<std::string>& names, const nb::object& positions, double rate) {
            const nb::object array = as_array(positions, "positions");
            const nb::tuple shape = array.attr("shape");
            if (nb::len(shape) != 3 || nb::cast<std::size_t>(nb::object(shape[1])) != names.size() ||
                nb::cast<int>(nb::object(shape[2])) != 3)
              fail("positions", "an array of shape " + text_of(shape),
                   "one of shape (N, " + std::to_string(names.size()) + ", 3)");
            if (!(rate > 0.0)) fail("rate", std::to_string(rate), "frames per second, above 0");
            const auto rows = static_cast<Eigen::Index>(3 * names.size());
            new (self) Markers{names, rate, 1,
                               to_columns({array.attr("reshape")(nb::object(shape[0]), rows)}, "positions", rows)};
          },
          "names"_a, "positions"_a, "rate"_a, "(frames, markers, 3) in metres, NaN where one is not seen.")
      .def_prop_ro(
          "names", [](const Markers& x) { return tuple_of(x.names); }, "Their names.")
      .def_ro("rate", &Markers::rate, "Frames per second.")
      .def_prop_ro(
          "positions",
          [](Markers& x) {
            return Array3(x.positions.data(), {static_cast<std::size_t>(x.positions.cols()), x.names.size(), 3});
          },
          nb::rv_policy::reference_internal, "(frames, markers, 3), NaN where one is not seen. A view.")
      .def("__len__", [](const Markers& x) { return x.frames(); })
      .def(
          "turned", [](const Markers& x, double angle) { return turned(x, angle); }, "angle"_a,
          "About the vertical axis through the origin, in radians.")
      .def("__repr__", [](const Markers& x) {
        return "<limber.Markers: " + std::to_string(x.names.size()) + " markers, " + std::to_string(x.frames()) +
               " frames>";
      });

  nb::class_<Content>(m, "Content", "What a file has: a figure, its motions, markers; and what its reader noted.")
      .def_ro("format", &Content::format, "'bvh'.")
      .def_prop_ro(
          "figure",
          [](const Content& c) {
            if (!c.figure) fail("content", "no figure in a file of the format " + c.format, "a file with a figure");
            return *c.figure;
          },
          "Its figure.")
      .def_prop_ro(
          "has_figure", [](const Content& c) { return c.figure.has_value(); }, "Whether it has one.")
      .def_prop_ro(
          "clips",
          [](const Content& c) {
            std::vector<ClipObject> clips;
            if (c.figure)
              for (const Clip& clip : c.clips) clips.push_back({*c.figure, clip});
            return tuple_of(clips);
          },
          "Its motions.")
      .def_prop_ro(
          "clip",
          [](const Content& c) {
            if (!c.figure || c.clips.empty())
              fail("content", "no motion in a file of the format " + c.format, "a file with a motion");
            return ClipObject{*c.figure, c.clips.front()};
          },
          "Its first motion.")
      .def_prop_ro(
          "markers", [](const Content& c) { return c.markers; }, "Its markers, if it has some.")
      .def_prop_ro(
          "notes",
          [](const Content& c) {
            std::vector<std::string> notes;
            for (const Note& note : c.notes)
              notes.push_back((note.line ? "line " + std::to_string(note.line) + ": " : "") + note.text);
            return tuple_of(notes);
          },
          "What the reader ignored or guessed.")
      .def_prop_ro(
          "metres_per_unit", [](const Content& c) { return c.space.metres_per_unit; }, "The unit of the file.")
      .def_prop_ro(
          "up", [](const Content& c) { return std::string(name_in(ups, c.space.up)); }, "'y' or 'z'.")
      .def(
          "inside", [](const Content& c, const ArrayLike& x) { return new_array(c.space.inside(to_vec3(x, "x"))); },
          "x"_a, "A point in the axes and unit of the file, in metres with Y up.")
      .def(
          "in_file", [](const Content& c, const ArrayLike& x) { return new_array(c.space.in_file(to_vec3(x, "x"))); },
          "x"_a, "The inverse of inside().")
      .def("__repr__", [](const Content& c) {
        return "<limber.Content of " + c.format + (c.figure ? ": '" + c.figure->name() + "', " : ": ") +
               std::to_string(c.clips.size()) + " clips>";
      });

  m.def("_content_of", &content_of, "figure"_a);
  m.def("_read_bytes", &read_bytes, "bytes"_a, "name"_a, "load"_a, "skeleton"_a.none(), "metres_per_unit"_a.none(),
        "up"_a.none(), "root_offset"_a, "frames_per_second"_a.none());
  m.def("_write_bytes", &write_bytes, "content"_a, "clips"_a, "name"_a, "metres_per_unit"_a.none(), "up"_a.none());
  m.def(
      "_skeleton_of",
      [](const std::string& motion, const std::vector<std::string>& files) { return skeleton_of(motion, files); },
      "motion"_a, "files"_a);
  m.def("_needs_skeleton", [](const std::string& name) { return needs_skeleton(name); }, "name"_a);
  std::vector<std::string> names;
  for (const FileFormat& format : file_formats()) names.emplace_back(format.key);
  m.attr("formats") = nb::cast(tuple_of(names));
}

}  // namespace limber::python
