#include "limber/motion/track.h"

#include <algorithm>
#include <cassert>

#include "limber/kinematics/handle.h"

namespace limber {

Expected<Tracker> Tracker::make(const Figure& figure, const std::vector<std::string>& places,
                                const TrackOptions& options) {
  Tracker tracker;
  tracker.options_ = options;
  tracker.problem_ = std::make_unique<Problem>(figure);
  Problem& problem = *tracker.problem_;
  if (places.empty() && options.points.empty()) return refuse("places to track", "none", "at least one");
  const auto add = [&](const std::string& place, bool oriented) -> Expected<void> {
    const Expected<Handle> handle = oriented ? figure.frame(place) : figure.point(place);
    if (!handle) return std::unexpected(handle.error());
    const Goal goal =
        oriented ? Goal(Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}}) : Goal(Position{Vec3::Zero()});
    const Expected<ConstraintId> id = problem.add(handle, goal, {.name = place});
    if (!id) return std::unexpected(id.error());
    tracker.handles_.push_back(*handle);
    tracker.ids_.push_back(*id);
    return {};
  };
  for (const std::string& place : places)
    if (Expected<void> added = add(place, options.orientations); !added) return std::unexpected(added.error());
  for (const std::string& place : options.points)
    if (Expected<void> added = add(place, false); !added) return std::unexpected(added.error());
  if (options.natural)
    if (Expected<void> added = problem.add_prior(); !added) return std::unexpected(added.error());
  if (options.root_given)
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const std::vector<int>& drives = figure.parameters()[j].drives;
      const bool moves_root = std::any_of(drives.begin(), drives.end(), [&](int i) {
        return figure.segments()[figure.freedoms()[i].joint].parent == no_parent;
      });
      if (!moves_root) continue;
      tracker.root_.push_back(static_cast<int>(j));
      if (Expected<void> held = problem.set_rigidity(figure.parameters()[j].name, 1.0); !held)
        return std::unexpected(held.error());
    }
  tracker.solver_ = std::make_unique<Solver>(problem);
  tracker.state_ = std::make_unique<Kinematics>(figure);
  return tracker;
}

void Tracker::aim(const Pose& reference, Pose& pose) {
  const Figure& of = figure();
  for (const int j : root_) pose.theta[j] = reference.theta[j];
  of.angles(reference.theta, q_);
  forward(of, q_, *state_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    Vec3 x[max_elements];
    evaluate(of, *state_, handles_[k], x);
    const bool oriented = handles_[k].shape == Shape::frame;
    const Goal goal = oriented ? Goal(Placement{x[0], {x[1], x[2]}}) : Goal(Position{x[0]});
    const Expected<void> set = problem_->set_goal(ids_[k], goal);
    assert(set);
    (void)set;
  }
}

void Tracker::aim(std::span<const std::optional<Vec3>> points) {
  assert(points.size() == ids_.size() && !options_.orientations);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const Expected<void> enabled = problem_->set_enabled(ids_[k], points[k].has_value());
    const Expected<void> set = points[k] ? problem_->set_goal(ids_[k], Position{*points[k]}) : Expected<void>{};
    assert(enabled && set);
    (void)enabled;
    (void)set;
  }
}

const Report& Tracker::solve(Pose& pose, const Options& options) {
  report_ = &solver_->solve(pose, options);
  return *report_;
}

double Tracker::mean_distance() const {
  double sum = 0.0;
  int counted = 0;
  for (std::size_t k = 0; k < ids_.size() && k < report_->constraints.size(); ++k) {
    const ConstraintReport& constraint = report_->constraints[k];
    if (!constraint.counted) continue;
    sum += constraint.left.metres.value_or(0.0);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0.0;
}

double Tracker::largest_distance() const {
  double most = 0.0;
  for (std::size_t k = 0; k < ids_.size() && k < report_->constraints.size(); ++k)
    if (const ConstraintReport& constraint = report_->constraints[k]; constraint.counted)
      most = std::max(most, constraint.left.metres.value_or(0.0));
  return most;
}

}  // namespace limber
