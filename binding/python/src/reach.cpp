// Reach maps: where a handle can be while every constraint of a problem is met.
#include "objects.h"
#include "pickle.h"

namespace limber::python {

template <class A>
void visit(A& a, HeldBack& x) {
  a(x.limit, x.share);
}
template <class A>
void visit(A& a, ReachAnswer& x) {
  a(x.has_ended);
  for (HeldBack& limit : x.held_back_by) a(limit);
}

namespace {

struct MapObject {
  Figure figure;
  ReachMap map;

  std::vector<const ReachCell*> leaves() const {
    std::vector<const ReachCell*> all;
    for (const ReachCell& cell : map.cells)
      if (cell.is_leaf()) all.push_back(&cell);
    return all;
  }
  PoseMeasure measure() const { return from_limits(figure, map.variables); }
};

// The arguments that a map and the parts of its waves share.
ReachOptions reach_options(double resolution, const std::string& chain_from,
                           const std::optional<ArrayLike>& orientation, double tolerance, double met_degrees,
                           int threads, int lanes) {
  ReachOptions options{.resolution = resolution,
                       .tolerance = tolerance,
                       .met_degrees = met_degrees,
                       .from = chain_from,
                       .threads = threads,
                       .lanes = lanes};
  if (orientation) options.orientation = to_rotation(*orientation, "orientation");
  return options;
}

// Solves a part of a wave: the poses, and the answers as bytes. Bytes of several parts may be joined.
nb::tuple solve_part(ProblemObject& problem, const Handle& handle, const ArrayLike& points, const ArrayLike& starts,
                     int restarts, const std::optional<PoseLike>& pose, double resolution,
                     const std::string& chain_from, const std::optional<ArrayLike>& orientation, double tolerance,
                     double met_degrees, int threads, int lanes) {
  const Figure& figure = problem.problem.figure();
  const ReachOptions options =
      reach_options(resolution, chain_from, orientation, tolerance, met_degrees, threads, lanes);
  const ReachWave part{to_points(points, "points"),
                       to_columns(starts, "starts", static_cast<Eigen::Index>(figure.parameters().size())), restarts};
  if (part.starts.cols() != static_cast<Eigen::Index>(part.points.size()))
    fail("starts", std::to_string(part.starts.cols()) + " poses",
         std::to_string(part.points.size()) + ", one per point");
  const Pose start = to_pose(figure, pose);
  const InUse in_use(problem.users);
  Expected<ReachAnswers> made = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    made = solve_wave(problem.problem, start, handle, options, part);
  }
  problem.rethrow();
  ReachAnswers answers = unwrap(std::move(made));
  Writer writer;
  for (ReachAnswer& answer : answers.answers) writer(answer);
  const std::string bytes = writer.take();
  return nb::make_tuple(take_columns(std::move(answers.poses)), nb::bytes(bytes.data(), bytes.size()));
}

// What a function of Python has made of a wave.
ReachAnswers answers_of(const nb::object& made, const ReachWave& wave) {
  const auto pair = nb::cast<nb::tuple>(made);
  const auto bytes = nb::cast<nb::bytes>(nb::object(pair[1]));
  ReachAnswers answers{to_columns({nb::object(pair[0])}, "poses", wave.starts.rows()), {}};
  Reader reader(std::string_view(bytes.c_str(), bytes.size()));
  while (!reader.done()) reader(answers.answers.emplace_back());
  return answers;
}

MapObject map_reach(ProblemObject& problem, const Handle& handle, const std::optional<PoseLike>& pose,
                    double resolution, const std::string& chain_from, const std::optional<ArrayLike>& orientation,
                    const std::optional<ArrayLike>& region, double tolerance, double met_degrees, int restarts,
                    int threads, int lanes, const nb::object& observer, const nb::object& solve) {
  const Figure& figure = problem.problem.figure();
  ReachOptions options = reach_options(resolution, chain_from, orientation, tolerance, met_degrees, threads, lanes);
  options.restarts = restarts;
  if (region) {
    const MatX box = to_matrix(*region, "region", 2, 3);
    options.region = ReachBox{box.row(0).transpose(), box.row(1).transpose()};
  }
  Interrupts watch;
  options.after_wave = [&](const ReachProgress& progress) {
    if (!watch.proceed()) return false;
    return observer.is_none() || watch.ask([&] { return goes_on(observer(progress.solves, progress.open)); });
  };
  if (!solve.is_none())
    options.solve = [&](const ReachWave& wave) -> Expected<ReachAnswers> {
      std::optional<ReachAnswers> answers;
      watch.ask([&] {
        MatX starts = wave.starts;
        answers = answers_of(solve(new_points(wave.points), take_columns(std::move(starts)), wave.restarts), wave);
        return true;
      });
      if (!answers) return std::unexpected(Diagnostic{"solve", "no answers", "those of the wave"});
      return std::move(*answers);
    };
  const Pose start = to_pose(figure, pose);
  const InUse in_use(problem.users);
  Expected<ReachMap> map = std::unexpected(Diagnostic{});
  {
    const nb::gil_scoped_release release;
    map = reach(problem.problem, start, handle, options);
  }
  watch.rethrow();
  problem.rethrow();
  return {figure, unwrap(std::move(map))};
}

void bind_maps(nb::module_& m) {
  nb::class_<ReachSurface>(m, "ReachSurface", "The boundary of a reach map as a closed triangle mesh.")
      .def_prop_ro(
          "vertices", [](const ReachSurface& s) { return new_points(s.positions); }, "(N, 3), metres.")
      .def_prop_ro(
          "normals", [](const ReachSurface& s) { return new_points(s.normals); }, "(N, 3), outward.")
      .def_prop_ro(
          "values", [](const ReachSurface& s) { return new_array(s.values); },
          "Distance of the pose from its limits, 0 to 1, (N,).")
      .def_prop_ro(
          "triangles", [](const ReachSurface& s) { return new_triangles(s.triangles); },
          "Indices of vertices, (triangles, 3).")
      .def_prop_ro("volume", &ReachSurface::volume, "In cubic metres.")
      .def_prop_ro("area", &ReachSurface::area, "In square metres.")
      .def(
          "farthest",
          [](const ReachSurface& s, const ArrayLike& from, const ArrayLike& direction) {
            return s.farthest(to_vec3(from, "from"), to_vec3(direction, "direction"));
          },
          "start"_a, "direction"_a, "The farthest point along a ray, in metres; None if it misses.");

  nb::class_<MapObject>(m, "ReachMap", "Where a handle can be: cells, each with the result at its centre.")
      .def_prop_ro(
          "finished", [](const MapObject& r) { return r.map.finished; }, "Whether nothing is left to solve.")
      .def_prop_ro(
          "resolution", [](const MapObject& r) { return r.map.resolution; }, "Side of the finest cells, metres.")
      .def("__len__", [](const MapObject& r) { return r.leaves().size(); })
      .def_prop_ro(
          "centres",
          [](const MapObject& r) {
            std::vector<Vec3> centres;
            for (const ReachCell* cell : r.leaves()) centres.push_back(r.map.centre(*cell));
            return new_points(centres);
          },
          "Of the cells, (N, 3).")
      .def_prop_ro(
          "sides",
          [](const MapObject& r) {
            std::vector<double> sides;
            for (const ReachCell* cell : r.leaves()) sides.push_back(r.map.side(*cell));
            return new_array(sides);
          },
          "Of the cells, (N,).")
      .def_prop_ro(
          "reached",
          [](const MapObject& r) {
            std::vector<char> reached;
            for (const ReachCell* cell : r.leaves()) reached.push_back(cell->state == Reach::reached);
            return new_flags(reached);
          },
          "Whether a pose reaches the centre, (N,).")
      .def_prop_ro(
          "proved",
          [](const MapObject& r) {
            std::vector<char> proved;
            for (const ReachCell* cell : r.leaves()) proved.push_back(cell->proved);
            return new_flags(proved);
          },
          "Not reached, by proof: chain lengths and limits do not allow it, (N,).")
      .def(
          "pose",
          [](const MapObject& r, std::size_t cell) -> std::optional<PoseObject> {
            const auto leaves = r.leaves();
            if (cell >= leaves.size()) throw nb::index_error("cell out of range");
            if (leaves[cell]->pose < 0) return std::nullopt;
            return PoseObject{r.figure, r.map.pose(*leaves[cell])};
          },
          "cell"_a, "The pose that reaches a cell, or comes nearest.")
      .def(
          "contains",
          [](const MapObject& r, const ArrayLike& x) {
            const int leaf = r.map.leaf_at(to_vec3(x, "x"));
            return leaf >= 0 && r.map.cells[static_cast<std::size_t>(leaf)].state == Reach::reached;
          },
          "x"_a, "Whether the cell of a point is reached.")
      .def(
          "surface", [](const MapObject& r) { return surface_of(r.map, r.measure()); }, "Its boundary.")
      .def(
          "to_bytes",
          [](const MapObject& r, const std::string& format) {
            std::string bytes;
            if (format == "glb")
              bytes = unwrap(write_reach_glb(surface_of(r.map, r.measure()), r.figure.name()));
            else if (format == "ply")
              bytes = write_reach_ply(surface_of(r.map, r.measure()));
            else if (format == "nrrd")
              bytes = write_reach_nrrd(r.map);
            else if (format == "vtk")
              bytes = write_reach_vtk(r.map, r.measure());
            else if (format == "reach")
              bytes = write_reach_map(r.map);
            else
              fail("format", "'" + format + "'", "'glb', 'ply', 'nrrd', 'vtk' or 'reach'");
            return nb::bytes(bytes.data(), bytes.size());
          },
          "format"_a, "As a file: the surface in 'glb' or 'ply', the volume in 'nrrd' or 'vtk', all of it in 'reach'.");
}

}  // namespace

