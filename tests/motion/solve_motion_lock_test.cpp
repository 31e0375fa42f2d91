// Locks over time that hold frame by frame hold in the solve of all frames together, and smoothly.     W93 6.3
#include <gtest/gtest.h>

#include "limber/motion/timed/solve_motion.h"
#include "tests/motion/crouch_script.h"
#include "tests/motion/timed_sample.h"
#include "tests/support/laws.h"

namespace limber {
namespace {

using testing::good;

constexpr int iterations = 200;  // as in `limber animate`

// Every demand that holds frame by frame holds here.
void expect_held(const MotionReport& whole, const MotionReport& played) {
  ASSERT_EQ(whole.demands.size(), played.demands.size());
  for (std::size_t d = 0; d < whole.demands.size(); ++d)
    EXPECT_TRUE(whole.demands[d].met || !played.demands[d].met)
        << whole.demands[d].name << ": off by " << 1000.0 * whole.demands[d].error.metres.value_or(0.0)
        << " mm in frame " << whole.demands[d].worst;
}

std::vector<std::string> names_of(const MotionReport& report, const Contradiction& contradiction) {
  std::vector<std::string> out;
  for (const int d : contradiction.demands) out.push_back(report.demands[static_cast<std::size_t>(d)].name);
  return out;
}

TEST(SolveMotionLock, FeetAndAPalmOnAPathInACrouch) {
  const ScriptedMotion motion = crouch_script::motion_of(
      crouch_script::key_text(50, 80, 34, 0.29) + crouch_script::feet_locked +
      "from 0.6 until 1.4, move right_palm along (-0.39, 0.87, 0.23), (-0.49, 1.18, 0.42), (-0.23, 1.31, 0.40), "
      "must, ease 0.3\n");
  const SolvedMotion solved = good(solve_motion(motion.problem, motion.given, {.iterations = iterations}));
  EXPECT_EQ(solved.report.exit, Exit::converged);
  EXPECT_TRUE(solved.report.met());
  for (const DemandReport& demand : solved.report.demands) EXPECT_LE(*demand.error.metres, 1e-6) << demand.name;
  EXPECT_TRUE(solved.report.contradictions.empty());
  timed_sample::expect_limits(motion.problem.figure(), solved.clip);
}

// A thousand scripts with LIMBER_LAWS=long. A hundredth of what counts as met: of a thousand, the worst is 3e-8 m.
constexpr double max_lock_error = 1e-6;

TEST(SolveMotionLock, HoldWhereTheyHoldFrameByFrame) {
  const int count = law::are_quick() ? 5 : law::law_count(100);
  for (int c = 1; c <= count; ++c) {
    const std::string text = crouch_script::random_text(static_cast<std::uint64_t>(c));
    SCOPED_TRACE(::testing::Message() << "case " << c << "\n" << text);
    const ScriptedMotion motion = crouch_script::motion_of(text);
    const Figure& figure = motion.problem.figure();
    const SolvedMotion whole = good(solve_motion(motion.problem, motion.given, {.iterations = iterations}));
    const SolvedMotion played = good(play_motion(motion.problem, motion.given));
    EXPECT_TRUE(played.report.met());
    expect_held(whole.report, played.report);
    for (const DemandReport& demand : whole.report.demands)
      EXPECT_LE(demand.error.metres.value_or(0.0), max_lock_error) << demand.name;
    EXPECT_EQ(whole.report.exit, Exit::converged);
    EXPECT_LE(crouch_script::roughness(figure, whole.clip), crouch_script::roughness(figure, played.clip));
    timed_sample::expect_limits(figure, whole.clip);
    if (::testing::Test::HasFailure()) return;
  }
}

// Few iterations end off the locks; the frames are moved onto them.
TEST(SolveMotionLock, HoldAfterFewIterations) {
  for (const std::uint64_t seed : {18, 29}) {
    const ScriptedMotion motion = crouch_script::motion_of(crouch_script::random_text(seed));
    for (const int few : {2, 3, 5}) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << few << " iterations");
      const SolvedMotion whole = good(solve_motion(motion.problem, motion.given, {.iterations = few}));
      EXPECT_TRUE(whole.report.met());
      EXPECT_EQ(whole.report.exit, Exit::iteration_limit);
      timed_sample::expect_limits(motion.problem.figure(), whole.clip);
    }
  }
}

