#include "limber/solver/reporter.h"

#include <algorithm>

#include "limber/problem/problem.h"

namespace limber {

namespace {

// A limit can block a constraint only if the pose is on it: this is the slack due to rounding.
constexpr double active_slack = 1e-12;
// Shares below this are not reported; this also bounds the number of reported limits.
constexpr double min_share = 0.01;
constexpr int max_shares = 100;

void name_touch(const Clearance& clearance, const ClearanceContact& contact, ConstraintReport& out) {
  const int obstacles = static_cast<int>(clearance.obstacles.size());
  const int first_pair = 2 * obstacles * static_cast<int>(clearance.capsules.size());
  const auto capsule = [&](int k) -> const SegmentCapsule& { return clearance.capsules[static_cast<std::size_t>(k)]; };
  Touch touch;
  const bool is_pair = contact.pair >= first_pair;
  const CapsulePair pair = is_pair ? clearance.pairs[static_cast<std::size_t>(contact.pair - first_pair)]
                                   : CapsulePair{contact.pair / 2 / obstacles, 0};
  touch.segment = capsule(pair.first).segment;
  if (is_pair)
    touch.other_segment = capsule(pair.second).segment;
  else
    touch.obstacle = contact.pair / 2 % obstacles;
  touch.gap = contact.gap;
  touch.too_near = contact.gap < clearance.margin;
  touch.normal = contact.normal;
  touch.at = contact.at - capsule(pair.first).capsule.radius * contact.normal;
  out.touches.push_back(touch);
}

// The contacts and overlaps of a clearance, including those of parts that cannot move.
void name_touches(Workspace& work, std::size_t c, const Options& options, ConstraintReport& out) {
  out.touches.clear();
  const Constraint& constraint = work.problem.constraints()[c];
  if (!constraint.clearance() || !constraint.counts()) return;
  for (const ClearanceContact& contact : work.assembly->touches_of(c, options.met_metres)) {
    name_touch(*constraint.clearance(), contact, out);
    out.error.metres = std::fmax(out.error.metres.value_or(0.0), constraint.clearance()->margin - contact.gap);
  }
  out.met = is_met(constraint, out.error, options);
  std::sort(out.touches.begin(), out.touches.end(), [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

void explain_constraint(Workspace& work, std::size_t c, const Options& options, ConstraintReport& out) {
  const Constraint& constraint = work.problem.constraints()[c];
  out.id = constraint.id;
  out.name = constraint.name;
  out.counted = constraint.counts();
  out.error = work.assembly->error_of(c);
  out.value = work.assembly->value(c);
  out.comfort.reset();
  if (const PosePull* const pull = constraint.pull())
    if (const auto* const to_comfort = std::get_if<PullToComfort>(pull))
      out.comfort = 1.0 - to_comfort->comfort.discomfort(work.assembly->theta());
  out.soft = constraint.soft;
  out.met = constraint.soft || is_met(constraint, out.error, options);
  out.held_back_by.clear();
  name_touches(work, c, options, out);
  out.joints.clear();
  if (constraint.strength()) work.assembly->name_joints(c, out.joints);
}

}  // namespace

void Reporter::reserve(const Workspace& work, Report& report) {
  const Assembly& assembly = *work.assembly;
  const Limits& limits = assembly.limits();
  residual_.resize(assembly.residuals());
  gradient_.resize(assembly.variables());
  const std::vector<int>& ends = assembly.level_ends();
  const int above_last = ends[ends.size() - 2], tangents = std::min(above_last, assembly.variables());
  share_.resize(limits.count() + tangents);
  kkt_.reserve(limits, tangents);
  if (!assembly.has_one_level()) {
    jacobian_.resize(assembly.residuals(), assembly.variables());
    independent_.reserve(above_last, assembly.variables());
    tangent_.assign(limits, tangents);
  }
  report.constraints.resize(work.problem.constraints().size());
  for (std::size_t c = 0; c < report.constraints.size(); ++c) {
    ConstraintReport& constraint = report.constraints[c];
    constraint.held_back_by.reserve(static_cast<std::size_t>(std::min(max_shares, assembly.variables())));
    constraint.obstacles.clear();
    constraint.joints.reserve(static_cast<std::size_t>(assembly.max_joints(c)));
    const Clearance* const clearance = work.problem.constraints()[c].clearance();
    if (!clearance) continue;
    for (const Obstacle& obstacle : clearance->obstacles) constraint.obstacles.push_back(obstacle.name);
    constraint.touches.reserve(static_cast<std::size_t>(assembly.max_touches(c)));
  }
}

void Reporter::explain(Workspace& work, const Options& options, Report& report) {
  Assembly& assembly = *work.assembly;
  for (std::size_t c = 0; c < report.constraints.size(); ++c)
    explain_constraint(work, c, options, report.constraints[c]);
  report.kkt = 0.0;
  if (!assembly.has_one_level()) {
    assembly.residual(work.phi, residual_);
    assembly.jacobian(work.phi, jacobian_);
  }
  int begin = 0;
  for (const int end : assembly.level_ends()) {
    if (end == begin && assembly.residuals() > 0) continue;
    explain_level(work, begin, end, options, report);
    begin = end;
  }
  if (report.kkt <= options.tolerance && report.exit != Exit::cancelled && report.exit != Exit::met)
    report.exit = Exit::converged;
  if (report.kkt > options.tolerance && report.exit == Exit::converged) report.exit = Exit::stalled;
}

// One level: its gradient against the limits and the tangents of the levels above. Residual and Jacobian have been
// evaluated if there are several levels.
void Reporter::explain_level(Workspace& work, int begin, int end, const Options& options, Report& report) {
  Assembly& assembly = *work.assembly;
  if (assembly.variables() == 0) return;
  if (assembly.has_one_level()) {
    assembly(work.phi, gradient_);
  } else {
    gradient_.noalias() =
        2.0 * (jacobian_.middleRows(begin, end - begin).transpose() * residual_.segment(begin, end - begin));
    if (begin > 0) {
      tangent_ = assembly.limits();
      tangent_.add_tangent(jacobian_, independent_.find(jacobian_, begin), work.phi);
    }
  }
  const Limits& limits = begin > 0 ? tangent_ : assembly.limits();
  const double residual = kkt_.check(limits, work.phi, gradient_, active_slack);
  // A goal returned a number that is not finite: nothing is known about this point.
  report.kkt = gradient_.allFinite() ? std::fmax(report.kkt, residual) : infinity;
  if (kkt_.multipliers().empty()) return;
  for (std::size_t c = 0; c < report.constraints.size(); ++c) {
    ConstraintReport& out = report.constraints[c];
    if (out.met || !out.counted || !assembly.is_within(c, begin, end)) continue;
    assembly.gradient_of(c, work.phi, gradient_);
    kkt_.shares(limits, gradient_, share_);
    name_limits(work, limits, options, out);
  }
}

// The limits that block a constraint, with the share_ of each.
void Reporter::name_limits(const Workspace& work, const Limits& limits, const Options& options,
                           ConstraintReport& out) const {
  const Figure& figure = work.problem.figure();
  const int n = limits.variables();
  const auto in_use = static_cast<Eigen::Index>(kkt_.multipliers().size());
  const auto is_limit = [&](Eigen::Index k) {
    return kkt_.multipliers()[static_cast<std::size_t>(k)].limit < work.assembly->limits().count();
  };
  double total = 0.0;
  for (Eigen::Index k = 0; k < in_use; ++k)
    if (is_limit(k)) total += std::fmax(0.0, share_[k]);
  // Contributions this small are rounding error.
  if (!(total > options.tolerance)) return;
  for (Eigen::Index k = 0; k < in_use; ++k) {
    if (!is_limit(k) || share_[k] < min_share * total) continue;
    const int limit = kkt_.multipliers()[static_cast<std::size_t>(k)].limit;
    HoldingLimit holding;
    holding.share = share_[k] / total;
    if (limit >= 2 * n) {
      holding.name = figure.limit_rows()[work.assembly->limit_row(limit - 2 * n)].name;
    } else {
      holding.parameter = work.assembly->parameter(limit % n);
      const Parameter& parameter = figure.parameters()[holding.parameter];
      holding.name = limit < n ? parameter.lower_name : parameter.upper_name;
    }
    out.held_back_by.push_back(holding);
  }
  std::sort(out.held_back_by.begin(), out.held_back_by.end(), [](const HoldingLimit& a, const HoldingLimit& b) {
    return a.share != b.share ? a.share > b.share : a.name < b.name;
  });
}

}  // namespace limber
