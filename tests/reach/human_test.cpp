// The reach of the human: symmetry, independent forward kinematics, and published data.
#include "limber/figure/human.h"

#include <gtest/gtest.h>

#include "limber/reach/summary.h"
#include "tests/reach/arms.h"
#include "tests/support/laws.h"

namespace limber {
namespace human_test {

using testing::good;
using testing::map_of;
using testing::same;
using testing::volume_of;

// The position of a place from the description, by multiplying frames. From the library only q = T(θ).
Vec3 place_by_hand(const Figure& figure, const Pose& pose, const Element& element) {
  VecX q;
  figure.angles(pose.theta, q);
  Eigen::Vector4d x(element.local[0], element.local[1], element.local[2], 1.0);
  const auto matrix = [](const Frame& X) {
    Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
    M.topLeftCorner<3, 3>() = X.R;
    M.topRightCorner<3, 1>() = X.p;
    return M;
  };
  for (int s = element.segment; s != no_parent; s = figure.segments()[static_cast<std::size_t>(s)].parent) {
    const Joint& joint = figure.joints()[static_cast<std::size_t>(s)];
    Eigen::Matrix4d M = matrix(joint.in_parent);
    for (int i = joint.freedom_begin; i < joint.freedom_end; ++i) {
      const Freedom& freedom = figure.freedoms()[static_cast<std::size_t>(i)];
      const double half = 0.5 * q[i];
      const Vec3 v = std::sin(half) * freedom.axis;
      Frame X;
      if (freedom.motion == Motion::rotate)
        X.R = Eigen::Quaterniond(std::cos(half), v[0], v[1], v[2]).toRotationMatrix();
      else
        X.p = q[i] * freedom.axis;
      M = M * matrix(X);
    }
    x = M * matrix(joint.in_child).inverse() * x;
  }
  return x.head<3>();
}

// The side of the smallest cells, in metres.
double waist_resolution() { return law::whole_or_quick(0.08, 0.3); }
double shoulder_resolution() { return law::whole_or_quick(0.06, 0.2); }

// The largest map, shared by two tests.
const ReachMap& map_from_the_waist() {
  static const ReachMap map = map_of(human(), "right_palm", {.resolution = waist_resolution(), .from = "waist"});
  return map;
}

TEST(HumanReach, HasAWitnessForEveryCellThatIsReached) {
  const Figure figure = human();
  const Element palm = good(figure.point("right_palm")).plus[0];
  const ReachMap& map = map_from_the_waist();
  ASSERT_TRUE(map.finished);
  EXPECT_EQ(volume_of(map, Reach::undecided), 0.0);
  std::size_t reached = 0;
  for (const ReachCell& cell : map.cells) {
    if (cell.state != Reach::reached) continue;
    ++reached;
    const Pose pose = map.pose(cell);
    ASSERT_LE((place_by_hand(figure, pose, palm) - map.centre(cell)).norm(), map.tolerance + 1e-9);
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      const Range& range = figure.parameters()[j].range;
      ASSERT_GE(pose.theta[static_cast<Eigen::Index>(j)], range.lower);
      ASSERT_LE(pose.theta[static_cast<Eigen::Index>(j)], range.upper);
    }
    for (const LimitRow& row : figure.limit_rows()) {
      double sum = 0.0;
      for (std::size_t k = 0; k < row.parameters.size(); ++k)
        sum += row.coefficients[k] * pose.theta[row.parameters[k]];
      ASSERT_LE(sum, row.bound + 1e-10) << row.name;
    }
  }
  EXPECT_GT(reached, law::whole_or_quick(1000U, 60U));
}

TEST(HumanReach, OfTheLeftHandIsTheMirrorImage) {
  const Figure figure = human();
  const ReachMap right = map_of(figure, "right_palm", {.resolution = shoulder_resolution(), .from = "right_shoulder"});
  const ReachMap left = map_of(figure, "left_palm", {.resolution = shoulder_resolution(), .from = "left_shoulder"});
  double differ = 0.0;
  for (const ReachCell& cell : right.cells) {
    if (!cell.is_leaf()) continue;
    const Vec3 c = right.centre(cell);
    const int there = left.leaf_at({-c[0], c[1], c[2]});
    const bool is_reached = there >= 0 && left.cells[static_cast<std::size_t>(there)].state == Reach::reached;
    if (is_reached == (cell.state == Reach::reached)) continue;
    differ += std::pow(right.side(cell), 3);
  }
  // The starts are not mirrored, so a cell on the boundary may differ.
  EXPECT_LT(differ, 0.003 * volume_of(right));
  EXPECT_NEAR(volume_of(left), volume_of(right), 0.003 * volume_of(right));
}

TEST(HumanReach, IsTheSameForAnyNumberOfThreads) {
  const Figure figure = human();
  const double resolution = law::whole_or_quick(0.1, 0.3);
  const ReachMap one = map_of(figure, "right_palm", {.resolution = resolution, .from = "right_shoulder", .threads = 1});
  const ReachMap three =
      map_of(figure, "right_palm", {.resolution = resolution, .from = "right_shoulder", .threads = 3});
  EXPECT_TRUE(same(one, three));
}

TEST(HumanReach, IsTheSameInterruptedAfterEveryWave) {
  const Figure figure = human();
  const ReachOptions options{.resolution = law::whole_or_quick(0.05, 0.3), .from = "right_shoulder"};
  EXPECT_TRUE(same(testing::map_in_steps(figure, "right_palm", options), map_of(figure, "right_palm", options)));
}

// From the waist a hand reaches all that it reaches from the shoulder, and far more.
TEST(HumanReach, FromTheWaistContainsThatFromTheShoulder) {
  const Figure figure = human();
  const ReachMap& waist = map_from_the_waist();
  const ReachMap shoulder = map_of(figure, "right_palm", {.resolution = waist_resolution(), .from = "right_shoulder"});
  EXPECT_GT(volume_of(waist), 2.0 * volume_of(shoulder));
  for (const ReachCell& cell : shoulder.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    const int there = waist.leaf_at(shoulder.centre(cell));
    ASSERT_GE(there, 0);
    EXPECT_EQ(waist.cells[static_cast<std::size_t>(there)].state, Reach::reached) << shoulder.centre(cell).transpose();
  }
}

// Pheasant and Haslegrave (2006), Bodyspace, British adults aged 19 to 65, men of the 5th, 50th and 95th percentile:
// stature; shoulder-grip length, from the acromion to the middle of the grip, arm stretched forward; and vertical grip
// reach standing, an easy reach over the head. The middle of the palm represents the grip.
TEST(HumanReach, AgreesWithPublishedReaches) {
  struct Row {
    double stature, shoulder_grip, vertical_grip;
  };
  for (const Row& row : {Row{1.625, 0.610, 1.925}, Row{1.740, 0.665, 2.060}, Row{1.855, 0.715, 2.190}}) {
    const Figure figure = good(human({.stature = row.stature}));
    const ReachMap map = map_of(figure, "right_palm", {.resolution = shoulder_resolution(), .from = "right_shoulder"});
    const ReachSurface surface = surface_of(map, [](const Pose&) { return 0.0; });
    const Vec3 shoulder = place_by_hand(figure, figure.rest(), good(figure.point("right_shoulder")).plus[0]);
    const ReachSummary summary = summary_of(map, surface, shoulder);
    EXPECT_NEAR(surface.farthest(shoulder, Vec3::UnitZ()).value_or(0.0), row.shoulder_grip, 0.04 * row.shoulder_grip);
    EXPECT_NEAR(summary.max[1], row.vertical_grip, 0.05 * row.vertical_grip);
  }
}

}  // namespace human_test
}  // namespace limber
