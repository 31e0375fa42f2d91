// Torques against strength: shares, the first joint to fail, and the load at which it fails.
#include "limber/assess/strength.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"

namespace limber {
namespace strength_test {

constexpr double gravity = standard_gravity;

Pose arms_ahead(const Figure& body, double raised, double bent) {
  Pose pose = body.rest();
  for (const std::string side : {"left_", "right_"}) {
    EXPECT_TRUE(body.set(pose, side + "shoulder.elevation", raised));
    EXPECT_TRUE(body.set(pose, side + "elbow.flexion", bent));
  }
  return pose;
}

const JointLoad& load_of(const Figure& figure, const std::vector<JointLoad>& loads, const std::string& freedom) {
  for (const JointLoad& one : loads)
    if (figure.freedoms()[static_cast<std::size_t>(one.freedom)].name == freedom) return one;
  ADD_FAILURE() << freedom;
  return loads.front();
}

// A horizontal beam on a hinge, with a weight at its end.
Figure beam(double length, double mass) {
  FigureDescription description;
  description.name = "beam";
  description.segments = {{"beam", mass, Vec3(0.5 * length, 0, 0)}};
  description.joints = {{"hinge", "", "beam", {}, {}, {{"turn", Motion::rotate, Vec3::UnitZ()}}}};
  description.sites = {{"end", "beam", at(Vec3(length, 0, 0))}};
  return *build_figure(description);
}

TEST(Strength, MaxLoadOfAHingeIsTheClosedForm) {
  const double length = 0.5, mass = 2.0;
  const Figure figure = beam(length, mass);
  const StrengthTable table = {{"hinge.turn", 1, 20.0, 40.0, 60.0}};
  const Expected<MaxLoad> max = max_load(figure, figure.rest(), {}, {*figure.point("end")}, table);
  ASSERT_TRUE(max);
  EXPECT_NEAR(max->mass, (40.0 / gravity - 0.5 * length * mass) / length, 1e-9);
  EXPECT_EQ(max->freedom, 0);
  // Weaker people fail earlier; who cannot hold the beam can hold no load.
  const Expected<MaxLoad> weak =
      max_load(figure, figure.rest(), {}, {*figure.point("end")}, table, {.percentile = 5.0});
  ASSERT_TRUE(weak);
  EXPECT_NEAR(weak->mass, (20.0 / gravity - 0.5 * length * mass) / length, 1e-9);
  const Expected<MaxLoad> none =
      max_load(figure, figure.rest(), {}, {*figure.point("end")}, {{"hinge.turn", 1, 1.0, 1.0, 1.0}});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->mass, 0.0);
  // Strength in the opposite direction has no effect.
  const Expected<MaxLoad> other =
      max_load(figure, figure.rest(), {}, {*figure.point("end")}, {{"hinge.turn", -1, 1.0, 1.0, 1.0}});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->mass, infinity);
  EXPECT_EQ(other->freedom, -1);
}

TEST(Strength, IsLinearInTheNormalDeviate) {
  const Figure figure = beam(1.0, 1.0);
  const StaticLoad load = *static_load(figure, figure.rest(), {});
  const StrengthTable table = {{"hinge.turn", 1, 10.0, 40.0, 50.0}};
  const auto strength = [&](double percentile) {
    return joint_loads(figure, figure.rest(), load, table, {.percentile = percentile})->at(0).strength;
  };
  EXPECT_NEAR(strength(5.0), 10.0, 1e-9);
  EXPECT_NEAR(strength(50.0), 40.0, 1e-9);
  EXPECT_NEAR(strength(95.0), 50.0, 1e-9);
  // Quartiles lie at 0.67448975 standard deviations.
  EXPECT_NEAR(strength(25.0), 40.0 - 30.0 * 0.67448975 / 1.64485363, 1e-6);
  EXPECT_NEAR(strength(75.0), 40.0 + 10.0 * 0.67448975 / 1.64485363, 1e-6);
}

TEST(Strength, FollowsTheAngle) {
  const Figure figure = beam(1.0, 1.0);
  const StrengthTable table = {{.freedom = "hinge.turn",
                                .direction = 1,
                                .percentile_5 = 0.1,
                                .percentile_50 = 0.2,
                                .percentile_95 = 0.3,
                                .of_size = true,
                                .curve = 1.2,
                                .best_angle = 0.5}};
  for (const double angle : {-0.9, -0.5, 0.0, 0.5, 1.0, 1.4}) {
    Pose pose = figure.rest();
    pose.theta[0] = angle;
    const StaticLoad load = *static_load(figure, pose, {});
    const auto loads = joint_loads(figure, pose, load, table, {.stature = 1.8, .weight = 700.0});
    ASSERT_TRUE(loads);
    const double expected = std::fmax(0.0, 0.2 * 700.0 * 1.8 * std::cos(1.2 * (angle - 0.5)));
    EXPECT_NEAR(loads->at(0).strength, expected, 1e-9) << angle;
  }
}

