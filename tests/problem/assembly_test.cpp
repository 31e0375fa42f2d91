// The assembled program against ZB94's O(n m) formula with handle Jacobians, and against finite differences.
#include "limber/problem/assembly.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"

namespace limber {
namespace assembly_test {

using testing::built;
using testing::expect_derivative;
using testing::good;
using testing::planar_arm;
using testing::random_pose;
using testing::random_tree;
using testing::random_values;
using testing::random_vector;
using testing::torso_with_arms;

// Sums over a dozen degrees of freedom of products of size 1, relative to the whole.
constexpr double rounding = 1e-13;

Problem random_problem(const Figure& figure, Random& random) {
  Problem problem(figure);
  const auto site = [&] {
    return "site s" + std::to_string(random.integer(0, static_cast<int>(figure.segments().size()) - 1));
  };
  const auto far = [&] { return Vec3(random_vector(random, 3.0)); };
  const auto weight = [&] { return ConstraintOptions{.weight = random.between(0.1, 5.0)}; };
  const Mat3 R = random.rotation();
  const std::vector<Face> faces = {{Vec3(-3, 0, 0), Vec3(1, 0.1, 0.1)}, {Vec3(0, -3, 0), Vec3(0.1, 1, -0.2)}};
  good(problem.add(figure.frame(site()), Placement{far(), orientation(R, 50.0), 0.3, 0.7}, weight()));
  good(problem.add(figure.point(site()), Position{far()}, weight()));
  good(problem.add(figure.ray(site()), AimAt{far(), 0.8}, weight()));
  good(problem.add(figure.mass_centre(), Line{far(), random.direction()}, weight()));
  good(problem.add(difference(figure.frame(site()), figure.frame(site())), Coincide{0.5}, weight()));
  good(problem.add(figure.point(site()), InsidePolyhedron{faces}, weight()));
  good(problem.add(figure.frame(site()), hold(), weight()));
  good(problem.add_one_of(
      {{figure.direction(site()), Direction{random.direction(), 3.0}}, {figure.point(site()), Position{far()}}},
      weight()));
  good(problem.add(figure.point(site()), Position{far()}, {.weight = 0.0}));
  const ConstraintId off = good(problem.add(figure.point(site()), Position{far()}));
  if (!problem.set_enabled(off, false)) throw std::runtime_error("enabled");
  for (const Parameter& parameter : figure.parameters())
    if (random.chance(0.5) &&
        !problem.set_rigidity(parameter.name, random.chance(0.2) ? 1.0 : random.between(0.0, 0.9)))
      throw std::runtime_error("rigidity");
  return problem;
}

// One constraint's r and ∂r/∂θ: nearest alternative, handle Jacobian, ∂q/∂θ term by term.
struct Part {
  VecX r;
  MatX J;
};

Part brute_force(const Problem& problem, const Constraint& constraint, const VecX& theta, const VecX& start) {
  const Figure& figure = problem.figure();
  const Kinematics state = forward(figure, Pose{theta}), state_at_start = forward(figure, Pose{start});
  Part best;
  for (const Alternative& alternative : constraint.alternatives()) {
    const Handle& handle = alternative.handle;
    Vec3 x[max_elements], held[max_elements];
    evaluate(figure, state, handle, x);
    evaluate(figure, state_at_start, handle, held);
    if (std::holds_alternative<Hold>(alternative.goal))
      for (int k = 0; k < handle.count(); ++k) x[k] -= held[k];
    const int rows = row_count(alternative.goal, handle.shape);
    Part part{VecX(rows), MatX::Zero(rows, theta.size())};
    MatX r_by_x(rows, 3 * handle.count()), x_by_q;
    Residual out{{part.r.data(), rows}, {r_by_x.data(), rows, r_by_x.cols()}};
    evaluate(alternative.goal, {handle.shape, x}, out);
    jacobian(figure, state, handle, x_by_q);
    for (std::size_t i = 0; i < figure.freedoms().size(); ++i)
      for (int t = figure.freedoms()[i].term_begin; t < figure.freedoms()[i].term_end; ++t) {
        const Term& term = figure.terms()[t];
        part.J.col(term.parameter) +=
            term.curve(theta[term.parameter]).slope * (r_by_x * x_by_q.col(static_cast<Eigen::Index>(i)));
      }
    if (best.r.size() == 0 || part.r.squaredNorm() < best.r.squaredNorm()) best = part;
  }
  return best;
}

double scale_of(const Problem& problem, int parameter) {
  const bool length = problem.figure().parameters()[parameter].translates;
  return (1.0 - problem.rigidities()[parameter]) * (length ? problem.figure().length() : 1.0);
}

class RandomAssembly : public ::testing::TestWithParam<int> {};

TEST_P(RandomAssembly, EqualsTheDoubleLoop) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const Figure figure = built(random_tree(random, {random.integer(3, 9), random.chance(0.6), random.chance(0.7)}));
  const Problem problem = random_problem(figure, random);
  Assembly assembly(problem);
  EXPECT_EQ(assembly.structure(), problem.structure());
  const VecX start = random_pose(figure, random).theta;
  VecX phi;
  assembly.start(start, phi);
  ASSERT_EQ(phi.size(), assembly.variables());
  for (int i = 0; i < assembly.variables(); ++i)
    EXPECT_NEAR(phi[i] * scale_of(problem, assembly.parameter(i)), start[assembly.parameter(i)], rounding);
  phi += random_values(random, phi.size(), 0.3);

