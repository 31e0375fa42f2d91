// The laws of posing: the answer is a function of the goals and of the pose at the grab.
#include "limber/posing/posing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "tests/law/allocation.h"
#include "tests/law/random_figure.h"
#include "tests/posing/pulls.h"
#include "tests/support/laws.h"

namespace limber {
namespace posing_test {

constexpr double same_pose = 0.1 * pi / 180.0;  // radians, or 0.1 of a figure's length per radian
constexpr int patience = 500;                   // frames until it is settled

PosingOptions standing() {
  PosingOptions options;
  for (const char* foot : {"left_foot", "right_foot"}) {
    options.pins.push_back({.place = foot, .lifts = true});
    options.feet.emplace_back(foot);
  }
  return options;
}

// The largest difference of a joint, in radians; of translations relative to the figure's length.
double apart(const Figure& figure, const Pose& a, const Pose& b) {
  double largest = 0.0;
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const double scale = figure.parameters()[j].translates ? figure.length() : 1.0;
    largest = std::fmax(largest, std::fabs(a.theta[i] - b.theta[i]) / scale);
  }
  return largest;
}

const PosingReport& settle(Posing& posing) {
  const PosingReport* report = &posing.frame();
  for (int k = 0; k < patience && !report->settled; ++k) report = &posing.frame();
  EXPECT_TRUE(report->settled);
  return *report;
}

// Moves a grip along a straight line in so many events, a frame each.
void drag(Posing& posing, GripId grip, const Vec3& from, const Vec3& to, int events) {
  for (int k = 1; k <= events; ++k) {
    posing.move(grip, k == events ? to : from + (to - from) * k / events);
    (void)posing.frame();
  }
}

Posing person() {
  const Figure figure = human();
  return Posing::make(figure, figure.rest(), standing()).value();
}

TEST(Posing, EndsInTheSamePoseForSixEventsOrSixty) {
  const Figure figure = human();
  for (const testing::PullCase& pull : testing::forty_pulls()) {
    std::optional<Pose> first;
    for (const int events : {6, 20, 60}) {
      if (law::are_quick() && events == 60) continue;
      Posing posing = person();
      const GripId grip = posing.grab(figure.point(pull.place)).value();
      const Vec3 from = posing.grips()[0].p;
      drag(posing, grip, from, from + pull.by, events);
      (void)settle(posing);
      if (!first) first = posing.pose();
      EXPECT_LE(apart(figure, posing.pose(), *first), same_pose) << pull.name << " in " << events;
    }
  }
}

TEST(Posing, ReturnsWhenThePointerReturns) {
  const Figure figure = human();
  for (const testing::PullCase& pull : testing::forty_pulls()) {
    Posing posing = person();
    const GripId grip = posing.grab(figure.point(pull.place)).value();
    const Vec3 from = posing.grips()[0].p;
    drag(posing, grip, from, from + 0.5 * pull.by, 3);
    (void)settle(posing);
    const Pose half = posing.pose();
    drag(posing, grip, from + 0.5 * pull.by, from + pull.by, 3);
    drag(posing, grip, from + pull.by, from + 0.5 * pull.by, 3);
    (void)settle(posing);
    EXPECT_LE(apart(figure, posing.pose(), half), same_pose) << pull.name;
    drag(posing, grip, from + 0.5 * pull.by, from, 3);
    (void)settle(posing);
    EXPECT_LE(apart(figure, posing.pose(), figure.rest()), 1e-12) << pull.name;
  }
}

// Of random figures, and by random ways.
TEST(Posing, DependsOnTheGoalAloneAndKeepsTheLimits) {
  const int count = law::law_count(1000);
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Figure figure = build_figure(law::random_figure(random, {.freedoms = random.integer(3, 25)})).value();
    const Pose start = law::random_pose(random, figure);
    const int segment = random.integer(0, static_cast<int>(figure.segments().size()) - 1);
    Handle handle{"part", Shape::point};
    handle.plus[0] = {Element::Kind::point, segment, 0.1 * figure.length() * random.direction()};
    const Vec3 by = random.between(0.0, 0.5) * figure.length() * random.direction();
    Pose ends[2];
    for (int way = 0; way < 2; ++way) {
      Expected<Posing> posing = Posing::make(figure, start);
      ASSERT_TRUE(posing) << posing.error().where;
      const Expected<GripId> grip = posing->grab(handle);
      ASSERT_TRUE(grip) << grip.error().where << ": " << grip.error().found;
      const Vec3 from = posing->grips()[0].p;
      Vec3 at = from;
      for (int leg = 0; leg < 2 * way; ++leg) {
        const Vec3 next = from + 0.5 * figure.length() * random.direction();
        drag(*posing, *grip, at, next, 2);
        at = next;
      }
      drag(*posing, *grip, at, from + by, 1 + 4 * way);
      (void)settle(*posing);
      ends[way] = posing->pose();
      for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
        const Range& range = figure.parameters()[j].range;
        const double value = ends[way].theta[static_cast<Eigen::Index>(j)];
        ASSERT_TRUE(value >= range.lower && value <= range.upper) << "seed " << seed;
      }
    }
    EXPECT_LE(apart(figure, ends[0], ends[1]), same_pose) << "seed " << seed;
  }
}

