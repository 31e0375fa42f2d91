// A built figure: numbering, names, and q = T(θ).
#include "limber/figure/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace figure_test {

using testing::built;
using testing::expect_derivative;
using testing::good;
using testing::planar_arm;
using testing::random_pose;
using testing::random_tree;
using testing::random_values;
using testing::torso_with_arms;

TEST(FigureNumbering, IsDepthFirstForAnyOrderOfTheDescription) {
  Random random(40);
  for (int trial = 0; trial < 50; ++trial) {
    FigureDescription d = random_tree(random, {.segments = random.integer(2, 20)});
    for (std::size_t k = d.segments.size() - 1; k > 0; --k)
      std::swap(d.segments[k], d.segments[static_cast<std::size_t>(random.integer(0, static_cast<int>(k)))]);
    for (std::size_t k = d.joints.size() - 1; k > 0; --k)
      std::swap(d.joints[k], d.joints[static_cast<std::size_t>(random.integer(0, static_cast<int>(k)))]);
    const Figure figure = built(d);
    const int count = static_cast<int>(figure.segments().size());
    ASSERT_EQ(figure.segments().size(), d.segments.size());
    int freedom = 0;
    for (int s = 0; s < count; ++s) {
      const Segment& segment = figure.segments()[s];
      // The subtree of s has exactly the segments with s among their ancestors.
      for (int t = 0; t < count; ++t) {
        int up = t;
        while (up != no_parent && up != s) up = figure.segments()[up].parent;
        EXPECT_EQ(up == s, s <= t && t < segment.subtree_end);
      }
      EXPECT_LT(segment.parent, s);
      EXPECT_EQ(figure.joints()[s].freedom_begin, freedom);
      for (; freedom < figure.joints()[s].freedom_end; ++freedom) EXPECT_EQ(figure.freedoms()[freedom].joint, s);
      const auto joint =
          std::find_if(d.joints.begin(), d.joints.end(), [&](const auto& j) { return j.child == segment.name; });
      ASSERT_NE(joint, d.joints.end());
      EXPECT_EQ(joint->name, figure.joints()[s].name);
      EXPECT_EQ(joint->parent, segment.parent == no_parent ? "" : figure.segments()[segment.parent].name);
      EXPECT_EQ(good(figure.find_segment(segment.name)), s);
      EXPECT_EQ(good(figure.find_joint(joint->name)), s);
      EXPECT_EQ(good(figure.find_joint(segment.name)), s);
    }
    EXPECT_EQ(freedom, static_cast<int>(figure.freedoms().size()));
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Parameter& parameter = figure.parameters()[j];
      EXPECT_EQ(good(figure.find_parameter(parameter.name)), static_cast<int>(j));
      // `drives` agrees with the terms.
      std::vector<int> drives;
      for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
        for (int t = figure.freedoms()[i].term_begin; t < figure.freedoms()[i].term_end; ++t)
          if (figure.terms()[t].parameter == static_cast<int>(j)) drives.push_back(static_cast<int>(i));
      EXPECT_EQ(parameter.drives, drives);
      EXPECT_EQ(parameter.group == no_group, parameter.name.find("group.") == std::string::npos);
    }
  }
}

TEST(FigureNumbering, KeepsTheOrderOfJointsAmongSiblings) {
  const Figure figure = built(torso_with_arms());
  std::vector<std::string> names;
  for (const Segment& segment : figure.segments()) names.push_back(segment.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pelvis", "torso", "head", "right upper arm", "right lower arm",
                                             "left upper arm", "left lower arm"}));
  EXPECT_EQ(figure.segments()[3].subtree_end, 5);
  EXPECT_EQ(figure.joints()[0].name, "pelvis");  // the joint of a root without one has the segment's name
  EXPECT_NEAR(figure.mass(), 41.0, 1e-14);
  // pelvis - waist 0.1 - shoulder |(0.2, 0.45)| - elbow 0.3 - hand 0.3.
  EXPECT_NEAR(figure.length(), 0.1 + std::hypot(0.2, 0.45) + 0.6, 1e-15);
}

TEST(FigureLength, CountsTheBonesOnBothSidesOfAJoint) {
  FigureDescription d = planar_arm();
  d.joints[1].in_child = at({0, 0, -0.25});
  d.joints[0].in_parent = at({0, 0, 4});
  EXPECT_NEAR(built(d).length(), 4.0 + 1.0 + 0.25 + 1.0, 1e-15);
  d.sites.push_back({"flag", "base", at({0, 9, 0})});
  EXPECT_NEAR(built(d).length(), 9.0, 1e-15);
}

