// Timed problems: spans, rejections, and which demands share a constraint.
#include "limber/motion/timed/timed_problem.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/motion/timed/schedule.h"
#include "tests/law/random_problem.h"
#include "tests/support/figures.h"

namespace limber {
namespace timed_problem_test {

using testing::good;

constexpr std::uint64_t timed_problem_seed = 6301;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Figure timed_torso() { return testing::built(testing::torso_with_arms()); }

Span random_span(Random& random) {
  Span span;
  span.from = random.between(-3.0, 3.0);
  span.to = random.chance(0.1) ? span.from : span.from + random.between(0.0, 2.0);
  if (random.chance(0.15)) span.from = -infinity;
  if (random.chance(0.15)) span.to = infinity;
  if (random.chance(0.7)) span.ease_in = random.between(1e-3, 1.0);
  if (random.chance(0.7)) span.ease_out = random.between(1e-3, 1.0);
  return span;
}

TEST(Span, IsFullyActiveWithinAndInactiveBeyondItsEasing) {
  Random random(timed_problem_seed);
  for (int c = 0; c < 500; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << timed_problem_seed << ", case " << c);
    const Span span = random_span(random);
    for (int k = 0; k < 50; ++k) {
      const double time = random.between(-6.0, 6.0), e = span.activity(time);
      EXPECT_GE(e, 0.0);
      EXPECT_LE(e, 1.0);
      EXPECT_EQ(e == 1.0, time >= span.from && time <= span.to) << time;
      if (time <= span.begin() || time >= span.end()) {
        EXPECT_TRUE(e == 0.0 || (time >= span.from && time <= span.to)) << time;
      }
    }
    for (const double time : {span.from, span.to})
      if (std::isfinite(time)) {
        EXPECT_EQ(span.activity(time), 1.0);
      }
    if (span.ease_in > 0.0 && std::isfinite(span.from)) {
      EXPECT_EQ(span.activity(span.begin()), 0.0);
    }
    if (span.ease_out > 0.0 && std::isfinite(span.to)) {
      EXPECT_EQ(span.activity(span.end()), 0.0);
    }
  }
}

TEST(Span, IncreasesBeforeAndDecreasesAfter) {
  Random random(timed_problem_seed + 1);
  for (int c = 0; c < 200; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << timed_problem_seed + 1 << ", case " << c);
    const Span span = random_span(random);
    double last = -infinity, e_last = span.activity(-10.0);
    for (int k = 0; k <= 1000; ++k) {
      const double time = -10.0 + 0.02 * k, e = span.activity(time);
      if (time <= span.to) {
        EXPECT_GE(e, e_last) << time;
      }
      if (last >= span.from) {
        EXPECT_LE(e, e_last) << time;
      }
      last = time;
      e_last = e;
    }
  }
}

// The third derivative of the easing is at most 60 / time³: then first and second differences from point to point
// are bounded by that, also across both ends of the easing.
TEST(Span, EasesWithTwoContinuousDerivatives) {
  const Span span{0.0, 1.0, 0.5, 0.25};
  constexpr double h = 1e-4;
  const auto e = [&](double time) { return span.activity(time); };
  const auto first = [&](double time) { return (e(time + h) - e(time - h)) / (2.0 * h); };
  const auto second = [&](double time) { return (e(time + h) - 2.0 * e(time) + e(time - h)) / (h * h); };
  const auto max_third = [](double ease) { return 60.0 / (ease * ease * ease); };
  constexpr double rounding = 1e-7;  // 4 ε / h²
  for (double time = -1.0; time < 2.0; time += h) {
    const double third = time < 0.5 ? max_third(span.ease_in) : max_third(span.ease_out);
    ASSERT_LE(std::fabs(second(time + h) - second(time)), 2.0 * third * h + rounding) << time;
    ASSERT_LE(std::fabs(first(time + h) - first(time)), h * third + rounding) << time;
  }
  EXPECT_NEAR(e(-0.25), 0.5, 1e-15);
  EXPECT_NEAR(e(1.125), 0.5, 1e-15);
}

