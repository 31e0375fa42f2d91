// Laws of solve_motion.
#include "limber/motion/timed/solve_motion.h"

#include "tests/motion/timed_sample.h"
#include "tests/support/derivative.h"

namespace limber {
namespace solve_motion_test {

using testing::good;
using timed_sample::Asked;
using timed_sample::error_of;
using timed_sample::expect_limits;
using timed_sample::placement_at;
using timed_sample::point_at;
using timed_sample::swaying;

constexpr std::uint64_t motion_seed = 7301;
// Maximum lock error of a converged solve, in metres for a person.
constexpr double lock_metres = 1e-7;
// The same relative to the figure's length: a row of a Placement is √½ of a metre.
constexpr double lock_lengths = 2e-8;

Figure random_timed_figure(Random& random) {
  return testing::built(law::random_figure(random, {.freedoms = random.integer(2, 16)}));
}

const Site& random_timed_site(const Figure& figure, Random& random) {
  return figure.sites()[static_cast<std::size_t>(random.integer(0, static_cast<int>(figure.sites().size()) - 1))];
}

Span random_lock_time(Random& random, double duration) {
  const double from = random.between(-0.2, duration), to = from + random.between(0.0, 0.6 * duration);
  Span span{from, to};
  if (random.chance(0.5)) span.ease_in = random.between(0.0, 0.3);
  if (random.chance(0.5)) span.ease_out = random.between(0.0, 0.3);
  return span;
}

// A random demand, near the motion or anywhere.
void add_random_demand(TimedProblem& problem, const Clip& given, Random& random) {
  const Figure& figure = problem.figure();
  const std::string place = random_timed_site(figure, random).name;
  const Pose reach =
      random.chance(0.5) ? given.pose(random.integer(0, given.frames() - 1)) : law::random_pose(random, figure);
  const Vec3 p = point_at(figure, place, reach.theta);
  const Span span = random_lock_time(random, given.duration());
  const ConstraintOptions options{.weight = random.chance(0.5)   ? must
                                            : random.chance(0.2) ? 0.0
                                                                 : random.between(0.0, 3.0)};
  switch (random.integer(0, 6)) {
    case 0:
      good(problem.add(figure.point(place), Position{p}, span, options));
      break;
    case 1:
      good(problem.add(figure.frame(place), hold(), span, options));
      break;
    case 2:
      good(problem.add(figure.frame(place), placement_at(figure, place, reach.theta), span, options));
      break;
    case 3:
      good(problem.add(figure.direction(place), Direction{random.direction()}, span, options));
      break;
    case 4:
      good(problem.add(figure.ray(place), AimAt{p + random.direction() * figure.length()}, span, options));
      break;
    case 5:
      good(problem.add(figure.point(place), HalfSpace{p, random.direction()}, span, options));
      break;
    default: {
      const Vec3 u = 0.2 * figure.length() * random.direction();
      good(problem.add(
          figure.point(place), [=](double time) { return Goal(Plane{p + std::sin(time) * u, u.normalized()}); }, span,
          options));
    }
  }
}

TEST(SolveMotion, WithoutADemandNothingChangesToTheBit) {
  const auto comes_back = [](const Figure& figure, const Clip& given) {
    const TimedProblem problem(figure);
    const SolvedMotion solved = good(solve_motion(problem, given));
    EXPECT_EQ(solved.clip.poses, given.poses);
    EXPECT_EQ(solved.clip.name, given.name);
    EXPECT_EQ(solved.clip.frame_time, given.frame_time);
    EXPECT_EQ(solved.report.exit, Exit::converged);
    EXPECT_TRUE(solved.report.met());
  };
  for (const Figure& figure : {human(), good(simple_human())}) comes_back(figure, swaying(figure, 40, 1.0 / 30.0));
  Random random(motion_seed);
  for (int c = 0; c < law::law_count(50); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << motion_seed << ", case " << c);
    const Figure figure = random_timed_figure(random);
    comes_back(figure, timed_sample::random_motion(figure, random, 12));
  }
}

// Demands that the given motion meets: where its handles are, in every frame.
TEST(SolveMotion, ChangesNothingIfAllDemandsAreMet) {
  const auto stays = [](const Figure& figure, const Clip& given, const std::vector<std::string>& names) {
    TimedProblem problem(figure);
    for (const std::string& name : names) {
      const GoalAt there = [&, name](double time) {
        return Goal(placement_at(figure, name, given.poses.col(std::lround(time / given.frame_time))));
      };
      const double weight = name == names.front() ? must : 2.0;
      good(problem.add(figure.frame(name), there, {0.0, 0.5 * given.duration(), 0.0, 0.1}, {.weight = weight}));
    }
    const SolvedMotion solved = good(solve_motion(problem, given));
    EXPECT_LE((solved.clip.poses - given.poses).cwiseAbs().maxCoeff(), 1e-9 * std::fmax(1.0, figure.length()));
    EXPECT_EQ(solved.report.exit, Exit::converged);
    EXPECT_TRUE(solved.report.met());
  };
  for (const Figure& figure : {human(), good(simple_human())})
    stays(figure, swaying(figure, 30, 1.0 / 30.0), {"left_foot", "right_palm", "eyes"});
  Random random(motion_seed + 1);
  for (int c = 0; c < law::law_count(50); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << motion_seed + 1 << ", case " << c);
    const Figure figure = random_timed_figure(random);
    stays(figure, timed_sample::random_motion(figure, random, 12),
          {random_timed_site(figure, random).name, random_timed_site(figure, random).name});
  }
}

