// REBA, rapid entire body assessment: a score of 1 to 15 for a working posture.         Hignett and McAtamney 2000
//
// Table A combines trunk, neck and legs; the load is added. Table B combines upper arm, lower arm and wrist; the grip
// is added. Table C combines the two; the activity is added. Angle ranges and tables are the paper's.
#pragma once

#include <string_view>

#include "limber/assess/posture.h"

namespace limber {

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
