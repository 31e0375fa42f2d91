// Forward kinematics: where every segment is, and the axis of every degree of freedom.   ZB94 section 4.2
//
// For degree of freedom i the state keeps the world axis u_i and a world point r_i on it, so that
//
//   turn:   ∂x/∂q_i = u_i × (x - r_i),  ∂v/∂q_i = u_i × v         ZB94 (3), (4)
//   shift:  ∂x/∂q_i = u_i,              ∂v/∂q_i = 0
//
// for a point x and a direction v below it. Cost: one pass over the segments, about 100 flops per degree of freedom.
#pragma once

#include <vector>

#include "limber/base/vector.h"
#include "limber/figure/figure.h"

namespace limber {

struct Kinematics {
  explicit Kinematics(const Figure& figure);

  std::vector<Frame> segments;  // X_world_segment
  std::vector<Vec3> axes;       // u_i, by freedom
  std::vector<Vec3> points;     // r_i, by freedom
  VecX sines, cosines;          // of q, by freedom
};

// All segments, for the joint angles q.
void forward(const Figure& figure, const VecX& q, Kinematics& state);

// Only the segments listed, which must be in ascending order and hold every parent of a member.
void forward(const Figure& figure, const VecX& q, const std::vector<int>& which, Kinematics& state);

// Convenience: the state of a pose.
Kinematics forward(const Figure& figure, const Pose& pose);

}  // namespace limber
