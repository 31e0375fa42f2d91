// The methods for programs with bounds alone: projected conjugate gradients and steepest descent with both searches,
// and the projected trust region. What holds for one must hold for all.
#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/program/kkt.h"
#include "limber/solver/gradient/projected_conjugate_gradient.h"
#include "limber/solver/gradient/projected_steepest_descent.h"
#include "limber/solver/gradient/projected_trust_region.h"
#include "tests/law/allocation.h"
#include "tests/solver/projected_sample.h"
#include "tests/support/dense.h"
#include "tests/support/derivative.h"

namespace limber {
namespace projected_test {

using testing::vector_of;

// `quick` methods reach the tolerance on every program here; the others creep, and are asked for three digits.
// `sure` ones end at the tolerance on a convex quadratic; the binary search can halve itself into steps that swing
// about the minimum with next to no decrease.
// `unitless` ones take the same steps whatever f is measured in.
struct Conjugate : ProjectedConjugateGradient {
  static constexpr bool quick = true, sure = true, unitless = true;
};
struct ConjugateBinary : ProjectedConjugateGradient {
  ConjugateBinary() : ProjectedConjugateGradient({.search = ProjectedSearch::binary}) {}
  static constexpr bool quick = false, sure = false, unitless = false;
};
struct Steepest : ProjectedSteepestDescent {
  static constexpr bool quick = false, sure = true, unitless = true;
};
struct SteepestBinary : ProjectedSteepestDescent {
  SteepestBinary() : ProjectedSteepestDescent({.search = ProjectedSearch::binary}) {}
  static constexpr bool quick = false, sure = false, unitless = false;
};
struct TrustRegion : ProjectedTrustRegion {
  static constexpr bool quick = true, sure = true, unitless = true;
};

template <class Method>
class Projected : public ::testing::Test {};
using Methods = ::testing::Types<Conjugate, ConjugateBinary, Steepest, SteepestBinary, TrustRegion>;
class Names {
 public:
  template <class Method>
  static std::string GetName(int) {
    if (std::is_same_v<Method, Conjugate>) return "Conjugate";
    if (std::is_same_v<Method, ConjugateBinary>) return "ConjugateBinary";
    if (std::is_same_v<Method, Steepest>) return "Steepest";
    if (std::is_same_v<Method, SteepestBinary>) return "SteepestBinary";
    return "TrustRegion";
  }
};
TYPED_TEST_SUITE(Projected, Methods, Names);

bool in_box(const Limits& limits, const VecX& x) {
  for (int i = 0; i < limits.variables(); ++i)
    if (!(x[i] >= limits.lower[i] && x[i] <= limits.upper[i])) return false;
  return true;
}

Limits box(const VecX& lower, const VecX& upper) {
  Limits limits(static_cast<int>(lower.size()));
  limits.lower = lower;
  limits.upper = upper;
  return limits;
}

VecX random_vector(Random& random, int n, double size = 1.0) {
  VecX x(n);
  for (int i = 0; i < n; ++i) x[i] = size * random.between(-1.0, 1.0);
  return x;
}

// ½xᵀQx + cᵀx + constant, without allocation.
struct Quadratic {
  MatX Q;
  VecX c;
  double constant = 0.0;
  double operator()(const VecX& x, VecX& g) const {
    g.noalias() = Q * x;
    const double curved = 0.5 * x.dot(g);
    g += c;
    return curved + c.dot(x) + constant;
  }
};

// A positive definite matrix with eigenvalues between 1 and `condition`, evenly in their logarithm.
MatX random_matrix(Random& random, int n, double condition) {
  const MatX square = MatX::NullaryExpr(n, n, [&] { return random.between(-1.0, 1.0); });
  const MatX V = testing::orthogonal_of(square);
  VecX values(n);
  for (int i = 0; i < n; ++i) values[i] = std::pow(condition, n == 1 ? 0.0 : static_cast<double>(i) / (n - 1));
  return V * values.asDiagonal() * V.transpose();
}

// A convex quadratic over a box, made backwards from its answer: g = Qx + c is the multiplier there.
struct Made {
  Quadratic f;
  Limits limits;
  VecX answer, start;
};
Made made_quadratic(Random& random, int n, double condition) {
  Made made{{random_matrix(random, n, condition), VecX(n)}, Limits(n), random_vector(random, n), VecX(n)};
  VecX multiplier = VecX::Zero(n);
  for (int i = 0; i < n; ++i) {
    double& lower = made.limits.lower[i];
    double& upper = made.limits.upper[i];
    if (random.chance(0.6)) lower = made.answer[i] - random.between(0.1, 1.0);
    if (random.chance(0.6)) upper = made.answer[i] + random.between(0.1, 1.0);
    const double kind = random.unit();
    if (kind < 0.2) {
      lower = made.answer[i];
      multiplier[i] = random.between(0.0, 2.0);
    } else if (kind < 0.4) {
      upper = made.answer[i];
      multiplier[i] = -random.between(0.0, 2.0);
    } else if (kind < 0.45) {
      lower = upper = made.answer[i];  // fixed
      multiplier[i] = random.between(-2.0, 2.0);
    }
    made.start[i] = std::clamp(3.0 * random.between(-1.0, 1.0), lower, upper);
    if (random.chance(0.3) && std::isfinite(lower)) made.start[i] = lower;
    if (random.chance(0.3) && std::isfinite(upper)) made.start[i] = upper;
  }
  made.f.c = multiplier - made.f.Q * made.answer;
  return made;
}

// A planar arm with joint limits that reaches for a point, as figures do: the sum of the squares of what is missing.
struct Arm {
  double goal_x, goal_y;
  double operator()(const VecX& x, VecX& g) const {
    const int n = static_cast<int>(x.size());
    double angle = 0.0, tip_x = 0.0, tip_y = 0.0;
    for (int i = 0; i < n; ++i) {
      angle += x[i];
      tip_x += std::cos(angle) / n;
      tip_y += std::sin(angle) / n;
    }
    double at_x = 0.0, at_y = 0.0;
    angle = 0.0;
    for (int i = 0; i < n; ++i) {
      g[i] = 2.0 * ((tip_y - goal_y) * (tip_x - at_x) - (tip_x - goal_x) * (tip_y - at_y));
      angle += x[i];
      at_x += std::cos(angle) / n;
      at_y += std::sin(angle) / n;
    }
    return (tip_x - goal_x) * (tip_x - goal_x) + (tip_y - goal_y) * (tip_y - goal_y);
  }
};

TEST(BoxPrograms, HaveTheGradientsOfTheirValues) {
  for (const testing::BoxProgram& program : testing::box_programs()) {
    SCOPED_TRACE(program.name);
    VecX x = program.start, g(x.size()), unused(x.size());
    for (int i = 0; i < x.size(); ++i) x[i] += 0.01 * (i + 1);
    program.f(x, g);
    const MatX J =
        testing::central_difference([&](const VecX& at) { return VecX::Constant(1, program.f(at, unused)); }, x);
    EXPECT_LE((J.transpose() - g).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + g.cwiseAbs().maxCoeff()));
  }
}

TYPED_TEST(Projected, ReachesKnownOptimaByFeasibleDescent) {
  for (const testing::BoxProgram& program : testing::box_programs()) {
    SCOPED_TRACE(program.name);
    const Limits limits = box(program.lower, program.upper);
    auto objective = [&](const VecX& at, VecX& g) {
      EXPECT_TRUE(in_box(limits, at)) << "asked outside the box";
      return program.f(at, g);
    };
    double before = infinity;
    VecX last;
    const Observer observer = [&](int, double value, const VecX& at) {
      EXPECT_LE(value, before);
      before = value;
      EXPECT_TRUE(in_box(limits, at));
      if (last.size() > 0) {
        EXPECT_LE((at - last).cwiseAbs().maxCoeff(), 1.0 + 1e-12) << "the longest step";
      }
      last = at;
      return true;
    };
    const MethodOptions options{.iterations = TypeParam::quick ? 500 : 5000, .tolerance = 1e-7};
    VecX x = program.start, g(x.size());
    TypeParam method;
    const Outcome outcome = method.minimize(objective, limits, x, options, observer);
    EXPECT_EQ(program.f(x, g), outcome.value);
    const double scale = std::fmax(1.0, std::fabs(program.optimum));
    if (TypeParam::quick || !program.has_saddle) {
      EXPECT_NEAR(outcome.value, program.optimum, (TypeParam::quick ? 1e-7 : 2e-3) * scale) << name_of(outcome.exit);
    }
    Kkt kkt;
    kkt.reserve(limits);
    const double residual = kkt.check(limits, x, g, 1e-12);
    if (TypeParam::quick) {
      EXPECT_EQ(outcome.exit, Exit::converged);
    }
    if (outcome.exit == Exit::converged) {
      EXPECT_LE(residual, options.tolerance);
    }
    if (outcome.exit == Exit::iteration_limit) {
      EXPECT_EQ(outcome.iterations, options.iterations);
    }
  }
}

TYPED_TEST(Projected, SolvesConvexQuadraticsInBoxesToTheirExactAnswers) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = random.integer(1, 25);
    Made made = made_quadratic(random, n, TypeParam::quick ? 1000.0 : 20.0);
    double before = infinity;
    const Observer observer = [&](int, double value, const VecX& at) {
      EXPECT_LE(value, before);
      before = value;
      EXPECT_TRUE(in_box(made.limits, at));
      return true;
    };
    VecX x = made.start, g(n);
    TypeParam method;
    const Outcome outcome = method.minimize(made.f, made.limits, x, {.iterations = 2000, .tolerance = 1e-4}, observer);
    VecX unused(n);
    EXPECT_NEAR(outcome.value, made.f(made.answer, unused), 1e-4);
    if (!TypeParam::sure) continue;
    EXPECT_EQ(outcome.exit, Exit::converged) << name_of(outcome.exit) << " after " << outcome.iterations;
    // The least curvature is 1, so x is no farther from the answer than the norm of the projected gradient.
    EXPECT_LE((x - made.answer).norm(), 1e-4 * std::sqrt(static_cast<double>(n)));
    made.f(x, g);
    Kkt kkt;
    kkt.reserve(made.limits);
    EXPECT_LE(kkt.check(made.limits, x, g, 1e-12), 1e-4);
  }
}

