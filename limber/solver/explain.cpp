// The report of a solve: how far each constraint is from being met, what a clearance touches, and the limits that hold
// back what is not met.
//
// The Kuhn-Tucker conditions are checked anew, level by level: ∇f = Σ μ_k a_k with μ_k >= 0 over the limits a_k that
// the pose is on. A constraint's own gradient, written by the same a_k, says which of them hold it back, and by what
// share.
#include <algorithm>

#include "limber/base/number.h"
#include "limber/solver/solver_impl.h"

namespace limber {

namespace {

// A limit holds something back only where the pose is on it: its slack is rounding.
constexpr double active_slack = 1e-12;
// Shares below this are not worth a user's attention; so there are at most so many of the others.
constexpr double min_share = 0.01;
constexpr int max_shares = 100;

}  // namespace

// All the room that the report of the problem as it is now can need.
void Solver::Impl::reserve_report() {
  report_.constraints.resize(problem_.constraints().size());
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& constraint = report_.constraints[c];
    constraint.held_back_by.reserve(static_cast<std::size_t>(std::min(max_shares, assembly_->variables())));
    constraint.obstacles.clear();
    const Clearance* clearance = problem_.constraints()[c].clearance();
    if (!clearance) continue;
    for (const Obstacle& obstacle : clearance->obstacles) constraint.obstacles.push_back(obstacle.name);
    constraint.touches.reserve(static_cast<std::size_t>(assembly_->max_touches(c)));
  }
}

// The Kuhn-Tucker conditions, checked anew; each constraint's distance; and for those not met, the limits that push
// back.
void Solver::Impl::explain(const Options& options) {
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    ConstraintReport& out = report_.constraints[c];
    out.id = constraint.id;
    out.name = constraint.name;
    out.counted = constraint.counts();
    out.error = assembly_->distance(c);
    out.value = assembly_->value(c);
    out.comfort.reset();
    if (const PosePull* pull = constraint.pull())
      if (const auto* to_comfort = std::get_if<PullToComfort>(pull))
        out.comfort = 1.0 - to_comfort->comfort.discomfort(assembly_->theta());
    out.soft = constraint.soft;
    out.met = constraint.soft || is_met(constraint, out.error, options);
    out.held_back_by.clear();
    name_touches(c, options, out);
  }
  report_.kkt = 0.0;
  if (!assembly_->has_one_level()) {
    assembly_->residual(phi_, residual_);
    assembly_->jacobian(phi_, jacobian_);
  }
  int begin = 0;
  for (const int end : assembly_->level_ends()) {
    if (end == begin && assembly_->residuals() > 0) continue;
    explain_level(begin, end, options);
    begin = end;
  }
  if (report_.kkt <= options.tolerance && report_.exit != Exit::cancelled && report_.exit != Exit::met)
    report_.exit = Exit::converged;
  if (report_.kkt > options.tolerance && report_.exit == Exit::converged) report_.exit = Exit::stalled;
}

// What touches, or overlaps, of a clearance; also what cannot move, about which nothing could be done.
void Solver::Impl::name_touches(std::size_t c, const Options& options, ConstraintReport& out) {
  out.touches.clear();
  const Constraint& constraint = problem_.constraints()[c];
  if (!constraint.clearance() || !constraint.counts()) return;
  for (const ClearanceContact& contact : assembly_->touches_of(c, options.met_metres)) {
    name_touch(*constraint.clearance(), contact, out);
    out.error.metres = std::fmax(out.error.metres.value_or(0.0), constraint.clearance()->margin - contact.gap);
  }
  out.met = is_met(constraint, out.error, options);
  std::sort(out.touches.begin(), out.touches.end(), [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
}

void Solver::Impl::name_touch(const Clearance& clearance, const ClearanceContact& contact,
                              ConstraintReport& out) const {
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

// One level, with residual and Jacobian at hand where there are several: its gradient against the limits and the
// tangent of what the levels above it keep.
void Solver::Impl::explain_level(int begin, int end, const Options& options) {
  if (assembly_->has_one_level()) {
    (*assembly_)(phi_, gradient_);
  } else {
    gradient_.noalias() =
        2.0 * (jacobian_.middleRows(begin, end - begin).transpose() * residual_.segment(begin, end - begin));
    if (begin > 0) {
      tangent_ = assembly_->limits();
      tangent_.add_tangent(jacobian_, begin, phi_);
    }
  }
  const Limits& limits = begin > 0 ? tangent_ : assembly_->limits();
  const double residual = kkt_.check(limits, phi_, gradient_, active_slack);
  // A goal that fails now: nothing is known of the point.
  report_.kkt = gradient_.allFinite() ? std::fmax(report_.kkt, residual) : infinity;
  if (kkt_.multipliers().empty()) return;
  for (std::size_t c = 0; c < report_.constraints.size(); ++c) {
    ConstraintReport& out = report_.constraints[c];
    if (out.met || !out.counted || !assembly_->is_within(c, begin, end)) continue;
    assembly_->gradient_of(c, phi_, gradient_);
    kkt_.shares(limits, gradient_, share_);
    name_limits(limits, options, out);
  }
}

// The limits that push a constraint back, by the share_ that each has.
void Solver::Impl::name_limits(const Limits& limits, const Options& options, ConstraintReport& out) {
  const Figure& figure = problem_.figure();
  const int n = limits.variables();
  const auto in_use = static_cast<Eigen::Index>(kkt_.multipliers().size());
  const auto is_limit = [&](Eigen::Index k) {
    return kkt_.multipliers()[static_cast<std::size_t>(k)].limit < assembly_->limits().count();
  };
  double total = 0.0;
  for (Eigen::Index k = 0; k < in_use; ++k)
    if (is_limit(k)) total += std::fmax(0.0, share_[k]);
  // Parts this small against the whole are rounding, not limits that push.
  if (!(total > options.tolerance)) return;
  for (Eigen::Index k = 0; k < in_use; ++k) {
    if (!is_limit(k) || share_[k] < min_share * total) continue;
    const int limit = kkt_.multipliers()[static_cast<std::size_t>(k)].limit;
    HoldingLimit holding;
    holding.share = share_[k] / total;
    if (limit >= 2 * n) {
      holding.name = figure.limit_rows()[assembly_->limit_row(limit - 2 * n)].name;
    } else {
      holding.parameter = assembly_->parameter(limit % n);
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
