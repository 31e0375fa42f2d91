// A rotation as three successive turns about coordinate axes: R = R_a(x) R_b(y) R_c(z).
//
// The axes a, b, c are numbers 0, 1, 2 with a != b != c: all different (Tait-Bryan), or a == c (Euler). Each file
// format has its own order; only this file decomposes rotations.
#pragma once

#include <array>

#include "limber/base/vector.h"

namespace limber {

using EulerOrder = std::array<int, 3>;

inline constexpr EulerOrder euler_xyz = {0, 1, 2};

// R_a(angles[0]) R_b(angles[1]) R_c(angles[2]).
Mat3 euler_rotation(const EulerOrder& order, const Vec3& angles);

// The Euler angles of R, each within half a turn of `near`; of the two solutions, the one closer to `near`. In gimbal
// lock the third angle is that of `near`.
Vec3 euler_angles(const Mat3& R, const EulerOrder& order, const Vec3& near = Vec3::Zero());

}  // namespace limber