TEST(SolveMotion, LocksAreMetInEveryActiveFrame) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    SCOPED_TRACE(figure.name());
    const Clip given = swaying(figure, 60, 1.0 / 30.0);
    TimedProblem problem(figure);
    const Handle left = good(figure.frame("left_foot")), palm = good(figure.point("right_palm"));
    good(problem.add(left, hold(), {0.5, 1.2}, {.weight = must}));
    good(problem.add(figure.frame("right_foot"), hold(), {1.0, 1.6, 0.2, 0.2}, {.weight = must}));
    const Vec3 cup = point_at(figure, "right_palm", given.poses.col(24)) + Vec3(0.05, 0.1, 0.05);
    good(problem.add(palm, Position{cup}, {0.6, 0.9, 0.3, 0.3}, {.weight = must}));
    const SolvedMotion solved = good(solve_motion(problem, given));
    EXPECT_EQ(solved.report.exit, Exit::converged);
    EXPECT_TRUE(solved.report.met());
    expect_limits(figure, solved.clip);
    const Placement foot = placement_at(figure, "left_foot", given.poses.col(15));
    for (int k = 15; k <= 36; ++k) {
      const GoalError error = error_of(figure, left, foot, solved.clip.poses.col(k));
      EXPECT_LE(*error.metres, lock_metres) << k;
      EXPECT_LE(*error.radians, lock_metres) << k;
    }
    for (int k = 18; k <= 27; ++k)
      EXPECT_LE((point_at(figure, "right_palm", solved.clip.poses.col(k)) - cup).norm(), lock_metres) << k;
    EXPECT_EQ(solved.report.demands[0].frames, 22);
    EXPECT_EQ(solved.report.demands[1].frames, 19);
    EXPECT_EQ(solved.report.demands[2].frames, 10);
  }
}