  // θ = s φ for variables; the rest stays.
  VecX theta = start;
  for (int i = 0; i < assembly.variables(); ++i)
    theta[assembly.parameter(i)] = scale_of(problem, assembly.parameter(i)) * phi[i];

  VecX gradient = VecX::Constant(phi.size(), 7.0), r, part_gradient, sum = VecX::Zero(phi.size());
  const double f = assembly(phi, gradient);
  EXPECT_LE((assembly.theta() - theta).cwiseAbs().maxCoeff(), rounding);

  double G = 0.0, weights = 0.0;
  VecX G_theta = VecX::Zero(theta.size());
  for (std::size_t c = 0; c < problem.constraints().size(); ++c) {
    const Constraint& constraint = problem.constraints()[c];
    const Part part = brute_force(problem, constraint, theta, start);
    EXPECT_NEAR(assembly.value(c), part.r.squaredNorm(), rounding * (1.0 + part.r.squaredNorm()));
    if (!constraint.enabled || constraint.weight == 0.0) continue;
    G += constraint.weight * part.r.squaredNorm();
    G_theta += constraint.weight * 2.0 * part.J.transpose() * part.r;
    weights += constraint.weight;
    assembly.gradient_of(c, phi, part_gradient);
    sum += part_gradient;
  }
  const double whole = weights * figure.length() * figure.length();
  EXPECT_NEAR(assembly.objective_scale(), whole, rounding * whole);
  EXPECT_NEAR(f, G / whole, rounding * (G / whole));
  for (int i = 0; i < assembly.variables(); ++i)
    EXPECT_NEAR(gradient[i], scale_of(problem, assembly.parameter(i)) * G_theta[assembly.parameter(i)] / whole,
                rounding * (1.0 + G_theta.norm()));
  EXPECT_LE((sum - gradient).norm(), rounding * (1.0 + gradient.norm()));

  // The residual form: ‖r‖² = f, 2 Jᵀ r = ∇f.
  MatX J;
  assembly.residual(phi, r);
  assembly.jacobian(phi, J);
  EXPECT_EQ(r.size(), assembly.residuals());
  EXPECT_EQ(assembly.level_ends(), (std::vector<int>{0, assembly.residuals()}));
  EXPECT_NEAR(r.squaredNorm(), f, rounding * f);
  EXPECT_LE((2.0 * J.transpose() * r - gradient).norm(), 1e-12 * (1.0 + gradient.norm()));
}

TEST_P(RandomAssembly, HasTheDerivativesOfItsValueAndResidual) {
  Random random(static_cast<std::uint64_t>(1000 + GetParam()));
  const Figure figure = built(random_tree(random, {random.integer(3, 9), random.chance(0.6), random.chance(0.7)}));
  const Problem problem = random_problem(figure, random);
  Assembly assembly(problem);
  VecX phi, gradient, r;
  MatX J;
  assembly.start(random_pose(figure, random).theta, phi);
  phi += random_values(random, phi.size(), 0.3);
  gradient.resize(phi.size());
  assembly(phi, gradient);
  VecX rubbish(phi.size());
  expect_derivative([&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); }, phi,
                    gradient.transpose(), random);
  assembly.residual(phi, r);
  assembly.jacobian(phi, J);
  VecX value;
  expect_derivative(
      [&](const VecX& x) {
        assembly.residual(x, value);
        return value;
      },
      phi, J, random);
}

