// The angles of a body as an observer of work sees them: trunk against the vertical, head and upper arms against the
// trunk, forearms against upper arms, hands against forearms, shanks against thighs. RULA and REBA score them.
//
// They are measured on the places with common names (pelvis, neck, head_top; left_ and right_ shoulder elbow wrist palm
// hip knee ankle) and not read from the figure's parameters, so that any figure with these names has them. The figure's
// rest pose says what upright and straight ahead are: there all angles of trunk and head are 0.
//
// Frames. Let l, u, f be left, up and forward at rest. The trunk's frame has u along the line from between the hips to
// the neck, turned by as much as that line leans at rest, and l across as the topmost part of the trunk has turned it;
// the head's frame likewise along the line from the neck to the top of the head. h_l, h_f are left and forward of the
// pelvis on the ground. In these letters, with d the unit vector of an upper arm and o = ±l outward,
//
//   trunk: flexion atan2(u·h_f, u·y), to the side asin(u·h_l), twist from h_l to l about u
//   head:  the same of the head's frame against the trunk's
//   upper arm: raised = ∠(d, -u), negative where it hangs more backward than outward; aside = asin(d·o)
#pragma once

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

// The methods leave some words to the observer; here they are numbers, all of them chosen.
namespace observed {
inline constexpr double upright = radians(5.0);         // a trunk or neck that is not bent
inline constexpr double straight_wrist = radians(5.0);  // a wrist that is not bent
inline constexpr double bent_aside = radians(10.0);     // trunk, neck or wrist to the side
inline constexpr double twisted = radians(10.0);        // trunk or neck
inline constexpr double abducted = radians(20.0);       // an upper arm, or a forearm out to the side
inline constexpr double end_of_twist = radians(60.0);   // a forearm near the end of its turn, of about 80
}  // namespace observed

// All in radians.
struct ArmAngles {
  double raised = 0.0;           // + forward or sideways, - backward
  double abduction = 0.0;        // + outward
  double elbow = 0.0;            // 0: straight
  double wrist_flexion = 0.0;    // + toward the palm; of a figure that does not say where its palm faces: bent, anyhow
  double wrist_deviation = 0.0;  // + toward the thumb
  double forearm_twist = 0.0;    // from thumbs forward, palms to the thighs
  double forearm_aside = 0.0;    // + outward
  bool across_midline = false;   // the wrist is on the other side of the body
};

struct BodyAngles {
  double trunk_flexion = 0.0, trunk_side = 0.0, trunk_twist = 0.0;  // + forward, + left, + to the left
  double neck_flexion = 0.0, neck_side = 0.0, neck_twist = 0.0;
  double left_knee = 0.0, right_knee = 0.0;  // 0: straight
  bool on_both_feet = true;                  // neither is higher than the other
  ArmAngles left, right;
};

// Rejected where the figure lacks one of the places.
Expected<BodyAngles> body_angles(const Figure& figure, const Pose& pose);

enum class ArmSide { left, right };
inline const ArmAngles& arm_of(const BodyAngles& angles, ArmSide side) {
  return side == ArmSide::left ? angles.left : angles.right;
}

}  // namespace limber
