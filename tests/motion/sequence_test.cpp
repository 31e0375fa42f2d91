// Sequences of key poses: laws of the interpolation.
#include "limber/motion/sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "limber/motion/sampler.h"
#include "tests/law/allocation.h"
#include "tests/motion/motion_sample.h"

namespace limber {
namespace sequence_test {

using motion_sample::channel_value;
using motion_sample::random_keys;
using motion_sample::recorded_walk;
using testing::good;

bool equal_bits(const VecX& a, const VecX& b) { return same(Key{0.0, {a}}, Key{0.0, {b}}); }

// The value of a channel, a quaternion with the sign nearest to another.
VecX value_near(const Channel& channel, const VecX& theta, const VecX& other) {
  const VecX value = channel_value(channel, theta);
  return channel.kind == ChannelKind::rotation && value.dot(other) < 0.0 ? VecX(-value) : value;
}

Figure without_limits(const Figure& figure) {
  FigureDescription description = figure.description();
  description.limits.clear();
  for (JointDescription& joint : description.joints)
    for (FreedomDescription& freedom : joint.freedoms) freedom.range.lower = -infinity, freedom.range.upper = infinity;
  return testing::built(description);
}

TEST(Sequence, PassesItsKeysBitForBitWhateverTheirStyle) {
  Random random(31);
  for (const Figure& figure : motion_sample::some_figures())
    for (int trial = 0; trial < 5; ++trial) {
      const Sequence sequence = good(Sequence::make(figure, random_keys(figure, random, random.integer(1, 8))));
      const Sampler sampler(sequence);
      for (const Key& key : sequence.keys()) EXPECT_TRUE(equal_bits(sampler.at(key.time).theta, key.pose.theta));
      EXPECT_TRUE(equal_bits(sampler.at(sequence.start() - 5.0).theta, sequence.keys().front().pose.theta));
      EXPECT_TRUE(equal_bits(sampler.at(sequence.end() + 5.0).theta, sequence.keys().back().pose.theta));
      EXPECT_TRUE(equal_bits(sampler.at(std::nan("")).theta, sequence.keys().front().pose.theta));
    }
}

TEST(Sequence, IsContinuousExceptWhereAChannelSteps) {
  Random random(32);
  for (const Figure& figure : motion_sample::some_figures())
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<Key> keys = random_keys(figure, random, 5);
      for (Key& key : keys) {
        for (Style& style : key.styles)
          if (style.interpolation == Interpolation::step) style.interpolation = Interpolation::linear;
        if (key.style.interpolation == Interpolation::step) key.style.interpolation = Interpolation::spline;
      }
      const Sequence sequence = good(Sequence::make(figure, keys));
      const Sampler sampler(sequence);
      const double step = 1e-8;
      for (int k = 0; k < 400; ++k) {
        const double at =
            k < 5 ? keys[static_cast<std::size_t>(k)].time : random.between(sequence.start(), sequence.end());
        const VecX a = sampler.at(at - step).theta, b = sampler.at(at + step).theta;
        for (const Channel& channel : sequence.channels()) {
          const VecX x = channel_value(channel, a);
          EXPECT_LT((x - value_near(channel, b, x)).norm(), 1e-4) << channel.name << " at " << at;
        }
      }
    }
}

// By one-sided second-order differences: with continuity 0 and no easing the velocity is continuous.
TEST(Sequence, HasContinuousVelocityAtItsKeys) {
  Random random(33);
  int rotations = 0;
  for (const Figure& limited : motion_sample::some_figures()) {
    if (!limited.limit_rows().empty()) continue;
    const Figure figure = limited.groups().empty() ? without_limits(limited) : limited;  // the trees have none
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<Key> keys = motion_sample::plain_keys(figure, random, 6);
      if (trial > 1)
        for (Key& key : keys) key.style.bend = {random.between(-0.5, 0.5), 0.0, random.between(-0.5, 0.5)};
      const Sequence sequence = good(Sequence::make(figure, keys));
      const Sampler sampler(sequence);
      const double d = 1e-4;
      for (std::size_t k = 1; k + 1 < keys.size(); ++k)
        for (const Channel& channel : sequence.channels()) {
          const double t = keys[k].time;
          const VecX x = channel_value(channel, keys[k].pose.theta);
          const auto at = [&](double time) { return value_near(channel, sampler.at(time).theta, x); };
          const VecX left = (3.0 * x - 4.0 * at(t - d) + at(t - 2.0 * d)) / (2.0 * d);
          const VecX right = (-3.0 * x + 4.0 * at(t + d) - at(t + 2.0 * d)) / (2.0 * d);
          EXPECT_LT((left - right).norm(), 2e-5) << channel.name;
          rotations += channel.kind == ChannelKind::rotation && left.norm() > 0.1;
        }
    }
  }
  EXPECT_GT(rotations, 200);
}

