// A motion that keeps clear in every frame and between them, at any speed.
#include <gtest/gtest.h>

#include "limber/motion/timed/sweep.h"
#include "tests/motion/clear_script.h"
#include "tests/motion/timed_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace solve_clear_test {

using clear_script::min_clearance;
using clear_script::place_of;
using testing::good;

constexpr int iterations = 200;  // as in `limber animate`
constexpr int parts = 21;        // the frame, and 20 places between it and the next
constexpr double exact_lock = 1e-6;

ClearedMotion solved(const clear_script::Script& script, const MotionOptions& options = {.iterations = iterations}) {
  return good(solve_clear_motion(script.problem, script.given, script.clearances, options));
}

void expect_locked(const clear_script::Script& script, const ClearedMotion& cleared) {
  for (const char* foot : {"left_foot", "right_foot"})
    for (int k = 0; k < cleared.clip.frames(); ++k)
      EXPECT_LE((place_of(script.problem.figure(), cleared.clip.poses.col(k), foot) -
                 place_of(script.problem.figure(), script.given.poses.col(0), foot))
                    .norm(),
                exact_lock)
          << foot << " in frame " << k;
}

// Of joints, by how much faster than without obstacles; and what a detour of a hand's width within two frames takes.
constexpr double max_speed_factor = 4.0, detour_speed = 12.0;

// Without obstacles the hand passes through them; frame by frame it pops over them.
TEST(SolveClearMotion, IsClearInAllFramesAndBetweenThemAtAnySpeed) {
  const Figure figure = human();
  const int count = law::are_quick() ? 1 : law::law_count(3);
  int popped = 0;
  for (int c = 1; c <= count; ++c) {
    SCOPED_TRACE(::testing::Message() << "case " << c);
    const clear_script::Script script = clear_script::random_script(figure, static_cast<std::uint64_t>(c));
    const SolvedMotion free = good(solve_motion(script.problem, script.given, {.iterations = iterations}));
    const ClearedMotion each =
        good(clear_motion(script.problem, free.clip, script.clearances, {.hold_reference = &script.given}));
    if (!each.overlaps.empty()) continue;  // the hand is held inside
    const Clearance& clearance = script.clearances.front();
    popped += min_clearance(figure, each.clip, clearance, parts) < 0.0;
    const ClearedMotion all = solved(script);
    EXPECT_TRUE(all.overlaps.empty()) << all.overlaps.front().found.list.front().text;
    EXPECT_EQ(min_clearance(figure, all.clip, clearance, parts), infinity);
    expect_locked(script, all);
    timed_sample::expect_limits(figure, all.clip);
    EXPECT_LE(clear_script::max_speed(figure, all.clip),
              max_speed_factor * clear_script::max_speed(figure, free.clip) + detour_speed);
  }
  EXPECT_GT(popped, 0);
}

// The depth does not decrease with each place that is added between frames: in this script the sixth one counts. Giving
// up before left the hand 0.8 mm inside a rod.
TEST(SolveClearMotion, AddsPlacesBetweenFramesAsLongAsItFindsNewOnes) {
  const Figure figure = human();
  const clear_script::Script script = clear_script::random_script(figure, 39);
  const ClearedMotion all = solved(script);
  EXPECT_TRUE(all.overlaps.empty()) << all.overlaps.front().found.list.front().text;
  EXPECT_EQ(min_clearance(figure, all.clip, script.clearances.front(), parts), infinity);
  expect_locked(script, all);
  timed_sample::expect_limits(figure, all.clip);
}

// The hand is raised through a thin bar in a tenth of a second, once a second.
clear_script::Script through_a_bar(const Figure& figure, int passes) {
  clear_script::Script out{TimedProblem(figure), {"raised", 1.0 / 30.0, {}}, {}, {}};
  VecX pose = figure.rest().theta;
  pose[*figure.find_parameter("right_elbow.flexion")] = radians(17.0);
  out.given.poses = pose.replicate(1, 30 * passes + 1);
  for (Eigen::Index k = 0; k < out.given.poses.cols(); ++k) {
    constexpr double up = 0.12;
    const double phase = static_cast<double>(k % 30) / 30.0;
    out.given.poses(*figure.find_parameter("right_shoulder.elevation"), k) =
        radians(80.0) * (phase < up ? phase / up : (1.0 - phase) / (1.0 - up));
  }
  for (const char* foot : {"left_foot", "right_foot"})
    (void)*out.problem.add(figure.frame(foot), Hold{}, Span{}, {.weight = must});
  Frame X;
  X.p = Vec3(-0.25, 1.0, 0.5);
  Clearance clearance;
  clearance.capsules = capsules_of(figure);
  clearance.obstacles = {*build_obstacle("bar", BoxShape{{0.15, 0.002, 0.01}}, X)};
  out.clearances.push_back(clearance);
  return out;
}