TEST(Posing, ChangesNothingThatIsShownOnRelease) {
  const Figure figure = human();
  for (const testing::PullCase& pull : testing::forty_pulls()) {
    Posing posing = person();
    const GripId grip = posing.grab(figure.point(pull.place)).value();
    const GripId other = posing.grab(figure.point("left_palm")).value();
    posing.move(grip, posing.grips()[0].p + 1.5 * pull.by);
    posing.move(other, posing.grips()[1].p + Vec3(0.1, 0.3, 0.3));
    (void)settle(posing);
    const Pose shown = posing.pose();
    posing.release(grip);
    (void)settle(posing);
    EXPECT_LE(apart(figure, posing.pose(), shown), 1e-12) << pull.name;
    posing.release(other);
    (void)settle(posing);
    EXPECT_LE(apart(figure, posing.pose(), shown), 1e-12) << pull.name;
  }
}

TEST(Posing, EasesAJumpOverFrames) {
  const Figure figure = human();
  Posing posing = person();
  const GripId grip = posing.grab(figure.point("right_palm")).value();
  const Vec3 from = posing.grips()[0].p;
  posing.move(grip, from + Vec3(0.1, 0.5, 0.6));
  (void)posing.frame();
  // A goal that moves far may be followed far, one that rests only by a little in a frame.
  for (int frame = 0; frame < patience; ++frame) {
    const Pose before = posing.pose();
    const bool settled = posing.frame().settled;
    EXPECT_LE(apart(figure, posing.pose(), before), 6.1 * pi / 180.0);
    if (settled) break;
  }
  EXPECT_LE(apart(figure, posing.pose(), posing.answer()), 0.0);
}

// A limb that is pulled along itself bends at once, and its own way.
TEST(Posing, BendsAStraightLimbAtOnce) {
  const Figure figure = human();
  Posing posing = person();
  const GripId grip = posing.grab(figure.point("pelvis")).value();
  posing.move(grip, posing.grips()[0].p - Vec3(0.0, 0.01, 0.0));
  EXPECT_LE(1000.0 * settle(posing).grips[0].metres, 1.0);
  for (const char* knee : {"left_knee.flexion", "right_knee.flexion"})
    EXPECT_GE(figure.value(posing.pose(), knee).value(), 10.0 * pi / 180.0) << knee;
  posing.release(grip);
  const GripId hand = posing.grab(figure.point("right_palm"), {.chain = GripChain::limb}).value();
  posing.move(hand, posing.grips()[0].p + Vec3(0.0, 0.05, 0.0));
  (void)settle(posing);
  EXPECT_GE(figure.value(posing.pose(), "right_elbow.flexion").value(), 10.0 * pi / 180.0);
}

