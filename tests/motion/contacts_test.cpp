// Contacts in synthetic motions.
#include "limber/motion/contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "tests/support/figures.h"

namespace limber {
namespace contacts_test {

using testing::good;

constexpr std::uint64_t contact_seed = 1993;

// Two feet that translate freely, and a head that gives the figure the length of a person, times `size`.
Figure two_feet(double size = 1.0) {
  FigureDescription d;
  d.name = "two feet";
  for (const std::string side : {"left", "right"}) {
    d.segments.push_back({side});
    d.joints.push_back(
        {side,
         "",
         side,
         {},
         {},
         {testing::shift("x", Vec3::UnitX()), testing::shift("y", Vec3::UnitY()), testing::shift("z", Vec3::UnitZ())}});
    d.sites.push_back({side + "_ankle", side, at(size * Vec3(0, 0.08, 0))});
    d.sites.push_back({side + "_ball", side, at(size * Vec3(0, 0.02, 0.12))});
  }
  d.sites.push_back({"head", "left", at(size * Vec3(0, person_length, 0))});
  return testing::built(d);
}

struct Stand {
  double start, end;  // seconds
};

// One foot: it stands, and between two stands it steps along z, up to 0.2 m high. Before its first stand
// and after its last it is in a step.
struct Leg {
  std::vector<Stand> stands;
  double swing = 0.5;  // seconds of a step
  double step = 0.7;   // metres

  Vec3 at(double t) const {
    double z = 0.0;
    for (std::size_t i = 0; i < stands.size(); ++i, z += step) {
      const double before = i == 0 ? stands[i].start - swing : stands[i - 1].end;
      if (t < before) return {0, 0, z - step};
      if (t < stands[i].start) return moving((t - before) / (stands[i].start - before), z - step);
      if (t <= stands[i].end) return {0, 0, z};
    }
    return moving(std::min(1.0, (t - stands.back().end) / swing), z - step);
  }

 private:
  Vec3 moving(double u, double from) const {
    const double height = 0.2 * std::sin(pi * u) * std::sin(pi * u);
    return {0, height, from + step * u * u * (3.0 - 2.0 * u)};
  }
};

using Way = std::function<Vec3(double)>;

// Both feet by time.
Clip clip_of(const Way& left, const Way& right, double seconds, double rate, double size = 1.0) {
  Clip clip{"feet", 1.0 / rate, MatX(6, static_cast<Eigen::Index>(std::floor(seconds * rate + 1e-9)) + 1)};
  for (int k = 0; k < clip.frames(); ++k) {
    clip.poses.col(k).head<3>() = size * left(k / rate);
    clip.poses.col(k).tail<3>() = size * right(k / rate);
  }
  return clip;
}

const Leg left_leg = {{{0.3, 1.2}, {1.8, 2.6}, {3.1, 4.3}}};
const Leg right_leg = {{{-1.0, 0.4}, {0.9, 2.0}, {2.4, 3.3}, {3.8, 5.0}}};  // the motion begins and ends in contact
constexpr double walk_seconds = 4.8;

Clip walk(double rate, double size = 1.0) {
  return clip_of([](double t) { return left_leg.at(t); }, [](double t) { return right_leg.at(t); }, walk_seconds, rate,
                 size);
}

std::vector<Contact> of_place(const std::vector<Contact>& contacts, const std::string& place) {
  std::vector<Contact> out;
  std::copy_if(contacts.begin(), contacts.end(), std::back_inserter(out),
               [&](const Contact& c) { return c.place == place; });
  return out;
}

void expect_stands(const std::vector<Contact>& contacts, const std::string& place, const Leg& leg, double slack,
                   double seconds = walk_seconds) {
  const std::vector<Contact> found = of_place(contacts, place);
  ASSERT_EQ(found.size(), leg.stands.size()) << place;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].start, std::fmax(0.0, leg.stands[i].start), slack) << place << " " << i;
    EXPECT_NEAR(found[i].end, std::fmin(seconds, leg.stands[i].end), slack) << place << " " << i;
  }
}

