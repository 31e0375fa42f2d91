// Vectors, matrices and rigid frames.
//
// A frame X = (R, p) maps coordinates of one frame into another: x_parent = R x_child + p.
// Names carry the two frames: `X_world_segment` maps segment coordinates into the world.
// Metres, radians, right-handed, Y up.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double pi = std::numbers::pi;

constexpr double radians(double angle_deg) { return angle_deg * (pi / 180.0); }
constexpr double degrees(double angle) { return angle * (180.0 / pi); }

struct Frame {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Vec3 operator*(const Vec3& x) const { return R * x + p; }
  Frame operator*(const Frame& other) const { return {R * other.R, R * other.p + p}; }
  Frame inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  bool finite() const;
};

// A pure translation.
inline Frame at(const Vec3& p) { return {Mat3::Identity(), p}; }

// The right-handed frame with the given x axis and the y axis nearest to the given one. `x` and `y` must not be
// parallel.
Mat3 rotation_from_xy(const Vec3& x, const Vec3& y);

// Rotation by `angle` about the unit vector `axis` (Rodrigues).
Mat3 rotation(const Vec3& axis, double angle);

// How far R is from a rotation: the largest entry of |RᵀR - I|, or infinity for a reflection.
double rotation_defect(const Mat3& R);

// --- A rotation as three successive turns about coordinate axes: R = R_a(x) R_b(y) R_c(z).
//
// The axes a, b, c are numbers 0, 1, 2 with a != b != c: all different (Tait-Bryan), or a == c (Euler). Each file
// format has its own order; only this file decomposes rotations.

using EulerOrder = std::array<int, 3>;

inline constexpr EulerOrder euler_xyz = {0, 1, 2};

// R_a(angles[0]) R_b(angles[1]) R_c(angles[2]).
Mat3 euler_rotation(const EulerOrder& order, const Vec3& angles);

// The Euler angles of R, each within half a turn of `near`; of the two solutions, the one closer to `near`. In gimbal
// lock the third angle is that of `near`.
Vec3 euler_angles(const Mat3& R, const EulerOrder& order, const Vec3& near = Vec3::Zero());

// --- A line segment with a radius: the shape of a region, a limb or an obstacle.

// All points within `radius` of the line segment from a to b; a sphere where a = b.
struct Capsule {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
  double radius = 1.0;

  // The vector to x from the nearest point of the line segment.
  Vec3 away(const Vec3& x) const;
};

inline Capsule sphere(const Vec3& centre, double radius) { return {centre, centre, radius}; }

}  // namespace limber
