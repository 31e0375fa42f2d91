// Motion examples: W93 Fig. 6.5, eased locks, unreachable goals, moving goals, a long motion.
#include "limber/motion/timed/solve_motion.h"
#include "limber/solver/solve.h"
#include "tests/motion/timed_sample.h"

namespace limber {
namespace solve_motion_case_test {

using testing::good;
using timed_sample::error_of;
using timed_sample::expect_limits;
using timed_sample::max_acceleration;
using timed_sample::placement_at;
using timed_sample::point_at;
using timed_sample::swaying;

// Two keys with the feet in the same places, joint angles interpolated between them: the feet slide. Locked, they
// do not.                                                                                          W93 Fig. 6.5
struct TwoKeys {
  Figure figure = human();
  Clip given;
  Placement feet[2];
  static constexpr const char* names[2] = {"left_foot", "right_foot"};
  static constexpr int frames = 31;

  TwoKeys() {
    Pose stand = figure.rest();
    for (const std::string side : {"left", "right"})
      stand.theta[good(figure.find_parameter(side + "_knee.flexion"))] = 0.1;
    for (int i = 0; i < 2; ++i) feet[i] = placement_at(figure, names[i], stand.theta);
    Pose crouch = stand;
    Problem problem(figure);
    for (int i = 0; i < 2; ++i) good(problem.add(figure.frame(names[i]), feet[i], {.weight = must}));
    const Vec3 pelvis = point_at(figure, "pelvis", stand.theta);
    good(problem.add(figure.point("pelvis"), Position{pelvis + Vec3(0.12, -0.4, 0.05)}));
    good(problem.add(figure.point("sternum"), Position{pelvis + Vec3(0.2, -0.1, 0.3)}, {.weight = 0.2}));
    const Report report = solve(problem, crouch);
    if (!report.constraints[0].met || !report.constraints[1].met) throw std::runtime_error(to_text(report));
    given = {"crouch", 1.0 / 30.0, MatX(stand.theta.size(), frames)};
    for (int k = 0; k < frames; ++k)
      given.poses.col(k) = stand.theta + k / (frames - 1.0) * (crouch.theta - stand.theta);
    given.poses.rightCols(1) = crouch.theta;
  }
};

TEST(SolveMotionCase, FeetStayBetweenTwoKeys) {
  const TwoKeys keys;
  double slid = 0.0;
  for (int k = 0; k < TwoKeys::frames; ++k)
    slid = std::fmax(slid, (point_at(keys.figure, "left_foot", keys.given.poses.col(k)) - keys.feet[0].p).norm());
  EXPECT_GT(slid, 0.05);  // metres
  TimedProblem problem(keys.figure);
  for (int i = 0; i < 2; ++i) good(problem.add(keys.figure.frame(TwoKeys::names[i]), hold(), {}, {.weight = must}));
  const SolvedMotion solved =
      good(solve_motion(problem, keys.given, {.iterations = 100, .kept = {0, TwoKeys::frames - 1}}));
  EXPECT_EQ(solved.report.exit, Exit::converged);
  EXPECT_TRUE(solved.report.met());
  expect_limits(keys.figure, solved.clip);
  for (int k = 0; k < TwoKeys::frames; ++k)
    for (int i = 0; i < 2; ++i) {
      const GoalError error =
          error_of(keys.figure, good(keys.figure.frame(TwoKeys::names[i])), keys.feet[i], solved.clip.poses.col(k));
      EXPECT_LE(*error.metres, 1e-4) << k;
      EXPECT_LE(degrees(*error.radians), 0.01) << k;
    }
  for (const int k : {0, TwoKeys::frames - 1}) EXPECT_EQ(solved.clip.poses.col(k), keys.given.poses.col(k)) << k;
  // The body still follows the keys, along about the same path.
  EXPECT_LE((solved.clip.poses - keys.given.poses).cwiseAbs().maxCoeff(), 0.6);
}

// A pop is a jump of the pose: its second difference does not depend on the rate, and divided by h² it grows
// fourfold with every doubling of the rate. Without pops the acceleration does not grow.
enum class Way { whole, played };

std::vector<double> accelerations(Way way, const Span& span) {
  const Figure figure = human();
  std::vector<double> out;
  for (const int rate : {30, 60, 120, 240}) {
    const Clip given = swaying(figure, 3 * rate / 2 + 1, 1.0 / rate);
    TimedProblem problem(figure);
    const Placement foot = placement_at(figure, "left_foot", given.poses.col(rate / 2));
    good(problem.add(figure.frame("left_foot"), foot, span, {.weight = must}));
    const SolvedMotion solved =
        good(way == Way::whole ? solve_motion(problem, given, {.iterations = 60}) : play_motion(problem, given));
    EXPECT_TRUE(solved.report.met()) << rate;
    out.push_back(max_acceleration(solved.clip.poses, given.frame_time));
  }
  return out;
}

TEST(SolveMotionCase, LocksStartAndEndWithoutPops) {
  for (const Span& span : {Span{0.5, 1.0}, Span{0.5, 1.0, 0.2, 0.2}}) {
    const std::vector<double> a = accelerations(Way::whole, span);
    SCOPED_TRACE(::testing::Message() << a[0] << " " << a[1] << " " << a[2] << " " << a[3] << " rad/s²");
    EXPECT_LE(a[3], 1.2 * a[2]);
    EXPECT_LE(a[3], 1.5 * a[1]);
    EXPECT_LE(a[3], 200.0);
  }
}

TEST(SolveMotionCase, EasedLocksDoNotPopInPlayback) {
  const std::vector<double> a = accelerations(Way::played, {0.5, 1.0, 0.2, 0.2});
  SCOPED_TRACE(::testing::Message() << a[0] << " " << a[1] << " " << a[2] << " " << a[3] << " rad/s²");
  EXPECT_LE(a[3], 1.2 * a[2]);
  EXPECT_LE(a[3], 1.5 * a[1]);
  // Without easing it does, and this test detects it.
  const std::vector<double> jumps = accelerations(Way::played, {0.5, 1.0});
  EXPECT_GE(jumps[3], 3.0 * jumps[2]);
}

// Unreachable goals: the limits are respected, the report has the errors and frames, and the solve ends.
void expect_unmet(const TimedProblem& problem, const Clip& given, double at_least, double at_most) {
  for (const bool whole : {true, false}) {
    SCOPED_TRACE(whole ? "whole" : "played");
    const SolvedMotion solved = good(whole ? solve_motion(problem, given) : play_motion(problem, given));
    expect_limits(problem.figure(), solved.clip);
    EXPECT_FALSE(solved.report.met());
    EXPECT_NE(solved.report.exit, Exit::converged);
    for (std::size_t d = 0; d < problem.demands().size(); ++d) {
      const DemandReport& report = solved.report.demands[d];
      EXPECT_FALSE(report.met) << report.name;
      EXPECT_GE(*report.error.metres, at_least) << report.name;
      EXPECT_LE(*report.error.metres, at_most) << report.name;
      ASSERT_GE(report.worst, 0);
      const Span& span = problem.demands()[d].span;
      EXPECT_EQ(span.activity(report.worst * given.frame_time), 1.0);
      const Handle& handle = problem.problem().find(problem.demands()[d].slot)->alternatives().front().handle;
      const GoalError error =
          error_of(problem.figure(), handle, problem.demands()[d].goal, solved.clip.poses.col(report.worst));
      EXPECT_NEAR(*error.metres, *report.error.metres, 1e-9);
    }
  }
}

TEST(SolveMotionCase, UnreachableGoalsAreReported) {
  const Figure figure = good(human({.root = Root::fixed}));
  const Clip given{"still", 1.0 / 30.0, figure.rest().theta.replicate(1, 100)};
  const Vec3 foot = point_at(figure, "left_foot", figure.rest().theta);
  {
    SCOPED_TRACE("ten metres away");
    TimedProblem problem(figure);
    good(problem.add(figure.point("left_foot"), Position{{10.0, 0.0, 0.0}}, {1.0, 2.0, 0.2, 0.2}, {.weight = must}));
    expect_unmet(problem, given, 8.0, 10.0);
  }
  {
    SCOPED_TRACE("two places at once");
    TimedProblem problem(figure);
    for (const double aside : {-0.1, 0.1})
      good(problem.add(figure.point("left_foot"), Position{foot + Vec3(0.05 + aside, 0.15, 0.1)}, {1.0, 2.0},
                       {.weight = must}));
    EXPECT_NE(problem.demands()[0].slot, problem.demands()[1].slot);
    expect_unmet(problem, given, 0.05, 0.2);
  }
  {
    SCOPED_TRACE("above the reach");
    TimedProblem problem(figure);
    good(problem.add(figure.point("left_foot"), Position{{0.1, 2.5, 0.1}}, {1.0, 2.0, 0.2, 0.2}, {.weight = must}));
    expect_unmet(problem, given, 0.3, 2.5);
  }
}

// Two locks with touching spans differ in the common frame: one of them is not met there, which is reported.
TEST(SolveMotionCase, LocksWithTouchingSpansAreBothActive) {
  const Figure figure = testing::built(testing::planar_arm());
  const Clip given{"still", 0.1, VecX::Constant(2, 0.5).replicate(1, 21)};
  TimedProblem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.0, 1.0, 0.0}}, {0.0, 1.0}, {.weight = must}));
  good(problem.add(figure.point("tip"), Position{{1.0, 0.8, 0.0}}, {1.0, 2.0}, {.weight = must}));
  const SolvedMotion solved = good(solve_motion(problem, given, {.smooth_time = 0.0}));
  EXPECT_FALSE(solved.report.met());
  for (const DemandReport& report : solved.report.demands) {
    EXPECT_EQ(report.worst, 10);
    EXPECT_NEAR(*report.error.metres, 0.1, 0.02);
  }
}