TEST(Contacts, AreWhereTheLegStandsAtAnyRate) {
  const Figure figure = two_feet();
  std::vector<std::vector<Contact>> by_rate;
  // A foot that begins to lift is still slow and low.
  constexpr double lifting = 0.08;
  for (const double rate : {24.0, 30.0, 60.0, 120.0, 240.0}) {
    SCOPED_TRACE(rate);
    const std::vector<Contact> contacts = good(find_contacts(figure, walk(rate)));
    EXPECT_EQ(contacts.size(), 14U);
    for (const char* place : {"left_ankle", "left_ball"}) expect_stands(contacts, place, left_leg, lifting);
    for (const char* place : {"right_ankle", "right_ball"}) expect_stands(contacts, place, right_leg, lifting);
    for (const Contact& c : contacts) {
      EXPECT_DOUBLE_EQ(c.start, c.first / rate);
      EXPECT_DOUBLE_EQ(c.end, c.last / rate);
      EXPECT_LE(c.first, c.last);
    }
    EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(),
                               [](const Contact& a, const Contact& b) { return a.first < b.first; }));
    by_rate.push_back(contacts);
  }
  // To within a frame at 24 per second.
  for (const std::vector<Contact>& contacts : by_rate)
    for (const char* place : {"left_ankle", "left_ball", "right_ankle", "right_ball"}) {
      const std::vector<Contact> one = of_place(contacts, place), other = of_place(by_rate.back(), place);
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_NEAR(one[i].start, other[i].start, 1.0 / 24.0 + 1e-9);
        EXPECT_NEAR(one[i].end, other[i].end, 1.0 / 24.0 + 1e-9);
      }
    }
}

TEST(Contacts, UseAWindowOfAtLeastTwoFrames) {
  const Figure figure = two_feet();
  const auto frames = [&](double window) {
    std::vector<std::pair<int, int>> out;
    for (const Contact& c : good(find_contacts(figure, walk(24.0), {}, {.window = window})))
      out.emplace_back(c.first, c.last);
    return out;
  };
  EXPECT_EQ(frames(1e-300), frames(2.0 / 24.0));
  EXPECT_NE(frames(0.3), frames(2.0 / 24.0));
}

TEST(Contacts, GiveThePositionOfThePlace) {
  const std::vector<Contact> contacts = good(find_contacts(two_feet(), walk(60.0)));
  const std::vector<Contact> ball = of_place(contacts, "left_ball"), ankle = of_place(contacts, "left_ankle");
  for (std::size_t i = 0; i < ball.size(); ++i) {
    EXPECT_LT((ball[i].at - Vec3(0, 0.02, 0.12 + 0.7 * static_cast<double>(i))).norm(), 0.01) << i;
    EXPECT_LT((ankle[i].at - Vec3(0, 0.08, 0.7 * static_cast<double>(i))).norm(), 0.01) << i;
  }
}

TEST(Contacts, AreTheSameInNoise) {
  const Figure figure = two_feet();
  Random random(contact_seed);
  for (int k = 0; k < 20; ++k)
    for (const double rate : {24.0, 60.0, 120.0}) {
      SCOPED_TRACE(::testing::Message() << "seed " << contact_seed << ", case " << k << ", rate " << rate);
      Clip clip = walk(rate);
      for (Eigen::Index j = 0; j < clip.poses.size(); ++j) clip.poses(j) += random.between(-0.003, 0.003);
      const std::vector<Contact> contacts = good(find_contacts(figure, clip));
      for (const char* place : {"left_ankle", "left_ball"}) expect_stands(contacts, place, left_leg, 0.1);
      for (const char* place : {"right_ankle", "right_ball"}) expect_stands(contacts, place, right_leg, 0.1);
      for (const Contact& c : contacts) EXPECT_NEAR(c.at.y(), c.place.ends_with("_ball") ? 0.02 : 0.08, 0.0015);
    }
}

TEST(Contacts, IgnoreAFewFramesFarBelow) {
  const Figure figure = two_feet();
  const Clip clip = walk(60.0);
  Clip mistracked = clip;
  mistracked.poses.block(1, 40, 1, 8).array() -= 0.5;  // the left foot, in its first stand
  const std::vector<Contact> usual = good(find_contacts(figure, clip, {}, {.max_gap = 0.3}));
  const std::vector<Contact> contacts = good(find_contacts(figure, mistracked, {}, {.max_gap = 0.3}));
  ASSERT_EQ(contacts.size(), usual.size());
  for (std::size_t i = 0; i < usual.size(); ++i) {
    EXPECT_EQ(contacts[i].first, usual[i].first);
    EXPECT_EQ(contacts[i].last, usual[i].last);
    EXPECT_NEAR(contacts[i].at.y(), usual[i].at.y(), 0.002);
  }
}

// Lying, an ankle rests some centimetres lower than standing: each contact has its own height.
TEST(Contacts, KeepTheHeightOfAPlaceThatRestsAboveItsGroundLevel) {
  const Figure figure = two_feet();
  constexpr double raised = 0.03;  // metres, within enter_height
  const Way left = [](double t) { return Vec3(0, t < 1.0 ? raised : t < 1.2 ? raised + 0.3 * (t - 1.0) : 0.0, 0); };
  const Clip clip = clip_of(left, left, 2.5, 60.0);
  const std::vector<Contact> contacts = of_place(good(find_contacts(figure, clip)), "left_ball");
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_NEAR(contacts[0].at.y(), 0.02 + raised, 0.005);
  EXPECT_NEAR(contacts[1].at.y(), 0.02, 0.005);
}

