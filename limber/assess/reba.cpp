#include <algorithm>
#include <cmath>
#include <cstddef>

#include "limber/assess/posture.h"

namespace limber {

namespace {

// Trunk 1 to 5, neck 1 to 3; across: legs 1 to 4.
constexpr int trunk_table_a[5][3][4] = {
    {{1, 2, 3, 4}, {1, 2, 3, 4}, {3, 3, 5, 6}}, {{2, 3, 4, 5}, {3, 4, 5, 6}, {4, 5, 6, 7}},
    {{2, 4, 5, 6}, {4, 5, 6, 7}, {5, 6, 7, 8}}, {{3, 5, 6, 7}, {5, 6, 7, 8}, {6, 7, 8, 9}},
    {{4, 6, 7, 8}, {6, 7, 8, 9}, {7, 8, 9, 9}},
};
// Upper arm 1 to 6, lower arm 1 and 2; across: wrist 1 to 3.
constexpr int arm_table_b[6][2][3] = {
    {{1, 2, 2}, {1, 2, 3}}, {{1, 2, 3}, {2, 3, 4}}, {{3, 4, 5}, {4, 5, 5}},
    {{4, 5, 5}, {5, 6, 7}}, {{6, 7, 8}, {7, 8, 8}}, {{7, 8, 8}, {8, 9, 9}},
};
// Score A 1 to 12; across: score B 1 to 12.
constexpr int score_table_c[12][12] = {
    {1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7},
    {1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8},
    {2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 8, 8},
    {3, 4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9},
    {4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9, 9},
    {6, 6, 6, 7, 8, 8, 9, 9, 10, 10, 10, 10},
    {7, 7, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11},
    {8, 8, 8, 9, 10, 10, 10, 10, 10, 11, 11, 11},
    {9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12},
    {10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 12},
    {11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12},
    {12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12},
};

// By action level, 0 to 4.
constexpr std::string_view risks[] = {"negligible risk", "low risk, change may be needed", "medium risk, change needed",
                                      "high risk, change needed soon", "very high risk, change needed now"};

std::size_t entry(int score, int last) { return static_cast<std::size_t>(std::clamp(score, 1, last) - 1); }

int trunk_score(const BodyAngles& angles) {
  const double bent = degrees(angles.trunk_flexion);
  int score = 4;
  if (bent <= 60.0) score = 3;
  if (std::fabs(bent) <= 20.0) score = 2;
  if (std::fabs(angles.trunk_flexion) <= observed::upright) score = 1;
  const bool is_turned =
      std::fabs(angles.trunk_twist) > observed::twisted || std::fabs(angles.trunk_side) > observed::bent_aside;
  return score + (is_turned ? 1 : 0);
}

int neck_score(const BodyAngles& angles) {
  const bool is_bent = angles.neck_flexion < -observed::upright || angles.neck_flexion > radians(20.0);
  const bool is_turned =
      std::fabs(angles.neck_twist) > observed::twisted || std::fabs(angles.neck_side) > observed::bent_aside;
  return (is_bent ? 2 : 1) + (is_turned ? 1 : 0);
}

int leg_score(const BodyAngles& angles, const RebaOptions& options) {
  const int score = options.legs_supported && (angles.on_both_feet || options.sitting) ? 1 : 2;
  if (options.sitting) return score;
  const double knee = degrees(std::fmax(angles.left_knee, angles.right_knee));
  return score + (knee > 60.0 ? 2 : knee >= 30.0 ? 1 : 0);
}

int upper_arm_score(const ArmAngles& arm, const RebaOptions& options) {
  const double raised = degrees(arm.raised);
  int score = raised < -20.0 ? 2 : raised <= 20.0 ? 1 : raised <= 45.0 ? 2 : raised <= 90.0 ? 3 : 4;
  if (arm.abduction > observed::abducted || options.arm_rotated) ++score;
  if (options.shoulder_raised) ++score;
  if (options.arm_supported) --score;
  return std::max(score, 1);
}

int wrist_score(const ArmAngles& arm) {
  const bool is_turned =
      std::fabs(arm.wrist_deviation) > observed::bent_aside || std::fabs(arm.forearm_twist) > observed::end_of_twist;
  return (std::fabs(arm.wrist_flexion) <= radians(15.0) ? 1 : 2) + (is_turned ? 1 : 0);
}

}  // namespace

int reba_table_a(int trunk, int neck, int legs) {
  return trunk_table_a[entry(trunk, 5)][entry(neck, 3)][entry(legs, 4)];
}
int reba_table_b(int upper_arm, int lower_arm, int wrist) {
  return arm_table_b[entry(upper_arm, 6)][entry(lower_arm, 2)][entry(wrist, 3)];
}
int reba_table_c(int a, int b) { return score_table_c[entry(a, 12)][entry(b, 12)]; }
int reba_action_level(int score) { return score <= 1 ? 0 : score <= 3 ? 1 : score <= 7 ? 2 : score <= 10 ? 3 : 4; }

std::string_view reba_meaning(int action_level) { return risks[entry(action_level + 1, 5)]; }

RebaScore reba(const BodyAngles& angles, ArmSide side, const RebaOptions& options) {
  const ArmAngles& arm = arm_of(angles, side);
  RebaScore score;
  score.trunk = trunk_score(angles);
  score.neck = neck_score(angles);
  score.legs = leg_score(angles, options);
  score.upper_arm = upper_arm_score(arm, options);
  score.lower_arm = degrees(arm.elbow) >= 60.0 && degrees(arm.elbow) <= 100.0 ? 1 : 2;
  score.wrist = wrist_score(arm);
  score.table_a = reba_table_a(score.trunk, score.neck, score.legs);
  score.table_b = reba_table_b(score.upper_arm, score.lower_arm, score.wrist);
  score.load = (options.load < 5.0 ? 0 : options.load <= 10.0 ? 1 : 2) + (options.shock ? 1 : 0);
  score.coupling = static_cast<int>(options.coupling);
  score.activity = (options.held ? 1 : 0) + (options.repeated ? 1 : 0) + (options.large_rapid_changes ? 1 : 0);
  score.a = score.table_a + score.load;
  score.b = score.table_b + score.coupling;
  score.c = reba_table_c(score.a, score.b);
  score.score = score.c + score.activity;
  score.action_level = reba_action_level(score.score);
  return score;
}

}  // namespace limber
