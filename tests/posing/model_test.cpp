#include "limber/posing/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/base/random.h"
#include "tests/format/motion_sample.h"
#include "tests/law/allocation.h"

namespace model_test {

using namespace limber;

const PoseModel& model() {
  static const PoseModel stored = limber::testing::good(PoseModel::embedded());
  return stored;
}

std::string weights() { return read_sample(std::filesystem::path(source_dir()) / "limber/posing/weights.bin"); }

// What learn/export.py stored: goals and starts, and what the training framework computes for them.
struct Sample {
  PartGoals goals;
  Lengths lengths;
  bool has_start = false;
  CommonStart start;
  CommonPose proposed;
};

Vec3 vector(ByteReader& bytes) {
  Vec3 v;
  for (double& each : v) each = bytes.real();
  return v;
}
Mat3 matrix(ByteReader& bytes) {
  Mat3 R;
  for (int i = 0; i < 3; ++i) R.row(i) = vector(bytes).transpose();
  return R;
}
VecX angles(ByteReader& bytes) {
  VecX all(56);
  for (double& each : all) each = bytes.real();
  return all;
}

Sample sample(ByteReader& bytes) {
  Sample s;
  for (bool& has : s.goals.has_position) has = bytes.real() > 0.5;
  for (Vec3& p : s.goals.p) p = vector(bytes);
  for (bool& has : s.goals.has_rotation) has = bytes.real() > 0.5;
  for (Mat3& R : s.goals.R) R = matrix(bytes);
  for (double& length : s.lengths) length = std::exp(bytes.real());
  s.has_start = bytes.real() > 0.5;
  s.start.angles = angles(bytes);
  for (Mat3& R : s.start.R) R = matrix(bytes);
  s.start.root.R = s.start.R[0];
  for (Vec3& p : s.start.p) p = vector(bytes);
  s.start.root.p = s.start.p[0];
  s.proposed.angles = angles(bytes);
  s.proposed.root.R = matrix(bytes);
  s.proposed.root.p = vector(bytes);
  return s;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    const std::string text = read_sample(std::filesystem::path(source_dir()) / "tests/posing/samples.bin");
    ByteReader bytes(text);
    std::vector<Sample> read(static_cast<std::size_t>(bytes.integer()));
    for (Sample& each : read) each = sample(bytes);
    EXPECT_TRUE(bytes.at_end());
    return read;
  }();
  return all;
}

TEST(PoseModel, ComputesWhatTheTrainingFrameworkDoes) {
  // The input of each layer is rounded to 16 bits: some 1e-4 of a standard deviation of an angle, per layer.
  constexpr double rounding = 1e-3;
  ASSERT_GE(samples().size(), 20u);
  PoseModel::Workspace work = model().workspace();
  for (const Sample& s : samples()) {
    model().propose(s.goals, s.lengths, s.has_start ? &s.start : nullptr, work);
    EXPECT_LT((work.pose.angles - s.proposed.angles).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((work.pose.root.R - s.proposed.root.R).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((work.pose.root.p - s.proposed.root.p).cwiseAbs().maxCoeff(), rounding);
  }
}

// Goals that are moved, and turned about the vertical, give the same pose, moved and turned.
TEST(PoseModel, MovesAndTurnsWithItsGoals) {
  constexpr double rounding = 1e-3;
  Random random(5);
  PoseModel::Workspace a = model().workspace(), b = model().workspace();
  for (const Sample& s : samples()) {
    const Frame X{rotation(Vec3::UnitY(), random.between(-3.0, 3.0)),
                  Vec3(random.between(-2.0, 2.0), random.between(-2.0, 2.0), random.between(-2.0, 2.0))};
    Sample moved = s;
    for (Vec3& p : moved.goals.p) p = X * p;
    for (Mat3& R : moved.goals.R) R = X.R * R;
    moved.start.root = X * s.start.root;
    for (Vec3& p : moved.start.p) p = X * p;
    for (Mat3& R : moved.start.R) R = X.R * R;
    model().propose(s.goals, s.lengths, s.has_start ? &s.start : nullptr, a);
    model().propose(moved.goals, s.lengths, s.has_start ? &moved.start : nullptr, b);
    EXPECT_LT((a.pose.angles - b.pose.angles).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT(((X * a.pose.root).R - b.pose.root.R).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT(((X * a.pose.root).p - b.pose.root.p).cwiseAbs().maxCoeff(), rounding);
  }
}

TEST(PoseModel, AllocatesNothing) {
  PoseModel::Workspace work = model().workspace();
  const Sample& s = samples()[1];
  ASSERT_TRUE(s.has_start);
  const long before = law::allocations();
  model().propose(s.goals, s.lengths, &s.start, work);
  EXPECT_EQ(law::allocations() - before, 0);
}

TEST(PoseModel, RejectsAFileThatIsCutOrTooLong) {
  const std::string text = weights();
  EXPECT_TRUE(PoseModel::read(text));
  for (const double part : {0.0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.9999})
    EXPECT_FALSE(PoseModel::read(
        std::string_view(text).substr(0, static_cast<std::size_t>(part * static_cast<double>(text.size())))));
  EXPECT_FALSE(PoseModel::read(text + "x"));
  std::string other = text;
  other[0] = 'L';
  EXPECT_FALSE(PoseModel::read(other));
}

TEST(PoseModel, IsOneMegabyteAtMost) { EXPECT_LE(weights().size(), 1'000'000u); }

}  // namespace model_test
