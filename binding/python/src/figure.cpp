// Figures, handles and poses.
#include <nanobind/operators.h>
#include <nanobind/stl/map.h>

#include "objects.h"
#include "pickle.h"

namespace limber::python {

namespace {

constexpr Names<Spine, 2> spines = {{{"grouped", Spine::grouped}, {"independent", Spine::independent}}};
constexpr Names<Root, 2> roots = {{{"free", Root::free}, {"fixed", Root::fixed}}};

std::size_t size_of(const Figure& figure) { return figure.parameters().size(); }

std::vector<std::string> names_of(const Figure& figure) {
  std::vector<std::string> names;
  for (const Parameter& parameter : figure.parameters()) names.push_back(parameter.name);
  return names;
}

template <class Value>
New<Array1> by_parameter(const Figure& figure, Value&& value) {
  VecX v(static_cast<Eigen::Index>(size_of(figure)));
  for (std::size_t j = 0; j < size_of(figure); ++j) v[static_cast<Eigen::Index>(j)] = value(figure.parameters()[j]);
  return new_array(v);
}

// --- Values of a handle

void check_handle(const Figure& figure, const Handle& handle) {
  const auto fits = [&](const Element& element) {
    return element.segment >= 0 && static_cast<std::size_t>(element.segment) < figure.segments().size() &&
           static_cast<std::size_t>(element.segment_end) <= figure.segments().size();
  };
  for (int k = 0; k < handle.count(); ++k)
    if (!fits(handle.plus[static_cast<std::size_t>(k)]) ||
        (k < handle.minus_count && !fits(handle.minus[static_cast<std::size_t>(k)])))
      fail("handle '" + handle.name + "'", "a segment that the figure does not have", "a handle of this figure");
}

nb::object evaluate_handle(const Figure& figure, const Handle& handle, const nb::object& poses) {
  check_handle(figure, handle);
  const auto elements = static_cast<std::size_t>(handle.count());
  const auto size = static_cast<Eigen::Index>(size_of(figure));
  bool many = false;
  MatX thetas;
  if (nb::isinstance<PoseObject>(poses) || nb::hasattr(poses, "items")) {
    thetas = to_pose(figure, PoseLike{poses}).theta;
  } else {
    const nb::object array = as_array(poses, "poses");
    many = nb::cast<int>(nb::object(array.attr("ndim"))) == 2;
    thetas = many ? to_columns({array}, "poses", size) : MatX(to_vector({array}, "poses", size));
  }
  const auto count = static_cast<std::size_t>(thetas.cols());
  auto [data, owner] = new_numbers(3 * elements * count);
  {
    const nb::gil_scoped_release release;
    Kinematics state(figure);
    VecX q(static_cast<Eigen::Index>(figure.freedoms().size()));
    Vec3 x[max_elements];
    for (std::size_t k = 0; k < count; ++k) {
      figure.angles(thetas.col(static_cast<Eigen::Index>(k)), q);
      forward(figure, q, state);
      evaluate(figure, state, handle, x);
      for (std::size_t e = 0; e < elements; ++e) std::copy(x[e].data(), x[e].data() + 3, data + 3 * (elements * k + e));
    }
  }
  std::vector<std::size_t> shape;
  if (many) shape.push_back(count);
  if (elements > 1) shape.push_back(elements);
  shape.push_back(3);
  return nb::cast(Array(data, shape.size(), shape.data(), owner));
}

New<Array2> jacobian_of(const Figure& figure, const Handle& handle, const PoseLike& pose_like) {
  check_handle(figure, handle);
  const Pose pose = to_pose(figure, pose_like);
  const Kinematics state = forward(figure, pose);
  MatX by_freedom(3 * handle.count(), static_cast<Eigen::Index>(figure.freedoms().size()));
  jacobian(figure, state, handle, by_freedom);
  MatX J(by_freedom.rows(), static_cast<Eigen::Index>(size_of(figure)));
  VecX row(J.cols());
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    figure.pull_back(pose.theta, by_freedom.row(k).transpose(), row);
    J.row(k) = row;
  }
  return new_matrix(J);
}

Array3 frames_of(const std::vector<Frame>& frames) {
  auto [data, owner] = new_numbers(16 * frames.size());
  for (std::size_t s = 0; s < frames.size(); ++s) {
    Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> X(data + 16 * s);
    X.setIdentity();
    X.topLeftCorner<3, 3>() = frames[s].R;
    X.topRightCorner<3, 1>() = frames[s].p;
  }
  return Array3(data, {frames.size(), 4, 4}, owner);
}

Frame frame_at(const PoseObject& pose, std::string_view place) {
  const Handle handle = unwrap(pose.figure.frame(place));
  const Kinematics state = forward(pose.figure, pose.pose);
  Vec3 x[max_elements];
  evaluate(pose.figure, state, handle, x);
  return {rotation_from_xy(x[1], x[2]), x[0]};
}

Vec3 point_at(const PoseObject& pose, std::string_view place) {
  const Handle handle = unwrap(pose.figure.point(place));
  const Kinematics state = forward(pose.figure, pose.pose);
  Vec3 x[max_elements];
  evaluate(pose.figure, state, handle, x);
  return x[0];
}

Vec3 mass_centre_at(const PoseObject& pose) {
  const Handle handle = unwrap(pose.figure.mass_centre());
  const Kinematics state = forward(pose.figure, pose.pose);
  Vec3 x[max_elements];
  evaluate(pose.figure, state, handle, x);
  return x[0];
}

std::string svg_of(const Figure& figure, const Pose& pose) { return draw_svg(Problem(figure), pose, Report()); }

std::string short_text(const Figure& figure) {
  return "<limber.Figure '" + figure.name() + "': " + std::to_string(figure.segments().size()) + " segments, " +
         std::to_string(size_of(figure)) + " parameters>";
}

}  // namespace

