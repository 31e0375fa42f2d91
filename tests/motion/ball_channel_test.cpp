// Three hinges at one place, and three parameters of a group, interpolated as one rotation (Rotations::of_balls).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/edit.h"
#include "limber/motion/sampler.h"
#include "tests/motion/motion_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace ball_channel_test {

using testing::good;

Figure read_figure(const std::filesystem::path& folder, const std::string& name) {
  const Content content = good(read_content(read_sample(std::filesystem::path(source_dir()) / folder / name), name));
  return *content.figure;
}
Figure stick_figure() { return read_figure(std::filesystem::path("example") / "skeleton", "stickman.scr"); }

std::vector<std::string> names_of(const std::vector<NamedBall>& balls) {
  std::vector<std::string> names;
  for (const NamedBall& ball : balls) names.push_back(ball.name);
  return names;
}

Quaternion euler_quaternion(const Vec3& angles) { return Quaternion(euler_rotation(euler_xyz, angles)); }

// A base, then three hinges with the given axes in the world, each on a segment of its own with another orientation,
// and displaced along its axis: all three axes meet at (0.1, 0.2, 0.3).
FigureDescription three_hinges(const BallAxes& axes, Random& random, const Range& range = {}) {
  FigureDescription d;
  d.name = "three hinges";
  const Vec3 centre(0.1, 0.2, 0.3);
  d.segments = {{"base", 1.0}};
  Frame before;  // of the parent segment, in the world
  for (std::size_t t = 0; t < 3; ++t) {
    const std::string name = "hinge " + std::to_string(t), parent = d.segments.back().name;
    const Frame joint{euler_quaternion(testing::random_vector(random, pi)).toRotationMatrix(),
                      centre + random.between(-0.2, 0.2) * axes[t]};
    const Frame segment{euler_quaternion(testing::random_vector(random, pi)).toRotationMatrix(),
                        testing::random_vector(random, 0.3)};
    d.segments.push_back({name, 1.0});
    // X_parent_child = in_parent · in_child⁻¹ at zero.
    d.joints.push_back({name,
                        parent,
                        name,
                        before.inverse() * joint,
                        segment.inverse() * joint,
                        {testing::turn("angle", joint.R.transpose() * axes[t], range)}});
    before = segment;
  }
  d.sites = {{"tip", "hinge 2", at({1, 0, 0})}};
  return d;
}

BallAxes square_axes(Random& random) {
  const Vec3 u = testing::random_vector(random, 1.0).normalized();
  const Vec3 v = u.cross(testing::random_vector(random, 1.0)).normalized();
  const double angle = random.between(-pi, pi);
  return {u, v, Vec3(std::cos(angle) * u + std::sin(angle) * v.cross(u))};
}

BallAxes oblique_axes(Random& random) {
  while (true) {
    BallAxes axes;
    for (Vec3& axis : axes) axis = testing::random_vector(random, 1.0).normalized();
    if (axes[0].cross(axes[1]).norm() > 0.5 && axes[1].cross(axes[2]).norm() > 0.5) return axes;
  }
}

Ball only_ball(const Figure& figure) {
  const std::vector<NamedBall> balls = balls_of(figure, Rotations::of_balls);
  EXPECT_EQ(balls.size(), 1u);
  return balls.at(0).ball;
}

Mat3 orientation(const Figure& figure, const Pose& pose) { return forward(figure, pose).segments.back().R; }

double turn_between(const Mat3& a, const Mat3& b) { return Eigen::AngleAxisd(Mat3(a.transpose() * b)).angle(); }

// --- Where there is a ball ---------------------------------------------------------------------------

