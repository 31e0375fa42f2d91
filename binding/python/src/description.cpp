// Figures as data: to build one in Python, or to change one.
#include "objects.h"
#include "pickle.h"

namespace limber::python {

namespace {

constexpr Names<Motion, 2> motions = {{{"rotate", Motion::rotate}, {"translate", Motion::translate}}};
constexpr Names<Relation, 2> relations = {{{"equal", Relation::equal}, {"at-most", Relation::at_most}}};

// A member that is a list: read as a tuple, so that a change to a copy is no silent loss.
template <class T, auto member>
void def_list(nb::class_<T>& c, const char* name, const char* doc) {
  using Items = std::remove_cvref_t<decltype(std::declval<T&>().*member)>;
  c.def_prop_rw(
      name, [](const T& t) { return tuple_of(t.*member); }, [](T& t, const Items& items) { t.*member = items; }, doc);
}

template <class T, auto member>
void def_frame(nb::class_<T>& c, const char* name, const char* doc) {
  c.def_prop_rw(
      name, [](const T& t) { return new_array(t.*member); },
      [name](T& t, const ArrayLike& frame) { t.*member = to_frame(frame, name); }, doc);
}

template <class T, auto member>
void def_vec3(nb::class_<T>& c, const char* name, const char* doc) {
  c.def_prop_rw(
      name, [](const T& t) { return new_array(t.*member); },
      [name](T& t, const ArrayLike& v) { t.*member = to_vec3(v, name); }, doc);
}

Frame frame_or_identity(const std::optional<ArrayLike>& frame, const char* what) {
  return frame ? to_frame(*frame, what) : Frame();
}
Vec3 or_else(const std::optional<ArrayLike>& v, const char* what, const Vec3& otherwise) {
  return v ? to_vec3(*v, what) : otherwise;
}

void bind_joints(nb::module_& m) {
  nb::class_<FreedomDescription> freedom(m, "Freedom", "A degree of freedom of a joint: one rotation or translation.");
  freedom
      .def(
          "__init__",
          [](FreedomDescription* f, const std::string& name, const std::optional<ArrayLike>& axis,
             std::string_view motion, double lower, double upper, double rest, double rigidity, double stiffness) {
            new (f) FreedomDescription{name,
                                       to_enum(motions, motion, "motion"),
                                       or_else(axis, "axis", Vec3::UnitX()),
                                       {lower, upper, rest, rigidity, stiffness}};
          },
          "name"_a, "axis"_a = nb::none(), nb::kw_only(), "motion"_a = "rotate", "lower"_a = -infinity,
          "upper"_a = infinity, "rest"_a = 0.0, "rigidity"_a = 0.0, "stiffness"_a = 1.0,
          nb::sig("def __init__(self, name: str, axis: numpy.typing.ArrayLike | None = None, *, motion: str = "
                  "'rotate', lower: float = float('-inf'), upper: float = float('inf'), rest: float = 0.0, rigidity: "
                  "float = 0.0, stiffness: float = 1.0) -> None"),
          "`motion`: 'rotate' or 'translate' along the axis (default: x). Radians or metres.")
      .def_rw("name", &FreedomDescription::name, "Its name within the joint.")
      .def_prop_rw(
          "motion", [](const FreedomDescription& f) { return std::string(name_in(motions, f.motion)); },
          [](FreedomDescription& f, std::string_view motion) { f.motion = to_enum(motions, motion, "motion"); },
          "'rotate' or 'translate'.")
      .def_prop_rw(
          "lower", [](const FreedomDescription& f) { return f.range.lower; },
          [](FreedomDescription& f, double value) { f.range.lower = value; }, "Lower limit.")
      .def_prop_rw(
          "upper", [](const FreedomDescription& f) { return f.range.upper; },
          [](FreedomDescription& f, double value) { f.range.upper = value; }, "Upper limit.")
      .def_prop_rw(
          "rest", [](const FreedomDescription& f) { return f.range.rest; },
          [](FreedomDescription& f, double value) { f.range.rest = value; }, "At rest.")
      .def_prop_rw(
          "rigidity", [](const FreedomDescription& f) { return f.range.rigidity; },
          [](FreedomDescription& f, double value) { f.range.rigidity = value; }, "0 free … 1 does not move.")
      .def_prop_rw(
          "stiffness", [](const FreedomDescription& f) { return f.range.stiffness; },
          [](FreedomDescription& f, double value) { f.range.stiffness = value; }, "One of 4 moves a quarter as far.");
  def_vec3<FreedomDescription, &FreedomDescription::axis>(freedom, "axis", "After the preceding freedoms.");
  def_bytes(freedom);

  nb::class_<JointDescription> joint(m, "Joint", "What connects a segment to its parent, or to the world.");
  joint
      .def(
          "__init__",
          [](JointDescription* j, const std::string& name, const std::string& parent, const std::string& child,
             const std::vector<FreedomDescription>& freedoms, const std::optional<ArrayLike>& in_parent,
             const std::optional<ArrayLike>& in_child) {
            new (j) JointDescription{name,
                                     parent,
                                     child,
                                     frame_or_identity(in_parent, "in_parent"),
                                     frame_or_identity(in_child, "in_child"),
                                     freedoms};
          },
          "name"_a, "parent"_a, "child"_a, "freedoms"_a = std::vector<FreedomDescription>(), "in_parent"_a = nb::none(),
          "in_child"_a = nb::none(),
          nb::sig("def __init__(self, name: str, parent: str, child: str, freedoms: "
                  "collections.abc.Sequence[Freedom] = [], in_parent: numpy.typing.ArrayLike | None = None, in_child: "
                  "numpy.typing.ArrayLike | None = None) -> None"),
          "Segments by name; an empty parent is the world. `in_parent` and `in_child`: its frame in the two, 4 x 4, or "
          "a translation.")
      .def_rw("name", &JointDescription::name, "Its name.")
      .def_rw("parent", &JointDescription::parent, "A segment; empty: the world.")
      .def_rw("child", &JointDescription::child, "A segment.");
  def_frame<JointDescription, &JointDescription::in_parent>(joint, "in_parent", "Its frame in the parent.");
  def_frame<JointDescription, &JointDescription::in_child>(joint, "in_child", "Its frame in the child.");
  def_list<JointDescription, &JointDescription::freedoms>(joint, "freedoms", "One after the other.");
  def_bytes(joint);
  m.def(
      "free_root", [](const std::string& name, const std::string& child) { return free_root(name, child); }, "name"_a,
      "child"_a, "Six unlimited degrees of freedom that place a segment in the world.");
}

void bind_segments(nb::module_& m) {
  nb::class_<SegmentDescription> segment(m, "Segment", "A rigid part of a figure.");
  segment
      .def(
          "__init__",
          [](SegmentDescription* s, const std::string& name, double mass, const std::optional<ArrayLike>& centre) {
            new (s) SegmentDescription{
                .name = name, .mass = mass, .mass_centre = or_else(centre, "mass_centre", Vec3::Zero())};
          },
          "name"_a, "mass"_a = 0.0, "mass_centre"_a = nb::none(), "In kilograms.")
      .def_rw("name", &SegmentDescription::name, "Its name.")
      .def_rw("mass", &SegmentDescription::mass, "In kilograms.");
  def_vec3<SegmentDescription, &SegmentDescription::mass_centre>(segment, "mass_centre", "In the segment.");
  def_bytes(segment);

  nb::class_<SiteDescription> site(m, "Site", "A named frame on a segment; its x axis is where it points.");
  site.def(
          "__init__",
          [](SiteDescription* s, const std::string& name, const std::string& on,
             const std::optional<ArrayLike>& frame) {
            new (s) SiteDescription{name, on, frame_or_identity(frame, "frame")};
          },
          "name"_a, "segment"_a, "frame"_a = nb::none())
      .def_rw("name", &SiteDescription::name, "Its name.")
      .def_rw("segment", &SiteDescription::segment, "The segment that carries it.");
  def_frame<SiteDescription, &SiteDescription::frame>(site, "frame", "In the segment.");
  def_bytes(site);

  nb::class_<LimitDescription> limit(m, "Limit", "A linear limit over several parameters.");
  limit
      .def(
          "__init__",
          [](LimitDescription* l, const std::string& name, const std::vector<std::pair<std::string, double>>& terms,
             std::string_view relation, double bound) {
            LimitDescription value{.name = name, .relation = to_enum(relations, relation, "relation"), .bound = bound};
            for (const auto& [parameter, coefficient] : terms) value.terms.push_back({parameter, coefficient});
            new (l) LimitDescription(std::move(value));
          },
          "name"_a, "terms"_a, "relation"_a, "bound"_a,
          "Σ coefficient · parameter 'at-most' or 'equal' to the bound; `terms` are pairs of name and coefficient.")
      .def_rw("name", &LimitDescription::name, "Its name.")
      .def_rw("bound", &LimitDescription::bound, "The right-hand side.");
  def_bytes(limit);
}

}  // namespace

void bind_description(nb::module_& m) {
  bind_joints(m);
  bind_segments(m);
  nb::class_<PriorDescription> prior(m, "Prior", "Usual poses of a figure, learned from motion.");
  prior
      .def_prop_ro(
          "parameters",
          [](const PriorDescription& p) {
            std::vector<std::string> names;
            for (const PriorTerm& term : p.terms) names.push_back(term.parameter);
            return tuple_of(names);
          },
          "Whose values it knows.")
      .def_prop_ro(
          "mean",
          [](const PriorDescription& p) {
            std::vector<double> values;
            for (const PriorTerm& term : p.terms) values.push_back(term.mean);
            return new_array(values);
          },
          "By parameter.")
      .def_prop_ro(
          "spread",
          [](const PriorDescription& p) {
            std::vector<double> values;
            for (const PriorTerm& term : p.terms) values.push_back(term.spread);
            return new_array(values);
          },
          "Standard deviation, by parameter.")
      .def_prop_ro(
          "correlation", [](const PriorDescription& p) { return new_matrix(p.correlation); },
          "Empty: they are independent.");
  def_bytes(prior);

  nb::class_<FigureDescription> description(
      m, "FigureDescription",
      "A figure as plain data. `limber.Figure(description)` checks it.\n\n"
      ">>> arm = limber.FigureDescription(\n"
      "...     'arm', segments=[limber.Segment('upper'), limber.Segment('lower')],\n"
      "...     joints=[limber.Joint('shoulder', '', 'upper', [limber.Freedom('turn', [0, 0, 1])]),\n"
      "...             limber.Joint('elbow', 'upper', 'lower', [limber.Freedom('bend', [0, 0, 1], lower=0, "
      "upper=2.5)],\n"
      "...                          in_parent=[0.3, 0, 0])],\n"
      "...     sites=[limber.Site('tip', 'lower', [0.25, 0, 0])])\n"
      ">>> figure = limber.Figure(arm)\n"
      ">>> figure.names, figure.rest().point('tip').tolist()\n"
      "(('shoulder.turn', 'elbow.bend'), [0.55, 0.0, 0.0])");
  description
      .def(
          "__init__",
          [](FigureDescription* f, const std::string& name, const std::vector<SegmentDescription>& segments,
             const std::vector<JointDescription>& joints, const std::vector<SiteDescription>& sites,
             const std::vector<LimitDescription>& limits,
             const std::vector<std::pair<std::string, std::string>>& mirror_pairs) {
            FigureDescription value{
                .name = name, .segments = segments, .joints = joints, .sites = sites, .limits = limits};
            for (const auto& [left, right] : mirror_pairs) value.mirror_pairs.push_back({left, right});
            new (f) FigureDescription(std::move(value));
          },
          "name"_a, "segments"_a, "joints"_a, "sites"_a = std::vector<SiteDescription>(),
          "limits"_a = std::vector<LimitDescription>(),
          "mirror_pairs"_a = std::vector<std::pair<std::string, std::string>>(),
          nb::sig("def __init__(self, name: str, segments: collections.abc.Sequence[Segment], joints: "
                  "collections.abc.Sequence[Joint], sites: collections.abc.Sequence[Site] = [], limits: "
                  "collections.abc.Sequence[Limit] = [], mirror_pairs: collections.abc.Sequence[tuple[str, str]] = "
                  "[]) -> None"))
      .def_rw("name", &FigureDescription::name, "Its name.")
      .def_rw("prior", &FigureDescription::prior, "Its usual poses.");
  def_list<FigureDescription, &FigureDescription::segments>(description, "segments", "In any order.");
  def_list<FigureDescription, &FigureDescription::joints>(description, "joints", "In any order; they make a tree.");
  def_list<FigureDescription, &FigureDescription::sites>(description, "sites", "Named frames.");
  def_list<FigureDescription, &FigureDescription::limits>(description, "limits", "Over several parameters.");
  def_bytes(description);
}

}  // namespace limber::python
