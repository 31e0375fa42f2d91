// Playback, frame by frame.
#include "limber/motion/timed/solve_motion.h"
#include "tests/law/allocation.h"
#include "tests/motion/timed_sample.h"

namespace limber {
namespace playback_test {

using testing::good;
using timed_sample::error_of;
using timed_sample::expect_limits;
using timed_sample::placement_at;
using timed_sample::point_at;
using timed_sample::swaying;

constexpr std::uint64_t playback_seed = 9301;

// A foot and a hand, eased, in a motion of two seconds.
void ask_foot_and_hand(TimedProblem& problem, const Clip& given) {
  const Figure& figure = problem.figure();
  const auto frame = [&](double time) { return given.poses.col(std::lround(time / given.frame_time)); };
  good(problem.add(figure.frame("left_foot"), placement_at(figure, "left_foot", frame(0.5)), {0.5, 1.0, 0.3, 0.3},
                   {.weight = must}));
  const Vec3 cup = point_at(figure, "right_palm", frame(1.0)) + Vec3(0.05, 0.1, 0.05);
  good(problem.add(figure.point("right_palm"), Position{cup}, {0.9, 1.4, 0.3, 0.3}));
}

TEST(Playback, OfOneFrameIsTheWholeSolveWithoutSmoothness) {
  Random random(playback_seed);
  for (int c = 0; c < law::law_count(100); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << playback_seed << ", case " << c);
    const Figure figure = testing::built(law::random_figure(random, {.freedoms = random.integer(2, 16)}));
    const Clip given = timed_sample::random_motion(figure, random, 1);
    TimedProblem problem(figure);
    for (int d = 0; d < 2; ++d) {
      const Site& site =
          figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))];
      const Vec3 p = point_at(figure, site.name, law::random_pose(random, figure).theta);
      const double from = random.chance(0.5) ? 0.0 : 0.1;  // fully or partially active
      good(problem.add(figure.point(site.name), Position{p}, {from, 1.0, 0.3, 0.0},
                       {.weight = random.chance(0.5) ? must : 1.0}));
    }
    const SolvedMotion whole = good(solve_motion(problem, given, {.smooth_time = 0.0, .iterations = 50}));
    const SolvedMotion played = good(play_motion(problem, given));
    EXPECT_EQ(whole.clip.poses, played.clip.poses);
    EXPECT_EQ(whole.report.exit, played.report.exit);
    EXPECT_EQ(whole.report.iterations, played.report.iterations);
    EXPECT_EQ(whole.report.variables, played.report.variables);
  }
}

TEST(Playback, HoldsLocksAndKeepsLimits) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    const Clip given = swaying(figure, 61, 1.0 / 30.0);
    TimedProblem problem(figure);
    good(problem.add(figure.frame("left_foot"), hold(), {0.5, 1.2, 0.2, 0.2}, {.weight = must}));
    good(problem.add(figure.frame("right_foot"), hold(), {0.8, 1.6}, {.weight = must}));
    const SolvedMotion played = good(play_motion(problem, given));
    EXPECT_TRUE(played.report.met());
    EXPECT_EQ(played.report.exit, Exit::converged);
    EXPECT_EQ(played.report.demands[0].frames, 22);
    EXPECT_EQ(played.report.demands[1].frames, 25);
    expect_limits(figure, played.clip);
    // Each goal is the handle in the first given pose in which the demand is active: after 0.3 s, at 0.8 s.
    const Placement left = placement_at(figure, "left_foot", given.poses.col(10));
    const Placement right = placement_at(figure, "right_foot", given.poses.col(24));
    const auto off = [&](const char* name, const Placement& goal, int k) {
      return *error_of(figure, good(figure.frame(name)), goal, played.clip.poses.col(k)).metres;
    };
    for (int k = 15; k <= 36; ++k) EXPECT_LE(off("left_foot", left, k), 1e-7) << k;
    for (int k = 24; k <= 48; ++k) EXPECT_LE(off("right_foot", right, k), 1e-7) << k;
    // Without active demands nothing moves.
    for (const int k : {0, 5, 9, 50, 60}) EXPECT_EQ(played.clip.poses.col(k), given.poses.col(k)) << k;
  }
}

// The maximum step between frames decreases in proportion to the frame time.
TEST(Playback, IsContinuousInTime) {
  const Figure figure = human();
  std::vector<double> max_steps;
  for (const int rate : {60, 120, 240}) {
    const Clip given = swaying(figure, 2 * rate + 1, 1.0 / rate);
    TimedProblem problem(figure);
    ask_foot_and_hand(problem, given);
    const MatX poses = good(play_motion(problem, given)).clip.poses;
    max_steps.push_back((poses.rightCols(2 * rate) - poses.leftCols(2 * rate)).cwiseAbs().maxCoeff());
  }
  EXPECT_LE(max_steps[1], 0.6 * max_steps[0]);
  EXPECT_LE(max_steps[2], 0.6 * max_steps[1]);
}

TEST(Playback, StartsFromTheChangeOfThePreviousFrame) {
  const Figure figure = human();
  const Clip given = swaying(figure, 61, 1.0 / 30.0);
  TimedProblem problem(figure);
  ask_foot_and_hand(problem, given);
  Playback playback(problem), fresh(problem);
  Pose pose, other;
  int warm = 0, cold = 0;
  for (int k = 0; k < 61; ++k) {
    warm += (*good(playback.solve(k / 30.0, given.pose(k), pose))).iterations;
    fresh.restart();
    cold += (*good(fresh.solve(k / 30.0, given.pose(k), other))).iterations;
    EXPECT_LE((pose.theta - other.theta).cwiseAbs().maxCoeff(), 1e-3) << k;
  }
  EXPECT_LT(warm, cold);
  EXPECT_LE(warm, 61 * 8);
}