TEST(Span, WithoutEasingIsZeroOrOne) {
  const Span span{0.5, 1.0};
  EXPECT_EQ(span.activity(std::nextafter(0.5, 0.0)), 0.0);
  EXPECT_EQ(span.activity(0.5), 1.0);
  EXPECT_EQ(span.activity(1.0), 1.0);
  EXPECT_EQ(span.activity(std::nextafter(1.0, 2.0)), 0.0);
  EXPECT_EQ((Span{0.5, 0.5}).activity(0.5), 1.0);
  EXPECT_EQ(Span{}.activity(1e300), 1.0);
  EXPECT_EQ(Span{}.activity(-1e300), 1.0);
  EXPECT_EQ((Span{.from = 1.0}).activity(0.0), 0.0);
  EXPECT_EQ((Span{.to = 1.0}).activity(2.0), 0.0);
}

std::string rejection(TimedProblem& problem, const Expected<Handle>& handle, const Goal& goal, const Span& span,
                      ConstraintOptions options = {}) {
  const Expected<int> added = problem.add(handle, goal, span, std::move(options));
  return added ? "taken" : added.error().text();
}

TEST(TimedProblem, RejectsInvalidSpans) {
  TimedProblem problem(timed_torso());
  const Expected<Handle> hand = problem.figure().point("left hand");
  EXPECT_EQ(rejection(problem, hand, Position{}, {2.0, 1.0}),
            "span: found from 2 s to 1 s; expected a start before the end");
  EXPECT_NE(rejection(problem, hand, Position{}, {not_a_number, 1.0}), "taken");
  EXPECT_NE(rejection(problem, hand, Position{}, {0.0, not_a_number}), "taken");
  EXPECT_EQ(rejection(problem, hand, Position{}, {0.0, 1.0, -0.1}),
            "span: found easing of -0.1 s; expected a finite time, 0 or more");
  EXPECT_NE(rejection(problem, hand, Position{}, {0.0, 1.0, 0.0, -0.1}), "taken");
  EXPECT_NE(rejection(problem, hand, Position{}, {0.0, 1.0, infinity}), "taken");
  EXPECT_NE(rejection(problem, hand, Position{}, {0.0, 1.0, 0.0, not_a_number}), "taken");
  EXPECT_TRUE(problem.demands().empty());
  EXPECT_TRUE(problem.problem().constraints().empty());
  EXPECT_EQ(rejection(problem, hand, Position{}, {1.0, 1.0}), "taken");
}

TEST(TimedProblem, RejectsPrioritiesAndSoftConstraints) {
  TimedProblem problem(timed_torso());
  const Expected<Handle> hand = problem.figure().point("left hand");
  EXPECT_EQ(rejection(problem, hand, Position{}, {}, {.priority = 2}),
            "priority: found 2; expected 1: demands over time are weighted or hard");
  EXPECT_EQ(rejection(problem, hand, Position{}, {}, {.soft = true}),
            "soft: found true; expected false: soft constraints are not supported over time");
  EXPECT_TRUE(problem.demands().empty());
}

TEST(TimedProblem, RejectsWhatAProblemRejects) {
  const Figure figure = timed_torso();
  Problem alone(figure);
  TimedProblem problem(figure);
  const auto same = [&](const Expected<Handle>& handle, const Goal& goal, ConstraintOptions options = {}) {
    SCOPED_TRACE(rejection(problem, handle, goal, {0.0, 1.0}, options));
    EXPECT_FALSE(alone.add(handle, goal, options));
    EXPECT_FALSE(problem.add(handle, goal, {0.0, 1.0}, options));
    EXPECT_FALSE(problem.add(handle, [&](double) { return goal; }, {0.0, 1.0}, options));
  };
  const Expected<Handle> hand = figure.point("left hand");
  same(figure.point("tail"), Position{});
  same(hand, Position{{0.0, not_a_number, 0.0}});
  same(hand, Direction{});
  same(hand, Direction{Vec3::Zero()});
  same(hand, Position{}, {.weight = -1.0});
  same(hand, Position{}, {.weight = not_a_number});
  same(hand, Position{}, {.from = "tail"});
  same(hand, Position{}, {.weighting = MatX::Identity(2, 2)});
  same(good(human().point("left_foot")), Position{});
  EXPECT_TRUE(problem.demands().empty());
  EXPECT_TRUE(problem.problem().constraints().empty());
  EXPECT_TRUE(problem.problem().rejections().empty());
  // Also if there is a constraint of the same kind.
  ASSERT_TRUE(problem.add(hand, Position{}, {0.0, 1.0}));
  ASSERT_TRUE(problem.add(hand, Direction{}, {0.0, 1.0}, {}).error().text() != "");
  EXPECT_FALSE(problem.add(hand, Position{{0.0, not_a_number, 0.0}}, {2.0, 3.0}));
  EXPECT_FALSE(problem.add(hand, Position{}, {2.0, 3.0}, {.weight = not_a_number}));
  EXPECT_FALSE(problem.add(hand, Position{}, {2.0, 3.0}, {.from = "tail"}));
  EXPECT_EQ(problem.demands().size(), 1u);
}

