#include <algorithm>
#include <cmath>
#include <cstddef>

#include "limber/assess/posture.h"

namespace limber {

namespace {

// Upper arm 1 to 6, lower arm 1 to 3; across: wrist 1 to 4, each with twist 1 and 2.
constexpr int table_a[6][3][8] = {
    {{1, 2, 2, 2, 2, 3, 3, 3}, {2, 2, 2, 2, 3, 3, 3, 3}, {2, 3, 3, 3, 3, 3, 4, 4}},
    {{2, 3, 3, 3, 3, 4, 4, 4}, {3, 3, 3, 3, 3, 4, 4, 4}, {3, 4, 4, 4, 4, 4, 5, 5}},
    {{3, 3, 4, 4, 4, 4, 5, 5}, {3, 4, 4, 4, 4, 4, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}},
    {{4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 5, 5, 5, 6, 6}},
    {{5, 5, 5, 5, 5, 6, 6, 7}, {5, 6, 6, 6, 6, 7, 7, 7}, {6, 6, 6, 7, 7, 7, 7, 8}},
    {{7, 7, 7, 7, 7, 8, 8, 9}, {8, 8, 8, 8, 8, 9, 9, 9}, {9, 9, 9, 9, 9, 9, 9, 9}},
};
// Neck 1 to 6; across: trunk 1 to 6, each with legs 1 and 2.
constexpr int table_b[6][12] = {
    {1, 3, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7}, {2, 3, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7}, {3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7},
    {5, 5, 5, 6, 6, 7, 7, 7, 7, 7, 8, 8}, {7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9},
};
// Score C 1 to 8; across: score D 1 to 7.
constexpr int grand_table[8][7] = {
    {1, 2, 3, 3, 4, 5, 5}, {2, 2, 3, 4, 4, 5, 5}, {3, 3, 3, 4, 4, 5, 6}, {3, 3, 3, 4, 5, 6, 6},
    {4, 4, 4, 5, 6, 7, 7}, {4, 4, 5, 6, 6, 7, 7}, {5, 5, 6, 6, 7, 7, 7}, {5, 5, 6, 7, 7, 7, 7},
};

// By action level, 1 to 4.
constexpr std::string_view meanings[] = {"acceptable if not held or repeated for long",
                                         "investigate further, change may be needed",
                                         "investigate further and change soon", "investigate and change now"};

// A score as an index into a table.
std::size_t table_index(int score, int last) { return static_cast<std::size_t>(std::clamp(score, 1, last) - 1); }

int upper_arm(const ArmAngles& arm, const RulaOptions& options) {
  const double raised = degrees(arm.raised);
  int score = raised < -20.0 ? 2 : raised <= 20.0 ? 1 : raised <= 45.0 ? 2 : raised <= 90.0 ? 3 : 4;
  if (options.shoulder_raised) ++score;
  if (arm.abduction > observed::abducted) ++score;
  if (options.arm_supported) --score;
  return std::max(score, 1);
}

int lower_arm(const ArmAngles& arm) {
  const double bent = degrees(arm.elbow);
  const int score = bent >= 60.0 && bent <= 100.0 ? 1 : 2;
  return score + (arm.across_midline || arm.forearm_aside > observed::abducted ? 1 : 0);
}

int wrist(const ArmAngles& arm) {
  const double bent = std::fabs(arm.wrist_flexion);
  const int score = bent <= observed::straight_wrist ? 1 : bent <= radians(15.0) ? 2 : 3;
  return score + (std::fabs(arm.wrist_deviation) > observed::bent_aside ? 1 : 0);
}

int neck(const BodyAngles& angles) {
  const double bent = degrees(angles.neck_flexion);
  int score = angles.neck_flexion < -observed::upright ? 4 : bent <= 10.0 ? 1 : bent <= 20.0 ? 2 : 3;
  if (std::fabs(angles.neck_twist) > observed::twisted) ++score;
  if (std::fabs(angles.neck_side) > observed::bent_aside) ++score;
  return score;
}

int trunk(const BodyAngles& angles, const RulaOptions& options) {
  const double bent = degrees(angles.trunk_flexion);
  const bool is_upright = options.trunk_supported || std::fabs(angles.trunk_flexion) <= observed::upright;
  int score = is_upright ? 1 : bent <= 20.0 ? 2 : bent <= 60.0 ? 3 : 4;
  if (std::fabs(angles.trunk_twist) > observed::twisted) ++score;
  if (std::fabs(angles.trunk_side) > observed::bent_aside) ++score;
  return score;
}

int force(const RulaOptions& options) {
  if (options.shock) return 3;
  if (options.load < 2.0) return 0;
  const int intermittent = options.load <= 10.0 ? 1 : 2;
  return intermittent + (options.load_static_or_repeated ? 1 : 0);
}

}  // namespace

int rula_table_a(int upper, int lower, int bent, int twist) {
  return table_a[table_index(upper, 6)][table_index(lower, 3)][2 * table_index(bent, 4) + table_index(twist, 2)];
}
int rula_table_b(int bent_neck, int bent_trunk, int legs) {
  return table_b[table_index(bent_neck, 6)][2 * table_index(bent_trunk, 6) + table_index(legs, 2)];
}
int rula_grand(int c, int d) { return grand_table[table_index(c, 8)][table_index(d, 7)]; }
int rula_action_level(int grand) { return grand <= 2 ? 1 : grand <= 4 ? 2 : grand <= 6 ? 3 : 4; }

std::string_view rula_meaning(int action_level) { return meanings[table_index(action_level, 4)]; }

RulaScore rula(const BodyAngles& angles, ArmSide side, const RulaOptions& options) {
  const ArmAngles& arm = arm_of(angles, side);
  RulaScore score;
  score.upper_arm = upper_arm(arm, options);
  score.lower_arm = lower_arm(arm);
  score.wrist = wrist(arm);
  score.wrist_twist = std::fabs(arm.forearm_twist) > observed::end_of_twist ? 2 : 1;
  score.neck = neck(angles);
  score.trunk = trunk(angles, options);
  score.legs = options.legs_supported && (angles.on_both_feet || options.trunk_supported) ? 1 : 2;
  score.table_a = rula_table_a(score.upper_arm, score.lower_arm, score.wrist, score.wrist_twist);
  score.table_b = rula_table_b(score.neck, score.trunk, score.legs);
  score.muscle_use = options.static_or_repeated ? 1 : 0;
  score.force = force(options);
  score.c = score.table_a + score.muscle_use + score.force;
  score.d = score.table_b + score.muscle_use + score.force;
  score.grand = rula_grand(score.c, score.d);
  score.action_level = rula_action_level(score.grand);
  return score;
}

}  // namespace limber