VecX by_name(const Figure& figure, const nb::object& numbers, const char* what, double otherwise) {
  VecX v = VecX::Constant(static_cast<Eigen::Index>(size_of(figure)), otherwise);
  for (const nb::handle item : numbers.attr("items")()) {
    const nb::tuple pair = nb::cast<nb::tuple>(item);
    const Expected<int> parameter = figure.find_parameter(text_of(nb::object(pair[0])));
    if (!parameter) fail(parameter.error());
    double value = 0.0;
    if (!nb::try_cast(pair[1], value))
      fail(std::string(what) + ", " + text_of(nb::object(pair[0])), repr_of(nb::object(pair[1])), "a number");
    v[*parameter] = value;
  }
  return v;
}

Pose to_pose(const Figure& figure, const PoseLike& like) {
  const auto size = static_cast<Eigen::Index>(size_of(figure));
  if (nb::isinstance<PoseObject>(like.value)) {
    const auto& object = nb::cast<const PoseObject&>(like.value);
    if (object.pose.theta.size() != size)
      fail("pose",
           "a pose of the figure '" + object.figure.name() + "' with " + std::to_string(object.pose.theta.size()) +
               " parameters",
           "one of '" + figure.name() + "' with " + std::to_string(size));
    return object.pose;
  }
  if (nb::hasattr(like.value, "items")) {
    const Pose rest = figure.rest();
    const VecX given = by_name(figure, like.value, "pose", std::numeric_limits<double>::infinity());
    Pose pose = rest;
    for (Eigen::Index j = 0; j < size; ++j)
      if (given[j] != std::numeric_limits<double>::infinity()) pose.theta[j] = given[j];
    return pose;
  }
  return {to_vector({like.value}, "pose", size)};
}

Pose to_pose(const Figure& figure, const std::optional<PoseLike>& pose) {
  return pose ? to_pose(figure, *pose) : figure.rest();
}

