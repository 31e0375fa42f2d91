// Clearances hold: slopes against differences, answers against a check that knows no solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/obstacle/line_segment.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"

namespace limber {
namespace clearance_test {

constexpr std::uint64_t clear_seed = 8801;

Frame placed_at(const Vec3& p) {
  Frame X;
  X.p = p;
  return X;
}

Obstacle plate(const Vec3& at, const Vec3& half) { return *build_obstacle("plate", BoxShape{half}, placed_at(at)); }

std::vector<LineSegment> cores_of(const Figure& figure, const Pose& pose, const Clearance& clearance) {
  VecX q;
  figure.angles(pose.theta, q);
  Kinematics state(figure);
  forward(figure, q, state);
  std::vector<LineSegment> cores;
  for (const SegmentCapsule& at : clearance.capsules) {
    const Frame& X = state.segments[static_cast<std::size_t>(at.segment)];
    cores.push_back({X * at.capsule.a, X * at.capsule.b});
  }
  return cores;
}

double pair_gap(const std::vector<LineSegment>& cores, const Clearance& clearance, const CapsulePair& pair) {
  const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
  return gap(cores[a], cores[b]).distance - clearance.capsules[a].capsule.radius -
         clearance.capsules[b].capsule.radius + pair.slack;
}

// The min gap of all capsules to all obstacles and of all pairs, in a pose, by plain forward kinematics.
double min_gap(const Figure& figure, const Pose& pose, const Clearance& clearance) {
  const std::vector<LineSegment> cores = cores_of(figure, pose, clearance);
  double min_distance = infinity;
  for (std::size_t c = 0; c < cores.size(); ++c)
    for (const Obstacle& obstacle : clearance.obstacles)
      min_distance = std::fmin(min_distance, gap(cores[c], obstacle).distance - clearance.capsules[c].capsule.radius);
  for (const CapsulePair& pair : clearance.pairs)
    min_distance = std::fmin(min_distance, pair_gap(cores, clearance, pair));
  return min_distance;
}

Clearance body_of(const Figure& figure, bool self, double margin = 0.0) {
  Clearance clearance;
  clearance.margin = margin;
  clearance.capsules = capsules_of(figure);
  if (self) clearance.pairs = pairs_to_check(figure, clearance.capsules, margin);
  return clearance;
}

Pose random_clear_pose(Random& random, const Figure& figure, double part) {
  Pose pose = figure.rest();
  for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
    const Parameter& parameter = figure.parameters()[static_cast<std::size_t>(j)];
    const double low = std::fmax(parameter.range.lower, parameter.range.rest - 1.0);
    const double high = std::fmin(parameter.range.upper, parameter.range.rest + 1.0);
    pose.theta[j] += part * (random.between(low, high) - pose.theta[j]);
  }
  return pose;
}

// Many obstacles about the body, so that something always overlaps.
Clearance crowded(Random& random, const Figure& figure, double margin) {
  Clearance clearance = body_of(figure, true, margin);
  for (int k = 0; k < 6; ++k) {
    const double x = random.between(-0.6, 0.6), y = random.between(0.4, 1.8), z = random.between(-0.2, 0.6);
    const double size = random.between(0.05, 0.2);
    const ObstacleShape shape = k % 3 == 0   ? ObstacleShape(BallShape{size})
                                : k % 3 == 1 ? ObstacleShape(BoxShape{Vec3(size, 0.5 * size, 0.1)})
                                             : ObstacleShape(Capsule{Vec3::Zero(), Vec3(0.0, size, size), 0.05});
    clearance.obstacles.push_back(*build_obstacle("thing " + std::to_string(k), shape, placed_at({x, y, z})));
  }
  return clearance;
}

TEST(Clearance, RowsAndSlopesAreTheDerivativesOfTheGaps) {
  const Figure figure = human();
  Random random(clear_seed);
  constexpr double h = 1e-6;
  int seen = 0;
  for (int c = 0; c < 40; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << clear_seed << ", case " << c);
    Problem problem(figure);
    problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}});
    const bool is_exact = c % 2 == 0;
    ASSERT_TRUE(problem.add_clearance(crowded(random, figure, 0.02), {.weight = is_exact ? must : 0.7}));
    Assembly assembly(problem);
    VecX phi;
    assembly.start(random_clear_pose(random, figure, 0.3).theta, phi);
    VecX r, ahead, behind, gradient(assembly.variables()), unused(assembly.variables());
    MatX J;
    const double value = assembly(phi, gradient);
    assembly.residual(phi, r);
    assembly.jacobian(phi, J);
    EXPECT_NEAR(value, r.squaredNorm(), 1e-12 * (1.0 + value));
    EXPECT_LE((gradient - 2.0 * J.transpose() * r).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + gradient.norm()));
    const std::size_t active = assembly.contacts_of(1)->list().size();
    if (active == 0) continue;
    ++seen;
    for (int i = 0; i < assembly.variables(); ++i) {
      const VecX step = h * VecX::Unit(assembly.variables(), i);
      const double slope = (assembly(phi + step, unused) - assembly(phi - step, unused)) / (2.0 * h);
      EXPECT_NEAR(gradient[i], slope, 1e-4 * (1.0 + gradient.cwiseAbs().maxCoeff())) << i;
    }
  }
  EXPECT_GE(seen, 30);
}

