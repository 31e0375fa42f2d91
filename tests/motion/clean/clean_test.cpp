// Foot-slide removal: contacts are locked, and the rest of the motion is preserved.
#include "limber/motion/clean/clean.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "tests/law/random_problem.h"
#include "tests/motion/carried_sample.h"

namespace limber {
namespace clean_test {

using carried_sample::path_of;
using carried_sample::RecordedMotion;
using testing::good;

constexpr std::uint64_t clean_seed = 1206;
constexpr double lock_tolerance = 1e-4;  // metres

// Two recordings: a walk that exceeds the limits of its skeleton, and a cartwheel.
std::vector<RecordedMotion> motions_to_clean() {
  std::vector<RecordedMotion> motions = {carried_sample::carried_walk(), carried_sample::carried("bvh/cmu_49_06.bvh")};
  // Fewer frames under the sanitizers.
  if (law::are_quick())
    for (RecordedMotion& motion : motions) motion.clip = carried_sample::thinned(motion.clip, 4);
  return motions;
}

double max_change(const Clip& a, const Clip& b) { return (a.poses - b.poses).cwiseAbs().maxCoeff(); }

double max_acceleration(const Figure& figure, const Clip& clip, const std::string& place) {
  const std::vector<Vec3> x = path_of(figure, clip, place);
  double largest = 0.0;
  for (std::size_t k = 1; k + 1 < x.size(); ++k)
    largest = std::fmax(largest, (x[k - 1] - 2.0 * x[k] + x[k + 1]).norm());
  return largest / (clip.frame_time * clip.frame_time);
}

Contact contact_at(const std::string& place, int first, int last, const Vec3& at, double frame_time = 0.1) {
  return {place, first, last, first * frame_time, last * frame_time, at};
}

double distance_at_rest(const Figure& figure, const std::string& a, const std::string& b) {
  const Clip rest{"rest", 1.0, figure.rest().theta};
  return (path_of(figure, rest, a)[0] - path_of(figure, rest, b)[0]).norm();
}

// --- The whole motion

TEST(CleanFeet, LocksEveryContactWithoutPops) {
  for (const RecordedMotion& motion : motions_to_clean()) {
    SCOPED_TRACE(motion.clip.name);
    const Cleaned out = good(clean_feet(motion.figure, motion.clip));
    ASSERT_EQ(out.clip.frames(), motion.clip.frames());
    EXPECT_EQ(out.clip.frame_time, motion.clip.frame_time);
    EXPECT_GE(out.contacts.size(), 11U);
    EXPECT_TRUE(out.report.met());
    EXPECT_LE(carried_sample::max_error(motion.figure, out.clip, out.contacts), lock_tolerance);
    EXPECT_GT(carried_sample::max_error(motion.figure, motion.clip, out.contacts), 100.0 * lock_tolerance);
    EXPECT_LE(carried_sample::worst_limit(motion.figure, out.clip), 1e-12);
    EXPECT_EQ(out.before.all.contacts, static_cast<int>(out.contacts.size()));
    EXPECT_GT(out.before.all.mean_distance, 0.01) << "metres: recorded feet slide";
    EXPECT_LT(out.after.all.mean_distance, 0.01 * out.before.all.mean_distance);
    EXPECT_LT(out.after.all.max_drift, 2.0 * lock_tolerance);
    // No pops: at most twice the largest acceleration of the recorded motion.
    for (const char* place : {"left_ankle", "right_ankle", "left_ball", "right_ball", "pelvis"})
      EXPECT_LE(max_acceleration(motion.figure, out.clip, place),
                2.0 * max_acceleration(motion.figure, motion.clip, place))
          << place;
  }
}

// A cleaned motion keeps its contacts.
TEST(CleanFeet, LeavesACleanMotionUnchanged) {
  for (RecordedMotion motion : motions_to_clean()) {
    SCOPED_TRACE(motion.clip.name);
    if (motion.clip.frames() > 200) motion.clip = carried_sample::thinned(motion.clip, 4);
    const Figure figure = carried_sample::widened(motion.figure, motion.clip);
    const Cleaned out = good(clean_feet(figure, motion.clip));
    TimedProblem problem(figure);
    ASSERT_TRUE(lock_contacts(out.contacts, out.clip, CleanOptions{}.ease, problem));
    const SolvedMotion repeated = good(solve_motion(problem, out.clip, CleanOptions{}.motion));
    EXPECT_TRUE(repeated.report.met());
    EXPECT_GT(max_change(out.clip, motion.clip), 0.1);
    EXPECT_LT(max_change(repeated.clip, out.clip), 0.02) << "radians or metres";
    // Eased steps are slow for longer, so that detected contacts may be some frames longer, but not elsewhere.
    const Cleaned twice = good(clean_feet(figure, out.clip));
    ASSERT_EQ(twice.contacts.size(), out.contacts.size());
    for (const Contact& contact : out.contacts)
      EXPECT_TRUE(std::any_of(twice.contacts.begin(), twice.contacts.end(),
                              [&](const Contact& found) {
                                return found.place == contact.place && found.first <= contact.last &&
                                       contact.first <= found.last && (found.at - contact.at).norm() < 0.005;
                              }))
          << contact.place << " " << contact.first;
  }
}

// More than a second away from a contact the motion hardly changes.
TEST(CleanFeet, ChangesOnlyFramesNearAContact) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Clip clip = carried_sample::thinned(walk.clip, 4);
  const Figure figure = carried_sample::widened(walk.figure, clip);
  const std::vector<Contact> all = good(find_contacts(figure, clip));
  const CleanOptions options;
  const std::vector<Contact> one = {all.at(1)};
  TimedProblem problem(figure);
  ASSERT_TRUE(lock_contacts(one, clip, options.ease, problem));
  const SolvedMotion out = good(solve_motion(problem, clip, options.motion));
  EXPECT_LE(carried_sample::max_error(figure, out.clip, one), lock_tolerance);
  const int begin = one[0].last + static_cast<int>(std::ceil((options.ease + 1.0) / clip.frame_time));
  ASSERT_LT(begin, clip.frames() - 10);
  const auto change = [&](int first, int last) {
    return (out.clip.poses - clip.poses).middleCols(first, last - first + 1).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(change(begin, clip.frames() - 1), 0.02 * change(one[0].first, one[0].last));
}

// A frame in which the figure is elsewhere, as the T-pose before many recordings, is not drawn to the first contact.
TEST(CleanFeet, LeavesAFigureThatIsElsewhereBeforeAContact) {
  RecordedMotion motion = carried_sample::carried_walk();
  // At this rate contacts are found within the time of easing after a jump.
  motion.clip.poses = motion.clip.poses.leftCols(160).eval();
  const Figure figure = carried_sample::widened(motion.figure, motion.clip);
  const std::vector<Contact> contacts = good(find_contacts(figure, motion.clip));
  int first = motion.clip.frames();
  for (const Contact& contact : contacts)
    if (contact.first > 20) first = std::min(first, contact.first);
  ASSERT_LT(first, motion.clip.frames());
  // All frames before a contact are a metre aside and turned.
  for (int k = 0; k < first; ++k) {
    motion.clip.poses(good(figure.find_parameter("root.tx")), k) += 1.0;
    motion.clip.poses(good(figure.find_parameter("root.ry")), k) += 1.0;
  }
  const Cleaned out = good(clean_feet(figure, motion.clip));
  ASSERT_FALSE(out.contacts.empty());
  const double corrected = carried_sample::max_error(figure, motion.clip, out.contacts);
  EXPECT_LT(corrected, 0.1);
  EXPECT_LE(carried_sample::max_error(figure, out.clip, out.contacts), lock_tolerance);
  for (const char* place : {"left_knee", "right_knee", "left_ankle", "right_ankle", "pelvis", "head_top"}) {
    const std::vector<Vec3> before = path_of(figure, motion.clip, place), after = path_of(figure, out.clip, place);
    for (std::size_t k = 0; k < static_cast<std::size_t>(first); ++k)
      EXPECT_LE((after[k] - before[k]).norm(), 2.0 * corrected) << place << ", frame " << k;
  }
}

// Contacts are corrected by a few centimetres, and nothing moves much farther: not the free foot, nor the hands.
TEST(CleanFeet, StaysNearTheRecordingBetweenContacts) {
  constexpr double max_moved = 0.08;  // metres
  RecordedMotion motion = carried_sample::carried_walk();
  motion.figure = carried_sample::widened(motion.figure, motion.clip);
  const Cleaned out = good(clean_feet(motion.figure, motion.clip));
  for (const Site& site : motion.figure.sites()) {
    const std::vector<Vec3> before = path_of(motion.figure, motion.clip, site.name),
                            after = path_of(motion.figure, out.clip, site.name);
    for (std::size_t k = 0; k < before.size(); ++k)
      ASSERT_LE((after[k] - before[k]).norm(), max_moved) << site.name << ", frame " << k;
  }
}

TEST(CleanFeet, WithoutAContactIsUnchanged) {
  const RecordedMotion walk = carried_sample::carried_walk();
  EXPECT_GT(carried_sample::worst_limit(walk.figure, walk.clip), 0.1) << "although it exceeds limits";
  const Cleaned out = good(clean_feet(walk.figure, walk.clip, {.places = {"head_top"}}));
  EXPECT_TRUE(out.contacts.empty());
  EXPECT_EQ(out.clip.poses, walk.clip.poses);
  EXPECT_TRUE(out.report.met());
}

TEST(CleanFeet, IsTheSameInAnyPlaceAndHeading) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Clip clip = carried_sample::thinned(walk.clip, 4);
  const Figure figure = carried_sample::widened(walk.figure, clip);
  const Cleaned usual = good(clean_feet(figure, clip));
  Random random(clean_seed);
  for (int k = 0; k < 3; ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << clean_seed << ", case " << k);
    const Frame X = {rotation(Vec3::UnitY(), random.between(-pi, pi)), 5.0 * random.direction()};
    FigureDescription description = figure.description();
    for (JointDescription& joint : description.joints)
      if (joint.parent.empty()) joint.in_parent = X * joint.in_parent;
    const Cleaned moved = good(clean_feet(testing::built(description), clip));
    ASSERT_EQ(moved.contacts.size(), usual.contacts.size());
    for (std::size_t i = 0; i < usual.contacts.size(); ++i)
      EXPECT_LT((moved.contacts[i].at - X * usual.contacts[i].at).norm(), 1e-8);
    EXPECT_LT(max_change(moved.clip, usual.clip), 1e-5);
  }
}