TEST(TimedProblem, HoldsPointsDirectionsAndFramesButNoRay) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  EXPECT_EQ(rejection(problem, figure.ray("eye"), hold(), {}),
            "'eye': found Hold on a ray; expected a point, a direction or a frame");
  const int point = good(problem.add(figure.point("eye"), hold(), {}));
  const int direction = good(problem.add(figure.direction("eye"), hold(), {}));
  const int frame = good(problem.add(figure.frame("eye"), Hold{{.c = 0.25}}, {}));
  EXPECT_TRUE(std::holds_alternative<Position>(problem.demands()[static_cast<std::size_t>(point)].goal));
  EXPECT_TRUE(std::holds_alternative<Direction>(problem.demands()[static_cast<std::size_t>(direction)].goal));
  const Goal& placement = problem.demands()[static_cast<std::size_t>(frame)].goal;
  ASSERT_TRUE(std::holds_alternative<Placement>(placement));
  EXPECT_EQ(std::get<Placement>(placement).orientation.c_x, 0.25);
  for (const Demand& demand : problem.demands()) EXPECT_TRUE(demand.holds);
  EXPECT_FALSE(problem.add(figure.frame("eye"), Hold{{.c = -1.0}}, {}));
  // A difference of directions is not a direction, and cannot be the x of a Placement.
  EXPECT_EQ(rejection(problem, difference(figure.direction("eye"), figure.direction("left hand")), hold(), {}),
            "'eye - left hand': found Hold on a difference of directions; expected a point, a direction or a frame");
  EXPECT_NE(rejection(problem, difference(figure.frame("eye"), figure.frame("left hand")), hold(), {}), "taken");
  EXPECT_NE(rejection(problem, difference(figure.frame("eye"), figure.ray("left hand")), hold(), {}), "taken");
  EXPECT_EQ(rejection(problem, difference(figure.frame("eye"), figure.point("left hand")), hold(), {}), "taken");
}

// Hold as a moving goal, and an empty function.
TEST(TimedProblem, RejectsInvalidMovingGoals) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  const Expected<int> held = problem.add(figure.point("eye"), [](double) { return Goal(hold()); }, {});
  ASSERT_FALSE(held);
  EXPECT_NE(held.error().text().find("Hold"), std::string::npos) << held.error().text();
  EXPECT_FALSE(problem.add(figure.point("eye"), GoalAt(), {}));
  EXPECT_TRUE(problem.demands().empty());
}

TEST(TimedProblem, EvaluatesAMovingGoalFirstAtTheStartOfItsSpan) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  const auto at_time = [](double time) { return Goal(Position{{time, 0.0, 0.0}}); };
  const auto first = [&](const Span& span) {
    const int d = good(problem.add(figure.point("eye"), at_time, span));
    return std::get<Position>(problem.demands()[static_cast<std::size_t>(d)].goal).p.x();
  };
  EXPECT_EQ(first({2.0, 3.0}), 2.0);
  EXPECT_EQ(first({-infinity, 3.0}), 3.0);
  EXPECT_EQ(first({}), 0.0);
}

ConstraintId slot_of(TimedProblem& problem, const Expected<Handle>& handle, const Goal& goal, const Span& span,
                     ConstraintOptions options = {}) {
  const int d = good(problem.add(handle, goal, span, std::move(options)));
  return problem.demands()[static_cast<std::size_t>(d)].slot;
}

// Whether the activities are never above 0 at the same time.
bool are_disjoint(const Span& a, const Span& b) { return a.end() < b.begin() || b.end() < a.begin(); }