// What is far apart in time is cleared one after the other: together, each exchange would solve all of it anew.
TEST(SolveClearMotion, CostsInProportionToItsContacts) {
  const Figure figure = human();
  int iterations_of_two = 0;
  for (const int passes : {2, 4}) {
    const clear_script::Script script = through_a_bar(figure, passes);
    const SolvedMotion free = good(solve_motion(script.problem, script.given, {.iterations = iterations}));
    ASSERT_LT(min_clearance(figure, free.clip, script.clearances.front(), parts), -0.01);
    const ClearedMotion all = solved(script);
    EXPECT_TRUE(all.overlaps.empty());
    EXPECT_TRUE(all.report.met());
    EXPECT_EQ(all.report.exit, Exit::converged);
    EXPECT_EQ(min_clearance(figure, all.clip, script.clearances.front(), parts), infinity);
    expect_locked(script, all);
    timed_sample::expect_limits(figure, all.clip);
    if (passes == 2) iterations_of_two = all.report.iterations;
    if (passes == 4) EXPECT_LE(all.report.iterations, 3 * iterations_of_two);
  }
}

// A rod stands exactly on the path: no side is nearer.
TEST(SolveClearMotion, GoesRoundARodExactlyOnThePath) {
  const Figure figure = human();
  const Vec3 from(-0.5, 1.1, 0.42), to(0.1, 1.1, 0.42);
  for (const double speed : {1.0, 6.0}) {
    SCOPED_TRACE(speed);
    const clear_script::Script script = clear_script::crossing(
        figure, {clear_script::rod(0.5 * (from + to), Vec3::UnitY(), 0.005, 0.0)}, from, to, speed);
    const SolvedMotion free = good(solve_motion(script.problem, script.given, {.iterations = iterations}));
    ASSERT_LT(min_clearance(figure, free.clip, script.clearances.front(), parts), -0.01);
    const ClearedMotion all = solved(script);
    EXPECT_TRUE(all.overlaps.empty());
    EXPECT_EQ(min_clearance(figure, all.clip, script.clearances.front(), parts), infinity);
    EXPECT_GT(all.changed, 0);
    expect_locked(script, all);
  }
}

// At 6 m/s every frame of the motion is clear of a rod, and it lies between two of them.
TEST(SolveClearMotion, SeesWhatLiesBetweenTwoFrames) {
  const Figure figure = human();
  const Vec3 from(-0.5, 1.1, 0.42), to(0.1, 1.1, 0.42);
  clear_script::Script script = clear_script::crossing(figure, {}, from, to, 6.0);
  const SolvedMotion free = good(solve_motion(script.problem, script.given, {.iterations = iterations}));
  int fastest = 1;
  const auto palm = [&](int k) { return place_of(figure, free.clip.poses.col(k), "right_palm"); };
  for (int k = 1; k + 1 < free.clip.frames(); ++k)
    if ((palm(k + 1) - palm(k)).norm() > (palm(fastest + 1) - palm(fastest)).norm()) fastest = k;
  const Vec3 middle = 0.5 * (palm(fastest) + palm(fastest + 1));
  script.clearances.front().obstacles = {clear_script::rod(middle + Vec3(0.0, 0.0, 0.07), -Vec3::UnitZ(), 0.005, 0.0)};
  const Clearance& clearance = script.clearances.front();
  const ClearedMotion each =
      good(clear_motion(script.problem, free.clip, script.clearances, {.hold_reference = &script.given}));
  EXPECT_TRUE(each.overlaps.empty());
  ASSERT_LT(min_clearance(figure, each.clip, clearance, parts), 0.0);
  const ClearedMotion all = solved(script);
  EXPECT_TRUE(all.overlaps.empty());
  EXPECT_EQ(min_clearance(figure, all.clip, clearance, parts), infinity);
  expect_locked(script, all);
}

TEST(SolveClearMotion, LeavesAClearMotionUnchangedToTheBit) {
  const Figure figure = human();
  clear_script::Script script = clear_script::random_script(figure, 3);
  script.clearances.front().obstacles = {*build_obstacle("far", BallShape{0.1}, at({0.0, 5.0, 0.0}))};
  const ClearedMotion all = solved(script);
  EXPECT_EQ(all.clip.poses, good(solve_motion(script.problem, script.given, {.iterations = iterations})).clip.poses);
  EXPECT_EQ(all.changed, 0);
}