TEST(CleanFeet, RejectsInvalidMotions) {
  const RecordedMotion walk = carried_sample::carried_walk();
  const Clip clip = carried_sample::thinned(walk.clip, 8);
  EXPECT_FALSE(clean_feet(human(), clip)) << "a motion of another figure";
  EXPECT_FALSE(clean_feet(walk.figure, clip, {.places = {"left_fin"}}));
  EXPECT_FALSE(clean_feet(walk.figure, clip, {.ease = -0.1}));
  EXPECT_FALSE(clean_feet(walk.figure, clip, {.contacts = {.window = 0.0}}));
  EXPECT_FALSE(clean_feet(walk.figure, clip, {.motion = {.guide = 0.0}}));
  Clip broken = clip;
  broken.poses(3, 5) = std::nan("");
  EXPECT_FALSE(clean_feet(walk.figure, broken));
  broken = good(cut(clip, 0, 0));
  EXPECT_FALSE(clean_feet(walk.figure, broken)) << "a single frame";
  const Figure arm = testing::built(testing::planar_arm());
  EXPECT_FALSE(clean_feet(arm, {"arm", 0.1, arm.rest().theta.replicate(1, 5)})) << "no feet";
}

// --- Consistent contacts

TEST(MadeConsistent, GivesPlacesOfOneSegmentTheirDistance) {
  const Figure figure = human();
  const double heel_to_ball = distance_at_rest(figure, "left_heel", "left_ball");
  Random random(clean_seed);
  for (int k = 0; k < law::law_count(200); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << clean_seed << ", case " << k);
    const Vec3 a = testing::random_vector(random), b = a + heel_to_ball * random.between(0.5, 2.0) * random.direction();
    const int first = random.integer(0, 20);
    const std::vector<Contact> in = {contact_at("left_heel", 0, 10, a),
                                     contact_at("left_ball", first, first + random.integer(0, 20), b)};
    const std::vector<Contact> out = made_consistent(figure, in);
    ASSERT_EQ(out.size(), 2U);
    if (first > 10) {
      EXPECT_EQ(out[0].at, a);
      EXPECT_EQ(out[1].at, b);
      continue;
    }
    EXPECT_NEAR((out[1].at - out[0].at).norm(), heel_to_ball, 1e-8);
    EXPECT_LE((out[0].at + out[1].at - a - b).norm(), 1e-12) << "both move by half the error";
    EXPECT_LE((out[1].at - out[0].at).normalized().cross((b - a).normalized()).norm(), 1e-9);
    const std::vector<Contact> again = made_consistent(figure, out);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(again[static_cast<std::size_t>(i)].at, out[static_cast<std::size_t>(i)].at) << "they fit";
      EXPECT_EQ(out[static_cast<std::size_t>(i)].first, in[static_cast<std::size_t>(i)].first);
      EXPECT_EQ(out[static_cast<std::size_t>(i)].last, in[static_cast<std::size_t>(i)].last);
    }
  }
}

