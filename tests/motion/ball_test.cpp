// Conversion between three angles and a rotation.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/motion/channel.h"
#include "tests/support/figures.h"

namespace limber {
namespace ball_test {

std::vector<Ball> balls_of_every_order() {
  std::vector<Ball> balls;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        if (a != b && b != c) balls.push_back({{a, b, c}, {0, 1, 2}, Vec3(1, -1, 1)});
  return balls;
}

TEST(Ball, GivesTheRotationOfItsAnglesInEveryOrder) {
  Random random(11);
  ASSERT_EQ(balls_of_every_order().size(), 12u);
  for (const Ball& ball : balls_of_every_order())
    for (int trial = 0; trial < 100; ++trial) {
      const Vec3 angles = testing::random_vector(random, 7.0);
      EXPECT_LT((ball.rotation(angles).toRotationMatrix() - euler_rotation(ball.order, angles)).norm(), 1e-14);
    }
}

TEST(Ball, FindsTheSameAnglesAsEulerMatrices) {
  Random random(12);
  for (const Ball& ball : balls_of_every_order())
    for (int trial = 0; trial < 2000; ++trial) {
      const Vec3 angles = testing::random_vector(random, 3.0), near = testing::random_vector(random, 12.0);
      const Quaternion q = ball.rotation(angles);
      const Vec3 found = ball.angles(random.chance(0.5) ? q : Quaternion(-q.coeffs()), near);
      const Vec3 expected = euler_angles(q.toRotationMatrix(), ball.order, near);
      EXPECT_LT((ball.rotation(found).toRotationMatrix() - q.toRotationMatrix()).norm(), 1e-14);
      EXPECT_NEAR((found - near).norm(), (expected - near).norm(), 1e-6);
      EXPECT_LT((found - near).cwiseAbs().maxCoeff(), pi + 1e-12);
    }
}

TEST(Ball, RecoversItsReferenceAngles) {
  Random random(13);
  for (const Ball& ball : balls_of_every_order())
    for (int trial = 0; trial < 500; ++trial) {
      const Vec3 angles = testing::random_vector(random, 9.0);
      const double middle = ball.order[2] == ball.order[0] ? std::sin(angles[1]) : std::cos(angles[1]);
      if (std::fabs(middle) < 1e-2) continue;
      EXPECT_LT((ball.angles(ball.rotation(angles), angles) - angles).norm(), 1e-11);
    }
}

TEST(Ball, KeepsTheLastAngleInGimbalLock) {
  Random random(14);
  for (const Ball& ball : balls_of_every_order())
    for (const double error : {0.0, 1e-14, 1e-9, 1e-6})
      for (int side = 0; side < 4; ++side) {
        const bool proper = ball.order[2] == ball.order[0];
        const Vec3 near = testing::random_vector(random, 3.0);
        const Vec3 angles(random.between(-3.0, 3.0), (proper ? 0.0 : pi / 2.0) + side * pi + error, near[2]);
        const Quaternion q = ball.rotation(angles);
        const Vec3 found = ball.angles(q, {near[0], angles[1], near[2]});
        EXPECT_LT((ball.rotation(found).coeffs().cwiseAbs() - q.coeffs().cwiseAbs()).norm(), 1e-11);
        if (error < 1e-12) {
          EXPECT_EQ(found[2], near[2]);
        }
      }
}

TEST(Ball, IsFoundForThreeRotationsWithTheirOwnParameters) {
  const Figure figure = human();
  std::vector<std::string> names;
  for (const Joint& joint : figure.joints())
    if (ball_of(figure, joint)) names.push_back(joint.name);
  EXPECT_EQ(names, (std::vector<std::string>{"root", "neck", "left_wrist", "right_wrist", "left_hip", "right_hip"}));
  EXPECT_EQ(balls_of(figure).size(), names.size());
  Random random(15);
  Pose pose = testing::random_pose(figure, random);
  const VecX before = pose.theta;
  for (const Ball& ball : balls_of(figure)) ball.set_angles(pose.theta, ball.angles(pose.theta));
  EXPECT_EQ(pose.theta, before);
}

}  // namespace ball_test
}  // namespace limber