// The formulas of the 1984 paper, written out for even keys.
TEST(Sequence, SplinesAreThoseOfKochanekAndBartels) {
  const Figure figure = without_limits(testing::built(testing::planar_arm()));
  Random random(34);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<Key> keys = motion_sample::plain_keys(figure, random, 4);
    for (std::size_t k = 0; k < 4; ++k) {
      keys[k].time = 0.5 * static_cast<double>(k);
      keys[k].style.bend = {random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)};
    }
    const Sampler sampler(good(Sequence::make(figure, keys)));
    const auto p = [&](std::size_t k) { return keys[k].pose.theta[0]; };
    const auto [t1, c1, b1] = keys[1].style.bend;
    const auto [t2, c2, b2] = keys[2].style.bend;
    const double out =
        (1 - t1) * (1 + c1) * (1 + b1) / 2 * (p(1) - p(0)) + (1 - t1) * (1 - c1) * (1 - b1) / 2 * (p(2) - p(1));
    const double in =
        (1 - t2) * (1 - c2) * (1 + b2) / 2 * (p(2) - p(1)) + (1 - t2) * (1 + c2) * (1 - b2) / 2 * (p(3) - p(2));
    for (const double s : {0.1, 0.45, 0.8}) {
      const double expected = (2 * s * s * s - 3 * s * s + 1) * p(1) + (-2 * s * s * s + 3 * s * s) * p(2) +
                              (s * s * s - 2 * s * s + s) * out + (s * s * s - s * s) * in;
      EXPECT_NEAR(sampler.at(0.5 + 0.5 * s).theta[0], expected, 1e-13);
    }
  }
}

TEST(Sequence, TurnsOnShoemakesQuadrangle) {
  const Figure figure = without_limits(testing::good(simple_human()));
  Random random(35);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Key> keys = motion_sample::plain_keys(figure, random, 4);
    for (std::size_t k = 0; k < 4; ++k) {
      keys[k].time = static_cast<double>(k);
      keys[k].pose.theta *= 0.4;  // Eigen takes the shorter rotation: no inner points of opposite signs
    }
    const Sequence sequence = good(Sequence::make(figure, keys));
    const Sampler sampler(sequence);
    for (const Channel& channel : sequence.channels()) {
      if (channel.kind != ChannelKind::rotation) continue;
      std::vector<Quaternion> q;
      for (const Key& key : keys) {
        const Quaternion next = channel.ball.rotation(key.pose.theta);
        q.push_back(q.empty() || q.back().dot(next) >= 0.0 ? next : Quaternion(-next.coeffs()));
      }
      const auto inner = [&](std::size_t k) {
        const Eigen::AngleAxisd before(q[k].conjugate() * q[k - 1]), after(q[k].conjugate() * q[k + 1]);
        const Vec3 sum = before.angle() * before.axis() + after.angle() * after.axis();  // twice the logarithms
        return q[k] * Quaternion(Eigen::AngleAxisd(0.25 * sum.norm(), -sum.normalized()));
      };
      const double u = random.unit();
      const Quaternion a = q[1].slerp(u, q[2]), b = inner(1).slerp(u, inner(2));
      const Quaternion expected = a.slerp(2.0 * u * (1.0 - u), b);
      const Quaternion found = channel.ball.rotation(sampler.at(1.0 + u).theta);
      EXPECT_LT(found.angularDistance(expected), 1e-7) << channel.name;
    }
  }
}

TEST(Sequence, IsStraightForLinearAndConstantForStepStyles) {
  const Figure figure = without_limits(recorded_walk().figure);
  Random random(36);
  for (const Interpolation kind : {Interpolation::linear, Interpolation::step}) {
    const std::vector<Key> keys = motion_sample::plain_keys(figure, random, 6, {kind});
    const Sequence sequence = good(Sequence::make(figure, keys));
    const Sampler sampler(sequence);
    for (int trial = 0; trial < 200; ++trial) {
      const auto k = static_cast<std::size_t>(random.integer(0, 4));
      const double u = random.unit();
      const VecX found = sampler.at(keys[k].time + u * (keys[k + 1].time - keys[k].time)).theta;
      const VecX &a = keys[k].pose.theta, &b = keys[k + 1].pose.theta;
      if (kind == Interpolation::step) {
        EXPECT_TRUE(equal_bits(found, a));
        continue;
      }
      for (const Channel& channel : sequence.channels()) {
        if (channel.kind == ChannelKind::rotation) {
          const Quaternion expected = channel.ball.rotation(a).slerp(u, channel.ball.rotation(b));
          EXPECT_LT(1.0 - std::fabs(channel.ball.rotation(found).dot(expected)), 1e-14);
        } else {
          const VecX x = channel_value(channel, a), y = channel_value(channel, b);
          EXPECT_LT((channel_value(channel, found) - ((1.0 - u) * x + u * y)).norm(), 1e-13);
        }
      }
    }
  }
}

