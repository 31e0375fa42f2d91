// Characters from files, pulled at as the built-in human is.
#include "limber/posing/posing_for.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/roles/assumed.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace posing_for_test {

using testing::good;

Figure character(const std::string& name) {
  const std::string path = source_dir() + "/data/" + name;
  const Figure figure = good(with_free_root(*good(read_content(read_sample(path), path, {}, {}, nullptr)).figure));
  const Roles roles = roles_of(figure);
  const Figure person = with_assumed_limits(with_assumed_masses(with_mirror_pairs(figure, roles), roles), roles).figure;
  return good(with_common_names(person, roles));
}

// Where a part is pulled from its place: by so much ahead, to the left and up, relative to the height of the eyes.
struct Pull {
  const char* part;
  double ahead, left, up;
};
constexpr Pull pulls[] = {
    {"right_hand", 0.25, 0.0, 0.0},   {"right_hand", 0.0, 0.0, 0.2}, {"left_hand", 0.15, -0.25, 0.0},
    {"left_hand", 0.25, 0.05, -0.35}, {"left_foot", 0.2, 0.0, 0.1},  {"left_foot", 0.0, 0.12, 0.05},
    {"left_foot", -0.15, 0.0, 0.1},   {"pelvis", 0.0, 0.0, -0.15},   {"pelvis", 0.0, 0.05, 0.0},
    {"chest", 0.12, 0.0, -0.03},      {"head", 0.1, 0.0, -0.15},
};

class CharacterOfAFile : public ::testing::TestWithParam<const char*> {
 protected:
  Vec3 at(const Pose& pose, const std::string& place) const {
    Vec3 x[max_elements];
    evaluate(figure_, forward(figure_, pose), good(figure_.point(place)), x);
    return x[0];
  }
  // How far a limb's middle joint is in front of the line between the others as the limb sees it: its own rest pose and
  // the pelvis tell the front. Relative to its upper bone.
  Vec3 ahead() const {
    const Handle pelvis = good(figure_.direction("pelvis"));
    return forward(figure_, figure_.rest()).segments[static_cast<std::size_t>(pelvis.plus[0].segment)].R *
           pelvis.plus[0].local;
  }
  Pose pulled(const Pull& pull) const {
    const Pose rest = figure_.rest();
    Posing posing = good(Posing::make(figure_, rest, posing_for(figure_, rest)));
    const GripId grip = good(posing.grab(figure_.point(pull.part)));
    const double height = at(rest, "head").y() - at(rest, "left_foot").y();
    const Vec3 f = ahead(), l = Vec3::UnitY().cross(f);
    posing.move(grip, at(rest, pull.part) + height * (pull.ahead * f + pull.left * l + pull.up * Vec3::UnitY()));
    posing.frame();
    return posing.answer();
  }

  const Figure figure_ = character(GetParam());
};

TEST_P(CharacterOfAFile, StandsOnItsFeet) {
  const PosingOptions options = posing_for(figure_, figure_.rest());
  ASSERT_EQ(options.pins.size(), 2U);
  EXPECT_EQ(options.pins[0].place, "left_foot");
  EXPECT_EQ(options.feet.size(), 2U);
}

TEST_P(CharacterOfAFile, KeepsItsFootWithinItsLimitsAtEveryPull) {
  const Pose rest = figure_.rest();
  const double height = at(rest, "head").y() - at(rest, "left_foot").y();
  const bool has_toes = figure_.point("right_ball").has_value();
  for (const Pull& pull : pulls) {
    const Pose pose = pulled(pull);
    const std::string what = std::string(GetParam()) + ": " + pull.part;
    const char* standing = has_toes ? "right_ball" : "right_foot";
    EXPECT_LT((at(pose, standing) - at(rest, standing)).norm(), 1e-3 * height) << what;
    for (std::size_t j = 0; j < figure_.parameters().size(); ++j) {
      const Range& range = figure_.parameters()[j].range;
      const double theta = pose.theta[static_cast<Eigen::Index>(j)];
      EXPECT_GE(theta, range.lower - 1e-9) << what << " " << figure_.parameters()[j].name;
      EXPECT_LE(theta, range.upper + 1e-9) << what << " " << figure_.parameters()[j].name;
    }
  }
}

TEST_P(CharacterOfAFile, SquatsWithItsKneesAhead) {
  const Pose pose = pulled({"pelvis", 0.0, 0.0, -0.15});
  for (const std::string side : {"left_", "right_"}) {
    const Vec3 hip = at(pose, side + "hip"), knee = at(pose, side + "knee"), ankle = at(pose, side + "ankle");
    const Vec3 line = (ankle - hip).normalized();
    const Vec3 off = (knee - hip) - (knee - hip).dot(line) * line;
    EXPECT_GT(off.dot(ahead()), 0.2 * (knee - hip).norm()) << GetParam() << " " << side;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, CharacterOfAFile,
                         ::testing::Values("bvh/mh_walk1.bvh", "bvh/cmu_02_01.bvh", "bvh/pybvh_test2.bvh",
                                           "gltf/CesiumMan.glb", "gltf/kaykit_Rogue.glb",
                                           "gltf/vrm1_humanoid_min.vrm"));

TEST(PosingFor, TheHumanAndNobody) {
  const PosingOptions options = posing_for(human(), human().rest());
  ASSERT_EQ(options.pins.size(), 2U);
  EXPECT_TRUE(options.pins[0].lifts);
  EXPECT_EQ(options.feet, (std::vector<std::string>{"left_foot", "right_foot"}));
  const Figure arm = testing::built(testing::planar_arm());
  EXPECT_TRUE(posing_for(arm, arm.rest()).pins.empty());
}

TEST(PosingFor, AFootInTheAirIsNotPinned) {
  const Figure figure = human();
  Pose pose = figure.rest();
  ASSERT_TRUE(figure.set(pose, "left_hip.flexion", radians(60.0)));
  ASSERT_TRUE(figure.set(pose, "left_knee.flexion", radians(60.0)));
  const PosingOptions options = posing_for(figure, pose);
  ASSERT_EQ(options.pins.size(), 1U);
  EXPECT_EQ(options.pins[0].place, "right_foot");
}

}  // namespace posing_for_test
}  // namespace limber
