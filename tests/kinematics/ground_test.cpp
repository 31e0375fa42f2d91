// Feet on the ground: as low as the lowest place of all feet, within a part of the figure's length.
#include "limber/kinematics/ground.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"

namespace limber {
namespace ground_test {

struct Feet {
  Figure figure = human();
  std::vector<FootPlaces> feet;

  explicit Feet(double left_knee_flexion) {
    Pose pose = figure.rest();
    pose.theta[*figure.find_parameter("left_knee.flexion")] = left_knee_flexion;
    const Kinematics state = forward(figure, pose);
    for (const char* name : {"left_foot", "right_foot"})
      feet.push_back(foot_from(figure, state, *figure.find_joint(name)));
  }
  double length() const { return figure.length(); }
};

TEST(Ground, BothFeetStandAtRest) {
  const Feet at_rest(0.0);
  const double ground = ground_under(at_rest.feet);
  for (FootPlaces foot : at_rest.feet) {
    EXPECT_TRUE(stands_on(foot, ground, at_rest.length()));
    foot.keep_contacts(ground, at_rest.length());
    EXPECT_GE(foot.places.size(), 2U) << "heel and toes";
    for (const Vec3& place : foot.places) EXPECT_LE(place.y(), ground + ground_contact_height * at_rest.length());
  }
}

TEST(Ground, ALiftedFootDoesNotStand) {
  const Feet lifted(1.2);
  const double ground = ground_under(lifted.feet);
  EXPECT_EQ(ground, lifted.feet[1].lowest());
  EXPECT_FALSE(stands_on(lifted.feet[0], ground, lifted.length()));
  EXPECT_TRUE(stands_on(lifted.feet[1], ground, lifted.length()));
}

TEST(Ground, AFootStandsUpToTheContactHeight) {
  Feet at_rest(0.0);
  const double ground = ground_under(at_rest.feet), height = ground_contact_height * at_rest.length();
  FootPlaces foot = at_rest.feet[0];
  const double gap = foot.lowest() - ground;
  for (Vec3& place : foot.places) place.y() += 0.99 * height - gap;
  EXPECT_TRUE(stands_on(foot, ground, at_rest.length()));
  for (Vec3& place : foot.places) place.y() += 0.02 * height;
  EXPECT_FALSE(stands_on(foot, ground, at_rest.length()));
}

}  // namespace ground_test
}  // namespace limber
