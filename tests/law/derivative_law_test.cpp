// The gradient of the assembled objective is the derivative of its value, and both are those of the
// definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "limber/base/number.h"
#include "limber/problem/assembly.h"
#include "tests/law/random_problem.h"
#include "tests/law/reference.h"

namespace limber::law {
namespace derivative_law_test {

VecX random_direction(Random& random, int n) {
  VecX d(n);
  for (int i = 0; i < n; ++i) d[i] = random.between(-1.0, 1.0);
  return d.normalized();
}

// A problem of one goal of the given kind that is not met, on a figure without limits, so that every step is
// possible.
Case one_goal(std::uint64_t seed, int which) {
  Random random(seed);
  Case made;
  made.seed = seed;
  made.figure = random_figure(random, {random.integer(6, 30), false, true, false});
  const Figure figure = *build_figure(made.figure);
  const Pose reach = random_pose(random, figure), start = random_pose(random, figure);
  made.constraints.push_back({{random_goal(random, figure, reach, which, random.between(0.2, 1.0))}});
  set_start(made, figure, start);
  return made;
}

// The largest entry of |∇f - central differences|, relative to the size of f's derivatives (lengths of the
// figure over radians: 1), and the order of |f(φ + h d) - f(φ) - h ∇f·d| in h.
struct Check {
  double value = 0.0;
  double difference = 0.0;
  double order = 0.0;
  bool curved = false;  // along the direction tried, enough to tell an order
};

Check check(Random& random, const Case& made) {
  Built built = build(made);
  Assembly assembly(built.problem);
  VecX phi;
  assembly.start(built.start.theta, phi);
  const int n = assembly.variables();
  if (n == 0) return {};
  // Away from what Hold holds: there the objective is zero with its gradient.
  phi += 0.3 * random_direction(random, n);
  VecX g(n), unused(n);
  Check result;
  result.value = assembly(phi, g);
  const double h = 1e-5;  // h² f''' and 1e-16 f / h are both about 1e-10
  for (int i = 0; i < n; ++i) {
    const VecX ahead = phi + h * VecX::Unit(n, i), behind = phi - h * VecX::Unit(n, i);
    const double slope = (assembly(ahead, unused) - assembly(behind, unused)) / (2.0 * h);
    result.difference = std::max(result.difference, std::fabs(slope - g[i]) / std::max(1e-2, g.cwiseAbs().maxCoeff()));
  }
  const VecX d = random_direction(random, n);
  const auto remainder = [&](double step) {
    return std::fabs(assembly(phi + step * d, unused) - result.value - step * g.dot(d));
  };
  const double far = remainder(0x1p-10), near = remainder(0x1p-12);
  result.curved = near > 1e-13 * std::fmax(1.0, result.value);  // a thousand times the rounding of f
  result.order = 0.5 * std::log2(far / near);
  return result;
}

constexpr std::array<const char*, goal_kinds> kind_names{
    "Position", "Direction", "Orientation",      "Placement",         "AimAt",         "Line",
    "Plane",    "HalfSpace", "InsidePolyhedron", "OutsidePolyhedron", "InsideCapsule", "OutsideCapsule",
    "Coincide", "Hold",      "Custom",           "CentreOfMass",      "Distance"};
std::string kind_name(const ::testing::TestParamInfo<int>& kind) {
  return kind_names[static_cast<std::size_t>(kind.param)];
}

class GoalKind : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, GoalKind, ::testing::Range(0, goal_kinds), kind_name);

// Single draws may sit on a kink, or have a second derivative that happens to vanish along d: the law is
// about nearly all.
TEST_P(GoalKind, HasItsTrueGradient) {
  std::vector<double> differences, orders;
  const int wanted = std::max(40, law_count(100));
  for (std::uint64_t seed = 1; static_cast<int>(orders.size()) < wanted && seed < 20000; ++seed) {
    Random random(seed * 977 + static_cast<std::uint64_t>(GetParam()));
    const Check found = check(random, one_goal(seed, GetParam()));
    // A goal that is nearly met says nothing about the order.
    if (!(found.value > 1e-6) || !found.curved) continue;
    differences.push_back(found.difference);
    orders.push_back(found.order);
  }
  ASSERT_EQ(static_cast<int>(orders.size()), wanted);
  std::sort(differences.begin(), differences.end());
  std::sort(orders.begin(), orders.end());
  EXPECT_LE(differences[differences.size() * 9 / 10], 1e-6);
  EXPECT_NEAR(orders[orders.size() / 2], 2.0, 0.1);
  EXPECT_GE(orders[orders.size() / 10], 1.9);
}

TEST(Assembly, HasTheTrueGradientOfWholeProblems) {
  std::vector<double> differences, orders;
  const int count = law_count(300);
  for (int k = 0; k < count; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 5000);
    const Check found =
        check(random, random_case(static_cast<std::uint64_t>(k),
                                  {.freedoms_min = 5, .freedoms_max = 40, .limited = false, .rows = false}));
    if (!(found.value > 1e-6) || !found.curved) continue;
    differences.push_back(found.difference);
    orders.push_back(found.order);
  }
  ASSERT_GT(static_cast<int>(orders.size()), count / 3);
  std::sort(differences.begin(), differences.end());
  std::sort(orders.begin(), orders.end());
  EXPECT_LE(differences[differences.size() * 9 / 10], 1e-6);
  EXPECT_NEAR(orders[orders.size() / 2], 2.0, 0.1);
}