TEST(BallChannels, AreFoundInStickFiguresPeopleAndRobots) {
  EXPECT_EQ(names_of(balls_of(stick_figure(), Rotations::of_balls)),
            (std::vector<std::string>{"pelvis", "torso", "right upper arm", "left upper arm", "head", "right thigh",
                                      "left thigh"}));
  EXPECT_EQ(names_of(balls_of(human(), Rotations::of_balls)),
            (std::vector<std::string>{"root", "neck", "left_wrist", "right_wrist", "left_hip", "right_hip", "spine",
                                      "left_shoulder", "right_shoulder"}));
  // A shoulder and a wrist of three axes that meet; its elbow is between them.
  const Figure robot = read_figure(std::filesystem::path("data") / "urdf", "iiwa14.urdf");
  EXPECT_EQ(names_of(balls_of(robot, Rotations::of_balls)), (std::vector<std::string>{"iiwa_joint_3", "iiwa_joint_7"}));
  EXPECT_TRUE(balls_of(robot, Rotations::of_joints).empty());
}

TEST(BallChannels, AreAsBeforeUnlessAskedFor) {
  for (const Channel& channel : channels_of(stick_figure())) EXPECT_NE(channel.kind, ChannelKind::rotation);
  for (const Figure& figure : motion_sample::some_figures(20)) {
    std::vector<std::string> names, before;
    for (const NamedBall& ball : balls_of(figure, Rotations::of_joints)) names.push_back(ball.name);
    for (const Joint& joint : figure.joints())
      if (ball_of(figure, joint)) before.push_back(joint.name);
    EXPECT_EQ(names, before);
  }
}

TEST(BallChannels, ContainEveryParameterOnce) {
  std::vector<Figure> figures = motion_sample::some_figures(20);
  figures.push_back(stick_figure());
  for (const Figure& figure : figures) {
    std::vector<int> seen(figure.parameters().size(), 0);
    for (const Channel& channel : channels_of(figure, Rotations::of_balls))
      for (int t = 0; t < channel.size(); ++t) ++seen[static_cast<std::size_t>(channel.parameters[t])];
    for (const int count : seen) EXPECT_EQ(count, 1);
  }
}

TEST(BallChannels, NeedThreeIndependentAxesThatMeetWithNothingBetween) {
  Random random(71);
  for (int trial = 0; trial < 50; ++trial) {
    const BallAxes axes = trial % 2 ? square_axes(random) : oblique_axes(random);
    const FigureDescription d = three_hinges(axes, random);
    const auto balls = [](const FigureDescription& changed) {
      return balls_of(testing::built(changed), Rotations::of_balls).size();
    };
    EXPECT_EQ(balls(d), 1u);
    FigureDescription beside = d;
    beside.joints[2].in_parent.p += 0.01 * (d.joints[2].in_parent.R * d.joints[2].freedoms[0].axis).unitOrthogonal();
    EXPECT_EQ(balls(beside), 0u);
    FigureDescription branch = d;
    branch.segments.push_back({"other", 1.0});
    branch.joints.push_back({"other", "hinge 0", "other"});
    EXPECT_EQ(balls(branch), 0u);
    FigureDescription slides = d;
    slides.joints[1].freedoms.insert(slides.joints[1].freedoms.begin(), testing::shift("slide", Vec3::UnitX()));
    EXPECT_EQ(balls(slides), 0u);
    FigureDescription rigid = d;  // a segment without freedoms between two hinges
    rigid.segments.push_back({"between", 1.0});
    rigid.joints.push_back({"between", "hinge 0", "between"});
    rigid.joints[1].parent = "between";
    EXPECT_EQ(balls(rigid), 1u);
    EXPECT_EQ(balls(three_hinges({axes[0], axes[0], axes[2]}, random)), 0u);
    EXPECT_EQ(balls(three_hinges({axes[0], axes[1], -axes[1]}, random)), 0u);
  }
}

TEST(BallChannels, TurnTheirSegmentByTheirRotation) {
  Random random(72);
  for (int trial = 0; trial < 100; ++trial) {
    const BallAxes axes = trial % 2 ? square_axes(random) : oblique_axes(random);
    const Figure figure = testing::built(three_hinges(axes, random));
    const Ball ball = only_ball(figure);
    const Pose a{testing::random_vector(random, 5.0)}, b{testing::random_vector(random, 5.0)};
    // In the frame before the first rotation, which has the world's orientation times a constant one.
    const Mat3 world = orientation(figure, b) * orientation(figure, a).transpose();
    const Quaternion own = ball.rotation(b.theta) * ball.rotation(a.theta).conjugate();
    EXPECT_NEAR(world.trace(), own.toRotationMatrix().trace(), 1e-12);
  }
}

