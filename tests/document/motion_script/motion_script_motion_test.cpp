// What a motion script becomes: the motion of its keys, and what is asked of the figure.
#include <gtest/gtest.h>

#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/document/motion_script/motion_script.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/motion/path.h"
#include "limber/motion/timed/solve_motion.h"
#include "tests/format/broken_text.h"
#include "tests/format/sample.h"
#include "tests/support/places.h"
#include "tests/support/tree.h"

namespace limber {
namespace motion_script_motion_test {

const std::filesystem::path motion_folder = std::filesystem::path(source_dir()) / "example" / "motion";

Scene standing_human() { return Scene(human(), HumanOptions{}); }

MotionScript read_script(const std::string& text) {
  Expected<MotionScript> script = read_motion_script(text, "f");
  EXPECT_TRUE(script) << script.error().text();
  return script ? std::move(*script) : MotionScript{};
}

ScriptedMotion motion_of(const std::string& text, const Scene& scene = standing_human()) {
  Expected<ScriptedMotion> motion = scripted_motion(read_script(text), scene);
  EXPECT_TRUE(motion) << text << "\n" << motion.error().text();
  return motion ? std::move(*motion) : ScriptedMotion{{}, TimedProblem(scene.figure)};
}

// The values of a parameter over time, in degrees or metres.
std::vector<double> values_of(const ScriptedMotion& motion, const std::string& parameter) {
  const Figure& figure = motion.problem.figure();
  const int j = *figure.find_parameter(parameter);
  std::vector<double> values;
  for (int k = 0; k < motion.given.frames(); ++k) {
    const double value = motion.given.poses(j, k);
    values.push_back(figure.parameters()[static_cast<std::size_t>(j)].translates ? value : degrees(value));
  }
  return values;
}

void expect_values(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12) << "frame " << k;
}

// --- Keys ------------------------------------------------------------------------------------------

TEST(ScriptedKeys, GoFromOneToTheNext) {
  const auto elbow = [](const std::string& text) {
    return values_of(motion_of("rate 4\n" + text), "left_elbow.flexion");
  };
  expect_values(elbow("key 0 linear left_elbow.flexion 10\nkey 1 left_elbow.flexion 50"), {10, 20, 30, 40, 50});
  expect_values(elbow("key 0 step left_elbow.flexion 10\nkey 0.5 left_elbow.flexion 50"), {10, 10, 50});
  // 3u² - 2u³ between two keys at rest.
  expect_values(elbow("key 0 left_elbow.flexion 0\nkey 1 left_elbow.flexion 64"), {0, 10, 32, 54, 64});
  // Before the first and after the last it stays.
  expect_values(elbow("length 1\nkey -1 linear left_elbow.flexion 0\nkey 0.5 left_elbow.flexion 30"),
                {20, 25, 30, 30, 30});
}

TEST(ScriptedKeys, BeginWithThePoseOfTheScene) {
  Scene scene = standing_human();
  ASSERT_TRUE(scene.figure.set(scene.pose, "left_elbow.flexion", radians(20.0)));
  const ScriptedMotion motion = motion_of(
      "rate 2\nkey 0 linear left_elbow.flexion 40\nkey 1 step left_elbow.flexion 60\nkey 1.5 linear pose\n"
      "key 2 left_knee.flexion 8",
      scene);
  expect_values(values_of(motion, "left_elbow.flexion"), {40, 50, 60, 20, 20});
  const ScriptedMotion later = motion_of("rate 2\nkey 1 left_knee.flexion 10\nkey 2 left_elbow.flexion 30", scene);
  expect_values(values_of(later, "left_elbow.flexion"), {20, 20 + 10 * 0.15625, 25, 20 + 10 * 0.84375, 30});
}

TEST(ScriptedKeys, SayNothingOfWhatTheyDoNotName) {
  const ScriptedMotion motion =
      motion_of("rate 4\nkey 0 linear left_elbow.flexion 0\nkey 0.5 left_knee.flexion 30\nkey 1 left_elbow.flexion 40");
  expect_values(values_of(motion, "left_elbow.flexion"), {0, 10, 20, 30, 40});
}

TEST(ScriptedKeys, TheLaterStatementCountsWhereTwoAreAtOneMoment) {
  const ScriptedMotion motion = motion_of(
      "rate 1\nkey 0 linear left_elbow.flexion 1\nkey 1 linear left_elbow.flexion 5\n"
      "key 1.0000000001 linear left_elbow.flexion 9\nkey 2 left_elbow.flexion 2");
  expect_values(values_of(motion, "left_elbow.flexion"), {1, 9, 2});
  const ScriptedMotion other = motion_of(
      "rate 1\nkey 1.0000000001 linear left_elbow.flexion 9\nkey 1 linear left_elbow.flexion 5\n"
      "key 0 linear left_elbow.flexion 1\nkey 2 left_elbow.flexion 2");
  expect_values(values_of(other, "left_elbow.flexion"), {1, 5, 2});
}

TEST(ScriptedKeys, EaseInAndOut) {
  const auto elbow = [](const std::string& ease) {
    return values_of(motion_of("rate 100\nkey 0 linear " + ease + " left_elbow.flexion 0\nkey 1 left_elbow.flexion 60"),
                     "left_elbow.flexion");
  };
  const std::vector<double> plain = elbow(""), in = elbow("ease in 0.4"), both = elbow("ease 0.3"),
                            much = elbow("ease 5");
  EXPECT_LT(in[5], 0.5 * plain[5]);
  EXPECT_GT(in[50] - in[49], plain[50] - plain[49]);
  EXPECT_NEAR(both[50], 30.0, 1e-12);
  for (std::size_t k = 0; k <= 50; ++k) EXPECT_NEAR(both[k] + both[100 - k], 60.0, 1e-12);
  for (std::size_t k = 0; k <= 50; ++k) EXPECT_NEAR(much[k] + much[100 - k], 60.0, 1e-12) << "shortened alike";
}

TEST(ScriptedKeys, SplinesPassThroughTheirKeysAndOvershootNone) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    SCOPED_TRACE(round);
    std::string text = "rate 20\n";
    std::vector<double> given;
    for (int k = 0; k < 8; ++k) {
      given.push_back(std::round(random.between(0.0, 130.0)));
      text += "key " + std::to_string(k) + " left_knee.flexion " + to_text(given.back()) + "\n";
    }
    const std::vector<double> knee = values_of(motion_of(text), "left_knee.flexion");
    ASSERT_EQ(knee.size(), 141u);
    for (std::size_t k = 0; k < knee.size(); ++k) {
      const std::size_t i = std::min<std::size_t>(k / 20, 6);
      if (k % 20 == 0) {
        EXPECT_NEAR(knee[k], given[k / 20], 1e-12);
      }
      EXPECT_GE(knee[k], std::min(given[i], given[i + 1]) - 1e-9);
      EXPECT_LE(knee[k], std::max(given[i], given[i + 1]) + 1e-9);
    }
    // At rest at both ends, and without a kink at the keys: the speed changes by what one frame's bend allows.
    EXPECT_NEAR(knee[1], knee[0], 0.01 * 130.0);
    for (std::size_t k = 1; k + 1 < knee.size(); ++k)
      EXPECT_LT(std::fabs(knee[k + 1] - 2.0 * knee[k] + knee[k - 1]), 12.0 * 130.0 / 400.0);
  }
}