// A place with two contacts during one of another, three places of one foot, in any order.
TEST(MadeConsistent, FitsManyAtOnce) {
  FigureDescription description = human().description();
  description.sites.push_back({"left_instep", "left_foot", at({0.03, 0.08, 0.05})});
  const Figure figure = testing::built(description);
  const Clip rest{"rest", 1.0, figure.rest().theta};
  Random random(clean_seed + 1);
  for (int k = 0; k < law::law_count(100); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << clean_seed + 1 << ", case " << k);
    const auto near = [&](const char* place) {
      return Vec3(path_of(figure, rest, place)[0] + 0.03 * testing::random_vector(random));
    };
    std::vector<Contact> in = {
        contact_at("left_heel", 0, 10, near("left_heel")), contact_at("left_ball", 5, 30, near("left_ball")),
        contact_at("left_heel", 25, 40, near("left_heel")), contact_at("left_ball", 35, 50, near("left_ball")),
        contact_at("left_instep", 0, 50, near("left_instep"))};
    for (std::size_t i = in.size() - 1; i > 0; --i)
      std::swap(in[i], in[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    const std::vector<Contact> out = made_consistent(figure, in);
    for (const Contact& a : out)
      for (const Contact& b : out) {
        if (a.place == b.place || a.last < b.first || b.last < a.first) continue;
        EXPECT_NEAR((a.at - b.at).norm(), distance_at_rest(figure, a.place, b.place), 1e-7)
            << a.place << " " << b.place;
      }
    for (std::size_t i = 0; i < in.size(); ++i) EXPECT_LT((out[i].at - in[i].at).norm(), 0.1);
  }
}

TEST(MadeConsistent, LeavesPlacesThatMoveRelativeToEachOther) {
  const Figure figure = human();
  const std::vector<Contact> in = {contact_at("left_heel", 0, 10, {0, 0, 0}),
                                   contact_at("right_ball", 0, 10, {1, 0, 0}),
                                   contact_at("left_knee", 0, 10, {0, 1, 0}), contact_at("nowhere", 0, 10, {1, 1, 0})};
  const std::vector<Contact> out = made_consistent(figure, in);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i].at, in[i].at) << in[i].place;
  EXPECT_TRUE(made_consistent(figure, {}).empty());
}

