// RULA, rapid upper limb assessment: a score of 1 to 7 for a working posture.           McAtamney and Corlett 1993
//
// Body parts are scored by their angles. Table A combines upper arm, lower arm, wrist and wrist twist, table B neck,
// trunk and legs; adding muscle use and force gives scores C and D, and a third table combines these into the grand
// score. Angle ranges and tables are the paper's. An upright standing trunk scores 1, as on later worksheets; the paper
// has 1 only for a supported seat.
#pragma once

#include <string_view>

#include "limber/assess/posture.h"

namespace limber {

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

}  // namespace limber
