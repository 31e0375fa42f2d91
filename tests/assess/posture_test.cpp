// Body angles, RULA and REBA: measured angles of known poses, corners of the tables, worked examples.
#include "limber/assess/posture.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"

namespace limber {
namespace posture_test {

struct Joints {
  const char* parameter;
  double angle_deg;
};

BodyAngles angles_of(const Figure& body, std::initializer_list<Joints> joints) {
  Pose pose = body.rest();
  for (const auto& [parameter, angle_deg] : joints)
    EXPECT_TRUE(body.set(pose, parameter, radians(angle_deg))) << parameter;
  const Expected<BodyAngles> angles = body_angles(body, pose);
  EXPECT_TRUE(angles);
  return *angles;
}

BodyAngles angles_of(std::initializer_list<Joints> joints) { return angles_of(human(), joints); }

// Covers the interpolation error of the shoulder's curves (doc/human.md: 0.2 degrees).
constexpr double tolerance_deg = 0.3;

TEST(Posture, IsStraightAtRest) {
  const Expected<Figure> simple = simple_human();
  ASSERT_TRUE(simple);
  for (const Figure& body : {human(), *simple}) {
    const BodyAngles still = angles_of(body, {});
    for (const double angle :
         {still.trunk_flexion, still.trunk_side, still.trunk_twist, still.neck_flexion, still.neck_side,
          still.neck_twist, still.left_knee, still.right_knee, still.left.raised, still.right.raised,
          still.left.abduction, still.right.abduction, still.left.elbow, still.right.wrist_flexion,
          still.right.wrist_deviation, still.left.forearm_twist, still.right.forearm_aside})
      EXPECT_NEAR(angle, 0.0, 1e-9);
    EXPECT_TRUE(still.on_both_feet);
    EXPECT_FALSE(still.left.across_midline);
    EXPECT_FALSE(still.right.across_midline);
  }
}

TEST(Posture, MeasuresTheAnglesOfTheArms) {
  for (const double raised : {-40.0, -10.0, 30.0, 75.0, 120.0}) {
    const BodyAngles angles = angles_of({{"right_shoulder.elevation", raised}});
    EXPECT_NEAR(degrees(angles.right.raised), raised, tolerance_deg);
    EXPECT_NEAR(degrees(angles.right.abduction), 0.0, tolerance_deg);
    EXPECT_NEAR(degrees(angles.left.raised), 0.0, tolerance_deg);
  }
  for (const double aside : {10.0, 45.0, 80.0}) {
    const BodyAngles angles = angles_of({{"left_shoulder.abduction", aside}});
    EXPECT_NEAR(degrees(angles.left.raised), aside, tolerance_deg);
    EXPECT_NEAR(degrees(angles.left.abduction), aside, tolerance_deg);
    EXPECT_NEAR(degrees(angles.left.forearm_aside), aside, tolerance_deg);
  }
  for (const double bent : {0.0, 45.0, 90.0, 130.0})
    EXPECT_NEAR(degrees(angles_of({{"right_elbow.flexion", bent}}).right.elbow), bent, 1e-6);
}

TEST(Posture, MeasuresTheAnglesOfTheWrist) {
  for (const double bent : {-50.0, -10.0, 20.0, 60.0}) {
    const BodyAngles angles = angles_of({{"right_wrist.flexion", bent}, {"left_wrist.flexion", bent}});
    EXPECT_NEAR(degrees(angles.right.wrist_flexion), bent, 1e-6);
    EXPECT_NEAR(degrees(angles.left.wrist_flexion), bent, 1e-6);
    EXPECT_NEAR(degrees(angles.left.wrist_deviation), 0.0, 1e-6);
    EXPECT_NEAR(degrees(angles.left.forearm_twist), 0.0, 1e-6);
  }
  for (const double aside : {-30.0, -8.0, 15.0}) {
    const BodyAngles angles =
        angles_of({{"right_wrist.deviation", aside}, {"left_wrist.deviation", aside}, {"left_wrist.flexion", 40.0}});
    EXPECT_NEAR(degrees(angles.right.wrist_deviation), aside, 1e-6);
    EXPECT_NEAR(degrees(angles.left.wrist_deviation), aside, 1e-6);
    EXPECT_NEAR(degrees(angles.left.wrist_flexion), 40.0, 1e-6);
  }
  for (const double turned : {-70.0, 20.0, 65.0})
    EXPECT_NEAR(std::fabs(degrees(angles_of({{"left_wrist.pronation", turned}}).left.forearm_twist)), std::fabs(turned),
                1e-6);
}

TEST(Posture, MeasuresTheTrunkAgainstTheVertical) {
  // The whole body leans: the trunk counts as bent although no joint is.
  for (const double lean : {-30.0, 10.0, 50.0, 90.0}) {
    const BodyAngles angles = angles_of({{"root.pitch", lean}});
    EXPECT_NEAR(degrees(angles.trunk_flexion), lean, 1e-6);
    EXPECT_NEAR(degrees(angles.neck_flexion), 0.0, 1e-6);
    EXPECT_NEAR(degrees(angles.left.raised), 0.0, 1e-6);
  }
  EXPECT_NEAR(degrees(angles_of({{"root.roll", -25.0}}).trunk_side), 25.0, 1e-6);
  // The heading of the body does not matter.
  const BodyAngles turned = angles_of({{"root.turn", 130.0}, {"spine.forward", 50.0}, {"neck.flexion", 15.0}});
  const BodyAngles ahead = angles_of({{"spine.forward", 50.0}, {"neck.flexion", 15.0}});
  EXPECT_NEAR(turned.trunk_flexion, ahead.trunk_flexion, 1e-9);
  EXPECT_NEAR(turned.trunk_twist, ahead.trunk_twist, 1e-9);
  EXPECT_GT(degrees(ahead.trunk_flexion), 20.0);
  EXPECT_LT(degrees(ahead.trunk_flexion), 50.0);  // the line from hip to neck leans less than the topmost vertebra
}

TEST(Posture, MeasuresBendsToTheSideAndTwists) {
  const BodyAngles left = angles_of({{"spine.lateral", 30.0}});
  EXPECT_GT(degrees(left.trunk_side), 10.0);
  EXPECT_NEAR(degrees(left.trunk_flexion), 0.0, 3.0);
  const BodyAngles turned = angles_of({{"spine.axial", 40.0}});
  EXPECT_NEAR(degrees(turned.trunk_twist), 40.0, 2.0);
  EXPECT_NEAR(degrees(turned.trunk_side), 0.0, 5.0);
  EXPECT_NEAR(degrees(turned.neck_twist), 0.0, 2.0);
  EXPECT_NEAR(degrees(angles_of({{"neck.axial", 30.0}, {"head.turn", 20.0}}).neck_twist), 50.0, 6.0);
  EXPECT_GT(degrees(angles_of({{"neck.lateral", 30.0}}).neck_side), 20.0);
  EXPECT_GT(degrees(angles_of({{"neck.flexion", 30.0}}).neck_flexion), 20.0);
  EXPECT_LT(degrees(angles_of({{"neck.flexion", -30.0}}).neck_flexion), -20.0);
}

TEST(Posture, DetectsBentKneesARaisedFootAndAnArmAcross) {
  const BodyAngles squat =
      angles_of({{"left_hip.flexion", 50.0}, {"left_knee.flexion", 70.0}, {"left_ankle.flexion", -20.0}});
  EXPECT_NEAR(degrees(squat.left_knee), 70.0, 1e-6);
  EXPECT_NEAR(degrees(squat.right_knee), 0.0, 1e-6);
  EXPECT_FALSE(squat.on_both_feet);
  const BodyAngles reach =
      angles_of({{"right_shoulder.elevation", 60.0}, {"right_shoulder.twist", 60.0}, {"right_elbow.flexion", 80.0}});
  EXPECT_TRUE(reach.right.across_midline);
  EXPECT_FALSE(reach.left.across_midline);
}

TEST(Posture, OfTheMirrorImageIsMirrored) {
  const Figure body = human();
  Random random(841);
  for (int k = 0; k < 20; ++k) {
    Pose pose = body.rest();
    for (std::size_t j = 0; j < body.parameters().size(); ++j) {
      const Range& range = body.parameters()[j].range;
      pose.theta[static_cast<Eigen::Index>(j)] =
          random.between(std::fmax(range.lower, -0.8), std::fmin(range.upper, 0.8));
    }
    const Expected<BodyAngles> a = body_angles(body, pose), b = body_angles(body, body.mirrored(pose));
    ASSERT_TRUE(a && b);
    EXPECT_NEAR(a->trunk_flexion, b->trunk_flexion, 1e-9);
    EXPECT_NEAR(a->trunk_side, -b->trunk_side, 1e-9);
    EXPECT_NEAR(a->trunk_twist, -b->trunk_twist, 1e-9);
    EXPECT_NEAR(a->neck_twist, -b->neck_twist, 1e-9);
    EXPECT_NEAR(a->left_knee, b->right_knee, 1e-9);
    EXPECT_NEAR(a->left.raised, b->right.raised, 1e-9);
    EXPECT_NEAR(a->left.wrist_flexion, b->right.wrist_flexion, 1e-9);
    EXPECT_NEAR(a->left.wrist_deviation, b->right.wrist_deviation, 1e-9);
    EXPECT_EQ(rula(*a, ArmSide::left).grand, rula(*b, ArmSide::right).grand);
    EXPECT_EQ(reba(*a, ArmSide::right).score, reba(*b, ArmSide::left).score);
  }
}

TEST(Posture, NeedsTheCommonNames) {
  FigureDescription description;
  description.name = "stick";
  description.segments = {{"stick"}};
  const Expected<Figure> stick = build_figure(description);
  ASSERT_TRUE(stick);
  const Expected<BodyAngles> angles = body_angles(*stick, stick->rest());
  ASSERT_FALSE(angles);
  EXPECT_NE(angles.error().text().find("left_hip"), std::string::npos);
}

// ------------------------------------------------------------------------------------------------------- the scores

TEST(Rula, OfStandingStillIsTwo) {
  const BodyAngles still = angles_of({});
  for (const ArmSide side : {ArmSide::left, ArmSide::right}) {
    const RulaScore score = rula(still, side);
    EXPECT_EQ(score.upper_arm, 1);
    EXPECT_EQ(score.lower_arm, 2);  // a hanging arm is not within 60 to 100 degrees
    EXPECT_EQ(score.wrist, 1);
    EXPECT_EQ(score.wrist_twist, 1);
    EXPECT_EQ(score.neck, 1);
    EXPECT_EQ(score.trunk, 1);
    EXPECT_EQ(score.legs, 1);
    EXPECT_EQ(score.grand, 2);
    EXPECT_EQ(score.action_level, 1);
  }
  // With level forearms: the best score.
  const RulaScore best = rula(angles_of({{"right_elbow.flexion", 90.0}}), ArmSide::right);
  EXPECT_EQ(best.grand, 1);
}

// Scored by hand on the worksheet: upper arm 45 to 90 degrees and abducted, elbow beyond 100 degrees and across, wrist
// beyond 15 degrees and deviated, twist at the end, neck beyond 20 degrees, trunk 20 to 60 degrees, 2 to 10 kg held.
TEST(Rula, AddsUpAsTheWorksheetDoes) {
  BodyAngles angles;
  angles.right = {.raised = radians(60.0),
                  .abduction = radians(30.0),
                  .elbow = radians(110.0),
                  .wrist_flexion = radians(-20.0),
                  .wrist_deviation = radians(15.0),
                  .forearm_twist = radians(70.0),
                  .across_midline = true};
  angles.neck_flexion = radians(25.0);
  angles.trunk_flexion = radians(30.0);
  const RulaScore score =
      rula(angles, ArmSide::right, {.static_or_repeated = true, .load = 5.0, .load_static_or_repeated = true});
  EXPECT_EQ(score.upper_arm, 4);
  EXPECT_EQ(score.lower_arm, 3);
  EXPECT_EQ(score.wrist, 4);
  EXPECT_EQ(score.wrist_twist, 2);
  EXPECT_EQ(score.table_a, 6);
  EXPECT_EQ(score.neck, 3);
  EXPECT_EQ(score.trunk, 3);
  EXPECT_EQ(score.table_b, 4);
  EXPECT_EQ(score.muscle_use, 1);
  EXPECT_EQ(score.force, 2);
  EXPECT_EQ(score.c, 9);
  EXPECT_EQ(score.d, 7);
  EXPECT_EQ(score.grand, 7);
  EXPECT_EQ(score.action_level, 4);
}

TEST(Rula, HasTheTableCorners) {
  EXPECT_EQ(rula_table_a(1, 1, 1, 1), 1);
  EXPECT_EQ(rula_table_a(6, 3, 4, 2), 9);
  EXPECT_EQ(rula_table_a(6, 2, 1, 1), 8);
  EXPECT_EQ(rula_table_a(3, 2, 2, 1), 4);
  EXPECT_EQ(rula_table_a(2, 1, 1, 2), 3);
  EXPECT_EQ(rula_table_a(9, 9, 9, 9), 9);
  EXPECT_EQ(rula_table_b(1, 1, 1), 1);
  EXPECT_EQ(rula_table_b(1, 1, 2), 3);
  EXPECT_EQ(rula_table_b(6, 6, 2), 9);
  EXPECT_EQ(rula_grand(1, 1), 1);
  EXPECT_EQ(rula_grand(8, 7), 7);
  EXPECT_EQ(rula_grand(20, 20), 7);
  EXPECT_EQ(rula_grand(8, 1), 5);
  EXPECT_EQ(rula_grand(1, 7), 5);
  const int levels[] = {1, 1, 2, 2, 3, 3, 4};
  for (int grand = 1; grand <= 7; ++grand) EXPECT_EQ(rula_action_level(grand), levels[grand - 1]);
}

// A worse part never improves the total score.
TEST(Rula, TablesAreMonotone) {
  for (int u = 1; u <= 6; ++u)
    for (int l = 1; l <= 3; ++l)
      for (int w = 1; w <= 4; ++w)
        for (int t = 1; t <= 2; ++t) {
          EXPECT_LE(rula_table_a(u, l, w, t), rula_table_a(u + 1, l, w, t)) << u << l << w << t;
          EXPECT_LE(rula_table_a(u, l, w, t), rula_table_a(u, l + 1, w, t)) << u << l << w << t;
          EXPECT_LE(rula_table_a(u, l, w, t), rula_table_a(u, l, w, t + 1)) << u << l << w << t;
          EXPECT_LE(rula_table_a(u, l, w, t), rula_table_a(u, l, w + 1, t)) << u << l << w << t;
        }
  for (int n = 1; n <= 6; ++n)
    for (int t = 1; t <= 6; ++t)
      for (int legs = 1; legs <= 2; ++legs) {
        EXPECT_LE(rula_table_b(n, t, legs), rula_table_b(n + 1, t, legs)) << n << t << legs;
        EXPECT_LE(rula_table_b(n, t, legs), rula_table_b(n, t + 1, legs)) << n << t << legs;
        EXPECT_LE(rula_table_b(n, t, legs), rula_table_b(n, t, 2)) << n << t << legs;
      }
  for (int c = 1; c <= 8; ++c)
    for (int d = 1; d <= 7; ++d) {
      EXPECT_LE(rula_grand(c, d), rula_grand(c + 1, d)) << c << d;
      EXPECT_LE(rula_grand(c, d), rula_grand(c, d + 1)) << c << d;
    }
}

TEST(Rula, GrowsAsTheArmIsRaisedAndTheTrunkBent) {
  int before = 0;
  for (const double raised : {0.0, 30.0, 60.0, 120.0}) {
    const RulaScore score = rula(angles_of({{"right_shoulder.elevation", raised}}), ArmSide::right);
    EXPECT_EQ(score.upper_arm, before + 1) << raised;
    before = score.upper_arm;
  }
  EXPECT_EQ(rula(angles_of({{"right_shoulder.elevation", -40.0}}), ArmSide::right).upper_arm, 2);
  EXPECT_EQ(rula(angles_of({{"right_shoulder.abduction", 60.0}}), ArmSide::right).upper_arm, 4);
  EXPECT_EQ(rula(angles_of({{"right_shoulder.abduction", 60.0}}), ArmSide::left).upper_arm, 1);
  const double leans[] = {0.0, 15.0, 40.0, 75.0};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(rula(angles_of({{"root.pitch", leans[k]}}), ArmSide::left).trunk, k + 1);
  EXPECT_EQ(rula(angles_of({{"spine.axial", 30.0}}), ArmSide::left).trunk, 2);
  EXPECT_EQ(rula(angles_of({{"neck.flexion", -30.0}}), ArmSide::left).neck, 4);
  EXPECT_EQ(rula(angles_of({{"neck.axial", 30.0}}), ArmSide::left).neck, 2);
}

TEST(Rula, CountsTheObservations) {
  const BodyAngles still = angles_of({});
  const auto force = [&](double load, bool held, bool shock) {
    return rula(still, ArmSide::left, {.load = load, .load_static_or_repeated = held, .shock = shock}).force;
  };
  EXPECT_EQ(force(1.9, true, false), 0);
  EXPECT_EQ(force(2.0, false, false), 1);
  EXPECT_EQ(force(10.0, false, false), 1);
  EXPECT_EQ(force(5.0, true, false), 2);
  EXPECT_EQ(force(11.0, false, false), 2);
  EXPECT_EQ(force(11.0, true, false), 3);
  EXPECT_EQ(force(0.0, false, true), 3);
  EXPECT_EQ(rula(still, ArmSide::left, {.legs_supported = false}).legs, 2);
  EXPECT_EQ(rula(still, ArmSide::left, {.shoulder_raised = true}).upper_arm, 2);
  EXPECT_EQ(rula(still, ArmSide::left, {.arm_supported = true}).upper_arm, 1);
  EXPECT_EQ(rula(still, ArmSide::left, {.shoulder_raised = true, .arm_supported = true}).upper_arm, 1);
}

TEST(Reba, OfStandingStillIsOne) {
  const RebaScore score = reba(angles_of({}), ArmSide::right);
  EXPECT_EQ(score.table_a, 1);
  EXPECT_EQ(score.table_b, 1);
  EXPECT_EQ(score.score, 1);
  EXPECT_EQ(score.action_level, 0);
}

// Scored by hand on the worksheet: neck 20 degrees and more (2), trunk 20 to 60 (3), legs on both feet with
// bent knees of 30 to 60 degrees (2), upper arm 45 to 90 (3), lower arm outside 60 to 100 (2), wrist 15 and more and
// twisted (3), a load beyond 10 kg (2), a fair grip (1), repeated (1).
TEST(Reba, AddsUpAsTheWorksheetDoes) {
  BodyAngles angles;
  angles.neck_flexion = radians(30.0);
  angles.trunk_flexion = radians(45.0);
  angles.left_knee = radians(40.0);
  angles.left = {
      .raised = radians(70.0), .elbow = radians(20.0), .wrist_flexion = radians(25.0), .forearm_twist = radians(70.0)};
  const RebaScore score = reba(angles, ArmSide::left, {.load = 12.0, .coupling = Coupling::fair, .repeated = true});
  EXPECT_EQ(score.neck, 2);
  EXPECT_EQ(score.trunk, 3);
  EXPECT_EQ(score.legs, 2);
  EXPECT_EQ(score.table_a, 5);
  EXPECT_EQ(score.a, 7);
  EXPECT_EQ(score.upper_arm, 3);
  EXPECT_EQ(score.lower_arm, 2);
  EXPECT_EQ(score.wrist, 3);
  EXPECT_EQ(score.table_b, 5);
  EXPECT_EQ(score.b, 6);
  EXPECT_EQ(score.c, 9);
  EXPECT_EQ(score.score, 10);
  EXPECT_EQ(score.action_level, 3);
}

TEST(Reba, HasTheTableCorners) {
  EXPECT_EQ(reba_table_a(1, 1, 1), 1);
  EXPECT_EQ(reba_table_a(5, 3, 4), 9);
  EXPECT_EQ(reba_table_a(9, 9, 9), 9);
  EXPECT_EQ(reba_table_b(1, 1, 1), 1);
  EXPECT_EQ(reba_table_b(6, 2, 3), 9);
  EXPECT_EQ(reba_table_c(1, 1), 1);
  EXPECT_EQ(reba_table_c(12, 1), 12);
  EXPECT_EQ(reba_table_c(1, 12), 7);
  EXPECT_EQ(reba_table_c(12, 12), 12);
  const int levels[] = {0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4};
  for (int score = 1; score <= 15; ++score) EXPECT_EQ(reba_action_level(score), levels[score - 1]) << score;
}

TEST(Reba, TablesAreMonotone) {
  for (int t = 1; t <= 5; ++t)
    for (int n = 1; n <= 3; ++n)
      for (int legs = 1; legs <= 4; ++legs) {
        EXPECT_LE(reba_table_a(t, n, legs), reba_table_a(t + 1, n, legs)) << t << n << legs;
        EXPECT_LE(reba_table_a(t, n, legs), reba_table_a(t, n + 1, legs)) << t << n << legs;
        EXPECT_LE(reba_table_a(t, n, legs), reba_table_a(t, n, legs + 1)) << t << n << legs;
      }
  for (int u = 1; u <= 6; ++u)
    for (int l = 1; l <= 2; ++l)
      for (int w = 1; w <= 3; ++w) {
        EXPECT_LE(reba_table_b(u, l, w), reba_table_b(u + 1, l, w)) << u << l << w;
        EXPECT_LE(reba_table_b(u, l, w), reba_table_b(u, l + 1, w)) << u << l << w;
        EXPECT_LE(reba_table_b(u, l, w), reba_table_b(u, l, w + 1)) << u << l << w;
      }
  for (int a = 1; a <= 12; ++a)
    for (int b = 1; b <= 12; ++b) {
      EXPECT_LE(reba_table_c(a, b), reba_table_c(a + 1, b)) << a << b;
      EXPECT_LE(reba_table_c(a, b), reba_table_c(a, b + 1)) << a << b;
    }
}

TEST(Reba, GrowsAsTheBodyBends) {
  const double leans[] = {0.0, 15.0, 40.0, 75.0};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(reba(angles_of({{"root.pitch", leans[k]}}), ArmSide::left).trunk, k + 1);
  EXPECT_EQ(reba(angles_of({{"root.pitch", -15.0}}), ArmSide::left).trunk, 2);
  EXPECT_EQ(reba(angles_of({{"root.pitch", -30.0}}), ArmSide::left).trunk, 3);
  EXPECT_EQ(reba(angles_of({{"spine.axial", 30.0}}), ArmSide::left).trunk, 2);
  EXPECT_EQ(reba(angles_of({{"neck.flexion", -30.0}}), ArmSide::left).neck, 2);
  EXPECT_EQ(reba(angles_of({{"neck.flexion", 15.0}}), ArmSide::left).neck, 1);
  const BodyAngles squat = angles_of({{"left_hip.flexion", 50.0},
                                      {"left_knee.flexion", 70.0},
                                      {"left_ankle.flexion", 0.0},
                                      {"right_hip.flexion", 50.0},
                                      {"right_knee.flexion", 70.0}});
  EXPECT_EQ(reba(squat, ArmSide::left).legs, 3);
  EXPECT_EQ(reba(squat, ArmSide::left, {.sitting = true}).legs, 1);
  const BodyAngles still = angles_of({});
  EXPECT_EQ(reba(still, ArmSide::left, {.load = 5.0}).load, 1);
  EXPECT_EQ(reba(still, ArmSide::left, {.load = 11.0, .shock = true}).load, 3);
  EXPECT_EQ(reba(still, ArmSide::left, {.coupling = Coupling::unacceptable}).coupling, 3);
  EXPECT_EQ(reba(still, ArmSide::left, {.held = true, .repeated = true, .large_rapid_changes = true}).score, 4);
  EXPECT_EQ(reba(still, ArmSide::left, {.arm_rotated = true}).upper_arm, 2);
}

}  // namespace posture_test
}  // namespace limber
