// The chains of W93 Fig. 4.4 and 4.5: their initial configuration, and the final one by both methods.
#include <gtest/gtest.h>

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

}  // namespace chain_test
}  // namespace limber