// With limits the clamping of freedoms and of variables must not show between the limits.
TEST(Assembly, IsTheObjectiveOfTheDefinition) {
  check_law(
      "definition", 1000, {.freedoms_max = 40, .constraints_max = 12, .start_within_limits = true},
      [](const Case& made) -> std::string {
        Built built = build(made);
        Assembly assembly(built.problem);
        VecX phi;
        assembly.start(built.start.theta, phi);
        Random random(made.seed);
        const Pose other = random_pose(random, built.figure);
        const Variables variables = variables_of(built.problem);
        if (static_cast<int>(variables.parameters.size()) != assembly.variables())
          return "other variables than defined";
        VecX theta = built.start.theta, g(assembly.variables());
        for (int i = 0; i < assembly.variables(); ++i) {
          const int j = variables.parameters[static_cast<std::size_t>(i)];
          if (assembly.parameter(i) != j) return "variable " + std::to_string(i) + " is another parameter";
          theta[j] = other.theta[j];
          phi[i] = other.theta[j] / variables.scales[static_cast<std::size_t>(i)];
        }
        const double value = assembly(phi, g), scale = assembly.objective_scale();
        const double reference = reference_objective(made, built.figure, theta, built.start.theta);
        if (!(std::fabs(value * scale - reference) <= 1e-10 * std::max(scale, reference)))
          return "value " + to_text(value * scale) + ", by the definition " + to_text(reference);
        if (!((assembly.theta() - theta).cwiseAbs().maxCoeff() <= 1e-12 * std::max(1.0, theta.cwiseAbs().maxCoeff())))
          return "another pose than asked for";
        return {};
      });
}

// ‖r‖² = f and ∇f = 2 Jᵀr, and each constraint's part of the gradient adds up to the whole.
TEST(Assembly, HasResidualsThatAgreeWithItsValueAndGradient) {
  check_law("residuals", 1000, {.freedoms_max = 40, .constraints_max = 12, .start_within_limits = true},
            [](const Case& made) -> std::string {
              Built built = build(made);
              Assembly assembly(built.problem);
              VecX phi;
              assembly.start(built.start.theta, phi);
              Random random(made.seed);
              const Pose other = random_pose(random, built.figure);
              const Variables variables = variables_of(built.problem);
              for (int i = 0; i < assembly.variables(); ++i)
                phi[i] = other.theta[assembly.parameter(i)] / variables.scales[static_cast<std::size_t>(i)];
              VecX g(assembly.variables()), r, part, sum = VecX::Zero(assembly.variables());
              MatX J;
              const double value = assembly(phi, g);
              assembly.residual(phi, r);
              assembly.jacobian(phi, J);
              if (r.size() != assembly.residuals()) return "another number of residuals than announced";
              if (!(std::fabs(r.squaredNorm() - value) <= 1e-12 * std::max(value, 1e-3))) return "‖r‖² is not f";
              const double size = std::max({1e-3, g.size() ? g.cwiseAbs().maxCoeff() : 0.0, value});
              const VecX pulled = 2.0 * (J.transpose() * r);
              if (g.size() && !((pulled - g).cwiseAbs().maxCoeff() <= 1e-11 * size))
                return "2 Jᵀr is off the gradient by " + to_text((pulled - g).cwiseAbs().maxCoeff());
              for (std::size_t c = 0; c < built.problem.constraints().size(); ++c) {
                assembly.gradient_of(c, phi, part);
                sum += part;
              }
              if (g.size() && !((sum - g).cwiseAbs().maxCoeff() <= 1e-11 * size))
                return "the parts do not add up to the gradient";
              return {};
            });
}

}  // namespace derivative_law_test
}  // namespace limber::law
