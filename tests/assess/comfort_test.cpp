// Discomfort: zero in the published range, one at the limits, smooth between, with the correct derivative.
#include "limber/assess/comfort.h"

#include <gtest/gtest.h>

#include "limber/base/random.h"
#include "limber/figure/human.h"

namespace limber {
namespace comfort_test {

double residual_at(const Figure& figure, const JointComfort& comfort, const std::string& parameter, double angle_deg) {
  Pose pose = figure.rest();
  EXPECT_TRUE(figure.set(pose, parameter, radians(angle_deg))) << parameter;
  VecX r;
  comfort.residual(pose.theta, r);
  return r[*figure.find_parameter(parameter)];
}

TEST(Comfort, IsCompleteAtRest) {
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  EXPECT_EQ(comfort->discomfort(body.rest().theta), 0.0);
  EXPECT_GT(comfort->count(), 30);
  for (std::size_t j = 0; j < body.parameters().size(); ++j) {
    const bool is_root = body.parameters()[j].name.starts_with("root.");
    EXPECT_EQ(comfort->counts(static_cast<int>(j)), !is_root) << body.parameters()[j].name;
  }
}

TEST(Comfort, IsZeroAtEveryLimit) {
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  for (std::size_t j = 0; j < body.parameters().size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    if (!comfort->counts(static_cast<int>(j))) continue;
    const Range& range = body.parameters()[j].range;
    VecX r;
    Pose pose = body.rest();
    pose.theta[i] = range.upper;
    comfort->residual(pose.theta, r);
    EXPECT_NEAR(r[i], 1.0, 1e-12) << body.parameters()[j].name;
    pose.theta[i] = range.lower;
    comfort->residual(pose.theta, r);
    // Elbow and knee are comfortable when straight.
    const bool is_comfortable = comfort->lower(static_cast<int>(j)) <= range.lower;
    EXPECT_NEAR(r[i], is_comfortable ? 0.0 : 1.0, 1e-12) << body.parameters()[j].name;
  }
}

TEST(Comfort, EndsWherePublished) {
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  const auto at = [&](const char* parameter, double angle_deg) {
    return residual_at(body, *comfort, parameter, angle_deg);
  };
  for (const char* wrist : {"left_wrist.flexion", "right_wrist.flexion"}) {
    EXPECT_EQ(at(wrist, 20.0), 0.0);
    EXPECT_GT(at(wrist, 21.0), 0.0);
    EXPECT_EQ(at(wrist, -20.0), 0.0);
    EXPECT_GT(at(wrist, -21.0), 0.0);
  }
  EXPECT_EQ(at("spine.forward", 30.0), 0.0);
  EXPECT_GT(at("spine.forward", 31.0), 0.0);
  EXPECT_GT(at("spine.forward", -11.0), 0.0);
  // Nothing published: halfway to the limit of 40.5.
  EXPECT_EQ(at("left_hip.abduction", 20.2), 0.0);
  EXPECT_GT(at("left_hip.abduction", 20.4), 0.0);
}

TEST(Comfort, DecreasesUpToTheLimit) {
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  double before = 0.0;
  for (double angle_deg = 31.0; angle_deg <= 80.0; angle_deg += 1.0) {
    const double d = residual_at(body, *comfort, "spine.forward", angle_deg);
    EXPECT_GT(d, before);
    before = d;
  }
}

TEST(Comfort, HasTheCorrectDerivatives) {
  const std::uint64_t seed = 831;
  Random random(seed);
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  constexpr double step = 1e-6;
  for (int k = 0; k < 30; ++k) {
    Pose pose = body.rest();
    for (std::size_t j = 0; j < body.parameters().size(); ++j) {
      const Range& range = body.parameters()[j].range;
      // Slightly beyond the limits too: a recorded pose may lie there.
      pose.theta[static_cast<Eigen::Index>(j)] =
          random.between(std::fmax(range.lower, -2.0) - 0.1, std::fmin(range.upper, 2.0) + 0.1);
    }
    VecX slope, gradient, residual_up, residual_down;
    comfort->slope(pose.theta, slope);
    const double D = comfort->discomfort(pose.theta, gradient);
    EXPECT_EQ(D, comfort->discomfort(pose.theta));
    EXPECT_GT(D, 0.0);
    for (Eigen::Index j = 0; j < pose.theta.size(); ++j) {
      VecX up = pose.theta, down = pose.theta;
      up[j] += step;
      down[j] -= step;
      comfort->residual(up, residual_up);
      comfort->residual(down, residual_down);
      EXPECT_NEAR(slope[j], (residual_up[j] - residual_down[j]) / (2.0 * step), 1e-4) << seed << " " << j;
      const double difference = (comfort->discomfort(up) - comfort->discomfort(down)) / (2.0 * step);
      EXPECT_NEAR(gradient[j], difference, 1e-6) << seed << " " << j;
    }
  }
}

TEST(Comfort, HasAContinuousSlope) {
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  const Eigen::Index j = *body.find_parameter("left_elbow.flexion");
  VecX before, slope;
  Pose pose = body.rest();
  constexpr double step = 1e-4;
  for (double angle = -0.1; angle < 2.6; angle += step) {
    pose.theta[j] = angle;
    comfort->slope(pose.theta, slope);
    if (before.size() > 0) {
      EXPECT_LT(std::fabs(slope[j] - before[j]), 10.0 * step) << angle;
    }
    before = slope;
  }
}

TEST(Comfort, OfTheMirrorImageIsTheSame) {
  Random random(832);
  const Figure body = human();
  const Expected<JointComfort> comfort = JointComfort::make(body);
  ASSERT_TRUE(comfort);
  for (int k = 0; k < 20; ++k) {
    Pose pose = body.rest();
    for (std::size_t j = 0; j < body.parameters().size(); ++j) {
      const Range& range = body.parameters()[j].range;
      pose.theta[static_cast<Eigen::Index>(j)] =
          random.between(std::fmax(range.lower, -2.0), std::fmin(range.upper, 2.0));
    }
    EXPECT_NEAR(comfort->discomfort(pose.theta), comfort->discomfort(body.mirrored(pose).theta), 1e-12);
  }
}

TEST(Comfort, TakesOtherRangesAndRejectsInvalidOnes) {
  const Figure body = human();
  const Expected<JointComfort> own = JointComfort::make(body, {{"right_elbow.flexion", radians(80.0), radians(100.0)}});
  ASSERT_TRUE(own);
  EXPECT_EQ(residual_at(body, *own, "right_elbow.flexion", 90.0), 0.0);
  EXPECT_GT(residual_at(body, *own, "right_elbow.flexion", 60.0), 0.0);
  const Expected<JointComfort> reversed = JointComfort::make(body, {{"elbow.flexion", 1.0, 0.0}});
  ASSERT_FALSE(reversed);
  EXPECT_NE(reversed.error().text().find("comfort of 'elbow.flexion'"), std::string::npos);
  EXPECT_FALSE(JointComfort::make(body, {{"elbow.flexion", -infinity, 0.0}}));
}

}  // namespace comfort_test
}  // namespace limber