// Whatever was evaluated before, and where another alternative was the nearest.
TEST_P(RandomAssembly, HasTheJacobianOfThePointThatItIsGiven) {
  Random random(static_cast<std::uint64_t>(2000 + GetParam()));
  const Figure figure = built(random_tree(random, {random.integer(3, 9), random.chance(0.6), random.chance(0.7)}));
  const Problem problem = random_problem(figure, random);
  Assembly assembly(problem);
  VecX phi, r;
  MatX J, again;
  assembly.start(random_pose(figure, random).theta, phi);
  const VecX other = phi + random_values(random, phi.size(), 1.0);
  assembly.residual(phi, r);
  assembly.jacobian(phi, J);
  assembly.residual(other, r);
  assembly.jacobian(phi, again);
  EXPECT_EQ(J, again);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomAssembly, ::testing::Range(1, 41));

TEST(Assembly, LeavesOutRigidAndFixedParameters) {
  FigureDescription d = planar_arm();
  d.segments.push_back({"hand"});
  d.joints.push_back(
      {"wrist", "lower", "hand", at({1, 0, 0}), {}, {testing::turn("flex", Vec3::UnitZ(), {0.5, 0.5, 0.5})}});
  const Figure figure = built(d);
  Problem problem(figure);
  good(problem.add(figure.point("hand"), Position{}));
  EXPECT_EQ(problem.variables().size(), 3u);
  EXPECT_EQ(Assembly(problem).variables(), 2);  // the wrist is fixed
  EXPECT_TRUE(problem.set_rigidity("shoulder", 1.0));
  Assembly assembly(problem);
  ASSERT_EQ(assembly.variables(), 1);
  EXPECT_EQ(figure.parameters()[assembly.parameter(0)].name, "elbow.turn");
}

// Over many ranges, because s · (a / s) is not always a.
TEST(Assembly, ScalesLimitsAndReachesThemExactly) {
  Random random(132);
  for (int trial = 0; trial < 100; ++trial) {
    FigureDescription d = planar_arm();
    d.joints[1].freedoms[0].range = {random.between(-1.0, 0.0), random.between(0.0, 1.0), 0.0,
                                     random.between(0.0, 0.9)};
    d.joints.push_back(free_root("root", "base"));
    d.joints.back().freedoms[1].range = {random.between(-1.0, 0.0), random.between(0.0, 1.0)};  // y, in metres
    const Figure figure = built(d);
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{}));
    Assembly assembly(problem);
    VecX phi;
    assembly.start(figure.rest().theta, phi);
    for (int i = 0; i < assembly.variables(); ++i) {
      const Range& range = figure.parameters()[assembly.parameter(i)].range;
      const double s = scale_of(problem, assembly.parameter(i));
      EXPECT_DOUBLE_EQ(assembly.limits().lower[i], range.lower / s);
      EXPECT_DOUBLE_EQ(assembly.limits().upper[i], range.upper / s);
      for (const bool upper : {false, true}) {
        if (!std::isfinite(upper ? range.upper : range.lower)) continue;
        VecX at_limit = phi;
        at_limit[i] = upper ? assembly.limits().upper[i] : assembly.limits().lower[i];
        assembly.set_theta(at_limit);
        EXPECT_EQ(assembly.theta()[assembly.parameter(i)], upper ? range.upper : range.lower);
      }
    }
  }
}

// A disjunction keeps the rows of its largest member, so that what follows has its place whichever is nearest.
TEST(Assembly, GivesEveryConstraintItsOwnRows) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  const Vec3 ahead(2.5, 0, 0);
  good(problem.add_one_of(
      {{figure.point("tip"), Plane{ahead, Vec3::UnitX()}}, {figure.point("tip"), Position{{2, 0, 3}}}},
      {.weight = 4.0}));
  if (!problem.set_enabled(good(problem.add(figure.point("tip"), Position{})), false))
    throw std::runtime_error("enabled");
  good(problem.add(figure.point("tip"), Plane{Vec3(0, -0.25, 0), Vec3::UnitY()}));
  Assembly assembly(problem);
  EXPECT_EQ(assembly.residuals(), 4);
  VecX phi, r;
  assembly.start(figure.rest().theta, phi);
  assembly.residual(phi, r);
  const VecX expected = Eigen::Vector4d(2.0 * -0.5, 0.0, 0.0, 0.25) / std::sqrt(assembly.objective_scale());
  EXPECT_LE((r - expected).norm(), rounding);
}