TEST(ScriptedKeys, TravelAndHeadingMoveTheWholeFigure) {
  Scene scene = standing_human();
  Random random(6);
  for (Eigen::Index j = 0; j < scene.pose.theta.size(); ++j) {
    const Range& range = scene.figure.parameters()[static_cast<std::size_t>(j)].range;
    scene.pose.theta[j] = std::clamp(random.between(-0.5, 0.5), range.lower, range.upper);
  }
  const ScriptedMotion motion = motion_of("rate 1\nkey 0\nkey 1 travel (0.25, -0.5, 2)\nkey 2 heading 90", scene);
  const Places start = places(scene.figure, scene.pose), travelled = places(scene.figure, motion.given.pose(1)),
               headed = places(scene.figure, motion.given.pose(2));
  const Vec3 travel(0.25, -0.5, 2);
  // A quarter turn to the left: what was ahead, z, is at the left, x.
  const Mat3 left = rotation(Vec3::UnitY(), 0.5 * pi), half = rotation(Vec3::UnitY(), 0.25 * pi);
  for (const auto& [name, p] : start) {
    const Vec3 from_root = p - start.at("pelvis");
    EXPECT_LT((travelled.at(name) - travelled.at("pelvis") - half * from_root).norm(), 1e-12) << name;
    EXPECT_LT((headed.at(name) - headed.at("pelvis") - left * from_root).norm(), 1e-12) << name;
  }
  EXPECT_LT((headed.at("pelvis") - start.at("pelvis") - travel).norm(), 1e-12);
}

