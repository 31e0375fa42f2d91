// Proposes a natural pose from what is asked of a figure, and pulls a solve towards it.
//
// The network (model.h) knows one body. What is asked is carried over to its parts, and its answer back to the figure:
//
//   a skeleton with the joints of CMU   its own angles, pulled in the metric of their error covariance; and the root
//   any other with the common names     the joints of all parts and the rotations of pelvis, chest, head and feet;
//                                       its own angles are pulled weakly to the start
//
// It is asked twice, for the goals and for their mirror image; the mean of the answers treats left and right alike.
//
// With a start, only the change counts: what the network proposes less what it proposes where nothing is asked to move.
// So a part that is asked to stay where it is proposes the start itself. All pulls are soft constraints of the problem:
// what is asked is met exactly wherever it can be.
//
//   Proposer proposer = *Proposer::make(figure);
//   proposer.propose(asked, &pose_at_grab);
//   proposer.add_to(problem);                     // once; then per frame:
//   proposer.propose(asked, &pose_at_grab);
//   proposer.aim(problem);
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "limber/posing/body_mirror.h"
#include "limber/posing/handle_places.h"
#include "limber/posing/model.h"
#include "limber/posing/part_fit.h"
#include "limber/posing/root_placer.h"
#include "limber/problem/problem.h"

namespace limber {

// What is asked of one point of the figure: where it should be, and how its segment should be turned.
struct AskedPoint {
  int segment = 0;
  Vec3 local = Vec3::Zero();  // the point, in the segment
  std::optional<Vec3> p_world = {};
  std::optional<Mat3> R_world_segment = {};
};

class Proposer {
 public:
  // An error where the figure's parts are unknown or its root is not free.
  static Expected<Proposer> make(const Figure& figure);
  // With another model than the embedded one.
  static Expected<Proposer> make(const Figure& figure, const PoseModel& model);

  // `start`: the pose at the grab of a drag; nullptr: none, then the answer depends on the goals alone. Deterministic;
  // allocates nothing after the first call.
  void propose(std::span<const AskedPoint> asked, const Pose* start);
  // The same without pose(), which takes most of the time: for the pulls alone.
  void propose_targets(std::span<const AskedPoint> asked, const Pose* start);

  // The proposed pose within the figure's limits. For a figure without CMU's joints: angles with which its parts are
  // nearly where they are proposed (part_fit.h).
  const Pose& pose() const { return pose_; }
  // The segments where the arms begin.
  std::array<int, 2> shoulders() const {
    return {places_.part[handle_part("left_shoulder")].segment, places_.part[handle_part("right_shoulder")].segment};
  }

  // Adds the pulls to a problem of the figure, as soft constraints with the weights of the kind of goals that was last
  // proposed for.
  Expected<void> add_to(Problem& problem, double weight = 1.0);
  // The same, but not soft, only for segments that follow it, and not for what is asked itself. The figure's own angles
  // are pulled only where they are proposed.
  Expected<void> add_firmly(Problem& problem, double weight, const std::vector<bool>& follows);
  // Sets their targets to the last proposal.
  Expected<void> aim(Problem& problem) const;

 private:
  Proposer(const Figure& figure, const PoseModel& model, HandlePlaces places, RootPlacer root);

  struct PartPull {
    int part = 0;
    bool turned = false;
    Handle handle;
    std::optional<ConstraintId> id = {};
  };

  void ask(const PartGoals& goals, const CommonStart* start, PoseModel::Workspace& work);
  void measure(const Pose& pose, HandlePositions& p, HandleRotations& R);
  void set_common_start(const Pose& start);
  void propose_change(bool is_known);
  bool knows(const Pose* start);
  void collect(std::span<const AskedPoint> asked, const Pose* start);
  int nearest_part(const AskedPoint& point) const;
  void set_targets(const Pose* start);
  void set_pose();
  void prepare_fit();
  std::vector<int> own_parameters() const;
  MatX pull_matrix(AskedKind kind) const;
  Expected<void> add_angles(Problem& problem, double weight, const std::vector<bool>* follows);
  Expected<void> add_part(Problem& problem, double weight, bool soft, PartPull& pull);

  Figure figure_;
  const PoseModel* model_;
  HandlePlaces places_;
  RootPlacer root_;
  std::array<int, handle_part_count> bone_ = {};  // of each part
  bool same_joints_ = false;

  VecX rest_;              // the figure's usual pose, if it has a prior
  Kinematics zero_state_;  // in the pose in which the figure was measured
  Kinematics state_;       // at the start
  VecX q_;
  PoseModel::Workspace work_, start_work_, still_work_;
  BodyMirror mirror_;
  PoseModel::Workspace mirrored_work_;
  PartGoals mirrored_goals_;
  CommonStart mirrored_start_;
  CommonPose other_;
  CommonBody::State proposed_, started_;
  PartGoals goals_, start_goals_, still_goals_;
  CommonStart common_start_;
  VecX known_start_;  // the start of the last proposal, with which of its goals were given; empty if it had none
  std::array<bool, handle_part_count> known_positions_ = {}, known_rotations_ = {};
  HandlePositions p_start_;  // on the figure
  HandleRotations R_start_;
  HandlePositions p_target_;
  HandleRotations R_target_;  // of the segments
  AskedKind kind_ = AskedKind::any;
  Pose pose_;
  VecX target_;  // of the parameters
  std::vector<PartPull> pulls_;
  std::optional<PartFit> fit_;
  std::vector<Vec3> fit_targets_;
  std::optional<ConstraintId> angles_id_;
};

}  // namespace limber