// A palm locked inside a ball: the lock holds, and the overlap names it; the feet have no part in it.
TEST(SolveClearMotion, NamesWhatContradicts) {
  const Figure figure = human();
  clear_script::Script script = clear_script::crossing(figure, {}, {-0.4, 1.1, 0.4}, {-0.2, 1.1, 0.4}, 2.0);
  const Vec3 palm(-0.3, 1.1, 0.42);
  script.clearances.front().obstacles = {*build_obstacle("ball", BallShape{0.05}, at(palm))};
  (void)good(script.problem.add(figure.point("left_palm"), Position{{0.3, 1.0, 0.3}}, {}, {.weight = must}));
  const int held = good(script.problem.add(figure.point("right_palm"), Position{palm}, {.from = 0.4, .to = 0.5},
                                           {.weight = must, .name = "inside"}));
  const ClearedMotion all = solved(script);
  ASSERT_FALSE(all.overlaps.empty());
  expect_locked(script, all);
  EXPECT_TRUE(all.report.demands[static_cast<std::size_t>(held)].met);
  const auto named = std::ranges::find_if(all.overlaps, [](const FrameOverlap& one) { return !one.demands.empty(); });
  ASSERT_NE(named, all.overlaps.end());
  EXPECT_EQ(named->demands, std::vector<int>{held});
  EXPECT_LT(named->found.min_clearance(), -0.03);
  EXPECT_GE((named->frame + named->after) * all.clip.frame_time, 0.3);
  EXPECT_LE((named->frame + named->after) * all.clip.frame_time, 0.6);
}

// Everything is inside: nothing can be done, and every frame is reported.
TEST(SolveClearMotion, ReportsWhatCannotBeAvoided) {
  const Figure figure = human();
  clear_script::Script script = clear_script::crossing(figure, {}, {-0.4, 1.1, 0.4}, {-0.3, 1.1, 0.4}, 6.0, 0.1);
  script.clearances.front().obstacles = {*build_obstacle("all", BallShape{5.0}, at({0.0, 1.0, 0.0}))};
  const ClearedMotion all = solved(script, {.iterations = 1});
  ASSERT_FALSE(all.overlaps.empty());
  EXPECT_EQ(std::ranges::count(all.overlaps, 0.0, &FrameOverlap::after), all.clip.frames());
}

// A key stays where it is, clear or not.
TEST(SolveClearMotion, KeepsKeys) {
  const Figure figure = human();
  const clear_script::Script script = clear_script::random_script(figure, 4);
  const int last = script.given.frames() - 1;
  const ClearedMotion all = solved(script, {.iterations = iterations, .kept = {0, last / 2, last}});
  for (const int k : {0, last / 2, last}) EXPECT_EQ(all.clip.poses.col(k), script.given.poses.col(k)) << k;
}

TEST(SolveClearMotion, RejectsWhatAClearanceRejects) {
  const Figure figure = human();
  clear_script::Script script = clear_script::random_script(figure, 1);
  script.clearances.front().margin = -1.0;
  EXPECT_FALSE(solve_clear_motion(script.problem, script.given, script.clearances));
  script.clearances.front().margin = 0.0;
  EXPECT_FALSE(solve_clear_motion(script.problem, script.given, script.clearances, {.guide = 0.0}));
}

// The sweep against 200 places between two random poses: it misses nothing deeper than a sagitta.
TEST(MotionSweep, FindsWhatDenseSamplesFind) {
  constexpr int samples = 200;
  constexpr double sagitta = 1e-5;
  const Figure figure = human();
  Random random(7411);
  int between_only = 0;
  for (int c = 0; c < law::law_count(60); ++c) {
    SCOPED_TRACE(::testing::Message() << "case " << c);
    Clearance clearance;
    clearance.capsules = capsules_of(figure);
    clearance.pairs = pairs_to_check(figure, clearance.capsules);
    clearance.margin = 0.005;
    const VecX first = law::random_pose(random, figure).theta, other = law::random_pose(random, figure).theta;
    const VecX last = first + 0.3 * (other - first);
    const Vec3 palm = place_of(figure, 0.5 * (first + last), "right_palm");
    clearance.obstacles = {clear_script::rod(palm + 0.1 * testing::random_values(random, 3), Vec3::UnitY(), 0.005, 0.1),
                           *build_obstacle("ball", BallShape{0.03}, at(palm + 0.2 * testing::random_values(random, 3))),
                           *build_obstacle("box", BoxShape{{0.1, 0.01, 0.1}}, at(palm - Vec3(0.0, 0.1, 0.0)))};
    double min = infinity;
    int deepest = 0;
    for (int s = 0; s <= samples; ++s) {
      const double after = static_cast<double>(s) / samples;
      const double found = min_clearance(figure, (1.0 - after) * first + after * last, clearance);
      if (found < min) deepest = s;
      min = std::fmin(min, found);
    }
    const std::vector<Clearance> clearances = {clearance};
    MotionSweep sweep(figure, clearances);
    std::vector<SweepContact> found;
    sweep.between(first, last, 0.0, found);
    double swept = infinity;
    for (const SweepContact& contact : found) swept = std::fmin(swept, contact.gap);
    if (std::isfinite(min)) {
      EXPECT_LE(swept, min + sagitta);
    } else {
      EXPECT_TRUE(found.empty() || swept > clearance.margin - 1e-3);
    }
    between_only += std::isfinite(min) && deepest > 0 && deepest < samples;
  }
  EXPECT_GT(between_only, 0);
}

}  // namespace solve_clear_test
}  // namespace limber
