#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/base/vector.h"

namespace limber {
namespace euler_test {

std::vector<EulerOrder> all_orders() {
  std::vector<EulerOrder> orders;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        if (a != b && b != c) orders.push_back({a, b, c});
  return orders;
}

TEST(Euler, AnglesReproduceTheRotation) {
  Random random(1);
  for (const EulerOrder& order : all_orders()) {
    for (int k = 0; k < 500; ++k) {
      const Vec3 angles(random.between(-10.0, 10.0), random.between(-10.0, 10.0), random.between(-10.0, 10.0));
      const Mat3 R = euler_rotation(order, angles);
      const Vec3 near(random.between(-9.0, 9.0), random.between(-9.0, 9.0), random.between(-9.0, 9.0));
      const Vec3 found = euler_angles(R, order, near);
      EXPECT_LT((euler_rotation(order, found) - R).cwiseAbs().maxCoeff(), 1e-13);
      EXPECT_LE((found - near).cwiseAbs().maxCoeff(), pi + 1e-12);
      // Near the original angles it returns them.
      EXPECT_LT((euler_angles(R, order, angles) - angles).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(Euler, KeepsTheThirdAngleInGimbalLock) {
  for (const EulerOrder& order : all_orders()) {
    const bool tait_bryan = order[0] != order[2];
    for (const double middle : {tait_bryan ? pi / 2 : 0.0, tait_bryan ? -pi / 2 : pi}) {
      const Mat3 R = euler_rotation(order, {0.3, middle, 0.5});
      for (const double third : {0.5, 0.2, -2.0}) {
        const Vec3 found = euler_angles(R, order, {0.0, middle, third});
        EXPECT_LT((euler_rotation(order, found) - R).cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_EQ(found[2], third);
      }
    }
  }
}

}  // namespace euler_test
}  // namespace limber