// Hands to places among obstacles, from the rest: whatever becomes of the goal, nothing overlaps that the report does
// not name, and limits hold.
TEST(Clearance, AnswersAreFreeOfOverlapsOrSayWithWhat) {
  const Figure figure = human();
  Random random(clear_seed + 1);
  int clear = 0, met = 0;
  constexpr int count = 40;
  for (int c = 0; c < count; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << clear_seed + 1 << ", case " << c);
    Clearance clearance = body_of(figure, c % 2 == 0, c % 4 == 0 ? 0.01 : 0.0);
    const double x = random.between(-0.5, 0.0), y = random.between(0.9, 1.5), z = random.between(0.3, 0.5);
    clearance.obstacles.push_back(plate({x, y, z}, {random.between(0.05, 0.2), random.between(0.05, 0.2), 0.01}));
    clearance.obstacles.push_back(*build_obstacle("ball", BallShape{0.1}, placed_at({x, y - 0.4, z})));
    const double aside = random.between(-0.2, 0.2), above = random.between(-0.2, 0.2),
                 behind = random.between(0.0, 0.2);
    Problem problem(figure);
    problem.add(figure.point("right_palm"), Position{{x + aside, y + above, z + behind}});
    ASSERT_TRUE(problem.add_clearance(clearance));
    for (const char* foot : {"left_foot", "right_foot"}) problem.add(figure.frame(foot), Hold{}, {.weight = must});
    Pose pose = figure.rest();
    const Report report = solve(problem, pose, {});
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
      const Range& range = figure.parameters()[static_cast<std::size_t>(j)].range;
      ASSERT_GE(pose.theta[j], range.lower);
      ASSERT_LE(pose.theta[j], range.upper);
    }
    const double min_distance = min_gap(figure, pose, clearance);
    const ConstraintReport& kept = report.constraints[1];
    EXPECT_EQ(kept.met, min_distance >= clearance.margin) << min_distance;
    EXPECT_NEAR(kept.error.metres.value_or(-1.0), std::fmax(0.0, clearance.margin - min_distance), 1e-12);
    if (!kept.met) {
      ASSERT_FALSE(kept.touches.empty());
      EXPECT_NEAR(kept.touches.front().gap, min_distance, 1e-12);
      EXPECT_NE(to_text(report).find("overlapping"), std::string::npos);
    }
    if (!kept.met) ADD_FAILURE() << to_text(report);
    clear += kept.met ? 1 : 0;
    met += report.met() ? 1 : 0;
  }
  EXPECT_EQ(clear, count);
  EXPECT_GE(met, count / 2);
}

// A hand to a point behind a plate: the straight way is shut, the elbow goes round.
TEST(Clearance, TheElbowGoesRoundAPlate) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({-0.2, 1.15, 0.35}, {0.15, 0.2, 0.01}));
  const Vec3 behind(-0.2, 1.15, 0.5);
  Pose through = figure.rest(), round = figure.rest();
  Problem free(figure);
  free.add(figure.point("right_palm"), Position{behind}, {.from = "waist"});
  ASSERT_TRUE(solve(free, through).met());
  ASSERT_LT(min_gap(figure, through, clearance), -0.01);  // without the constraint the arm passes through
  Problem problem(figure);
  problem.add(figure.point("right_palm"), Position{behind}, {.from = "waist"});
  ASSERT_TRUE(problem.add_clearance(clearance));
  const Report report = solve(problem, round);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_GE(min_gap(figure, round, clearance), 0.0);
}