void bind_handles(nb::module_& m) {
  nb::class_<Handle>(m, "Handle",
                     "A geometric quantity of a figure: a point, a direction, a ray, a frame, the centre "
                     "of mass, or a difference of two.\n\n"
                     ">>> figure = limber.human()\n"
                     ">>> figure.point('left_palm') - figure.point('right_palm')\n"
                     "<limber.Handle 'left_palm - right_palm': point>")
      .def_prop_ro(
          "name", [](const Handle& h) { return h.name; }, "As reports name it.")
      .def_prop_ro(
          "shape", [](const Handle& h) { return name_in(shapes, h.shape); },
          "'point', 'direction', 'directions', 'ray', 'frame', 'two-points' or 'three-points'.")
      .def(
          "part",
          [](const Handle& h, std::string_view shape) { return unwrap(part(h, to_enum(shapes, shape, "shape"))); },
          "shape"_a, "The part of the handle with that shape: the point of a frame.")
      .def(
          "__sub__", [](const Handle& a, const Handle& b) { return unwrap(difference(a, b)); }, "other"_a,
          "The difference, element by element: zero where the two coincide.")
      .def("__repr__",
           [](const Handle& h) { return "<limber.Handle '" + h.name + "': " + name_in(shapes, h.shape) + ">"; })
      .def("__getstate__", [](const Handle& h) { return to_bytes(h); })
      .def("__setstate__", [](Handle& h, const nb::bytes& state) { new (&h) Handle(from_bytes<Handle>(state)); });
  m.def(
      "together",
      [](const std::vector<Handle>& points) {
        std::vector<Expected<Handle>> all(points.begin(), points.end());
        return unwrap(together(all));
      },
      "points"_a, "Two or three points as one handle, for a goal of your own over several places.");
}