// The quadratic equation against the torques: just below the load all joints hold, just above one fails.
TEST(Strength, MaxLoadIsWhereTheFirstJointFails) {
  const std::uint64_t seed = 821;
  Random random(seed);
  const Figure body = human();
  int found = 0;
  for (int k = 0; k < 60; ++k) {
    const Pose pose = arms_ahead(body, random.between(-0.3, 2.0), random.between(0.0, 2.0));
    const StrengthTable table = human_strength(random.chance(0.5) ? Sex::male : Sex::female);
    const StrengthOptions who = {.percentile = random.between(5.0, 95.0)};
    StaticLoadOptions options;
    if (random.chance(0.7)) options.feet = usual_feet(body);
    options.loads = {{*body.point("sternum"), random.between(0.0, 10.0)}};
    std::vector<Handle> hands = {*body.point("right_palm")};
    if (random.chance(0.5)) hands.push_back(*body.point("left_palm"));
    const Expected<MaxLoad> max = max_load(body, pose, options, hands, table, who);
    ASSERT_TRUE(max);
    if (!(max->mass > 0.0 && max->mass < infinity)) continue;
    ++found;
    const auto max_share = [&](double mass) {
      StaticLoadOptions with = options;
      for (const Handle& hand : hands) with.loads.push_back({hand, mass / static_cast<double>(hands.size())});
      return *first_to_give(*joint_loads(body, pose, *static_load(body, pose, with), table, who));
    };
    constexpr double near = 1e-6;
    const JointLoad held = max_share(max->mass * (1.0 - near)), gives = max_share(max->mass * (1.0 + near));
    EXPECT_LE(held.share, 1.0) << seed << " " << k;
    EXPECT_GT(gives.share, 1.0) << seed << " " << k;
    EXPECT_EQ(gives.freedom, max->freedom) << seed << " " << k;
  }
  EXPECT_GT(found, 30);
}

TEST(Strength, IsNotNeededAtTheEndOfTheRange) {
  FigureDescription one;
  one.name = "flap";
  one.segments = {{"flap", 1.0, Vec3(0.5, 0, 0)}};
  one.joints = {{"hinge", "", "flap", {}, {}, {{"turn", Motion::rotate, Vec3::UnitZ(), {.lower = 0.0, .upper = 1.0}}}}};
  one.sites = {{"end", "flap", at(Vec3(1.0, 0, 0))}};
  const Figure flap = *build_figure(one);
  const StrengthTable table = {{"hinge.turn", 1, 10.0, 10.0, 10.0}, {"hinge.turn", -1, 10.0, 10.0, 10.0}};
  // Gravity presses it against its lower limit; above it must be held.
  Pose pose = flap.rest();
  EXPECT_TRUE(joint_loads(flap, pose, *static_load(flap, pose, {}), table)->at(0).at_stop);
  EXPECT_EQ(joint_loads(flap, pose, *static_load(flap, pose, {}), table)->at(0).share, 0.0);
  EXPECT_EQ(max_load(flap, pose, {}, {*flap.point("end")}, table)->mass, infinity);
  for (const double angle : {0.1, 1.0}) {
    pose.theta[0] = angle;
    const JointLoad held = joint_loads(flap, pose, *static_load(flap, pose, {}), table)->at(0);
    EXPECT_FALSE(held.at_stop) << angle;
    EXPECT_GT(held.share, 0.1);
    EXPECT_LT(max_load(flap, pose, {}, {*flap.point("end")}, table)->mass, 2.0);
  }
}

TEST(Strength, ShouldersLimitAManHoldingABox) {
  const Figure body = human();
  const Pose pose = arms_ahead(body, radians(75.0), radians(10.0));
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  const StrengthTable table = human_strength(Sex::male);
  const std::vector<Handle> one = {*body.point("right_palm")};
  const std::vector<Handle> both = {*body.point("right_palm"), *body.point("left_palm")};
  const Expected<MaxLoad> with_one = max_load(body, pose, options, one, table);
  const Expected<MaxLoad> with_both = max_load(body, pose, options, both, table);
  ASSERT_TRUE(with_one && with_both);
  EXPECT_EQ(body.freedoms()[static_cast<std::size_t>(with_one->freedom)].name, "right_glenohumeral.elevation");
  EXPECT_GT(with_one->mass, 5.0);
  EXPECT_LT(with_one->mass, 15.0);
  EXPECT_GT(with_both->mass, 1.5 * with_one->mass);
  EXPECT_LE(with_both->mass, 2.0 * with_one->mass + 1e-9);
  // Women hold less.
  const Expected<MaxLoad> women = max_load(body, pose, options, one, human_strength(Sex::female));
  ASSERT_TRUE(women);
  EXPECT_LT(women->mass, with_one->mass);
}

