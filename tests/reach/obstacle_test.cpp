// Reach maps with obstacles: no witness touches them, free cells are found, and the set only shrinks.
#include <gtest/gtest.h>

#include "limber/figure/human.h"
#include "limber/obstacle/check.h"
#include "limber/reach/witness.h"
#include "tests/reach/arms.h"

namespace limber {
namespace obstacle_test {

using testing::good;
using testing::map_of;
using testing::PlanarArm;
using testing::same;
using testing::volume_of;

// Two bones, capsules of the radius `thick`, and a post beside the arm: a box in the world.
struct ArmAtPost {
  PlanarArm arm{.shoulder = {-1.5, 1.5}, .elbow = {-2.5, 2.5}};
  double thick = 0.03, margin = 0.01;
  Vec3 post_middle{0.45, 0.3, 0.0}, post_size{0.1, 0.1, 2.0};

  Clearance clearance(const Figure& figure) const {
    Clearance clearance;
    clearance.capsules = {{good(figure.find_segment("upper")), {Vec3::Zero(), Vec3(arm.a, 0, 0), thick}},
                          {good(figure.find_segment("lower")), {Vec3::Zero(), Vec3(arm.b, 0, 0), thick}}};
    clearance.obstacles = {good(build_obstacle("post", BoxShape{0.5 * post_size}, {Mat3::Identity(), post_middle}))};
    clearance.margin = margin;
    return clearance;
  }
  Problem problem(const Figure& figure) const {
    Problem problem(figure);
    good(problem.add_clearance(clearance(figure)));
    return problem;
  }

  // Clearance of the arm from the post, by points along the bones; the post is longer than the slider's range.
  double gap(double s, double e) const {
    double min = infinity;
    const Eigen::Vector2d elbow(arm.a * std::cos(s), arm.a * std::sin(s));
    const Eigen::Vector2d along(std::cos(s + e), std::sin(s + e));
    const auto look_at = [&](const Eigen::Vector2d& p) {
      const Eigen::Vector2d off = (p - post_middle.head<2>()).cwiseAbs() - 0.5 * post_size.head<2>();
      const double outside = off.cwiseMax(0.0).norm(), inside = std::fmin(0.0, off.maxCoeff());
      min = std::fmin(min, outside + inside - thick);
    };
    const int points = 400;
    for (int k = 0; k <= points; ++k) {
      const double t = static_cast<double>(k) / points;
      look_at(t * elbow);
      look_at(elbow + t * arm.b * along);
    }
    return min;
  }

  // Whether one of the two elbow solutions has the tip at x, with `spare` slack in every limit and in the gap.
  bool can_reach(const Vec3& x, double spare) const {
    const double r2 = x.head<2>().squaredNorm();
    const double cosine = (r2 - arm.a * arm.a - arm.b * arm.b) / (2.0 * arm.a * arm.b);
    if (std::fabs(cosine) > 1.0 - spare || std::fabs(x[2]) > arm.slide.upper - spare) return false;
    const double bent = std::acos(std::clamp(cosine, -1.0, 1.0));
    for (const double e : {bent, -bent}) {
      const double s = std::remainder(
          std::atan2(x[1], x[0]) - std::atan2(arm.b * std::sin(e), arm.a + arm.b * std::cos(e)), 2.0 * pi);
      if (std::fabs(e) > arm.elbow.upper - spare || std::fabs(s) > arm.shoulder.upper - spare) continue;
      if (gap(s, e) > margin + spare) return true;
    }
    return false;
  }
};

TEST(ReachWithObstacles, AgreesWithTheClosedForm) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  const ReachMap map = good(reach(at.problem(figure), figure.rest(), figure.point("tip"), {.resolution = 0.04}));
  ASSERT_TRUE(map.finished);
  std::size_t reached = 0, free_but_missed = 0;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf()) continue;
    ASSERT_NE(cell.state, Reach::undecided);
    const Vec3 x = map.centre(cell);
    if (cell.state == Reach::reached) {
      ++reached;
      const Pose pose = map.pose(cell);
      ASSERT_LE((at.arm.tip(pose) - x).norm(), map.tolerance * (1.0 + 1e-9));
      // Points along the bone are never nearer than the bone.
      ASSERT_GE(at.gap(pose.theta[1], pose.theta[2]), at.margin - 1e-9) << x.transpose();
    } else if (at.can_reach(x, 0.005)) {
      ++free_but_missed;
    }
  }
  EXPECT_GT(reached, 500U);
  // A pocket beside the post that no neighbour's pose leads to: a local solver may miss it.
  EXPECT_LE(100 * free_but_missed, reached) << free_but_missed << " of " << reached;
}

TEST(ReachWithObstacles, OnlyShrinks) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  const ReachMap free = map_of(figure, "tip", {.resolution = 0.05});
  const ReachMap map = good(reach(at.problem(figure), figure.rest(), figure.point("tip"), {.resolution = 0.05}));
  // At least where the tip would be in the post.
  const double post = at.post_size[0] * at.post_size[1] * (at.arm.slide.upper - at.arm.slide.lower);
  EXPECT_LT(volume_of(map), volume_of(free) - post);
  EXPECT_GT(volume_of(map), 0.5 * volume_of(free));
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    EXPECT_TRUE(at.can_reach(map.centre(cell), -0.005)) << map.centre(cell).transpose();
  }
  // A distant obstacle changes nothing.
  ArmAtPost far = at;
  far.post_middle = Vec3(9.0, 9.0, 0.0);
  EXPECT_NEAR(volume_of(good(reach(far.problem(figure), figure.rest(), figure.point("tip"), {.resolution = 0.05}))),
              volume_of(free), 0.01 * volume_of(free));
}