TEST(BallChannels, FindTheAnglesOfARotationAboutAnyAxes) {
  Random random(73);
  for (int trial = 0; trial < law::law_count(4000); ++trial) {
    const bool square = trial % 2 == 0;
    const Ball ball{.parameters = {0, 1, 2},
                    .axes = std::make_shared<const BallAxes>(square ? square_axes(random) : oblique_axes(random))};
    const Vec3 angles = testing::random_vector(random, 6.0), near = testing::random_vector(random, 9.0);
    const Quaternion q = ball.rotation(angles);
    const Vec3 found = ball.angles(random.chance(0.5) ? q : Quaternion(-q.coeffs()), near);
    EXPECT_LT((on_side_of(q, ball.rotation(found)).coeffs() - q.coeffs()).norm(), square ? 1e-13 : 1e-7);
    EXPECT_LT((found - near).cwiseAbs().maxCoeff(), pi + 1e-12);
    EXPECT_LE((found - near).norm(), (ball.angles(q, angles) - near).norm() + 10.0);
    const Vec3 same = ball.angles(q, angles);
    EXPECT_LT((on_side_of(q, ball.rotation(same)).coeffs() - q.coeffs()).norm(), square ? 1e-13 : 1e-7);
    EXPECT_LE((same - angles).norm(), 1e-6) << "not the nearer triple";
  }
}

// --- Between keys --------------------------------------------------------------------------------------

struct Turning {
  Figure figure;
  Sequence sequence;
};

// Key rotations of the last segment, as angles of these hinges.
Turning turning(const BallAxes& axes, const std::vector<Quaternion>& rotations, const Style& style, Random& random) {
  const Figure figure = testing::built(three_hinges(axes, random));
  const Ball ball = only_ball(figure);
  // The rotation of the ball, in the frame before the first rotation.
  const Quaternion frame(figure.joints()[1].in_parent.R);
  std::vector<Key> keys;
  Vec3 near = Vec3::Zero();
  for (std::size_t k = 0; k < rotations.size(); ++k) {
    near = ball.angles(frame.conjugate() * rotations[k] * frame, near);
    Key key{static_cast<double>(k), figure.rest(), {}, style};
    ball.set_angles(key.pose.theta, near);
    keys.push_back(std::move(key));
  }
  return {figure, good(Sequence::make(figure, keys, {}, Rotations::of_balls))};
}

TEST(BallChannels, DoNotDependOnTheAxesOfTheHinges) {
  Random random(74);
  for (const Interpolation kind : {Interpolation::linear, Interpolation::spline})
    for (int trial = 0; trial < law::law_count(60); ++trial) {
      std::vector<Quaternion> rotations;
      for (int k = 0; k < 4; ++k) rotations.push_back(euler_quaternion(testing::random_vector(random, 3.0)));
      const Style style{kind, random.chance(0.3), {random.between(-0.5, 0.5), 0.0, random.between(-0.5, 0.5)}};
      const Turning a = turning(square_axes(random), rotations, style, random);
      const Turning b = turning(square_axes(random), rotations, style, random);
      const Sampler in_a(a.sequence), in_b(b.sequence);
      const Mat3 rest_a = orientation(a.figure, a.figure.rest()), rest_b = orientation(b.figure, b.figure.rest());
      for (double time = 0.0; time <= 3.0; time += 0.07) {
        const Mat3 turned_a = orientation(a.figure, in_a.at(time)) * rest_a.transpose();
        const Mat3 turned_b = orientation(b.figure, in_b.at(time)) * rest_b.transpose();
        ASSERT_LT((turned_a - turned_b).norm(), 1e-9) << "trial " << trial << ", time " << time;
      }
    }
}

