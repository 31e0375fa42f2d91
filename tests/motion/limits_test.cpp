// Joint limits estimated from motion.
#include <gtest/gtest.h>

#include "limber/motion/learn.h"
#include "tests/support/figures.h"

namespace limber {
namespace limits_test {

using testing::good;

Clip swing(const Figure& figure, double from, double to, int frames) {
  Clip clip;
  clip.poses.resize(static_cast<Eigen::Index>(figure.parameters().size()), frames);
  for (int k = 0; k < frames; ++k) clip.poses.col(k).setConstant(from + (to - from) * k / (frames - 1));
  return clip;
}

const Range& range(const Figure& figure, const char* name) {
  return figure.parameters()[static_cast<std::size_t>(good(figure.find_parameter(name)))].range;
}

TEST(LimitEstimate, ContainsEveryMotionWithItsMargin) {
  const Figure figure = testing::built(testing::planar_arm());
  LimitEstimate estimate(figure);
  estimate.add(swing(figure, 0.2, 0.6, 11));
  estimate.add(swing(figure, 0.5, 1.2, 7));
  EXPECT_EQ(estimate.poses(), 18);
  const Figure limited = good(estimate.figure({.margin = 0.1}));
  EXPECT_NEAR(range(limited, "elbow.turn").lower, 0.2 - 0.1, 1e-12);
  EXPECT_NEAR(range(limited, "elbow.turn").upper, 1.2 + 0.1, 1e-12);
  EXPECT_NEAR(range(limited, "elbow.turn").rest, 0.1, 1e-12) << "the rest pose moves within";
  const Figure exact = good(estimate.figure({.margin = 0.0}));
  EXPECT_DOUBLE_EQ(range(exact, "shoulder.turn").lower, 0.2);
  EXPECT_DOUBLE_EQ(range(exact, "shoulder.turn").upper, 1.2);
}

TEST(LimitEstimate, DropsOutliers) {
  const Figure figure = testing::built(testing::planar_arm());
  LimitEstimate estimate(figure);
  Clip clip = swing(figure, 0.0, 1.0, 1001);
  clip.poses.col(500).setConstant(40.0);  // a mistracked frame
  estimate.add(clip);
  EXPECT_EQ(range(good(estimate.figure({.margin = 0.0})), "elbow.turn").upper, 40.0);
  const Figure limited = good(estimate.figure({.margin = 0.0, .outliers = 0.002}));
  EXPECT_LE(range(limited, "elbow.turn").upper, 1.0);
  EXPECT_GE(range(limited, "elbow.turn").upper, 0.99);
  EXPECT_NEAR(range(limited, "elbow.turn").lower, 0.002, 1e-12);
}

TEST(LimitEstimate, ExcludesTheRootByDefault) {
  FigureDescription description = testing::planar_arm();
  description.joints.push_back({"place", "", "base", {}, {}, {testing::shift("x", Vec3::UnitX())}});
  const Figure figure = testing::built(description);
  LimitEstimate estimate(figure);
  estimate.add(swing(figure, 0.0, 1.0, 5));
  EXPECT_EQ(range(good(estimate.figure()), "place.x").upper, infinity);
  EXPECT_NEAR(range(good(estimate.figure({.margin = 0.0, .with_root = true})), "place.x").upper, 1.0, 1e-12);
}

TEST(LimitEstimate, RejectsMissingPosesAndInvalidOptions) {
  const Figure figure = testing::built(testing::planar_arm());
  LimitEstimate estimate(figure);
  EXPECT_FALSE(estimate.figure());
  estimate.add(swing(figure, 0.0, 1.0, 5));
  EXPECT_FALSE(estimate.figure({.margin = -1.0}));
  EXPECT_FALSE(estimate.figure({.outliers = 0.5}));
}

}  // namespace limits_test
}  // namespace limber
