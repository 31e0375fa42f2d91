// The capsules of real figures, and which pairs are checked.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/obstacle/body.h"
#include "limber/obstacle/check.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace figure_capsules_test {

using testing::good;

Figure figure_of_file(const std::string& name) {
  std::ifstream stream(source_dir() + "/data/" + name, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return good(read_content(bytes.str(), name)).figure.value();
}

std::vector<Figure> figures_with_bodies() {
  std::vector<Figure> out = {human(), good(simple_human()), testing::built(testing::seven_joint_arm())};
  for (const char* name : {"acclaim/02.asf", "bvh/cmu_02_01.bvh", "gltf/CesiumMan.glb", "urdf/panda.urdf",
                           "urdf/g1_29dof.urdf", "urdf/ur5.urdf", "urdf/baxter.urdf", "urdf/allegro_right.urdf"})
    out.push_back(figure_of_file(name));
  return out;
}

// The thickest of a segment's capsules, by name.
std::map<std::string, double> thickest(const Figure& figure) {
  std::map<std::string, double> out;
  for (const SegmentCapsule& one : capsules_of(figure)) {
    double& radius = out[figure.segments().at(static_cast<std::size_t>(one.segment)).name];
    radius = std::fmax(radius, one.capsule.radius);
  }
  return out;
}

std::set<std::pair<std::string, std::string>> named_pairs(const Figure& figure) {
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  std::set<std::pair<std::string, std::string>> out;
  const auto name = [&](int k) {
    return figure.segments().at(static_cast<std::size_t>(capsules.at(static_cast<std::size_t>(k)).segment)).name;
  };
  for (const CapsulePair& pair : pairs_to_check(figure, capsules)) {
    out.insert({name(pair.first), name(pair.second)});
    out.insert({name(pair.second), name(pair.first)});
  }
  return out;
}

TEST(FigureCapsules, OfAHumanHaveHumanThickness) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    const std::map<std::string, double> radius = thickest(figure);
    const auto expect_between = [&](const std::string& name, double low, double high) {
      EXPECT_GE(radius.at(name), low) << name;
      EXPECT_LE(radius.at(name), high) << name;
    };
    for (const std::string side : {"left_", "right_"}) {
      expect_between(side + "upper_arm", 0.040, 0.050);
      expect_between(side + "forearm", 0.030, 0.045);
      expect_between(side + "hand", 0.010, 0.030);
      expect_between(side + "thigh", 0.070, 0.080);
      expect_between(side + "shank", 0.040, 0.055);
      expect_between(side + "foot", 0.015, 0.040);
    }
    expect_between("head", 0.085, 0.105);
    expect_between("neck", 0.045, 0.070);
  }
  const std::map<std::string, double> radius = thickest(human());
  EXPECT_NEAR(radius.at("L2"), 0.10, 0.02) << "half the depth of the belly";
}

TEST(FigureCapsules, OfAHumanAreSymmetric) {
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  const Kinematics rest = forward(figure, figure.rest());
  const auto placed = [&](const SegmentCapsule& one, double side) {
    const Frame& X = rest.segments.at(static_cast<std::size_t>(one.segment));
    const Vec3 flip(side, 1.0, 1.0);
    return Capsule{(X * one.capsule.a).cwiseProduct(flip), (X * one.capsule.b).cwiseProduct(flip), one.capsule.radius};
  };
  for (const SegmentCapsule& one : capsules) {
    const Capsule here = placed(one, -1.0);
    const bool found = std::ranges::any_of(capsules, [&](const SegmentCapsule& other) {
      const Capsule there = placed(other, 1.0);
      const double straight = (here.a - there.a).norm() + (here.b - there.b).norm();
      const double turned = (here.a - there.b).norm() + (here.b - there.a).norm();
      return std::fmin(straight, turned) + std::fabs(here.radius - there.radius) < 1e-9;
    });
    EXPECT_TRUE(found) << figure.segments().at(static_cast<std::size_t>(one.segment)).name;
  }
}