TEST(Posing, FollowsAGoalInSmallSteps) {
  // A step of a millimetre turns no joint by more than this, except where a straight limb begins to bend, and at folds.
  constexpr double per_millimetre = 3.0 * pi / 180.0;
  const Figure figure = human();
  int steps = 0, jumps = 0;
  const int stride = law::whole_or_quick(10, 50);
  for (const testing::PullCase& pull : testing::forty_pulls()) {
    Posing posing = person();
    const GripId grip = posing.grab(figure.point(pull.place)).value();
    const Vec3 from = posing.grips()[0].p, way = pull.by.normalized();
    for (int mm = 20; mm < 1000.0 * pull.by.norm(); mm += stride) {
      posing.move(grip, from + 1e-3 * mm * way);
      (void)posing.frame();
      const Pose before = posing.answer();
      posing.move(grip, from + 1e-3 * (mm + 1) * way);
      (void)posing.frame();
      ++steps;
      jumps += apart(figure, posing.answer(), before) > per_millimetre;
    }
  }
  EXPECT_LE(jumps, 0.03 * steps) << steps;
}

// A wiggle of a pixel, a millimetre here, turns no joint visibly.
TEST(Posing, StaysCalmOutOfReach) {
  constexpr double calm = 0.2 * pi / 180.0, usually = 0.1 * pi / 180.0;
  const Figure figure = human();
  int wiggles = 0, more = 0;
  for (const testing::PullCase& pull : testing::forty_pulls()) {
    Posing posing = person();
    const GripId grip = posing.grab(figure.point(pull.place)).value();
    const Vec3 goal = posing.grips()[0].p + 3.0 * pull.by.normalized();
    posing.move(grip, goal);
    (void)posing.frame();
    const Pose before = posing.answer();
    for (const Vec3& way : {Vec3(1e-3, 0, 0), Vec3(0, -1e-3, 0), Vec3(0, 0, 1e-3)}) {
      posing.move(grip, goal + way);
      const PosingReport& report = posing.frame();
      EXPECT_GE(report.grips[0].metres, 0.5) << pull.name;
      const double turned = apart(figure, posing.answer(), before);
      EXPECT_LE(turned, calm) << pull.name;
      ++wiggles;
      more += turned > usually;
    }
  }
  EXPECT_LE(more, wiggles / 10);
}

TEST(Posing, KeepsLocksInEveryChainByEveryMethod) {
  const Figure figure = human();
  for (const MethodRow& row : method_table)
    for (const GripChain chain : {GripChain::body, GripChain::limb, GripChain::part}) {
      PosingOptions options = standing();
      options.locks = {"right_elbow.flexion", "spine.lateral"};
      options.method = row.method;
      Posing posing = Posing::make(figure, figure.rest(), options).value();
      const GripId grip = posing.grab(figure.point("right_palm"), {.chain = chain}).value();
      posing.move(grip, posing.grips()[0].p + Vec3(-0.1, 0.2, 0.2));
      (void)settle(posing);
      const double moved = (posing.pose().theta - figure.rest().theta).norm();
      EXPECT_GT(moved, 0.01) << row.name;
      for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
        const std::string& name = figure.parameters()[j].name;
        const bool is_locked = name == "right_elbow.flexion" || name == "spine.lateral";
        const bool is_of_limb =
            name.starts_with("right_shoulder") || name.starts_with("right_elbow") || name.starts_with("right_wrist");
        const bool may_move = !is_locked && (chain == GripChain::body || (chain == GripChain::limb && is_of_limb) ||
                                             name.starts_with("right_wrist"));
        if (!may_move) {
          EXPECT_EQ(posing.pose().theta[static_cast<Eigen::Index>(j)],
                    figure.rest().theta[static_cast<Eigen::Index>(j)])
              << name << " by " << row.name;
        }
      }
    }
}

