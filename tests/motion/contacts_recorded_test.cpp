// Contacts in recorded motions.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "limber/base/random.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/motion/contacts.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace contacts_recorded_test {

using testing::good;

constexpr std::uint64_t real_contact_seed = 1994;

std::vector<Contact> of_real_place(const std::vector<Contact>& contacts, const std::string& place) {
  std::vector<Contact> out;
  std::copy_if(contacts.begin(), contacts.end(), std::back_inserter(out),
               [&](const Contact& c) { return c.place == place; });
  return out;
}

struct RealMotion {
  Figure figure;
  Clip clip;
};

std::string bytes_of_data(const std::string& name) {
  std::ifstream stream(source_dir() + "/data/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

RealMotion real_motion(const std::string& motion, const std::string& skeleton = {}) {
  std::optional<Content> bones;
  if (!skeleton.empty()) bones = good(read_content(bytes_of_data(skeleton), skeleton));
  const Content content = good(read_content(bytes_of_data(motion), motion, {}, {}, bones ? &*bones : nullptr));
  return {good(with_common_names(bones ? *bones->figure : *content.figure)), content.clips.at(0)};
}

RealMotion real_walk() { return real_motion("acclaim/02_01.amc", "acclaim/02.asf"); }

struct Expectation {
  const char* place;
  int first, last;
};

// Frames as read from a plot of heights and speeds, to within some frames: contact has no sharp start or end.
void expect_as_seen(const std::vector<Contact>& contacts, const std::vector<Expectation>& seen, int slack) {
  ASSERT_EQ(contacts.size(), seen.size());
  for (const Expectation& e : seen) {
    const bool found = std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
      return c.place == e.place && std::abs(c.first - e.first) <= slack && std::abs(c.last - e.last) <= slack;
    });
    EXPECT_TRUE(found) << e.place << " " << e.first << " " << e.last;
  }
}

TEST(Contacts, OfAWalkAlternateWithoutFlight) {
  const RealMotion walk_2_1 = real_walk();
  const std::vector<Contact> contacts = good(find_contacts(walk_2_1.figure, walk_2_1.clip));
  expect_as_seen(contacts,
                 {{"right_ball", 0, 14},
                  {"left_ankle", 8, 70},
                  {"left_ball", 12, 80},
                  {"right_ankle", 75, 136},
                  {"right_ball", 80, 148},
                  {"left_ankle", 142, 202},
                  {"left_ball", 146, 213},
                  {"right_ankle", 210, 268},
                  {"right_ball", 213, 280},
                  {"left_ankle", 276, 334},
                  {"left_ball", 278, 342}},
                 4);
  // The balls of the feet: right, left, right, left, right, left.
  std::string order;
  for (const Contact& c : contacts)
    if (c.place.ends_with("_ball")) order += c.place[0];
  EXPECT_EQ(order, "rlrlrl");
  for (int k = 0; k < walk_2_1.clip.frames(); ++k)
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
      return c.first <= k && k <= c.last;
    })) << k;
  const SlidingReport report = good(sliding(walk_2_1.figure, walk_2_1.clip, contacts));
  EXPECT_EQ(report.all.contacts, 11);
  EXPECT_EQ(report.places.size(), 4U);
  EXPECT_NEAR(report.all.mean_speed, 0.10, 0.02);
  EXPECT_NEAR(report.all.mean_distance, 0.05, 0.01);
  EXPECT_LT(report.all.max_drift, 0.06);
}

// Another skeleton in another format, converted from the same recording, with an extra rest frame at the start.
TEST(Contacts, OfOneRecordingAreTheSameInTwoFiles) {
  const RealMotion one = real_walk(), two = real_motion("bvh/cmu_02_01.bvh");
  const std::vector<Contact> a = good(find_contacts(one.figure, one.clip)),
                             b = good(find_contacts(two.figure, two.clip));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(b[i].place, a[i].place);
    EXPECT_NEAR(b[i].last, a[i].last + 1, 2);
    if (i > 0) {
      EXPECT_NEAR(b[i].first, a[i].first + 1, 2);
    }
    EXPECT_LT((b[i].at - a[i].at).norm(), 0.01);
  }
}

