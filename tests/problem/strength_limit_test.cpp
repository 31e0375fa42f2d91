// Strength as a constraint: its definition, its derivatives, closed forms, and the laws that an answer keeps.
#include <gtest/gtest.h>

#include <cmath>

#include "limber/assess/strengths.h"
#include "limber/figure/human.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/law/allocation.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace strength_limit_test {

using testing::built;
using testing::good;

constexpr double earth = standard_gravity;

StrengthRow row(std::string freedom, int direction, double torque) {
  return {.freedom = std::move(freedom),
          .direction = direction,
          .percentile_5 = torque,
          .percentile_50 = torque,
          .percentile_95 = torque};
}

// Both directions of every turn, of which a third depends on the angle.
StrengthTable random_table(const Figure& figure, Random& random, double max) {
  StrengthTable table;
  for (const Freedom& freedom : figure.freedoms()) {
    if (freedom.motion != Motion::rotate) continue;
    for (const int direction : {1, -1}) {
      table.push_back(row(freedom.name, direction, random.between(0.1, 1.0) * max));
      if (!random.chance(0.3)) continue;
      table.back().curve = random.between(0.4, 1.2);
      table.back().best_angle = random.between(-1.0, 1.0);
    }
  }
  return table;
}

// An arm of one hinge, of the given length, with a hand; at rest along x.
Figure lever(double length, double mass) {
  FigureDescription arm;
  arm.name = "lever";
  arm.segments = {{"beam", mass, Vec3(0.5 * length, 0, 0)}};
  arm.joints = {{"hinge", "", "beam", {}, {}, {testing::turn("turn", Vec3::UnitZ(), {-1.5, 1.5})}}};
  arm.sites = {{"hand", "beam", at({length, 0, 0})}};
  return built(arm);
}

// --------------------------------------------------------------------------------------------------- the program

struct Sample {
  Figure figure;
  StrengthLimit limit;
  ConstraintOptions options;
};

