#include "limber/base/vector.h"

#include <gtest/gtest.h>

#include "limber/base/shape.h"
#include "tests/support/figures.h"

namespace limber {
namespace vector_test {

using testing::random_frame;
using testing::random_vector;

// A few products of numbers of size 1 round to a few ε.
constexpr double rounding = 1e-14;

double difference(const Frame& a, const Frame& b) { return std::fmax((a.R - b.R).norm(), (a.p - b.p).norm()); }

TEST(Frame, ProductIsComposition) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const Frame a = random_frame(random), b = random_frame(random), c = random_frame(random);
    const Vec3 x = random_vector(random);
    EXPECT_LE(((a * b) * x - a * (b * x)).norm(), rounding);
    EXPECT_LE(difference((a * b) * c, a * (b * c)), rounding);
    EXPECT_LE((a * x - (a.R * x + a.p)).norm(), rounding);
  }
}

TEST(Frame, TimesItsInverseIsTheIdentity) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const Frame a = random_frame(random);
    EXPECT_LE(difference(a * a.inverse(), Frame{}), rounding);
    EXPECT_LE(difference(a.inverse() * a, Frame{}), rounding);
    EXPECT_LE(difference(a * Frame{}, a), 0.0);
  }
}

TEST(Frame, AtIsATranslation) {
  EXPECT_EQ(at({1, 2, 3}) * Vec3(4, 5, 6), Vec3(5, 7, 9));
  EXPECT_EQ(at({1, 2, 3}).R, Mat3::Identity());
}

TEST(Frame, IsFiniteOnlyIfAllEntriesAre) {
  EXPECT_TRUE(Frame{}.finite());
  EXPECT_FALSE(at({infinity, 0, 0}).finite());
  Frame frame;
  frame.R(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(frame.finite());
}

TEST(RotationFromXY, KeepsXAndIsNearestToY) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const Vec3 x = random.between(0.1, 10.0) * random.direction(), y = random.between(0.1, 10.0) * random.direction();
    const Mat3 R = rotation_from_xy(x, y);
    EXPECT_LE(rotation_defect(R), rounding);
    EXPECT_LE((R.col(0) - x / x.norm()).norm(), rounding);
    EXPECT_GT(R.col(1).dot(y), 0.0);               // on y's side,
    EXPECT_LE(std::fabs(R.col(2).dot(y)), 1e-13);  // in the plane of x and y (y is up to 10 long)
  }
  EXPECT_LE((rotation_from_xy(Vec3::UnitZ(), Vec3::UnitX()).col(2) - Vec3::UnitY()).norm(), 0.0);
}

TEST(Rotation, TurnsCounterClockwiseAboutItsAxis) {
  EXPECT_LE((rotation(Vec3::UnitZ(), pi / 2) * Vec3::UnitX() - Vec3::UnitY()).norm(), rounding);
  EXPECT_LE((rotation(Vec3::UnitX(), pi / 2) * Vec3::UnitY() - Vec3::UnitZ()).norm(), rounding);
  EXPECT_LE((rotation(Vec3::UnitY(), pi / 2) * Vec3::UnitZ() - Vec3::UnitX()).norm(), rounding);
}

TEST(RotationDefect, DetectsNonRotations) {
  Random random(5);
  const Mat3 R = random.rotation();
  EXPECT_LE(rotation_defect(R), rounding);
  EXPECT_NEAR(rotation_defect(1.1 * R), 0.21, rounding);
  EXPECT_EQ(rotation_defect(-R), infinity);
  EXPECT_EQ(rotation_defect(Mat3::Zero()), infinity);
  Mat3 bad = R;
  bad(0, 0) = infinity;
  EXPECT_EQ(rotation_defect(bad), infinity);
}

TEST(Angles, AreConvertedBothWays) {
  EXPECT_DOUBLE_EQ(radians(180.0), pi);
  EXPECT_DOUBLE_EQ(degrees(pi / 3), 60.0);
}

TEST(Shape, HasOneToThreeElementsAndAName) {
  EXPECT_EQ(element_count(Shape::point), 1);
  EXPECT_EQ(element_count(Shape::direction), 1);
  EXPECT_EQ(element_count(Shape::directions), 2);
  EXPECT_EQ(element_count(Shape::ray), 2);
  EXPECT_EQ(element_count(Shape::frame), max_elements);
  EXPECT_TRUE(starts_with_point(Shape::point) && starts_with_point(Shape::ray) && starts_with_point(Shape::frame));
  EXPECT_FALSE(starts_with_point(Shape::direction) || starts_with_point(Shape::directions));
  EXPECT_EQ(element_count(Shape::two_points), 2);
  EXPECT_EQ(element_count(Shape::three_points), 3);
  EXPECT_TRUE(is_point(Shape::frame, 0) && is_point(Shape::two_points, 1) && is_point(Shape::three_points, 2));
  EXPECT_FALSE(is_point(Shape::frame, 1) || is_point(Shape::direction, 0) || is_point(Shape::ray, 1));
  EXPECT_STREQ(name_of(Shape::directions), "pair of directions");
}

}  // namespace vector_test
}  // namespace limber
