#include "limber/solver/report.h"

#include <algorithm>

#include "limber/base/number.h"

namespace limber {

bool Report::met() const {
  return std::all_of(constraints.begin(), constraints.end(),
                     [](const ConstraintReport& c) { return c.met || !c.counted; }) &&
         exit != Exit::rejected && exit != Exit::infeasible && exit != Exit::not_finite;
}

bool is_met(const Constraint& constraint, const GoalError& error, const Options& options) {
  if (constraint.clearance() && !std::isfinite(constraint.weight)) return error.metres.value_or(0.0) <= 0.0;
  if (constraint.strength())
    return error.overload.value_or(0.0) <= (std::isfinite(constraint.weight) ? met_overload : 0.0);
  return error.metres.value_or(0.0) <= options.met_metres &&
         degrees(error.radians.value_or(0.0)) <= options.met_degrees;
}

namespace {

// Max number of limits named in a row of the table; the report itself has all.
constexpr std::size_t max_named = 3;

// Characters as a person counts them: UTF-8 continuation bytes have no width.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string text, std::size_t to) {
  while (width(text) < to) text += ' ';
  return text;
}

std::string scientific(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 1);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

std::string error_text(const ConstraintReport& constraint) {
  const GoalError& distance = constraint.error;
  std::string text;
  if (constraint.comfort) text = "comfort " + to_text(*constraint.comfort, 3);
  if (distance.metres) text += to_text(1000.0 * *distance.metres, 3) + " mm";
  if (distance.overload) text += to_text(100.0 * *distance.overload, 1) + "% over";
  if (distance.radians) text += (text.empty() ? "" : ", ") + to_text(degrees(*distance.radians), 3) + "°";
  return text;
}

}  // namespace

std::string pair_text(const Report& report, const ConstraintReport& constraint, const Touch& touch) {
  const auto segment = [&](int s) {
    return report.figure ? report.figure->segments()[static_cast<std::size_t>(s)].name : std::to_string(s);
  };
  return segment(touch.segment) + " and " +
         (touch.obstacle >= 0 ? constraint.obstacles[static_cast<std::size_t>(touch.obstacle)]
                              : segment(touch.other_segment));
}

// "too weak: right_elbow.flexion 90 of 77 N m, ..."
static std::string joints_text(const Report& report, const ConstraintReport& constraint) {
  const bool too_weak = constraint.error.overload.value_or(0.0) > 0.0;
  std::string text = too_weak ? "too weak: " : "most used: ";
  const std::size_t named = std::min(max_named, constraint.joints.size());
  for (std::size_t k = 0; k < named; ++k) {
    const JointLoad& joint = constraint.joints[k];
    text += (k ? ", " : "") + report.figure->freedoms()[static_cast<std::size_t>(joint.freedom)].name + " " +
            to_text(std::fabs(joint.torque), 3) + " of " + to_text(joint.strength, 3) + " N m";
  }
  if (too_weak && constraint.joints.size() > named)
    text += " and " + std::to_string(constraint.joints.size() - named) + " more";
  return text;
}

std::string to_text(const Report& report) {
  std::string text = std::string(name_of(report.exit)) + ": ";
  if (report.rejection) text += report.rejection->text() + "\n";
  if (report.exit == Exit::rejected || report.exit == Exit::infeasible) return text;
  text += std::to_string(report.variables) + " degrees of freedom, " + std::to_string(report.iterations) +
          " iterations, " + std::to_string(report.evaluations) + " evaluations, objective " +
          scientific(report.objective) + ", Kuhn-Tucker residual " + scientific(report.kkt) + "; " +
          std::string(name_of(report.method)) +
          (report.restarts > 0 ? ", tried from " + std::to_string(report.restarts) + " other poses" : "") + "\n";
  if (report.start_projected) text += "the start was outside the limits; it was moved to the nearest pose within\n";
  if (report.soft_scale < 1.0)
    text += "soft constraints kept " +
            (report.soft_scale < 1e-4 ? "next to nothing" : to_text(100.0 * report.soft_scale, 2) + "%") +
            " of their weight\n";
  std::size_t name_width = 10, error_width = 5;
  for (const ConstraintReport& constraint : report.constraints) {
    name_width = std::max(name_width, width(constraint.name));
    error_width = std::max(error_width, width(error_text(constraint)));
  }
  text += "\n  " + padded("constraint", name_width) + "  met  " + padded("error", error_width) + "  held back by\n";
  for (const ConstraintReport& constraint : report.constraints) {
    text += "  " + padded(constraint.name, name_width) + "  " +
            (!constraint.counted ? "off"
             : constraint.soft   ? "-  "
             : constraint.met    ? "yes"
                                 : "no ") +
            "  " + padded(error_text(constraint), error_width) + "  ";
    const std::size_t named = std::min(max_named, constraint.held_back_by.size());
    for (std::size_t k = 0; k < named; ++k)
      text += (k ? ", " : "") + std::string(constraint.held_back_by[k].name) + " " +
              to_text(100.0 * constraint.held_back_by[k].share, 0) + "%";
    if (const std::size_t more = constraint.held_back_by.size() - named; more > 0)
      text += " and " + std::to_string(more) + " more";
    // A pair that touches at both ends of a capsule is named once. If something overlaps, resting contacts are not
    // named.
    std::vector<std::string> pairs;
    for (const Touch& touch : constraint.touches) {
      std::string pair = pair_text(report, constraint, touch);
      if ((constraint.met || touch.too_near) && std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
        pairs.push_back(std::move(pair));
    }
    if (!pairs.empty() && named > 0) text += "; ";
    for (std::size_t k = 0; k < std::min(max_named, pairs.size()); ++k)
      text += (k ? ", " : constraint.met ? "touching: " : "overlapping: ") + pairs[k];
    if (pairs.size() > max_named) text += " and " + std::to_string(pairs.size() - max_named) + " more";
    if (!constraint.joints.empty()) text += (named > 0 ? "; " : "") + joints_text(report, constraint);
    if (constraint.counted && !constraint.met && constraint.held_back_by.empty() && constraint.touches.empty() &&
        constraint.joints.empty())
      text +=
          report.exit == Exit::converged ? "no limit: the reach of its chain, or other constraints" : "not finished";
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

}  // namespace limber
