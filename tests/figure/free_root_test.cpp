// with_free_root() and root_parameters().
#include <gtest/gtest.h>

#include "limber/figure/figure.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "tests/support/figures.h"

namespace limber {
namespace free_root_test {

using testing::built;
using testing::good;

constexpr std::uint64_t seed = 77;

std::vector<std::string> names_of(const Figure& figure, const std::vector<int>& parameters) {
  std::vector<std::string> names;
  for (const int j : parameters) names.push_back(figure.parameters().at(static_cast<std::size_t>(j)).name);
  return names;
}

const std::vector<std::string> six_of_root = {"root.x", "root.y", "root.z", "root.turn", "root.pitch", "root.roll"};

// At rest the figure stays where it was fixed; the root moves it as a rigid whole.
TEST(FreeRoot, MovesTheFigureAsAWhole) {
  Random random(seed);
  int freed = 0;
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", case " << k);
    FigureDescription description = testing::random_tree(random, {.free_root = false});
    // Fixed in the world: without a joint, or by a joint without DOF.
    const Frame in_world = k % 2 == 0 ? Frame{} : testing::random_frame(random);
    if (k % 2 == 1) description.joints.push_back({"bolt", "", "s0", in_world, testing::random_frame(random), {}});
    const Figure fixed = built(description), free = good(with_free_root(fixed));
    if (!root_parameters(fixed).empty()) {
      EXPECT_EQ(free.parameters().size(), fixed.parameters().size()) << "on a rail";
      continue;
    }
    ++freed;
    ASSERT_EQ(free.parameters().size(), fixed.parameters().size() + 6);
    EXPECT_EQ(names_of(free, root_parameters(free)), six_of_root);

    // Every parameter keeps its name.
    Pose fixed_pose = testing::random_pose(fixed, random), free_pose = free.rest();
    for (const Parameter& parameter : fixed.parameters())
      ASSERT_TRUE(free.set(free_pose, parameter.name, good(fixed.value(fixed_pose, parameter.name))));
    const Kinematics a = forward(fixed, fixed_pose), b = forward(free, free_pose);
    for (std::size_t s = 0; s < fixed.segments().size(); ++s) {
      ASSERT_EQ(free.segments()[s].name, fixed.segments()[s].name);
      EXPECT_LT((b.segments[s].p - a.segments[s].p).norm(), 1e-12);
      EXPECT_LT((b.segments[s].R - a.segments[s].R).norm(), 1e-12);
    }
    // Rigid motion: distances stay, and the root translates in its own frame.
    const Vec3 translation = testing::random_vector(random, 3.0);
    const char* axes[] = {"root.x", "root.y", "root.z"};
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(free.set(free_pose, axes[i], translation[i]));
    const Kinematics shifted = forward(free, free_pose);
    for (std::size_t s = 0; s < fixed.segments().size(); ++s)
      EXPECT_LT((shifted.segments[s].p - a.segments[s].p - in_world.R * translation).norm(), 1e-12);
    for (const char* turn : {"root.turn", "root.pitch", "root.roll"})
      ASSERT_TRUE(free.set(free_pose, turn, random.between(-3.0, 3.0)));
    const Kinematics moved = forward(free, free_pose);
    const Mat3 R = moved.segments[0].R * a.segments[0].R.transpose();
    EXPECT_GT((R - Mat3::Identity()).norm(), 1e-3);
    for (std::size_t s = 1; s < fixed.segments().size(); ++s)
      EXPECT_LT((moved.segments[s].p - moved.segments[0].p - R * (a.segments[s].p - a.segments[0].p)).norm(), 1e-12);
    EXPECT_EQ(good(with_free_root(free)).parameters().size(), free.parameters().size()) << "once is enough";
  }
  EXPECT_GT(freed, 25);
}

TEST(FreeRoot, LeavesAFreeFigureUnchanged) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    EXPECT_EQ(good(with_free_root(figure)).parameters().size(), figure.parameters().size());
    EXPECT_EQ(names_of(figure, root_parameters(figure)), six_of_root);
  }
  const Figure fixed = good(human({.root = Root::fixed}));
  EXPECT_TRUE(root_parameters(fixed).empty());
  EXPECT_EQ(good(with_free_root(fixed)).parameters().size(), human().parameters().size());
}

// A floating body on a rigid base, common in files, already has a free root.
TEST(FreeRoot, IsFoundBelowARigidBase) {
  FigureDescription description = testing::planar_arm();
  description.segments.push_back({"world"});
  description.joints.push_back({"bolt", "", "world", at({0, 1, 0}), {}, {}});
  JointDescription root = free_root("float", "base");
  root.parent = "world";
  description.joints.push_back(root);
  const Figure figure = built(description);
  EXPECT_EQ(names_of(figure, root_parameters(figure)),
            (std::vector<std::string>{"float.x", "float.y", "float.z", "float.turn", "float.pitch", "float.roll"}));
  EXPECT_EQ(good(with_free_root(figure)).parameters().size(), figure.parameters().size());
}

TEST(FreeRoot, IsNoneForARotatingRootOrSeveralRoots) {
  const Figure arm = built(testing::planar_arm());
  EXPECT_TRUE(root_parameters(arm).empty()) << "a shoulder only rotates";
  EXPECT_TRUE(root_parameters(built(testing::torso_with_arms())).empty()) << "a waist only rotates";
  // Two sliders side by side.
  FigureDescription two;
  two.segments = {{"base"}, {"a"}, {"b"}};
  for (const char* name : {"a", "b"})
    two.joints.push_back({name, "base", name, {}, {}, {testing::shift("slide", Vec3::UnitX())}});
  EXPECT_TRUE(root_parameters(built(two)).empty());
  EXPECT_EQ(good(with_free_root(built(two))).parameters().size(), 8U);
  // In series: the first one.
  two.joints[1].parent = "a";
  EXPECT_EQ(names_of(built(two), root_parameters(built(two))), std::vector<std::string>{"a.slide"});
}

TEST(FreeRoot, TakesAnotherNameIfRootIsTaken) {
  FigureDescription description = testing::planar_arm();
  description.joints[0].name = "root";
  const Figure free = good(with_free_root(built(description)));
  ASSERT_EQ(free.parameters().size(), 8U);
  EXPECT_EQ(names_of(free, root_parameters(free)).front(), "free_root.x");
  EXPECT_TRUE(free.find_parameter("root.turn")) << "the existing joint keeps its name";
}

// A group parameter that drives the root counts as well.
TEST(FreeRoot, CountsParametersOfGroups) {
  FigureDescription description;
  description.segments = {{"cart"}, {"arm"}};
  description.joints = {
      {"drive", "", "cart", {}, {}, {testing::shift("x", Vec3::UnitX()), testing::shift("z", Vec3::UnitZ())}},
      {"arm", "cart", "arm", {}, {}, {testing::turn("turn", Vec3::UnitZ()), testing::turn("bend", Vec3::UnitX())}}};
  description.groups = {{"way",
                         {{"far"}, {"wave"}},
                         {{"drive", "x", {{"far", Curve::linear(1.0)}}},
                          {"drive", "z", {{"far", Curve::linear(0.5)}}},
                          {"arm", "bend", {{"wave", Curve::linear(1.0)}}}}}};
  const Figure figure = built(description);
  EXPECT_EQ(names_of(figure, root_parameters(figure)), std::vector<std::string>{"way.far"});
}

}  // namespace free_root_test
}  // namespace limber