// The recording exceeds the limits of its file, and its feet slide a little.
TEST(SolveMotion, LocksTheFeetOfAWalkThatExceedsItsLimits) {
  const timed_sample::Recorded walk = timed_sample::recorded_walk(80, 2);
  double worst = 0.0;
  for (int k = 0; k < 80; ++k) worst = std::fmax(worst, law::limit_defect(walk.figure, walk.clip.poses.col(k)));
  ASSERT_GT(worst, 1.0);
  TimedProblem problem(walk.figure);
  good(problem.add(walk.figure.frame("lfoot"), hold(), {0.3, 0.8, 0.1, 0.1}, {.weight = must}));
  good(problem.add(walk.figure.frame("rfoot"), hold(), {0.7, 1.2, 0.1, 0.1}, {.weight = must}));
  const SolvedMotion solved = good(solve_motion(problem, walk.clip, {.iterations = 100}));
  EXPECT_EQ(solved.report.exit, Exit::converged);
  EXPECT_TRUE(solved.report.met());
  for (const DemandReport& demand : solved.report.demands) EXPECT_LE(*demand.error.metres, lock_metres);
  expect_limits(walk.figure, solved.clip);
}

// The report against the demands evaluated by the test, in the poses of the answer.
void expect_honest(const TimedProblem& problem, const Clip& given, const SolvedMotion& solved) {
  const MotionOptions standard;
  ASSERT_EQ(solved.report.demands.size(), problem.demands().size());
  for (std::size_t d = 0; d < problem.demands().size(); ++d) {
    const Demand& demand = problem.demands()[d];
    const DemandReport& report = solved.report.demands[d];
    const Handle& handle = problem.problem().find(demand.slot)->alternatives().front().handle;
    Goal goal = demand.goal;
    if (demand.holds) {
      const double at = std::clamp(demand.span.from / given.frame_time, 0.0, given.frames() - 1.0);
      goal = placement_at(problem.figure(), handle.name, given.poses.col(std::lround(at)));
    }
    int frames = 0;
    GoalError max, at_worst;
    for (int k = 0; k < given.frames(); ++k) {
      const double time = k * given.frame_time;
      if (time < demand.span.from || time > demand.span.to) continue;
      const GoalError error =
          error_of(problem.figure(), handle, demand.moving ? demand.moving(time) : goal, solved.clip.poses.col(k));
      ++frames;
      if (error.metres) max.metres = std::fmax(*error.metres, max.metres.value_or(0.0));
      if (error.radians) max.radians = std::fmax(*error.radians, max.radians.value_or(0.0));
      if (k == report.worst) at_worst = error;
    }
    const double rounding = 1e-9 * problem.figure().length(), rounding_radians = 1e-7;
    EXPECT_EQ(report.frames, frames) << report.name;
    EXPECT_EQ(report.error.metres.has_value(), max.metres.has_value());
    EXPECT_EQ(report.error.radians.has_value(), max.radians.has_value());
    EXPECT_NEAR(report.error.metres.value_or(0.0), max.metres.value_or(0.0), rounding) << report.name;
    EXPECT_NEAR(report.error.radians.value_or(0.0), max.radians.value_or(0.0), rounding_radians) << report.name;
    EXPECT_EQ(report.worst >= 0, frames > 0);
    EXPECT_TRUE(frames == 0 || at_worst.metres.value_or(-1.0) >= max.metres.value_or(0.0) - rounding ||
                at_worst.radians.value_or(-1.0) >= max.radians.value_or(0.0) - rounding_radians)
        << report.name << ": frame " << report.worst << " is not the worst";
    const double slack = problem.problem().find(demand.slot)->must_hold() ? 1.0 : 10.0;
    EXPECT_EQ(report.met, report.error.metres.value_or(0.0) <= slack * standard.met_metres &&
                              degrees(report.error.radians.value_or(0.0)) <= slack * standard.met_degrees);
  }
}

