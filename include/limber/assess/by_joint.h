// Comfort and load per parameter, one row each; and both per segment, for colours.
//
// An ungrouped parameter shows the torque of its freedom. A group parameter drives several freedoms: its row shows one
// with the parameter's own name, preferably one with a known strength, and among these the one that it turns most. So
// spine.forward shows the torque at the lowest vertebra, and shoulder.elevation that of the glenohumeral joint.
#pragma once

#include <vector>

#include "limber/assess/comfort.h"
#include "limber/assess/strength.h"

namespace limber {

struct JointRow {
  int parameter = 0;
  double angle = 0.0;    // θ, radians
  double comfort = 1.0;  // 1 - d, not below 0; 1 for a parameter without two limits
  JointLoad load;        // of the shown freedom
};

// For all parameters that drive a freedom of `loads`, in the order of the figure.
std::vector<JointRow> joint_rows(const Figure& figure, const Pose& pose, const JointComfort& comfort,
                                 const std::vector<JointLoad>& loads);

// The max discomfort, and the max share, at the joint that carries a segment; -1 without a freedom that counts, or with
// a strength. A freedom held at the end of its range has share 0.
std::vector<double> discomfort_by_segment(const Figure& figure, const Pose& pose, const JointComfort& comfort);
std::vector<double> share_by_segment(const Figure& figure, const std::vector<JointLoad>& loads);

}  // namespace limber
