// What was learned: the common body, the network that proposes its pose from goals, and how far off it is.
//
// The network works in a frame of the body. Its inputs do not change if the goals are moved or turned about the
// vertical, so its proposal moves and turns with them (learn/network.py):
//
//   with a start      that of the start's root, without tilt: turned about y so that R00 + R22 is maximal
//   without           the mean of the given positions, turned to where the given parts face (FacingPair)
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "limber/posing/common_body.h"
#include "limber/posing/network.h"

namespace limber {

using HandlePositions = std::array<Vec3, handle_part_count>;
using HandleRotations = std::array<Mat3, handle_part_count>;
using Lengths = std::array<double, length_groups>;

// Goals for parts of the common body, in metres of the common body.
struct PartGoals {
  std::array<bool, handle_part_count> has_position = {}, has_rotation = {};
  HandlePositions p;
  HandleRotations R;  // relative to the zero pose
};

// A pose of the common body.
struct CommonPose {
  VecX angles;
  Frame root;
};
// A start also says where its parts are, the root first.
struct CommonStart : CommonPose {
  HandlePositions p;
  HandleRotations R;
};

// Kinds of goals, each with errors of its own.
enum class AskedKind { ends, ends_and_pelvis, turned_ends, turned_ends_and_pelvis, any, drag };
inline constexpr int asked_kinds = 6;
AskedKind kind_of(const PartGoals& goals, bool has_start);

// How far proposals were from recorded poses: standard deviations of the root, and A with AᵀA the inverse covariance
// of the angles.
struct ProposalError {
  double position = 1.0;  // metres
  double rotation = 1.0;  // radians
  MatX A;                 // lower triangular
};

class PoseModel {
 public:
  static Expected<PoseModel> read(std::string_view bytes);
  // The one that the library contains.
  static const Expected<PoseModel>& embedded();

  struct Workspace {
    std::vector<float> in, out;
    Network::Workspace network;
    CommonPose pose;
  };
  Workspace workspace() const;

  // The proposed pose, without p. `lengths`: of each group relative to the common body; `start`: none or a pose of the
  // same body. Allocates nothing.
  void propose(const PartGoals& goals, const Lengths& lengths, const CommonStart* start, Workspace& work) const;

  const CommonBody& body() const { return body_; }
  const Network& network() const { return network_; }
  const VecX& mean() const { return mean_; }
  const VecX& spread() const { return spread_; }
  const ProposalError& error(AskedKind kind) const { return errors_[static_cast<std::size_t>(kind)]; }

 private:
  CommonBody body_;
  VecX mean_, spread_;
  Network network_;
  std::vector<ProposalError> errors_;
};

// The turn about y of a rotation: the angle whose removal makes R00 + R22 maximal.
double turn_about_y(const Mat3& R);

}  // namespace limber