// The left foot stands for two seconds, interrupted by a hop along x.
Clip hop(double moved) {
  const Way left = [moved](double t) {
    const double u = (t - 1.0) / 0.1;
    if (u <= 0.0) return Vec3(0, 0, 0);
    if (u >= 1.0) return Vec3(moved, 0, 0);
    return Vec3(moved * u, 0.15 * std::sin(pi * u), 0);
  };
  return clip_of(left, [](double) { return Vec3(0, 0, 0); }, 2.0, 120.0);
}

TEST(Contacts, BridgeGapsUpToMaxGap) {
  const Figure figure = two_feet();
  const Clip clip = hop(0.0);
  const auto found = [&](double max_gap) {
    return good(find_contacts(figure, clip, {"left_ball", "right_ball"}, {.max_gap = max_gap}));
  };
  const std::vector<Contact> apart = of_place(found(0.0), "left_ball");
  ASSERT_EQ(apart.size(), 2U);
  const double gap = apart[1].start - apart[0].end;
  EXPECT_GT(gap, 0.1) << "as long as the hop";
  EXPECT_LT(gap, 0.2);
  EXPECT_EQ(of_place(found(gap - clip.frame_time), "left_ball").size(), 2U);
  const std::vector<Contact> bridged = of_place(found(gap), "left_ball");
  ASSERT_EQ(bridged.size(), 1U);
  EXPECT_EQ(bridged[0].first, 0);
  EXPECT_EQ(bridged[0].last, clip.frames() - 1);
  // Not if the foot stands elsewhere after it.
  const ContactOptions wide = {.max_gap = 0.3};
  EXPECT_EQ(of_place(good(find_contacts(figure, hop(0.04), {"left_ball"}, wide)), "left_ball").size(), 1U);
  EXPECT_EQ(of_place(good(find_contacts(figure, hop(0.08), {"left_ball"}, wide)), "left_ball").size(), 2U);
}

TEST(Contacts, LastAtLeastTheMinimumDuration) {
  const Figure figure = two_feet();
  const Clip clip = walk(120.0);
  const Contact second = of_place(good(find_contacts(figure, clip)), "left_ball").at(1);
  const auto count = [&](double min_duration) {
    return of_place(good(find_contacts(figure, clip, {}, {.min_duration = min_duration})), "left_ball").size();
  };
  EXPECT_EQ(count(second.end - second.start), 3U);
  EXPECT_EQ(count(second.end - second.start + clip.frame_time), 2U) << "the shortest of the three goes";
}

// Each threshold alone is enough to leave; all are needed to enter.
TEST(Contacts, EnterByTheNarrowThresholdsAndLeaveByTheWideOnes) {
  const Figure figure = two_feet();
  const Way still = [](double) { return Vec3(0, 0, 0); };
  // At rest in the first second, later at some speed along the floor.
  const auto sliding_at = [&](double speed) {
    const Way left = [speed](double t) { return Vec3(0, t < 1.0 ? 0.0 : t < 2.0 ? 1.0 : 0.0, speed * t); };
    const Way quiet = [left](double t) { return t < 1.0 ? Vec3(0, 0, 0) : left(t); };
    const Clip clip = clip_of(quiet, still, 3.0, 60.0);
    return of_place(good(find_contacts(figure, clip, {"left_ball"}, {.max_slope = 0.0})), "left_ball").size();
  };
  const ContactOptions usual;
  EXPECT_EQ(sliding_at(0.9 * usual.enter_speed), 2U);
  EXPECT_EQ(sliding_at(1.1 * usual.enter_speed), 1U) << "slow enough to stay, not to begin";
  const auto held_at = [&](double height) {
    const Way left = [height](double t) { return Vec3(0, t < 1.0 ? 0.0 : t < 2.0 ? 1.0 : height, 0); };
    const Clip clip = clip_of(left, still, 3.0, 60.0);
    return of_place(good(find_contacts(figure, clip, {"left_ball"})), "left_ball").size();
  };
  EXPECT_EQ(held_at(0.9 * usual.enter_height), 2U);
  EXPECT_EQ(held_at(1.1 * usual.enter_height), 1U) << "low enough to stay, not to begin";
  // A contact lasts up to the wide thresholds.
  const auto rising_to = [&](double height) {
    const Way left = [height](double t) { return Vec3(0, std::clamp(0.1 * (t - 1.0), 0.0, height), 0); };
    return good(find_contacts(figure, clip_of(left, still, 3.0, 60.0), {"left_ball"})).at(0).end;
  };
  EXPECT_EQ(rising_to(0.95 * usual.leave_height), 3.0);
  EXPECT_LT(rising_to(1.1 * usual.leave_height), 2.0);
}