TEST(Posing, TurnsAPart) {
  const Figure figure = human();
  Posing posing = person();
  const GripId grip = posing.grab(figure.frame("pelvis"), {.turns = true}).value();
  posing.turn(grip, rotation(Vec3::UnitY(), 0.3) * posing.grips()[0].R);
  const PosingReport& report = settle(posing);
  EXPECT_LE(report.grips[0].radians, 0.2 * pi / 180.0);
  EXPECT_LE(1000.0 * report.grips[0].metres, 1.0);
}

// The eyes follow a hand, and nothing but a hand or an arm.
TEST(Posing, LooksAtTheHandIfAsked) {
  const Figure figure = human();
  const auto gaze_error = [&](const Pose& pose, const Vec3& at) {
    const Kinematics state = forward(figure, pose);
    const Handle eyes = figure.ray("eyes").value();
    const Vec3 to = (at - evaluate(figure, state, eyes.plus[0])).normalized();
    return std::acos(std::clamp(to.dot(evaluate(figure, state, eyes.plus[1])), -1.0, 1.0));
  };
  PosingOptions looking = standing();
  looking.looks = true;
  for (const char* place : {"right_palm", "left_palm", "right_elbow", "pelvis"}) {
    const bool is_arm = std::string(place) != "pelvis";
    const Vec3 by = is_arm ? Vec3(-0.1, 0.25, 0.35) : Vec3(0.0, -0.1, 0.0);
    std::vector<Pose> answers;
    std::vector<double> errors;
    for (const PosingOptions& options : {standing(), looking}) {
      Posing posing = Posing::make(figure, figure.rest(), options).value();
      const GripId grip = posing.grab(figure.point(place)).value();
      const Vec3 goal = posing.grips()[0].p + by;
      posing.move(grip, goal);
      const PosingReport& report = settle(posing);
      EXPECT_LE(1000.0 * report.grips[0].metres, 1.0) << place;
      answers.push_back(posing.answer());
      errors.push_back(gaze_error(posing.answer(), goal));
    }
    if (is_arm)
      EXPECT_LT(errors[1], 0.5 * errors[0]) << place << " " << errors[0];
    else
      EXPECT_EQ(apart(figure, answers[0], answers[1]), 0.0) << place;
  }
}

// Tried, the step does what it says; where none is needed, and where none helps, there is none.
TEST(Posing, SuggestsAStepThatBringsTheHandThere) {
  const Figure figure = human();
  for (const Vec3& by : {Vec3(0.0, 0.3, 1.4), Vec3(-1.2, 0.4, 0.2)}) {
    Posing posing = person();
    EXPECT_FALSE(posing.suggest_step());
    const GripId grip = posing.grab(figure.point("right_palm")).value();
    posing.move(grip, posing.grips()[0].p + 0.3 * by);
    (void)posing.frame();
    EXPECT_FALSE(posing.suggest_step());
    const Vec3 goal = posing.grips()[0].p_grab + by;
    posing.move(grip, goal);
    const double missed = posing.frame().grips[0].metres;
    ASSERT_GT(missed, 0.05);
    const std::optional<Step> step = posing.suggest_step();
    ASSERT_TRUE(step) << missed;
    EXPECT_LE(step->metres, 0.5 * missed);
    EXPECT_EQ(step->by.y(), 0.0);
    Posing stepped = person();
    (void)stepped.grab(figure.point("right_palm")).value();
    const GripId foot = stepped.grab(figure.point(step->foot)).value();
    stepped.move(stepped.grips()[0].id, goal);
    stepped.move(foot, stepped.grips()[1].p + step->by);
    const PosingReport& report = settle(stepped);
    EXPECT_NEAR(report.grips[0].metres, step->metres, 1e-3);
    EXPECT_LE(report.grips[1].metres, 1e-3);
  }
  Posing posing = person();
  const GripId grip = posing.grab(figure.point("right_palm")).value();
  for (const Vec3& nowhere : {Vec3(0.0, 2.6, 0.0), Vec3(0.0, 4.0, 0.0), Vec3(0.0, 1.0, 1e12), Vec3(infinity, 0.0, 0.0),
                              Vec3(1e300, 0.0, 1e300), Vec3(std::nan(""), 0.0, 0.0)}) {
    posing.move(grip, nowhere);
    (void)posing.frame();
    EXPECT_FALSE(posing.suggest_step()) << nowhere.transpose();
  }
}

