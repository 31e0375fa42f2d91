#include "limber/motion/timed/schedule.h"

#include <algorithm>
#include <cassert>

#include "limber/base/number.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

namespace {

// Rejects a goal of another kind than the first one, with another number of rows, or for another handle shape.
Expected<Goal> of_kind(const Goal& goal, const Goal& first, Shape shape) {
  if (goal.index() != first.index())
    return reject("goal", std::string("a ") + name_of(goal), std::string("a ") + name_of(first));
  if (shape_of(goal).value_or(shape) != shape)
    return reject("goal", std::string("a goal for a ") + name_of(*shape_of(goal)),
                  std::string("a goal for a ") + name_of(shape));
  if (const int rows = row_count(goal, shape), known = row_count(first, shape); rows != known)
    return reject("goal", std::to_string(rows) + " rows", std::to_string(known) + ", as initially");
  return goal;
}

std::size_t index_of(const Problem& problem, ConstraintId id) {
  std::size_t k = 0;
  while (problem.constraints()[k].id != id) ++k;
  return k;
}

bool is_within(const GoalError& error, double metres, double max_degrees) {
  return error.metres.value_or(0.0) <= metres && degrees(error.radians.value_or(0.0)) <= max_degrees;
}

}  // namespace

Schedule::Schedule(const TimedProblem& timed) : timed_(timed), problem_(timed.problem()) {
  for (const Demand& demand : timed.demands()) goals_.push_back(demand.goal);
  assembly_ = std::make_unique<Assembly>(problem_);
}

void Schedule::hold(int demand, const VecX& theta) {
  const Demand& held = timed_.demands()[demand];
  const Figure& figure = problem_.figure();
  const Kinematics state = forward(figure, Pose{theta});
  Vec3 x[max_elements];
  evaluate(figure, state, problem_.find(held.slot)->alternatives().front().handle, x);
  set_targets(goals_[static_cast<std::size_t>(demand)], x);
}

void Schedule::hold(const Clip& given, HoldAt when) {
  const auto first_frame = [&](const Span& span) {
    int k = 0;
    while (k < given.frames() && !(span.activity(k * given.frame_time) > 0.0)) ++k;
    return std::min(k, given.frames() - 1);
  };
  for (std::size_t d = 0; d < timed_.demands().size(); ++d) {
    const Demand& demand = timed_.demands()[d];
    if (!demand.holds) continue;
    const double begin = std::clamp(demand.span.from / given.frame_time, 0.0, given.frames() - 1.0);
    hold(static_cast<int>(d),
         given.poses.col(when == HoldAt::span_start ? std::lround(begin) : first_frame(demand.span)));
  }
}

Expected<void> Schedule::active(double time, std::vector<ActiveDemand>& out) {
  out.clear();
  for (std::size_t d = 0; d < timed_.demands().size(); ++d) {
    const Demand& demand = timed_.demands()[d];
    const double activity = demand.activity(time);
    if (!(activity > 0.0) || (!only_.empty() && !only_[d])) continue;
    ActiveDemand entry{static_cast<int>(d), index_of(problem_, demand.slot), activity};
    if (demand.moving) {
      Expected<Goal> goal = checked(demand.moving(time));
      if (goal) goal = of_kind(*goal, demand.goal, problem_.find(demand.slot)->alternatives().front().handle.shape);
      if (!goal)
        return reject("'" + demand.name + "' at " + to_text(time) + " s: " + goal.error().where, goal.error().found,
                      goal.error().expected);
      entry.moving = static_cast<int>(moving_.size());
      moving_.push_back(*goal);
    }
    out.push_back(entry);
  }
  return {};
}

void Schedule::place(const std::vector<ActiveDemand>& active, const VecX& theta, VecX& phi) {
  for (const ActiveDemand& entry : active) {
    const Demand& demand = timed_.demands()[static_cast<std::size_t>(entry.demand)];
    const Expected<void> set = problem_.set_goal(demand.slot, goal_of(entry));
    assert(set);
    (void)set;
  }
  assembly_->start(theta, phi);
}

void Schedule::begin_report(MotionReport& report) const {
  report.demands.clear();
  for (const Demand& demand : timed_.demands()) report.demands.push_back({.name = demand.name, .taken = demand.taken});
}

void Schedule::report_frame(int frame, const std::vector<ActiveDemand>& active, const VecX& theta,
                            MotionReport& report) {
  if (active.empty()) return;
  place(active, theta, phi_);
  assembly_->evaluate_at(phi_);
  for (const ActiveDemand& entry : active)
    if (entry.is_full())
      report.demands[static_cast<std::size_t>(entry.demand)].take(frame, assembly_->error_of(entry.slot));
}

bool Schedule::holds(const std::vector<ActiveDemand>& active, const VecX& theta, double met_metres,
                     double met_degrees) {
  place(active, theta, phi_);
  assembly_->evaluate_at(phi_);
  return std::all_of(active.begin(), active.end(), [&](const ActiveDemand& entry) {
    return !entry.is_full() || !problem_.constraints()[entry.slot].must_hold() ||
           is_within(assembly_->error_of(entry.slot), met_metres, met_degrees);
  });
}

void Schedule::end_report(double met_metres, double met_degrees, MotionReport& report) const {
  for (std::size_t d = 0; d < report.demands.size(); ++d) {
    DemandReport& demand = report.demands[d];
    const double slack = problem_.find(timed_.demands()[d].slot)->must_hold() ? 1.0 : soft_slack;
    demand.met = is_within(demand.error, slack * met_metres, slack * met_degrees);
  }
}

VecX Schedule::stiffness(double guide) const {
  VecX out(assembly_->variables());
  for (int i = 0; i < assembly_->variables(); ++i) out[i] = guide * timed_.stiffness()[assembly_->parameter(i)];
  return out;
}

double Schedule::row_factor(std::size_t slot) const {
  const double scale = assembly_->row_scale_of(slot) * problem_.figure().length();
  return 1.0 / (scale * scale);
}

}  // namespace limber