// A goal inside an obstacle: the hand rests on it, as near as it comes, and the report says what it touches.
TEST(Clearance, AHandRestsOnWhatItMayNotEnter) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({-0.25, 1.0, 0.4}, {0.3, 0.1, 0.2}));
  Problem problem(figure);
  problem.add(figure.point("right_palm"), Position{{-0.25, 1.05, 0.4}}, {.from = "waist"});
  ASSERT_TRUE(problem.add_clearance(clearance));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_FALSE(report.constraints[0].met);
  EXPECT_TRUE(report.constraints[1].met) << to_text(report);
  EXPECT_GE(min_gap(figure, pose, clearance), 0.0);
  EXPECT_LT(min_gap(figure, pose, clearance), 1e-4);
  ASSERT_FALSE(report.constraints[1].touches.empty());
  EXPECT_NE(to_text(report).find("touching"), std::string::npos);
  EXPECT_NE(to_text(report).find("plate"), std::string::npos);
}

// A drag along a plate, in steps of 2 mm: what touches stays, and the pose moves as smoothly as the goal.
TEST(Clearance, ADragAlongAnObstacleIsCalm) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({-0.3, 0.95, 0.45}, {0.4, 0.02, 0.3}));
  Problem problem(figure);
  const Expected<ConstraintId> goal =
      problem.add(figure.point("right_palm"), Position{{-0.25, 0.96, 0.3}}, {.from = "waist"});
  problem.add_pull(towards(figure, figure.rest()), {.weight = 1e-3});
  ASSERT_TRUE(problem.add_clearance(clearance));
  Solver solver(problem);
  Pose pose = figure.rest();
  solver.solve(pose);
  Vec3 before = Vec3::Zero();
  double largest = 0.0;
  for (int step = 0; step <= 60; ++step) {
    ASSERT_TRUE(problem.set_goal(*goal, Position{{-0.25, 0.96, 0.3 + 0.002 * step}}));
    const Report& report = solver.solve(pose, {.restarts = 0});
    EXPECT_TRUE(report.constraints[2].met) << step << "\n" << to_text(report);
    EXPECT_GE(min_gap(figure, pose, clearance), 0.0) << step;
    EXPECT_FALSE(report.constraints[2].touches.empty()) << step;
    VecX q;
    figure.angles(pose.theta, q);
    Kinematics state(figure);
    forward(figure, q, state);
    Vec3 palm;
    evaluate(figure, state, *figure.point("right_palm"), &palm);
    if (step > 0) largest = std::fmax(largest, (palm - before).norm());
    before = palm;
  }
  EXPECT_LT(largest, 0.004);
}

// Other methods that see values and slopes keep clearances as well.
TEST(Clearance, GradientMethodsKeepClearToo) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({-0.2, 1.15, 0.45}, {0.1, 0.1, 0.01}));
  for (const Method method : {Method::levenberg_marquardt, Method::active_set_bfgs}) {
    Problem problem(figure);
    problem.add(figure.point("right_palm"), Position{{-0.2, 1.15, 0.47}}, {.from = "waist"});
    ASSERT_TRUE(problem.add_clearance(clearance));
    Pose pose = figure.rest();
    const Report report = solve(problem, pose, {.method = method});
    EXPECT_TRUE(report.constraints[1].met) << name_of(method) << "\n" << to_text(report);
    EXPECT_GE(min_gap(figure, pose, clearance), 0.0) << name_of(method);
  }
}

// An overlap of parts that cannot move is reported, and changes nothing.
TEST(Clearance, WhatCannotMoveIsNamedAllTheSame) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({0.0, 1.0, 0.0}, {0.5, 0.1, 0.5}));
  Problem problem(figure);
  ASSERT_TRUE(problem.add_clearance(clearance));  // nobody asks for anything that moves
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_EQ(pose.theta, figure.rest().theta);
  EXPECT_FALSE(report.constraints[0].met);
  EXPECT_NEAR(report.constraints[0].error.metres.value_or(0.0), -min_gap(figure, pose, clearance), 1e-12);
  EXPECT_NE(to_text(report).find("overlapping: "), std::string::npos) << to_text(report);
}

