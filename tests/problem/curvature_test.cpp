// The curvature of goals that place, against differences of the Jacobian.
#include <gtest/gtest.h>

#include "limber/problem/assembly.h"
#include "tests/support/figures.h"

namespace limber {
namespace curvature_test {

using testing::good;

class RandomCurvature : public ::testing::TestWithParam<int> {};

TEST_P(RandomCurvature, IsTheDerivativeOfTheJacobian) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const Figure figure = testing::built(testing::random_tree(random, {.segments = 9, .groups = false}));
  Problem problem(figure);
  (void)good(problem.add(figure.point("site s8"), Position{random.direction()}));
  (void)good(problem.add(figure.frame("site s7"), Placement{random.direction(), {Vec3::UnitX(), Vec3::UnitY()}},
                         {.weight = 0.3}));
  (void)good(problem.add(difference(figure.point("site s5"), figure.point("site s6")), Coincide{}, {.weight = must}));
  Assembly assembly(problem);
  VecX x;
  assembly.start(testing::random_pose(figure, random).theta, x);
  const int n = assembly.variables();
  ASSERT_TRUE(assembly.has_curvature());
  const VecX weights = testing::random_values(random, assembly.residuals());
  MatX H = MatX::Zero(n, n), J;
  assembly.add_curvature(x, weights, H);
  constexpr double h = 1e-5;
  for (int i = 0; i < n; ++i) {
    VecX at = x;
    at[i] = x[i] + h;
    assembly.jacobian(at, J);
    VecX column = J.transpose() * weights;
    at[i] = x[i] - h;
    assembly.jacobian(at, J);
    column -= J.transpose() * weights;
    column /= 2.0 * h;
    EXPECT_LE((H.col(i) - column).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + H.cwiseAbs().maxCoeff())) << "variable " << i;
  }
  EXPECT_EQ(H, H.transpose());
}

INSTANTIATE_TEST_SUITE_P(Trees, RandomCurvature, ::testing::Range(0, 20));

}  // namespace curvature_test
}  // namespace limber