void bind_poses(nb::module_& m) {
  nb::class_<PoseObject>(m, "Pose",
                         "The values of a figure's parameters: angles in radians, lengths in metres.\n\n"
                         ">>> pose = limber.human().rest()\n"
                         ">>> pose['right_elbow.flexion'] = 1.2\n"
                         ">>> pose.theta.sum().item()\n"
                         "1.2\n"
                         ">>> [name for name, value in pose.items() if value]\n"
                         "['right_elbow.flexion']")
      .def(
          "__init__",
          [](PoseObject* p, const Figure& figure, const std::optional<PoseLike>& values) {
            new (p) PoseObject{figure, to_pose(figure, values)};
          },
          "figure"_a, "values"_a = nb::none(),
          "At rest, or with these values: an array, or a mapping from names to numbers.")
      .def_prop_ro(
          "figure", [](const PoseObject& p) { return p.figure; }, "The figure that has this pose.")
      .def_prop_rw(
          "theta", [](PoseObject& p) { return view(p.pose.theta); },
          [](PoseObject& p, const ArrayLike& values) {
            p.pose.theta = to_vector(values, "theta", p.pose.theta.size());
          },
          nb::rv_policy::reference_internal, "All values, in the order of the parameters. A view: changes count.")
      .def(
          "__array__",
          [](const PoseObject& p, const nb::object& dtype, const nb::object&) {
            nb::object array = nb::cast(new_array(p.pose.theta));
            return dtype.is_none() ? array : array.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none())
      .def(
          "__getitem__",
          [](const PoseObject& p, std::string_view name) { return unwrap(p.figure.value(p.pose, name)); }, "name"_a)
      .def(
          "__setitem__",
          [](PoseObject& p, std::string_view name, double value) { unwrap(p.figure.set(p.pose, name, value)); },
          "name"_a, "value"_a)
      .def(
          "__contains__",
          [](const PoseObject& p, std::string_view name) { return p.figure.find_parameter(name).has_value(); },
          "name"_a)
      .def(
          "__contains__", [](const PoseObject&, const nb::object&) { return false; }, "name"_a)
      .def("__len__", [](const PoseObject& p) { return p.pose.theta.size(); })
      .def(
          "__iter__", [](const PoseObject& p) { return nb::iter(nb::cast(names_of(p.figure))); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"))
      .def(
          "keys", [](const PoseObject& p) { return names_of(p.figure); }, "The names of the parameters.")
      .def(
          "values", [](const PoseObject& p) { return new_array(p.pose.theta); }, "A copy of the values.")
      .def(
          "items",
          [](const PoseObject& p) {
            std::vector<std::pair<std::string, double>> items;
            for (std::size_t j = 0; j < size_of(p.figure); ++j)
              items.emplace_back(p.figure.parameters()[j].name, p.pose.theta[static_cast<Eigen::Index>(j)]);
            return items;
          },
          "Pairs of name and value.")
      .def(
          "copy", [](const PoseObject& p) { return p; }, "A pose of its own.")
      .def("__copy__", [](const PoseObject& p) { return p; })
      .def(
          "__deepcopy__", [](const PoseObject& p, const nb::object&) { return p; }, "memo"_a)
      .def(
          "__eq__",
          [](const PoseObject& a, const nb::object& b) {
            if (!nb::isinstance<PoseObject>(b)) return false;
            const auto& other = nb::cast<const PoseObject&>(b);
            return a.pose.theta.size() == other.pose.theta.size() && a.pose.theta == other.pose.theta &&
                   names_of(a.figure) == names_of(other.figure);
          },
          "other"_a, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "point", [](const PoseObject& p, std::string_view place) { return new_array(point_at(p, place)); }, "place"_a,
          "Where a site, segment or joint is, in the world.")
      .def(
          "frame", [](const PoseObject& p, std::string_view place) { return new_array(frame_at(p, place)); }, "place"_a,
          "The frame of a site, segment or joint in the world, 4 x 4.")
      .def(
          "mass_centre", [](const PoseObject& p) { return new_array(mass_centre_at(p)); }, "Of all masses.")
      .def(
          "frames", [](const PoseObject& p) { return frames_of(forward(p.figure, p.pose).segments); },
          "The frames of all segments in the world, (segments, 4, 4).")
      .def(
          "mirrored",
          [](const PoseObject& p) {
            if (p.figure.mirror().empty())
              fail("figure '" + p.figure.name() + "'", "no mirror pairs", "a figure with a left and a right side");
            return PoseObject{p.figure, p.figure.mirrored(p.pose)};
          },
          "Left and right exchanged.")
      .def("__repr__",
           [](const PoseObject& p) {
             return "<limber.Pose of '" + p.figure.name() + "': " + std::to_string(p.pose.theta.size()) +
                    " parameters>";
           })
      .def("_repr_svg_", [](const PoseObject& p) { return svg_of(p.figure, p.pose); })
      .def("__getstate__", [](const PoseObject& p) { return nb::make_tuple(p.figure, new_array(p.pose.theta)); })
      .def("__setstate__", [](PoseObject& p, const std::pair<Figure, ArrayLike>& state) {
        new (&p) PoseObject{state.first,
                            {to_vector(state.second, "theta", static_cast<Eigen::Index>(size_of(state.first)))}};
      });
}

void bind_figures(nb::module_& m) {
  nb::class_<Parameter>(m, "Parameter", "A number that the solver may change, with its limits.")
      .def_ro("name", &Parameter::name, "'right_elbow.flexion'.")
      .def_prop_ro(
          "lower", [](const Parameter& p) { return p.range.lower; }, "Lower limit.")
      .def_prop_ro(
          "upper", [](const Parameter& p) { return p.range.upper; }, "Upper limit.")
      .def_prop_ro(
          "rest", [](const Parameter& p) { return p.range.rest; }, "Its value at rest.")
      .def_prop_ro(
          "rigidity", [](const Parameter& p) { return p.range.rigidity; }, "0 free … 1 does not move.")
      .def_prop_ro(
          "stiffness", [](const Parameter& p) { return p.range.stiffness; },
          "One of 4 moves a quarter as far for the same pull.")
      .def_ro("translates", &Parameter::translates, "In metres, else in radians.")
      .def("__repr__", [](const Parameter& p) { return "<limber.Parameter '" + p.name + "'>"; });

  nb::class_<Figure>(
      m, "Figure",
      "A tree of segments, joints, parameters and limits; constant.\n\n"
      ">>> figure = limber.human()\n"
      ">>> figure\n"
      "<limber.Figure 'human': 37 segments, 42 parameters>\n"
      ">>> figure.point('right_plam')\n"
      "Traceback (most recent call last):\n"
      "  ...\n"
      "limber.Error: figure 'human': found the name 'right_plam'; expected a site, segment or joint, such as "
      "'right_palm', 'right_ball', 'right_elbow'")
      .def(
          "__init__",
          [](Figure* f, const FigureDescription& description) { new (f) Figure(unwrap(build_figure(description))); },
          "description"_a, "Checks the description: a tree, ordered limits, unique names, finite numbers.")
      .def_prop_ro("name", &Figure::name, "Its name.")
      .def_prop_ro(
          "description", [](const Figure& f) { return f.description(); }, "Its parts as data, to change them.")
      .def_prop_ro(
          "parameters", [](const Figure& f) { return tuple_of(f.parameters()); }, "What the solver may change.")
      .def_prop_ro(
          "names", [](const Figure& f) { return tuple_of(names_of(f)); }, "The names of the parameters.")
      .def_prop_ro(
          "lower", [](const Figure& f) { return by_parameter(f, [](const Parameter& p) { return p.range.lower; }); },
          "Lower limits, by parameter.")
      .def_prop_ro(
          "upper", [](const Figure& f) { return by_parameter(f, [](const Parameter& p) { return p.range.upper; }); },
          "Upper limits, by parameter.")
      .def_prop_ro(
          "segments",
          [](const Figure& f) {
            std::vector<std::string> names;
            for (const Segment& segment : f.segments()) names.push_back(segment.name);
            return tuple_of(names);
          },
          "The names of the segments, parents before children.")
      .def_prop_ro(
          "parents",
          [](const Figure& f) {
            std::vector<int> parents;
            for (const Segment& segment : f.segments()) parents.push_back(segment.parent);
            return tuple_of(parents);
          },
          "The parent of each segment; -1 for the world.")
      .def_prop_ro(
          "joints",
          [](const Figure& f) {
            std::vector<std::string> names;
            for (const Joint& joint : f.joints()) names.push_back(joint.name);
            return tuple_of(names);
          },
          "The names of the joints; joint s carries segment s.")
      .def_prop_ro(
          "sites",
          [](const Figure& f) {
            std::vector<std::string> names;
            for (const Site& site : f.sites()) names.push_back(site.name);
            return tuple_of(names);
          },
          "The names of the sites.")
      .def_prop_ro(
          "groups",
          [](const Figure& f) {
            std::vector<std::string> names;
            for (const Group& group : f.groups()) names.push_back(group.name);
            return tuple_of(names);
          },
          "The names of the joint groups.")
      .def_prop_ro(
          "parts",
          [](const Figure& f) {
            std::vector<std::string> names;
            for (const FigurePart& part : f.parts()) names.push_back(part.name);
            return tuple_of(names);
          },
          "The names of the figures that were joined into this one.")
      .def_prop_ro("mass", &Figure::mass, "In kilograms.")
      .def_prop_ro("length", &Figure::length, "The longest path from a root along the bones, in metres.")
      .def_prop_ro(
          "has_prior", [](const Figure& f) { return has_prior(f); }, "Whether it knows its usual poses.")
      .def_prop_ro(
          "has_mirror", [](const Figure& f) { return !f.mirror().empty(); }, "Whether it has a left and a right side.")
      .def(
          "point", [](const Figure& f, std::string_view place) { return unwrap(f.point(place)); }, "place"_a,
          "The point of a site, segment (its origin) or joint (its centre).")
      .def(
          "direction",
          [](const Figure& f, std::string_view place, const std::optional<ArrayLike>& local) {
            return unwrap(f.direction(place, local ? to_vec3(*local, "local") : Vec3(Vec3::UnitX())));
          },
          "place"_a, "local"_a = nb::none(), "A direction that is fixed to a place; default: its x axis.")
      .def(
          "ray", [](const Figure& f, std::string_view place) { return unwrap(f.ray(place)); }, "place"_a,
          "The ray from a place along its x axis: a gaze.")
      .def(
          "frame", [](const Figure& f, std::string_view place) { return unwrap(f.frame(place)); }, "place"_a,
          "Position and orientation of a place.")
      .def(
          "mass_centre",
          [](const Figure& f, const std::optional<std::string>& part) {
            return unwrap(part ? f.mass_centre_of(*part) : f.mass_centre());
          },
          "part"_a = nb::none(), "The centre of mass: of the whole, or of one of several figures.")
      .def(
          "rest", [](const Figure& f) { return PoseObject{f, f.rest()}; }, "The rest pose.")
      .def(
          "pose", [](const Figure& f, const PoseLike& values) { return PoseObject{f, to_pose(f, values)}; }, "values"_a,
          "A pose from an array, or from a mapping of names to numbers with the others at rest.")
      .def("evaluate", &evaluate_handle, "handle"_a, "poses"_a,
           nb::sig("def evaluate(self, handle: Handle, poses: Pose | numpy.typing.ArrayLike | "
                   "collections.abc.Mapping[str, float]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Where a handle is: three numbers, or (elements, 3); for an array (N, parameters) of poses, N of them.\n\n"
           ">>> figure = limber.human()\n"
           ">>> figure.evaluate(figure.point('right_palm'), [figure.rest().theta] * 2).shape\n"
           "(2, 3)")
      .def("jacobian", &jacobian_of, "handle"_a, "pose"_a,
           "The derivative of a handle's value by the parameters: (3 elements, parameters).")
      .def(
          "hung_from", [](const Figure& f, std::string_view place) { return unwrap(hung_from(f, place)); }, "place"_a,
          "The figure with another segment as its root.")
      .def(
          "with_common_names", [](const Figure& f) { return unwrap(with_common_names(f)); },
          "Adds sites such as right_palm to a rig with names of its own, and its usual poses.")
      .def(
          "with_mirror_pairs", [](const Figure& f) { return with_mirror_pairs(f); },
          "Adds left and right by the names of a known rig.")
      .def(
          "with_free_root", [](const Figure& f) { return unwrap(with_free_root(f)); },
          "A figure that is fixed to the world gets a root with six degrees of freedom.")
      .def(
          "with_prior", [](const Figure& f, const PriorDescription& prior) { return unwrap(with_prior(f, prior)); },
          "prior"_a, "With these usual poses in place of its own.")
      .def("__repr__", &short_text)
      .def("_repr_svg_", [](const Figure& f) { return svg_of(f, f.rest()); })
      .def("__copy__", [](const Figure& f) { return f; })
      .def(
          "__deepcopy__", [](const Figure& f, const nb::object&) { return f; }, "memo"_a)
      .def("__getstate__", [](const Figure& f) { return to_bytes(f); })
      .def("__setstate__", [](Figure& f, const nb::bytes& state) { new (&f) Figure(from_bytes<Figure>(state)); });

  m.def(
      "human",
      [](std::string_view sex, double stature, double mass, std::string_view spine, std::string_view root) {
        return unwrap(human({.sex = to_enum(sexes, sex, "sex"),
                             .stature = stature,
                             .mass = mass,
                             .spine = to_enum(spines, spine, "spine"),
                             .root = to_enum(roots, root, "root")}));
      },
      "sex"_a = "male", "stature"_a = 0.0, "mass"_a = 0.0, "spine"_a = "grouped", "root"_a = "free",
      "The built-in human. Metres and kilograms; 0: the mean of the published sample. `spine`: 'grouped' or "
      "'independent'; `root`: 'free' or 'fixed'.");
  m.def(
      "simple_human",
      [](double stature, double mass, std::string_view root, bool clavicles) {
        return unwrap(simple_human(
            {.stature = stature, .mass = mass, .root = to_enum(roots, root, "root"), .clavicles = clavicles}));
      },
      "stature"_a = 0.0, "mass"_a = 0.0, "root"_a = "free", "clavicles"_a = false,
      "The simpler human of the earlier papers: a torso of five joints, no joint groups.");
  m.def(
      "stature_at",
      [](std::string_view sex, double percentile) { return stature_at(to_enum(sexes, sex, "sex"), percentile); },
      "sex"_a, "percentile"_a, "Stature of British adults at a percentile, in metres.");
  m.def(
      "join",
      [](const nb::dict& figures, const std::string& name) {
        std::vector<FigurePart> parts;
        for (const auto [key, value] : figures) {
          FigurePart part{.name = text_of(key), .figure = human()};
          if (nb::isinstance<Figure>(value)) {
            part.figure = nb::cast<Figure>(value);
          } else {
            std::pair<Figure, ArrayLike> placed{human(), {}};
            if (!nb::try_cast(value, placed))
              fail("figures, " + part.name, repr_of(value), "a figure, or a figure and its frame in the world");
            part.figure = placed.first;
            part.X_world_figure = to_frame(placed.second, "frame");
          }
          parts.push_back(std::move(part));
        }
        return unwrap(join_figures(parts, name));
      },
      "figures"_a, "name"_a = "figures",
      nb::sig("def join(figures: collections.abc.Mapping[str, Figure | tuple[Figure, numpy.typing.ArrayLike]], "
              "name: str = 'figures') -> Figure"),
      "Several figures as one, posed together, each with its name before those of its parts.\n\n"
      ">>> two = limber.join({'host': limber.human(), 'guest': (limber.human(), [0, 0, 1])})\n"
      ">>> two.point('guest.right_palm').name\n"
      "'guest.right_palm'");
}

void bind_figure(nb::module_& m) {
  bind_handles(m);
  bind_poses(m);
  bind_figures(m);
}

}  // namespace limber::python