TEST(Strength, IsTheSameOnBothSides) {
  const Figure body = human();
  const Pose pose = arms_ahead(body, 0.8, 1.0);
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  options.loads = {{*body.point("right_palm"), 4.0}, {*body.point("left_palm"), 4.0}};
  const auto loads = joint_loads(body, pose, *static_load(body, pose, options), human_strength(Sex::male));
  ASSERT_TRUE(loads);
  for (const char* freedom :
       {"elbow.flexion", "glenohumeral.elevation", "wrist.deviation", "hip.flexion", "knee.flexion", "ankle.flexion"}) {
    const JointLoad& left = load_of(body, *loads, std::string("left_") + freedom);
    const JointLoad& right = load_of(body, *loads, std::string("right_") + freedom);
    EXPECT_NEAR(left.share, right.share, 1e-9) << freedom;
    EXPECT_LT(left.strength, infinity) << freedom;
  }
  // The forearm's weight and the load are held by bending the elbow.
  const JointLoad& elbow = load_of(body, *loads, "right_elbow.flexion");
  EXPECT_GT(elbow.torque, 0.0);
  EXPECT_EQ(elbow.strength, 77.0);
  EXPECT_NEAR(elbow.share, elbow.torque / 77.0, 1e-12);
  // No muscles act on the root.
  for (const JointLoad& one : *loads)
    EXPECT_FALSE(body.freedoms()[static_cast<std::size_t>(one.freedom)].name.starts_with("root."));
}

TEST(Strength, TablesAreInOrderAndMenAreStronger) {
  const StrengthTable men = human_strength(Sex::male), women = human_strength(Sex::female);
  EXPECT_TRUE(check_strength(men, {}));
  EXPECT_TRUE(check_strength(women, {}));
  ASSERT_EQ(men.size(), women.size());
  const Expected<Figure> simple = simple_human();
  const Figure body = human();
  for (std::size_t k = 0; k < men.size(); ++k) {
    EXPECT_EQ(men[k].freedom, women[k].freedom);
    EXPECT_FALSE(men[k].source.empty());
    if (!men[k].of_size) {
      EXPECT_GT(men[k].percentile_50, women[k].percentile_50) << men[k].freedom;
    }
    // Each row belongs to a freedom of a built-in body.
    bool known = false;
    for (const Figure* figure : {&body, &*simple})
      for (const Freedom& freedom : figure->freedoms())
        known = known || freedom.name == men[k].freedom || freedom.name == "left_" + men[k].freedom;
    EXPECT_TRUE(known) << men[k].freedom;
  }
}

TEST(Strength, RejectsInvalidTables) {
  const auto rejected = [](const StrengthTable& table, const StrengthOptions& options = {}) {
    const Expected<void> good = check_strength(table, options);
    return good ? std::string() : good.error().text();
  };
  EXPECT_EQ(
      rejected({{"elbow.flexion", 1, 3.0, 2.0, 4.0}}),
      "strength of 'elbow.flexion': found 3, 2, 4; expected non-negative, non-decreasing torques of the 5th, 50th and "
      "95th percentile");
  EXPECT_NE(rejected({{"elbow.flexion", 0, 1.0, 2.0, 4.0}}), "");
  EXPECT_NE(rejected({{"elbow.flexion", 1, -1.0, 2.0, 4.0}}), "");
  EXPECT_NE(rejected({{"elbow.flexion", 1, 1.0, 2.0, infinity}}), "");
  EXPECT_NE(rejected({{"", 1, 1.0, 2.0, 4.0}}), "");
  EXPECT_NE(rejected({}, {.percentile = 99.0}), "");
  EXPECT_NE(rejected({}, {.percentile = std::nan("")}), "");
  EXPECT_NE(rejected({}, {.stature = -1.0}), "");
  EXPECT_EQ(rejected({}), "");
  const Figure figure = beam(1.0, 1.0);
  EXPECT_FALSE(max_load(figure, figure.rest(), {}, {}, {}));
}

}  // namespace strength_test
}  // namespace limber