// For any demands and any motion: every pose respects the limits, the report has the true errors, and the
// result is deterministic.
TEST(SolveMotion, RespectsLimitsAndReportsTrueErrors) {
  Random random(motion_seed + 2);
  for (int c = 0; c < law::law_count(200); ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << motion_seed + 2 << ", case " << c);
    const Figure figure = random_timed_figure(random);
    Clip given = timed_sample::random_motion(figure, random, random.integer(1, 15));
    if (random.chance(0.4))
      for (Eigen::Index j = 0; j < given.poses.rows(); ++j)
        given.poses.row(j).array() += random.between(-1.0, 1.0) * law::span_of(figure, static_cast<int>(j));
    TimedProblem problem(figure);
    for (int d = random.integer(1, 4); d > 0; --d) add_random_demand(problem, given, random);
    const MotionOptions options{.smooth_time = random.chance(0.2) ? 0.0 : random.between(0.01, 0.3)};
    const SolvedMotion solved = good(solve_motion(problem, given, options));
    expect_limits(figure, solved.clip);
    expect_honest(problem, given, solved);
    const SolvedMotion again = good(solve_motion(problem, given, options));
    EXPECT_EQ(again.clip.poses, solved.clip.poses);
    EXPECT_EQ(again.report.iterations, solved.report.iterations);
    if (::testing::Test::HasFailure()) return;
  }
}

// Hard goals near the motion are met exactly, and mostly within the default iterations.
TEST(SolveMotion, ReachesNearbyGoals) {
  Random random(motion_seed + 3);
  int converged = 0, moved = 0;
  const int count = law::law_count(200);
  for (int c = 0; c < count; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << motion_seed + 3 << ", case " << c);
    const Figure figure = random_timed_figure(random);
    const Pose pose = law::random_pose(random, figure);
    const Clip given{"still", 1.0 / 30.0, pose.theta.replicate(1, 12)};
    const Pose other = law::random_pose(random, figure);
    Pose near{pose.theta + 0.05 * (other.theta - pose.theta)};  // within the limits: they are convex
    for (Eigen::Index j = 0; j < near.theta.size(); ++j)
      if (figure.parameters()[static_cast<std::size_t>(j)].range.rigidity == 1.0) near.theta[j] = pose.theta[j];
    TimedProblem problem(figure);
    const std::string place = random_timed_site(figure, random).name;
    const Handle handle = good(figure.point(place));
    const Goal goal = Position{point_at(figure, place, near.theta)};
    good(problem.add(handle, goal, {0.1, 0.25}, {.weight = must}));
    const SolvedMotion solved = good(solve_motion(problem, given, {.smooth_time = 0.05}));
    expect_limits(figure, solved.clip);
    moved += solved.report.iterations > 1;
    if (solved.report.exit != Exit::converged) continue;
    ++converged;
    for (int k = 3; k <= 7; ++k)
      EXPECT_LE(*error_of(figure, handle, goal, solved.clip.poses.col(k)).metres, lock_lengths * figure.length()) << k;
  }
  EXPECT_GE(converged, count * 9 / 10);
  EXPECT_GE(moved, count / 3);
}

TEST(SolveMotion, KeptFramesAreUnchangedToTheBit) {
  const Figure figure = human();
  const Clip given = swaying(figure, 40, 1.0 / 30.0, 0.7);
  TimedProblem problem(figure);
  good(problem.add(figure.frame("left_foot"), hold(), {0.2, 1.0}, {.weight = must}));
  const std::vector<int> kept = {0, 13, 14, 30, 39};
  const SolvedMotion solved = good(solve_motion(problem, given, {.kept = kept}));
  for (const int k : kept) EXPECT_EQ(solved.clip.poses.col(k), given.poses.col(k)) << k;
  EXPECT_NE(solved.clip.poses.col(20), given.poses.col(20));
  // The lock is met in all other frames, and kept frames do not affect convergence.
  EXPECT_EQ(solved.report.exit, Exit::converged);
  const Placement foot = placement_at(figure, "left_foot", given.poses.col(6));
  for (int k = 6; k <= 30; ++k) {
    if (std::find(kept.begin(), kept.end(), k) != kept.end()) continue;
    EXPECT_LE(*error_of(figure, good(figure.frame("left_foot")), foot, solved.clip.poses.col(k)).metres, lock_metres)
        << k;
  }
  EXPECT_FALSE(solved.report.met());
  const SolvedMotion all = good(solve_motion(problem, given, {.kept = [] {
                                               std::vector<int> every(40);
                                               for (int k = 0; k < 40; ++k) every[static_cast<std::size_t>(k)] = k;
                                               return every;
                                             }()}));
  EXPECT_EQ(all.clip.poses, given.poses);
}

