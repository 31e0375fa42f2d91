// Characters from files, pulled at as the built-in human is.
#include "limber/posing/posing_for.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/posing/proposal.h"
#include "limber/roles/assumed.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace posing_for_test {

using testing::good;

Figure read_character(const std::string& name) {
  const std::string path = source_dir() + "/data/" + name;
  return good(with_free_root(*good(read_content(read_sample(path), path, {}, {}, nullptr)).figure));
}

// As it is opened.
Figure opened(const Figure& figure) {
  const Roles roles = roles_of(figure);
  const Figure person = with_assumed_limits(with_assumed_masses(with_mirror_pairs(figure, roles), roles), roles).figure;
  return good(with_common_names(person, roles));
}

Figure character(const std::string& name) { return opened(read_character(name)); }

// The whole figure larger, and turned about the vertical.
Figure changed(const Figure& figure, double factor, double angle) {
  FigureDescription d = figure.description();
  for (JointDescription& joint : d.joints) {
    joint.in_parent.p *= factor;
    joint.in_child.p *= factor;
    for (FreedomDescription& freedom : joint.freedoms)
      if (freedom.motion == Motion::translate) {
        freedom.range.lower *= factor;
        freedom.range.upper *= factor;
        freedom.range.rest *= factor;
      }
    if (joint.parent.empty()) joint.in_parent = Frame{rotation(Vec3::UnitY(), angle), Vec3::Zero()} * joint.in_parent;
  }
  for (SiteDescription& site : d.sites) site.frame.p *= factor;
  return good(build_figure(std::move(d)));
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
    const double height = at(figure_.rest(), "head").y() - at(figure_.rest(), "left_foot").y();
    const Vec3 f = ahead(), l = Vec3::UnitY().cross(f);
    return pulled(figure_, pull.part, height * (pull.ahead * f + pull.left * l + pull.up * Vec3::UnitY()));
  }
  static Pose pulled(const Figure& figure, const char* part, const Vec3& by) {
    const Pose rest = figure.rest();
    Posing posing = good(Posing::make(figure, rest, posing_for(figure, rest)));
    const GripId grip = good(posing.grab(figure.point(part)));
    posing.move(grip, posing.grips()[0].p + by);
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

TEST_P(CharacterOfAFile, FollowsWhatPeopleDo) { EXPECT_TRUE(Proposer::make(figure_)) << GetParam(); }

// Arms that nobody touches stay as they are to the trunk, in whatever pose the file has them.
TEST_P(CharacterOfAFile, LeavesTheOtherArmAlone) {
  const Pose rest = figure_.rest();
  const auto elbow_bend = [&](const Pose& pose) {
    const Vec3 upper = at(pose, "left_elbow") - at(pose, "left_shoulder"),
               lower = at(pose, "left_wrist") - at(pose, "left_elbow");
    return std::acos(std::clamp(upper.normalized().dot(lower.normalized()), -1.0, 1.0));
  };
  for (const Pull& pull : pulls) {
    if (std::string(pull.part) == "left_hand") continue;
    EXPECT_LT(std::fabs(elbow_bend(pulled(pull)) - elbow_bend(rest)), radians(15.0)) << GetParam() << ": " << pull.part;
  }
}

// A larger figure that faces elsewhere takes the same pose.
TEST_P(CharacterOfAFile, PosesAlikeAtAnySizeAndWhereverItFaces) {
  const Figure file = read_character(GetParam());
  for (const auto& [factor, angle] : {std::pair{100.0, 0.0}, std::pair{0.5, 2.1}}) {
    const Figure other = opened(changed(file, factor, angle));
    const Mat3 R = rotation(Vec3::UnitY(), angle);
    ASSERT_EQ(other.parameters().size(), figure_.parameters().size());
    for (const char* part : {"right_hand", "left_foot"}) {
      const Vec3 by = 0.1 * figure_.length() * Vec3(0.3, 0.5, 1.0);
      const Pose a = pulled(figure_, part, by), b = pulled(other, part, factor * (R * by));
      for (const char* place : {"left_hand", "right_elbow", "head", "pelvis", "left_knee"}) {
        Vec3 x[max_elements];
        evaluate(other, forward(other, b), good(other.point(place)), x);
        EXPECT_LT((R.transpose() * x[0] / factor - at(a, place)).norm(), 0.01 * figure_.length())
            << GetParam() << ": " << part << ", " << place;
      }
    }
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