// A row's bound is reduced by the parameters off the chain; its normal is a unit vector in φ.
TEST(Assembly, MovesParametersOffTheChainIntoTheBound) {
  FigureDescription d = torso_with_arms();
  d.limits = {{"mixed",
               {{"waist.flex", 2.0}, {"left elbow.bend", -3.0}, {"left shoulder.lift", 1.0}, {"neck.nod", 0.0}},
               Relation::at_most,
               1.5},
              {"foreign", {{"waist.flex", 1.0}, {"neck.nod", 1.0}}, Relation::at_most, 0.5},
              {"tied", {{"left elbow.bend", 1.0}, {"left shoulder.swing", -1.0}}, Relation::equal, 0.25}};
  const Figure figure = built(d);
  Problem problem(figure);
  good(problem.add(figure.point("left hand"), Position{}, {.from = "left shoulder"}));
  EXPECT_TRUE(problem.set_rigidity("left elbow", 0.5));
  Assembly assembly(problem);
  Random random(130);
  const Pose pose = random_pose(figure, random);
  VecX phi;
  assembly.start(pose.theta, phi);
  const Limits& limits = assembly.limits();
  ASSERT_EQ(limits.rows.size(), 2u);
  EXPECT_EQ(assembly.limit_row(0), 0);
  EXPECT_EQ(assembly.limit_row(1), 2);
  const int n = assembly.variables();
  EXPECT_FALSE(limits.is_equality(2 * n));
  EXPECT_TRUE(limits.is_equality(2 * n + 1));
  for (int k = 0; k < 2; ++k) {
    VecX normal = VecX::Zero(n);
    limits.add_normal(2 * n + k, 1.0, normal);
    EXPECT_NEAR(normal.norm(), 1.0, 1e-15);
  }
  // The slack in φ is the slack in θ over the length of the normal: 3 · 0.5 and 1, then 1 · 0.5 and 1.
  const auto value = [&](const char* name) { return good(figure.value(pose, name)); };
  const double mixed = 1.5 - (2.0 * value("waist.flex") - 3.0 * value("left elbow") + value("left shoulder.lift"));
  const double tied = 0.25 - (value("left elbow") - value("left shoulder.swing"));
  EXPECT_NEAR(limits.slack(2 * n, phi), mixed / std::hypot(1.5, 1.0), 1e-14);
  EXPECT_NEAR(limits.slack(2 * n + 1, phi), tied / std::hypot(0.5, 1.0), 1e-14);
}

TEST(Assembly, HoldsWhatTheStartShows) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  good(problem.add(figure.frame("left hand"), hold()));
  Assembly assembly(problem);
  Random random(131);
  VecX phi;
  for (int trial = 0; trial < 3; ++trial) {
    assembly.start(random_pose(figure, random).theta, phi);
    VecX gradient(phi.size());
    EXPECT_EQ(assembly(phi, gradient), 0.0);
    EXPECT_EQ(gradient.norm(), 0.0);
    VecX moved = phi;
    moved[0] += 0.1;
    EXPECT_GT(assembly(moved, gradient), 1e-4);
    EXPECT_GT(*assembly.error_of(0).metres, 1e-2);
    EXPECT_NEAR(*assembly.error_of(0).radians, 0.1, 0.1);
  }
}

// No other constraint uses the second hand.
TEST(Assembly, PlacesBothSidesOfADifference) {
  const Figure figure = built(torso_with_arms());
  Problem problem(figure);
  good(problem.add(difference(figure.point("left hand"), figure.point("right hand")), Coincide{}));
  Assembly assembly(problem);
  Random random(133);
  const VecX theta = random_pose(figure, random).theta;
  VecX phi;
  assembly.start(theta, phi);
  VecX gradient(phi.size());
  const double f = assembly(phi, gradient);
  const Part part = brute_force(problem, problem.constraints()[0], theta, theta);
  EXPECT_NEAR(f * assembly.objective_scale(), part.r.squaredNorm(), rounding);
  for (int i = 0; i < assembly.variables(); ++i)
    EXPECT_NEAR(gradient[i] * assembly.objective_scale(), (2.0 * part.J.transpose() * part.r)[assembly.parameter(i)],
                rounding);
}

TEST(Assembly, TakesTheFirstOfTwoAlternativesThatTie) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  good(problem.add_one_of({{figure.point("tip"), Position{{2, 1, 0}}}, {figure.point("tip"), Position{{2, -1, 0}}}}));
  Assembly assembly(problem);
  VecX phi, gradient(2);
  assembly.start(figure.rest().theta, phi);
  EXPECT_DOUBLE_EQ(assembly(phi, gradient) * assembly.objective_scale(), 1.0);
  EXPECT_LT(gradient[0], 0.0);  // up, to the first
}

