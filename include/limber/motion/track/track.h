// A figure follows a motion of which only a few places are known.                                 EE09 section 4
//
// Each place of the figure gets a position goal (and an orientation, if asked for); frame by frame the goals move and
// the pose is solved from the one before. What is known comes from a reference pose of the same figure, or from points
// such as markers; a point that was not seen takes no part in its frame.
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
  bool orientations = false;  // of the places, besides their positions
  bool root_given = false;    // the root's parameters are the reference's, and do not move
  bool natural = false;       // what the places leave open is as usual for the figure, which must carry a prior
  std::vector<std::string> points = {};  // more places, of which only the position counts
};

class Tracker {
 public:
  // Places are names of sites, segments or joints.
  static Expected<Tracker> make(const Figure& figure, const std::vector<std::string>& places,
                                const TrackOptions& options = {});
  // Markers fixed to the figure, to be aimed at points. They know nothing of orientations or of the root.
  static Expected<Tracker> with_markers(const Figure& figure, const std::vector<Attachment>& markers,
                                        const TrackOptions& options = {});
  Tracker(Tracker&& other) noexcept;
  Tracker& operator=(Tracker&& other) noexcept;
  ~Tracker();

  const Figure& figure() const { return problem_->figure(); }
  const Problem& problem() const { return *problem_; }
  std::size_t places() const { return ids_.size(); }

  // The goals are where the reference pose has the places; a root that is given is set in `pose`.
  void aim(const Pose& reference, Pose& pose);
  // The goals are these points, one a place, then one a further point; nothing where one is not known. Only without
  // orientations.
  void aim(std::span<const std::optional<Vec3>> points);

  // Brings the root, where it is free, rigidly to where the goals are: a start that may be far away.
  void align(Pose& pose);

  // Solves from `pose` and leaves the answer there. Valid until the next call.
  const Report& solve(Pose& pose, const Options& options = {});

  // How far the places are from their goals in the last report, in metres.
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
  std::vector<int> root_;  // parameters of the joints that carry a root
  std::unique_ptr<Kinematics> state_;
  VecX q_;
  const Report* report_ = nullptr;
};

}  // namespace limber
