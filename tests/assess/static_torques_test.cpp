// The derivatives of the torques that hold a figure still, by differences; and laws of the torques themselves.
#include "limber/assess/static_torques.h"

#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "tests/law/allocation.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"
#include "tests/support/laws.h"

namespace limber {
namespace static_torques_test {

using testing::built;
using testing::good;

VecX angles(const Figure& figure, const Pose& pose) {
  VecX q;
  figure.angles(pose.theta, q);
  return q;
}

VecX holding(const Figure& figure, StaticTorques& torques, const VecX& q) {
  Kinematics state(figure);
  forward(figure, q, state);
  torques.update(state);
  VecX h(q.size());
  for (int i = 0; i < h.size(); ++i) h[i] = torques.holding(i);
  return h;
}

void expect_derivatives(const Figure& figure, const StaticLoadOptions& options, const Pose& pose, Random& random) {
  StaticTorques torques = good(StaticTorques::make(figure, options));
  const VecX q = angles(figure, pose);
  Kinematics state(figure);
  forward(figure, q, state);
  torques.touch(state);
  torques.update(state);
  torques.update_derivatives();
  MatX J(q.size(), q.size());
  for (int i = 0; i < q.size(); ++i)
    for (int l = 0; l < q.size(); ++l) J(i, l) = torques.derivative(i, l);
  const auto h = [&](const VecX& x) { return holding(figure, torques, x); };
  testing::expect_derivative(h, q, J, random);
}

// Trees with turns and slides about any axes, one, two or no feet, and loads anywhere.
TEST(StaticTorques, HaveTheDerivativesOfDifferences) {
  const std::uint64_t seed = 4101;
  Random random(seed);
  for (int k = 0; k < law::law_count(60); ++k) {
    const Figure figure = built(testing::random_tree(random));
    StaticLoadOptions options;
    options.loads = {{*figure.point("site s3"), 4.0}, {*figure.point("site s7"), 2.5}};
    for (int foot = 0; foot < k % 3; ++foot) options.feet.push_back("s" + std::to_string(random.integer(0, 7)));
    SCOPED_TRACE(std::to_string(seed) + ", figure " + std::to_string(k));
    expect_derivatives(figure, options, testing::random_pose(figure, random), random);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(StaticTorques, OfAHumanOnItsFeetHaveTheDerivativesOfDifferences) {
  Random random(4102);
  const Figure figure = good(simple_human());
  StaticLoadOptions options{.loads = {{*figure.point("right_palm"), 9.0}}, .feet = usual_feet(figure)};
  for (int k = 0; k < 5; ++k) {
    Pose pose = testing::random_pose(figure, random, 0.3);
    expect_derivatives(figure, options, pose, random);
  }
}

// Where the ground is under the feet does not depend on which way a person faces: with the heel and toes of both feet
// on it, and legs apart and one before the other.
TEST(StaticTorques, DoNotDependOnWhichWayAFigureFaces) {
  const Figure figure = good(simple_human());
  Random random(4103);
  const int turn = good(figure.find_parameter("root.turn"));
  for (int k = 0; k < 20; ++k) {
    Pose pose = testing::random_pose(figure, random, 0.6);
    for (const char* angle : {"root.pitch", "root.roll"}) pose.theta[good(figure.find_parameter(angle))] = 0.0;
    StaticLoadOptions options{.loads = {{*figure.point("left_palm"), 9.0}}, .feet = usual_feet(figure)};
    const StaticLoad here = good(static_load(figure, pose, options));
    pose.theta[turn] += random.between(-1.5, 1.5);
    const StaticLoad turned = good(static_load(figure, pose, options));
    for (const int parameter : root_parameters(figure))
      for (const int i : figure.parameters()[static_cast<std::size_t>(parameter)].drives) {
        EXPECT_NEAR(here.holding[i], 0.0, 1e-9);
        EXPECT_NEAR(turned.holding[i], 0.0, 1e-9);
      }
    EXPECT_LE((here.holding - turned.holding).cwiseAbs().maxCoeff(), 1e-9) << k;
  }
}

TEST(StaticTorques, AskForNoMemory) {
  const Figure figure = human();
  StaticTorques torques =
      good(StaticTorques::make(figure, {.loads = {{*figure.point("right_palm"), 9.0}}, .feet = usual_feet(figure)}));
  const Kinematics state = forward(figure, figure.rest());
  const long before = law::allocations();
  torques.touch(state);
  torques.update(state);
  torques.update_derivatives();
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) sum += torques.holding(i) + torques.derivative(i, i + 1);
  EXPECT_EQ(law::allocations(), before) << sum;
}

}  // namespace static_torques_test
}  // namespace limber
