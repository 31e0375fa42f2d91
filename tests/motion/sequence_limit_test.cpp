// Sequences of key poses: joint limits between the keys.
#include <gtest/gtest.h>

#include <algorithm>

#include "limber/motion/sampler.h"
#include "tests/motion/motion_sample.h"

namespace limber {
namespace sequence_limit_test {

using motion_sample::random_keys;
using motion_sample::recorded_walk;
using testing::good;

// The limits of a figure, widened to the two keys around a time.
void expect_limits(const Figure& figure, const Key& a, const Key& b, const VecX& theta) {
  for (Eigen::Index j = 0; j < theta.size(); ++j) {
    const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
    ASSERT_GE(theta[j], std::min({range.lower, a.pose.theta[j], b.pose.theta[j]})) << j;
    ASSERT_LE(theta[j], std::max({range.upper, a.pose.theta[j], b.pose.theta[j]})) << j;
  }
}

TEST(SequenceLimits, KeepsBoxesExactlyAndRowsWithinRounding) {
  Random random(41);
  int rows_held = 0;
  for (const Figure& figure : {human(), testing::good(simple_human()), recorded_walk().figure}) {
    for (int trial = 0; trial < 30; ++trial) {
      std::vector<Key> keys = random_keys(figure, random, 6);
      if (trial % 2 == 0)
        for (Key& key : keys) key.styles.clear(), key.style = {Interpolation::spline, false, {-1.0, 0.0, 0.0}};
      const Sequence sequence = good(Sequence::make(figure, keys));
      const Sampler sampler(sequence);
      for (const Key& key : keys) ASSERT_LE(motion_sample::worst_row(figure, key.pose.theta), 0.0);
      Pose pose;
      for (int i = 0; i < 1000; ++i) {
        const auto k = static_cast<std::size_t>(random.integer(0, 4));
        sampler.at(random.between(keys[k].time, keys[k + 1].time), pose);
        expect_limits(figure, keys[k], keys[k + 1], pose.theta);
        const double worst = motion_sample::worst_row(figure, pose.theta);
        EXPECT_LE(worst, 1e-12);
        rows_held += std::fabs(worst) < 1e-12 && !figure.limit_rows().empty();
      }
    }
  }
  EXPECT_GT(rows_held, 1000) << "no row was ever active";
}

// Equality rows, and rows that couple a ball joint's angles with others.
TEST(SequenceLimits, KeepsRowsOfEveryKind) {
  FigureDescription d = testing::planar_arm();
  d.joints[0].freedoms = {testing::turn("x", Vec3::UnitX()), testing::turn("y", Vec3::UnitY()),
                          testing::turn("z", Vec3::UnitZ())};
  d.joints.push_back({"place", "", "base", {}, {}, {testing::shift("x", Vec3::UnitX())}});
  d.limits = {{"sum", {{"shoulder.x", 1.0}, {"elbow.turn", 2.0}}, Relation::equal, 0.5},
              {"side", {{"shoulder.y", 1.0}, {"shoulder.z", -1.0}}, Relation::at_most, 0.3},
              {"link", {{"shoulder.z", 1.0}, {"elbow.turn", -1.0}}, Relation::at_most, 0.4}};
  d.joints[0].freedoms[0].range.rest = 0.5;
  const Figure figure = testing::built(d);
  Random random(42);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Key> keys = random_keys(figure, random, 6);
    for (Key& key : keys) {
      VecX& theta = key.pose.theta;
      const auto at = [&](const char* name) -> double& { return theta[good(figure.find_parameter(name))]; };
      at("elbow.turn") = random.between(0.0, 1.0);
      at("shoulder.x") = 0.5 - 2.0 * at("elbow.turn");
      at("shoulder.z") = at("elbow.turn") + 0.4 - random.unit();
      at("shoulder.y") = at("shoulder.z") + 0.3 - random.unit();
      if (trial % 2 == 0) key.styles.clear(), key.style.bend.tension = -1.0;
    }
    const Sequence sequence = good(Sequence::make(figure, keys));
    const Sampler sampler(sequence);
    for (int i = 0; i < 300; ++i)
      EXPECT_LE(motion_sample::worst_row(figure, sampler.at(random.between(sequence.start(), sequence.end())).theta),
                1e-12);
  }
}

// Recorded keys outside the limits stay, and the motion between them is not pulled in.
TEST(SequenceLimits, WidensLimitsThatTheKeysViolate) {
  const motion_sample::Recorded walk = recorded_walk();
  const Sequence sequence = good(sequence_of(walk.figure, walk.clip, 20));
  const Sampler sampler(sequence);
  const std::vector<Key>& keys = sequence.keys();
  int outside = 0;
  for (std::size_t k = 0; k + 1 < keys.size(); ++k)
    for (int i = 1; i < 50; ++i) {
      const VecX theta = sampler.at(keys[k].time + (keys[k + 1].time - keys[k].time) * i / 50.0).theta;
      expect_limits(walk.figure, keys[k], keys[k + 1], theta);
      for (Eigen::Index j = 0; j < theta.size(); ++j)
        outside += theta[j] > walk.figure.parameters()[static_cast<std::size_t>(j)].range.upper;
    }
  EXPECT_GT(outside, 100);
}

// Half a turn or more between two keys: without limits the shortest rotation; with limits angle by angle.
TEST(SequenceLimits, TakesTheShortestRotationUnlessLimitsForbidIt) {
  const auto ball = [](double limit) {
    FigureDescription d;
    d.name = "ball";
    d.segments = {{"s"}};
    const Range range = {-limit, limit};
    d.joints = {{"j",
                 "",
                 "s",
                 {},
                 {},
                 {testing::turn("y", Vec3::UnitY(), range), testing::turn("x", Vec3::UnitX(), range),
                  testing::turn("z", Vec3::UnitZ(), range)}}};
    return testing::built(d);
  };
  for (const Interpolation kind : {Interpolation::linear, Interpolation::spline}) {
    std::vector<Key> keys = {{0.0, {Vec3(-2.8, 0.1, 0.0)}}, {1.0, {Vec3(2.9, 0.2, 0.1)}}};
    for (Key& key : keys) key.style.interpolation = kind;
    const Sampler free(good(Sequence::make(ball(infinity), keys)));
    const VecX middle = free.at(0.5).theta;
    EXPECT_NEAR(std::fabs(middle[0]), pi, 0.1);
    const Sampler limited(good(Sequence::make(ball(3.0), keys)));
    EXPECT_NEAR(limited.at(0.5).theta[0], 0.05, 1e-12);
    for (int i = 1; i < 100; ++i) EXPECT_LE(limited.at(i / 100.0).theta.cwiseAbs().maxCoeff(), 3.0);
  }
  // Straight through gimbal lock about the middle axis only: no angle jumps.
  const std::vector<Key> over = {{0.0, {Vec3(0.0, 0.2, 0.0)}}, {1.0, {Vec3(0.0, 2.4, 0.0)}}};
  const Sampler through(good(Sequence::make(ball(3.0), over)));
  for (int i = 0; i <= 100; ++i)
    EXPECT_LT((through.at(i / 100.0).theta - Vec3(0.0, 0.2 + 2.2 * i / 100.0, 0.0)).norm(), 1e-9) << i;
}

}  // namespace sequence_limit_test
}  // namespace limber
