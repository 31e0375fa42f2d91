// The solver on small programs whose answers are found by trying every active set; and at corners where it
// could go round in circles.
#include "limber/solver/gradient/active_set_bfgs.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/program/feasible.h"
#include "limber/program/kkt.h"
#include "tests/law/random_problem.h"
#include "tests/support/dense.h"

namespace limber {
namespace active_set_bfgs_test {

struct Quadratic {
  MatX Q;
  VecX c;
  double operator()(const VecX& x, VecX& g) const {
    g = Q * x + c;
    return 0.5 * x.dot(Q * x) + c.dot(x);
  }
};

bool feasible(const Limits& limits, const VecX& x, double tolerance) {
  for (int limit = 0; limit < limits.count(); ++limit) {
    if (!std::isfinite(limits.bound(limit))) continue;
    const double over = -limits.slack(limit, x);
    if ((limits.is_equality(limit) ? std::fabs(over) : over) > tolerance) return false;
  }
  return true;
}

// min ½xᵀQx + cᵀx by trying every set of limits as equalities; Q positive definite.
double best_by_enumeration(const Quadratic& f, const Limits& limits) {
  const int n = limits.variables();
  std::vector<int> finite;
  for (int limit = 0; limit < limits.count(); ++limit)
    if (std::isfinite(limits.bound(limit))) finite.push_back(limit);
  double best = infinity;
  for (unsigned choice = 0; choice < (1U << finite.size()); ++choice) {
    std::vector<int> set;
    for (std::size_t k = 0; k < finite.size(); ++k)
      if (choice >> k & 1U) set.push_back(finite[k]);
    const int q = static_cast<int>(set.size());
    if (q > n) continue;
    MatX K = MatX::Zero(n + q, n + q);
    VecX rhs = VecX::Zero(n + q);
    K.topLeftCorner(n, n) = f.Q;
    rhs.head(n) = -f.c;
    for (int i = 0; i < q; ++i) {
      VecX a = VecX::Zero(n);
      limits.add_normal(set[static_cast<std::size_t>(i)], 1.0, a);
      K.block(n + i, 0, 1, n) = a.transpose();
      K.block(0, n + i, n, 1) = a;
      rhs[n + i] = limits.bound(set[static_cast<std::size_t>(i)]);
    }
    const std::optional<VecX> solution = testing::solve_invertible(K, rhs);
    if (!solution) continue;
    const VecX x = solution->head(n);
    VecX g(n);
    if (feasible(limits, x, 1e-9)) best = std::min(best, f(x, g));
  }
  return best;
}

Limits random_limits(Random& random, int n, const VecX& kept, int rows, double equality) {
  Limits limits(n);
  for (int i = 0; i < n; ++i) {
    if (random.chance(0.6)) limits.lower[i] = kept[i] - (random.chance(0.3) ? 0.0 : random.unit());
    if (random.chance(0.6)) limits.upper[i] = kept[i] + (random.chance(0.3) ? 0.0 : random.unit());
  }
  std::vector<int> columns;
  for (int i = 0; i < n; ++i) columns.push_back(i);
  for (int k = 0; k < rows; ++k) {
    std::vector<double> a;
    double at_kept = 0.0;
    for (int i = 0; i < n; ++i) {
      a.push_back(random.between(-1.0, 1.0));
      at_kept += a.back() * kept[i];
    }
    const bool equal = random.chance(equality);
    limits.add_row(columns, a, at_kept + (equal || random.chance(0.4) ? 0.0 : random.unit()), equal);
    if (random.chance(0.2)) limits.add_row(columns, a, at_kept + (equal ? 0.0 : 1.0), equal);  // says the same, or less
  }
  return limits;
}

VecX random_vector(Random& random, int n) {
  VecX x(n);
  for (int i = 0; i < n; ++i) x[i] = random.between(-1.0, 1.0);
  return x;
}

TEST(ActiveSetBfgs, SolvesRandomQuadraticProgramsAsEnumerationDoes) {
  for (int seed = 0; seed < law::law_count(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = random.integer(1, 4);
    const MatX B = MatX::NullaryExpr(n, n, [&] { return random.between(-1.0, 1.0); });
    Quadratic f{B.transpose() * B + 0.1 * MatX::Identity(n, n), 3.0 * random_vector(random, n)};
    const VecX kept = random_vector(random, n);
    const Limits limits = random_limits(random, n, kept, random.integer(0, 3), 0.2);
    VecX x = 2.0 * random_vector(random, n);
    ASSERT_TRUE(make_feasible(limits, x).feasible);
    ActiveSetBfgs method;
    const Outcome outcome = method.minimize(f, limits, x, {.tolerance = 1e-9});
    const double best = best_by_enumeration(f, limits);
    EXPECT_TRUE(feasible(limits, x, 1e-11));
    // The Hessian is at least 0.1: a projected gradient of 1e-9 leaves 1e-17, so what remains is rounding.
    EXPECT_NEAR(outcome.value, best, 1e-9) << name_of(outcome.exit) << " after " << outcome.iterations;
    Kkt kkt;
    VecX g(n);
    f(x, g);
    EXPECT_LE(kkt.check(limits, x, g, 1e-10), 1e-7);
  }
}

// An objective without curvature over a box with rows: the answer is a corner.
TEST(ActiveSetBfgs, SolvesRandomLinearProgramsAsEnumerationDoes) {
  for (int seed = 0; seed < law::law_count(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 1000);
    const int n = random.integer(1, 3);
    Quadratic f{MatX::Zero(n, n), random_vector(random, n)};
    Limits limits = random_limits(random, n, VecX::Zero(n), random.integer(0, 4), 0.1);
    for (int i = 0; i < n; ++i) {
      limits.lower[i] = std::fmax(limits.lower[i], -2.0);
      limits.upper[i] = std::fmin(limits.upper[i], 2.0);
    }
    VecX x = random_vector(random, n);
    ASSERT_TRUE(make_feasible(limits, x).feasible);
    ActiveSetBfgs method;
    const Outcome outcome = method.minimize(f, limits, x, {});
    // Corners of the linear program are those of the quadratic one with a vanishing Hessian.
    double best = best_by_enumeration({1e-9 * MatX::Identity(n, n), f.c}, limits);
    EXPECT_NEAR(outcome.value, best, 1e-7) << name_of(outcome.exit) << " after " << outcome.iterations;
    EXPECT_LT(outcome.iterations, 100);
  }
}

// Many more rows than dimensions through one corner, which is the start or the answer.
TEST(ActiveSetBfgs, DoesNotGoRoundInCirclesAtACornerOfManyRows) {
  for (int seed = 0; seed < law::law_count(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = random.integer(2, 5);
    const VecX corner = random_vector(random, n);
    Limits limits(n);
    std::vector<int> columns;
    for (int i = 0; i < n; ++i) columns.push_back(i);
    const VecX inward = random_vector(random, n);
    for (int k = 0; k < 6 * n; ++k) {
      VecX a = random_vector(random, n);
      if (a.dot(inward) > 0.0) a = -a;  // a feasible side remains
      limits.add_row(columns, std::vector<double>(a.data(), a.data() + n), a.dot(corner), false);
    }
    Quadratic f{MatX::Identity(n, n), -(corner + random_vector(random, n))};  // nearest point to somewhere near
    VecX x = random.chance(0.5) ? corner : VecX(corner + 0.5 * inward);
    ASSERT_TRUE(make_feasible(limits, x).feasible);
    ActiveSetBfgs method;
    const Outcome outcome = method.minimize(f, limits, x, {});
    VecX nearest = -f.c;
    ASSERT_TRUE(make_feasible(limits, nearest).feasible);
    VecX g(n);
    EXPECT_NEAR(outcome.value, f(nearest, g), 1e-8) << name_of(outcome.exit);
    EXPECT_LT(outcome.iterations, 200);
    EXPECT_LT(outcome.evaluations, 2000);
    EXPECT_TRUE(feasible(limits, x, 1e-11));
  }
}

TEST(ActiveSetBfgs, EndsAtOnceWhereNothingCanMove) {
  Limits limits(2);
  limits.add_row({0, 1}, {1.0, 1.0}, 1.0, true);
  limits.add_row({0, 1}, {1.0, -1.0}, 0.0, true);
  limits.add_row({0, 1}, {2.0, 2.0}, 2.0, true);
  Quadratic f{MatX::Identity(2, 2), VecX::Ones(2)};
  VecX x = VecX::Constant(2, 0.5);
  ActiveSetBfgs method;
  const Outcome outcome = method.minimize(f, limits, x, {});
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_EQ(outcome.iterations, 0);
}

TEST(ActiveSetBfgs, DescendsForeverAlongAnUnboundedLineOnlyAsFarAsItsIterations) {
  Quadratic f{MatX::Zero(1, 1), VecX::Ones(1)};
  VecX x = VecX::Zero(1);
  ActiveSetBfgs method;
  const Outcome outcome = method.minimize(f, Limits(1), x, {.iterations = 7});
  EXPECT_EQ(outcome.exit, Exit::iteration_limit);
  EXPECT_EQ(outcome.iterations, 7);
  EXPECT_GE(x[0], -7.0 * (1.0 + 1e-12));  // no variable changes by more than the longest step
  EXPECT_LT(x[0], 0.0);
}

}  // namespace active_set_bfgs_test
}  // namespace limber