template <class Function>
void expect_slope(Function&& f, const VecX& x, const VecX& gradient) {
  const MatX expected = testing::central_difference(f, x);
  const double scale = std::fmax(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LE((gradient.transpose() - expected).cwiseAbs().maxCoeff(), testing::difference_tolerance * scale);
}

// Whether some joint is overloaded in the pose.
bool expect_consistent(const Sample& sample, Random& random) {
  const Figure& figure = sample.figure;
  Problem problem(figure);
  good(problem.add(figure.point(figure.sites().back().name), Position{{0.3, 0.7, 0.4}}, {.weight = 2.0}));
  good(problem.add(figure.mass_centre(), Position{{0.0, 1.0, 0.0}}));
  good(problem.add_strength(sample.limit, sample.options));
  Assembly assembly(problem);
  VecX phi, r;
  MatX J;
  assembly.start(testing::random_pose(figure, random, 0.8).theta, phi);
  VecX gradient(phi.size()), part(phi.size()), rubbish(phi.size());
  if (!std::isfinite(sample.options.weight)) assembly.follow_multipliers(phi);  // with multipliers
  for (Eigen::Index k = 0; k < phi.size(); ++k) phi[k] += 0.01 * random.between(-1.0, 1.0);
  const double f = assembly(phi, gradient);
  assembly.residual(phi, r);
  assembly.jacobian(phi, J);
  EXPECT_NEAR(r.squaredNorm(), f, 1e-12 * f);
  EXPECT_LE((2.0 * J.transpose() * r - gradient).norm(), 1e-11 * (1.0 + gradient.norm()));
  // Where a row begins to push, r has a kink and f has one in its second derivative: so differences of f.
  const double scale = 1.0 / std::fmax(1.0, f);
  const auto value = [&](const VecX& x) { return VecX(VecX::Constant(1, scale * assembly(x, rubbish))); };
  expect_slope(value, phi, scale * gradient);
  assembly.gradient_of(2, phi, part);
  const auto of_limit = [&](const VecX& x) {
    assembly.residual(x, r);
    const RowRange& range = assembly.rows_of(2);
    return VecX(VecX::Constant(1, scale * r.segment(range.begin, range.count).squaredNorm()));
  };
  expect_slope(of_limit, phi, scale * part);
  return part.norm() > 0.0;
}

TEST(StrengthLimit, HasTheDerivativesOfDifferences) {
  const std::uint64_t seed = 4201;
  Random random(seed);
  const int count = law::law_count(40);
  int overloaded = 0;
  for (int k = 0; k < count; ++k) {
    Sample sample{built(testing::random_tree(random)), {}, {.weight = k % 2 ? 0.7 : must}};
    sample.limit = {.carried = {.loads = {{*sample.figure.point("site s5"), 3.0}}},
                    .share = 0.8,
                    .table = random_table(sample.figure, random, 20.0)};
    if (k % 3) sample.limit.carried.feet = {"s0"};
    SCOPED_TRACE(std::to_string(seed) + ", figure " + std::to_string(k));
    overloaded += expect_consistent(sample, random) ? 1 : 0;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(2 * overloaded, count);
}

TEST(StrengthLimit, OfAHumanHasTheDerivativesOfDifferences) {
  Random random(4202);
  for (const Figure& figure : {human(), good(simple_human())})
    for (const double weight : {1.0, must})
      EXPECT_TRUE(
          expect_consistent({figure,
                             {.carried = {.loads = {{*figure.point("right_palm"), 40.0}}, .feet = usual_feet(figure)}},
                             {.weight = weight}},
                            random));
}

// A weak joint near the end of its range, where bones take the torque over from the muscles.
TEST(StrengthLimit, HasTheDerivativesOfDifferencesAtTheEndOfARange) {
  const Figure figure = lever(0.5, 2.0);
  Problem problem(figure);
  good(problem.add(figure.point("hand"), Position{{0.0, -0.5, 0.0}}, {.weight = 1.0}));
  good(problem.add_strength({.table = {row("hinge.turn", 1, 0.05)}}, {.weight = 1.0}));
  Assembly assembly(problem);
  VecX phi, gradient(1), rubbish(1);
  double value = infinity;
  for (double off = 1.05; off > 0.0; off -= 0.1) {
    Pose pose = figure.rest();
    pose.theta[0] = -1.5 + off * stop_tolerance;
    assembly.start(pose.theta, phi);
    phi[0] = pose.theta[0];
    assembly.evaluate_at(phi);
    EXPECT_LE(assembly.value(1), value);
    value = assembly.value(1);
    assembly(phi, gradient);
    constexpr double step = 1e-7;
    const double ahead = assembly(phi + VecX::Constant(1, step), rubbish);
    const double behind = assembly(phi - VecX::Constant(1, step), rubbish);
    EXPECT_NEAR(gradient[0], (ahead - behind) / (2.0 * step), 1e-4 * (1.0 + std::fabs(gradient[0]))) << off;
  }
  assembly.evaluate_at(VecX::Constant(1, -1.5));
  EXPECT_EQ(assembly.value(1), 0.0) << "on its end it needs no muscle";
}

// ------------------------------------------------------------------------------------------------- closed forms

// The hand is asked to be level with the hinge; its strength lets it be so only at an angle with
// (m/2 + M) g l cos q = σ S.
TEST(StrengthLimit, AsAHardConstraintHoldsALeverWhereItCanBeHeld) {
  const double l = 0.6, m = 1.5, M = 8.0, S = 40.0, share = 0.75;
  const Figure figure = lever(l, m);
  Problem problem(figure);
  good(problem.add(figure.point("hand"), Position{{l, 0.0, 0.0}}));
  const ConstraintId id = good(problem.add_strength(
      {.carried = {.loads = {{*figure.point("hand"), M}}}, .share = share, .table = {row("hinge.turn", 1, S)}}));
  for (const double start : {-1.2, -0.1, 0.2, 1.3}) {
    Pose pose = figure.rest();
    pose.theta[0] = start;
    const Report report = solve(problem, pose, {.restarts = 0});
    const double expected = std::acos(share * S / ((0.5 * m + M) * earth * l));
    EXPECT_NEAR(std::fabs(pose.theta[0]), expected, 1e-3) << start;
    EXPECT_GT(pose.theta[0] * start, 0.0);
    const ConstraintReport& strength = report.constraints[1];
    EXPECT_EQ(strength.id, id);
    EXPECT_TRUE(strength.met) << to_text(report);
    EXPECT_EQ(strength.error.overload, 0.0);
    EXPECT_FALSE(report.constraints[0].met);
    ASSERT_EQ(strength.joints.size(), 1u);
    EXPECT_NEAR(strength.joints[0].share, share, 1e-3 * share);
    EXPECT_LE(strength.joints[0].share, share);
  }
}

// At the minimum of w_1 |x - x_g|² + w_2 (L e)² its derivative by the angle is 0.
TEST(StrengthLimit, AsASoftConstraintIsAOneSidedPenalty) {
  const double l = 0.6, M = 8.0, S = 40.0, w = 0.5;
  const Figure figure = lever(l, 0.0);
  Problem problem(figure);
  good(problem.add(figure.point("hand"), Position{{l, 0.0, 0.0}}));
  good(problem.add_strength({.carried = {.loads = {{*figure.point("hand"), M}}}, .table = {row("hinge.turn", 1, S)}},
                            {.weight = w}));
  Pose pose = figure.rest();
  pose.theta[0] = 0.3;
  const Report report = solve(problem, pose, {.tolerance = 1e-12, .restarts = 0});
  const double q = pose.theta[0], e = M * earth * l * std::cos(q) / S - 1.0, L = overload_length * figure.length();
  EXPECT_GT(e, 0.0);
  EXPECT_NEAR(*report.constraints[1].error.overload, e, 1e-12);
  const double slope = 2.0 * l * l * std::sin(q) - 2.0 * w * L * L * e * M * earth * l * std::sin(q) / S;
  EXPECT_NEAR(slope, 0.0, 1e-9);
  EXPECT_NEAR(report.objective, 2.0 * l * l * (1.0 - std::cos(q)) + w * L * L * e * e, 1e-9);
}

TEST(StrengthLimit, NamesTheJointThatCannotHold) {
  // Only the elbow moves; the load is at its axis, and no pose makes it lighter for the shoulder.
  const Figure figure = built(testing::planar_arm());
  Problem problem(figure);
  good(problem.add(figure.point("tip"), Position{{1.5, 0.5, 0.0}}, {.from = "elbow"}));
  good(problem.add_strength({.carried = {.loads = {{*figure.point("upper"), 500.0}}},
                             .table = {row("shoulder.turn", 1, 10.0), row("elbow.turn", 1, 100.0)}}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  const ConstraintReport& strength = report.constraints[1];
  EXPECT_FALSE(strength.met);
  EXPECT_FALSE(report.met());
  ASSERT_EQ(strength.joints.size(), 1u);
  EXPECT_EQ(figure.freedoms()[static_cast<std::size_t>(strength.joints[0].freedom)].name, "shoulder.turn");
  EXPECT_GT(strength.joints[0].share, 1.0);
  EXPECT_NEAR(*strength.error.overload, strength.joints[0].share - 1.0, 1e-9);
  EXPECT_NE(to_text(report).find("too weak: shoulder.turn "), std::string::npos) << to_text(report);
}

// Of the joints that do not move too: an arm that moves draws in for the sake of the back.
TEST(StrengthLimit, CountsForJointsThatDoNotMove) {
  const Figure figure = good(simple_human());
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.2, 1.2, 0.6}}, {.from = "right_shoulder"}));
  const int back = 0;
  StrengthLimit limit{.carried = {.loads = {{*figure.point("right_palm"), 5.0}}, .feet = usual_feet(figure)},
                      .table = {row("torso_1.forward", -1, 20.0)}};
  good(problem.add_strength(limit));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.constraints[1].met) << to_text(report);
  EXPECT_FALSE(report.constraints[0].met);
  EXPECT_EQ(figure.value(pose, "torso_1.forward").value(), back);
  EXPECT_NEAR(report.constraints[1].joints[0].torque, -20.0, 0.1);
}

