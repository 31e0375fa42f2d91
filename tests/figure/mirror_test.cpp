// Left and right swapped: on figures made by reflecting one side, the mirrored pose is the reflected pose.
#include <gtest/gtest.h>

#include "limber/kinematics/forward.h"
#include "tests/support/figures.h"

namespace limber {
namespace mirror_test {

using testing::built;
using testing::good;
using testing::random_curve;
using testing::random_frame;
using testing::random_pose;
using testing::shift;
using testing::turn;

struct Plane {
  Vec3 normal;
  Mat3 M() const { return Mat3::Identity() - 2.0 * normal * normal.transpose(); }
  Frame reflect(const Frame& X) const { return {M() * X.R * M(), M() * X.p}; }
  // A frame that is its own reflection.
  Frame symmetric(Random& random) const {
    const Vec3 p = random.direction();
    return {rotation(normal, random.between(-pi, pi)), p - normal.dot(p) * normal};
  }
  Vec3 axis(Random& random) const {
    if (random.chance(0.4)) return random.chance(0.5) ? normal : Vec3(-normal);
    const Vec3 u = random.direction();
    return (u - normal.dot(u) * normal).normalized();
  }
};

Curve mirrored(const Curve& curve, double sign_theta, double sign_value) {
  if (curve.is_linear()) return Curve::linear(sign_theta * sign_value * curve.slope());
  std::vector<Curve::Knot> knots;
  for (const Curve::Knot& knot : curve.knots()) knots.push_back({sign_theta * knot.theta, sign_value * knot.value});
  if (sign_theta < 0.0) std::reverse(knots.begin(), knots.end());
  return Curve::smooth(knots);
}

// A trunk of three segments, and four on each side attached to it or to each other.
FigureDescription symmetric_figure(Random& random, const Plane& plane) {
  FigureDescription d;
  d.name = "symmetric";
  d.mirror_normal = 3.0 * plane.normal;
  for (int k = 0; k < 3; ++k) {
    const std::string name = "trunk " + std::to_string(k);
    d.segments.push_back({name});
    d.sites.push_back({"at " + name, name, plane.symmetric(random)});
    if (k > 0)
      d.joints.push_back(
          {"spine " + std::to_string(k),
           "trunk " + std::to_string(k - 1),
           name,
           plane.symmetric(random),
           plane.symmetric(random),
           {turn("a", plane.axis(random)), turn("b", plane.axis(random)), shift("c", plane.axis(random))}});
  }
  GroupDescription left{"left group", {{"p"}, {"q"}}, {}}, right{"right group", {{"p"}, {"q"}}, {}};
  const double sign_p = random.chance(0.5) ? 1.0 : -1.0, sign_q = random.chance(0.5) ? 1.0 : -1.0;
  for (int k = 0; k < 4; ++k) {
    const int parent_index = random.integer(-3, k - 1);
    JointDescription a{"left j" + std::to_string(k), "", "left s" + std::to_string(k), random_frame(random),
                       random_frame(random),         {}};
    JointDescription b{"right j" + std::to_string(k), "", "right s" + std::to_string(k), plane.reflect(a.in_parent),
                       plane.reflect(a.in_child),     {}};
    a.parent = parent_index < 0 ? "trunk " + std::to_string(parent_index + 3) : "left s" + std::to_string(parent_index);
    b.parent = parent_index < 0 ? a.parent : "right s" + std::to_string(parent_index);
    for (int i = 0; i < random.integer(1, 3); ++i) {
      const Vec3 u = random.direction();
      const double sign = random.chance(0.5) ? 1.0 : -1.0;  // the image takes sign times the value
      const std::string name(1, static_cast<char>('a' + i));
      const bool turns = random.chance(0.7);
      a.freedoms.push_back(turns ? turn(name, u) : shift(name, u));
      b.freedoms.push_back(turns ? turn(name, -sign * (plane.M() * u)) : shift(name, sign * (plane.M() * u)));
      if (i == 0 && k < 2) {
        const Curve curve = k == 0 ? random_curve(random) : Curve::linear(0.7);
        left.drivers.push_back({a.name, name, {{"p", curve}, {"q", Curve::linear(0.3)}}});
        right.drivers.push_back(
            {b.name, name, {{"p", mirrored(curve, sign_p, sign)}, {"q", mirrored(Curve::linear(0.3), sign_q, sign)}}});
      }
    }
    d.joints.push_back(a);
    d.joints.push_back(b);
    for (const JointDescription* joint : {&a, &b}) d.segments.push_back({joint->child});
    const Frame site = random_frame(random);
    d.sites.push_back({"at " + a.child, a.child, site});
    d.sites.push_back({"at " + b.child, b.child, plane.reflect(site)});
    d.mirror_pairs.push_back({a.child, b.child});
  }
  d.groups = {left, right};
  // The right segments get random coordinates: symmetry is defined in the world, not in segment axes.
  for (const MirrorPair& pair : d.mirror_pairs) {
    const Frame Q = random_frame(random);
    for (JointDescription& joint : d.joints) {
      if (joint.child == pair.right) joint.in_child = Q * joint.in_child;
      if (joint.parent == pair.right) joint.in_parent = Q * joint.in_parent;
    }
    for (SiteDescription& site : d.sites)
      if (site.segment == pair.right) site.frame = Q * site.frame;
  }
  return d;
}

TEST(MirroredPose, ReflectsEverySite) {
  Random random(60);
  for (int trial = 0; trial < 100; ++trial) {
    const Plane plane{random.direction()};
    const Figure figure = built(symmetric_figure(random, plane));
    const Pose pose = random_pose(figure, random);
    const Kinematics before = forward(figure, pose), after = forward(figure, figure.mirrored(pose));
    for (const Site& site : figure.sites()) {
      std::string image = site.name;
      if (const auto place = image.find("left"); place != std::string::npos)
        image.replace(place, 4, "right");
      else if (const auto other = image.find("right"); other != std::string::npos)
        image.replace(other, 5, "left");
      const auto partner =
          std::find_if(figure.sites().begin(), figure.sites().end(), [&](const Site& s) { return s.name == image; });
      ASSERT_NE(partner, figure.sites().end());
      const Frame here = before.segments[site.segment] * site.frame,
                  there = after.segments[partner->segment] * partner->frame;
      EXPECT_LE((plane.reflect(here).p - there.p).norm(), 1e-13);  // a dozen products
      EXPECT_LE((plane.reflect(here).R - there.R).norm(), 1e-13);
    }
  }
}

TEST(MirroredPose, TwiceIsThePoseItself) {
  Random random(61);
  for (int trial = 0; trial < 100; ++trial) {
    const Figure figure = built(symmetric_figure(random, Plane{random.direction()}));
    const Pose pose = random_pose(figure, random);
    EXPECT_EQ(figure.mirrored(figure.mirrored(pose)).theta, pose.theta);
    EXPECT_NE(figure.mirrored(pose).theta, pose.theta);
  }
}

// Rotations about the plane's normal keep their sign; about an axis in the plane it flips. For translations it is the
// reverse.
TEST(MirrorSigns, OfTheTrunkFollowTheAxis) {
  FigureDescription d;
  d.segments = {{"base"}, {"left"}, {"right"}};
  d.joints = {free_root("root", "base"), {"l", "base", "left"}, {"r", "base", "right"}};
  d.mirror_pairs = {{"left", "right"}};  // the normal is x
  const Figure figure = built(d);
  const std::vector<double> expected = {-1, 1, 1, -1, 1, -1};  // x y z, about y x z
  for (int j = 0; j < 6; ++j) {
    EXPECT_EQ(figure.mirror()[j].parameter, j);
    EXPECT_EQ(figure.mirror()[j].sign, expected[j]) << figure.parameters()[j].name;
  }
}

TEST(MirrorSigns, OfATrunkGroupFollowItsCurves) {
  FigureDescription d;
  d.segments = {{"base"}, {"chest"}, {"left"}, {"right"}};
  d.joints = {{"spine", "base", "chest", {}, {}, {turn("bow", Vec3::UnitX()), turn("twist", Vec3::UnitY())}},
              {"l", "chest", "left"},
              {"r", "chest", "right"}};
  d.mirror_pairs = {{"left", "right"}};
  d.groups = {{"g",
               {{"forward", {-1, 1}}, {"around", {-1, 1}}},
               {{"spine", "bow", {{"forward", Curve::smooth({{-1, -0.2}, {0, 0}, {1, 0.7}})}}},
                {"spine", "twist", {{"around", Curve::linear(0.5)}}}}}};
  const Figure figure = built(d);
  EXPECT_EQ(figure.mirror()[static_cast<std::size_t>(good(figure.find_parameter("g.forward")))].sign, 1.0);
  EXPECT_EQ(figure.mirror()[static_cast<std::size_t>(good(figure.find_parameter("g.around")))].sign, -1.0);
  // A curve that is not odd has no mirror image.
  d.groups[0].drivers[1].terms[0].curve = Curve::smooth({{-1, -0.2}, {0, 0}, {1, 0.7}});
  const auto rejected = build_figure(d);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().where, "parameter 'g.around'");
}

TEST(MirrorSigns, OfAParameterWithoutEffectArePlus) {
  FigureDescription d;
  d.segments = {{"base"}, {"left"}, {"right"}};
  d.joints = {{"l", "base", "left", {}, {}, {turn("a", Vec3::UnitY())}},
              {"r", "base", "right", {}, {}, {turn("a", Vec3::UnitY())}}};
  d.mirror_pairs = {{"left", "right"}};
  d.groups = {{"g", {{"p"}}, {{"l", "a", {{"p", Curve::linear(0.0)}}}}},
              {"h", {{"p"}}, {{"r", "a", {{"p", Curve::linear(0.0)}}}}}};
  const Figure figure = built(d);
  for (const MirrorImage& image : figure.mirror()) EXPECT_EQ(image.sign, 1.0);
  // A group with a different number of parameters is not a mirror image.
  d.groups[0].parameters.push_back({"q"});
  d.groups[0].drivers[0].terms.push_back({"q", Curve::linear(0.0)});
  const auto rejected = build_figure(d);
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().text(),
            "parameter 'g.p': found a group without a mirrored group; expected the same groups on both sides");
}

TEST(MirrorPairs, MayBeSlightlyAsymmetric) {
  FigureDescription d;
  d.segments = {{"base"}, {"left"}, {"right"}};
  const auto with_axis_error = [&](double angle) {
    d.joints = {{"l", "base", "left", {}, {}, {turn("a", Vec3::UnitZ())}},
                {"r", "base", "right", {}, {}, {turn("a", rotation(Vec3::UnitX(), angle) * Vec3::UnitZ())}}};
    d.mirror_pairs = {{"left", "right"}};
    return build_figure(d);
  };
  EXPECT_TRUE(with_axis_error(radians(20)));
  EXPECT_FALSE(with_axis_error(radians(30)));
  d.mirror_pairs.clear();
  EXPECT_TRUE(built(d).mirror().empty());
}

}  // namespace mirror_test
}  // namespace limber