TEST(Sequence, KeepsALinearMotionLinearAtUnevenKeys) {
  const Figure figure = without_limits(testing::built(testing::seven_joint_arm()));
  Random random(37);
  std::vector<Key> keys = motion_sample::plain_keys(figure, random, 7);
  const VecX start = testing::random_values(random, 7), rate = testing::random_values(random, 7);
  for (Key& key : keys) key.pose.theta = start + key.time * rate;
  const Sampler sampler(good(Sequence::make(figure, keys)));
  for (int trial = 0; trial < 200; ++trial) {
    const double t = random.between(sampler.start(), sampler.end());
    EXPECT_LT((sampler.at(t).theta - (start + t * rate)).norm(), 1e-13);
  }
}

TEST(Sequence, HasConstantSpeedByArcLength) {
  Random random(38);
  for (const Figure& limited : {recorded_walk().figure, good(simple_human())}) {
    const Figure figure = without_limits(limited);
    for (int trial = 0; trial < 3; ++trial) {
      const std::vector<Key> keys =
          motion_sample::plain_keys(figure, random, 5, {Interpolation::spline, true, {-0.3, 0.2, 0.1}});
      const Sequence sequence = good(Sequence::make(figure, keys));
      const Sampler sampler(sequence);
      constexpr int parts = 400;
      for (std::size_t k = 0; k + 1 < keys.size(); ++k) {
        std::vector<VecX> pose;
        for (int i = 0; i <= parts; ++i)
          pose.push_back(sampler.at(keys[k].time + (keys[k + 1].time - keys[k].time) * i / parts).theta);
        for (const Channel& channel : sequence.channels()) {
          std::vector<double> way;
          for (int i = 0; i < parts; ++i) way.push_back(distance(channel, pose[i], pose[i + 1]));
          std::ranges::sort(way);
          const double mean = std::accumulate(way.begin(), way.end(), 0.0) / parts;
          // A value that reverses within a part covers less; it reverses twice at most.
          EXPECT_NEAR(way[2], mean, 0.02 * mean) << channel.name;
          EXPECT_NEAR(way.back(), mean, 0.02 * mean) << channel.name;
          EXPECT_NEAR(way[parts / 2], mean, 0.01 * mean) << channel.name;
        }
      }
    }
  }
}

// Even or not, the same points are passed.
TEST(Sequence, KeepsItsShapeAtConstantSpeed) {
  const Figure figure = without_limits(recorded_walk().figure);
  Random random(39);
  std::vector<Key> keys = motion_sample::plain_keys(figure, random, 5);
  const Sampler plain(good(Sequence::make(figure, keys)));
  for (Key& key : keys) key.style.even = true;
  const Sequence sequence = good(Sequence::make(figure, keys));
  const Sampler even(sequence);
  for (const Channel& channel : sequence.channels())
    for (int trial = 0; trial < 3; ++trial) {
      const auto k = static_cast<std::size_t>(random.integer(0, 3));
      const double from = keys[k].time, h = keys[k + 1].time - from;
      const VecX there = even.at(from + random.unit() * h).theta;
      double nearest = infinity;
      for (int i = 0; i <= 4000; ++i)
        nearest = std::fmin(nearest, distance(channel, plain.at(from + h * i / 4000.0).theta, there));
      EXPECT_LT(nearest, 5e-3) << channel.name;
    }
}

