#include <algorithm>

#include "limber/format/figure/figure_json.h"
#include "limber/format/figure/prior_file.h"

namespace limber {

namespace {

using Layout = JsonWriter::Layout;

void write_range(JsonWriter& out, const Range& range, Unit unit) {
  const Range plain;
  if (range.lower > -infinity) out.member("lower", written(range.lower, unit));
  if (range.upper < infinity) out.member("upper", written(range.upper, unit));
  if (range.rest != plain.rest) out.member("rest", written(range.rest, unit));
  out.member_unless("rigidity", range.rigidity, plain.rigidity);
  out.member_unless("stiffness", range.stiffness, plain.stiffness);
}

bool is_identity(const Frame& frame) { return frame.R == Mat3::Identity() && frame.p == Vec3::Zero(); }

void write_frame(JsonWriter& out, const char* key, const Frame& frame) {
  if (is_identity(frame)) return;
  out.key(key).begin_object(Layout::row);
  write_frame_members(out, frame);
  out.end();
}

void write_joint(JsonWriter& out, const JointDescription& joint) {
  out.begin_object().member("name", joint.name);
  if (!joint.parent.empty()) out.member("parent", joint.parent);
  out.member("child", joint.child);
  write_frame(out, "in_parent", joint.in_parent);
  write_frame(out, "in_child", joint.in_child);
  if (!joint.freedoms.empty()) {
    out.key("freedoms").begin_array();
    for (const FreedomDescription& freedom : joint.freedoms) {
      const bool shifts = freedom.motion == Motion::translate;
      out.begin_object(Layout::row).member("name", freedom.name);
      if (shifts) out.member("motion", "translate");
      out.key("axis").direction(freedom.axis);
      write_range(out, freedom.range, shifts ? Unit::metres : Unit::degrees);
      out.end();
    }
    out.end();
  }
  out.end();
}

void write_segments(JsonWriter& out, const std::vector<SegmentDescription>& segments) {
  out.key("segments").begin_array();
  for (const SegmentDescription& segment : segments) {
    out.begin_object(Layout::row).member("name", segment.name).member_unless("mass", segment.mass, 0.0);
    if (segment.mass_centre != Vec3::Zero()) out.member("mass_centre", segment.mass_centre);
    if (segment.inertia != Mat3::Zero()) {
      out.key("inertia").begin_array(Layout::row);
      for (int row = 0; row < 3; ++row) out.value(Vec3(segment.inertia.row(row).transpose()));
      out.end();
    }
    out.member_unless("object", segment.object, std::string());
    out.end();
  }
  out.end();
}

void write_sites(JsonWriter& out, const std::vector<SiteDescription>& sites) {
  if (sites.empty()) return;
  out.key("sites").begin_array();
  for (const SiteDescription& site : sites) {
    out.begin_object(Layout::row).member("name", site.name).member("segment", site.segment);
    write_frame_members(out, site.frame);
    out.end();
  }
  out.end();
}

void write_curve(JsonWriter& out, const Curve& curve, Unit from, Unit to) {
  if (curve.is_linear()) {
    const double slope = curve.slope();
    double written_slope = slope;
    if (from == Unit::degrees && to == Unit::metres)
      written_slope = written_as(slope, radians(slope), [](double y) { return degrees(y); });
    if (from == Unit::metres && to == Unit::degrees) written_slope = written_degrees(slope);
    out.member("slope", written_slope);
    return;
  }
  out.key("knots").begin_array(Layout::row);
  for (const Curve::Knot& knot : curve.knots())
    out.begin_array(Layout::row).value(written(knot.theta, from)).value(written(knot.value, to)).end();
  out.end();
}

void write_group(JsonWriter& out, const GroupDescription& group, const DescriptionUnits& units) {
  out.begin_object().member("name", group.name).key("parameters").begin_array();
  for (const GroupParameter& parameter : group.parameters) {
    out.begin_object(Layout::row).member("name", parameter.name);
    write_range(out, parameter.range, units.of_group_parameter(group, parameter.name));
    out.end();
  }
  out.end().key("drivers").begin_array();
  for (const GroupDriver& driver : group.drivers) {
    out.begin_object(Layout::row)
        .member("joint", driver.joint)
        .member("freedom", driver.freedom)
        .key("terms")
        .begin_array(Layout::row);
    for (const GroupTerm& term : driver.terms) {
      out.begin_object(Layout::row).member("parameter", term.parameter);
      write_curve(out, term.curve, units.of_group_parameter(group, term.parameter),
                  units.of_freedom(driver.joint, driver.freedom));
      out.end();
    }
    out.end().end();
  }
  out.end().end();
}

void write_limit(JsonWriter& out, const LimitDescription& row, const DescriptionUnits& units) {
  const RowScale scale = row_scale(row, units);
  out.begin_object(Layout::row).member("name", row.name).key("terms").begin_object(Layout::row);
  for (const LimitTerm& term : row.terms)
    out.member(term.parameter, scale.written(term.coefficient, units.of_parameter(term.parameter)));
  out.end().member(row.relation == Relation::equal ? "equal" : "at_most", scale.bound_written(row.bound)).end();
}

void write_mirror(JsonWriter& out, const FigureDescription& description) {
  if (description.mirror_pairs.empty()) return;
  out.key("mirror").begin_object().key("normal").direction(description.mirror_normal).key("pairs").begin_array();
  for (const MirrorPair& pair : description.mirror_pairs)
    out.begin_array(Layout::row).value(pair.left).value(pair.right).end();
  out.end().end();
}

void write_description(JsonWriter& out, const FigureDescription& description) {
  const DescriptionUnits units(description);
  out.begin_object();
  if (!description.name.empty()) out.member("name", description.name);
  write_segments(out, description.segments);
  if (!description.joints.empty()) {
    out.key("joints").begin_array();
    for (const JointDescription& joint : description.joints) write_joint(out, joint);
    out.end();
  }
  write_sites(out, description.sites);
  if (!description.groups.empty()) {
    out.key("groups").begin_array();
    for (const GroupDescription& group : description.groups) write_group(out, group, units);
    out.end();
  }
  if (!description.limits.empty()) {
    out.key("limits").begin_array();
    for (const LimitDescription& row : description.limits) write_limit(out, row, units);
    out.end();
  }
  write_mirror(out, description);
  if (!description.prior.empty()) {
    out.key("prior");
    write_prior_value(out, description.prior);
  }
  out.end();
}

struct SourceWriter {
  JsonWriter& out;
  const Figure& figure;

