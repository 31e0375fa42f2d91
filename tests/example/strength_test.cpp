// example/scene/hold_crate.json: with the strength limit the load is drawn to the body; without, the arms are
// stretched.
#include <gtest/gtest.h>

#include "limber/document/scene/scene.h"
#include "limber/solver/solve.h"
#include "tests/format/sample.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace strength_example_test {

using testing::good;

struct Held {
  bool met = false;
  double used = 0.0;   // the largest share of the strength
  double elbow = 0.0;  // degrees
  double ahead = 0.0;  // of the palms, metres
};

Held held(bool limited) {
  Scene scene = good(
      read_scene(read_sample(std::filesystem::path(source_dir()) / "example/scene/hold_crate.json"), "hold_crate"));
  SceneConstraint& strength = scene.constraints[5];
  const SceneStrength& asked = std::get<SceneStrength>(strength.what);
  strength.enabled = limited;
  const Report report = solve(good(problem_of(scene)), scene.pose, scene.options);
  const StrengthLimit limit = good(strength_of(scene, asked));
  const StaticLoad load = good(static_load(scene.figure, scene.pose, limit.carried));
  const std::vector<JointLoad> joints = good(joint_loads(scene.figure, scene.pose, load, limit.table, limit.strength));
  const Kinematics state = forward(scene.figure, scene.pose);
  return {report.met(), first_to_give(joints)->share,
          degrees(scene.figure.value(scene.pose, "right_elbow.flexion").value()),
          evaluate(scene.figure, state, scene.figure.point("right_palm")->plus[0]).z()};
}

TEST(HeldCrate, IsDrawnToTheBodyWhereStrengthCounts) {
  const Held without = held(false), with = held(true);
  EXPECT_TRUE(without.met);
  EXPECT_TRUE(with.met);
  EXPECT_GT(without.used, 1.1);
  EXPECT_LE(with.used, 1.0);
  EXPECT_LT(without.elbow, 15.0);
  EXPECT_GT(with.elbow, 40.0);
  EXPECT_GT(without.ahead - with.ahead, 0.05);
}

}  // namespace strength_example_test
}  // namespace limber