// After a restart the same frames give the same results to the bit, and Hold goals are taken again.
TEST(Playback, RestartForgetsEverything) {
  const Figure figure = human();
  const Clip given = swaying(figure, 40, 1.0 / 30.0);
  TimedProblem problem(figure);
  good(problem.add(figure.frame("left_foot"), hold(), {0.2, 1.0}, {.weight = must}));
  good(problem.add(figure.point("right_palm"), [](double t) { return Goal(Position{{-0.3, 1.0 + 0.1 * t, 0.3}}); },
                   {0.5, 1.0, 0.2}));
  Playback playback(problem);
  const auto played = [&](int first) {
    MatX poses(given.poses.rows(), given.frames() - first);
    Pose pose;
    for (int k = first; k < given.frames(); ++k) {
      good(playback.solve(k / 30.0, given.pose(k), pose));
      poses.col(k - first) = pose.theta;
    }
    return poses;
  };
  const MatX once = played(0);
  playback.restart();
  EXPECT_EQ(played(0), once);
  playback.restart();
  const MatX later = played(12);
  const Vec3 held = point_at(figure, "left_foot", given.poses.col(12));
  EXPECT_LE((point_at(figure, "left_foot", later.col(10)) - held).norm(), 1e-7);
  EXPECT_GT((point_at(figure, "left_foot", once.col(22)) - held).norm(), 1e-3);
  // Without a restart the goal of the foot does not change.
  const MatX without = played(12);
  EXPECT_LE((point_at(figure, "left_foot", without.col(10)) - held).norm(), 1e-7);
}

// A hand goes round and round: every round costs as much as the second, since nothing accumulates
// over time.
TEST(Playback, CostsTheSameRoundAfterRound) {
  const Figure figure = testing::built(testing::torso_with_arms());
  constexpr int round = 300;  // frames
  const auto angle = [](double time) { return 2.0 * pi * 30.0 / round * time; };
  TimedProblem problem(figure);
  good(problem.add(figure.point("left hand"),
                   [&](double time) { return Goal(Position{{0.5, 0.6 + 0.1 * std::sin(angle(time)), 0.2}}); }, {},
                   {.weight = must}));
  Playback playback(problem);
  Pose pose;
  long memory = 0, iterations = 0;
  const auto go_round = [&](int number) {
    const long before = law::allocations();
    iterations = 0;
    for (int k = number * round; k < (number + 1) * round; ++k) {
      const MotionReport& report = *good(playback.solve(k / 30.0, figure.rest(), pose));
      ASSERT_TRUE(report.met()) << k;
      iterations += report.iterations;
    }
    memory = law::allocations() - before;
  };
  go_round(0);
  go_round(1);
  const long known_memory = memory, known_iterations = iterations;
  EXPECT_LE(known_iterations, 20 * round);
  for (int number = 2; number < 2 + law::law_count(20); ++number) go_round(number);
  EXPECT_NEAR(static_cast<double>(iterations), static_cast<double>(known_iterations),
              0.2 * static_cast<double>(known_iterations));
  EXPECT_LE(memory, known_memory + known_memory / 5);
}

TEST(Playback, RejectsInvalidInput) {
  const Figure figure = testing::built(testing::planar_arm());
  TimedProblem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.0, 1.0, 0.0}}, {}));
  Pose pose{VecX::Constant(2, 7.0)};
  const auto rejected = [&](const PlaybackOptions& options, double time, const VecX& given) {
    Playback playback(problem, options);
    const Expected<const MotionReport*> report = playback.solve(time, Pose{given}, pose);
    return report ? "taken" : report.error().text();
  };
  const VecX fine = VecX::Constant(2, 0.1);
  EXPECT_EQ(rejected({}, 0.0, VecX::Zero(3)),
            "the given pose: found numbers that do not fit the figure; expected 2 finite numbers, the parameters of "
            "'planar arm'");
  EXPECT_NE(rejected({}, 0.0, VecX::Constant(2, infinity)), "taken");
  for (const double wrong : {infinity, -infinity, std::nan("")}) EXPECT_NE(rejected({}, wrong, fine), "taken");
  for (const double wrong : {0.0, -1.0, infinity, std::nan("")})
    EXPECT_NE(rejected({.guide = wrong}, 0.0, fine), "taken");
  EXPECT_NE(rejected({.iterations = -1}, 0.0, fine), "taken");
  EXPECT_EQ(pose.theta, VecX::Constant(2, 7.0));
  EXPECT_EQ(rejected({}, 0.0, fine), "taken");
  const auto rejected_clip = [&](const Clip& clip) {
    const Expected<SolvedMotion> played = play_motion(problem, clip);
    return played ? "taken" : played.error().text();
  };
  EXPECT_EQ(rejected_clip({"none", 0.1, MatX(2, 0)}), "motion 'none': found no frame; expected at least one");
  EXPECT_NE(rejected_clip({"none", std::nan(""), MatX::Zero(2, 3)}), "taken");
  EXPECT_NE(rejected_clip({"none", 0.1, MatX::Zero(3, 3)}), "taken");
}

}  // namespace playback_test
}  // namespace limber
