// The channels of a figure: parameters that are interpolated together.
//
//   rotation   three rotations that form a Ball
//   position   the three translations of a joint, consecutive and each its own parameter
//   single     any other parameter
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

// --- Three rotations, one after the other, about axes that meet at a point: their parameters as one rotation, and
// back.
//
// About coordinate axes:
//
//   R = R_a(x) R_b(y) R_c(z),   x, y, z the parameters times the signs of their axes
//
// As a unit quaternion the product splits into two pairs, from which each angle is one arc tangent (Bernardes and
// Viollet 2022). With k the axis that is neither a nor b, and e = +1 for the cyclic order (0 1 2, 1 2 0, 2 0 1), -1
// otherwise:
//
//   a, b, a:  q_w       = cos(y/2) cos α        q_a         = cos(y/2) sin α        α = (x + z)/2
//             q_b       = sin(y/2) cos β        e q_k       = sin(y/2) sin β        β = (x - z)/2
//   a, b, k:  q_w - q_b = √2 cos(y/2+π/4) cos α   q_a - e q_k = √2 cos(y/2+π/4) sin α   α = (x - e z)/2
//             q_w + q_b = √2 sin(y/2+π/4) cos β   q_a + e q_k = √2 sin(y/2+π/4) sin β   β = (x + e z)/2
//
// Where a pair is zero (gimbal lock), z takes the value of the reference angles.
//
// About any axes u, v, w of which neighbours are not parallel, R = R_u(x) R_v(y) R_w(z):
//
//   u·Rw = (u·v)(v·w) + ρ cos(y - ψ),   ρ (cos ψ, sin ψ) = (u·w - (u·v)(v·w), u·(v×w))
//
// has two solutions y, and for each x is the angle about u from R_v(y) w to R w, and z what then remains about w. Where
// u and w are not both at right angles to v, some rotations cannot be reached: y is then that of the nearest u·Rw.

using Quaternion = Eigen::Quaterniond;

// u, v and w, in the frame before the first rotation.
using BallAxes = std::array<Vec3, 3>;

struct Ball {
  EulerOrder order = euler_xyz;
  std::array<int, 3> parameters = {};
  Vec3 signs = Vec3::Ones();
  std::shared_ptr<const BallAxes> axes = {};  // in place of coordinate axes in `order`

  // x, y, z of a pose.
  Vec3 angles(const VecX& theta) const {
    return signs.cwiseProduct(Vec3(theta[parameters[0]], theta[parameters[1]], theta[parameters[2]]));
  }
  void set_angles(VecX& theta, const Vec3& angles) const {
    for (int t = 0; t < 3; ++t) theta[parameters[static_cast<std::size_t>(t)]] = signs[t] * angles[t];
  }

  Quaternion rotation(const Vec3& angles) const;
  Quaternion rotation(const VecX& theta) const { return rotation(angles(theta)); }

  // The angles of a rotation, each within half a turn of `near`; of its two solutions the one nearer to `near`.
  Vec3 angles(const Quaternion& rotation, const Vec3& near) const;

  // The same in two steps, to batch the arc tangents: the points (x, y) of Pairs have the angles α, β and y/2 (or
  // y/2 + π/4). For coordinate axes.
  struct Pairs {
    std::array<double, 3> x;
    std::array<double, 3> y;
  };
  Pairs pairs(const Quaternion& rotation) const;
  Vec3 angles(const Pairs& pairs, const double* arcs, const Vec3& near) const;
};

// Of a joint with exactly three rotations, about coordinate axes, each its own parameter; else nothing.
std::optional<Ball> ball_of(const Figure& figure, const Joint& joint);

// Of all such joints of a figure, in order.
std::vector<Ball> balls_of(const Figure& figure);

// Which rotations of a figure are interpolated as one.
//
//   of_joints   joints with three rotations about coordinate axes, each its own parameter
//   of_balls    also
//               - any three rotations in a row whose axes meet at a point, of one joint or of neighbours: hinges of a
//                 stick figure, the wrist of a robot. Neighbouring axes are not parallel, nothing translates between
//                 them, and no other limb branches off between them. Of more than three, the first three.
//               - the three parameters of a joint group that drive the three rotations of a joint: a spine, a shoulder.
//                 The rotation is that of the parameters about the axes of the last such joint.
enum class Rotations { of_joints, of_balls };

struct NamedBall {
  std::string name;  // of the last joint, or of the group
  Ball ball;
};
// In the order of the figure: joints, then groups. No parameter is in two of them.
std::vector<NamedBall> balls_of(const Figure& figure, Rotations rotations);

enum class ChannelKind { single, position, rotation };

struct Channel {
  std::string name;  // of the parameter; "joint position", "joint rotation"
  ChannelKind kind = ChannelKind::single;
  std::array<int, 3> parameters = {};
  Ball ball = {};                // of a rotation
  Mat3 axes = Mat3::Identity();  // of a position: the columns are the directions of its translations
  bool metres = false;           // else radians

  int size() const { return kind == ChannelKind::single ? 1 : 3; }
};

// Ordered by first parameter; each parameter is in exactly one channel.
std::vector<Channel> channels_of(const Figure& figure, Rotations rotations = Rotations::of_joints);

Expected<int> find_channel(const std::vector<Channel>& channels, std::string_view name);

// Distance between two poses in a channel: the angle between rotations, the distance between positions, the difference
// between values.
double distance(const Channel& channel, const VecX& a, const VecX& b);

// Sets the channel of `to` to the interpolation from a to b at u, 0 <= u <= 1. Rotations take the shortest rotation,
// with angles near those of a and b.
void blend(const Channel& channel, const VecX& a, const VecX& b, double u, VecX& to);

}  // namespace limber