TEST(Sequence, KeepsItsShapeWhenEasedAndRetimed) {
  Random random(40);
  const Figure figure = recorded_walk().figure;
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<Key> keys = motion_sample::plain_keys(figure, random, 5);
    const Sampler plain(good(Sequence::make(figure, keys)));
    for (Key& key : keys) key.ease = {random.between(0.0, 0.5), random.between(0.0, 0.5)};
    const Sampler easy(good(Sequence::make(figure, keys)));
    for (int i = 0; i < 100; ++i) {
      const auto k = static_cast<std::size_t>(random.integer(0, 3));
      const double u = random.unit(), h = keys[k + 1].time - keys[k].time;
      const VecX found = easy.at(keys[k].time + u * h).theta;
      EXPECT_LT((found - plain.at(keys[k].time + eased(keys[k].ease, u) * h).theta).norm(), 1e-10);
    }
    std::vector<TimingKnot> timing = {
        {10.0, keys[0].time}, {11.0, keys[2].time}, {11.5, keys[2].time}, {17.0, keys[4].time + 3.0}};
    std::vector<MonotoneCurve::Knot> knots;
    for (const TimingKnot& knot : timing) knots.push_back({knot.time, knot.shape_time});
    const MonotoneCurve curve(knots);
    const Sequence timed = good(Sequence::make(figure, keys, timing));
    EXPECT_EQ(timed.start(), 10.0);
    EXPECT_EQ(timed.duration(), 7.0);
    const Sampler sampler(timed);
    EXPECT_TRUE(equal_bits(sampler.at(10.0).theta, keys[0].pose.theta));
    for (const double t : {11.0, 11.2, 11.5}) EXPECT_TRUE(equal_bits(sampler.at(t).theta, keys[2].pose.theta));
    EXPECT_TRUE(equal_bits(sampler.at(17.0).theta, keys[4].pose.theta));
    for (int i = 0; i < 100; ++i) {
      const double t = random.between(9.0, 18.0);
      EXPECT_TRUE(equal_bits(sampler.at(t).theta, easy.at(curve(t)).theta));
    }
  }
}

TEST(Sequence, AcceptsAFigureWithoutParameters) {
  FigureDescription d;
  d.name = "stone";
  d.segments = {{"stone"}};
  const Figure figure = testing::built(d);
  const Sequence sequence = good(Sequence::make(figure, {{0.0, figure.rest()}, {1.0, figure.rest()}}));
  EXPECT_EQ(Sampler(sequence).at(0.5).theta.size(), 0);
  EXPECT_EQ(good(sampled(sequence, 0.1)).frames(), 11);
}

TEST(Sequence, DoesNotAllocateInAQuery) {
  Random random(43);
  for (const Figure& figure : {human(), recorded_walk().figure}) {
    const Sequence sequence =
        good(Sequence::make(figure, random_keys(figure, random, 8), {{-3.0, -2.0}, {0.0, 1.0}, {4.0, 9.0}}));
    const Sampler sampler(sequence);
    Pose pose = figure.rest();
    const long before = law::allocations();
    for (int i = 0; i < 1000; ++i) sampler.at(-4.0 + 0.01 * i, pose);
    EXPECT_EQ(law::allocations(), before);
  }
}

TEST(Sequence, OfAClipReproducesTheClip) {
  const motion_sample::Recorded walk = recorded_walk();
  const Sequence all = good(sequence_of(walk.figure, walk.clip));
  EXPECT_EQ(all.keys().size(), 343u);
  const Clip resampled_clip = good(sampled(all, walk.clip.frame_time));
  EXPECT_EQ(resampled_clip.poses, walk.clip.poses);
  const Sequence few = good(sequence_of(walk.figure, walk.clip, 10));
  EXPECT_EQ(few.keys().size(), 36u);
  EXPECT_EQ(few.keys().back().pose.theta, walk.clip.poses.col(342));
  EXPECT_EQ(few.keys()[3].pose.theta, walk.clip.poses.col(30));
  EXPECT_EQ(good(sequence_of(walk.figure, walk.clip, 1'000'000)).keys().size(), 2u);
  EXPECT_EQ(good(sequence_of(walk.figure, good(cut(walk.clip, 4, 4)))).keys().size(), 1u);
  // A spline through every tenth frame approximates the others.
  const Clip smooth = good(sampled(few, walk.clip.frame_time));
  ASSERT_EQ(smooth.frames(), 343);
  double worst = 0.0;
  for (int k = 0; k < 343; ++k)
    for (const Channel& channel : few.channels())
      worst = std::fmax(worst, distance(channel, smooth.poses.col(k), walk.clip.poses.col(k)));
  EXPECT_LT(worst, 0.2);
  EXPECT_FALSE(sampled(all, 0.0));
  EXPECT_FALSE(sampled(all, 1e-9));
  EXPECT_FALSE(sampled(all, std::nan("")));
}

