// Comfort and load side by side, a row for every parameter that has a meaning for people; and both as a value for every
// segment, for colours.
//
// A parameter that is its own freedom has that freedom's torque. One of a group drives several: its row shows one of
// the same name as itself, with a strength if there is one that has, and of these the one that it turns most. So
// spine.forward has the torque at the lowest vertebra, and shoulder.elevation that of the shoulder's joint.
#pragma once

#include <vector>

#include "limber/assess/comfort.h"
#include "limber/assess/strength.h"

namespace limber {

struct JointRow {
  int parameter = 0;
  double angle = 0.0;    // θ, radians
  double comfort = 1.0;  // 1 - d, not below 0; 1 for a parameter without two limits
  JointLoad load;        // of the freedom shown
};

// For all parameters that drive a freedom of `loads`, in the order of the figure.
std::vector<JointRow> joint_rows(const Figure& figure, const Pose& pose, const JointComfort& comfort,
                                 const std::vector<JointLoad>& loads);

// The largest discomfort, and the largest share, at the joint that carries a segment; -1 where it has no freedom that
// counts, or none with a strength. A freedom that the end of its range holds has the share 0.
std::vector<double> discomfort_by_segment(const Figure& figure, const Pose& pose, const JointComfort& comfort);
std::vector<double> share_by_segment(const Figure& figure, const std::vector<JointLoad>& loads);

}  // namespace limber