TEST(BallChannels, TakeTheShortestArcAtConstantSpeed) {
  Random random(75);
  for (int trial = 0; trial < law::law_count(100); ++trial) {
    const BallAxes axes = square_axes(random);
    const Quaternion from = euler_quaternion(testing::random_vector(random, 3.0));
    const Quaternion to = euler_quaternion(testing::random_vector(random, 3.0));
    const Turning turn = turning(axes, {from, to}, {Interpolation::linear}, random);
    const Sampler sampler(turn.sequence);
    const double whole = from.angularDistance(to);
    constexpr int steps = 20;
    Mat3 before = orientation(turn.figure, sampler.at(0.0));
    for (int i = 1; i <= steps; ++i) {
      const Mat3 now = orientation(turn.figure, sampler.at(static_cast<double>(i) / steps));
      ASSERT_NEAR(turn_between(before, now), whole / steps, 1e-7);
      before = now;
    }
  }
}

TEST(BallChannels, HaveNoCornerAtTheKeysOfASpline) {
  Random random(76);
  constexpr double d = 1e-5;
  for (int trial = 0; trial < law::law_count(60); ++trial) {
    std::vector<Quaternion> rotations;
    for (int k = 0; k < 5; ++k) rotations.push_back(euler_quaternion(testing::random_vector(random, 2.0)));
    const Style style{Interpolation::spline, false, {random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0)}};
    const Turning turn = turning(square_axes(random), rotations, style, random);
    const Sampler sampler(turn.sequence);
    for (int k = 1; k < 4; ++k) {
      const auto velocity = [&](double from, double to) {
        const Mat3 a = orientation(turn.figure, sampler.at(k + from)), b = orientation(turn.figure, sampler.at(k + to));
        return Vec3(2.0 / d * quaternion_log(on_side_of(Quaternion::Identity(), Quaternion(Mat3(b * a.transpose())))));
      };
      // Second-order one-sided differences.
      const Vec3 in = 1.5 * velocity(-d, 0.0) - 0.5 * velocity(-2.0 * d, -d);
      const Vec3 out = 1.5 * velocity(0.0, d) - 0.5 * velocity(d, 2.0 * d);
      EXPECT_LT((in - out).norm(), 1e-4 * (1.0 + in.norm())) << "trial " << trial << ", key " << k;
    }
  }
}

TEST(BallChannels, PassHalfATurnWithoutAJump) {
  Random random(77);
  const Figure figure = testing::built(three_hinges({Vec3::UnitY(), Vec3::UnitX(), Vec3::UnitZ()}, random));
  for (const Interpolation kind : {Interpolation::linear, Interpolation::spline}) {
    std::vector<Key> keys;
    for (const double angle : {150.0, 170.0, -170.0, -150.0})
      keys.push_back({static_cast<double>(keys.size()), {Vec3(radians(angle), 0.1, -0.2)}, {}, {kind}});
    const Sampler sampler(good(Sequence::make(figure, keys, {}, Rotations::of_balls)));
    Mat3 before = orientation(figure, sampler.at(0.0));
    for (double time = 0.01; time <= 3.0; time += 0.01) {
      const Mat3 now = orientation(figure, sampler.at(time));
      ASSERT_LT(turn_between(before, now), radians(0.5)) << time;
      before = now;
    }
    // Angle by angle it is a turn by 340 degrees the other way round.
    const Sampler by_angles(good(Sequence::make(figure, keys)));
    EXPECT_GT(turn_between(orientation(figure, by_angles.at(1.5)), orientation(figure, sampler.at(1.5))), 1.0);
  }
}