// A rotating joint is fixed to its parent; a sliding one, or a place beyond it, is not.
TEST(MadeConsistent, DetectsWhichJointsAreFixed) {
  FigureDescription description = testing::planar_arm();
  description.sites.push_back({"wrist", "upper", at({0.25, 0.5, 0})});
  const auto apart = [&](const char* one, const char* two) {
    const std::vector<Contact> out = made_consistent(
        testing::built(description), {contact_at(one, 0, 10, {0, 0, 0}), contact_at(two, 0, 10, {0, 0, 2})});
    return (out[0].at - out[1].at).norm();
  };
  const double to_elbow = std::hypot(0.75, 0.5);
  EXPECT_NEAR(apart("wrist", "elbow"), to_elbow, 1e-8);
  EXPECT_NEAR(apart("elbow", "wrist"), to_elbow, 1e-8);
  EXPECT_NEAR(apart("lower", "wrist"), to_elbow, 1e-8) << "a segment begins at its joint";
  EXPECT_NEAR(apart("elbow", "tip"), 1.0, 1e-8);
  EXPECT_EQ(apart("wrist", "tip"), 2.0);
  EXPECT_EQ(apart("tip", "base"), 2.0);
  description.joints[1].freedoms.push_back(testing::shift("slide", Vec3::UnitX()));
  EXPECT_EQ(apart("wrist", "elbow"), 2.0);
  EXPECT_EQ(apart("elbow", "wrist"), 2.0);
}

// The ankle and the ball of a recorded skeleton are the two ends of a segment.
TEST(MadeConsistent, ConnectsAnkleAndBallOfARecordedFoot) {
  const Figure figure = carried_sample::carried_walk().figure;
  const std::vector<Contact> out =
      made_consistent(figure, {contact_at("left_ankle", 0, 10, {0, 0, 0}), contact_at("left_ball", 3, 20, {0, 0, 1})});
  EXPECT_NEAR((out[0].at - out[1].at).norm(), distance_at_rest(figure, "left_ankle", "left_ball"), 1e-8);
}

