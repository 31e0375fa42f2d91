// Goals: what a handle should do.
#include "objects.h"
#include "pickle.h"

namespace limber::python {

namespace {

constexpr Names<Distance::Bound, 3> bounds = {{{"equal", Distance::Bound::equal},
                                               {"at-most", Distance::Bound::at_most},
                                               {"at-least", Distance::Bound::at_least}}};
// --- A goal of one's own: two functions of Python. They are called on the thread that solves, with the interpreter's
// lock. The first exception is kept, and thrown after the solve; from then on the residual is not a number, which ends
// the solve.

class OwnGoal {
 public:
  OwnGoal(nb::object residual, nb::object error) : residual_(std::move(residual)), error_(std::move(error)) {}
  ~OwnGoal() {
    const nb::gil_scoped_acquire lock;
    residual_.reset();
    error_.reset();
    thrown_.reset();
  }
  OwnGoal(const OwnGoal&) = delete;
  OwnGoal& operator=(const OwnGoal&) = delete;

  void residual(const HandleValue& x, Residual& out) {
    const nb::gil_scoped_acquire lock;
    try {
      if (!thrown_) {
        const nb::tuple answer = pair_of(residual_(value_of(x)));
        const VecX r = to_vector({answer[0]}, "residual, r", out.r.size());
        const MatX J = to_matrix({answer[1]}, "residual, J", out.J.rows(), out.J.cols());
        out.r = r;
        out.J = J;
        return;
      }
    } catch (nb::python_error& error) {
      keep(error);
    }
    out.r.setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  GoalError error(const HandleValue& x, int rows) {
    const nb::gil_scoped_acquire lock;
    try {
      if (!thrown_) {
        if (!error_.is_none()) return error_from(error_(value_of(x)));
        const nb::tuple answer = pair_of(residual_(value_of(x)));
        return {to_vector({answer[0]}, "residual, r", rows).norm(), std::nullopt};
      }
    } catch (nb::python_error& error) {
      keep(error);
    }
    return {infinity, std::nullopt};
  }

  void rethrow() {
    if (!thrown_) return;
    nb::python_error error = std::move(*thrown_);
    thrown_.reset();
    throw nb::python_error(std::move(error));
  }

  const nb::object& residual_function() const { return residual_; }
  const nb::object& error_function() const { return error_; }

 private:
  static nb::object value_of(const HandleValue& x) {
    const int count = element_count(x.shape);
    return nb::cast(count == 1 ? nb::cast(new_array(x[0])) : nb::cast(new_points({x.x, x.x + count})));
  }
  static nb::tuple pair_of(const nb::object& answer) {
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
      fail("residual", repr_of(answer), "the pair (r, J): the residual and its derivative");
    return nb::borrow<nb::tuple>(answer);
  }
  static GoalError error_from(const nb::object& answer) {
    double metres = 0.0;
    if (nb::try_cast(answer, metres)) return {metres, std::nullopt};
    std::pair<std::optional<double>, std::optional<double>> both;
    if (!nb::try_cast(answer, both)) fail("error", repr_of(answer), "metres, or the pair (metres, radians)");
    return {both.first, both.second};
  }
  void keep(nb::python_error& error) {
    if (!thrown_) thrown_.emplace(std::move(error));
  }

  nb::object residual_, error_;
  std::optional<nb::python_error> thrown_;
};

// The library copies functions as it likes, also without the lock: only this counts references to Python.
struct OwnResidual {
  std::shared_ptr<OwnGoal> goal;
  void operator()(const HandleValue& x, Residual& out) const { goal->residual(x, out); }
};
struct OwnError {
  std::shared_ptr<OwnGoal> goal;
  int rows;
  GoalError operator()(const HandleValue& x) const { return goal->error(x, rows); }
};

const OwnResidual* own(const Goal& goal) {
  const CustomGoal* custom = std::get_if<CustomGoal>(&goal);
  return custom ? custom->residual.target<OwnResidual>() : nullptr;
}

CustomGoal custom_goal(const nb::object& residual, int rows, std::string_view shape, const nb::object& error,
                       const std::string& name) {
  if (!PyCallable_Check(residual.ptr())) fail("residual", repr_of(residual), "a function");
  if (!error.is_none() && !PyCallable_Check(error.ptr())) fail("error", repr_of(error), "a function or None");
  if (rows < 1 || rows > 1000) fail("rows", std::to_string(rows), "1 to 1000");
  const auto goal = std::make_shared<OwnGoal>(residual, error);
  return {.title = name,
          .shape = to_enum(shapes, shape, "shape"),
          .row_count = rows,
          .residual = OwnResidual{goal},
          .error_function = OwnError{goal, rows}};
}

Orientation orientation_of(const ArrayLike& rotation, double degrees_per_metre) {
  return orientation(to_rotation(rotation, "rotation"), degrees_per_metre);
}

Mat3 rotation_of(const Orientation& o) { return rotation_from_xy(o.x, o.y); }

std::vector<Face> faces_of(const ArrayLike& points, const ArrayLike& normals) {
  const std::vector<Vec3> p = to_points(points, "points"), v = to_points(normals, "normals");
  if (p.size() != v.size()) fail("normals", std::to_string(v.size()), std::to_string(p.size()) + ", one per point");
  std::vector<Face> faces;
  for (std::size_t k = 0; k < p.size(); ++k) faces.push_back({p[k], v[k]});
  return faces;
}

template <class G>
void bind_polyhedron(nb::module_& m, const char* name, const char* doc) {
  nb::class_<G> polyhedron(m, name, doc);
  def_bytes(polyhedron);
  polyhedron
      .def(
          "__init__",
          [](G* g, const ArrayLike& points, const ArrayLike& normals) { new (g) G{faces_of(points, normals)}; },
          "points"_a, "normals"_a, "A point on each face and the unit normal that points out, (faces, 3) each.")
      .def_prop_ro(
          "points",
          [](const G& g) {
            std::vector<Vec3> points;
            for (const Face& face : g.faces) points.push_back(face.p);
            return new_points(points);
          },
          "A point on each face.")
      .def_prop_ro(
          "normals",
          [](const G& g) {
            std::vector<Vec3> normals;
            for (const Face& face : g.faces) normals.push_back(face.v);
            return new_points(normals);
          },
          "The outward normals.");
}

template <class G>
void bind_capsule_goal(nb::module_& m, const char* name, const char* doc) {
  nb::class_<G> region(m, name, doc);
  def_bytes(region);
  region.def(
            "__init__", [](G* g, const Capsule& capsule) { new (g) G{capsule}; }, "capsule"_a)
      .def_rw("capsule", &G::capsule, "The region.");
}

template <class G, auto member>
void def_vector(nb::class_<G>& c, const char* name, const char* doc) {
  c.def_prop_rw(
      name, [](G& g) { return view(g.*member); },
      [name](G& g, const ArrayLike& value) { g.*member = to_vec3(value, name); }, nb::rv_policy::reference_internal,
      doc);
}

template <class G>
std::string text_of(const G& g) {
  const auto row = [](const Vec3& v) {
    std::string text = "[";
    for (int k = 0; k < 3; ++k) text += (k ? ", " : "") + repr_of(nb::cast(v[k]));
    return text + "]";
  };
  return std::string("(") + row(g) + ")";
}

}  // namespace

bool calls_python(const Goal& goal) { return own(goal) != nullptr; }

bool calls_python(const Problem& problem) {
  for (const Constraint& constraint : problem.constraints())
    for (const Alternative& alternative : constraint.alternatives())
      if (calls_python(alternative.goal)) return true;
  return false;
}

void ProblemObject::rethrow() const {
  if (!calls_python) return;
  for (const Constraint& constraint : problem.constraints())
    for (const Alternative& alternative : constraint.alternatives())
      if (const OwnResidual* goal = own(alternative.goal)) goal->goal->rethrow();
}

Goal to_goal(const nb::handle& source, const char* what) {
  Position position;
  if (nb::try_cast(source, position, false)) return position;
  Goal goal;
  if (nb::try_cast(source, goal, false)) return goal;
  fail(what, repr_of(source), "a goal such as limber.Position");
}

nb::object from_goal(const Goal& goal) {
  return std::visit([](const auto& g) { return nb::cast(g); }, goal);
}

void bind_goal(nb::module_& m) {
  m.attr("must") = infinity;

  nb::class_<Capsule> capsule(m, "Capsule",
                              "All points within a radius of the line from a to b; a sphere where a is b.");
  def_bytes(capsule);
  capsule
      .def(
          "__init__",
          [](Capsule* c, const ArrayLike& a, const ArrayLike& b, double radius) {
            new (c) Capsule{to_vec3(a, "a"), to_vec3(b, "b"), radius};
          },
          "a"_a, "b"_a, "radius"_a)
      .def_prop_ro(
          "a", [](Capsule& c) { return view(c.a); }, nb::rv_policy::reference_internal, "One end of the core.")
      .def_prop_ro(
          "b", [](Capsule& c) { return view(c.b); }, nb::rv_policy::reference_internal, "The other end.")
      .def_rw("radius", &Capsule::radius, "In metres.");
  m.def(
      "sphere", [](const ArrayLike& centre, double radius) { return sphere(to_vec3(centre, "centre"), radius); },
      "centre"_a, "radius"_a, "A sphere, as a capsule of length 0.");

  nb::class_<Position> position(m, "Position", "The point must be at p.");
  position.def(
              "__init__", [](Position* g, const ArrayLike& p) { new (g) Position{to_vec3(p, "p")}; }, "p"_a)
      .def("__repr__", [](const Position& g) { return "limber.Position" + text_of(g.p); });
  def_vector<Position, &Position::p>(position, "p", "In metres. A view: changes count.");
  def_bytes(position);

  nb::class_<Direction> direction(m, "Direction", "The direction must be v.");
  direction.def(
      "__init__",
      [](Direction* g, const ArrayLike& v, double degrees_per_metre) {
        new (g) Direction{to_vec3(v, "v"), per_metre(degrees_per_metre)};
      },
      "v"_a, "degrees_per_metre"_a = 100.0, "So many degrees count as much as one metre.");
  def_vector<Direction, &Direction::v>(direction, "v", "Of any length but 0.");
  def_bytes(direction);
  direction.def_rw("c", &Direction::c, "Metres per unit of the chord, ZB94 (8).");

  nb::class_<Orientation> turned(m, "Orientation", "The frame must be turned like this.");
  turned
      .def(
          "__init__",
          [](Orientation* g, const ArrayLike& rotation, double degrees_per_metre) {
            new (g) Orientation(orientation_of(rotation, degrees_per_metre));
          },
          "rotation"_a, "degrees_per_metre"_a = 100.0, "A rotation matrix, 3 x 3.")
      .def_static(
          "of_axes",
          [](const ArrayLike& x, const ArrayLike& y, double c_x, double c_y) {
            return Orientation{to_vec3(x, "x"), to_vec3(y, "y"), c_x, c_y};
          },
          "x"_a, "y"_a, "c_x"_a = default_c, "c_y"_a = default_c,
          "The directions of the x axis and the y axis; a c of 0 suppresses one. ZB94 (9)")
      .def_prop_ro("rotation", [](const Orientation& g) { return new_array(rotation_of(g)); }, "As a matrix, 3 x 3.");
  def_vector<Orientation, &Orientation::x>(turned, "x", "The direction of the x axis.");
  def_vector<Orientation, &Orientation::y>(turned, "y", "The direction of the y axis.");
  def_bytes(turned);
  turned.def_rw("c_x", &Orientation::c_x, "Importance of x; 0: it is free.")
      .def_rw("c_y", &Orientation::c_y, "Importance of y; 0: it is free.");

  nb::class_<Placement> placement(m, "Placement", "The frame must be at p and turned like this.");
  placement
      .def(
          "__init__",
          [](Placement* g, const ArrayLike& frame, double w_p, double degrees_per_metre) {
            const Frame X = to_frame(frame, "frame");
            new (g) Placement{X.p, orientation(X.R, degrees_per_metre), w_p, 1.0 - w_p};
          },
          "frame"_a, "w_p"_a = 0.5, "degrees_per_metre"_a = 100.0,
          "A frame in the world, 4 x 4; `w_p` is the share of the position, the orientation has the rest.")
      .def_prop_ro(
          "frame", [](const Placement& g) { return new_array(Frame{rotation_of(g.orientation), g.p}); }, "4 x 4.")
      .def_rw("orientation", &Placement::orientation, "Its orientation.")
      .def_ro("w_p", &Placement::w_p, "The share of the position.");
  def_vector<Placement, &Placement::p>(placement, "p", "Its position.");
  def_bytes(placement);

  nb::class_<AimAt> aim(m, "AimAt", "The ray must pass through p: eyes that look at it.");
  aim.def(
      "__init__",
      [](AimAt* g, const ArrayLike& p, double degrees_per_metre) {
        new (g) AimAt{to_vec3(p, "p"), per_metre(degrees_per_metre)};
      },
      "p"_a, "degrees_per_metre"_a = 100.0);
  def_vector<AimAt, &AimAt::p>(aim, "p", "In metres.");
  def_bytes(aim);
  aim.def_rw("c", &AimAt::c, "Metres per unit of the chord, ZB94 (8).");

  nb::class_<Line> line(m, "Line", "The point must lie on the line through p along v.");
  line.def(
      "__init__",
      [](Line* g, const ArrayLike& p, const ArrayLike& v) { new (g) Line{to_vec3(p, "p"), to_vec3(v, "v")}; }, "p"_a,
      "v"_a);
  def_vector<Line, &Line::p>(line, "p", "A point on it.");
  def_vector<Line, &Line::v>(line, "v", "Along it.");
  def_bytes(line);

  nb::class_<Plane> plane(m, "Plane", "The point must lie in the plane through p with the normal v.");
  plane.def(
      "__init__",
      [](Plane* g, const ArrayLike& p, const ArrayLike& v) { new (g) Plane{to_vec3(p, "p"), to_vec3(v, "v")}; }, "p"_a,
      "v"_a);
  def_vector<Plane, &Plane::p>(plane, "p", "A point in it.");
  def_vector<Plane, &Plane::v>(plane, "v", "Its normal.");
  def_bytes(plane);

  nb::class_<HalfSpace> half(m, "HalfSpace", "The point must be on the side of the plane that v points to.");
  half.def(
      "__init__",
      [](HalfSpace* g, const ArrayLike& p, const ArrayLike& v) { new (g) HalfSpace{to_vec3(p, "p"), to_vec3(v, "v")}; },
      "p"_a, "v"_a);
  def_vector<HalfSpace, &HalfSpace::p>(half, "p", "A point of the plane.");
  def_vector<HalfSpace, &HalfSpace::v>(half, "v", "Points inside.");
  def_bytes(half);

  nb::class_<Distance> distance(m, "Distance", "The point must be at a distance from p: a stick, a rope.");
  distance
      .def(
          "__init__",
          [](Distance* g, const ArrayLike& p, double d, std::string_view bound) {
            new (g) Distance{to_vec3(p, "p"), d, to_enum(bounds, bound, "bound")};
          },
          "p"_a, "d"_a, "bound"_a = "equal", "`bound`: 'equal', 'at-most' or 'at-least'.")
      .def_rw("d", &Distance::d, "In metres.")
      .def_prop_ro("bound", [](const Distance& g) { return name_in(bounds, g.bound); }, "Which side counts.");
  def_vector<Distance, &Distance::p>(distance, "p", "From where.");
  def_bytes(distance);

  bind_polyhedron<InsidePolyhedron>(m, "InsidePolyhedron", "The point must be inside a convex polyhedron.");
  bind_polyhedron<OutsidePolyhedron>(m, "OutsidePolyhedron", "The point must be outside a convex polyhedron.");
  bind_capsule_goal<InsideCapsule>(m, "InsideCapsule", "The point must be inside a capsule or sphere.");
  bind_capsule_goal<OutsideCapsule>(m, "OutsideCapsule", "The point must be outside a capsule or sphere.");

  nb::class_<Coincide> coincide(m, "Coincide", "A difference of two handles must vanish: hands clasped.");
  def_bytes(coincide);
  coincide
      .def(
          "__init__", [](Coincide* g, double degrees_per_metre) { new (g) Coincide{per_metre(degrees_per_metre)}; },
          "degrees_per_metre"_a = 100.0)
      .def_rw("c", &Coincide::c, "Metres per unit of the chord, ZB94 (8).");
  nb::class_<Hold> holds(m, "Hold", "The handle must stay where it is in the start pose.");
  def_bytes(holds);
  holds
      .def(
          "__init__",
          [](Hold* g, double degrees_per_metre) {
            new (g) Hold{};
            g->c = per_metre(degrees_per_metre);
          },
          "degrees_per_metre"_a = 100.0)
      .def_prop_ro("c", [](const Hold& g) { return g.c; }, "Metres per unit of the chord, ZB94 (8).");
  m.def("hold", [] { return hold(); }, "The goal of a handle that stays where it is in the start pose.");

  nb::class_<CustomGoal>(m, "CustomGoal",
                         "A goal of your own: a function of the handle's value that returns its residual and the "
                         "derivative.\n\n"
                         ">>> import numpy\n"
                         ">>> def at_height(x):\n"
                         "...     return numpy.array([x[1] - 1.2]), numpy.array([[0.0, 1.0, 0.0]])\n"
                         ">>> figure = limber.human()\n"
                         ">>> problem = limber.Problem(figure)\n"
                         ">>> _ = problem.add(figure.point('right_palm'), limber.CustomGoal(at_height, rows=1))\n"
                         ">>> round(limber.solve(problem).pose.point('right_palm')[1].item(), 3)\n"
                         "1.2")
      .def(
          "__init__",
          [](CustomGoal* g, const nb::object& residual, int rows, std::string_view shape, const nb::object& error,
             const std::string& name) { new (g) CustomGoal(custom_goal(residual, rows, shape, error, name)); },
          "residual"_a, "rows"_a, "shape"_a = "point", "error"_a = nb::none(), "name"_a = "custom",
          nb::sig("def __init__(self, residual: collections.abc.Callable[[numpy.typing.NDArray[numpy.float64]], "
                  "tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike]], rows: int, shape: str = 'point', error: "
                  "collections.abc.Callable[[numpy.typing.NDArray[numpy.float64]], typing.Any] | None = None, "
                  "name: str = 'custom') -> None"),
          "`residual(x)` gets the value of the handle, three numbers or (elements, 3), and returns `(r, J)`: `rows` "
          "numbers that are 0 where the goal is met, and their derivative, (rows, 3 elements). `error(x)` returns "
          "metres, or (metres, radians); default: the length of r.")
      .def_ro("name", &CustomGoal::title, "For reports.")
      .def_ro("rows", &CustomGoal::row_count, "The length of r.")
      .def("__reduce__", [](const nb::object& self) {
        const auto& g = nb::cast<const CustomGoal&>(self);
        const OwnGoal& functions = *g.residual.target<OwnResidual>()->goal;
        return nb::make_tuple(self.type(),
                              nb::make_tuple(functions.residual_function(), g.row_count, name_in(shapes, g.shape),
                                             functions.error_function(), g.title));
      });
}

}  // namespace limber::python
