#include "limber/document/report/report_json.h"

#include "limber/base/number.h"

namespace limber {

namespace {

constexpr double mm_per_metre = 1000.0;

using Layout = JsonWriter::Layout;

void write_error(JsonWriter& out, const GoalError& error) {
  if (error.metres) out.member("error_mm", mm_per_metre * *error.metres);
  if (error.radians) out.member("error_degrees", degrees(*error.radians));
  if (error.overload) out.member("overload", *error.overload);
}

void write_limits(JsonWriter& out, const std::vector<HoldingLimit>& limits) {
  out.key("held_back_by").begin_array(Layout::row);
  for (const HoldingLimit& limit : limits) {
    out.begin_object(Layout::row).member("limit", limit.name);
    out.key("parameter").integer(limit.parameter).member("share", limit.share).end();
  }
  out.end();
}

void write_touches(JsonWriter& out, const Report& report, const ConstraintReport& constraint) {
  out.key("touches").begin_array(Layout::row);
  for (const Touch& touch : constraint.touches) {
    out.begin_object(Layout::row).member("between", pair_text(report, constraint, touch));
    out.key("segment").integer(touch.segment);
    if (touch.obstacle >= 0)
      out.member("obstacle", constraint.obstacles[static_cast<std::size_t>(touch.obstacle)]);
    else
      out.key("other").integer(touch.other_segment);
    out.member("gap_mm", mm_per_metre * touch.gap).member("too_near", touch.too_near);
    out.member("at", touch.at).member("normal", touch.normal).end();
  }
  out.end();
}

void write_joints(JsonWriter& out, const Report& report, const ConstraintReport& constraint) {
  out.key("joints").begin_array(Layout::row);
  for (const JointLoad& joint : constraint.joints) {
    out.begin_object(Layout::row);
    if (report.figure) out.member("joint", report.figure->freedoms()[static_cast<std::size_t>(joint.freedom)].name);
    out.key("freedom").integer(joint.freedom).member("torque", joint.torque).member("strength", joint.strength).end();
  }
  out.end();
}

}  // namespace

void write_members(JsonWriter& out, const Report& report, std::optional<bool> met) {
  out.member("exit", name_of(report.exit))
      .member("met", met.value_or(report.met()))
      .member("method", name_of(report.method));
  if (report.rejection) out.member("rejection", report.rejection->text());
  out.key("restarts").integer(report.restarts);
  out.key("degrees_of_freedom").integer(report.variables);
  out.key("iterations").integer(report.iterations);
  out.key("evaluations").integer(report.evaluations);
  out.member("objective", report.objective).member("objective_before", report.objective_before);
  out.member("kkt", report.kkt).member("start_projected", report.start_projected);
  out.member("soft_scale", report.soft_scale);
}

void write_members(JsonWriter& out, const Report& report, const ConstraintReport& constraint) {
  out.member("name", constraint.name).member("counted", constraint.counted).member("met", constraint.met);
  if (constraint.soft) out.member("soft", true);
  write_error(out, constraint.error);
  out.member("value", constraint.value);
  if (constraint.comfort) out.member("comfort", *constraint.comfort);
  write_limits(out, constraint.held_back_by);
  if (!constraint.touches.empty()) write_touches(out, report, constraint);
  if (!constraint.joints.empty()) write_joints(out, report, constraint);
}

void write_members(JsonWriter& out, const GoalJacobian& jacobian) {
  out.key("singular_values").begin_array(Layout::row);
  for (const double value : jacobian.singular_values) out.value(value);
  out.end().key("rank").integer(jacobian.rank).member("condition", jacobian.condition());
}

void write_members(JsonWriter& out, const MotionReport& report, std::optional<bool> met) {
  out.member("exit", name_of(report.exit)).member("met", met.value_or(report.met()));
  out.key("degrees_of_freedom").integer(report.variables);
  out.key("iterations").integer(report.iterations);
  if (report.contradictions.empty()) return;
  out.key("contradictions").begin_array();
  for (const Contradiction& found : report.contradictions) {
    out.begin_object().key("frame").integer(found.frame).key("demands").begin_array();
    for (const int d : found.demands) out.value(report.demands[static_cast<std::size_t>(d)].name);
    out.end().end();
  }
  out.end();
}

void write_members(JsonWriter& out, const ClearedMotion& cleared) {
  out.key("keep_clear").begin_object().key("changed").integer(cleared.changed).key("overlaps").begin_array();
  for (const FrameOverlap& overlap : cleared.overlaps) {
    out.begin_object(JsonWriter::Layout::row).key("frame").integer(overlap.frame);
    if (overlap.after > 0.0) out.member("after", overlap.after);
    out.member("gap_mm", 1000.0 * overlap.found.min_clearance()).member("text", overlap.found.list.front().text);
    if (!overlap.demands.empty()) {
      out.key("contradicted_by").begin_array();
      for (const int d : overlap.demands) out.value(cleared.report.demands[static_cast<std::size_t>(d)].name);
      out.end();
    }
    out.end();
  }
  out.end().end();
}

void write_members(JsonWriter& out, const DemandReport& demand) {
  out.member("name", demand.name).key("frames").integer(demand.frames).member("met", demand.met);
  if (!demand.taken) out.member("taken", false);
  write_error(out, demand.error);
  if (demand.worst >= 0) out.key("worst_frame").integer(demand.worst);
}

}  // namespace limber
