// Body angles as measured in ergonomics: trunk against the vertical, head and upper arms against the trunk, forearms
// against upper arms, hands against forearms, shanks against thighs. RULA and REBA score them.
//
// They are measured at places with common names (pelvis, neck, head_top; left_ and right_ shoulder elbow wrist palm hip
// knee ankle), not read from parameters, so any figure with these names has them. The rest pose defines upright and
// straight ahead: there all angles of trunk and head are 0.
//
// Frames. Let l, u, f be left, up and forward at rest. The trunk's frame has u along the line from mid-hip to the neck,
// corrected by the lean of that line at rest, and l from the rotation of the topmost trunk segment; the head's frame
// likewise along the line from the neck to the top of the head. h_l, h_f are left and forward of the pelvis on the
// ground. With d the unit vector of an upper arm and o = ±l outward,
//
// trunk: flexion atan2(u·h_f, u·y), side bend asin(u·h_l), twist from h_l to l about u
//   head:  the same of the head's frame against the trunk's
//   upper arm: raised = ∠(d, -u), negative if more backward than outward; abduction = asin(d·o)
#pragma once

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// Thresholds that the methods leave to the observer; all chosen.
namespace observed {
inline constexpr double upright = radians(5.0);         // max angle of an unbent trunk or neck
inline constexpr double straight_wrist = radians(5.0);  // max angle of a straight wrist
inline constexpr double bent_aside = radians(10.0);     // trunk, neck or wrist to the side
inline constexpr double twisted = radians(10.0);        // trunk or neck
inline constexpr double abducted = radians(20.0);       // an upper arm, or a forearm out to the side
inline constexpr double end_of_twist = radians(60.0);   // a forearm near the end of its range of about 80
}  // namespace observed

// All in radians.
struct ArmAngles {
  double raised = 0.0;           // + forward or sideways, - backward
  double abduction = 0.0;        // + outward
  double elbow = 0.0;            // 0: straight
  double wrist_flexion = 0.0;    // + toward the palm; unsigned if the palm's direction is unknown
  double wrist_deviation = 0.0;  // + toward the thumb
  double forearm_twist = 0.0;    // from thumbs forward, palms to the thighs
  double forearm_aside = 0.0;    // + outward
  bool across_midline = false;   // the wrist is on the opposite side of the body
};

struct BodyAngles {
  double trunk_flexion = 0.0, trunk_side = 0.0, trunk_twist = 0.0;  // + forward, + left, + to the left
  double neck_flexion = 0.0, neck_side = 0.0, neck_twist = 0.0;
  double left_knee = 0.0, right_knee = 0.0;  // 0: straight
  bool on_both_feet = true;                  // both at about the same height
  ArmAngles left, right;
};

// Rejected if the figure lacks one of the places.
Expected<BodyAngles> body_angles(const Figure& figure, const Pose& pose);

enum class ArmSide { left, right };
inline const ArmAngles& arm_of(const BodyAngles& angles, ArmSide side) {
  return side == ArmSide::left ? angles.left : angles.right;
}

}  // namespace limber