TEST(TimedProblem, DemandsOfOneKindShareAConstraintIfTheirTimesAreDisjoint) {
  Random random(timed_problem_seed + 2);
  for (int c = 0; c < 200; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << timed_problem_seed + 2 << ", case " << c);
    TimedProblem problem(timed_torso());
    const Expected<Handle> hand = problem.figure().point("left hand");
    const int count = random.integer(2, 8);
    for (int k = 0; k < count; ++k) good(problem.add(hand, Position{Vec3::Constant(k)}, random_span(random)));
    const std::vector<Demand>& demands = problem.demands();
    for (std::size_t a = 0; a < demands.size(); ++a) {
      bool could_share = false;
      std::vector<ConstraintId> taken;
      for (std::size_t b = 0; b < a; ++b) {
        if (demands[a].slot == demands[b].slot) {
          EXPECT_TRUE(are_disjoint(demands[a].span, demands[b].span));
        }
        if (!are_disjoint(demands[a].span, demands[b].span)) taken.push_back(demands[b].slot);
      }
      bool shares = false;
      for (std::size_t b = 0; b < a; ++b) {
        shares = shares || demands[a].slot == demands[b].slot;
        could_share = could_share || std::find(taken.begin(), taken.end(), demands[b].slot) == taken.end();
      }
      EXPECT_EQ(shares, could_share);
    }
  }
}

// When one ends and the next begins, both are active.
TEST(TimedProblem, TouchingSpansDoNotShare) {
  TimedProblem problem(timed_torso());
  const Expected<Handle> hand = problem.figure().point("left hand");
  const ConstraintId first = slot_of(problem, hand, Position{}, {0.0, 1.0});
  EXPECT_NE(first, slot_of(problem, hand, Position{Vec3::Ones()}, {1.0, 2.0}));
  EXPECT_EQ(first, slot_of(problem, hand, Position{Vec3::Ones()}, {std::nextafter(1.0, 2.0), 2.0}));
}

TEST(TimedProblem, OtherKindsHandlesWeightsAndChainsDoNotShare) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  const Expected<Handle> hand = figure.point("left hand");
  const Span early{0.0, 1.0}, late{2.0, 3.0};
  const ConstraintId first = slot_of(problem, hand, Position{}, early);
  EXPECT_EQ(first, slot_of(problem, figure.frame("left hand"), Position{Vec3::Ones()}, {4.0, 5.0}));
  EXPECT_EQ(first, slot_of(problem, hand, hold(), {6.0, 7.0}));
  EXPECT_NE(first, slot_of(problem, figure.point("right hand"), Position{}, late));
  EXPECT_NE(first, slot_of(problem, hand, Plane{}, late));
  EXPECT_NE(first, slot_of(problem, hand, Position{}, late, {.weight = 2.0}));
  EXPECT_NE(first, slot_of(problem, hand, Position{}, late, {.weight = must}));
  EXPECT_NE(first, slot_of(problem, hand, Position{}, late, {.from = "left shoulder"}));
  EXPECT_NE(first, slot_of(problem, hand, Position{}, late, {.weighting = MatX::Identity(3, 3)}));
  EXPECT_NE(first, slot_of(problem, difference(hand, figure.point("right hand")), Position{}, late));
}

// Goals with other rows need separate constraints, whatever their kind.
TEST(TimedProblem, GoalsWithOtherRowsDoNotShare) {
  const Figure figure = timed_torso();
  const Span early{0.0, 1.0}, late{2.0, 3.0};
  {
    TimedProblem problem(figure);
    const Expected<Handle> points = difference(figure.point("left hand"), figure.point("right hand"));
    const Expected<Handle> frames = difference(figure.frame("left hand"), figure.frame("right hand"));
    EXPECT_NE(slot_of(problem, points, Coincide{}, early), slot_of(problem, frames, Coincide{}, late));
  }
  {
    TimedProblem problem(figure);
    const Expected<Handle> hand = figure.point("left hand");
    const Face top{Vec3::UnitY(), Vec3::UnitY()}, side{Vec3::UnitX(), Vec3::UnitX()};
    EXPECT_NE(slot_of(problem, hand, InsidePolyhedron{{top}}, early),
              slot_of(problem, hand, InsidePolyhedron{{top, side}}, late));
  }
  {
    TimedProblem problem(figure);
    const auto custom = [](Shape shape, int rows) {
      return CustomGoal{"mine", shape, rows, [](const HandleValue&, Residual& out) { out.r.setZero(); },
                        [](const HandleValue&) { return GoalError{}; }};
    };
    const Expected<Handle> frame = figure.frame("left hand");
    const ConstraintId first = slot_of(problem, frame, custom(Shape::point, 1), early);
    EXPECT_NE(first, slot_of(problem, frame, custom(Shape::point, 2), late));
    EXPECT_NE(first, slot_of(problem, frame, custom(Shape::frame, 1), late));
  }
}

