// Forward kinematics against 4 × 4 homogeneous matrices multiplied out from the description.
#include "limber/kinematics/forward.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/figures.h"

namespace limber {
namespace forward_test {

using testing::built;
using testing::good;
using testing::planar_arm;
using testing::random_frame;
using testing::random_pose;
using testing::random_tree;

using Mat4 = Eigen::Matrix4d;

Mat4 homogeneous(const Mat3& R, const Vec3& p) {
  Mat4 X = Mat4::Identity();
  X.topLeftCorner<3, 3>() = R;
  X.topRightCorner<3, 1>() = p;
  return X;
}

// By the quaternion (cos q/2, sin q/2 u): x + 2 w (v × x) + 2 v × (v × x).
Mat4 motion(const FreedomDescription& freedom, double q) {
  const Vec3 u = freedom.axis / std::sqrt(freedom.axis.dot(freedom.axis));
  if (freedom.motion == Motion::translate) return homogeneous(Mat3::Identity(), q * u);
  const double w = std::cos(0.5 * q);
  const Vec3 v = std::sin(0.5 * q) * u;
  Mat3 R;
  for (int k = 0; k < 3; ++k) {
    const Vec3 x = Vec3::Unit(k);
    R.col(k) = x + 2.0 * w * v.cross(x) + 2.0 * v.cross(v.cross(x));
  }
  return homogeneous(R, Vec3::Zero());
}

// The joint angle by the description: a parameter of its own or a group's shares.
double angle(const Figure& figure, const Pose& pose, const std::string& joint, const std::string& freedom) {
  for (const GroupDescription& group : figure.description().groups)
    for (const GroupDriver& driver : group.drivers)
      if (driver.joint == joint && driver.freedom == freedom) {
        double q = 0.0;
        for (const GroupTerm& term : driver.terms)
          q += term.curve(good(figure.value(pose, group.name + "." + term.parameter))).value;
        return q;
      }
  return good(figure.value(pose, joint + "." + freedom));
}

Mat4 oracle(const Figure& figure, const Pose& pose, const std::string& segment) {
  for (const JointDescription& joint : figure.description().joints)
    if (joint.child == segment) {
      Mat4 X = joint.parent.empty() ? Mat4(Mat4::Identity()) : oracle(figure, pose, joint.parent);
      X = X * homogeneous(joint.in_parent.R, joint.in_parent.p);
      for (const FreedomDescription& freedom : joint.freedoms)
        X = X * motion(freedom, angle(figure, pose, joint.name, freedom.name));
      return X * homogeneous(joint.in_child.R, joint.in_child.p).inverse();
    }
  return Mat4::Identity();
}

TEST(Forward, IsTheProductOfHomogeneousMatrices) {
  Random random(50);
  for (int trial = 0; trial < 100; ++trial) {
    const Figure figure = built(random_tree(random, {random.integer(2, 15), random.chance(0.5), random.chance(0.5)}));
    const Pose pose = random_pose(figure, random, pi);
    const Kinematics state = forward(figure, pose);
    for (std::size_t s = 0; s < figure.segments().size(); ++s) {
      const Mat4 expected = oracle(figure, pose, figure.segments()[s].name);
      // Fifteen products of rotations, with shifts of a few metres.
      EXPECT_LE((homogeneous(state.segments[s].R, state.segments[s].p) - expected).cwiseAbs().maxCoeff(), 1e-13);
    }
  }
}

TEST(Forward, PlacesThePlanarArmAsInTheTextbook) {
  const Figure figure = built(planar_arm());
  const double a = 0.3, b = 0.9;
  const Kinematics state = forward(figure, Pose{Eigen::Vector2d(a, b)});
  const Vec3 tip = state.segments[2] * Vec3(1, 0, 0);
  EXPECT_NEAR(tip.x(), std::cos(a) + std::cos(a + b), 1e-15);
  EXPECT_NEAR(tip.y(), std::sin(a) + std::sin(a + b), 1e-15);
  EXPECT_EQ(tip.z(), 0.0);
  EXPECT_LE((state.points[1] - Vec3(std::cos(a), std::sin(a), 0)).norm(), 1e-15);
  EXPECT_LE((state.axes[1] - Vec3::UnitZ()).norm(), 1e-15);
}

TEST(Forward, OfASubsetEqualsTheWhole) {
  Random random(51);
  for (int trial = 0; trial < 50; ++trial) {
    const Figure figure = built(random_tree(random, {.segments = 12}));
    const Pose pose = random_pose(figure, random);
    const Kinematics whole = forward(figure, pose);
    std::vector<int> which;
    for (int s = random.integer(0, 11); s != no_parent; s = figure.segments()[s].parent) which.insert(which.begin(), s);
    Kinematics some(figure);
    VecX q;
    figure.angles(pose.theta, q);
    forward(figure, q, which, some);
    for (int s = 0; s < 12; ++s) {
      const bool listed = std::find(which.begin(), which.end(), s) != which.end();
      EXPECT_EQ(some.segments[s].R, listed ? whole.segments[s].R : Mat3(Mat3::Identity()));
      EXPECT_EQ(some.segments[s].p, listed ? whole.segments[s].p : Vec3(Vec3::Zero()));
      for (int i = figure.joints()[s].freedom_begin; i < figure.joints()[s].freedom_end; ++i) {
        EXPECT_EQ(some.axes[i], listed ? whole.axes[i] : Vec3(Vec3::Zero()));
        EXPECT_EQ(some.points[i], listed ? whole.points[i] : Vec3(Vec3::Zero()));
      }
    }
  }
}

// ZB94 (3), (4): the hinge's axis u passes through r_i, and points turn by u × (r - r_i), directions by u × v.
TEST(Forward, GivesTheAxisAndPointOfEquations3And4) {
  Random random(52);
  for (int trial = 0; trial < 50; ++trial) {
    FigureDescription d;
    d.segments = {{"base"}, {"door"}};
    d.joints = {{"hinge",
                 "base",
                 "door",
                 random_frame(random),
                 random_frame(random),
                 {testing::turn("angle", random.direction())}}};
    const Figure figure = built(d);
    const Vec3 local = random.direction(), local_v = random.direction();
    const double q = random.between(-pi, pi), h = 1e-6;
    const auto at_angle = [&](double angle) { return forward(figure, Pose{VecX::Constant(1, angle)}); };
    const Kinematics state = at_angle(q);
    const Vec3 r = state.segments[1] * local, v = state.segments[1].R * local_v;
    const Kinematics ahead = at_angle(q + h), behind = at_angle(q - h);
    const Vec3 dr = (ahead.segments[1] * local - behind.segments[1] * local) / (2.0 * h);
    const Vec3 dv = (ahead.segments[1].R * local_v - behind.segments[1].R * local_v) / (2.0 * h);
    EXPECT_NEAR(state.axes[0].norm(), 1.0, 1e-15);
    EXPECT_LE((dr - state.axes[0].cross(r - state.points[0])).norm(), 1e-9);  // ε/h + h²
    EXPECT_LE((dv - state.axes[0].cross(v)).norm(), 1e-9);
    EXPECT_LE((ahead.points[0] - state.points[0]).norm(), 1e-15);  // the hinge does not move itself
  }
}

}  // namespace forward_test
}  // namespace limber
