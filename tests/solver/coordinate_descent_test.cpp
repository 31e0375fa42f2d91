// Coordinate descent without closed forms: what (4.19) does not cover.                              W93 5.4, 6.3
#include "limber/solver/residual/coordinate_descent.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"

namespace limber {
namespace coordinate_descent_test {

using testing::good;

Vec3 place_of(const Figure& figure, const Pose& pose, const char* name) {
  Vec3 x[max_elements];
  evaluate(figure, forward(figure, pose), good(figure.point(name)), x);
  return x[0];
}

// W93 6.3: an end-effector within a plane; beside it a pull, joint groups and the shoulder's linear limits of human().
TEST(CoordinateDescent, TakesPlanesPullsAndGroups) {
  const Figure figure = human();
  Problem problem(figure);
  Pose pose = figure.rest();
  const Vec3 palm = place_of(figure, pose, "right_palm");
  good(problem.add(figure.point("right_palm"), Plane{palm + Vec3(0, 0.3, 0.1), Vec3::UnitY()}, {.from = "waist"}));
  good(problem.add(figure.ray("eyes"), AimAt{{-0.5, 1.2, 1.0}}, {.weight = 0.5, .from = "neck"}));
  good(problem.add_pull(towards(figure, pose), {.weight = 1e-5}));
  double before = infinity;
  Options options{.method = Method::cyclic_coordinate_descent,
                  .iterations = 120,
                  .met_metres = 5e-3,
                  .met_degrees = 1.0,
                  .restarts = 0};
  options.observer = [&](const Progress& progress) {
    EXPECT_LE(progress.objective, before);
    before = progress.objective;
    return true;
  };
  const Report report = solve(problem, pose, options);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_NEAR(place_of(figure, pose, "right_palm").y(), palm.y() + 0.3, 5e-3);
}

// One variable at a time on a quadratic: Gauss-Seidel, by hand.
TEST(CoordinateDescent, IsGaussSeidelOnALinearSystem) {
  struct Rows {
    MatX A;
    VecX b;
    std::vector<int> ends{0, 2};
    const std::vector<int>& level_ends() const { return ends; }
    void residual(const VecX& x, VecX& r) const { r = A * x - b; }
    void jacobian(const VecX&, MatX& J) const { J = A; }
  } rows{(MatX(2, 2) << 2, 1, 1, 3).finished(), (VecX(2) << 1, 2).finished()};
  VecX x = VecX::Zero(2);
  const int order[] = {1, 0};
  CoordinateDescent method;
  method.minimize(rows, Limits(2), order, VecX::Ones(2), x, {.iterations = 1, .longest_step = infinity});
  // x1 = a1·b / a1·a1 = 7 / 10; then x0 = a0·(b - 0.7 a1) / a0·a0.
  EXPECT_NEAR(x[1], 0.7, 1e-14);
  EXPECT_NEAR(x[0], (2 * (1 - 0.7) + 1 * (2 - 2.1)) / 5.0, 1e-14);
  Limits box(2);
  box.upper[1] = 0.5;
  EXPECT_EQ(method.minimize(rows, box, order, VecX::Ones(2), x, {.iterations = 500}).exit, Exit::converged);
  EXPECT_EQ(x[1], 0.5);
  EXPECT_NEAR(x[0], (2 * 0.5 + 1 * 0.5) / 5.0, 1e-8);
}

}  // namespace coordinate_descent_test
}  // namespace limber
