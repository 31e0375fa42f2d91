// RULA, rapid upper limb assessment: a score of 1 to 7 for a working posture.           McAtamney and Corlett 1993
//
// Parts of the body are scored by their angles. Table A joins upper arm, lower arm, wrist and its twist, table B neck,
// trunk and legs; what muscles and forces add gives scores C and D, and a third table the grand score of the two. The
// ranges of angles and the tables are the paper's. A trunk that stands upright scores 1, as on the worksheets made
// after the paper, which has that only for a supported seat.
#pragma once

#include <string_view>

#include "limber/assess/posture.h"

namespace limber {

// What an observer knows and a pose does not show.
struct RulaOptions {
  bool shoulder_raised = false;
  bool arm_supported = false;            // or the person leans on something
  bool trunk_supported = false;          // sits well, with a back
  bool legs_supported = true;            // evenly; else, or on one foot, they score 2
  bool static_or_repeated = false;       // held longer than a minute, or repeated more than four times a minute
  double load = 0.0;                     // kg, held now and then …
  bool load_static_or_repeated = false;  // … or all the time
  bool shock = false;                    // of any load
};

struct RulaScore {
  int upper_arm = 1, lower_arm = 1, wrist = 1, wrist_twist = 1;
  int neck = 1, trunk = 1, legs = 1;
  int table_a = 1, table_b = 1;
  int muscle_use = 0, force = 0;
  int c = 1, d = 1;      // tables A and B with what is added
  int grand = 1;         // 1 to 7
  int action_level = 1;  // 1: acceptable if not held or repeated long; 2: look closer; 3: change soon; 4: change now
};

RulaScore rula(const BodyAngles& angles, ArmSide side, const RulaOptions& options = {});

// The tables, for scores that come from elsewhere. Arguments from 1 on; what is beyond a table's end counts as its end.
int rula_table_a(int upper_arm, int lower_arm, int wrist, int wrist_twist);
int rula_table_b(int neck, int trunk, int legs);
int rula_grand(int c, int d);
int rula_action_level(int grand);

// What an action level, 1 to 4, means in a few words.
std::string_view rula_meaning(int action_level);

}  // namespace limber