// --- Demands ---------------------------------------------------------------------------------------

// r of a goal for a handle somewhere.
VecX residual_somewhere(const Goal& goal, Shape shape, Random& random) {
  Vec3 x[max_elements];
  for (int k = 0; k < element_count(shape); ++k)
    for (int c = 0; c < 3; ++c) x[k][c] = random.between(-1.0, 1.0);
  const int rows = row_count(goal, shape);
  VecX r = VecX::Zero(rows), J = VecX::Zero(rows * 3 * element_count(shape));
  Residual out{Eigen::Map<VecX>(r.data(), rows), Eigen::Map<MatX>(J.data(), rows, 3 * element_count(shape))};
  evaluate(goal, {shape, x}, out);
  return r;
}

Goal goal_at(const Demand& demand, double time) { return demand.moving ? demand.moving(time) : demand.goal; }

// The same demands, in any order.
void expect_same_demands(const TimedProblem& a, const TimedProblem& b, std::uint64_t seed) {
  ASSERT_EQ(a.demands().size(), b.demands().size());
  for (const Demand& one : a.demands()) {
    SCOPED_TRACE(one.name + " from " + to_text(one.span.from));
    bool found = false;
    for (const Demand& other : b.demands()) {
      const Constraint &slot_a = *a.problem().find(one.slot), &slot_b = *b.problem().find(other.slot);
      const Handle &x = slot_a.alternatives()[0].handle, &y = slot_b.alternatives()[0].handle;
      if (one.name != other.name || std::fabs(one.span.from - other.span.from) > 1e-9 || x.shape != y.shape) continue;
      if (one.goal.index() != other.goal.index()) continue;
      EXPECT_NEAR(one.span.to, other.span.to, 1e-9);
      EXPECT_EQ(one.span.ease_in, other.span.ease_in);
      EXPECT_EQ(slot_a.weight, slot_b.weight);
      EXPECT_EQ(slot_a.from, slot_b.from);
      for (int k = 0; k < x.count(); ++k) {
        EXPECT_EQ(x.plus[k].segment, y.plus[k].segment);
        EXPECT_EQ(x.plus[k].local, y.plus[k].local);
      }
      for (const double time : {one.span.from, 0.3 * one.span.from + 0.7 * one.span.to}) {
        Random p(seed), q(seed);
        EXPECT_LT(
            (residual_somewhere(goal_at(one, time), x.shape, p) - residual_somewhere(goal_at(other, time), y.shape, q))
                .norm(),
            1e-9);
      }
      found = true;
    }
    EXPECT_TRUE(found);
  }
}