TEST(Sequence, RejectsInvalidKeysByIndex) {
  const Figure figure = testing::built(testing::planar_arm());
  const Pose rest = figure.rest();
  const auto error = [&](std::vector<Key> keys, std::vector<TimingKnot> timing = {}) {
    const Expected<Sequence> made = Sequence::make(figure, std::move(keys), std::move(timing));
    return made ? std::string("fine") : made.error().text();
  };
  EXPECT_EQ(error({{0.0, rest}, {1.0, rest}}), "fine");
  EXPECT_EQ(error({}), "sequence: found no key; expected at least one");
  EXPECT_EQ(error({{0.0, rest}, {1.0, rest}, {1.0, rest}}),
            "key 2: found time 1 s after 1 s; expected increasing times");
  EXPECT_EQ(error({{std::nan(""), rest}}),
            "key 0: found a time of nan s; expected a number of magnitude 1e100 at most");
  EXPECT_EQ(error({{0.0, rest}, {1.0, {VecX::Zero(3)}}}),
            "key 1: found a pose of 3 parameters; expected 2, as in the figure");
  EXPECT_EQ(error({{0.0, {Eigen::Vector2d(0.0, infinity)}}}),
            "key 0, parameter 'elbow.turn': found inf; expected a number of magnitude 1e100 at most");
  EXPECT_EQ(error({{0.0, rest, {0.7, 0.7}}}),
            "key 0: found ease 0.7 in and 0.7 out; expected fractions of 0 or more, together at most 1");
  EXPECT_EQ(error({{0.0, rest, {}, {Interpolation::linear, false, {2.0, 0.0, 0.0}}}}),
            "key 0: found tension 2; expected a number from -1 to 1");
  EXPECT_EQ(error({{0.0, rest, {}, {}, {{}, {Interpolation::spline, false, {0.0, 0.0, std::nan("")}}}}}),
            "key 0, channel 'elbow.turn': found bias nan; expected a number from -1 to 1");
  EXPECT_EQ(error({{0.0, rest, {}, {}, {{}}}}), "key 0: found 1 styles; expected none, or 2, one per channel");
  EXPECT_EQ(error({{0.0, rest}}, {{0.0, 0.0}}), "timing curve: found one knot; expected none, or at least two");
  EXPECT_EQ(error({{0.0, rest}}, {{0.0, 1.0}, {1.0, 0.5}}),
            "timing knot 1: found shape time 0.5 s after 1 s; expected shape times that do not decrease");
  EXPECT_EQ(error({{0.0, rest}}, {{0.0, 1.0}, {0.0, 1.5}}),
            "timing knot 1: found 0 s after 0 s; expected increasing times");
  EXPECT_FALSE(sequence_of(figure, {"none", 0.1, MatX(2, 0)}));
  EXPECT_FALSE(sequence_of(figure, {"some", 0.1, MatX::Zero(2, 3)}, 0));
}

TEST(Channels, BlendByTheShortestRotationWithAnglesNearBoth) {
  const Figure figure = recorded_walk().figure;
  Random random(44);
  for (const Channel& channel : channels_of(figure)) {
    const VecX a = testing::random_pose(figure, random).theta, b = testing::random_pose(figure, random).theta;
    VecX between = a;
    blend(channel, a, b, 0.3, between);
    const double whole = distance(channel, a, b);
    EXPECT_NEAR(distance(channel, a, between), 0.3 * whole, 1e-7) << channel.name;
    EXPECT_NEAR(distance(channel, between, b), 0.7 * whole, 1e-7) << channel.name;
    if (channel.kind != ChannelKind::rotation) continue;
    // More than half a turn about one axis: the rotation goes the other way, with an angle near those of the two.
    VecX rest = VecX::Zero(a.size()), far = rest;
    far[channel.parameters[0]] = -4.0;
    blend(channel, rest, far, 0.9, between);
    EXPECT_NEAR(between[channel.parameters[0]], 0.9 * (2.0 * pi - 4.0) - 2.0 * pi, 1e-12);
  }
}

TEST(Channels, ContainEveryParameterOnce) {
  for (const Figure& figure : motion_sample::some_figures(20)) {
    std::vector<int> seen(figure.parameters().size(), 0);
    for (const Channel& channel : channels_of(figure))
      for (int t = 0; t < channel.size(); ++t) ++seen[static_cast<std::size_t>(channel.parameters[t])];
    for (const int count : seen) EXPECT_EQ(count, 1);
  }
  const std::vector<Channel> channels = channels_of(human());
  EXPECT_EQ(channels[0].name, "root position");
  EXPECT_EQ(channels[1].name, "root rotation");
  EXPECT_EQ(channels[static_cast<std::size_t>(good(find_channel(channels, "neck rotation")))].kind,
            ChannelKind::rotation);
  EXPECT_FALSE(find_channel(channels, "neck rotatoin"));
}

}  // namespace sequence_test
}  // namespace limber