TEST(FigureParameters, CarryTheirRangeTheirNamesAndTheirUnit) {
  FigureDescription d = planar_arm();
  d.joints[1].freedoms[0].range = {0.0, 2.5, 0.25, 0.5, 3.0};
  d.joints.push_back(free_root("root", "base"));
  const Figure figure = built(d);
  const Parameter& elbow = figure.parameters()[static_cast<std::size_t>(good(figure.find_parameter("elbow")))];
  EXPECT_EQ(elbow.name, "elbow.turn");
  EXPECT_EQ(elbow.lower_name, "elbow.turn lower limit");
  EXPECT_EQ(elbow.upper_name, "elbow.turn upper limit");
  EXPECT_EQ(elbow.range.upper, 2.5);
  EXPECT_EQ(elbow.range.rigidity, 0.5);
  EXPECT_EQ(elbow.range.stiffness, 3.0);
  EXPECT_FALSE(elbow.translates);
  for (const char* name : {"root.x", "root.y", "root.z"})
    EXPECT_TRUE(figure.parameters()[static_cast<std::size_t>(good(figure.find_parameter(name)))].translates);
  for (const char* name : {"root.turn", "root.pitch", "root.roll"})
    EXPECT_FALSE(figure.parameters()[static_cast<std::size_t>(good(figure.find_parameter(name)))].translates);
  EXPECT_EQ(good(figure.value(figure.rest(), "elbow")), 0.25);
}

TEST(FigureNames, UnknownNamesGetSuggestions) {
  const Figure figure = built(torso_with_arms());
  const auto segment = figure.find_segment("rigth upper arm");
  ASSERT_FALSE(segment);
  EXPECT_EQ(segment.error().where, "figure 'torso'");
  EXPECT_EQ(segment.error().found, "the name 'rigth upper arm'");
  EXPECT_EQ(segment.error().expected.find("a segment, such as 'right upper arm', '"), 0u);
  EXPECT_NE(figure.find_parameter("wast.flex").error().expected.find("a parameter, such as 'waist.flex'"),
            std::string::npos);
  EXPECT_NE(figure.find_joint("neckk").error().expected.find("a joint, segment or group, such as 'neck'"),
            std::string::npos);
  EXPECT_NE(figure.point("left hnd").error().expected.find("a site, segment or joint, such as 'left hand'"),
            std::string::npos);
  EXPECT_FALSE(figure.find_parameter("waist"));  // ambiguous: two freedoms
  EXPECT_FALSE(figure.direction("left hnd"));
  EXPECT_FALSE(figure.ray("left hnd"));
  EXPECT_FALSE(figure.frame("left hnd"));
}

// Edit distance from 'hand': 2 to 'handle', 3 to 'bone'.
TEST(FigureNames, AreComparedByEditDistance) {
  FigureDescription d;
  d.name = "tool";
  d.segments = {{"bone"}, {"handle"}};
  d.joints = {{"joint", "bone", "handle"}};
  EXPECT_EQ(built(d).find_segment("hand").error().expected, "a segment, such as 'handle', 'bone'");
}

TEST(FigureNames, AGroupStandsForItsJointNearestTheRoot) {
  FigureDescription d = torso_with_arms();
  d.groups = {{"bow", {{"p", {-0.5, 0.5}}}, {{"neck", "nod", {{"p"}}}, {"waist", "flex", {{"p"}}}}}};
  const Figure figure = built(d);
  EXPECT_EQ(good(figure.find_joint("bow")), good(figure.find_joint("waist")));
  EXPECT_FALSE(figure.find_parameter("neck"));  // its freedom is driven by the group
  ASSERT_EQ(figure.groups().size(), 1u);
  EXPECT_EQ(figure.groups()[0].parameters, std::vector<int>{good(figure.find_parameter("bow.p"))});
}

TEST(FigurePose, IsReadAndWrittenByName) {
  const Figure figure = built(planar_arm());
  Pose pose = figure.rest();
  EXPECT_TRUE(figure.set(pose, "elbow.turn", 1.5));
  EXPECT_EQ(pose.theta, (Eigen::Vector2d(0.0, 1.5)));
  EXPECT_EQ(good(figure.value(pose, "elbow")), 1.5);
  EXPECT_FALSE(figure.value(pose, "knee"));
  EXPECT_FALSE(figure.set(pose, "knee", 1.0));
  const auto rejected = figure.set(pose, "elbow", infinity);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().text(), "parameter 'elbow': found inf; expected a finite number");
  EXPECT_EQ(pose.theta[1], 1.5);
}

