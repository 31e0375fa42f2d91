// The length of leaf bones.
#include "limber/body/bone.h"

#include <gtest/gtest.h>

#include "tests/support/figures.h"

namespace limber {
namespace bone_test {

constexpr double leaf_mass = 2.0, centre_height = 0.3;

// A trunk with a leaf whose mass centre is centre_height up, without a site.
Bone leaf_of(const Mat3& inertia, double mass = leaf_mass) {
  FigureDescription description;
  description.segments = {{"trunk", 20.0, {0, 0.25, 0}}, {"leaf", mass, {0, centre_height, 0}, "", inertia}};
  description.joints = {{"neck", "trunk", "leaf", at({0, 0.5, 0}), {}, {testing::turn("nod", Vec3::UnitX())}}};
  return measure_bones(testing::built(description)).list.at(1);
}

// Inertia of a slender rod along y, about its middle.
Mat3 rod(double length, double mass = leaf_mass) {
  return Vec3(1.0, 0.0, 1.0).asDiagonal().toDenseMatrix() * mass * length * length / 12.0;
}

TEST(Bones, LeafIsTwiceAsLongAsTheDistanceToItsMassCentre) {
  EXPECT_NEAR(leaf_of(Mat3::Zero()).length, 2.0 * centre_height, 1e-12) << "inertia unknown";
  EXPECT_NEAR(leaf_of(rod(2.0 * centre_height)).length, 2.0 * centre_height, 1e-12) << "a rod that starts at the joint";
  EXPECT_NEAR(leaf_of(rod(5.0)).length, 2.0 * centre_height, 1e-12) << "never longer";
}

TEST(Bones, LeafIsShorterIfItsInertiaIsSmall) {
  for (const double length : {0.05, 0.2, 0.5}) {
    const Bone leaf = leaf_of(rod(length));
    EXPECT_NEAR(leaf.length, centre_height + 0.5 * length, 1e-12);
    EXPECT_LT((leaf.tip - Vec3(0, centre_height + 0.5 * length, 0)).norm(), 1e-12);
    EXPECT_NEAR(leaf_of(rod(length, 7.0), 7.0).length, centre_height + 0.5 * length, 1e-12) << "for any mass";
    const Mat3 R = rotation(Vec3(0.6, 0.0, 0.8), 1.0);
    EXPECT_NEAR(leaf_of(R * rod(length) * R.transpose()).length, centre_height + 0.5 * length, 1e-12)
        << "for any direction of the rod";
  }
}

}  // namespace bone_test
}  // namespace limber