// --- Contacts as locks

TEST(LockContacts, ShortensEasingToFit) {
  const Figure figure = human();
  Random random(clean_seed + 2);
  const double ease = 0.3, h = 0.01;
  for (int k = 0; k < law::law_count(100); ++k) {
    SCOPED_TRACE(::testing::Message() << "seed " << clean_seed + 2 << ", case " << k);
    std::vector<Contact> contacts;
    for (const char* place : {"left_heel", "right_heel"})
      for (int i = 0, frame = random.integer(0, 50); i < 6; ++i) {
        const int last = frame + random.integer(1, 30);
        contacts.push_back(contact_at(place, frame, last, testing::random_vector(random), h));
        frame = last + random.integer(1, 100);
      }
    for (std::size_t i = contacts.size() - 1; i > 0; --i)
      std::swap(contacts[i], contacts[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    TimedProblem problem(figure);
    const Clip still{"still", h, figure.rest().theta.replicate(1, 1000)};
    ASSERT_TRUE(lock_contacts(contacts, still, ease, problem));
    ASSERT_EQ(problem.demands().size(), contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Demand& demand = problem.demands()[i];
      EXPECT_EQ(demand.name, contacts[i].place);
      EXPECT_EQ(demand.span.from, contacts[i].start);
      EXPECT_EQ(demand.span.to, contacts[i].end);
      EXPECT_EQ(std::get<Position>(demand.goal).p, contacts[i].at);
      double room_before = infinity, room_after = infinity;
      for (const Contact& other : contacts) {
        if (other.place != contacts[i].place) continue;
        if (other.last < contacts[i].first) room_before = std::fmin(room_before, contacts[i].start - other.end);
        if (other.first > contacts[i].last) room_after = std::fmin(room_after, other.start - contacts[i].end);
      }
      EXPECT_NEAR(demand.span.ease_in, std::fmin(ease, 0.5 * room_before), 1e-12);
      EXPECT_NEAR(demand.span.ease_out, std::fmin(ease, 0.5 * room_after), 1e-12);
    }
  }
}

// The goal comes and goes with the place of the motion, so that a foot far from its contact is not drawn there.
TEST(LockContacts, EasesOnlyTheCorrection) {
  const Figure figure = human();
  const double h = 0.1;
  Clip moving{"moving", h, figure.rest().theta.replicate(1, 30)};
  for (int k = 0; k < 30; ++k) moving.poses(good(figure.find_parameter("root.x")), k) = 0.05 * k * k;
  const std::vector<Vec3> x = path_of(figure, moving, "left_heel");
  const Vec3 correction(0.01, 0.02, -0.03);
  TimedProblem problem(figure);
  ASSERT_TRUE(lock_contacts({contact_at("left_heel", 10, 12, x[11] + correction)}, moving, 0.5, problem));
  const Demand& demand = problem.demands().at(0);
  const auto goal = [&](int k) { return std::get<Position>(demand.moving(k * h)).p; };
  for (int k = 10; k <= 12; ++k) EXPECT_EQ(goal(k), x[11] + correction);
  for (int k = 5; k < 10; ++k)
    EXPECT_LE((goal(k) - (x[11] + correction + x[static_cast<std::size_t>(k)] - x[10])).norm(), 1e-12) << k;
  for (int k = 13; k <= 17; ++k)
    EXPECT_LE((goal(k) - (x[11] + correction + x[static_cast<std::size_t>(k)] - x[12])).norm(), 1e-12) << k;
}

TEST(LockContacts, RejectsAnUnknownPlace) {
  TimedProblem problem(human());
  const Clip still{"still", 0.1, human().rest().theta.replicate(1, 11)};
  EXPECT_FALSE(lock_contacts({contact_at("left_fin", 0, 10, Vec3::Zero())}, still, 0.1, problem));
  EXPECT_FALSE(lock_contacts({contact_at("left_heel", 0, 10, Vec3::Zero())}, still, -0.1, problem));
  EXPECT_FALSE(lock_contacts({contact_at("left_heel", 10, 0, Vec3::Zero())}, still, 0.1, problem))
      << "ends before it begins";
  EXPECT_FALSE(lock_contacts({contact_at("left_heel", 0, 11, Vec3::Zero())}, still, 0.1, problem)) << "frame 11 of 11";
}

}  // namespace clean_test
}  // namespace limber