TEST(GroupMap, AddsLinearAndSmoothShares) {
  FigureDescription d = planar_arm();
  d.joints[0].freedoms[0].range = d.joints[1].freedoms[0].range = {};
  const Curve smooth = Curve::smooth({{-1, 0}, {0, 0.5}, {1, 0.6}});
  d.groups = {{"g",
               {{"a"}, {"b"}},
               {{"shoulder", "turn", {{"a", Curve::linear(0.25)}}},
                {"elbow", "turn", {{"b", smooth}, {"a", Curve::linear(-2.0)}}}}}};
  const Figure figure = built(d);
  VecX q;
  figure.angles(Eigen::Vector2d(0.8, 0.3), q);
  EXPECT_DOUBLE_EQ(q[0], 0.2);
  EXPECT_DOUBLE_EQ(q[1], smooth(0.3).value - 1.6);
}

TEST(GroupMap, PullBackIsTheTransposedDerivative) {
  Random random(41);
  for (int trial = 0; trial < 50; ++trial) {
    const Figure figure = built(random_tree(random));
    const VecX theta = random_pose(figure, random).theta;
    const auto T = [&](const VecX& x) {
      VecX q;
      figure.angles(x, q);
      return q;
    };
    MatX J(static_cast<Eigen::Index>(figure.freedoms().size()), theta.size());
    VecX row;
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      figure.pull_back(theta, VecX::Unit(J.rows(), i), row);
      J.row(i) = row.transpose();
    }
    expect_derivative(T, theta, J, random);
    const VecX c = random_values(random, J.rows());
    figure.pull_back(theta, c, row);
    EXPECT_LE((row - J.transpose() * c).norm(), 1e-14 * J.norm());
  }
}

TEST(GroupMap, KeepsFreedomLimitsExactly) {
  FigureDescription d = planar_arm();
  d.joints[1].freedoms[0].range = {0.0, 0.3};
  // 3 · 0.1 rounds to more than 0.3.
  d.groups = {{"g", {{"p", {0.0, 0.1}}}, {{"elbow", "turn", {{"p", Curve::linear(3.0)}}}}}};
  const Figure figure = built(d);
  VecX q;
  figure.angles(Eigen::Vector2d(0.0, 0.1), q);
  EXPECT_EQ(q[1], 0.3);
}

TEST(PolygonLimits, HoldExactlyInside) {
  const std::vector<Eigen::Vector2d> corners = {{-1, -1}, {1, -0.5}, {0.8, 1}, {-0.5, 0.7}};
  FigureDescription d = planar_arm();
  d.limits = polygon_limits("reach", "shoulder.turn", "elbow.turn", corners);
  const Figure figure = built(d);
  ASSERT_EQ(figure.limit_rows().size(), 4u);
  EXPECT_EQ(figure.limit_rows()[2].name, "reach 2");
  EXPECT_EQ(figure.limit_rows()[0].relation, Relation::at_most);
  Random random(42);
  int inside_count = 0;
  for (int k = 0; k < 1000; ++k) {
    const Eigen::Vector2d x(random.between(-1.5, 1.5), random.between(-1.5, 1.5));
    // Left of every edge by the sign of a triangle's area.
    bool inside = true, kept = true;
    for (std::size_t c = 0; c < 4; ++c) {
      const Eigen::Vector2d a = corners[c], b = corners[(c + 1) % 4];
      inside = inside && (b.x() - a.x()) * (x.y() - a.y()) - (b.y() - a.y()) * (x.x() - a.x()) >= 0.0;
      const LimitRow& row = figure.limit_rows()[c];
      EXPECT_EQ(row.parameters, (std::vector<int>{0, 1}));
      kept = kept && row.coefficients[0] * x[0] + row.coefficients[1] * x[1] <= row.bound;
    }
    EXPECT_EQ(inside, kept);
    inside_count += inside ? 1 : 0;
  }
  EXPECT_GT(inside_count, 100);
  EXPECT_LT(inside_count, 900);
}

}  // namespace figure_test
}  // namespace limber
