#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/program/active_face.h"

namespace limber {
namespace active_face_rows_test {

// The six rows of an orientation, x and y axis, depend on each other: three directions to turn, no more. Where an axis
// nearly is one of the world's, one of its rows hardly moves, and its error is of second order: divided by how little
// it moves that is no step.
TEST(ActiveFaceRows, OfAnOrientationAreTakenByWhatIsLeftOfThem) {
  const Limits limits(3);
  Random random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    const double tilt = std::pow(10.0, random.between(-8.0, -2.0));
    const Mat3 R = rotation(random.direction(), tilt);
    MatX J(6, 3);  // of x and y by three turns
    for (int axis = 0; axis < 2; ++axis)
      for (int k = 0; k < 3; ++k) J.block<3, 1>(3 * axis, k) = Vec3(Vec3::Unit(k)).cross(R.col(axis));
    ActiveFace face;
    face.reserve(limits, 6);
    face.clear(J, 6);
    ASSERT_TRUE(face.update(limits));
    ASSERT_EQ(face.rank(), 3) << "tilt " << tilt;
    // The true error of a small turn away, with its second order.
    const Vec3 turn = 1e-3 * random.direction();
    const Mat3 turned = rotation(Vec3(turn.normalized()), turn.norm()) * R;
    VecX error(6), x = turn;
    for (int axis = 0; axis < 2; ++axis) error.segment<3>(3 * axis) = turned.col(axis) - R.col(axis);
    face.correct(error, x);
    EXPECT_LT(x.norm(), 1e-5) << "tilt " << tilt << ", trial " << trial;
  }
}

}  // namespace active_face_rows_test
}  // namespace limber
