// The full assessment agrees with its parts computed separately.
#include "limber/assess/assessment.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"

namespace limber {
namespace assessment_test {

Pose random_pose_within_limits(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    if (std::isfinite(range.lower) && std::isfinite(range.upper))
      pose.theta[static_cast<Eigen::Index>(j)] = random.between(range.lower, range.upper);
  }
  return pose;
}

TEST(AssessmentOfAPose, AgreesWithItsParts) {
  const Figure figure = human();
  AssessmentOptions options;
  options.loads = {{{"left_palm", "right_palm"}, 10.0}, {{"head"}, 2.0}};
  options.strength.percentile = 30.0;
  StaticLoadOptions loaded;
  loaded.feet = usual_feet(figure);
  loaded.loads = {{*figure.point("left_palm"), 5.0}, {*figure.point("right_palm"), 5.0}, {*figure.point("head"), 2.0}};
  const StrengthTable table = human_strength(Sex::male);
  const JointComfort comfort = *JointComfort::make(figure);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Pose pose = random_pose_within_limits(figure, random);
    const Expected<Assessment> found = assess(figure, pose, options);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->load_mass, 12.0);
    const StaticLoad load = *static_load(figure, pose, loaded);
    EXPECT_EQ(found->load.holding, load.holding);
    EXPECT_EQ(found->load.outside, load.outside);
    const std::vector<JointLoad> joints = *joint_loads(figure, pose, load, table, options.strength);
    EXPECT_EQ(found->share_heat, share_by_segment(figure, joints));
    EXPECT_EQ(found->discomfort, comfort.discomfort(pose.theta));
    EXPECT_EQ(found->discomfort_heat, discomfort_by_segment(figure, pose, comfort));
    // The max load at these three places, a third each, in place of the given loads.
    EXPECT_EQ(found->carriers, (std::vector<std::string>{"left_palm", "right_palm", "head"}));
    if (found->max_load.freedom >= 0 && found->max_load.mass > 0.0) {
      AssessmentOptions at_max_load = options;
      at_max_load.loads = {{found->carriers, found->max_load.mass}};
      EXPECT_NEAR(first_to_give(assess(figure, pose, at_max_load)->joints)->share, 1.0, 1e-6);
    }
    const BodyAngles angles = *body_angles(figure, pose);
    EXPECT_EQ(found->right->rula.grand, rula(angles, ArmSide::right, rula_options({}, 12.0)).grand);
    EXPECT_EQ(found->left->reba.score, reba(angles, ArmSide::left, reba_options({}, 12.0)).score);
  }
}

TEST(AssessmentOfAPose, CircumstancesReachBothMethods) {
  const Circumstances strenuous = {true, false, true, false, false, Coupling::poor};
  const Figure figure = human();
  AssessmentOptions options;
  const Assessment relaxed = *assess(figure, figure.rest(), options);
  options.circumstances = strenuous;
  const Assessment found = *assess(figure, figure.rest(), options);
  EXPECT_EQ(found.left->rula.muscle_use, 1);
  EXPECT_EQ(found.left->rula.force, 3);
  EXPECT_EQ(found.left->reba.coupling, 2);
  EXPECT_EQ(found.left->reba.activity, 1);
  EXPECT_GT(found.left->rula.grand, relaxed.left->rula.grand);
  EXPECT_GT(found.right->reba.score, relaxed.right->reba.score);
}

TEST(AssessmentOfAPose, ARaisedArmIsScoredOnItsOwnSide) {
  const Figure figure = human();
  Pose pose = figure.rest();
  ASSERT_TRUE(figure.set(pose, "right_shoulder.elevation", radians(100.0)));
  const Assessment found = *assess(figure, pose, {});
  EXPECT_GT(found.right->rula.upper_arm, found.left->rula.upper_arm);
  EXPECT_GT(found.right->reba.upper_arm, found.left->reba.upper_arm);
}

TEST(AssessmentOfAPose, ASittingBodyIsCarriedByTheRootUnlessFeetAreGiven) {
  const Figure figure = human();
  AssessmentOptions options;
  EXPECT_EQ(assess(figure, figure.rest(), options)->load.reactions.size(), 2u);
  options.circumstances.sitting = true;
  EXPECT_TRUE(assess(figure, figure.rest(), options)->load.reactions.empty());
  options.carried_by = CarriedBy::feet;
  EXPECT_EQ(assess(figure, figure.rest(), options)->load.reactions.size(), 2u);
  options.circumstances.sitting = false;
  options.carried_by = CarriedBy::root;
  EXPECT_TRUE(assess(figure, figure.rest(), options)->load.reactions.empty());
}

TEST(AssessmentOfAPose, RejectsLoadsWithoutAPlace) {
  const Figure figure = human();
  AssessmentOptions options;
  options.loads = {{{}, 1.0}};
  EXPECT_FALSE(assess(figure, figure.rest(), options));
  options.loads = {{{"tail"}, 1.0}};
  const Expected<Assessment> rejected = assess(figure, figure.rest(), options);
  ASSERT_FALSE(rejected);
  EXPECT_NE(rejected.error().text().find("tail"), std::string::npos);
}

TEST(AssessmentOfAPose, AFreedomIsShownByTheParameterOfItsRow) {
  const Figure figure = human();
  const Assessment found = *assess(figure, figure.rest(), {});
  for (const JointRow& row : found.rows) {
    const int parameter = parameter_that_shows(found.rows, row.load.freedom);
    ASSERT_GE(parameter, 0);
    EXPECT_EQ(figure.freedoms()[static_cast<std::size_t>(row.load.freedom)].motion, Motion::rotate);
  }
  EXPECT_EQ(parameter_that_shows(found.rows, 0), -1) << "the root has no row";
}

TEST(AssessmentOfAPose, EveryActionLevelHasItsOwnMeaning) {
  for (int level = 1; level < 4; ++level) EXPECT_NE(rula_meaning(level), rula_meaning(level + 1));
  for (int level = 0; level < 4; ++level) EXPECT_NE(reba_meaning(level), reba_meaning(level + 1));
  EXPECT_EQ(rula_meaning(rula_action_level(7)), "investigate and change now");
  EXPECT_EQ(reba_meaning(reba_action_level(1)), "negligible risk");
  EXPECT_EQ(reba_meaning(reba_action_level(15)), "very high risk, change needed now");
}

}  // namespace assessment_test
}  // namespace limber