int parameter_of(const Figure& figure, const char* name) { return figure.find_parameter(name).value(); }

TEST(Posing, SetsAParameterAlone) {
  const Figure figure = human();
  Posing posing = person();
  const int elbow = parameter_of(figure, "right_elbow.flexion");
  const GripId grip = posing.grab_parameter(elbow).value();
  posing.set(grip, 1.2);
  const PosingReport& report = posing.frame();
  EXPECT_TRUE(report.settled && report.met);
  Pose alone = figure.rest();
  alone.theta[elbow] = 1.2;
  EXPECT_LE(apart(figure, posing.pose(), alone), 0.0);
  posing.release(grip);
  (void)posing.frame();
  EXPECT_LE(apart(figure, posing.pose(), alone), 0.0);
  EXPECT_FALSE(posing.grab_parameter(-1));
  EXPECT_FALSE(posing.grab_parameter(static_cast<int>(figure.parameters().size())));
}

// By whatever values before: the feet stay, and what cannot be kept up with stays short.
TEST(Posing, MovesOthersOnlyAsFarAsPinsNeedIt) {
  const Figure figure = human();
  const int knee = parameter_of(figure, "right_knee.flexion"), spine = parameter_of(figure, "spine.lateral");
  const int height = parameter_of(figure, figure.parameters()[1].name.c_str());
  std::optional<Pose> first;
  for (const std::vector<double>& values : {std::vector{0.8}, std::vector{0.2, 1.6, -0.2, 0.8}}) {
    Posing posing = person();
    const GripId grip = posing.grab_parameter(knee).value();
    for (const double value : values) {
      posing.set(grip, value);
      (void)posing.frame();
    }
    const PosingReport& report = settle(posing);
    EXPECT_LE(report.grips[0].radians, 2e-3);
    EXPECT_TRUE(report.met);
    if (!first) first = posing.pose();
    EXPECT_LE(apart(figure, posing.pose(), *first), same_pose);
    EXPECT_LE(std::fabs(posing.pose().theta[spine]), 0.1);
  }
  ASSERT_TRUE(figure.parameters()[1].translates);
  Posing posing = person();
  const GripId grip = posing.grab_parameter(height).value();
  posing.set(grip, figure.rest().theta[height] + 0.5);
  const PosingReport& report = settle(posing);
  EXPECT_GE(report.grips[0].metres, 0.3);
  EXPECT_FALSE(report.grips[0].met);
  // That a foot is level is a tendency.
  for (const ConstraintReport& one : report.solve->constraints)
    EXPECT_TRUE(one.met || !one.counted || one.name.ends_with(" level")) << one.name;
}

