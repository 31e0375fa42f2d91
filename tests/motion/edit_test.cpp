// Edits of sequences, and their exact inverses.
#include "limber/motion/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/motion/motion_sample.h"

namespace limber {
namespace edit_test {

using motion_sample::plain_keys;
using motion_sample::random_keys;
using motion_sample::recorded_walk;
using testing::good;

std::vector<double> times_of(const Sequence& sequence) {
  std::vector<double> times;
  for (const Key& key : sequence.keys()) times.push_back(key.time);
  return times;
}

// Keys at 0, 1, 2, … s of a small figure; the first value is the index of the key.
Sequence counted(int keys, std::vector<TimingKnot> timing = {}) {
  const Figure figure = testing::built(testing::planar_arm());
  std::vector<Key> list;
  for (int k = 0; k < keys; ++k) list.push_back({1.0 * k, {Eigen::Vector2d(0.01 * k, 0.1)}});
  return good(Sequence::make(figure, list, std::move(timing)));
}

std::vector<int> numbers_of(const Sequence& sequence) {
  std::vector<int> numbers;
  for (const Key& key : sequence.keys()) numbers.push_back(static_cast<int>(std::round(100.0 * key.pose.theta[0])));
  return numbers;
}

KeyRange random_range(const Sequence& sequence, Random& random) {
  const int keys = static_cast<int>(sequence.keys().size());
  const int first = random.integer(-1, keys - 1);
  return {first, random.integer(0, std::max(1, std::min(keys - first, 4)))};
}

Expected<Edit> random_edit(const Sequence& sequence, const Sequence& other, Random& random) {
  const KeyRange range = random_range(sequence, random);
  const Later later = random.chance(0.5) ? Later::stay : Later::move;
  const double time = random.between(sequence.keys().front().time - 1.0, sequence.keys().back().time + 1.0);
  switch (random.integer(0, 12)) {
    case 0:
      return erase(sequence, range, later);
    case 1:
      return paste(sequence, other.keys(), random.chance(0.3) ? sequence.keys().back().time : time, later);
    case 2: {
      Key key = other.keys().front();
      key.time = time;
      return insert(sequence, key);
    }
    case 3: {
      Key key = other.keys().front();
      key.time = time;
      return replace(sequence, range.first, key);
    }
    case 4:
      return stretch(sequence, range, random.between(0.0, 3.0), time);
    case 5:
      return slide(sequence, range, random.between(-0.5, 0.5), later);
    case 6:
      return reverse(sequence, range);
    case 7:
      return mirror(sequence, range);
    case 8:
      return retime(sequence, random.chance(0.3)
                                  ? std::vector<TimingKnot>{}
                                  : std::vector<TimingKnot>{{0.0, -1.0}, {1.5, time}, {4.0, time + 2.0}});
    case 9:
      return blend(sequence, other, random.unit());
    case 10:
      return cross_fade(sequence, other, random.between(0.1, 0.8));
    case 11:
      return resample(sequence, random.between(0.2, 1.0));
    default:
      return reduce(sequence, {radians(random.between(5.0, 60.0)), 0.3});
  }
}

TEST(Edit, FollowedByItsInverseIsTheIdentityBitForBit) {
  for (const auto& [seed, figure] : {std::pair(51, human()), std::pair(52, recorded_walk().figure),
                                     std::pair(53, testing::built(testing::planar_arm()))}) {
    Random random(static_cast<std::uint64_t>(seed));
    Sequence sequence = good(Sequence::make(figure, random_keys(figure, random, 6), {{0.0, -1.0}, {3.0, 2.0}}));
    const Sequence first = sequence;
    std::vector<Edit> done;
    int rejected = 0;
    for (int trial = 0; trial < 300; ++trial) {
      const Sequence other = good(Sequence::make(figure, random_keys(figure, random, 3)));
      const Expected<Edit> edit = random_edit(sequence, other, random);
      if (!edit) {
        ++rejected;
        EXPECT_FALSE(edit.error().text().empty());
        continue;
      }
      const Sequence after = good(apply(sequence, *edit));
      EXPECT_TRUE(same(good(apply(after, inverse(*edit))), sequence)) << trial;
      if (!edit->empty()) {
        EXPECT_FALSE(same(after, sequence)) << trial;
      }
      if (after.keys().size() > 12) continue;
      sequence = after;
      done.push_back(*edit);
    }
    EXPECT_GT(done.size(), 80u) << rejected << " rejected, seed " << seed;
    std::ranges::reverse(done);
    for (const Edit& edit : done) sequence = good(apply(sequence, inverse(edit)));
    EXPECT_TRUE(same(sequence, first));
  }
}

TEST(Edit, IsRejectedIfItsKeysDoNotMatch) {
  const Sequence five = counted(5), six = counted(6);
  Edit edit = good(erase(five, {1, 2}));
  EXPECT_EQ(edit.first, 1);
  EXPECT_EQ(edit.removed.size(), 2u);
  EXPECT_TRUE(edit.inserted.empty());
  EXPECT_TRUE(apply(six, edit));
  edit.removed[1].pose.theta[1] = std::nextafter(edit.removed[1].pose.theta[1], 1.0);
  EXPECT_EQ(apply(five, edit).error().text(), "edit: found 2 keys from 1; expected the keys of the sequence");
  edit = good(erase(five, {1, 2}));
  for (const int first : {-1, 0, 2, 4, 5, 6}) {
    edit.first = first;
    EXPECT_FALSE(apply(five, edit)) << first;
  }
  EXPECT_FALSE(erase(five, {0, 5})) << "no key would remain";
  EXPECT_FALSE(erase(five, {3, 3}));
  EXPECT_FALSE(erase(five, {-1, 2}));
  EXPECT_FALSE(copy(five, {2, 0}));
}

TEST(Edit, ErasesAndCutsWithLaterKeysStayingOrMoving) {
  const Sequence five = counted(5);
  const Sequence stay = good(apply(five, good(erase(five, {1, 2}))));
  EXPECT_EQ(times_of(stay), (std::vector<double>{0.0, 3.0, 4.0}));
  EXPECT_EQ(numbers_of(stay), (std::vector<int>{0, 3, 4}));
  const Cut taken = good(cut(five, {1, 2}, Later::move));
  ASSERT_EQ(taken.keys.size(), 2u);
  EXPECT_TRUE(same(taken.keys[1], five.keys()[2]));
  const Sequence moved = good(apply(five, taken.edit));
  EXPECT_EQ(times_of(moved), (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(numbers_of(moved), (std::vector<int>{0, 3, 4}));
}

TEST(Edit, PastesOverOrBetween) {
  const Sequence five = counted(5);
  const std::vector<Key> keys = good(copy(counted(9), {6, 3}));
  const Sequence between = good(apply(five, good(paste(five, keys, 1.5))));
  EXPECT_EQ(numbers_of(between), (std::vector<int>{0, 1, 6, 7, 8, 2, 3, 4}));
  EXPECT_EQ(times_of(between), (std::vector<double>{0.0, 1.0, 1.5, 2.5, 3.5, 4.0, 5.0, 6.0}));
  const Sequence over = good(apply(five, good(paste(five, keys, 1.5, Later::stay))));
  EXPECT_EQ(numbers_of(over), (std::vector<int>{0, 1, 6, 7, 8, 4}));
  EXPECT_EQ(times_of(over), (std::vector<double>{0.0, 1.0, 1.5, 2.5, 3.5, 4.0}));
  // A cycle at its own end.
  const Sequence twice = good(apply(five, good(paste(five, five.keys(), 4.0))));
  EXPECT_EQ(numbers_of(twice), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 4}));
  EXPECT_EQ(times_of(twice), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_FALSE(paste(five, {}, 1.0));
  EXPECT_FALSE(paste(five, keys, std::nan("")));
}

TEST(Edit, InsertsAndReplaces) {
  const Sequence five = counted(5);
  Key key = five.keys()[0];
  key.time = 2.5;
  EXPECT_EQ(times_of(good(apply(five, good(insert(five, key))))), (std::vector<double>{0, 1, 2, 2.5, 3, 4}));
  key.time = 3.0;
  EXPECT_FALSE(insert(five, key));
  EXPECT_FALSE(replace(five, 2, key));
  key.time = 2.9;
  const Sequence other = good(apply(five, good(replace(five, 2, key))));
  EXPECT_EQ(times_of(other), (std::vector<double>{0, 1, 2.9, 3, 4}));
  EXPECT_EQ(numbers_of(other), (std::vector<int>{0, 1, 0, 3, 4}));
  EXPECT_FALSE(replace(five, 5, key));
}

TEST(Edit, StretchesAndSlides) {
  const Sequence five = counted(5, {{0.0, 0.0}, {1.0, 2.0}, {2.0, 3.5}, {3.0, 4.0}});
  const Sequence wide = good(apply(five, good(stretch(five, {1, 3}, 2.0, 1.0))));
  EXPECT_EQ(times_of(wide), (std::vector<double>{0, 1, 3, 5, 6}));
  EXPECT_EQ(wide.timing()[1].shape_time, 3.0) << "the knots keep their places between the keys";
  EXPECT_EQ(wide.timing()[2].shape_time, 5.5);
  EXPECT_EQ(wide.timing()[3].time, 3.0);
  EXPECT_EQ(times_of(good(apply(five, good(stretch(five, {1, 3}, 0.5, 3.0))))), (std::vector<double>{1, 2, 2.5, 3, 4}));
  EXPECT_EQ(times_of(good(apply(five, good(slide(five, {2, 2}, -0.5))))), (std::vector<double>{0, 1, 1.5, 2.5, 4}));
  EXPECT_EQ(times_of(good(apply(five, good(slide(five, {2, 2}, 1.5, Later::move))))),
            (std::vector<double>{0, 1, 3.5, 4.5, 5.5}));
  EXPECT_FALSE(slide(five, {2, 2}, 1.0)) << "onto the next key";
  EXPECT_FALSE(slide(five, {2, 2}, -1.5)) << "past the one before";
  EXPECT_FALSE(slide(five, {2, 2}, std::nan("")));
  for (const double factor : {0.0, -1.0, infinity, std::nan(""), 1e-12})
    EXPECT_FALSE(stretch(five, {1, 3}, factor, 1.0));
}

// Stretched as a whole, the same poses are passed at other times.
TEST(Edit, StretchedIsTheSameMotionSlower) {
  const Figure figure = recorded_walk().figure;
  Random random(54);
  const Sequence sequence = good(Sequence::make(figure, random_keys(figure, random, 6)));
  const double start = sequence.start();
  const Sequence slow = good(apply(sequence, good(stretch(sequence, all_keys(sequence), 2.5, start))));
  const Sampler before(sequence), after(slow);
  for (int k = 0; k < 300; ++k) {
    const double t = random.between(0.0, sequence.duration());
    EXPECT_LT((before.at(start + t).theta - after.at(start + 2.5 * t).theta).norm(), 1e-9);
  }
}

TEST(Edit, ReversedPassesTheSamePosesBackwards) {
  Random random(55);
  for (const Figure& figure : {human(), recorded_walk().figure, testing::built(testing::seven_joint_arm())})
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Key> keys = random_keys(figure, random, 6);
      for (Key& key : keys) {
        const auto no_step = [&](Style& style) {
          if (style.interpolation == Interpolation::step) style.interpolation = Interpolation::spline;
          style.even = false;
        };
        no_step(key.style);
        for (Style& style : key.styles) no_step(style);
      }
      std::vector<TimingKnot> timing;
      if (trial % 2 == 0)
        timing = {{0.0, keys[0].time}, {1.0, keys[1].time + 0.01}, {5.0, keys[5].time - 0.2}, {6.0, keys[5].time}};
      const Sequence sequence = good(Sequence::make(figure, keys, timing));
      const Sequence back = good(apply(sequence, good(reverse(sequence, all_keys(sequence)))));
      const Sampler a(sequence), b(back);
      for (int k = 0; k < 200; ++k) {
        const double t = random.between(sequence.start(), sequence.end());
        const VecX there = a.at(t).theta, here = b.at(sequence.start() + (sequence.end() - t)).theta;
        for (const Channel& channel : sequence.channels())
          EXPECT_LT(distance(channel, there, here), 1e-7) << channel.name << " at " << t;
      }
      EXPECT_EQ(back.keys().back().ease.in, keys.back().ease.in);
    }
}

TEST(Edit, ReversesARangeAndLeavesTheRest) {
  const Sequence seven = counted(7);
  const Sequence back = good(apply(seven, good(reverse(seven, {2, 3}))));
  EXPECT_EQ(numbers_of(back), (std::vector<int>{0, 1, 4, 3, 2, 5, 6}));
  EXPECT_EQ(times_of(back), times_of(seven));
}

TEST(Edit, MirroredTwiceIsItselfBitForBit) {
  Random random(56);
  for (const Figure& figure : {human(), good(simple_human())}) {
    const Sequence sequence = good(Sequence::make(figure, random_keys(figure, random, 6)));
    const KeyRange all = all_keys(sequence);
    const Sequence once = good(apply(sequence, good(mirror(sequence, all))));
    EXPECT_FALSE(same(once, sequence));
    EXPECT_TRUE(same(good(apply(once, good(mirror(once, all)))), sequence));
    // Mirroring the keys mirrors the motion.
    const Sampler a(sequence), b(once);
    for (int k = 0; k < 300; ++k) {
      const double t = random.between(sequence.start(), sequence.end());
      const VecX image = figure.mirrored(a.at(t)).theta, found = b.at(t).theta;
      for (const Channel& channel : sequence.channels())
        EXPECT_LT(distance(channel, image, found), 1e-7) << channel.name << " at " << t;
    }
  }
  const Sequence arm = counted(3);
  EXPECT_EQ(mirror(arm, {0, 3}).error().text(),
            "mirror: found a figure without mirror pairs; expected a figure with mirror pairs");
}

TEST(Edit, BlendsByChannelBetweenTwoMotions) {
  Random random(57);
  const Figure figure = recorded_walk().figure;
  const Sequence a = good(Sequence::make(figure, plain_keys(figure, random, 6)));
  std::vector<Key> keys = plain_keys(figure, random, 5);
  for (std::size_t k = 0; k < 5; ++k) keys[k].time = a.keys()[k].time + 0.05;
  const Sequence b = good(Sequence::make(figure, keys));
  EXPECT_EQ(good(blend(a, a, 0.3)).inserted.size(), good(blend(a, a, 0.3)).removed.size());
  const Sampler from(a), to(b);
  for (const double weight : {0.0, 0.25, 1.0}) {
    const Sequence mixed = good(apply(a, good(blend(a, b, weight))));
    EXPECT_EQ(mixed.keys().size(), 11u);
    for (const Key& key : mixed.keys()) {
      const VecX x = from.at(key.time).theta, y = to.at(key.time).theta;
      for (const Channel& channel : a.channels()) {
        const double whole = distance(channel, x, y);
        EXPECT_NEAR(distance(channel, x, key.pose.theta), weight * whole, 1e-7);
        EXPECT_NEAR(distance(channel, key.pose.theta, y), (1.0 - weight) * whole, 1e-7);
      }
    }
  }
  EXPECT_FALSE(blend(a, b, 1.1));
  EXPECT_FALSE(blend(a, b, std::nan("")));
  EXPECT_FALSE(blend(a, counted(3), 0.5));
}

TEST(Edit, CrossFadesFromOneMotionIntoTheNext) {
  const motion_sample::Recorded walk = recorded_walk();
  const Sequence a = good(sequence_of(walk.figure, good(cut(walk.clip, 0, 160)), 10));
  const Sequence b = good(sequence_of(walk.figure, good(cut(walk.clip, 50, 342)), 10));
  const double seconds = 0.5, begin = a.end() - seconds;
  const Sequence both = good(apply(a, good(cross_fade(a, b, seconds))));
  EXPECT_NEAR(both.duration(), a.duration() + b.duration() - seconds, 1e-12);
  const Sampler first(a), next(b), faded(both);
  for (const Key& key : both.keys()) {
    const Pose x = first.at(key.time), y = next.at(key.time - begin);
    if (key.time <= begin) {
      EXPECT_LT((key.pose.theta - x.theta).norm(), 1e-12);
    } else if (key.time >= begin + seconds) {
      EXPECT_LT((key.pose.theta - y.theta).norm(), 1e-9);
    } else {
      const double w = smooth_step((key.time - begin) / seconds);
      for (const Channel& channel : a.channels())
        EXPECT_NEAR(distance(channel, x.theta, key.pose.theta), w * distance(channel, x.theta, y.theta), 1e-7);
    }
  }
  for (const double bad : {0.0, -1.0, 10.0, std::nan("")}) EXPECT_FALSE(cross_fade(a, b, bad));
}

TEST(Edit, ResamplesAtAnEvenRateWithTheLastKey) {
  Random random(58);
  const Figure figure = human();
  const Sequence sequence = good(Sequence::make(figure, random_keys(figure, random, 5)));
  const Sampler sampler(sequence);
  const Sequence even = good(apply(sequence, good(resample(sequence, 0.1))));
  EXPECT_EQ(even.start(), sequence.start());
  EXPECT_EQ(even.end(), sequence.end());
  for (std::size_t k = 0; k + 1 < even.keys().size(); ++k) {
    EXPECT_NEAR(even.keys()[k].time, sequence.start() + 0.1 * static_cast<double>(k), 1e-12);
    EXPECT_EQ(even.keys()[k].pose.theta, sampler.at(even.keys()[k].time).theta);
  }
  const Sequence five = counted(5);
  EXPECT_EQ(times_of(good(apply(five, good(resample(five, 2.0))))), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(times_of(good(apply(five, good(resample(five, 3.0))))), (std::vector<double>{0, 3, 4}));
  for (const double bad : {0.0, -1.0, 1e-8, infinity, std::nan("")}) EXPECT_FALSE(resample(five, bad)) << bad;
  EXPECT_TRUE(resample(counted(1), 1.0));
}

double max_error(const Sequence& all, const Sequence& few, const Tolerance& tolerance) {
  const Sampler sampler(few);
  double worst = 0.0;
  for (const Key& key : all.keys()) {
    const VecX found = sampler.at(key.time).theta;
    for (const Channel& channel : all.channels())
      worst = std::fmax(
          worst, distance(channel, found, key.pose.theta) / (channel.metres ? tolerance.length : tolerance.angle));
  }
  return worst;
}

// The recording is noisy by several degrees from frame to frame, and a key is a whole pose: at one degree more than
// half of its 343 frames are needed, at five a sixth.
TEST(Edit, ReducesARecordingWithinTheTolerance) {
  const motion_sample::Recorded walk = recorded_walk();
  const Sequence all = good(sequence_of(walk.figure, walk.clip));
  for (const auto& [angle_deg, max_keys] : {std::pair(1.0, 210u), std::pair(5.0, 60u), std::pair(20.0, 20u)}) {
    const Tolerance tolerance = {radians(angle_deg), 0.005 * angle_deg};
    const Sequence few = good(apply(all, good(reduce(all, tolerance))));
    EXPECT_LE(max_error(all, few, tolerance), 1.0) << angle_deg;
    EXPECT_LE(few.keys().size(), max_keys) << angle_deg;
    RecordProperty("keys at " + std::to_string(static_cast<int>(angle_deg)), static_cast<int>(few.keys().size()));
    EXPECT_TRUE(same(few.keys().front(), all.keys().front()));
    EXPECT_TRUE(same(few.keys().back(), all.keys().back()));
  }
  EXPECT_FALSE(reduce(all, {0.0, 1.0}));
  EXPECT_FALSE(reduce(all, {1.0, std::nan("")}));
  EXPECT_FALSE(reduce(all, {}, {Interpolation::spline, false, {3.0, 0.0, 0.0}}));
}

// A spline through few keys is recovered from its frames by a twelfth of them.
TEST(Edit, ReducesASmoothMotionToFewKeys) {
  Random random(59);
  const Figure figure = human();
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<Key> keys = plain_keys(figure, random, 6);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      keys[k].time = static_cast<double>(k);
      keys[k].pose.theta *= 0.3;
    }
    const Sequence made = good(Sequence::make(figure, keys));
    const Sequence dense = good(apply(made, good(resample(made, 1.0 / 60.0))));
    EXPECT_EQ(dense.keys().size(), 301u);
    const Sequence few = good(apply(dense, good(reduce(dense))));
    EXPECT_LE(max_error(dense, few, {}), 1.0);
    EXPECT_LE(few.keys().size(), 25u);
  }
}

}  // namespace edit_test
}  // namespace limber
