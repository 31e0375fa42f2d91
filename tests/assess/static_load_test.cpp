// Static loads against the potential energy, closed forms and the equilibrium of every part.
#include <gtest/gtest.h>

#include "limber/assess/strength.h"
#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"

namespace limber {
namespace static_load_test {

constexpr double earth = standard_gravity;
// Rounding of a torque of some hundred newton metres after a few hundred additions.
constexpr double torque_rounding = 1e-9;

Pose random_pose_within(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const Range& range = figure.parameters()[j].range;
    const double lower = std::fmax(range.lower, -1.0), upper = std::fmin(range.upper, 1.0);
    pose.theta[static_cast<Eigen::Index>(j)] = random.between(lower, upper);
  }
  return pose;
}

// Two links in the xy plane with masses at their middles.
Figure two_links(double first, double second, double first_mass, double second_mass) {
  FigureDescription arm;
  arm.name = "arm";
  arm.segments = {{"upper", first_mass, Vec3(0.5 * first, 0, 0)}, {"lower", second_mass, Vec3(0.5 * second, 0, 0)}};
  arm.joints = {{"shoulder", "", "upper", {}, {}, {{"turn", Motion::rotate, Vec3::UnitZ()}}},
                {"elbow", "upper", "lower", at(Vec3(first, 0, 0)), {}, {{"turn", Motion::rotate, Vec3::UnitZ()}}}};
  arm.sites = {{"tip", "lower", at(Vec3(second, 0, 0))}};
  const Expected<Figure> figure = build_figure(arm);
  EXPECT_TRUE(figure);
  return *figure;
}

int freedom_of(const Figure& figure, const std::string& name) {
  for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
    if (figure.freedoms()[i].name == name) return static_cast<int>(i);
  ADD_FAILURE() << name;
  return 0;
}

// The moment about p of all weights and reactions on the segments that `counts` selects.
template <class Counts>
Vec3 moment_about(const Figure& figure, const Kinematics& state, const StaticLoadOptions& options,
                  const StaticLoad& load, const Vec3& p, Counts&& counts) {
  Vec3 sum = Vec3::Zero();
  const auto add = [&](int s, const Vec3& x, double up) {
    if (counts(s)) sum += (x - p).cross(Vec3(0.0, up, 0.0));
  };
  for (std::size_t s = 0; s < figure.segments().size(); ++s)
    add(static_cast<int>(s), state.segments[s] * figure.segments()[s].mass_centre, -earth * figure.segments()[s].mass);
  for (const Load& carried : options.loads) {
    const Element& e = carried.handle.plus[0];
    add(e.segment, state.segments[static_cast<std::size_t>(e.segment)] * e.local, -earth * carried.mass);
  }
  for (const Reaction& reaction : load.reactions) add(reaction.segment, reaction.at, reaction.force);
  return sum;
}

TEST(StaticLoad, IsTheGradientOfThePotentialEnergy) {
  // Without groups every freedom is a parameter and can be varied on its own.
  const Expected<Figure> body = simple_human({.clavicles = true});
  ASSERT_TRUE(body);
  const std::uint64_t seed = 811;
  Random random(seed);
  StaticLoadOptions options;
  options.loads = {{*body->point("right_palm"), 7.5}, {*body->point("head_top"), 1.25}};
  constexpr double step = 1e-5;
  for (int k = 0; k < 20; ++k) {
    const Pose pose = random_pose_within(*body, random);
    const Expected<StaticLoad> load = static_load(*body, pose, options);
    ASSERT_TRUE(load);
    for (std::size_t j = 0; j < body->parameters().size(); ++j) {
      Pose pose_up = pose, pose_down = pose;
      pose_up.theta[static_cast<Eigen::Index>(j)] += step;
      pose_down.theta[static_cast<Eigen::Index>(j)] -= step;
      const double slope =
          (potential_energy(*body, pose_up, options) - potential_energy(*body, pose_down, options)) / (2.0 * step);
      const int i = body->parameters()[j].drives.at(0);
      EXPECT_NEAR(load->gravity[i], -slope, 1e-5) << body->freedoms()[static_cast<std::size_t>(i)].name << " " << seed;
      EXPECT_EQ(load->holding[i], -load->gravity[i]);
    }
  }
}

TEST(StaticLoad, OfAPlanarArmIsTheClosedForm) {
  const double l1 = 0.3, l2 = 0.25, m1 = 2.0, m2 = 1.5, kg = 4.0;
  const Figure arm = two_links(l1, l2, m1, m2);
  Random random(812);
  StaticLoadOptions options;
  options.loads = {{*arm.point("tip"), kg}};
  for (int k = 0; k < 50; ++k) {
    Pose pose = arm.rest();
    pose.theta << random.between(-3, 3), random.between(-3, 3);
    const double c1 = std::cos(pose.theta[0]), c12 = std::cos(pose.theta[0] + pose.theta[1]);
    const Expected<StaticLoad> load = static_load(arm, pose, options);
    ASSERT_TRUE(load);
    const double elbow = earth * (0.5 * m2 + kg) * l2 * c12;
    EXPECT_NEAR(load->holding[1], elbow, torque_rounding);
    EXPECT_NEAR(load->holding[0], elbow + earth * (0.5 * m1 + m2 + kg) * l1 * c1, torque_rounding);
    EXPECT_TRUE(load->reactions.empty());
  }
}

TEST(StaticLoad, OfATranslationIsAForce) {
  FigureDescription lift;
  lift.name = "lift";
  lift.segments = {{"platform", 3.0}};
  lift.joints = {{"mast", "", "platform", {}, {}, {{"up", Motion::translate, Vec3(0, 0.6, 0.8)}}}};
  const Expected<Figure> figure = build_figure(lift);
  ASSERT_TRUE(figure);
  const Expected<StaticLoad> load = static_load(*figure, figure->rest(), {});
  ASSERT_TRUE(load);
  EXPECT_NEAR(load->holding[0], 3.0 * earth * 0.6, torque_rounding);
}

TEST(StaticLoad, FeetCarryTheWeightAndTheRootCarriesNone) {
  const Figure body = human();
  Random random(813);
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  ASSERT_EQ(options.feet.size(), 2u);
  for (int k = 0; k < 40; ++k) {
    const Pose pose = random_pose_within(body, random);
    options.loads = {{*body.point("left_palm"), random.between(0, 20)},
                     {*body.point("sternum"), random.between(0, 20)}};
    const Expected<StaticLoad> load = static_load(body, pose, options);
    ASSERT_TRUE(load);
    double sum = 0.0;
    for (const Reaction& reaction : load->reactions) sum += reaction.force;
    EXPECT_NEAR(sum, earth * load->mass, torque_rounding);
    EXPECT_NEAR(load->mass, body.mass() + options.loads[0].mass + options.loads[1].mass, 1e-9);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(load->holding[i], 0.0, torque_rounding) << i;
  }
}

// Newton-Euler: the moments from below and from above a joint are opposite, and the holding torque is minus the moment
// from below about the freedom's axis.
TEST(StaticLoad, FromBelowAndFromAboveBalanceAtEveryJoint) {
  const Figure body = human();
  const std::uint64_t seed = 814;
  Random random(seed);
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  for (int k = 0; k < 20; ++k) {
    const Pose pose = random_pose_within(body, random);
    options.loads = {{*body.point("right_palm"), random.between(0, 20)}};
    const Expected<StaticLoad> load = static_load(body, pose, options);
    ASSERT_TRUE(load);
    const Kinematics state = forward(body, pose);
    for (std::size_t i = 0; i < body.freedoms().size(); ++i) {
      if (body.freedoms()[i].motion != Motion::rotate) continue;
      const int s = body.freedoms()[i].joint, end = body.segments()[static_cast<std::size_t>(s)].subtree_end;
      const auto below = [&](int segment) { return s <= segment && segment < end; };
      const auto above = [&](int segment) { return !below(segment); };
      const Vec3 from_below = moment_about(body, state, options, *load, state.points[i], below);
      const Vec3 from_above = moment_about(body, state, options, *load, state.points[i], above);
      EXPECT_LE((from_below + from_above).norm(), torque_rounding) << body.freedoms()[i].name << " " << seed;
      EXPECT_NEAR(load->holding[static_cast<Eigen::Index>(i)], -state.axes[i].dot(from_below), torque_rounding);
      EXPECT_NEAR(load->holding[static_cast<Eigen::Index>(i)], state.axes[i].dot(from_above), torque_rounding);
    }
  }
}

TEST(StaticLoad, OfTheMirrorImageIsMirrored) {
  const Expected<Figure> body = simple_human({.clavicles = true});
  ASSERT_TRUE(body);
  Random random(815);
  for (const bool on_feet : {true, false})
    for (int k = 0; k < 10; ++k) {
      const Pose pose = random_pose_within(*body, random);
      StaticLoadOptions options, mirrored;
      if (on_feet) options.feet = mirrored.feet = usual_feet(*body);
      options.loads = {{*body->point("right_palm"), 5.0}};
      mirrored.loads = {{*body->point("left_palm"), 5.0}};
      const Expected<StaticLoad> a = static_load(*body, pose, options);
      const Expected<StaticLoad> b = static_load(*body, body->mirrored(pose), mirrored);
      ASSERT_TRUE(a && b);
      for (std::size_t j = 0; j < body->parameters().size(); ++j) {
        const MirrorImage& image = body->mirror()[j];
        const int from = body->parameters()[j].drives.at(0);
        const int to = body->parameters()[static_cast<std::size_t>(image.parameter)].drives.at(0);
        EXPECT_NEAR(b->holding[to], image.sign * a->holding[from], torque_rounding) << body->parameters()[j].name;
      }
      EXPECT_NEAR(a->outside, b->outside, 1e-12);
    }
}

TEST(StaticLoad, IsSharedByTheFeetByTheLeverRule) {
  const Figure body = human();
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  const Expected<StaticLoad> still = static_load(body, body.rest(), options);
  ASSERT_TRUE(still);
  ASSERT_EQ(still->reactions.size(), 2u);
  EXPECT_NEAR(still->reactions[0].force, still->reactions[1].force, torque_rounding);
  EXPECT_EQ(still->outside, 0.0);
  // A load over the centre of one foot is carried by that foot.
  Vec3 x = still->reactions[0].at;
  Handle over_left = *body.point("pelvis");
  const Kinematics state = forward(body, body.rest());
  x.y() = 1.0;
  over_left.plus[0].local = state.segments[static_cast<std::size_t>(over_left.plus[0].segment)].inverse() * x;
  options.loads = {{over_left, 10.0}};
  const Expected<StaticLoad> loaded = static_load(body, body.rest(), options);
  ASSERT_TRUE(loaded);
  EXPECT_NEAR(loaded->reactions[0].force - still->reactions[0].force, 10.0 * earth, torque_rounding);
  EXPECT_NEAR(loaded->reactions[1].force, still->reactions[1].force, torque_rounding);
}

TEST(StaticLoad, IsCarriedByOneFootIfTheOtherIsRaised) {
  const Figure body = human();
  Pose pose = body.rest();
  ASSERT_TRUE(body.set(pose, "right_knee.flexion", 1.4));
  ASSERT_TRUE(body.set(pose, "right_hip.flexion", 1.0));
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  const Expected<StaticLoad> load = static_load(body, pose, options);
  ASSERT_TRUE(load);
  ASSERT_EQ(load->reactions.size(), 1u);
  EXPECT_EQ(load->reactions[0].foot, "left_foot");
  EXPECT_GT(load->outside, 0.02);  // the centre of mass is still between the feet
  // The raised shank must be held up at the bent knee.
  EXPECT_GT(load->holding[freedom_of(body, "right_knee.flexion")], 0.0);
}

TEST(StaticLoad, ReportsTheDistanceFromTheSupport) {
  const Figure body = human();
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  Pose pose = body.rest();
  ASSERT_TRUE(body.set(pose, "root.pitch", 0.5));
  const Expected<StaticLoad> load = static_load(body, pose, options);
  ASSERT_TRUE(load);
  const double toe = (forward(body, pose).segments[static_cast<std::size_t>(*body.find_segment("left_toes"))].p).z();
  EXPECT_GT(load->outside, 0.1);
  EXPECT_LT(load->outside, load->centre.z() - toe + 1e-9);
}

TEST(StaticLoad, OfABodyAtRestIsSmallAndGrowsAsItBends) {
  const Figure body = human();
  StaticLoadOptions options;
  options.feet = usual_feet(body);
  const int back = freedom_of(body, "L5.forward"), hip = freedom_of(body, "left_hip.flexion");
  const Expected<StaticLoad> upright = static_load(body, body.rest(), options);
  Pose bent = body.rest();
  ASSERT_TRUE(body.set(bent, "spine.forward", radians(60.0)));
  const Expected<StaticLoad> stooped = static_load(body, bent, options);
  ASSERT_TRUE(upright && stooped);
  EXPECT_LT(std::fabs(upright->holding[back]), 15.0);
  EXPECT_LT(stooped->holding[back], -40.0);  // the back muscles straighten
  EXPECT_LT(stooped->holding[hip], -15.0);   // and so do those of the hip
}

TEST(StaticLoad, RejectsInvalidLoadsAndFeet) {
  const Figure body = human();
  const Pose pose = body.rest();
  const auto rejected = [&](const StaticLoadOptions& options) {
    const Expected<StaticLoad> load = static_load(body, pose, options);
    return load ? std::string() : load.error().text();
  };
  StaticLoadOptions options;
  options.loads = {{*body.point("right_palm"), -1.0}};
  EXPECT_EQ(rejected(options), "load at 'right_palm': found -1 kg; expected a mass of 0 or more");
  options.loads = {{*body.point("right_palm"), infinity}};
  EXPECT_NE(rejected(options), "");
  options.loads = {{*body.direction("eyes"), 1.0}};
  EXPECT_NE(rejected(options), "");
  options.loads = {{*body.mass_centre(), 1.0}};
  EXPECT_NE(rejected(options), "");
  options.loads = {};
  options.feet = {"left_foot", "right_foot", "head"};
  EXPECT_NE(rejected(options), "");
  options.feet = {"left_hoof"};
  EXPECT_NE(rejected(options).find("left_hoof"), std::string::npos);
}

TEST(StaticLoad, OfAMasslessFigureIsZero) {
  const Figure arm = two_links(1.0, 1.0, 0.0, 0.0);
  StaticLoadOptions options;
  options.feet = {"lower"};
  const Expected<StaticLoad> load = static_load(arm, arm.rest(), options);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->holding.norm(), 0.0);
  EXPECT_TRUE(load->reactions.empty());
  EXPECT_TRUE(usual_feet(arm).empty());
  const Expected<Figure> bolted = human({.root = Root::fixed});
  ASSERT_TRUE(bolted);
  EXPECT_TRUE(usual_feet(*bolted).empty());
}

}  // namespace static_load_test
}  // namespace limber