// Oblique axes reach only a part of all rotations: there a ball goes on, angle by angle.
TEST(BallChannels, GoByAnglesWhereTheirAxesCannotFollow) {
  Random random(78);
  int followed = 0, could_not = 0;
  for (int trial = 0; trial < law::law_count(200); ++trial) {
    const Figure figure = testing::built(three_hinges(oblique_axes(random), random));
    const Ball ball = only_ball(figure);
    const Pose a{testing::random_vector(random, 2.0)}, b{testing::random_vector(random, 2.0)};
    const Sequence sequence =
        good(Sequence::make(figure, {{0.0, a, {}, {Interpolation::linear}}, {1.0, b}}, {}, Rotations::of_balls));
    const Sampler sampler(sequence);
    const Quaternion p = ball.rotation(a.theta), q = on_side_of(p, ball.rotation(b.theta));
    double off_arc = 0.0, off_line = 0.0;
    for (double u = 0.05; u < 1.0; u += 0.05) {
      const VecX theta = sampler.at(u).theta;
      off_arc = std::max(off_arc, ball.rotation(theta).angularDistance(slerp(p, q, u)));
      off_line = std::max(off_line, (theta - a.theta - u * (b.theta - a.theta)).norm());
    }
    EXPECT_TRUE(off_arc < 1e-5 || off_line < 1e-12) << off_arc << " " << off_line;
    off_arc < 1e-5 ? ++followed : ++could_not;
  }
  EXPECT_GT(followed, 10);
  EXPECT_GT(could_not, 10);
}

TEST(BallChannels, KeepLimitsBetweenKeys) {
  Random random(79);
  for (const Figure& figure : {human(), stick_figure()}) {
    int clamped = 0;
    for (int trial = 0; trial < law::law_count(40); ++trial) {
      std::vector<Key> keys =
          motion_sample::plain_keys(figure, random, 5, {Interpolation::spline, false, {-0.5, 0, 0}});
      const Sampler sampler(good(Sequence::make(figure, keys, {}, Rotations::of_balls)));
      Pose pose;
      for (int i = 0; i < 200; ++i) {
        const auto k = static_cast<std::size_t>(random.integer(0, 3));
        sampler.at(random.between(keys[k].time, keys[k + 1].time), pose);
        for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
          const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
          const double a = keys[k].pose.theta[j], b = keys[k + 1].pose.theta[j];
          ASSERT_GE(pose.theta[j], std::min({range.lower, a, b})) << j;
          ASSERT_LE(pose.theta[j], std::max({range.upper, a, b})) << j;
          clamped += pose.theta[j] == range.lower || pose.theta[j] == range.upper;
        }
        EXPECT_LE(motion_sample::worst_row(figure, pose.theta), 1e-12);
      }
      for (const Key& key : keys) EXPECT_EQ(sampler.at(key.time).theta, key.pose.theta);
    }
    EXPECT_GT(clamped, 100) << "no limit was ever active";
  }
}

// --- Groups --------------------------------------------------------------------------------------------

TEST(BallChannels, BendTheSpineAsOneRotation) {
  const Figure figure = human();
  const std::vector<Channel> channels = channels_of(figure, Rotations::of_balls);
  const Channel spine = channels[static_cast<std::size_t>(good(find_channel(channels, "spine rotation")))];
  Pose a = figure.rest(), b = figure.rest();
  ASSERT_TRUE(figure.set(a, "spine.forward", radians(60.0)));
  ASSERT_TRUE(figure.set(b, "spine.lateral", radians(30.0)));
  ASSERT_TRUE(figure.set(b, "spine.axial", radians(40.0)));
  const Sampler sampler(
      good(Sequence::make(figure, {{0.0, a, {}, {Interpolation::linear}}, {1.0, b}}, {}, Rotations::of_balls)));
  const double whole = distance(spine, a.theta, b.theta);
  for (double u = 0.1; u < 1.0; u += 0.1) {
    EXPECT_NEAR(distance(spine, a.theta, sampler.at(u).theta), u * whole, 1e-9);
    EXPECT_NEAR(distance(spine, sampler.at(u).theta, b.theta), (1.0 - u) * whole, 1e-9);
  }
  // A bend about one axis stays one.
  const Sampler plain(good(
      Sequence::make(figure, {{0.0, figure.rest(), {}, {Interpolation::linear}}, {1.0, a}}, {}, Rotations::of_balls)));
  EXPECT_NEAR(good(figure.value(plain.at(0.5), "spine.forward")), radians(30.0), 1e-12);
  EXPECT_NEAR(good(figure.value(plain.at(0.5), "spine.lateral")), 0.0, 1e-12);
}