  void operator()(const InlineFigure&) const {
    if (figure.parts().empty()) return write_description(out, figure.description());
    JoinedFigures source;
    for (const FigurePart& part : figure.parts())
      source.parts.push_back({part.name, InlineFigure{}, "", part.X_world_figure});
    (*this)(source);
  }
  void operator()(const HumanOptions& options) const {
    const HumanOptions plain;
    out.begin_object(Layout::row)
        .key("human")
        .begin_object()
        .member("sex", options.sex == Sex::female ? "female" : "male");
    out.member_unless("stature", options.stature, plain.stature).member_unless("mass", options.mass, plain.mass);
    if (options.spine == Spine::independent) out.member("spine", "independent");
    if (options.root == Root::fixed) out.member("root", "fixed");
    out.end().end();
  }
  void operator()(const JoinedFigures& source) const {
    out.begin_object().key("figures");
    write_figures_value(out, figure, source);
    out.end();
  }
  void operator()(const FileFigure& source) const {
    out.begin_object(Layout::row).member("file", source.file);
    out.member_unless("assumed_limits", source.assumed_limits, false).end();
  }
  void operator()(const SimpleHumanOptions& options) const {
    const SimpleHumanOptions plain;
    out.begin_object(Layout::row).key("simple_human").begin_object();
    out.member_unless("stature", options.stature, plain.stature).member_unless("mass", options.mass, plain.mass);
    if (options.root == Root::fixed) out.member("root", "fixed");
    out.member_unless("clavicles", options.clavicles, plain.clavicles);
    out.end().end();
  }
};

}  // namespace

void write_frame_members(JsonWriter& out, const Frame& frame) {
  if (frame.p != Vec3::Zero()) out.member("p", frame.p);
  if (frame.R == Mat3::Identity()) return;
  out.key("matrix").begin_array(Layout::row);
  for (int row = 0; row < 3; ++row) out.value(Vec3(frame.R.row(row).transpose()));
  out.end();
}

void write_figure_value(JsonWriter& out, const Figure& figure, const FigureSource& source) {
  std::visit(SourceWriter{out, figure}, source);
}

std::string write_figure(const Figure& figure, const FigureSource& source) {
  JsonWriter out;
  out.begin_object().member("limber", "figure 1").key("figure");
  write_figure_value(out, figure, source);
  return out.end().take();
}

}  // namespace limber