TEST(Posing, KeepsWhatElseIsStated) {
  const Figure figure = human();
  PosingOptions options = standing();
  const Vec3 seen(0.5, 1.4, 2.0);
  options.constraints = [&](Problem& problem, std::span<const Grip>) -> Expected<void> {
    const Expected<ConstraintId> gaze = problem.add(figure.ray("eyes"), AimAt{seen}, {.weight = must, .name = "gaze"});
    return gaze ? Expected<void>() : std::unexpected(gaze.error());
  };
  Posing posing = Posing::make(figure, figure.rest(), options).value();
  const GripId grip = posing.grab(figure.point("right_palm")).value();
  posing.move(grip, posing.grips()[0].p + Vec3(-0.3, 0.4, 0.3));
  const PosingReport& report = settle(posing);
  EXPECT_TRUE(report.met);
  const auto gaze = std::ranges::find(report.solve->constraints, "gaze", &ConstraintReport::name);
  ASSERT_NE(gaze, report.solve->constraints.end());
  EXPECT_LE(gaze->error.radians.value(), 0.1 * pi / 180.0);
  options.constraints = [](Problem& problem, std::span<const Grip>) {
    return problem.set_rigidity("third_knee.flexion", 1.0);
  };
  EXPECT_FALSE(Posing::make(figure, figure.rest(), options));
}

TEST(Posing, TurnsAStiffJointLess) {
  const Figure figure = human();
  const int elbow = parameter_of(figure, "right_elbow.flexion");
  Pose bent = figure.rest();
  bent.theta[elbow] = 1.0;
  double turned[2];
  for (const int k : {0, 1}) {
    PosingOptions options = standing();
    if (k == 1) options.stiffness = VecX::Zero(bent.theta.size());
    if (k == 1) options.stiffness[elbow] = 10.0;
    Posing posing = Posing::make(figure, bent, options).value();
    const GripId grip = posing.grab(figure.point("right_palm")).value();
    posing.move(grip, posing.grips()[0].p + Vec3(-0.1, 0.25, 0.1));
    EXPECT_TRUE(settle(posing).met);
    turned[k] = std::fabs(posing.pose().theta[elbow] - 1.0);
  }
  EXPECT_LE(turned[1], 0.5 * turned[0]);
}

TEST(Posing, BeginsAChainAtAJoint) {
  const Figure figure = human();
  Posing posing = person();
  const GripId grip =
      posing.grab(figure.point("right_palm"), {.chain = GripChain::limb, .from = "right_forearm"}).value();
  posing.move(grip, posing.grips()[0].p + Vec3(0.0, 0.1, 0.15));
  (void)settle(posing);
  EXPECT_GE(figure.value(posing.pose(), "right_elbow.flexion").value(), 0.2);
  for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
    const std::string& name = figure.parameters()[j].name;
    if (name.starts_with("right_elbow") || name.starts_with("right_wrist")) continue;
    const auto i = static_cast<Eigen::Index>(j);
    EXPECT_EQ(posing.pose().theta[i], figure.rest().theta[i]) << name;
  }
}

TEST(Posing, AllocatesNothingInAFrame) {
  const Figure figure = human();
  for (const char* place : {"right_palm", "pelvis", "head_top"}) {
    Posing posing = person();
    const GripId grip = posing.grab(figure.point(place)).value();
    const Vec3 from = posing.grips()[0].p;
    posing.move(grip, from + Vec3(0.05, -0.05, 0.05));
    (void)settle(posing);
    const long before = law::allocations();
    for (int k = 0; k < 20; ++k) {
      posing.move(grip, from + 0.02 * k * Vec3(0.5, -0.4, 0.6));
      (void)posing.frame();
    }
    EXPECT_EQ(law::allocations(), before) << place;
  }
}

TEST(Posing, RejectsWhatItCannotUse) {
  const Figure figure = human();
  EXPECT_FALSE(Posing::make(figure, Pose{VecX::Zero(3)}));
  EXPECT_FALSE(Posing::make(figure, figure.rest(), {.pins = {{.place = "third_foot"}}}));
  EXPECT_FALSE(Posing::make(figure, figure.rest(), {.locks = {"third_knee.flexion"}}));
  Posing posing = person();
  EXPECT_FALSE(posing.grab(figure.point("third_hand")));
  EXPECT_FALSE(posing.grab(figure.point("left_palm"), {.turns = true}));
  EXPECT_TRUE(posing.grips().empty());
}

}  // namespace posing_test
}  // namespace limber