TEST(SolveMotionCase, AHandFollowsACircle) {
  const Figure figure = human();
  const Clip given = swaying(figure, 61, 1.0 / 30.0);
  const auto circle = [](double t) {
    return Vec3(-0.25 + 0.1 * std::cos(4.0 * t), 1.1 + 0.1 * std::sin(4.0 * t), 0.4 + 0.3 * t);
  };
  TimedProblem problem(figure);
  good(problem.add(figure.point("right_palm"), [&](double t) { return Goal(Position{circle(t)}); },
                   {0.5, 1.5, 0.3, 0.3}, {.weight = must}));
  for (const bool whole : {true, false}) {
    const SolvedMotion solved =
        good(whole ? solve_motion(problem, given, {.iterations = 60}) : play_motion(problem, given));
    EXPECT_TRUE(solved.report.met());
    for (int k = 15; k <= 45; ++k)
      EXPECT_LE((point_at(figure, "right_palm", solved.clip.poses.col(k)) - circle(k / 30.0)).norm(), 1e-6) << k;
  }
}

// The eyes follow the hand: a ray aimed at a point that moves with the figure.
TEST(SolveMotionCase, EyesFollowTheHand) {
  const Figure figure = human();
  const Clip given = swaying(figure, 61, 1.0 / 30.0);
  TimedProblem problem(figure);
  good(problem.add(figure.point("right_palm"),
                   [](double t) { return Goal(Position{{-0.3, 1.2 + 0.2 * std::sin(3.0 * t), 0.5 + 0.3 * t}}); },
                   {0.5, 1.5, 0.3, 0.3}, {.weight = must}));
  good(problem.add(difference(figure.ray("eyes"), figure.point("right_palm")), AimAt{}, {0.6, 1.4, 0.3, 0.3},
                   {.weight = must, .from = "waist"}));
  const SolvedMotion solved = good(solve_motion(problem, given, {.iterations = 100}));
  EXPECT_TRUE(solved.report.met());
  for (int k = 18; k <= 42; ++k) {
    const timed_sample::Elements gaze =
        timed_sample::elements_of(figure, good(figure.ray("eyes")), solved.clip.poses.col(k));
    const Vec3 to_hand = point_at(figure, "right_palm", solved.clip.poses.col(k)) - gaze.x[0];
    EXPECT_LE((to_hand.normalized() - gaze.x[1]).norm(), 1e-6) << k;
  }
}