TEST(Contacts, AreTheSameBackward) {
  const Figure figure = two_feet();
  const Clip clip = walk(60.0);
  Clip backward = clip;
  backward.poses = clip.poses.rowwise().reverse();
  const int last = clip.frames() - 1;
  const std::vector<Contact> there = good(find_contacts(figure, clip)), back = good(find_contacts(figure, backward));
  ASSERT_EQ(there.size(), back.size());
  for (const Contact& c : there) {
    const bool found = std::any_of(back.begin(), back.end(), [&](const Contact& d) {
      return d.place == c.place && d.first == last - c.last && d.last == last - c.first;
    });
    EXPECT_TRUE(found) << c.place << " " << c.first;
  }
}

TEST(Contacts, ScaleWithTheFigure) {
  const std::vector<Contact> usual = good(find_contacts(two_feet(), walk(60.0)));
  for (const double size : {1e-3, 0.1, 10.0, 1e3}) {
    const std::vector<Contact> scaled = good(find_contacts(two_feet(size), walk(60.0, size)));
    ASSERT_EQ(scaled.size(), usual.size()) << size;
    for (std::size_t i = 0; i < usual.size(); ++i) {
      EXPECT_EQ(scaled[i].place, usual[i].place);
      EXPECT_EQ(scaled[i].first, usual[i].first);
      EXPECT_EQ(scaled[i].last, usual[i].last);
      EXPECT_LT((scaled[i].at - size * usual[i].at).norm(), 1e-9 * size);
    }
  }
}

TEST(Contacts, AreFoundOnAFloorThatIsNotLevel) {
  const Figure figure = two_feet();
  Leg far = {{}, 0.4, 0.7};
  for (int k = 0; k < 8; ++k) far.stands.push_back({0.2 + k, 0.8 + k});
  for (const double slope : {-0.03, 0.03}) {
    const Way left = [&](double t) { return Vec3(far.at(t) + slope * far.at(t).z() * Vec3::UnitY()); };
    const Way right = [&](double t) { return Vec3(left(t - 0.5) + Vec3(0.2, 0, 0)); };
    const Clip clip = clip_of(left, right, 8.0, 60.0);
    const std::vector<Contact> contacts = good(find_contacts(figure, clip));
    expect_stands(contacts, "left_ball", far, 0.08, 8.0);
    for (const Contact& c : of_place(contacts, "left_ball"))
      EXPECT_NEAR(c.at.y(), 0.02 + slope * (c.at.z() - 0.12), 0.005) << c.first;
    // The steps at the high end exceed the thresholds above a level floor.
    EXPECT_LT(of_place(good(find_contacts(figure, clip, {}, {.max_slope = 0.0})), "left_ball").size(), 5U);
  }
}

TEST(Contacts, ExcludeARaisedFoot) {
  const Figure figure = two_feet();
  const auto held_at = [&](double height, const ContactOptions& options) {
    const Way up = [height](double) { return Vec3(0, height, 0); };
    const Way down = [](double) { return Vec3(0, -0.3, 0); };
    return good(find_contacts(figure, clip_of(up, down, 2.0, 30.0), {"left_ball", "right_ball"}, options));
  };
  EXPECT_EQ(held_at(-0.28, {}).size(), 2U);
  ASSERT_EQ(held_at(0.0, {}).size(), 1U);
  EXPECT_EQ(held_at(0.0, {})[0].place, "right_ball");
  // Both are raised if the floor is known to be far below.
  EXPECT_TRUE(held_at(0.0, {.floor = -1.0}).empty());
  EXPECT_EQ(held_at(0.0, {.floor = 0.0}).size(), 2U);
}