// Beyond the reach the locks of single frames cannot hold; those of the others do, and a contradiction is named for
// each that does not.
TEST(SolveMotionLock, HoldOrAreNamed) {
  int contradicting = 0;
  const int count = law::are_quick() ? 1 : law::law_count(20);
  for (int c = 0; c < count; ++c) {
    const std::string text = crouch_script::random_text(static_cast<std::uint64_t>(c + 5), 4.0 - c % 2);
    SCOPED_TRACE(::testing::Message() << "case " << c << "\n" << text);
    const ScriptedMotion motion = crouch_script::motion_of(text);
    const SolvedMotion whole = good(solve_motion(motion.problem, motion.given, {.iterations = 40}));
    expect_held(whole.report, good(play_motion(motion.problem, motion.given)).report);
    EXPECT_EQ(whole.report.met(), whole.report.contradictions.empty());
    for (const Contradiction& found : whole.report.contradictions) {
      EXPECT_FALSE(found.demands.empty());
      for (const int d : found.demands)
        EXPECT_EQ(
            motion.problem.demands()[static_cast<std::size_t>(d)].span.activity(found.frame * motion.given.frame_time),
            1.0);
    }
    contradicting += !whole.report.met();
  }
  EXPECT_GT(contradicting, 0);
}

// A hand in two places at once, while a foot could well stay where it is.
TEST(SolveMotionLock, NamesOnlyWhatContradicts) {
  const Figure figure = human();
  const Clip given{"still", 1.0 / 30.0, figure.rest().theta.replicate(1, 31)};
  TimedProblem problem(figure);
  const Vec3 palm = timed_sample::point_at(figure, "left_palm", figure.rest().theta) + Vec3(0.1, 0.2, 0.2);
  const auto add = [&](const char* place, const Goal& goal, const Span& span, const char* name) {
    good(problem.add(figure.point(place), goal, span, {.weight = must, .name = name}));
  };
  add("right_heel", hold(), {}, "foot");
  add("left_palm", Position{palm}, {0.2, 0.8}, "here");
  add("left_palm", Position{palm + Vec3(0.1, 0.0, 0.0)}, {0.5, 0.9}, "there");
  good(problem.add(figure.point("right_palm"), Position{Vec3(0.0, 1.0, 0.3)}, {}, {.weight = 1e-3, .name = "wish"}));
  const SolvedMotion solved = good(solve_motion(problem, given));
  EXPECT_FALSE(solved.report.met());
  EXPECT_TRUE(solved.report.demands[0].met);
  ASSERT_EQ(solved.report.contradictions.size(), 1u);
  const Contradiction& found = solved.report.contradictions[0];
  EXPECT_EQ(names_of(solved.report, found), (std::vector<std::string>{"here", "there"}));
  EXPECT_GE(found.frame, 15);
  EXPECT_LE(found.frame, 24);
}

TEST(SolveMotionLock, OutOfReachContradictsItself) {
  const Figure figure = good(human({.root = Root::fixed}));
  const Clip given{"still", 1.0 / 30.0, figure.rest().theta.replicate(1, 31)};
  TimedProblem problem(figure);
  good(problem.add(figure.point("right_foot"), hold(), {}, {.weight = must, .name = "foot"}));
  good(problem.add(figure.point("left_palm"), Position{{5.0, 1.0, 0.0}}, {0.4, 0.6}, {.weight = must, .name = "far"}));
  const SolvedMotion solved = good(solve_motion(problem, given));
  ASSERT_EQ(solved.report.contradictions.size(), 1u);
  EXPECT_EQ(names_of(solved.report, solved.report.contradictions[0]), std::vector<std::string>{"far"});
  // A kept frame is a reason of its own.
  TimedProblem near(figure);
  const Vec3 palm = timed_sample::point_at(figure, "left_palm", figure.rest().theta);
  good(near.add(figure.point("left_palm"), Position{palm + Vec3(0.1, 0.1, 0.1)}, {0.4, 0.6}, {.weight = must}));
  const SolvedMotion kept = good(solve_motion(near, given, {.kept = {15}}));
  EXPECT_FALSE(kept.report.met());
  EXPECT_EQ(kept.clip.poses.col(15), given.poses.col(15));
  EXPECT_TRUE(kept.report.contradictions.empty());
}

}  // namespace
}  // namespace limber
