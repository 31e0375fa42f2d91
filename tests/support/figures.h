// Small figures for tests, and random ones.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "limber/base/random.h"
#include "limber/figure/figure.h"

namespace limber::testing {

// The value, or an exception that fails the test with the diagnostic.
template <class T>
T good(Expected<T> expected) {
  if (!expected) throw std::runtime_error(expected.error().text());
  return std::move(*expected);
}

inline Figure built(FigureDescription description) { return good(build_figure(std::move(description))); }

inline FreedomDescription turn(std::string name, const Vec3& axis, Range range = {}) {
  return {std::move(name), Motion::rotate, axis, range};
}

inline FreedomDescription shift(std::string name, const Vec3& axis, Range range = {}) {
  return {std::move(name), Motion::translate, axis, range};
}

// Two bones of one metre in the plane z = 0, straight along x at rest; the base is fixed in the world.
inline FigureDescription planar_arm() {
  FigureDescription arm;
  arm.name = "planar arm";
  arm.segments = {{"base", 0.0}, {"upper", 2.0, {0.5, 0, 0}}, {"lower", 1.0, {0.5, 0, 0}}};
  arm.joints = {{"shoulder", "base", "upper", {}, {}, {turn("turn", Vec3::UnitZ(), {-2.0, 2.0})}},
                {"elbow", "upper", "lower", at({1, 0, 0}), {}, {turn("turn", Vec3::UnitZ(), {0.0, 2.5})}}};
  arm.sites = {{"tip", "lower", at({1, 0, 0})}};
  return arm;
}

// Seven hinges about z, y, z, y, … with bones of 0.3 m along x.
inline FigureDescription seven_joint_arm() {
  FigureDescription arm;
  arm.name = "seven-joint arm";
  arm.segments = {{"link 0", 1.0, {0.15, 0, 0}}};
  for (int k = 1; k <= 7; ++k) {
    const std::string link = "link " + std::to_string(k);
    arm.segments.push_back({link, 1.0, {0.15, 0, 0}});
    arm.joints.push_back({"joint " + std::to_string(k),
                          "link " + std::to_string(k - 1),
                          link,
                          at({0.3, 0, 0}),
                          {},
                          {turn("turn", k % 2 == 1 ? Vec3::UnitZ() : Vec3::UnitY(), {-2.5, 2.5})}});
  }
  arm.sites = {{"tip", "link 7", at({0.3, 0, 0})}};
  return arm;
}

// Pelvis, torso above the waist, head, two arms of two bones: the figure of ZB94 section 10.
inline FigureDescription torso_with_arms() {
  FigureDescription body;
  body.name = "torso";
  body.segments = {{"pelvis", 10.0}, {"torso", 20.0, {0, 0.25, 0}}, {"head", 5.0, {0, 0.1, 0}}};
  body.joints = {{"waist",
                  "pelvis",
                  "torso",
                  at({0, 0.1, 0}),
                  {},
                  {turn("flex", Vec3::UnitX(), {-0.5, 1.2}), turn("twist", Vec3::UnitY(), {-0.8, 0.8})}},
                 {"neck", "torso", "head", at({0, 0.5, 0}), {}, {turn("nod", Vec3::UnitX(), {-0.7, 0.7})}}};
  for (const std::string side : {"right", "left"}) {
    const double x = side == "right" ? -1.0 : 1.0;
    body.segments.push_back({side + " upper arm", 2.0, {0.15 * x, 0, 0}});
    body.segments.push_back({side + " lower arm", 1.0, {0.15 * x, 0, 0}});
    body.joints.push_back({side + " shoulder",
                           "torso",
                           side + " upper arm",
                           at({0.2 * x, 0.45, 0}),
                           {},
                           {turn("swing", Vec3::UnitY(), {-1.5, 1.5}), turn("lift", Vec3::UnitZ(), {-1.5, 1.5})}});
    body.joints.push_back({side + " elbow",
                           side + " upper arm",
                           side + " lower arm",
                           at({0.3 * x, 0, 0}),
                           {},
                           {turn("bend", Vec3::UnitY(), {-2.4, 2.4})}});
    body.sites.push_back({side + " hand", side + " lower arm", at({0.3 * x, 0, 0})});
  }
  body.sites.push_back({"eye", "head", {rotation(Vec3::UnitY(), -pi / 2), {0, 0.1, 0.1}}});
  return body;
}

struct TreeOptions {
  int segments = 8;
  bool free_root = true;
  bool groups = true;  // one group of two parameters, with linear and with smooth shares
};

inline Frame random_frame(Random& random, double reach = 0.5) {
  return {random.rotation(), random.between(0.0, reach) * random.direction()};
}

inline Vec3 random_vector(Random& random, double reach = 1.0) {
  return {random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach)};
}