TEST(Contacts, OfACartwheelLeaveBothFeetInTheAir) {
  const RealMotion wheel = real_motion("bvh/cmu_49_06.bvh");
  const std::vector<Contact> contacts = good(find_contacts(wheel.figure, wheel.clip));
  expect_as_seen(contacts,
                 {{"left_ankle", 6, 175},
                  {"left_ball", 6, 188},
                  {"right_ankle", 6, 92},
                  {"right_ball", 6, 98},
                  {"right_ankle", 170, 221},
                  {"right_ball", 170, 225},
                  {"left_ball", 305, 362},
                  {"left_ankle", 308, 390},
                  {"right_ball", 372, 468},
                  {"right_ankle", 376, 462},
                  {"left_ankle", 441, 481},
                  {"left_ball", 445, 481}},
                 5);
  for (const Contact& c : contacts) EXPECT_TRUE(c.last < 230 || c.first > 300) << c.place;
}

// A run: one foot at a time, and flight in between.
TEST(Contacts, OfARunAlternateWithFlight) {
  const RealMotion run = real_motion("acclaim/09_06.amc", "acclaim/09.asf");
  const std::vector<Contact> contacts = good(find_contacts(run.figure, run.clip, {"left_ball", "right_ball"}));
  ASSERT_EQ(contacts.size(), 3U);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    EXPECT_EQ(contacts[i].place, i == 1 ? "left_ball" : "right_ball");
    if (i > 0) {
      EXPECT_GT(contacts[i].start - contacts[i - 1].end, 0.1);
    }
  }
}

TEST(Contacts, AreThoseOfTheBodyInAnyPlaceAndHeading) {
  const RealMotion real = real_walk();
  const std::vector<Contact> usual = good(find_contacts(real.figure, real.clip));
  Random random(real_contact_seed);
  for (int k = 0; k < 5; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << real_contact_seed << ", case " << k);
    const Frame X = {rotation(Vec3::UnitY(), random.between(-pi, pi)), 5.0 * random.direction()};
    FigureDescription description = real.figure.description();
    for (JointDescription& joint : description.joints)
      if (joint.parent.empty()) joint.in_parent = X * joint.in_parent;
    const std::vector<Contact> moved = good(find_contacts(testing::built(description), real.clip));
    ASSERT_EQ(moved.size(), usual.size());
    for (std::size_t i = 0; i < usual.size(); ++i) {
      EXPECT_EQ(moved[i].place, usual[i].place);
      EXPECT_EQ(moved[i].first, usual[i].first);
      EXPECT_EQ(moved[i].last, usual[i].last);
      EXPECT_LT((moved[i].at - X * usual[i].at).norm(), 1e-9);
    }
  }
}

TEST(Contacts, OfARealWalkAreTheSameAtLowerRates) {
  const RealMotion real = real_walk();
  const std::vector<Contact> usual = good(find_contacts(real.figure, real.clip));
  for (const double rate : {60.0, 30.0, 24.0}) {
    const Clip slower = good(resampled(real.figure, real.clip, 1.0 / rate));
    const std::vector<Contact> contacts = good(find_contacts(real.figure, slower));
    ASSERT_EQ(contacts.size(), usual.size()) << rate;
    for (const char* place : {"left_ankle", "left_ball", "right_ankle", "right_ball"}) {
      const std::vector<Contact> a = of_real_place(usual, place), b = of_real_place(contacts, place);
      ASSERT_EQ(a.size(), b.size()) << rate;
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i].start, b[i].start, 1.0 / rate + 1e-9) << rate << " " << place;
        EXPECT_NEAR(a[i].end, b[i].end, 1.0 / rate + 1e-9) << rate << " " << place;
      }
    }
  }
}

}  // namespace contacts_recorded_test
}  // namespace limber