TEST(SolveMotion, TheObserverSeesEveryIterationAndCancels) {
  const Figure figure = human();
  const Clip given = swaying(figure, 40, 1.0 / 30.0);
  TimedProblem problem(figure);
  good(problem.add(figure.frame("left_foot"), hold(), {0.2, 1.0}, {.weight = must}));
  int seen = 0;
  double last_error = infinity;
  MotionOptions options;
  options.observer = [&](const MotionProgress& progress) {
    EXPECT_EQ(progress.iteration, ++seen);
    EXPECT_EQ(progress.max_iterations, options.iterations);
    last_error = progress.max_error;
    return true;
  };
  const SolvedMotion whole = good(solve_motion(problem, given, options));
  EXPECT_EQ(seen, whole.report.iterations);
  EXPECT_GT(seen, 1);
  EXPECT_LE(last_error, lock_lengths);
  seen = 0;
  options.observer = [&](const MotionProgress&) { return ++seen < 2; };
  const SolvedMotion cancelled = good(solve_motion(problem, given, options));
  EXPECT_EQ(cancelled.report.exit, Exit::cancelled);
  EXPECT_EQ(cancelled.report.iterations, 2);
  expect_limits(figure, cancelled.clip);
  EXPECT_NE(cancelled.clip.poses, whole.clip.poses);
  EXPECT_EQ(good(solve_motion(problem, given, {.iterations = 0})).clip.poses, given.poses);
}

TEST(SolveMotion, RejectsInvalidMotionsAndOptions) {
  const Figure figure = testing::built(testing::planar_arm());
  TimedProblem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.0, 1.0, 0.0}}, {}));
  const Clip good_clip{"wave", 0.1, MatX::Constant(2, 3, 0.1)};
  const auto rejected = [&](const Clip& clip, const MotionOptions& options = {}) {
    const Expected<SolvedMotion> solved = solve_motion(problem, clip, options);
    return solved ? "taken" : solved.error().text();
  };
  const auto changed = [&](auto change) {
    Clip clip = good_clip;
    change(clip);
    return rejected(clip);
  };
  EXPECT_EQ(rejected(good_clip), "taken");
  EXPECT_EQ(changed([](Clip& c) { c.poses.resize(2, 0); }), "motion 'wave': found no frame; expected at least one");
  EXPECT_EQ(changed([](Clip& c) { c.poses.setZero(3, 3); }),
            "motion 'wave': found 3 numbers per frame; expected 2, the parameters of the figure");
  EXPECT_NE(changed([](Clip& c) { c.poses(1, 1) = infinity; }), "taken");
  for (const double wrong : {0.0, -0.1, infinity, std::nan("")})
    EXPECT_NE(changed([&](Clip& c) { c.frame_time = wrong; }), "taken") << wrong;
  for (const double wrong : {0.0, -1.0, infinity, std::nan("")})
    EXPECT_NE(rejected(good_clip, {.guide = wrong}), "taken") << wrong;
  for (const double wrong : {-1.0, infinity, std::nan("")})
    EXPECT_NE(rejected(good_clip, {.smooth_time = wrong}), "taken") << wrong;
  EXPECT_NE(rejected(good_clip, {.iterations = -1}), "taken");
  EXPECT_EQ(rejected(good_clip, {.kept = {0, 3}}), "kept: found frame 3; expected a frame from 0 to 2");
  EXPECT_NE(rejected(good_clip, {.kept = {-1}}), "taken");
}

}  // namespace solve_motion_test
}  // namespace limber