// In pure elevation and in pure abduction the upper arm turns by the parameter (limber/figure/human.cpp).
TEST(BallChannels, TurnTheArmByTheRotationOfTheShoulderGroup) {
  const Figure figure = human();
  for (const NamedBall& one : balls_of(figure, Rotations::of_balls)) {
    if (one.name != "left_shoulder" && one.name != "right_shoulder") continue;
    const int segment = good(figure.find_segment(one.name == "left_shoulder" ? "left_upper_arm" : "right_upper_arm"));
    const auto arm = [&](const Pose& pose) {
      return forward(figure, pose).segments[static_cast<std::size_t>(segment)].R;
    };
    const Mat3 rest = arm(figure.rest());
    for (const char* name : {".elevation", ".abduction"})
      for (const double angle : {20.0, 40.0, 60.0, 90.0}) {
        Pose pose = figure.rest();
        for (const int j : one.ball.parameters) pose.theta[j] = 0.0;
        const Mat3 zero = arm(pose);
        ASSERT_TRUE(figure.set(pose, one.name + name, radians(angle)));
        const Mat3 turned = arm(pose) * zero.transpose();
        // Segments of the human have the world's axes at rest; the tables of the shoulder are cubics through knots.
        EXPECT_LT((turned - one.ball.rotation(pose.theta).toRotationMatrix()).norm(), 2e-3)
            << one.name << name << angle;
      }
    EXPECT_LT(rotation_defect(rest), 1e-12);
  }
}

// --- Sequences ---------------------------------------------------------------------------------------------

TEST(BallChannels, StayThroughEditsAndUndo) {
  Random random(80);
  const Figure figure = stick_figure();
  const Sequence sequence =
      good(Sequence::make(figure, motion_sample::plain_keys(figure, random, 6), {}, Rotations::of_balls));
  const Sequence other =
      good(Sequence::make(figure, motion_sample::plain_keys(figure, random, 4), {}, Rotations::of_balls));
  const std::vector<Expected<Edit>> edits = {
      blend(sequence, other, 0.4),          cross_fade(sequence, other, 0.3),    resample(sequence, 0.2),
      mirror(sequence, all_keys(sequence)), stretch(sequence, {1, 3}, 1.5, 0.0), reduce(sequence)};
  for (const Expected<Edit>& edit : edits) {
    const Sequence after = good(apply(sequence, good(edit)));
    EXPECT_EQ(after.rotations(), Rotations::of_balls);
    EXPECT_TRUE(same(good(apply(after, inverse(*edit))), sequence));
  }
  const Sequence by_joints = with_rotations(other, Rotations::of_joints);
  EXPECT_FALSE(same(by_joints, other));
  EXPECT_EQ(blend(sequence, by_joints, 0.5).error().text(),
            "sequence: found rotations of joints in one and of balls in the other; expected the same in both");
}

TEST(BallChannels, KeepStylesWhenRotationsChange) {
  const Figure figure = stick_figure();
  const std::vector<Channel> balls = channels_of(figure, Rotations::of_balls), joints = channels_of(figure);
  Key key{0.0, figure.rest()};
  key.styles.assign(balls.size(), Style{});
  key.styles[static_cast<std::size_t>(good(find_channel(balls, "torso rotation")))].interpolation = Interpolation::step;
  key.styles[static_cast<std::size_t>(good(find_channel(balls, "left hand.angle")))].even = true;
  const Sequence sequence = good(Sequence::make(figure, {key}, {}, Rotations::of_balls));
  const Sequence other = with_rotations(sequence, Rotations::of_joints);
  const auto style = [&](const char* name) { return other.keys()[0].style_of(good(find_channel(joints, name))); };
  EXPECT_EQ(style("waist bend.angle").interpolation, Interpolation::step);
  EXPECT_EQ(style("torso.angle").interpolation, Interpolation::step);
  EXPECT_EQ(style("head.angle").interpolation, Interpolation::spline);
  EXPECT_TRUE(style("left hand.angle").even);
  EXPECT_TRUE(same(with_rotations(other, Rotations::of_balls), sequence));
}

}  // namespace ball_channel_test
}  // namespace limber