// --------------------------------------------------------------------------------------------------------- laws

struct Reach {
  Vec3 left, right;
  double kilograms;
};

Problem holding(const Figure& figure, const Reach& reach, const std::optional<ConstraintOptions>& strength,
                double share = 1.0) {
  Problem problem(figure);
  good(problem.add(figure.point("left_palm"), Position{reach.left}));
  good(problem.add(figure.point("right_palm"), Position{reach.right}));
  for (const char* foot : {"left_foot", "right_foot"}) good(problem.add(figure.frame(foot), Hold{}, {.weight = must}));
  if (strength)
    good(problem.add_strength({.carried = {.loads = {{*figure.point("left_palm"), reach.kilograms},
                                                     {*figure.point("right_palm"), reach.kilograms}},
                                           .feet = usual_feet(figure)},
                               .share = share},
                              *strength));
  return problem;
}

Reach random_reach(Random& random, double kilograms) {
  const Vec3 middle(random.between(-0.3, 0.3), random.between(0.8, 1.5), random.between(0.3, 0.7));
  return {middle + Vec3(0.2, 0, 0), middle - Vec3(0.2, 0, 0), kilograms};
}

TEST(StrengthLimit, OfNoLoadAndALargeShareChangesNothing) {
  Random random(4203);
  const Figure figure = human();
  for (int k = 0; k < law::law_count(5); ++k) {
    const Reach reach = random_reach(random, 0.0);
    Pose without = figure.rest(), with = without, hard = without;
    solve(holding(figure, reach, std::nullopt), without);
    solve(holding(figure, reach, ConstraintOptions{.weight = 1.0}, 100.0), with);
    // But for the order of sums over more rows.
    EXPECT_LE((with.theta - without.theta).cwiseAbs().maxCoeff(), 1e-7);
    const Report report = solve(holding(figure, reach, ConstraintOptions{.weight = must}, 100.0), hard);
    EXPECT_TRUE(report.constraints.back().met);
    EXPECT_LE((hard.theta - without.theta).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// What is met can be held, by the assessment of the pose: the same torques by another path.
TEST(StrengthLimit, IsMetWhereTheAssessmentSaysSo) {
  Random random(4204);
  const Figure figure = human();
  int met = 0, too_heavy = 0;
  for (int k = 0; k < std::max(8, law::law_count(8)); ++k) {
    const Reach reach = random_reach(random, random.between(5.0, 12.0));
    const double share = 0.9;
    for (const bool limited : {false, true}) {
      Pose pose = figure.rest();
      const Problem problem =
          holding(figure, reach, limited ? std::optional(ConstraintOptions{.weight = must}) : std::nullopt, share);
      const Report report = solve(problem, pose, {.restarts = 0});
      const StaticLoadOptions carried{
          .loads = {{*figure.point("left_palm"), reach.kilograms}, {*figure.point("right_palm"), reach.kilograms}},
          .feet = usual_feet(figure)};
      const StaticLoad load = good(static_load(figure, pose, carried));
      const std::vector<JointLoad> joints = good(joint_loads(figure, pose, load, human_strength(Sex::male)));
      const double used = first_to_give(joints)->share;
      if (!limited) {
        too_heavy += used > share ? 1 : 0;
      } else if (report.constraints.back().met) {
        ++met;
        EXPECT_LE(used, share + 1e-9) << k << "\n" << to_text(report);
      }
    }
  }
  EXPECT_GT(met, 0);
  EXPECT_GT(too_heavy, 0) << "without the limit";
}

TEST(StrengthLimit, OfAMirroredTaskHasTheMirroredAnswer) {
  const Figure figure = good(simple_human());
  Random random(4205);
  for (int k = 0; k < law::law_count(3); ++k) {
    Reach reach = random_reach(random, 9.0), mirrored = reach;
    const Vec3 flip(-1, 1, 1);
    mirrored.left = reach.right.cwiseProduct(flip);
    mirrored.right = reach.left.cwiseProduct(flip);
    Pose a = figure.rest(), b = a;
    const Options options{.restarts = 0};
    const Report of_a = solve(holding(figure, reach, ConstraintOptions{.weight = 1.0}), a, options);
    const Report of_b = solve(holding(figure, mirrored, ConstraintOptions{.weight = 1.0}), b, options);
    EXPECT_NEAR(of_a.objective, of_b.objective, 1e-6 * (1e-3 + of_a.objective));
    EXPECT_NEAR(*of_a.constraints.back().error.overload, *of_b.constraints.back().error.overload, 1e-4);
  }
}

// Turned about the vertical and moved, with all that it is asked.
TEST(StrengthLimit, DoesNotDependOnWhereAFigureStandsAndWhichWayItFaces) {
  const Figure figure = good(simple_human());
  Random random(4206);
  for (int k = 0; k < law::law_count(3); ++k) {
    const Reach reach = random_reach(random, 9.0);
    Pose here = figure.rest();
    const Options options{.restarts = 0};
    const Report of_here = solve(holding(figure, reach, ConstraintOptions{.weight = must}), here, options);
    const double angle = random.between(-2.0, 2.0);
    const Vec3 shift(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
    const Mat3 R = rotation(Vec3::UnitY(), angle);
    const Reach moved{R * reach.left + shift, R * reach.right + shift, reach.kilograms};
    Pose there = figure.rest();
    there.theta[good(figure.find_parameter("root.turn"))] += angle;
    const Vec3 root = good(figure.find_parameter("root.x")) >= 0
                          ? Vec3(figure.value(there, "root.x").value(), figure.value(there, "root.y").value(),
                                 figure.value(there, "root.z").value())
                          : Vec3::Zero();
    const Vec3 to = R * root + shift;
    there.theta[good(figure.find_parameter("root.x"))] = to.x();
    there.theta[good(figure.find_parameter("root.y"))] = to.y();
    there.theta[good(figure.find_parameter("root.z"))] = to.z();
    const Report of_there = solve(holding(figure, moved, ConstraintOptions{.weight = must}), there, options);
    EXPECT_EQ(of_here.constraints.back().met, of_there.constraints.back().met);
    EXPECT_NEAR(of_here.objective, of_there.objective, 1e-4 * (1e-3 + of_here.objective)) << k;
  }
}

// Lengths k times as large, with k times the strength: the same angles.
TEST(StrengthLimit, HasNoUnit) {
  const auto solved = [](double scale) {
    const Figure figure = lever(0.6 * scale, 1.5);
    Problem problem(figure);
    good(problem.add(figure.point("hand"), Position{{0.6 * scale, 0.0, 0.0}}));
    good(problem.add_strength(
        {.carried = {.loads = {{*figure.point("hand"), 8.0}}}, .table = {row("hinge.turn", 1, 30.0 * scale)}},
        {.weight = 0.8}));
    Pose pose = figure.rest();
    pose.theta[0] = 0.2;
    const Report report = solve(problem, pose, {.restarts = 0});
    return std::pair(pose.theta[0], *report.constraints[1].error.overload);
  };
  const auto [angle, overload] = solved(1.0);
  EXPECT_GT(overload, 0.0);
  for (const double scale : {1e-4, 1e4}) {
    EXPECT_NEAR(solved(scale).first, angle, 1e-9);
    EXPECT_NEAR(solved(scale).second, overload, 1e-9);
  }
}

TEST(StrengthLimit, AsksForNoMemoryInASolve) {
  const Figure figure = human();
  const Problem problem = holding(figure, {{0.2, 1.2, 0.6}, {-0.2, 1.2, 0.6}, 12.0}, ConstraintOptions{.weight = must});
  Solver solver(problem);
  Pose pose = figure.rest();
  const Options options{.iterations = 60, .restarts = 0};
  solver.solve(pose, options);
  pose = figure.rest();
  Pose again = pose;
  const long before = law::allocations();
  const Report& report = solver.solve(again, options);
  EXPECT_EQ(law::allocations(), before);
  EXPECT_FALSE(report.constraints.back().joints.empty());
}

// ---------------------------------------------------------------------------------------------------- rejections

TEST(StrengthLimit, IsRejectedWhereItMeansNothing) {
  const Figure figure = lever(0.5, 1.0);
  const StrengthTable table = {row("hinge.turn", 1, 10.0)};
  struct Case {
    StrengthLimit limit;
    ConstraintOptions options;
    const char* named;
  };
  const Case cases[] = {
      {{.share = 0.0, .table = table}, {}, "share"},
      {{.share = infinity, .table = table}, {}, "share"},
      {{.table = {row("elbow.flexion", 1, 10.0)}}, {}, "without a row"},
      {{.table = {row("hinge.turn", 0, 10.0)}}, {}, "direction"},
      {{.table = table, .strength = {.percentile = 99.0}}, {}, "percentile"},
      {{.carried = {.feet = {"left_foot"}}, .table = table}, {}, "left_foot"},
      {{.carried = {.loads = {{*figure.point("hand"), -1.0}}}, .table = table}, {}, "-1 kg"},
      {{.table = table}, {.weight = must, .soft = true}, "must"},
      {{.table = table}, {.weight = -1.0}, "weight"},
      {{.table = table}, {.weight = 1.0, .priority = 17}, "priority"},
      {{.table = table}, {.weight = 1.0, .from = "hinge"}, "chain"},
  };
  for (const Case& one : cases) {
    Problem problem(figure);
    const Expected<ConstraintId> id = problem.add_strength(one.limit, one.options);
    ASSERT_FALSE(id) << one.named;
    EXPECT_NE(id.error().text().find(one.named), std::string::npos) << id.error().text();
    Pose pose = figure.rest();
    EXPECT_EQ(solve(problem, pose).exit, Exit::rejected);
  }
}

}  // namespace strength_limit_test
}  // namespace limber