TEST(ScriptedDemands, AreAsTheyAreWritten) {
  const ScriptedMotion motion = motion_of(
      "from 1 until 2 hold left_heel, must, ease in 0.1 out 0.2\n"
      "from 1 until 2 place left_ball at (1, 2, 3), weight 4, chain left_hip\n"
      "throughout aim eyes at left_palm\n"
      "from 1 until 3 move right_palm along (0, 1, 0) (0, 1, 1), straight, evenly\n"
      "throughout keep mass_centre above 0.5");
  const TimedProblem& problem = motion.problem;
  ASSERT_EQ(problem.demands().size(), 5u);
  const auto slot = [&](std::size_t d) -> const Constraint& {
    return *problem.problem().find(problem.demands()[d].slot);
  };
  const Demand& held = problem.demands()[0];
  EXPECT_TRUE(held.holds);
  EXPECT_EQ(held.span.from, 1.0);
  EXPECT_EQ(held.span.to, 2.0);
  EXPECT_EQ(held.span.ease_in, 0.1);
  EXPECT_EQ(held.span.ease_out, 0.2);
  EXPECT_TRUE(slot(0).must_hold());
  EXPECT_EQ(std::get<Position>(problem.demands()[1].goal).p, Vec3(1, 2, 3));
  EXPECT_EQ(slot(1).weight, 4.0);
  EXPECT_EQ(slot(1).from, *problem.figure().find_joint("left_hip"));
  const Handle& gaze = slot(2).alternatives()[0].handle;
  EXPECT_EQ(gaze.shape, Shape::ray);
  EXPECT_EQ(gaze.minus_count, 1);
  EXPECT_EQ(std::get<AimAt>(problem.demands()[2].goal).p, Vec3(Vec3::Zero()));
  ASSERT_TRUE(problem.demands()[3].moving);
  for (const double t : {0.5, 1.0, 1.5, 2.0, 3.0, 9.0})
    EXPECT_LT(
        (std::get<Position>(problem.demands()[3].moving(t)).p - Vec3(0, 1, std::clamp((t - 1) / 2, 0.0, 1.0))).norm(),
        1e-9);
  EXPECT_EQ(slot(4).alternatives()[0].handle.plus[0].kind, Element::Kind::mass_centre);
}

TEST(ScriptedDemands, AWayIsGentleUnlessItIsEven) {
  const ScriptedMotion motion =
      motion_of("from 1 until 2 move right_palm along (0, 1, 0) (1, 1, 0) (1, 1, 1), facing z up y");
  const std::vector<Vec3> points = {Vec3(0, 1, 0), Vec3(1, 1, 0), Vec3(1, 1, 1)};
  const SpaceCurve curve = *SpaceCurve::make(points);
  const SpeedProfile profile = *SpeedProfile::eased(1.0, 2.0);
  const Demand& demand = motion.problem.demands()[0];
  for (double t = 0.9; t < 2.1; t += 0.05) {
    const Placement goal = std::get<Placement>(demand.moving(t));
    EXPECT_LT((goal.p - along(curve, profile, t)).norm(), 1e-12);
    EXPECT_EQ(goal.orientation.x, Vec3(Vec3::UnitZ()));
    EXPECT_EQ(goal.orientation.y, Vec3(Vec3::UnitY()));
  }
}

