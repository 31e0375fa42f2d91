// Where the parts of the common body are on a figure, and how long its bones are.
#pragma once

#include <optional>

#include "limber/kinematics/forward.h"
#include "limber/posing/model.h"

namespace limber {

// The joint of a part of the body.
struct HandlePlace {
  bool known = false;
  int segment = 0;                 // that turns with the part
  Vec3 local = Vec3::Zero();       // the joint, in the segment
  Mat3 R_zero = Mat3::Identity();  // the segment where the part is turned as in the zero pose of the common body
  bool has_rotation = false;       // whether R_zero is known
};

struct HandlePlaces {
  std::array<HandlePlace, handle_part_count> part;
  double unit = 1.0;  // metres of the figure per metre of the common body
  Lengths lengths;    // of the groups, relative to the common body times `unit`
  // By angle of the common body, the parameter of the same name; empty if the figure is not a skeleton with the joints
  // of CMU.
  std::vector<int> parameter_of_angle;
  VecX zero;  // the pose in which the figure was measured
};

// An error where the figure lacks a part that is needed: pelvis, head, shoulders, elbows, hands, hips, knees or
// feet.
Expected<HandlePlaces> find_handle_places(const Figure& figure, const CommonBody& body);

}  // namespace limber