void bind_reach(nb::module_& m) {
  bind_maps(m);
  m.def("_solve_wave", &solve_part, "problem"_a, "handle"_a, "points"_a, "starts"_a, "restarts"_a, nb::kw_only(),
        "pose"_a = nb::none(), "resolution"_a, "chain_from"_a = "", "orientation"_a = nb::none(), "tolerance"_a = 0.0,
        "met_degrees"_a = ReachOptions{}.met_degrees, "threads"_a = 1, "lanes"_a = 0);
  m.def(
      "reach", &map_reach, "problem"_a, "handle"_a, "pose"_a = nb::none(), nb::kw_only(), "resolution"_a = 0.02,
      "chain_from"_a = "", "orientation"_a = nb::none(), "region"_a = nb::none(), "tolerance"_a = 0.0,
      "met_degrees"_a = ReachOptions{}.met_degrees, "restarts"_a = ReachOptions{}.restarts, "threads"_a = 0,
      "lanes"_a = 0, "observer"_a = nb::none(), "solve"_a = nb::none(),
      nb::sig("def reach(problem: Problem, handle: Handle, pose: Pose | numpy.typing.ArrayLike | "
              "collections.abc.Mapping[str, float] | None = None, *, resolution: float = 0.02, chain_from: str = '', "
              "orientation: numpy.typing.ArrayLike | None = None, region: numpy.typing.ArrayLike | None = None, "
              "tolerance: float = 0.0, met_degrees: float = 0.5, restarts: int = 4, threads: int = 0, lanes: int = 0, "
              "observer: collections.abc.Callable[[int, int], bool | None] | None = None, solve: "
              "collections.abc.Callable[[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
              "int], tuple[numpy.typing.NDArray[numpy.float64], bytes]] | None = None) -> ReachMap"),
      "Maps the points that a handle can reach while every constraint of the problem is met. `resolution`: side of "
      "the finest cells; `region`: two corners of a box, (2, 3). `observer(solves, open)` is called after every wave; "
      "False ends with an unfinished map. Maps of processors with lanes of other widths are the same with the same "
      "`lanes`, as in solve_batch(). `solve` solves the waves elsewhere: limber.jobs.reach_maps() does.\n\n"
      ">>> figure = limber.human(root='fixed')\n"
      ">>> hand = limber.reach(limber.Problem(figure), figure.point('right_palm'), chain_from='right_shoulder',\n"
      "...                     resolution=0.15)\n"
      ">>> hand.finished, bool(0.1 < hand.surface().volume < 2.0), hand.contains(figure.rest().point('right_palm'))\n"
      "(True, True, True)");
}

}  // namespace limber::python