// A block, and all that it stands for.
TEST(ScriptedDemands, ABlockIsWhatItsPassesAre) {
  const ScriptedMotion block = motion_of(
      "length 3\nrate 20\nrepeat 3 every 0.5 shift (0.1, 0, 0.7) mirrored\n"
      "key 0.25 linear travel (0.02, 0.1, 0.3), heading 5, spine.axial 8, left_knee.flexion 30\n"
      "from 0.25 until 0.5 place left_heel at (0.09, 0, 0.2), must, ease 0.05, chain left_hip\n"
      "from 0.5 until 0.7 lock left_foot at (0.09, 0, 0.2) facing (0.1, 0, 1) up y\n"
      "from 0.7 until 0.9 turn left_foot facing (0.1, 0, 1)\n"
      "from 0.9 until 1 move left_palm along (0.1, 0, 0) (0.2, 1, 0) (0.3, 1, 0.5)\n"
      "from 1 until 1.1 keep left_palm on plane through (0.1, 0, 0.5) facing (1, 1, 0)\n"
      "from 1.1 until 1.2 keep left_palm in front of plane through (0.1, 0, 0.5) facing (1, 1, 0)\n"
      "from 1.2 until 1.3 keep left_palm on line through (0.1, 0, 0.5) along (1, 1, 0)\n"
      "from 1.3 until 1.4 keep left_palm outside sphere at (0.1, 1, 0.5) radius 0.8\n"
      "from 1.4 until 1.5 aim eyes at (0.5, 1, 3)\n"
      "from 1.5 until 1.6 aim eyes at left_palm\n"
      "from 1.6 until 1.7 join left_palm to right_knee\n"
      "end");
  std::string all = "length 3\nrate 20\n";
  for (int k = 0; k < 3; ++k) {
    const double sign = k == 1 ? -1.0 : 1.0, x0 = 0.1 * k, z0 = 0.7 * k;
    const std::string L = k == 1 ? "right" : "left", R = k == 1 ? "left" : "right";
    const auto n = [](double value) { return to_text(value); };
    const auto t = [&](double time) { return n(time + 0.5 * k); };
    const auto p = [&](double x, double y, double z) {
      return " (" + n(sign * x + x0) + ", " + n(y) + ", " + n(z + z0) + ") ";
    };
    const auto v = [&](double x, double y, double z) { return " (" + n(sign * x) + ", " + n(y) + ", " + n(z) + ") "; };
    const auto from = [&](double a, double b) { return "from " + t(a) + " until " + t(b) + " "; };
    all += "key " + t(0.25) + " linear travel" + p(0.02, 0.1, 0.3) + "heading " + n(sign * 5) + " spine.axial " +
           n(sign * 8) + " " + L + "_knee.flexion 30\n";
    all += from(0.25, 0.5) + "place " + L + "_heel at" + p(0.09, 0, 0.2) + "must ease 0.05 chain " + L + "_hip\n";
    all += from(0.5, 0.7) + "lock " + L + "_foot at" + p(0.09, 0, 0.2) + "facing" + v(0.1, 0, 1) + "up y\n";
    all += from(0.7, 0.9) + "turn " + L + "_foot facing" + v(0.1, 0, 1) + "\n";
    all += from(0.9, 1) + "move " + L + "_palm along" + p(0.1, 0, 0) + p(0.2, 1, 0) + p(0.3, 1, 0.5) + "\n";
    all += from(1, 1.1) + "keep " + L + "_palm on plane through" + p(0.1, 0, 0.5) + "facing" + v(1, 1, 0) + "\n";
    all += from(1.1, 1.2) + "keep " + L + "_palm in front of plane through" + p(0.1, 0, 0.5) + "facing" + v(1, 1, 0) +
           "\n";
    all += from(1.2, 1.3) + "keep " + L + "_palm on line through" + p(0.1, 0, 0.5) + "along" + v(1, 1, 0) + "\n";
    all += from(1.3, 1.4) + "keep " + L + "_palm outside sphere at" + p(0.1, 1, 0.5) + "radius 0.8\n";
    all += from(1.4, 1.5) + "aim eyes at" + p(0.5, 1, 3) + "\n";
    all += from(1.5, 1.6) + "aim eyes at " + L + "_palm\n";
    all += from(1.6, 1.7) + "join " + L + "_palm to " + R + "_knee\n";
  }
  const ScriptedMotion written = motion_of(all);
  expect_same_demands(block.problem, written.problem, 17);
  ASSERT_EQ(block.given.frames(), 61);
  ASSERT_EQ(written.given.frames(), 61);
  EXPECT_LT((block.given.poses - written.given.poses).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT((block.given.poses.colwise() - standing_human().pose.theta).cwiseAbs().maxCoeff(), 1.0);
}

TEST(ScriptedDemands, ThePoseIsCarriedAlongInABlock) {
  Scene scene = standing_human();
  ASSERT_TRUE(scene.figure.set(scene.pose, "left_elbow.flexion", radians(20.0)));
  const ScriptedMotion motion =
      motion_of("rate 1\nrepeat 3 every 1 shift (0, 0, 0.5) mirrored\nkey 0 step pose\nend", scene);
  expect_values(values_of(motion, "left_elbow.flexion"), {20, 0, 20});
  expect_values(values_of(motion, "right_elbow.flexion"), {0, 20, 0});
  expect_values(values_of(motion, "root.z"), {0, 0.5, 1});
}

TEST(ScriptedDemands, StiffnessIsPassedOn) {
  const ScriptedMotion motion = motion_of("stiff left_knee.flexion 7\nstiff travel 100\nstiff heading 50");
  const auto stiffness = [&](const char* name) {
    return motion.problem.stiffness()[*motion.problem.figure().find_parameter(name)];
  };
  EXPECT_EQ(stiffness("left_knee.flexion"), 7.0);
  EXPECT_EQ(stiffness("right_knee.flexion"), 1.0);
  for (const char* name : {"root.x", "root.y", "root.z"}) EXPECT_EQ(stiffness(name), 100.0);
  EXPECT_EQ(stiffness("root.turn"), 50.0);
}

TEST(ScriptedDemands, TheScenesConstraintsHoldThroughout) {
  Scene scene = standing_human();
  scene.constraints.push_back(
      {.name = "here", .what = SceneGoals{{{.place = "left_foot"}, SceneHold{}}}, .weight = must});
  scene.constraints.push_back(
      {.what = SceneGoals{{{.kind = SceneHandle::Kind::point, .place = "left_palm"}, Position{}}}, .enabled = false});
  scene.constraints.push_back({.what = ScenePull{}});
  scene.natural = 1.0;
  scene.rigidities = {{"spine.axial", 1.0}, {"left_knee.flexion", 0.5}};
  scene.stiffnesses = {{"left_knee.flexion", 4.0}};
  const ScriptedMotion motion = motion_of("key 1\nfrom 0 hold right_palm", scene);
  EXPECT_EQ(motion.problem.stiffness()[*scene.figure.find_parameter("left_knee.flexion")], 5.0);
  EXPECT_EQ(motion.problem.stiffness()[*scene.figure.find_parameter("right_knee.flexion")], 1.0);
  ASSERT_EQ(motion.problem.demands().size(), 2u);
  EXPECT_EQ(motion.problem.demands()[0].name, "here");
  EXPECT_EQ(motion.problem.demands()[0].span.from, -infinity);
  EXPECT_EQ(motion.problem.demands()[0].span.to, infinity);
  EXPECT_EQ(motion.notes.size(), 2u);
  const auto rigidity = [&](const char* name) {
    return motion.problem.problem().rigidities()[static_cast<std::size_t>(*scene.figure.find_parameter(name))];
  };
  EXPECT_EQ(rigidity("spine.axial"), 1.0);
  EXPECT_EQ(rigidity("left_knee.flexion"), 0.5);
  EXPECT_EQ(rigidity("right_knee.flexion"), 0.0);

  for (SceneConstraint wrong :
       {SceneConstraint{.what = SceneStrength{}},
        SceneConstraint{.what = SceneGoals{{{.place = "left_foot"}, SceneHold{}}}, .priority = 2}}) {
    scene.constraints = {wrong};
    const Expected<ScriptedMotion> rejected = scripted_motion(read_script("key 1"), scene);
    ASSERT_FALSE(rejected);
    EXPECT_TRUE(rejected.error().where.starts_with("constraint 1 of the scene")) << rejected.error().text();
  }
}

TEST(ScriptedDemands, WhatTheFigureDoesNotHaveIsRejectedWithItsPlace) {
  const BrokenText table[] = {
      {"key 0\n  left_elbow.flexoin 3", "2:3", "such as 'left_elbow.flexion'"},
      {"from 0 hold left_hel", "1:13", "such as 'left_heel'"},
      {"from 0 aim eyes at left_plam", "1:20", "'left_palm'"},
      {"from 0 join left_palm to left_knie", "1:26", "'left_knee'"},
      {"from 0 hold left_heel chain left_hipp", "1:29", "'left_hip'"},
      {"repeat 2 every 1 mirrored\nfrom 0 hold left_hel\nend", "2:13", "left_hel"},
      {"stiff left_knee.flexoin 2", "1:7", "'left_knee.flexion'"},
      {"from 0 until 1 move left_heel along (0, 0, 0) (0, 0, 0)", "1:1", "distinct"},
      {"rate 1000\nlength 1e6", "2:8", "numbers in all"},
      {"key 0 travel (0, 0, 1e308)\nrepeat 9 every 1 shift (0, 0, 1e308)\nkey 0 travel (0, 0, 1)\nend", "3:1",
       "not finite"},
      {"rate 2\nkey 0 linear root.z 1e308\nkey 1 root.z -1e308", "1:1", "not finite"},
  };
  for (const BrokenText& broken : table) {
    const Expected<ScriptedMotion> motion = scripted_motion(read_script(broken.text), standing_human());
    ASSERT_FALSE(motion) << broken.text;
    expect_error(motion.error(), broken);
  }
  FigureDescription fixed;
  fixed.segments = {{"base"}, {"arm"}};
  fixed.joints = {{"j", "base", "arm", {}, {}, {{"turn"}}}};
  const Scene arm(*build_figure(fixed));
  for (const char* text : {"key 0 travel (0, 0, 1)", "key 0 heading 1", "stiff travel 2",
                           "repeat 2 every 1 mirrored\nkey 0 j.turn 1\nend"})
    EXPECT_FALSE(scripted_motion(read_script(text), arm)) << text;
  EXPECT_TRUE(scripted_motion(read_script("key 0 j.turn 1"), arm));
}

TEST(MotionScriptDocument, ItsExamplesAreScripts) {
  const std::string page = read_sample(std::filesystem::path(source_dir()) / "doc" / "motion_script.md");
  const std::string fence = "```script\n";
  int shown = 0;
  for (std::size_t begin = page.find(fence); begin != std::string::npos; begin = page.find(fence, begin), ++shown) {
    begin += fence.size();
    motion_of(page.substr(begin, page.find("```", begin) - begin));
  }
  EXPECT_EQ(shown, 5);
  // And what stands in the first column of its tables, with what it may need around it.
  int rows = 0;
  std::size_t at = page.find("| what | meaning |");
  for (at = page.find("| `", at); at != std::string::npos; at = page.find("\n| `", at + 1), ++rows) {
    const std::size_t begin = page.find('`', at) + 1;
    const std::string code = page.substr(begin, page.find('`', begin) - begin);
    const bool is_how = at > page.find("| how | meaning |");
    motion_of("from 1 until 2 " + (is_how ? "hold left_heel " + code : code));
  }
  EXPECT_GT(rows, 15);
}

// --- The walk --------------------------------------------------------------------------------------

// As the thesis tells it, read off the solved motion and not off the report.
TEST(ScriptedWalk, TheStanceFootIsAsTheThesisTellsIt) {
  Expected<Scene> scene = read_scene(read_sample(motion_folder / "walk.json"), "walk.json");
  ASSERT_TRUE(scene) << scene.error().text();
  const Expected<MotionScript> script = read_motion_script(read_sample(motion_folder / "walk.script"), "walk.script");
  ASSERT_TRUE(script) << script.error().text();
  const Expected<ScriptedMotion> motion = scripted_motion(*script, *scene);
  ASSERT_TRUE(motion) << motion.error().text();
  MotionOptions options;
  options.iterations = 200;
  const Expected<SolvedMotion> solved = solve_motion(motion->problem, motion->given, options);
  ASSERT_TRUE(solved) << solved.error().text();
  constexpr double still = 5e-4, ground = 5e-4;  // metres
  const auto at = [&](double time, const std::string& place) {
    return places(scene->figure, solved->clip.pose(static_cast<int>(std::lround(time * 30.0)))).at(place);
  };
  // The left foot of the second step, which strikes at 0.55.
  const Vec3 heel = at(0.57, "left_heel"), ball = at(0.70, "left_ball");
  EXPECT_LT(std::fabs(heel.y()), ground);
  EXPECT_GT(at(0.57, "left_ball").y(), 0.02) << "the toe is raised when the heel strikes";
  EXPECT_LT((at(0.63, "left_heel") - heel).norm(), still) << "the heel maintains its position";
  for (const double time : {0.70, 0.77, 0.83, 0.87}) {
    EXPECT_LT((at(time, "left_heel") - heel).norm(), still) << "the entire foot remains locked";
    EXPECT_LT((at(time, "left_ball") - ball).norm(), still);
  }
  EXPECT_GT(at(1.05, "left_heel").y(), 0.02) << "the heel breaks contact first";
  EXPECT_LT((at(1.05, "left_ball") - ball).norm(), still);
  EXPECT_GT(at(1.27, "left_ball").y(), 0.01) << "then the ball";
  EXPECT_NEAR(at(2.20, "pelvis").z() - at(0.0, "pelvis").z(), 2.6, 0.05) << "four steps of 0.65 m";
  for (int k = 0; k < solved->clip.frames(); ++k)
    for (const char* place : {"left_heel", "left_ball", "left_toe", "right_heel", "right_ball", "right_toe"})
      EXPECT_GT(at(k / 30.0, place).y(), -0.003) << place << " in frame " << k;
}

}  // namespace motion_script_motion_test
}  // namespace limber
