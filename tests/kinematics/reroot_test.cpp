#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "tests/support/figures.h"

namespace limber {
namespace reroot_test {

using testing::built;
using testing::good;
using testing::planar_arm;
using testing::random_pose;
using testing::random_tree;
using testing::torso_with_arms;

// Ten or so products of frames with a few metres.
constexpr double rounding = 1e-13;

Frame place(const Figure& figure, const Kinematics& state, const std::string& segment) {
  return state.segments[static_cast<std::size_t>(good(figure.find_segment(segment)))];
}

double off(const Frame& a, const Frame& b) { return std::fmax((a.R - b.R).norm(), (a.p - b.p).norm()); }

FigureDescription tree_with_a_row(Random& random, bool free) {
  FigureDescription d = random_tree(random, {random.integer(2, 9), free, random.chance(0.5)});
  const Figure figure = built(d);
  for (const Parameter& parameter : figure.parameters())
    if (parameter.name.find("root.") != 0)
      d.limits.push_back({"row of " + parameter.name, {{parameter.name, 2.0}}, Relation::at_most, 3.0});
  return d;
}

TEST(Reroot, KeepsThePoseAndTheRelativePlacementForEverySegmentAsRoot) {
  Random random(80);
  for (int trial = 0; trial < 30; ++trial) {
    const bool free = random.chance(0.5);
    const Figure figure = built(tree_with_a_row(random, free));
    const Pose pose = random_pose(figure, random), other = random_pose(figure, random);
    const Kinematics state = forward(figure, pose), state_other = forward(figure, other);
    for (const Segment& root : figure.segments()) {
      const Figure hung = built(good(rerooted(figure, root.name, pose)));
      EXPECT_EQ(hung.segments().size(), figure.segments().size());
      EXPECT_EQ(hung.segments()[0].name, root.name);
      EXPECT_EQ(hung.joints()[0].name, root.name + "_root");
      EXPECT_EQ(hung.joints()[0].freedom_end, free ? 6 : 0);
      EXPECT_EQ(hung.limit_rows().size(), figure.limit_rows().size());
      EXPECT_EQ(hung.groups().size(), figure.groups().size());
      EXPECT_EQ(hung.parameters().size(), figure.parameters().size());

      const Pose carried = carried_over(figure, pose, hung);
      const Kinematics hung_state = forward(hung, carried);
      for (const Segment& segment : figure.segments())
        EXPECT_LE(off(place(hung, hung_state, segment.name), place(figure, state, segment.name)), rounding);
      for (const Parameter& parameter : figure.parameters()) {
        if (parameter.name.find("root.") == 0) continue;
        EXPECT_EQ(good(hung.value(carried, parameter.name)), good(figure.value(pose, parameter.name)));
      }

      // With other joint values the whole is moved rigidly.
      const Kinematics hung_other = forward(hung, carried_over(figure, other, hung));
      const Frame motion = place(hung, hung_other, root.name) * place(figure, state_other, root.name).inverse();
      for (const Segment& segment : figure.segments())
        EXPECT_LE(off(place(hung, hung_other, segment.name), motion * place(figure, state_other, segment.name)),
                  rounding);
      // The new root itself stays.
      EXPECT_LE(off(place(hung, hung_other, root.name), place(figure, state, root.name)), rounding);
    }
  }
}

TEST(Reroot, TwiceAtTheSameSegmentStillKeepsThePose) {
  Random random(81);
  const Figure figure = built(random_tree(random));
  const Figure once = built(good(rerooted(figure, "s5", random_pose(figure, random))));
  const Pose pose = random_pose(once, random);  // with the new root moved as well
  const Figure twice = built(good(rerooted(once, "s5", pose)));
  const Kinematics before = forward(once, pose), after = forward(twice, carried_over(once, pose, twice));
  for (const Segment& segment : once.segments())
    EXPECT_LE(off(place(once, before, segment.name), place(twice, after, segment.name)), rounding);
}

TEST(Reroot, AndBackIsTheSameFigure) {
  Random random(82);
  const Figure figure = built(random_tree(random, {.free_root = false}));
  const Pose pose = random_pose(figure, random);
  const Figure there = built(good(rerooted(figure, "s6", pose)));
  const Pose carried = carried_over(figure, pose, there);
  const Figure back = built(good(rerooted(there, "s0", carried)));
  const Pose other = random_pose(figure, random);
  const Kinematics a = forward(figure, other), b = forward(back, carried_over(figure, other, back));
  for (const Segment& segment : figure.segments())
    EXPECT_LE(off(place(figure, a, segment.name), place(back, b, segment.name)), rounding);
}

TEST(Reroot, TakesANameThatNoJointOrGroupHas) {
  FigureDescription d = planar_arm();
  d.joints[0].name = "lower_root";
  const Figure figure = built(d);
  EXPECT_TRUE(build_figure(good(rerooted(figure, "lower", figure.rest()))));
  d.joints[0].name = "shoulder";
  d.groups = {{"lower_root", {{"p", {0.0, 1.0}}}, {{"elbow", "turn", {{"p"}}}}}};
  const Figure grouped = built(d);
  EXPECT_TRUE(build_figure(good(rerooted(grouped, "lower", grouped.rest()))));
}

// Rooted at one hand, the two arms are no longer each other's image.
TEST(Reroot, OfASymmetricFigureCanBeBuilt) {
  FigureDescription d = torso_with_arms();
  d.mirror_pairs = {{"left upper arm", "right upper arm"}, {"left lower arm", "right lower arm"}};
  const Figure figure = built(d);
  Random random(83);
  for (const Segment& root : figure.segments()) {
    const auto hung = build_figure(good(rerooted(figure, root.name, random_pose(figure, random))));
    EXPECT_TRUE(hung) << root.name << ": " << hung.error().text();
  }
}

TEST(Reroot, LeavesOtherTreesOfAForestAlone) {
  FigureDescription d = planar_arm();
  d.segments.push_back({"stone"});
  d.joints.push_back(free_root("place", "stone"));
  const Figure figure = built(d);
  Random random(84);
  const Pose pose = random_pose(figure, random);
  const Figure hung = built(good(rerooted(figure, "lower", pose)));
  const Kinematics a = forward(figure, pose), b = forward(hung, carried_over(figure, pose, hung));
  for (const Segment& segment : figure.segments())
    EXPECT_LE(off(place(figure, a, segment.name), place(hung, b, segment.name)), rounding);
}

TEST(Reroot, RejectsUnknownSegmentsAndRootsThatAreTied) {
  FigureDescription d = planar_arm();
  d.joints.push_back(free_root("root", "base"));
  const Figure plain = built(d);
  EXPECT_EQ(rerooted(plain, "uper", plain.rest()).error().found, "the name 'uper'");
  d.limits = {{"stay low", {{"root.y", 1.0}}, Relation::at_most, 1.0}};
  const Figure limited = built(d);
  const auto rejected = rerooted(limited, "lower", limited.rest());
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().text(),
            "joint 'root': found a root in a group or a linear limit; expected a root that stands alone");
  d.limits.clear();
  d.groups = {{"slide", {{"p"}}, {{"root", "x", {{"p"}}}}}};
  const Figure grouped = built(d);
  EXPECT_FALSE(rerooted(grouped, "lower", grouped.rest()));
}

}  // namespace reroot_test
}  // namespace limber