TYPED_TEST(Projected, StopsAtAnyIterationWithThePrefixOfTheWholeRun) {
  Random random(7);
  Made made = made_quadratic(random, 12, 50.0);
  std::vector<VecX> points;
  VecX x = made.start;
  TypeParam method;
  const MethodOptions options{.iterations = 12, .tolerance = 1e-9};
  (void)method.minimize(made.f, made.limits, x, options, [&](int, double, const VecX& at) {
    points.push_back(at);
    return true;
  });
  ASSERT_GE(points.size(), 6U);
  for (int k = 1; k <= static_cast<int>(points.size()); ++k) {
    x = made.start;
    const Outcome cancelled = method.minimize(made.f, made.limits, x, options,
                                              [&](int iteration, double, const VecX&) { return iteration < k; });
    EXPECT_EQ(cancelled.exit, Exit::cancelled);
    EXPECT_EQ(cancelled.iterations, k);
    EXPECT_EQ(x, points[static_cast<std::size_t>(k - 1)]);
    x = made.start;
    const Outcome limited = method.minimize(made.f, made.limits, x, {.iterations = k, .tolerance = 1e-9});
    EXPECT_EQ(limited.iterations, k);
    EXPECT_EQ(x, points[static_cast<std::size_t>(k - 1)]);
    VecX g(12);
    EXPECT_EQ(limited.value, made.f(x, g));
  }
}

