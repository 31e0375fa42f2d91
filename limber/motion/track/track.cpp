#include "limber/motion/track/track.h"

#include <algorithm>
#include <cassert>

#include "limber/kinematics/forward.h"
#include "limber/solver/align.h"

namespace limber {

Tracker::Tracker() = default;
Tracker::Tracker(Tracker&& other) noexcept = default;
Tracker& Tracker::operator=(Tracker&& other) noexcept = default;
Tracker::~Tracker() = default;

Tracker Tracker::of(const Figure& figure, const TrackOptions& options) {
  Tracker tracker;
  tracker.options_ = options;
  tracker.problem_ = std::make_unique<Problem>(figure);
  return tracker;
}

Expected<void> Tracker::add(const Expected<Handle>& handle, double weight, const std::string& name) {
  if (!handle) return std::unexpected(handle.error());
  const bool oriented = handle->shape == Shape::frame;
  const Goal goal =
      oriented ? Goal(Placement{Vec3::Zero(), {Vec3::UnitX(), Vec3::UnitY()}}) : Goal(Position{Vec3::Zero()});
  const Expected<ConstraintId> id = problem_->add(handle, goal, {.weight = weight, .name = name});
  if (!id) return std::unexpected(id.error());
  handles_.push_back(*handle);
  ids_.push_back(*id);
  return {};
}

Expected<void> Tracker::finish() {
  const Figure& tracked = figure();
  if (ids_.empty()) return reject("places to track", "none", "at least one");
  if (options_.natural)
    if (Expected<void> added = problem_->add_prior(); !added) return added;
  if (options_.root_given)
    for (std::size_t j = 0; j < tracked.parameters().size(); ++j) {
      const std::vector<int>& drives = tracked.parameters()[j].drives;
      const bool moves_root = std::any_of(drives.begin(), drives.end(), [&](int i) {
        return tracked.segments()[tracked.freedoms()[i].joint].parent == no_parent;
      });
      if (!moves_root) continue;
      root_.push_back(static_cast<int>(j));
      if (Expected<void> fixed = problem_->set_rigidity(tracked.parameters()[j].name, 1.0); !fixed) return fixed;
    }
  solver_ = std::make_unique<Solver>(*problem_);
  alignment_ = std::make_unique<RootAlignment>(tracked);
  state_ = std::make_unique<Kinematics>(tracked);
  return {};
}

Expected<Tracker> Tracker::make(const Figure& figure, const std::vector<std::string>& places,
                                const TrackOptions& options) {
  Tracker tracker = of(figure, options);
  for (const std::string& place : places)
    if (const Expected<void> added =
            tracker.add(options.orientations ? figure.frame(place) : figure.point(place), 1.0, place);
        !added)
      return std::unexpected(added.error());
  for (const std::string& place : options.points)
    if (const Expected<void> added = tracker.add(figure.point(place), 1.0, place); !added)
      return std::unexpected(added.error());
  if (const Expected<void> done = tracker.finish(); !done) return std::unexpected(done.error());
  return tracker;
}

Expected<Tracker> Tracker::with_markers(const Figure& figure, const std::vector<Attachment>& markers,
                                        const TrackOptions& options) {
  if (options.orientations || options.root_given || !options.points.empty())
    return reject("markers to track",
                  options.orientations ? "orientations"
                  : options.root_given ? "a given root"
                                       : "further places",
                  "markers only, which are points");
  Tracker tracker = of(figure, options);
  for (const Attachment& marker : markers) {
    const Expected<void> added = tracker.add(marker_point(figure, marker), marker.weight, marker.marker);
    if (!added)
      return reject("marker '" + marker.marker + "'" + (added.error().where.empty() ? "" : ": ") + added.error().where,
                    added.error().found, added.error().expected);
  }
  if (const Expected<void> done = tracker.finish(); !done) return std::unexpected(done.error());
  return tracker;
}

void Tracker::aim(const Pose& reference, Pose& pose) {
  const Figure& tracked = figure();
  for (const int j : root_) pose.theta[j] = reference.theta[j];
  tracked.angles(reference.theta, q_);
  forward(tracked, q_, *state_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    Vec3 x[max_elements];
    evaluate(tracked, *state_, handles_[k], x);
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
    // Only changes are applied: the solver rebuilds its workspace for each.
    const bool switches = problem_->find(ids_[k])->enabled != points[k].has_value();
    const Expected<void> enabled = switches ? problem_->set_enabled(ids_[k], !!points[k]) : Expected<void>{};
    const Expected<void> set = points[k] ? problem_->set_goal(ids_[k], Position{*points[k]}) : Expected<void>{};
    assert(enabled && set);
    (void)enabled;
    (void)set;
  }
}

void Tracker::align(Pose& pose) {
  if (root_.empty()) alignment_->align(*problem_, pose.theta);
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
    sum += constraint.error.metres.value_or(0.0);
    ++counted;
  }
  return counted > 0 ? sum / counted : 0.0;
}

double Tracker::max_distance() const {
  double max = 0.0;
  for (std::size_t k = 0; k < ids_.size() && k < report_->constraints.size(); ++k)
    if (const ConstraintReport& constraint = report_->constraints[k]; constraint.counted)
      max = std::max(max, constraint.error.metres.value_or(0.0));
  return max;
}

}  // namespace limber
