// A figure tracks a motion of which only a few places are known.                                  EE09 section 4
//
// Each place of the figure has a position goal (optionally an orientation); frame by frame the goals move, and the pose
// is solved from the previous one. Goals come from a reference pose of the same figure, or from points such as markers;
// a point that was not seen is ignored in its frame.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/kinematics/forward.h"
#include "limber/motion/clip.h"
#include "limber/motion/markers.h"
#include "limber/solver/solve.h"

namespace limber {

class RootAlignment;

struct TrackOptions {
  bool orientations = false;             // track orientations of the places as well
  bool root_given = false;               // the root's parameters are copied from the reference and fixed
  bool natural = false;                  // resolve redundancy by the figure's prior, which it must have
  std::vector<std::string> points = {};  // further places, tracked by position only
};

class Tracker {
 public:
  // Names of sites, segments or joints.
  static Expected<Tracker> make(const Figure& figure, const std::vector<std::string>& places,
                                const TrackOptions& options = {});
  // Tracks markers attached to the figure. Orientations and root_given are not supported.
  static Expected<Tracker> with_markers(const Figure& figure, const std::vector<Attachment>& markers,
                                        const TrackOptions& options = {});
  Tracker(Tracker&& other) noexcept;
  Tracker& operator=(Tracker&& other) noexcept;
  ~Tracker();

  const Figure& figure() const { return problem_->figure(); }
  const Problem& problem() const { return *problem_; }
  std::size_t places() const { return ids_.size(); }

  // Sets the goals from a reference pose; copies the root into `pose` if root_given.
  void aim(const Pose& reference, Pose& pose);
  // Sets the goals to these points: one per place, then one per further point; none if unknown. Only without
  // orientations.
  void aim(std::span<const std::optional<Vec3>> points);

  // Moves a free root rigidly to fit the goals, for a start far away.
  void align(Pose& pose);

  // Solves from `pose` in place. The report is valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

  // Distances of the places from their goals in the last report, in metres.
  double mean_distance() const;
  double max_distance() const;

 private:
  Tracker();
  static Tracker of(const Figure& figure, const TrackOptions& options);
  Expected<void> add(const Expected<Handle>& handle, double weight, const std::string& name);
  Expected<void> finish();

  TrackOptions options_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<RootAlignment> alignment_;
  std::vector<Handle> handles_;
  std::vector<ConstraintId> ids_;
  std::vector<int> root_;  // parameters of the root joints
  std::unique_ptr<Kinematics> state_;
  VecX q_;
  const Report* report_ = nullptr;
};

}  // namespace limber
