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

#include <string_view>

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

// --- RULA, rapid upper limb assessment: a score of 1 to 7 for a working posture.           McAtamney and Corlett 1993
//
// Body parts are scored by their angles. Table A combines upper arm, lower arm, wrist and wrist twist, table B neck,
// trunk and legs; adding muscle use and force gives scores C and D, and a third table combines these into the grand
// score. Angle ranges and tables are the paper's. An upright standing trunk scores 1, as on later worksheets; the paper
// has 1 only for a supported seat.

// Observations that a pose does not show.
struct RulaOptions {
  bool shoulder_raised = false;
  bool arm_supported = false;            // or the person leans on something
  bool trunk_supported = false;          // well supported seat with a backrest
  bool legs_supported = true;            // evenly; else, or on one foot, legs score 2
  bool static_or_repeated = false;       // held longer than a minute, or repeated more than four times a minute
  double load = 0.0;                     // kg, intermittent …
  bool load_static_or_repeated = false;  // … or static or repeated
  bool shock = false;                    // of any load
};

struct RulaScore {
  int upper_arm = 1, lower_arm = 1, wrist = 1, wrist_twist = 1;
  int neck = 1, trunk = 1, legs = 1;
  int table_a = 1, table_b = 1;
  int muscle_use = 0, force = 0;
  int c = 1, d = 1;  // tables A and B with additions
  int grand = 1;     // 1 to 7
  int action_level =
      1;  // 1: acceptable if not held or repeated for long; 2: investigate; 3: change soon; 4: change now
};

RulaScore rula(const BodyAngles& angles, ArmSide side, const RulaOptions& options = {});

// The tables, for scores from other sources. Arguments start at 1 and are clamped to the table.
int rula_table_a(int upper_arm, int lower_arm, int wrist, int wrist_twist);
int rula_table_b(int neck, int trunk, int legs);
int rula_grand(int c, int d);
int rula_action_level(int grand);

// A short description of an action level, 1 to 4.
std::string_view rula_meaning(int action_level);

// --- REBA, rapid entire body assessment: a score of 1 to 15 for a working posture.         Hignett and McAtamney 2000
//
// Table A combines trunk, neck and legs; the load is added. Table B combines upper arm, lower arm and wrist; the grip
// is added. Table C combines the two; the activity is added. Angle ranges and tables are the paper's.

enum class Coupling { good = 0, fair = 1, poor = 2, unacceptable = 3 };

// Observations that a pose does not show.
struct RebaOptions {
  bool shoulder_raised = false;
  bool arm_supported = false;  // or leaning, or assisted by gravity
  bool arm_rotated = false;    // the upper arm, about its axis
  bool sitting = false;        // then knees do not count
  bool legs_supported = true;  // on both sides, or walking or sitting; else, or on one foot, legs score 2
  double load = 0.0;           // kg
  bool shock = false;          // or a rapid build-up of force
  Coupling coupling = Coupling::good;
  bool held = false;                 // a part of the body longer than a minute
  bool repeated = false;             // small movements more than four times a minute
  bool large_rapid_changes = false;  // of the posture, or an unstable base
};

struct RebaScore {
  int trunk = 1, neck = 1, legs = 1;
  int upper_arm = 1, lower_arm = 1, wrist = 1;
  int table_a = 1, table_b = 1;
  int load = 0, coupling = 0, activity = 0;
  int a = 1, b = 1;  // tables A and B with additions
  int c = 1;
  int score = 1;         // 1 to 15
  int action_level = 0;  // change: 0 not needed, 1 may be needed, 2 needed, 3 needed soon, 4 needed now
};

RebaScore reba(const BodyAngles& angles, ArmSide side, const RebaOptions& options = {});

// The tables, for scores from other sources. Arguments start at 1 and are clamped to the table.
int reba_table_a(int trunk, int neck, int legs);
int reba_table_b(int upper_arm, int lower_arm, int wrist);
int reba_table_c(int a, int b);
int reba_action_level(int score);

// A short description of an action level, 0 to 4.
std::string_view reba_meaning(int action_level);

}  // namespace limber