// Rounding must not choose between two alternatives that are met.
TEST(Assembly, TakesTheFirstAlternativeThatIsMetButForRounding) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  good(problem.add_one_of(
      {{figure.point("tip"), Position{{2, 1e-15, 0}}}, {figure.point("tip"), Plane{{2, 0, 0}, Vec3::UnitX()}}}));
  Assembly assembly(problem);
  VecX phi;
  MatX J;
  assembly.start(figure.rest().theta, phi);
  assembly.jacobian(phi, J);
  EXPECT_GT(J.norm(), 1.0);  // of the position; a straight arm does not move along the plane's normal
}

// The same problem a thousand times as large or small is the same program.
TEST(Assembly, DoesNotDependOnTheUnitOfLength) {
  const auto value = [](double unit) {
    FigureDescription d = planar_arm();
    d.joints[1].in_parent.p *= unit;
    d.sites[0].frame.p *= unit;
    d.joints.push_back(free_root("root", "base"));
    const Figure figure = built(d);
    Problem problem(figure);
    good(problem.add(figure.point("tip"), Position{unit * Vec3(0.5, 1.0, 0.2)}, {.weight = 3.0}));
    Assembly assembly(problem);
    VecX phi, gradient(assembly.variables());
    assembly.start(figure.rest().theta, phi);
    phi.setConstant(0.25);
    VecX all(assembly.variables() + 1);
    all << assembly(phi, gradient), gradient;
    return all;
  };
  EXPECT_LE((value(1e3) - value(1.0)).norm(), rounding);
  EXPECT_LE((value(1e-3) - value(1.0)).norm(), rounding);
}

TEST(Assembly, ReadsNewGoalsAndWeightsWithoutBeingRebuilt) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  const ConstraintId a = good(problem.add(figure.point("tip"), Position{{2, 0, 0}}));
  good(problem.add(figure.point("elbow"), Position{{1, 3, 0}}));
  Assembly assembly(problem);
  VecX phi, gradient(2);
  assembly.start(figure.rest().theta, phi);
  EXPECT_DOUBLE_EQ(assembly(phi, gradient) * assembly.objective_scale(), 9.0);
  EXPECT_TRUE(problem.set_goal(a, Position{{2, 1, 0}}));
  EXPECT_TRUE(problem.set_weight(a, 5.0));
  EXPECT_EQ(assembly.structure(), problem.structure());
  assembly.start(figure.rest().theta, phi);
  EXPECT_DOUBLE_EQ(assembly(phi, gradient) * assembly.objective_scale(), 5.0 + 9.0);
}

// An arm that reaches while the trunk stays: what does not move is not computed again, and is where the pose has it.
TEST(Assembly, KnowsWhereThePartsAreThatNoVariableMoves) {
  Random random(12);
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}}, {.from = "right_shoulder"}));
  good(problem.add(difference(figure.point("left_palm"), figure.point("right_elbow")), Position{{0.1, 0.2, 0.3}},
                   {.from = "right_shoulder"}));
  good(problem.add(figure.mass_centre(), Position{{0.0, 1.0, 0.0}}, {.from = "right_shoulder"}));
  Assembly assembly(problem);
  ASSERT_LT(assembly.variables(), 8);
  for (int trial = 0; trial < 5; ++trial) {
    const Pose start = random_pose(figure, random);
    VecX phi, gradient(assembly.variables()), rubbish(assembly.variables());
    assembly.start(start.theta, phi);
    for (Eigen::Index i = 0; i < phi.size(); ++i)
      phi[i] = random.between(assembly.limits().lower[i], assembly.limits().upper[i]);
    const double f = assembly(phi, gradient);
    const Kinematics all = forward(figure, Pose{assembly.theta()});
    double sum = 0.0;
    for (const Constraint& constraint : problem.constraints()) {
      Vec3 x[max_elements];
      evaluate(figure, all, constraint.alternatives()[0].handle, x);
      sum += (x[0] - std::get<Position>(constraint.alternatives()[0].goal).p).squaredNorm();
    }
    EXPECT_NEAR(f * assembly.objective_scale(), sum, 1e-12 * sum);
    expect_derivative([&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); }, phi,
                      gradient.transpose(), random);
  }
}

TEST(Assembly, OfNothingIsZero) {
  const Figure figure = built(planar_arm());
  Problem problem(figure);
  Assembly assembly(problem);
  EXPECT_EQ(assembly.variables(), 0);
  EXPECT_EQ(assembly.residuals(), 0);
  VecX phi, gradient(0);
  assembly.start(figure.rest().theta, phi);
  EXPECT_EQ(assembly(phi, gradient), 0.0);
}

}  // namespace assembly_test
}  // namespace limber