// Increasing values through three knots, to cover every kind of interval of a smooth curve.
inline Curve random_curve(Random& random) {
  const double sign = random.chance(0.5) ? 1.0 : -1.0;
  const double a = random.between(0.1, 0.4), b = random.between(0.1, 0.4);
  return Curve::smooth({{-1.0, -sign * a}, {random.between(-0.3, 0.3), 0.0}, {1.0, sign * b}});
}

// A tree with rotations and translations along any axes, joints of 0 to 3 DOF, one site and one mass per segment.
inline FigureDescription random_tree(Random& random, const TreeOptions& options = {}) {
  FigureDescription tree;
  tree.name = "random tree";
  for (int s = 0; s < options.segments; ++s) {
    const std::string name = "s" + std::to_string(s);
    tree.segments.push_back({name, random.chance(0.8) ? random.between(0.1, 3.0) : 0.0, random_vector(random, 0.3)});
    tree.sites.push_back({"site " + name, name, random_frame(random)});
    if (s == 0) continue;
    JointDescription joint{"j" + std::to_string(s),
                           "s" + std::to_string(random.integer(0, s - 1)),
                           name,
                           random_frame(random),
                           random_frame(random),
                           {}};
    const int freedoms = s == 1 ? 1 : random.integer(0, 3);
    for (int k = 0; k < freedoms; ++k) {
      const Vec3 axis = random.chance(0.3) ? Vec3(-Vec3::Unit(random.integer(0, 2))) : Vec3(2.0 * random.direction());
      const std::string freedom = std::string(1, static_cast<char>('a' + k));
      joint.freedoms.push_back(random.chance(0.25) ? shift(freedom, axis) : turn(freedom, axis));
    }
    tree.joints.push_back(joint);
  }
  if (options.groups) {
    GroupDescription group{"group", {{"bend"}, {"twist"}}, {}};
    for (const JointDescription& joint : tree.joints)
      for (const FreedomDescription& freedom : joint.freedoms) {
        if (!group.drivers.empty() && random.chance(0.6)) continue;
        GroupDriver driver{joint.name, freedom.name, {{"bend", Curve::linear(random.between(-1.0, 1.0))}}};
        if (group.drivers.empty() || random.chance(0.5)) driver.terms.push_back({"twist", random_curve(random)});
        group.drivers.push_back(driver);
      }
    tree.groups.push_back(group);
  }
  if (options.free_root) tree.joints.push_back(free_root("root", "s0"));
  return tree;
}

inline Pose random_pose(const Figure& figure, Random& random, double reach = 1.0) {
  Pose pose = figure.rest();
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    pose.theta[j] = random.between(std::fmax(range.lower, -reach), std::fmin(range.upper, reach));
  }
  return pose;
}

inline VecX random_values(Random& random, Eigen::Index count, double reach = 1.0) {
  VecX x(count);
  for (Eigen::Index k = 0; k < count; ++k) x[k] = random.between(-reach, reach);
  return x;
}

}  // namespace limber::testing
