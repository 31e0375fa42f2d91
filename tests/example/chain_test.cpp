// The chains of W93 Fig. 4.4 and 4.5: their initial configuration, and the final one by both methods.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "limber/document/scene/scene.h"
#include "limber/kinematics/forward.h"
#include "limber/solver/solve.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace chain_test {

using testing::good;

Scene chain_scene(const std::string& name) {
  std::ifstream file(source_dir() + "/example/scene/" + name, std::ios::binary);
  return good(read_scene(std::string(std::istreambuf_iterator<char>(file), {}), name));
}

TEST(WelmanChain, IsBentAsCoordinateDescentAndTheTransposeBendIt) {
  const std::pair<const char*, double> scenes[] = {{"w93_fig4_4.json", 0.6}, {"w93_fig4_5.json", 0.98}};
  for (const auto& [name, reach] : scenes) {
    const Scene scene = chain_scene(name);
    ASSERT_EQ(scene.figure.parameters().size(), 7u);
    EXPECT_NEAR(scene.figure.length(), 1.0, 1e-5);
    const auto tip = [&](const Pose& pose) {
      return evaluate(scene.figure, forward(scene.figure, pose), good(scene.figure.point("tip")).plus[0]);
    };
    const Vec3 goal = reach * Vec3(0.6, 0.8, 0.0);
    EXPECT_GT((tip(scene.pose) - goal).norm(), 0.1);
    VecX bends[2];
    int k = 0;
    for (const Method method : {Method::cyclic_coordinate_descent, Method::jacobian_transpose}) {
      Options options = scene.options;
      options.method = method;
      Pose pose = scene.pose;
      EXPECT_TRUE(solve(good(problem_of(scene)), pose, options).met()) << name;
      EXPECT_LT((tip(pose) - goal).norm(), 1e-4) << name;
      bends[k++] = pose.theta;
    }
    // The figures show different answers: the one turns its last joints most.
    EXPECT_GT((bends[0] - bends[1]).cwiseAbs().maxCoeff(), radians(5.0)) << name;
  }
}

// Iterations until the tip is within 10^-d lengths of the chain of its goal, by d; too many are -1.
std::vector<int> iterations_by_digit(const Scene& scene, const VecX& start, Options options, int digits) {
  std::vector<int> out(static_cast<std::size_t>(digits) + 1, -1);
  options.iterations = 50'000;
  options.tolerance = 1e-14;
  options.restarts = 0;
  options.as_printed = true;
  options.longest_step = infinity;
  options.observer = [&](const Progress& progress) {
    for (int d = 1; d <= digits; ++d)
      if (int& at = out[static_cast<std::size_t>(d)]; at < 0 && std::sqrt(progress.objective) <= std::pow(10.0, -d))
        at = progress.iteration;
    return out.back() < 0;
  };
  Pose pose{start};
  solve(good(problem_of(scene)), pose, options);
  return out;
}

// Both methods as printed: (4.12) with one step h for the whole way, and sweeps without a limit on a move. At the edge
// of the reach a sweep gains more than an iteration of the transpose, even with a step near the largest that is stable
// (2 / 2.86, of a straight chain); and many times as much as one with a small step.
TEST(WelmanChain, AtTheEdgeCoordinateDescentIsAheadOfTheTransposeWithEulerSteps) {
  constexpr int digits = 6;
  const Scene scene = chain_scene("w93_fig4_5.json");
  for (const auto& [odd, even] : {std::pair{0.2, 0.2}, {0.5, 0.5}, {0.6, -0.6}}) {
    VecX start(7);
    for (int j = 0; j < 7; ++j) start[j] = j % 2 == 0 ? odd : even;
    const std::vector<int> sweeps =
        iterations_by_digit(scene, start, {.method = Method::cyclic_coordinate_descent}, digits);
    for (const auto& [h, at_least] : {std::pair{0.6, 1.0}, {0.1, 5.0}}) {
      SCOPED_TRACE(::testing::Message() << "start " << odd << ", " << even << ", h " << h);
      const std::vector<int> steps = iterations_by_digit(
          scene, start, {.method = Method::jacobian_transpose, .integration = Integrator::euler, .step = h}, digits);
      for (std::size_t d = 3; d <= digits; ++d) {
        EXPECT_GT(sweeps[d], 0);
        EXPECT_TRUE(steps[d] < 0 || steps[d] > at_least * sweeps[d])
            << d << " digits: " << steps[d] << ", " << sweeps[d];
      }
    }
  }
}

}  // namespace chain_test
}  // namespace limber
