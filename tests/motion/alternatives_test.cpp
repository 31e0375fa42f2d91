// Alternatives over time: one is taken for the whole span, and it is the one that costs least.            ZB94 (27)
#include <gtest/gtest.h>

#include "limber/motion/timed/solve_motion.h"
#include "tests/motion/timed_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace alternatives_test {

using testing::good;
using timed_sample::point_at;

constexpr double h = 1.0 / 30.0;

Clip still(const Figure& figure, int frames) { return {"still", h, figure.rest().theta.replicate(1, frames)}; }

TimedAlternative at(const Figure& figure, const char* place, const Vec3& p, const char* name) {
  return {figure.point(place), Goal(Position{p}), name};
}

// The indices of the demands that were taken.
std::vector<int> taken_in(const MotionReport& report) {
  std::vector<int> out;
  for (std::size_t d = 0; d < report.demands.size(); ++d)
    if (report.demands[d].taken) out.push_back(static_cast<int>(d));
  return out;
}

double error_in(const Figure& figure, const Clip& clip, int frame, const char* place, const Vec3& p) {
  return (point_at(figure, place, clip.poses.col(frame)) - p).norm();
}

TEST(TimedAlternative, TheNearerOneIsMetDuringTheWholeSpan) {
  const Figure figure = human();
  const Clip given = still(figure, 31);
  const Vec3 palm = point_at(figure, "left_palm", figure.rest().theta);
  const Vec3 near = palm + Vec3(0.05, 0.1, 0.15), far = palm + Vec3(0.1, 0.5, 0.3);
  for (const bool near_first : {true, false}) {
    TimedProblem problem(figure);
    std::vector<TimedAlternative> both = {at(figure, "left_palm", near, "near"), at(figure, "left_palm", far, "far")};
    if (!near_first) std::swap(both[0], both[1]);
    EXPECT_EQ(good(problem.add_one_of(both, {0.3, 0.7, 0.2, 0.2}, {.weight = must})), 0);
    EXPECT_TRUE(problem.is_open());
    const SolvedMotion solved = good(solve_motion(problem, given));
    EXPECT_TRUE(solved.report.met());
    EXPECT_EQ(taken_in(solved.report), std::vector<int>{near_first ? 0 : 1});
    for (int k = 9; k <= 21; ++k) EXPECT_LE(error_in(figure, solved.clip, k, "left_palm", near), 1e-4) << k;
    EXPECT_TRUE(problem.is_open()) << "the problem itself does not change";
  }
}

// Its motion is that of a problem that has no other.
TEST(TimedAlternative, IsAsIfItWereAlone) {
  const Figure figure = human();
  const Clip given = timed_sample::swaying(figure, 31, h);
  const Vec3 palm = point_at(figure, "right_palm", given.poses.col(15));
  const Vec3 near = palm + Vec3(-0.05, 0.1, 0.1), far = palm + Vec3(-0.2, 0.5, 0.3);
  const Span span{0.4, 0.6, 0.2, 0.2};
  TimedProblem two(figure), one(figure);
  for (TimedProblem* problem : {&two, &one})
    good(problem->add(figure.frame("left_foot"), hold(), {}, {.weight = must, .name = "foot"}));
  good(two.add_one_of({at(figure, "right_palm", far, "far"), at(figure, "right_palm", near, "near")}, span));
  good(one.add(figure.point("right_palm"), Position{near}, span));
  const SolvedMotion a = good(solve_motion(two, given)), b = good(solve_motion(one, given));
  EXPECT_EQ(taken_in(a.report), (std::vector<int>{0, 2}));
  EXPECT_LE((a.clip.poses - b.clip.poses).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(*a.report.demands[2].error.metres, *b.report.demands[1].error.metres, 1e-7);
  EXPECT_EQ(a.report.demands[1].frames, 0);
}

// Brute force: each alternative alone, with the objective of the header, computed apart. Cases without a clear winner
// are left out.
TEST(TimedAlternative, TheCheapestOfAllIsTaken) {
  const Figure figure = human();
  Random random(5);
  int clear = 0;
  const int count = law::are_quick() ? 3 : law::law_count(20);
  for (int c = 0; c < count; ++c) {
    const Clip given = timed_sample::swaying(figure, 21, h, random.between(0.0, 2.0));
    const Vec3 palm = point_at(figure, "left_palm", given.poses.col(10));
    const Span span{0.2, 0.5};
    TimedProblem problem(figure);
    std::vector<TimedAlternative> all;
    std::vector<double> costs;
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = palm + Vec3(random.between(-0.2, 0.3), random.between(0.0, 0.5), random.between(0.0, 0.5));
      all.push_back(at(figure, "left_palm", p, "one"));
      TimedProblem alone(figure);
      good(alone.add(figure.point("left_palm"), Position{p}, span));
      const SolvedMotion solved = good(solve_motion(alone, given, {.iterations = 100}));
      costs.push_back(timed_sample::objective(alone, {{good(figure.point("left_palm")), Position{p}, span, 1.0}}, {},
                                              given, solved.clip.poses));
    }
    good(problem.add_one_of(all, span));
    const SolvedMotion solved = good(solve_motion(problem, given));
    const std::vector<int> taken = taken_in(solved.report);
    ASSERT_EQ(taken.size(), 1u);
    const double least = *std::ranges::min_element(costs);
    std::vector<double> sorted = costs;
    std::ranges::sort(sorted);
    if (sorted[1] < 1.5 * least) continue;
    ++clear;
    EXPECT_EQ(costs[static_cast<std::size_t>(taken[0])], least) << "case " << c;
  }
  EXPECT_GT(clear, 0);
}

