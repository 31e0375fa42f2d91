#include "limber/reach/witness.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/kinematics/forward.h"
#include "limber/program/feasible.h"
#include "limber/solver/report.h"

namespace limber {

namespace {

// Difference between two ways of computing a distance, relative to the figure's length.
constexpr double distance_rounding = 1e-12;

// The segments of all handles and capsules, with their ancestors; all segments for a centre of mass.
std::vector<int> needed_segments(const Problem& problem) {
  const Figure& figure = problem.figure();
  std::vector<char> needed(figure.segments().size(), 0);
  bool all = false;
  const auto need = [&](const Element& element) {
    all = all || element.kind == Element::Kind::mass_centre;
    for (int s = element.segment; s != no_parent; s = figure.segments()[static_cast<std::size_t>(s)].parent)
      needed[static_cast<std::size_t>(s)] = 1;
  };
  for (const Constraint& constraint : problem.constraints()) {
    if (constraint.clearance())
      for (const SegmentCapsule& capsule : constraint.clearance()->capsules)
        need({Element::Kind::point, capsule.segment, Vec3::Zero()});
    for (const Alternative& alternative : constraint.alternatives()) {
      for (int k = 0; k < alternative.handle.count(); ++k) need(alternative.handle.plus[static_cast<std::size_t>(k)]);
      for (int k = 0; k < alternative.handle.minus_count; ++k)
        need(alternative.handle.minus[static_cast<std::size_t>(k)]);
    }
  }
  std::vector<int> segments;
  for (std::size_t s = 0; s < needed.size(); ++s)
    if (all || needed[s]) segments.push_back(static_cast<int>(s));
  return segments;
}

// By the assessment of the pose, with the feet that stand in it.
bool can_hold(const Figure& figure, const Pose& pose, const StrengthLimit& limit) {
  const Expected<StaticLoad> load = static_load(figure, pose, limit.carried);
  if (!load) return false;
  const Expected<std::vector<JointLoad>> joints = joint_loads(figure, pose, *load, limit.table, limit.strength);
  return joints && std::ranges::none_of(*joints, [&](const JointLoad& joint) {
           return joint.row >= 0 && joint.share > limit.share * (1.0 + met_overload);
         });
}

}  // namespace

double min_gap(const Problem& problem, const Constraint& constraint, double tolerance) {
  const double rounding = distance_rounding * problem.figure().length();
  return constraint.clearance()->margin - (std::isfinite(constraint.weight) ? tolerance : rounding);
}

WitnessCheck::WitnessCheck(const Problem& problem, std::size_t reached, WitnessTolerance tolerance)
    : problem_(problem),
      reached_(reached),
      tolerance_(tolerance),
      needed_(needed_segments(problem)),
      state_(problem.figure()) {
  for (const Constraint& constraint : problem.constraints()) {
    if (!constraint.clearance() || !constraint.counts()) continue;
    const Clearance& clearance = *constraint.clearance();
    clearances_.push_back({NearFinder(clearance.capsules, clearance.pairs), Obstacles(clearance.obstacles),
                           min_gap(problem, constraint, tolerance.metres)});
  }
}

bool WitnessCheck::keeps_limits(const VecX& theta) const {
  const Figure& figure = problem_.figure();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double value = theta[static_cast<Eigen::Index>(j)];
    if (!(value >= range.lower && value <= range.upper)) return false;
  }
  for (const LimitRow& row : figure.limit_rows()) {
    double sum = -row.bound, scale = std::fmax(1.0, std::fabs(row.bound));
    for (std::size_t k = 0; k < row.parameters.size(); ++k) {
      const double term = row.coefficients[k] * theta[row.parameters[k]];
      sum += term;
      scale = std::fmax(scale, std::fabs(term));
    }
    if ((row.relation == Relation::equal ? std::fabs(sum) : sum) > row_tolerance * scale) return false;
  }
  return true;
}

GoalError WitnessCheck::error_of(const Handle& handle, const Goal& goal) const {
  std::array<Vec3, max_elements> x;
  evaluate(problem_.figure(), state_, handle, x.data());
  return limber::error_of(goal, {handle.shape, x.data()});
}

bool WitnessCheck::is_met(const GoalError& error) const {
  return error.metres.value_or(0.0) <= tolerance_.metres && error.radians.value_or(0.0) <= tolerance_.radians;
}

bool WitnessCheck::is_met(const Constraint& constraint, const Goal& goal) const {
  if (constraint.alternatives().size() == 1) return is_met(error_of(constraint.alternatives().front().handle, goal));
  return std::any_of(constraint.alternatives().begin(), constraint.alternatives().end(),
                     [&](const Alternative& a) { return is_met(error_of(a.handle, a.goal)); });
}

// In the current pose.
bool WitnessCheck::is_clear() {
  for (ClearanceCheck& clearance : clearances_) {
    clearance.finder.place(state_);
    clearance.finder.find(clearance.obstacles, clearance.min_gap, near_);
    if (!near_.empty()) return false;
  }
  return true;
}

WitnessCheck::Result WitnessCheck::operator()(const VecX& theta, std::span<const Goal> goals) {
  Result result;
  problem_.figure().angles(theta, q_);
  forward(problem_.figure(), q_, needed_, state_);
  result.limits_kept = keeps_limits(theta);
  result.others_met = is_clear();
  for (std::size_t c = 0; c < problem_.constraints().size(); ++c) {
    const Constraint& constraint = problem_.constraints()[c];
    if (c == reached_ || !constraint.counts() || constraint.soft || constraint.pull() || constraint.clearance())
      continue;
    if (constraint.strength()) {
      result.others_met = result.others_met && can_hold(problem_.figure(), {theta}, *constraint.strength());
      continue;
    }
    result.others_met = result.others_met && is_met(constraint, goals[c]);
  }
  const Handle& handle = problem_.constraints()[reached_].alternatives().front().handle;
  const GoalError error = error_of(handle, goals[reached_]);
  result.handle = evaluate(problem_.figure(), state_, handle.plus[0]);
  result.metres = error.metres.value_or(infinity);
  result.is_met = result.limits_kept && result.others_met && is_met(error);
  return result;
}

}  // namespace limber
