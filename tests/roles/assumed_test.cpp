// Limits and masses of people, carried over to characters.
#include "limber/roles/assumed.h"

#include <gtest/gtest.h>

#include "limber/format/file.h"
#include "limber/kinematics/forward.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace assumed_test {

Figure read_data(const std::string& name) {
  const std::string path = source_dir() + "/data/" + name;
  return *testing::good(read_content(read_sample(path), path, {}, {}, nullptr)).figure;
}

class LimitedCharacter : public ::testing::TestWithParam<const char*> {};

// The way of a part's end when its joint turns by an angle about each of its axes in turn, as far as it may.
Vec3 way_of(const Figure& figure, int joint, int end, double share, bool to_upper) {
  Pose pose = figure.rest();
  const Joint& from = figure.joints()[static_cast<std::size_t>(joint)];
  const auto x = [&](const Pose& at) { return forward(figure, at).segments[static_cast<std::size_t>(end)].p; };
  const Vec3 rest = x(pose);
  Vec3 widest = Vec3::Zero();
  for (int i = from.freedom_begin; i < from.freedom_end; ++i) {
    const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
    if (freedom.motion != Motion::rotate || !std::isfinite(freedom.lower) || !std::isfinite(freedom.upper)) continue;
    Pose turned = pose;
    const int j = figure.terms()[static_cast<std::size_t>(freedom.term_begin)].parameter;
    turned.theta[j] += share * ((to_upper ? freedom.upper : freedom.lower) - turned.theta[j]);
    if ((x(turned) - rest).norm() > widest.norm()) widest = x(turned) - rest;
  }
  return widest;
}

TEST_P(LimitedCharacter, BendsKneesBackAndElbowsForwardOnly) {
  const Figure figure = read_data(GetParam());
  const Roles roles = roles_of(figure);
  const AssumedLimits limited = with_assumed_limits(figure, roles);
  EXPECT_GT(limited.parameters.size(), 40U);
  for (const Side side : {Side::left, Side::right})
    for (const auto& [middle, end, sign] :
         {std::tuple{Role::knee, Role::ankle, -1.0}, std::tuple{Role::elbow, Role::wrist, 1.0}}) {
      const RolePart *joint = roles.find(middle, side), *tip = roles.find(end, side);
      ASSERT_TRUE(joint && tip);
      const Kinematics rest = forward(figure, figure.rest());
      const double bone = (rest.segments[static_cast<std::size_t>(tip->first)].p -
                           rest.segments[static_cast<std::size_t>(joint->first)].p)
                              .norm();
      double furthest = 0.0;
      for (const bool to_upper : {true, false}) {
        const double ahead =
            way_of(limited.figure, joint->segment, tip->first, 0.5, to_upper).dot(roles.forward) / bone * sign;
        // By what a hinge gives way, and by how much it is bent at rest, at most.
        EXPECT_GT(ahead, -0.4) << GetParam() << " " << name_of(*joint);
        furthest = std::fmax(furthest, ahead);
      }
      EXPECT_GT(furthest, 0.5) << GetParam() << " " << name_of(*joint);
    }
  // The rest pose is within them.
  for (const Parameter& parameter : limited.figure.parameters()) {
    EXPECT_LE(parameter.range.lower, parameter.range.rest) << parameter.name;
    EXPECT_GE(parameter.range.upper, parameter.range.rest) << parameter.name;
  }
}

TEST_P(LimitedCharacter, WeighsWhatAPersonOfItsHeightWeighs) {
  const Figure figure = read_data(GetParam());
  const Roles roles = roles_of(figure);
  const Figure heavy = with_assumed_masses(figure, roles);
  const Kinematics rest = forward(heavy, heavy.rest());
  const double top = rest.segments[static_cast<std::size_t>(roles.find(Role::head)->first)].p.y();
  const double feet = rest.segments[static_cast<std::size_t>(roles.find(Role::ankle, Side::left)->first)].p.y();
  const double stature = (top - feet) / 0.87;
  EXPECT_NEAR(heavy.mass() / (73.0 * std::pow(stature / 1.741, 3.0)), 1.0, 0.35);
  Element centre;
  centre.kind = Element::Kind::mass_centre;
  const Vec3 c = evaluate(heavy, rest, centre);
  // Over the feet, and about at 0.55 of the height; characters with big heads are higher.
  EXPECT_GT(c.y() - feet, 0.4 * (top - feet));
  EXPECT_LT(c.y() - feet, 0.8 * (top - feet));
  EXPECT_LT(std::fabs((c - rest.segments[static_cast<std::size_t>(roles.find(Role::pelvis)->first)].p).dot(roles.left)),
            0.05 * stature);
}

INSTANTIATE_TEST_SUITE_P(Data, LimitedCharacter,
                         ::testing::Values("bvh/mh_walk1.bvh", "bvh/cmu_02_01.bvh", "bvh/pybvh_test2.bvh",
                                           "gltf/kaykit_Rogue.glb", "gltf/vrm1_humanoid_min.vrm"));

TEST(AssumedLimits, LeaveWhatTheFileStates) {
  const Figure skeleton = read_data("acclaim/02.asf"), arm = read_data("urdf/panda.urdf");
  for (const Figure& figure : {skeleton, arm}) {
    const AssumedLimits limited = with_assumed_limits(figure, roles_of(figure));
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range &before = figure.parameters()[j].range, &after = limited.figure.parameters()[j].range;
      if (std::isfinite(before.lower) || std::isfinite(before.upper)) {
        EXPECT_EQ(before.lower, after.lower);
        EXPECT_EQ(before.upper, after.upper);
      }
    }
  }
  EXPECT_EQ(with_assumed_masses(arm, roles_of(arm)).mass(), arm.mass());
}

}  // namespace assumed_test
}  // namespace limber