TEST(Sliding, IsTheDistanceAlongTheFloor) {
  const Figure figure = two_feet();
  // The left foot moves half a metre and back in two seconds while it bobs; the right one stands.
  const Way left = [](double t) {
    return Vec3(0.3 * std::min(t, 2.0 - t), 0.05 * std::sin(9.0 * t), 0.4 * std::min(t, 2.0 - t));
  };
  const Clip clip = clip_of(left, [](double) { return Vec3(1, 0, 1); }, 2.0, 50.0);
  const std::vector<Contact> contacts = {{"left_ball", 0, 100}, {"right_ball", 10, 60}, {"left_ball", 20, 30}};
  const SlidingReport report = good(sliding(figure, clip, contacts));
  ASSERT_EQ(report.places.size(), 2U);
  EXPECT_EQ(report.places[0].name, "left_ball");
  const Sliding& moving = report.places[0].sliding;
  EXPECT_EQ(moving.contacts, 2);
  EXPECT_NEAR(moving.seconds, 2.2, 1e-12);
  EXPECT_NEAR(moving.mean_speed, 0.5, 1e-12);
  EXPECT_NEAR(moving.mean_distance, 0.5 * (1.0 + 0.1), 1e-12);
  EXPECT_NEAR(moving.max_drift, 0.5, 1e-12) << "not 1: it came back";
  const Sliding& standing = report.places[1].sliding;
  EXPECT_EQ(standing.contacts, 1);
  EXPECT_EQ(standing.mean_speed, 0.0);
  EXPECT_EQ(standing.mean_distance, 0.0);
  EXPECT_EQ(standing.max_drift, 0.0);
  EXPECT_EQ(report.all.contacts, 3);
  EXPECT_NEAR(report.all.seconds, 3.2, 1e-12);
  EXPECT_NEAR(report.all.mean_distance, 1.1 / 3.0, 1e-12);
  EXPECT_NEAR(report.all.mean_speed, 1.1 / 3.2, 1e-12);
  EXPECT_EQ(good(sliding(figure, clip, {})).all.contacts, 0);
}

TEST(Sliding, RejectsContactsOfAnotherMotion) {
  const Figure figure = two_feet();
  const Clip clip = walk(30.0);
  EXPECT_EQ(sliding(figure, clip, {{"left_ball", 10, 145}}).error().text(),
            "contact of 'left_ball': found frames 10 to 145; expected frames from 0 to 144");
  EXPECT_FALSE(sliding(figure, clip, {{"left_ball", -1, 5}}));
  EXPECT_FALSE(sliding(figure, clip, {{"left_ball", 6, 5}}));
  EXPECT_FALSE(sliding(figure, clip, {{"left_thumb", 0, 5}}));
}

TEST(Contacts, UseTheFeetByDefault) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(good(foot_places(human())), (Names{"left_heel", "left_ball", "right_heel", "right_ball"}));
  EXPECT_EQ(good(foot_places(two_feet())), (Names{"left_ankle", "left_ball", "right_ankle", "right_ball"}));
  const Figure arm = testing::built(testing::planar_arm());
  EXPECT_EQ(foot_places(arm).error().text(),
            "figure 'planar arm': found the sites 'tip'; expected left_heel, left_ankle, left_ball or left_toe");
  EXPECT_FALSE(find_contacts(arm, {"none", 0.1, MatX::Zero(2, 10)}));
  EXPECT_TRUE(find_contacts(arm, {"none", 0.1, MatX::Zero(2, 10)}, {"tip"}));
}

TEST(Contacts, RejectOptionsOutOfRange) {
  const Figure figure = two_feet();
  const Clip clip = walk(30.0);
  EXPECT_FALSE(find_contacts(figure, clip, {"left_thumb"}));
  EXPECT_EQ(find_contacts(figure, {"one", 0.1, MatX::Zero(6, 1)}).error().text(),
            "motion 'one': found 1 frames; expected at least two");
  EXPECT_EQ(find_contacts(figure, {"other", 0.1, MatX::Zero(5, 9)}).error().text(),
            "motion 'other': found 5 numbers per frame; expected 6, as for figure 'two feet'");
  Clip broken = clip;
  broken.poses(3, 4) = std::nan("");
  EXPECT_FALSE(find_contacts(figure, broken));
  broken = clip;
  broken.frame_time = 0.0;
  EXPECT_FALSE(find_contacts(figure, broken));
  for (const ContactOptions& options :
       {ContactOptions{.floor = infinity}, ContactOptions{.max_ground_height = 0.0}, ContactOptions{.max_slope = -1.0},
        ContactOptions{.leave_height = 0.01}, ContactOptions{.enter_speed = 0.0}, ContactOptions{.enter_speed = 1.0},
        ContactOptions{.window = 0.0}, ContactOptions{.min_duration = -1.0}, ContactOptions{.max_gap = std::nan("")},
        ContactOptions{.bridge_distance = -1.0}})
    EXPECT_FALSE(find_contacts(figure, clip, {}, options));
  EXPECT_EQ(find_contacts(figure, clip, {}, {.leave_speed = 0.1}).error().text(),
            "leave_speed: found 0.1; expected at least enter_speed");
}

}  // namespace contacts_test
}  // namespace limber