TEST(FigureCapsules, StandOnTheFloor) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    const Obstacles floor({good(build_obstacle("floor", HalfSpaceShape{}))});
    const std::vector<SegmentCapsule> capsules = capsules_of(figure);
    const Kinematics rest = forward(figure, figure.rest());
    EXPECT_GT(penetrations(figure, rest, capsules, floor, {}, 0.1).min_clearance(), -1e-3)
        << "the sole is on the floor";
    EXPECT_LT(penetrations(figure, rest, capsules, floor, {}, 0.1).min_clearance(), 1e-3);
  }
}

TEST(FigureCapsules, AreFiniteAndWithinTheFigure) {
  for (const Figure& figure : figures_with_bodies()) {
    SCOPED_TRACE(figure.name());
    const std::vector<SegmentCapsule> capsules = capsules_of(figure);
    EXPECT_GE(capsules.size(), 5u);
    for (const SegmentCapsule& one : capsules) {
      EXPECT_GT(one.capsule.radius, 0.0);
      EXPECT_LT(one.capsule.radius, 0.2 * figure.length());
      EXPECT_LT((one.capsule.a - one.capsule.b).norm(), 1.01 * figure.length());
    }
    EXPECT_TRUE(std::ranges::is_sorted(capsules, {}, &SegmentCapsule::segment));
  }
  FigureDescription nothing;
  nothing.segments = {{"point", 0.0}};
  EXPECT_TRUE(capsules_of(testing::built(nothing)).empty());
}

TEST(CapsulePairs, AreClearAtRest) {
  for (const Figure& figure : figures_with_bodies())
    for (const double margin : {0.0, 0.02}) {
      SCOPED_TRACE(figure.name());
      const std::vector<SegmentCapsule> capsules = capsules_of(figure);
      const std::vector<CapsulePair> pairs = pairs_to_check(figure, capsules, margin);
      EXPECT_FALSE(pairs.empty());
      const Kinematics rest = forward(figure, figure.rest());
      const Penetrations found = penetrations(figure, rest, capsules, Obstacles(), pairs, margin - 1e-12);
      EXPECT_TRUE(found.empty()) << found.list.front().text;
      for (const CapsulePair& pair : pairs) EXPECT_LT(pair.first, pair.second);
    }
}

TEST(CapsulePairs, IncludeFreePairsAndExcludeJoinedOnes) {
  const auto pairs = named_pairs(human());
  for (const std::string side : {"left_", "right_"}) {
    const std::string other = side == "left_" ? "right_" : "left_";
    EXPECT_TRUE(pairs.contains({side + "hand", side + "thigh"}));
    EXPECT_TRUE(pairs.contains({side + "hand", "head"}));
    EXPECT_TRUE(pairs.contains({side + "forearm", "T11"}));
    EXPECT_TRUE(pairs.contains({side + "forearm", other + "forearm"}));
    EXPECT_TRUE(pairs.contains({side + "hand", side + "clavicle"}));
    EXPECT_TRUE(pairs.contains({side + "thigh", other + "thigh"}));
    EXPECT_TRUE(pairs.contains({side + "shank", other + "foot"}));
    EXPECT_TRUE(pairs.contains({side + "thigh", "T11"}));
    EXPECT_FALSE(pairs.contains({side + "upper_arm", side + "forearm"}));
    EXPECT_FALSE(pairs.contains({side + "upper_arm", side + "clavicle"}));
    EXPECT_FALSE(pairs.contains({side + "thigh", "pelvis"}));
    EXPECT_FALSE(pairs.contains({side + "thigh", "L5"}));
    EXPECT_FALSE(pairs.contains({side + "clavicle", "T5"}));
  }
  EXPECT_FALSE(pairs.contains({"left_clavicle", "right_clavicle"}));
  EXPECT_FALSE(pairs.contains({"head", "T1"}));
  EXPECT_FALSE(pairs.contains({"head", "T2"}));
  EXPECT_FALSE(pairs.contains({"head", "head"}));
}

}  // namespace figure_capsules_test
}  // namespace limber