TEST(TimedAlternative, OneOutOfReachIsNotTakenWhereAnotherIsInReach) {
  const Figure figure = good(human({.root = Root::fixed}));
  const Clip given = still(figure, 16);
  const Vec3 palm = point_at(figure, "left_palm", figure.rest().theta);
  TimedProblem problem(figure);
  good(problem.add(figure.frame("left_foot"), hold(), {}, {.weight = must, .name = "foot"}));
  // Nearer to the palm than the other, and no arm is that long.
  good(problem.add_one_of({at(figure, "left_palm", palm + Vec3(0.0, -0.6, 0.0), "below"),
                           at(figure, "left_palm", palm + Vec3(0.1, 0.6, 0.4), "above")},
                          {0.2, 0.3}, {.weight = must}));
  const SolvedMotion solved = good(solve_motion(problem, given));
  EXPECT_EQ(taken_in(solved.report), (std::vector<int>{0, 2}));
  EXPECT_TRUE(solved.report.met());
}

// The given motion goes from one of the two to the other, so frames on their own would change in the middle.
TEST(TimedAlternative, DoesNotChangeOnTheWay) {
  const Figure figure = human();
  const int frames = 31;
  Clip given = still(figure, frames);
  const int shift = good(figure.find_parameter("root.z"));
  for (int k = 0; k < frames; ++k) given.poses(shift, k) = 0.5 * k / (frames - 1);
  const Vec3 palm = point_at(figure, "left_palm", figure.rest().theta) + Vec3(0.0, 0.2, 0.1);
  const Vec3 a = palm, b = palm + Vec3(0.0, 0.0, 0.5);
  TimedProblem problem(figure);
  good(problem.add_one_of({at(figure, "left_palm", a, "a"), at(figure, "left_palm", b, "b")}, {}, {.weight = must}));
  for (const bool each : {false, true}) {
    const SolvedMotion solved = each ? good(play_motion(problem, given)) : good(solve_motion(problem, given));
    EXPECT_TRUE(solved.report.met());
    const std::vector<int> taken = taken_in(solved.report);
    ASSERT_EQ(taken.size(), 1u);
    for (int k = 0; k < frames; ++k)
      EXPECT_LE(error_in(figure, solved.clip, k, "left_palm", taken[0] == 0 ? a : b), 1e-4) << k;
    if (each) EXPECT_EQ(taken[0], 0) << "the one that is nearer where it begins";
  }
}