TEST(TimedProblem, NumbersAndNamesItsDemands) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  EXPECT_EQ(good(problem.add(figure.point("left hand"), Position{}, {0.0, 1.0})), 0);
  EXPECT_EQ(good(problem.add(figure.point("left hand"), Position{}, {2.0, 3.0}, {.name = "grip"})), 1);
  EXPECT_EQ(problem.demands()[0].name, "left hand position");
  EXPECT_EQ(problem.demands()[1].name, "grip");
}

// Rotations of the root are four times as stiff.
TEST(TimedProblem, StoresTheStiffnessOfParameters) {
  const Figure figure = human();
  TimedProblem problem(figure);
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    bool carries_root = false;
    for (const int i : figure.parameters()[j].drives)
      carries_root =
          carries_root ||
          figure.segments()[static_cast<std::size_t>(figure.freedoms()[static_cast<std::size_t>(i)].joint)].parent ==
              no_parent;
    const double of_root = figure.parameters()[j].translates ? 100.0 : 4.0;
    EXPECT_EQ(problem.stiffness()[static_cast<Eigen::Index>(j)], carries_root ? of_root : 1.0)
        << figure.parameters()[j].name;
  }
  ASSERT_TRUE(problem.set_stiffness("left_knee.flexion", 2.5));
  EXPECT_EQ(problem.stiffness()[good(figure.find_parameter("left_knee.flexion"))], 2.5);
  for (const double wrong : {0.0, -1.0, infinity, not_a_number})
    EXPECT_FALSE(problem.set_stiffness("left_knee.flexion", wrong));
  EXPECT_FALSE(problem.set_stiffness("left_knee.flxion", 1.0));
  EXPECT_EQ(problem.stiffness()[good(figure.find_parameter("left_knee.flexion"))], 2.5);
}

// Hold becomes a goal that the pose meets, whatever the handle.
TEST(Schedule, HoldsWhereTheHandleIs) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  for (const Expected<Handle>& handle :
       {figure.point("eye"), figure.direction("eye"), figure.frame("eye"), figure.mass_centre(),
        difference(figure.point("left hand"), figure.point("eye")),
        difference(figure.frame("left hand"), figure.point("right hand"))})
    if (Expected<int> d = problem.add(handle, hold(), {}); !d) ADD_FAILURE() << d.error().text();
  Schedule schedule(problem);
  Random random(timed_problem_seed + 3);
  for (int c = 0; c < 50; ++c) {
    const VecX theta = testing::random_pose(figure, random).theta;
    for (int d = 0; d < static_cast<int>(problem.demands().size()); ++d) schedule.hold(d, theta);
    std::vector<ActiveDemand> active;
    ASSERT_TRUE(schedule.active(0.0, active));
    ASSERT_EQ(active.size(), problem.demands().size());
    VecX phi;
    schedule.place(active, theta, phi);
    schedule.assembly().evaluate_at(phi);
    for (const ActiveDemand& entry : active) {
      const GoalError error = schedule.assembly().error_of(entry.slot);
      EXPECT_LE(error.metres.value_or(0.0), 1e-14) << problem.demands()[static_cast<std::size_t>(entry.demand)].name;
      EXPECT_LE(error.radians.value_or(0.0), 1e-14) << problem.demands()[static_cast<std::size_t>(entry.demand)].name;
    }
  }
}

TEST(Schedule, ListsActiveDemands) {
  const Figure figure = timed_torso();
  TimedProblem problem(figure);
  good(problem.add(figure.point("left hand"), Position{}, {1.0, 2.0, 0.5, 0.5}));
  good(
      problem.add(figure.point("left hand"), [](double time) { return Goal(Position{{time, 0.0, 0.0}}); }, {3.0, 4.0}));
  Schedule schedule(problem);
  std::vector<ActiveDemand> active;
  ASSERT_TRUE(schedule.active(0.5, active));
  EXPECT_TRUE(active.empty());
  ASSERT_TRUE(schedule.active(0.75, active));
  ASSERT_EQ(active.size(), 1u);
  EXPECT_NEAR(active[0].activity, 0.5, 1e-15);
  EXPECT_FALSE(active[0].is_full());
  ASSERT_TRUE(schedule.active(3.5, active));
  ASSERT_EQ(active.size(), 1u);
  EXPECT_TRUE(active[0].is_full());
  EXPECT_EQ(active[0].demand, 1);
  VecX phi;
  schedule.place(active, figure.rest().theta, phi);
  EXPECT_EQ(std::get<Position>(schedule.problem().constraints()[active[0].slot].alternatives()[0].goal).p.x(), 3.5);
}

}  // namespace timed_problem_test
}  // namespace limber
