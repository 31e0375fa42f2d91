#include <Eigen/Geometry>
#include <limits>
#include <map>
#include <utility>

#include "limber/base/number.h"
#include "limber/format/figure/figure_json.h"
#include "limber/format/figure/prior_file.h"
#include "limber/roles/assumed.h"

namespace limber {

namespace {

constexpr const char* figure_tag = "figure 1";

// --- Frames --------------------------------------------------------------------------------------

Mat3 read_matrix(const JsonValue& value) {
  Mat3 R = Mat3::Identity();
  if (!value.array(3, "three rows of three numbers")) return R;
  int row = 0;
  for (const JsonValue line : value) R.row(row++) = line.vector().transpose();
  return R;
}

Mat3 read_quaternion(const JsonValue& value) {
  if (!value.array(4, "four numbers: [w, x, y, z]")) return Mat3::Identity();
  double c[4];
  int k = 0;
  for (const JsonValue element : value) c[k++] = element.number();
  const Eigen::Quaterniond q(c[0], c[1], c[2], c[3]);
  const double length = q.norm();
  if (std::isfinite(length) && length > std::numeric_limits<double>::min()) return q.normalized().toRotationMatrix();
  value.fail("a quaternion of length " + to_text(length), "a finite nonzero quaternion");
  return Mat3::Identity();
}

// [[axis, degrees], …], applied in sequence, each about an axis of the current frame.
Mat3 read_turns(const JsonValue& value) {
  Mat3 R = Mat3::Identity();
  if (!value.array()) return R;
  for (const JsonValue turn : value) {
    if (!turn.array(2, "a turn: [axis, degrees]")) break;
    const JsonValue axis = *turn.begin(), angle = *++turn.begin();
    R = R * rotation(axis.direction().normalized(), radians(angle.number()));
  }
  return R;
}

// --- The description -----------------------------------------------------------------------------

// The raw numbers; their units are known only after the whole figure is read.
Range read_range(const JsonValue& value) {
  Range range;
  range.lower = value["lower"].number_or(range.lower);
  range.upper = value["upper"].number_or(range.upper);
  range.rest = value["rest"].number_or(range.rest);
  range.rigidity = value["rigidity"].number_or(range.rigidity);
  range.stiffness = value["stiffness"].number_or(range.stiffness);
  return range;
}

void convert(Range& range, Unit unit) {
  range.lower = inside(range.lower, unit);
  range.upper = inside(range.upper, unit);
  range.rest = inside(range.rest, unit);
}

FreedomDescription read_freedom(const JsonValue& value) {
  FreedomDescription freedom;
  if (!value.object({"name", "motion", "axis", "lower", "upper", "rest", "rigidity", "stiffness"})) return freedom;
  freedom.name = value["name"].text();
  const std::string motion = value["motion"].text_or("rotate");
  if (motion != "rotate" && motion != "translate")
    value["motion"].fail(value["motion"].described(), "\"rotate\" or \"translate\"");
  freedom.motion = motion == "translate" ? Motion::translate : Motion::rotate;
  freedom.axis = value["axis"].direction();
  freedom.range = read_range(value);
  convert(freedom.range, freedom.motion == Motion::translate ? Unit::metres : Unit::degrees);
  return freedom;
}

Frame frame_member(const JsonValue& value) {
  if (!value || !value.object({"p", "matrix", "quaternion", "turns"})) return {};
  return read_frame(value);
}

JointDescription read_joint(const JsonValue& value) {
  JointDescription joint;
  if (!value.object({"name", "parent", "child", "in_parent", "in_child", "freedoms", "free"})) return joint;
  joint.name = value["name"].text();
  joint.child = value["child"].text();
  if (value["free"] && value["free"].boolean()) {
    joint = free_root(joint.name, joint.child);
    if (value["freedoms"]) value["freedoms"].fail("freedoms in addition to \"free\"", "only one of them");
  }
  joint.parent = value["parent"].text_or("");
  joint.in_parent = frame_member(value["in_parent"]);
  joint.in_child = frame_member(value["in_child"]);
  if (value["freedoms"] && value["freedoms"].array())
    for (const JsonValue freedom : value["freedoms"]) joint.freedoms.push_back(read_freedom(freedom));
  return joint;
}

SegmentDescription read_segment(const JsonValue& value) {
  SegmentDescription segment;
  if (!value.object({"name", "mass", "mass_centre", "inertia", "object"})) return segment;
  segment.name = value["name"].text();
  segment.mass = value["mass"].number_or(0.0);
  if (value["mass_centre"]) segment.mass_centre = value["mass_centre"].vector();
  if (value["inertia"]) segment.inertia = read_matrix(value["inertia"]);
  segment.object = value["object"].text_or("");
  return segment;
}

SiteDescription read_site(const JsonValue& value) {
  SiteDescription site;
  if (!value.object({"name", "segment", "p", "matrix", "quaternion", "turns"})) return site;
  return {value["name"].text(), value["segment"].text(), read_frame(value)};
}

GroupTerm read_term(const JsonValue& value) {
  GroupTerm term;
  if (!value.object({"parameter", "slope", "knots"})) return term;
  term.parameter = value["parameter"].text();
  if (value["slope"].exists() == value["knots"].exists()) {
    value.fail(value["slope"] ? "both \"slope\" and \"knots\"" : "neither \"slope\" nor \"knots\"", "one of them");
    return term;
  }
  if (value["slope"]) {
    term.curve = Curve::linear(value["slope"].number());
    return term;
  }
  std::vector<Curve::Knot> knots;
  if (!value["knots"].array()) return term;
  for (const JsonValue knot : value["knots"]) {
    if (!knot.array(2, "a knot: [value of the parameter, value of the freedom]")) return term;
    knots.push_back({(*knot.begin()).number(), (*++knot.begin()).number()});
  }
  if (knots.size() < 2) value["knots"].fail(value["knots"].described(), "at least two knots");
  term.curve = Curve::smooth(std::move(knots));
  return term;
}

GroupDescription read_group(const JsonValue& value) {
  GroupDescription group;
  if (!value.object({"name", "parameters", "drivers"})) return group;
  group.name = value["name"].text();
  if (value["parameters"].array())
    for (const JsonValue parameter : value["parameters"])
      if (parameter.object({"name", "lower", "upper", "rest", "rigidity", "stiffness"}))
        group.parameters.push_back({parameter["name"].text(), read_range(parameter)});
  if (value["drivers"].array())
    for (const JsonValue driver : value["drivers"]) {
      if (!driver.object({"joint", "freedom", "terms"})) break;
      group.drivers.push_back({driver["joint"].text(), driver["freedom"].text(), {}});
      if (driver["terms"].array())
        for (const JsonValue term : driver["terms"]) group.drivers.back().terms.push_back(read_term(term));
    }
  return group;
}

LimitDescription read_limit(const JsonValue& value) {
  LimitDescription limit;
  if (!value.object({"name", "terms", "at_most", "equal"})) return limit;
  limit.name = value["name"].text();
  if (value["terms"].object())
    for (const JsonValue term : value["terms"]) limit.terms.push_back({std::string(term.key()), term.number()});
  if (value["at_most"].exists() == value["equal"].exists())
    value.fail(value["equal"] ? "both \"at_most\" and \"equal\"" : "neither \"at_most\" nor \"equal\"", "one of them");
  limit.relation = value["equal"] ? Relation::equal : Relation::at_most;
  limit.bound = value[value["equal"] ? "equal" : "at_most"].number();
  return limit;
}

void read_mirror(const JsonValue& value, FigureDescription& description) {
  if (!value || !value.object({"normal", "pairs"})) return;
  if (value["normal"]) description.mirror_normal = value["normal"].direction();
  if (!value["pairs"].array()) return;
  for (const JsonValue pair : value["pairs"])
    if (pair.array(2, "two segments: [left, right]"))
      description.mirror_pairs.push_back({(*pair.begin()).text(), (*++pair.begin()).text()});
}

template <class T, class Read>
void read_list(const JsonValue& value, std::vector<T>& list, Read read) {
  if (!value || !value.array()) return;
  list.reserve(value.size());
  for (const JsonValue element : value) list.push_back(read(element));
}

// Groups and rows refer to freedoms by name, so they are converted last.
void convert_groups_and_limits(FigureDescription& description) {
  const DescriptionUnits units(description);
  for (GroupDescription& group : description.groups) {
    for (GroupParameter& parameter : group.parameters)
      convert(parameter.range, units.of_group_parameter(group, parameter.name));
    for (GroupDriver& driver : group.drivers) {
      const Unit to = units.of_freedom(driver.joint, driver.freedom);
      for (GroupTerm& term : driver.terms) {
        const Unit from = units.of_group_parameter(group, term.parameter);
        if (term.curve.is_linear()) {
          if (from != to)
            term.curve =
                Curve::linear(from == Unit::degrees ? degrees(term.curve.slope()) : radians(term.curve.slope()));
          continue;
        }
        std::vector<Curve::Knot> knots = term.curve.knots();
        for (Curve::Knot& knot : knots) knot = {inside(knot.theta, from), inside(knot.value, to)};
        term.curve = Curve::smooth(std::move(knots));
      }
    }
  }
  for (LimitDescription& row : description.limits) {
    const RowScale scale = row_scale(row, units);
    row.bound = scale.bound_inside(row.bound);
    for (LimitTerm& term : row.terms)
      term.coefficient = scale.inside(term.coefficient, units.of_parameter(term.parameter));
  }
}

// The JSON value that an error of build_figure refers to, such as "joint 'elbow', freedom 'flexion'".
JsonValue named_in(const std::string& where, JsonValue value) {
  static constexpr std::pair<std::string_view, std::string_view> lists[] = {
      {"segment '", "segments"},     {"joint '", "joints"}, {"site '", "sites"},
      {"group '", "groups"},         {"limit '", "limits"}, {"freedom '", "freedoms"},
      {"parameter '", "parameters"}, {"mirror", "mirror"},  {"prior", "prior"}};
  for (std::size_t begin = 0; begin < where.size();) {
    const std::string_view rest = std::string_view(where).substr(begin);
    for (const auto& [word, list] : lists) {
      if (!rest.starts_with(word) || !value[list]) continue;
      if (value[list].is(JsonKind::object)) return value[list];
      // With a duplicate name, the second one is the error.
      JsonValue found = value[list];
      for (const JsonValue element : value[list])
        if (rest.substr(word.size()).starts_with(element["name"].text() + "'")) found = element;
      value = found;
      break;
    }
    const std::size_t next = where.find(", ", begin);
    begin = next == std::string::npos ? where.size() : next + 2;
  }
  return value;
}

Figure placeholder() {
  FigureDescription description;
  description.segments = {{"nothing"}};
  return *build_figure(std::move(description));
}

Figure read_inline(const JsonValue& value, const JsonDocument& document) {
  if (!value.object({"name", "segments", "joints", "sites", "groups", "limits", "mirror", "prior"}))
    return placeholder();
  FigureDescription description;
  description.name = value["name"].text_or("");
  if (!value["segments"].array()) return placeholder();
  read_list(value["segments"], description.segments, read_segment);
  read_list(value["joints"], description.joints, read_joint);
  read_list(value["sites"], description.sites, read_site);
  read_list(value["groups"], description.groups, read_group);
  read_list(value["limits"], description.limits, read_limit);
  read_mirror(value["mirror"], description);
  if (value["prior"]) description.prior = read_prior_value(value["prior"]);
  if (document.error()) return placeholder();
  convert_groups_and_limits(description);
  Expected<Figure> figure = build_figure(std::move(description));
  if (figure) return *figure;
  named_in(figure.error().where, value).fail(figure.error());
  return placeholder();
}

// --- The built-in figures ------------------------------------------------------------------------

template <class T>
T read_choice(const JsonValue& value, T otherwise, std::initializer_list<std::pair<std::string_view, T>> choices) {
  if (!value) return otherwise;
  const std::string text = value.text();
  std::string known;
  for (const auto& [name, choice] : choices) {
    if (name == text) return choice;
    known += (known.empty() ? "\"" : " or \"") + std::string(name) + "\"";
  }
  value.fail(value.described(), known);
  return otherwise;
}

Root read_root(const JsonValue& value, Root otherwise) {
  return read_choice(value, otherwise, {{"free", Root::free}, {"fixed", Root::fixed}});
}

HumanOptions read_human(const JsonValue& value) {
  HumanOptions options;
  if (!value.object({"sex", "stature", "mass", "spine", "root"})) return options;
  options.sex = read_choice(value["sex"], options.sex, {{"male", Sex::male}, {"female", Sex::female}});
  options.stature = value["stature"].number_or(options.stature);
  options.mass = value["mass"].number_or(options.mass);
  options.spine =
      read_choice(value["spine"], options.spine, {{"grouped", Spine::grouped}, {"independent", Spine::independent}});
  options.root = read_root(value["root"], options.root);
  return options;
}

SimpleHumanOptions read_simple_human(const JsonValue& value) {
  SimpleHumanOptions options;
  if (!value.object({"stature", "mass", "root", "clavicles"})) return options;
  options.stature = value["stature"].number_or(options.stature);
  options.mass = value["mass"].number_or(options.mass);
  options.root = read_root(value["root"], options.root);
  if (value["clavicles"]) options.clavicles = value["clavicles"].boolean();
  return options;
}

SourcedFigure built_in(const JsonValue& value, const JsonDocument& document, const FigureSource& source,
                       Expected<Figure> (*make)(const FigureSource&)) {
  if (document.error()) return {placeholder(), source};
  const Expected<Figure> figure = make(source);
  if (figure) return {*figure, source};
  value.fail(figure.error());
  return {placeholder(), source};
}

SourcedFigure from_file(const JsonValue& value, const FigureLoader& load) {
  FileFigure source{value["file"].text(), value["assumed_limits"] && value["assumed_limits"].boolean()};
  if (value.document().error()) return {placeholder(), source};
  if (!load) {
    value["file"].fail("a figure in another file", "an inline figure: no files can be opened here");
    return {placeholder(), source};
  }
  const Expected<Figure> figure = load(source.file);
  if (figure) return {source.assumed_limits ? with_assumed_limits(*figure, roles_of(*figure)).figure : *figure, source};
  value["file"].fail(figure.error());
  return {placeholder(), source};
}

}  // namespace

Frame read_frame(const JsonValue& value) {
  Frame frame;
  if (value["p"]) frame.p = value["p"].vector();
  const int rotations = value["matrix"].exists() + value["quaternion"].exists() + value["turns"].exists();
  if (rotations > 1) value.fail("more than one rotation", "one of \"matrix\", \"quaternion\" or \"turns\"");
  if (value["matrix"]) frame.R = read_matrix(value["matrix"]);
  if (value["quaternion"]) frame.R = read_quaternion(value["quaternion"]);
  if (value["turns"]) frame.R = read_turns(value["turns"]);
  return frame;
}

SourcedFigure read_figure_value(const JsonValue& value, const FigureLoader& load) {
  const JsonDocument& document = value.document();
  if (value["human"] && value.sole({"human"}))
    return built_in(value["human"], document, read_human(value["human"]),
                    [](const FigureSource& source) { return human(*std::get_if<HumanOptions>(&source)); });
  if (value["simple_human"] && value.sole({"simple_human"}))
    return built_in(value["simple_human"], document, read_simple_human(value["simple_human"]),
                    [](const FigureSource& source) { return simple_human(*std::get_if<SimpleHumanOptions>(&source)); });
  if (value["file"] && value.object({"file", "assumed_limits"})) return from_file(value, load);
  if (value["figures"] && value.sole({"figures"})) return read_figures_value(value["figures"], load, false);
  if (!value.is(JsonKind::object) || !value["segments"]) {
    value.fail(value.is(JsonKind::object) && value.size() > 0 ? "none of these keys" : value.described(),
               "\"human\", \"simple_human\", \"file\", \"figures\", or a figure with \"segments\"");
    return {placeholder(), InlineFigure{}};
  }
  return {read_inline(value, document), InlineFigure{}};
}

Expected<SourcedFigure> read_figure(std::string_view text, const std::string& file_name, const FigureLoader& load) {
  JsonDocument document(text, file_name);
  const JsonValue root = document.root();
  std::optional<SourcedFigure> figure;
  if (!document.error() && root.object({"limber", "figure"})) {
    if (root["limber"].text() != figure_tag)
      root["limber"].fail(root["limber"].described(), std::string("\"") + figure_tag + "\"");
    figure = read_figure_value(root["figure"], load);
  }
  if (document.error()) return std::unexpected(*document.error());
  return *figure;
}

}  // namespace limber