TEST(SolveMotionCase, RejectsInvalidMovingGoalsByNameAndTime) {
  const Figure figure = testing::built(testing::planar_arm());
  const Clip given{"still", 0.25, VecX::Constant(2, 0.5).replicate(1, 9)};
  const auto rejected = [&](const GoalAt& goal) {
    TimedProblem problem(figure);
    good(problem.add(figure.point("tip"), goal, {0.0, 2.0}, {.name = "wave"}));
    const Expected<SolvedMotion> whole = solve_motion(problem, given), played = play_motion(problem, given);
    EXPECT_FALSE(whole);
    EXPECT_FALSE(played);
    EXPECT_EQ(whole.error().text(), played.error().text());
    return whole.error().text();
  };
  EXPECT_EQ(rejected([](double t) { return Goal(Position{{t < 1.0 ? 1.0 : std::nan(""), 0.0, 0.0}}); }).substr(0, 14),
            "'wave' at 1 s:");
  EXPECT_EQ(rejected([](double t) { return t < 1.5 ? Goal(Position{}) : Goal(Plane{}); }),
            "'wave' at 1.5 s: goal: found a plane; expected a position");
  const Face top{Vec3::UnitY(), Vec3::UnitY()};
  EXPECT_EQ(rejected([&](double t) { return Goal(InsidePolyhedron{std::vector<Face>(t < 0.5 ? 1 : 2, top)}); }),
            "'wave' at 0.5 s: goal: found 2 rows; expected 1, as initially");
}

// Memory and time are linear in the frames.
TEST(SolveMotionCase, ALongMotion) {
  const Figure figure = testing::built(testing::planar_arm());
  const int frames = law::law_count(20000);
  Clip given{"long", 1.0 / 30.0, MatX(2, frames)};
  for (int k = 0; k < frames; ++k) given.poses.col(k) << 0.3 * std::sin(0.05 * k), 1.0 + 0.3 * std::cos(0.08 * k);
  TimedProblem problem(figure);
  for (int second = 2; second + 4 < frames / 30; second += 4)
    good(problem.add(figure.point("tip"), hold(), {second * 1.0, second + 1.5, 0.3, 0.3}, {.weight = must}));
  EXPECT_EQ(problem.problem().constraints().size(), 1u);
  const SolvedMotion solved = good(solve_motion(problem, given));
  EXPECT_TRUE(solved.report.met());
  EXPECT_EQ(solved.report.exit, Exit::converged);
  expect_limits(figure, solved.clip);
}

}  // namespace solve_motion_case_test
}  // namespace limber