TEST(TimedAlternative, TakenByTheCallerStays) {
  const Figure figure = human();
  const Clip given = still(figure, 11);
  const Vec3 palm = point_at(figure, "left_palm", figure.rest().theta);
  TimedProblem problem(figure);
  good(problem.add_one_of(
      {at(figure, "left_palm", palm, "here"), at(figure, "left_palm", palm + Vec3(0.1, 0.3, 0.3), "there")}, {},
      {.weight = must}));
  problem.take(1);
  EXPECT_FALSE(problem.is_open());
  for (const SolvedMotion& solved : {good(solve_motion(problem, given)), good(play_motion(problem, given))})
    EXPECT_EQ(taken_in(solved.report), std::vector<int>{1});
}

TEST(TimedAlternative, OfAFrameAndAnotherPlaceHoldsWhereItIs) {
  const Figure figure = human();
  const Clip given = timed_sample::swaying(figure, 21, h);
  TimedProblem problem(figure);
  const Vec3 away(0.0, 1.2, 3.0);
  good(problem.add_one_of({at(figure, "right_palm", away, "away"), {figure.frame("left_foot"), hold(), "foot"}},
                          {0.1, 0.5}, {.weight = must}));
  const SolvedMotion solved = good(solve_motion(problem, given));
  EXPECT_EQ(taken_in(solved.report), std::vector<int>{1});
  const Vec3 held = point_at(figure, "left_foot", given.poses.col(3));
  for (int k = 3; k <= 15; ++k) EXPECT_LE(error_in(figure, solved.clip, k, "left_foot", held), 1e-4) << k;
}

// What is cleared afterwards stays with what was taken.
TEST(TimedAlternative, StaysTheSameWhereOverlapsAreCleared) {
  const Figure figure = human();
  const Clip given = still(figure, 21);
  const Vec3 palm = point_at(figure, "left_palm", figure.rest().theta);
  const Vec3 near = palm + Vec3(0.1, 0.15, 0.2), far = palm + Vec3(0.3, 0.5, 0.2);
  TimedProblem problem(figure);
  good(problem.add_one_of({at(figure, "left_palm", far, "far"), at(figure, "left_palm", near, "near")},
                          {0.2, 0.4, 0.2, 0.2}, {.weight = must}));
  Frame X;
  X.p = near + Vec3(0.0, 0.0, 0.2);
  Clearance clearance;
  clearance.obstacles = {good(build_obstacle("ball", BallShape{0.05}, X))};
  clearance.capsules = capsules_of(figure);
  const ClearedMotion together = good(solve_clear_motion(problem, given, {clearance}));
  EXPECT_EQ(taken_in(together.report), std::vector<int>{1});
  EXPECT_TRUE(together.report.met());
  const SolvedMotion played = good(play_motion(problem, given));
  const ClearedMotion each = good(clear_motion(problem, played.clip, {clearance}, {.hold_reference = &given}));
  EXPECT_EQ(taken_in(each.report), std::vector<int>{1});
}

TEST(TimedAlternative, RejectedLeavesTheProblemAsItWas) {
  const Figure figure = human();
  TimedProblem problem(figure);
  EXPECT_FALSE(problem.add_one_of({}, {}));
  EXPECT_FALSE(
      problem.add_one_of({at(figure, "left_palm", Vec3::Zero(), ""), at(figure, "left_plam", Vec3::Zero(), "")}, {}));
  EXPECT_FALSE(problem.add_one_of({at(figure, "left_palm", Vec3::Zero(), "")}, {1.0, 0.0}));
  EXPECT_TRUE(problem.demands().empty());
  EXPECT_TRUE(problem.problem().constraints().empty());
  EXPECT_EQ(problem.groups(), 0);
}

// Before and after the spans, whatever an alternative asks, the motion is the given one.
TEST(TimedAlternative, OfNoFrameChangesNothing) {
  const Figure figure = human();
  const Clip given = timed_sample::swaying(figure, 11, h);
  TimedProblem problem(figure);
  good(problem.add_one_of({at(figure, "left_palm", Vec3::Zero(), "a"), at(figure, "left_palm", Vec3::Ones(), "b")},
                          {5.0, 6.0}, {.weight = must}));
  const SolvedMotion solved = good(solve_motion(problem, given));
  EXPECT_EQ(solved.clip.poses, given.poses);
  EXPECT_EQ(taken_in(solved.report), std::vector<int>{0});
  EXPECT_EQ(good(play_motion(problem, given)).clip.poses, given.poses);
}

}  // namespace alternatives_test
}  // namespace limber