// Everything within met_metres of the margin is listed, moving or not, and nothing else; of the body's own parts only
// what is too near. Against all gaps by plain forward kinematics, with poses that nobody has solved for.
TEST(Clearance, ListsWhatRestsAtTheMarginAndNothingElse) {
  const Figure figure = human();
  Random random(clear_seed + 2);
  using Named = std::pair<int, int>;  // a segment, and an obstacle or another segment
  constexpr double margin = 0.02, reach = 0.03;
  int resting = 0, too_near = 0, own = 0;
  for (int c = 0; c < 40; ++c) {
    SCOPED_TRACE(::testing::Message() << "seed " << clear_seed + 2 << ", case " << c);
    const Clearance clearance = crowded(random, figure, margin);
    Problem problem(figure);
    if (c % 2 == 0) problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}}, {.from = "waist"});
    const Expected<ConstraintId> id = problem.add_clearance(clearance, {.weight = c % 4 < 2 ? must : 0.5});
    ASSERT_TRUE(id);
    Pose pose = random_clear_pose(random, figure, 0.3);
    const Report report = solve(problem, pose, {.iterations = 0, .met_metres = reach, .restarts = 0});
    const std::vector<LineSegment> cores = cores_of(figure, pose, clearance);
    std::set<Named> things, parts, listed_things, listed_parts;
    for (std::size_t k = 0; k < cores.size(); ++k)
      for (std::size_t o = 0; o < clearance.obstacles.size(); ++o)
        if (gap(cores[k], clearance.obstacles[o]).distance - clearance.capsules[k].capsule.radius < margin + reach)
          things.insert({clearance.capsules[k].segment, static_cast<int>(o)});
    for (const CapsulePair& pair : clearance.pairs)
      if (pair_gap(cores, clearance, pair) < margin)
        parts.insert({clearance.capsules[static_cast<std::size_t>(pair.first)].segment,
                      clearance.capsules[static_cast<std::size_t>(pair.second)].segment});
    const ConstraintReport& kept = report.constraints.back();
    for (const Touch& touch : kept.touches) {
      EXPECT_EQ(touch.too_near, touch.gap < margin);
      if (touch.obstacle >= 0)
        listed_things.insert({touch.segment, touch.obstacle});
      else
        listed_parts.insert({touch.segment, touch.other_segment});
      ++(touch.too_near ? too_near : resting);
    }
    EXPECT_EQ(listed_things, things);
    // Exact ones aim at a hair more than the margin, and list what is within that too.
    EXPECT_TRUE(std::ranges::includes(listed_parts, parts));
    EXPECT_LE(listed_parts.size(), parts.size() + (c % 4 < 2 ? 1 : 0));
    own += static_cast<int>(parts.size());
    EXPECT_TRUE(std::ranges::is_sorted(kept.touches, {}, &Touch::gap));
  }
  EXPECT_GE(resting, 20);
  EXPECT_GE(too_near, 20);
  EXPECT_GE(own, 10);
}

// A clearance that is off tells of nothing.
TEST(Clearance, WhatIsOffListsNothing) {
  const Figure figure = human();
  Clearance clearance = body_of(figure, false);
  clearance.obstacles.push_back(plate({0.0, 1.0, 0.0}, {0.5, 0.1, 0.5}));
  Problem problem(figure);
  const Expected<ConstraintId> id = problem.add_clearance(clearance);
  ASSERT_TRUE(id);
  for (const bool is_on : {true, false}) {
    ASSERT_TRUE(problem.set_enabled(*id, is_on));
    Pose pose = figure.rest();
    EXPECT_EQ(solve(problem, pose).constraints[0].touches.empty(), !is_on);
  }
}

TEST(Clearance, RejectsWhatItCannotKeep) {
  const Figure figure = human();
  const auto rejected = [&](auto change, ConstraintOptions options = {.weight = must}) {
    Clearance clearance = body_of(figure, false);
    change(clearance);
    Problem problem(figure);
    return !problem.add_clearance(std::move(clearance), std::move(options));
  };
  EXPECT_FALSE(rejected([](Clearance&) {}));
  EXPECT_TRUE(rejected([](Clearance& c) { c.margin = -0.1; }));
  EXPECT_TRUE(rejected([](Clearance& c) { c.margin = infinity; }));
  EXPECT_TRUE(rejected([](Clearance& c) { c.capsules.front().segment = 10000; }));
  EXPECT_TRUE(rejected([](Clearance& c) { c.capsules.front().capsule.radius = -1.0; }));
  EXPECT_TRUE(rejected([](Clearance& c) { c.pairs.push_back({0, 10000}); }));
  EXPECT_TRUE(rejected([](Clearance&) {}, {.weight = must, .priority = 2}));
  EXPECT_TRUE(rejected([](Clearance&) {}, {.weight = -1.0}));
}

}  // namespace clearance_test
}  // namespace limber