TYPED_TEST(Projected, AllocatesNothingOnceReserved) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    Made made = made_quadratic(random, 15, 100.0);
    VecX x = made.start;
    TypeParam method;
    method.reserve(made.limits);
    const MethodOptions options{.iterations = 300};
    const long before = law::allocations();
    const Outcome outcome = method.minimize(made.f, made.limits, x, options);
    EXPECT_EQ(law::allocations(), before);
    EXPECT_GT(outcome.iterations, 0);
  }
}

TYPED_TEST(Projected, RemembersNothingOfEarlierRuns) {
  Random random(3);
  Made made = made_quadratic(random, 9, 50.0), other = made_quadratic(random, 4, 50.0);
  const MethodOptions options{.iterations = 40};
  VecX first = made.start, again = made.start, between = other.start;
  TypeParam method;
  const Outcome a = method.minimize(made.f, made.limits, first, options);
  (void)method.minimize(other.f, other.limits, between, options);
  const Outcome b = method.minimize(made.f, made.limits, again, options);
  EXPECT_EQ(first, again);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

TYPED_TEST(Projected, KnowsAnAnswerWhenItStartsThere) {
  Random random(5);
  Made made = made_quadratic(random, 8, 10.0);
  VecX x = made.answer;
  TypeParam method;
  const Outcome outcome = method.minimize(made.f, made.limits, x, {});
  EXPECT_EQ(outcome.exit, Exit::converged);
  EXPECT_EQ(outcome.iterations, 0);
  EXPECT_EQ(outcome.evaluations, 1);
  EXPECT_EQ(x, made.answer);
}

TYPED_TEST(Projected, LeavesBoundsThatItStartsOn) {
  Quadratic f{MatX::Identity(3, 3), -VecX::Constant(3, 0.5)};
  const Limits limits = box(VecX::Zero(3), VecX::Ones(3));
  for (const VecX& start : {vector_of({0.0, 0.0, 0.0}), vector_of({1.0, 1.0, 1.0}), vector_of({0.0, 1.0, 0.25})}) {
    VecX x = start;
    TypeParam method;
    EXPECT_EQ(method.minimize(f, limits, x, {}).exit, Exit::converged);
    EXPECT_LE((x - VecX::Constant(3, 0.5)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TYPED_TEST(Projected, MovesAStartIntoTheBoxFirst) {
  Quadratic f{MatX::Identity(2, 2), VecX::Zero(2)};
  VecX x = vector_of({5.0, -7.0});
  TypeParam method;
  const Outcome outcome = method.minimize(f, box(vector_of({1.0, -2.0}), vector_of({2.0, -1.0})), x, {.iterations = 0});
  EXPECT_EQ(x, vector_of({2.0, -2.0}));
  EXPECT_EQ(outcome.exit, Exit::iteration_limit);
  EXPECT_EQ(outcome.value, 4.0);
}

TYPED_TEST(Projected, HasNothingToDoWithoutVariablesOrWhereAllAreFixed) {
  TypeParam method;
  auto nothing = [](const VecX&, VecX&) { return 3.0; };
  VecX none(0);
  const Outcome empty = method.minimize(nothing, Limits(0), none, {});
  EXPECT_EQ(empty.exit, Exit::converged);
  EXPECT_EQ(empty.value, 3.0);

  Quadratic f{MatX::Identity(3, 3), vector_of({1.0, -1.0, 0.0})};
  const VecX only = vector_of({0.25, 0.5, -1.0});
  VecX x = only;
  const Outcome fixed = method.minimize(f, box(only, only), x, {});
  EXPECT_EQ(fixed.exit, Exit::converged);
  EXPECT_EQ(fixed.iterations, 0);
  EXPECT_EQ(x, only);
}

TYPED_TEST(Projected, MovesTheOthersWhereSomeAreFixed) {
  Quadratic f{MatX::Identity(3, 3) + MatX::Ones(3, 3), vector_of({-1.0, -1.0, -1.0})};
  const Limits limits = box(vector_of({-infinity, 0.5, -infinity}), vector_of({infinity, 0.5, infinity}));
  VecX x = vector_of({3.0, 0.5, -3.0});
  TypeParam method;
  EXPECT_EQ(method.minimize(f, limits, x, {}).exit, Exit::converged);
  // 2a + b = 1 - ½ and a + 2b = 1 - ½: both are 1/6.
  EXPECT_LE((x - vector_of({1.0 / 6.0, 0.5, 1.0 / 6.0})).cwiseAbs().maxCoeff(), 1e-7);
}

TYPED_TEST(Projected, RejectsAStartWithoutAValue) {
  auto value = [](const VecX&, VecX& g) {
    g.setOnes();
    return std::nan("");
  };
  auto gradient = [](const VecX&, VecX& g) {
    g.setConstant(infinity);
    return 1.0;
  };
  VecX x = vector_of({0.25, 0.5});
  TypeParam method;
  EXPECT_EQ(method.minimize(value, Limits(2), x, {}).exit, Exit::not_finite);
  EXPECT_EQ(method.minimize(gradient, Limits(2), x, {}).exit, Exit::not_finite);
  EXPECT_EQ(x, vector_of({0.25, 0.5}));
  x[0] = std::nan("");
  Quadratic f{MatX::Identity(2, 2), VecX::Ones(2)};
  EXPECT_EQ(method.minimize(f, box(VecX::Zero(2), VecX::Ones(2)), x, {}).exit, Exit::not_finite);
}

// The minimum lies where there are no numbers: the method goes as near as it can and comes back with a number.
TYPED_TEST(Projected, TakesWhatIsNotANumberForTooHigh) {
  for (const bool only_gradient : {false, true}) {
    auto f = [&](const VecX& x, VecX& g) {
      g = 2.0 * (x - VecX::Ones(2));
      if (x[0] <= 0.6) return (x - VecX::Ones(2)).squaredNorm();
      if (only_gradient) {
        g[1] = std::nan("");
        return 0.0;
      }
      return std::nan("");
    };
    VecX x = vector_of({-2.0, 3.0}), g(2);
    TypeParam method;
    const Outcome outcome = method.minimize(f, Limits(2), x, {.iterations = 2000});
    EXPECT_LE(x[0], 0.6);
    EXPECT_EQ(f(x, g), outcome.value);
    EXPECT_LE(outcome.value, 0.5);  // 13 at the start, 0.16 at best
    EXPECT_NE(outcome.exit, Exit::converged);
    EXPECT_LT(outcome.evaluations, 200000);
  }
}

TYPED_TEST(Projected, DescendsForeverOnlyAsFarAsItsIterations) {
  Quadratic f{MatX::Zero(1, 1), VecX::Ones(1)};
  VecX x = VecX::Zero(1);
  TypeParam method;
  const Outcome outcome = method.minimize(f, Limits(1), x, {.iterations = 7, .longest_step = 0.5});
  EXPECT_EQ(outcome.exit, Exit::iteration_limit);
  EXPECT_EQ(x[0], -3.5);
}

// β, the steps and the model have no unit: f in other units, by a power of 2, gives the same bits.  EE09 (8) as printed
// would not.
TYPED_TEST(Projected, TakesTheSameStepsWhateverTheObjectiveIsMeasuredIn) {
  if constexpr (TypeParam::unitless) {
    const Limits limits = box(VecX::Constant(8, -0.4), VecX::Constant(8, 0.7));
    Arm arm{0.3, 0.6};
    VecX expected = VecX::Constant(8, 0.1);
    TypeParam method;
    const Outcome plain = method.minimize(arm, limits, expected, {.iterations = 30, .tolerance = 1e-9});
    EXPECT_GT(plain.iterations, 5);
    for (const double unit : {0x1p-20, 0x1p16}) {
      auto scaled = [&](const VecX& at, VecX& g) {
        const double value = arm(at, g);
        g *= unit;
        return unit * value;
      };
      VecX x = VecX::Constant(8, 0.1);
      const Outcome outcome = method.minimize(scaled, limits, x, {.iterations = 30, .tolerance = unit * 1e-9});
      EXPECT_EQ(outcome.iterations, plain.iterations);
      EXPECT_EQ(outcome.evaluations, plain.evaluations);
      EXPECT_EQ(x, expected);
    }
  }
}

TYPED_TEST(Projected, ReachesForPointsWithinJointLimits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = 10;
    const Limits limits = box(VecX::Constant(n, -0.5), VecX::Constant(n, 0.8));
    VecX posture(n), x(n), g(n);
    for (int i = 0; i < n; ++i) posture[i] = random.between(-0.4, 0.7);
    for (int i = 0; i < n; ++i) x[i] = random.between(-0.5, 0.8);
    double goal_x = 0.0, goal_y = 0.0, angle = 0.0;
    for (int i = 0; i < n; ++i) {
      angle += posture[i];
      goal_x += std::cos(angle) / n;
      goal_y += std::sin(angle) / n;
    }
    Arm arm{goal_x, goal_y};
    TypeParam method;
    const Outcome outcome = method.minimize(arm, limits, x, {.tolerance = 1e-4});
    EXPECT_EQ(outcome.exit, Exit::converged);
    Kkt kkt;
    kkt.reserve(limits);
    arm(x, g);
    EXPECT_LE(kkt.check(limits, x, g, 1e-12), 1e-4);
  }
}

// Exact searches would end after n = 10 steps; to a slope of a tenth they take some more. Without β, or with a wrong
// one, it would be the steps of steepest descent.
TEST(ProjectedConjugateGradient, NeedsFarFewerStepsThanSteepestDescentInANarrowValley) {
  int conjugate = 0, steepest = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int n = 10;
    Quadratic f{random_matrix(random, n, 1e3), random_vector(random, n), 10.0};
    const MethodOptions options{.iterations = 3000, .tolerance = 1e-4, .longest_step = 1e3};
    VecX x = random_vector(random, n), y = x;
    const Outcome outcome = ProjectedConjugateGradient().minimize(f, Limits(n), x, options);
    EXPECT_EQ(outcome.exit, Exit::converged);
    conjugate += outcome.iterations;
    steepest += ProjectedSteepestDescent().minimize(f, Limits(n), y, options).iterations;
  }
  EXPECT_LE(conjugate, 700);
  EXPECT_GE(steepest, 3 * conjugate);
}

TEST(ProjectedConjugateGradient, NeedsFewEvaluationsAnIteration) {
  int iterations = 0, evaluations = 0, binary_evaluations = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Made made = made_quadratic(random, 20, 100.0);
    const MethodOptions options{.iterations = 400, .tolerance = 1e-5};
    VecX x = made.start, y = made.start;
    const Outcome outcome = ProjectedConjugateGradient().minimize(made.f, made.limits, x, options);
    iterations += outcome.iterations;
    evaluations += outcome.evaluations;
    binary_evaluations += ConjugateBinary().minimize(made.f, made.limits, y, options).evaluations;
  }
  EXPECT_LE(evaluations, 2.4 * iterations);
  EXPECT_GE(binary_evaluations, 3 * evaluations);
}

// The binary search of the paper: first_step, halved until the decrease is enough.
TEST(ProjectedConjugateGradient, HalvesFromTheFirstStepInTheBinarySearch) {
  std::vector<double> asked;
  auto f = [&](const VecX& x, VecX& g) {
    asked.push_back(x[0]);
    g = 10.0 * x;
    return 5.0 * x.squaredNorm();
  };
  VecX x = VecX::Ones(1);
  ProjectedConjugateGradient method({.search = ProjectedSearch::binary, .first_step = 0.5});
  (void)method.minimize(f, Limits(1), x, {.iterations = 1, .longest_step = 100.0});
  // d = -10: from 1 by -5, -2.5 and -1.25, the first that falls short of -1.
  EXPECT_EQ(asked, (std::vector<double>{1.0, -4.0, -1.5, -0.25}));
}

// The model of a quadratic becomes exact on the way, so the last steps are Newton's.
TEST(ProjectedTrustRegion, NeedsAboutOneEvaluationAnIteration) {
  int iterations = 0, evaluations = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Made made = made_quadratic(random, 20, 1000.0);
    VecX x = made.start;
    const Outcome outcome = ProjectedTrustRegion().minimize(made.f, made.limits, x, {.tolerance = 1e-4});
    EXPECT_EQ(outcome.exit, Exit::converged);
    iterations += outcome.iterations;
    evaluations += outcome.evaluations;
  }
  EXPECT_LE(iterations, 20 * 25);  // 23 on average; 28 where the model is not minimised well
  EXPECT_LE(evaluations, 1.4 * iterations);
}

}  // namespace projected_test
}  // namespace limber