TEST(ReachWithObstacles, IsTheSameForAnyNumberOfThreadsAndAfterAStop) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  const Problem problem = at.problem(figure);
  ReachOptions options{.resolution = 0.08, .threads = 1};
  const ReachMap one = good(reach(problem, figure.rest(), figure.point("tip"), options));
  options.threads = 3;
  EXPECT_TRUE(same(one, good(reach(problem, figure.rest(), figure.point("tip"), options))));
  options.after_wave = [](const ReachProgress&) { return false; };
  ReachMap steps = good(reach(problem, figure.rest(), figure.point("tip"), options));
  while (!steps.finished) ASSERT_TRUE(resume(problem, figure.rest(), figure.point("tip"), options, steps));
  EXPECT_TRUE(same(one, steps));
}

// A weighted obstacle yields to the hand, but a pose inside it is not a witness.
TEST(ReachWithObstacles, HasNoWitnessInASoftObstacleEither) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  Problem problem(figure);
  good(problem.add_clearance(at.clearance(figure), {.weight = 1e-4}));
  const ReachMap map = good(reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.08}));
  std::size_t reached = 0;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    ++reached;
    const Pose pose = map.pose(cell);
    ASSERT_GE(at.gap(pose.theta[1], pose.theta[2]), at.margin - map.tolerance) << map.centre(cell).transpose();
  }
  EXPECT_GT(reached, 100U);
}

TEST(ReachWithObstacles, ChecksEveryPose) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  Problem problem = at.problem(figure);
  good(problem.add(figure.point("tip"), Position{Vec3::Zero()}));
  WitnessCheck check(problem, 1, {});
  Random random(43);
  int clear = 0;
  for (int k = 0; k < 1000; ++k) {
    const double s = random.between(-1.5, 1.5), e = random.between(-2.5, 2.5), gap = at.gap(s, e);
    if (std::fabs(gap - at.margin) < 1e-4) continue;  // the points only sample the bone
    const Pose pose{Eigen::Vector3d(0.0, s, e)};
    const std::vector<Goal> goals(2, Position{at.arm.tip(pose)});
    ASSERT_EQ(check(pose.theta, goals).is_met, gap > at.margin) << s << " " << e;
    clear += gap > at.margin;
  }
  EXPECT_GT(clear, 100);
  EXPECT_LT(clear, 900);
}

// A fixed part that violates a clearance would leave an empty map.
TEST(ReachWithObstacles, RejectsFixedOverlaps) {
  const ArmAtPost at;
  const Figure figure = at.arm.figure();
  Clearance clearance = at.clearance(figure);
  clearance.capsules.push_back({good(figure.find_segment("base")), {Vec3::Zero(), Vec3::UnitX(), 0.1}});
  clearance.obstacles = {good(build_obstacle("block", BoxShape{}, {Mat3::Identity(), {1.4, 0.0, 0.0}}))};
  Problem problem(figure);
  good(problem.add_clearance(clearance, {.name = "post"}));
  const Expected<ReachMap> map = reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.1});
  ASSERT_FALSE(map);
  EXPECT_NE(map.error().text().find("post"), std::string::npos) << map.error().text();
  EXPECT_NE(map.error().text().find("base"), std::string::npos) << map.error().text();
}

// A person's hand in front of, behind and beside a plate. The independent check after the solve finds no
// witness in it; and points behind it are lost where the arm would have to pass through.
TEST(ReachWithObstacles, HasNoWitnessInsideAPlate) {
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  const std::vector<Obstacle> plate = {
      good(build_obstacle("plate", BoxShape{{0.15, 0.2, 0.01}}, {Mat3::Identity(), {-0.2, 1.15, 0.35}}))};
  Problem problem(figure);
  good(problem.add_clearance({capsules, plate, {}, 0.01}));
  const ReachOptions options{.resolution = 0.1, .from = "right_shoulder"};
  const ReachMap map = good(reach(problem, figure.rest(), figure.point("right_palm"), options));
  std::size_t reached = 0;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    ++reached;
    const Kinematics state = forward(figure, map.pose(cell));
    const Penetrations found = penetrations(figure, state, capsules, Obstacles(plate), {}, 0.01 - 1e-9);
    ASSERT_TRUE(found.empty()) << map.centre(cell).transpose() << ": " << found.list.front().text;
  }
  EXPECT_GT(reached, 300U);
  const ReachMap free = map_of(figure, "right_palm", options);
  EXPECT_LT(volume_of(map), 0.98 * volume_of(free));
  const auto state_at = [](const ReachMap& of, const Vec3& x) {
    for (const ReachCell& cell : of.cells)
      if (cell.is_leaf() && ((of.centre(cell) - x).cwiseAbs().array() <= 0.5 * of.side(cell)).all()) return cell.state;
    return Reach::undecided;
  };
  const Vec3 behind(-0.2, 1.15, 0.43);
  EXPECT_EQ(state_at(free, behind), Reach::reached);
  EXPECT_EQ(state_at(map, behind), Reach::not_reached);
}

}  // namespace obstacle_test
}  // namespace limber
