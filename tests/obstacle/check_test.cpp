// The check after a solve is complete, and its finder does not allocate.
#include "limber/obstacle/check.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "limber/figure/human.h"
#include "limber/obstacle/line_segment.h"
#include "limber/obstacle/near_finder.h"
#include "tests/law/allocation.h"
#include "tests/obstacle/meshes.h"
#include "tests/support/laws.h"

namespace limber {
namespace check_test {

using testing::good;
using testing::random_point;

constexpr std::uint64_t check_seed = 8401;

Pose random_human_pose(const Figure& figure, Random& random) {
  Pose pose = figure.rest();
  for (std::size_t k = 0; k < figure.parameters().size(); ++k) {
    const Range& range = figure.parameters()[k].range;
    const double low = std::fmax(range.lower, -1.0), high = std::fmin(range.upper, 1.0);
    if (low < high) pose.theta[static_cast<Eigen::Index>(k)] = random.between(low, high);
  }
  return pose;
}

Obstacles things_around(Random& random) {
  std::vector<Obstacle> list = {good(build_obstacle("floor", HalfSpaceShape{}, at({0, -0.5, 0})))};
  const auto frame = [&] { return Frame{random.rotation(), random_point(random, 1.0)}; };
  for (int k = 0; k < 4; ++k) {
    const std::string number = std::to_string(k);
    list.push_back(good(build_obstacle("ball " + number, BallShape{random.between(0.02, 0.3)}, frame())));
    list.push_back(good(build_obstacle("box " + number, BoxShape{{0.3, random.between(0.01, 0.2), 0.2}}, frame())));
    list.push_back(good(build_obstacle("pole " + number, Capsule{{0, -1, 0}, {0, 1, 0}, 0.05}, frame())));
  }
  testing::Corners corners;
  for (int k = 0; k < 9; ++k) corners.push_back(random_point(random, 0.4));
  list.push_back(good(build_obstacle("stone", good(Polyhedron::build(corners)), frame())));
  list.push_back(good(build_obstacle("angle", testing::angle_mesh().built(), frame())));
  return Obstacles(std::move(list));
}

TEST(NearFinder, FindsTheSameAsAnExhaustiveSearch) {
  Random random(check_seed);
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  const std::vector<CapsulePair> pairs = pairs_to_check(figure, capsules);
  NearFinder finder(capsules, pairs);
  std::size_t touched = 0;
  for (int k = 0; k < law::law_count(200); ++k) {
    SCOPED_TRACE(k);
    const Obstacles obstacles = things_around(random);
    finder.place(forward(figure, random_human_pose(figure, random)));
    const double within = random.chance(0.3) ? 0.0 : random.between(-0.02, 0.3);
    std::vector<NearPair> near;
    finder.find(obstacles, within, near);
    std::set<std::tuple<int, int, int>> found, expected;
    for (const NearPair& one : near) {
      EXPECT_LT(one.clearance, within);
      EXPECT_TRUE(found.insert({one.capsule, one.other, one.obstacle}).second);
    }
    for (int c = 0; c < static_cast<int>(capsules.size()); ++c) {
      const Capsule& core = finder.core(c);
      for (int o = 0; o < static_cast<int>(obstacles.list().size()); ++o)
        if (gap(LineSegment{core.a, core.b}, obstacles.list()[static_cast<std::size_t>(o)]).distance - core.radius <
            within)
          expected.insert({c, no_index, o});
    }
    for (const CapsulePair& pair : pairs) {
      const Capsule &one = finder.core(pair.first), &other = finder.core(pair.second);
      if (gap(LineSegment{one.a, one.b}, LineSegment{other.a, other.b}).distance - one.radius - other.radius +
              pair.slack <
          within)
        expected.insert({pair.first, pair.second, no_index});
    }
    EXPECT_EQ(found, expected);
    touched += found.size();
  }
  EXPECT_GT(touched, 100u);
}

// Random points of the body that are inside an obstacle by definition: each segment must be listed.
TEST(Penetrations, ListEverySegmentWithAPointInside) {
  Random random(check_seed + 1);
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  int inside = 0;
  for (int k = 0; k < law::law_count(100); ++k) {
    const Kinematics state = forward(figure, random_human_pose(figure, random));
    const Obstacles obstacles = things_around(random);
    const Penetrations found = penetrations(figure, state, capsules, obstacles, {});
    std::set<std::pair<int, int>> named;
    for (const Penetration& one : found.list) named.insert({one.segment, one.obstacle});
    for (const SegmentCapsule& one : capsules)
      for (int n = 0; n < 40; ++n) {
        const Vec3 core = one.capsule.a + random.unit() * (one.capsule.b - one.capsule.a);
        const Vec3 x_segment = core + random.unit() * one.capsule.radius * random.direction();
        const Vec3 x = state.segments[static_cast<std::size_t>(one.segment)] * x_segment;
        for (int o = 0; o < static_cast<int>(obstacles.list().size()); ++o) {
          const Obstacle& obstacle = obstacles.list()[static_cast<std::size_t>(o)];
          const Vec3 y = obstacle.X_world_shape.inverse() * x;
          bool in = false;
          if (std::holds_alternative<HalfSpaceShape>(obstacle.shape)) in = y[1] < 0.0;
          if (const auto* ball = std::get_if<BallShape>(&obstacle.shape)) in = y.norm() < ball->radius;
          if (const auto* box = std::get_if<BoxShape>(&obstacle.shape))
            in = (y.cwiseAbs() - box->half).maxCoeff() < 0.0;
          if (const auto* pole = std::get_if<Capsule>(&obstacle.shape)) in = pole->away(y).norm() < pole->radius;
          inside += in;
          if (in) {
            EXPECT_TRUE(named.contains({one.segment, o})) << obstacle.name;
          }
        }
      }
  }
  EXPECT_GT(inside, law::law_count(100));
}

TEST(Penetrations, DescribeThemselves) {
  const Figure figure = testing::built(testing::seven_joint_arm());
  std::vector<SegmentCapsule> capsules;
  for (int s = 0; s < 8; ++s) capsules.push_back({s, {{0, 0, 0}, {0.3, 0, 0}, 0.03}});
  const Kinematics state = forward(figure, figure.rest());
  const Obstacles wall({good(build_obstacle("wall", BoxShape{{0.1, 1, 1}}, at({2.0, 0, 0.0})))});
  const Penetrations found = penetrations(figure, state, capsules, wall, pairs_to_check(figure, capsules), 0.08);
  ASSERT_EQ(found.list.size(), 3u);
  EXPECT_NEAR(found.min_clearance(), -0.23, 1e-12) << "back along the arm, by its end and its radius";
  EXPECT_EQ(found.list[0].obstacle, 0);
  EXPECT_EQ(found.list[0].text, "link 6 is 0.2300 m inside wall");
  EXPECT_EQ(found.list[2].text, "link 5 is 0.0700 m from wall");
}

TEST(Penetrations, OfTwoFiguresNameBoth) {
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  const Kinematics here = forward(figure, figure.rest());
  Pose moved = figure.rest();
  const auto place = [&](double x) {
    for (std::size_t k = 0; k < figure.parameters().size(); ++k)
      if (figure.parameters()[k].translates) {
        moved.theta[static_cast<Eigen::Index>(k)] = x;
        break;
      }
    return forward(figure, moved);
  };
  const Kinematics beside = place(0.38), far = place(0.8);
  const Penetrations close = penetrations({figure, here, capsules}, {figure, beside, capsules});
  ASSERT_FALSE(close.empty());
  EXPECT_EQ(close.list.front().text.find("left_"), 0u) << close.list.front().text;
  EXPECT_NE(close.list.front().text.find("into human's right_"), std::string::npos) << close.list.front().text;
  EXPECT_TRUE(penetrations({figure, here, capsules}, {figure, far, capsules}).empty());
  const Penetrations back = penetrations({figure, beside, capsules}, {figure, here, capsules});
  EXPECT_EQ(back.list.size(), close.list.size());
  EXPECT_NEAR(back.min_clearance(), close.min_clearance(), 1e-12);
}

TEST(NearFinder, FollowsMovedObstacles) {
  const Figure figure = human();
  NearFinder finder(capsules_of(figure), {});
  finder.place(forward(figure, figure.rest()));
  Obstacles obstacles({good(build_obstacle("ball", BallShape{0.1}, at({5, 1, 0})))});
  std::vector<NearPair> near;
  finder.find(obstacles, 0.0, near);
  EXPECT_TRUE(near.empty());
  obstacles.move(0, at({0, 1.2, 0}));
  finder.find(obstacles, 0.0, near);
  EXPECT_FALSE(near.empty());
}

TEST(NearFinder, DoesNotAllocate) {
  Random random(check_seed + 2);
  const Figure figure = human();
  const std::vector<SegmentCapsule> capsules = capsules_of(figure);
  NearFinder finder(capsules, pairs_to_check(figure, capsules));
  Obstacles obstacles = things_around(random);
  std::vector<Kinematics> states;
  for (int k = 0; k < 20; ++k) states.push_back(forward(figure, random_human_pose(figure, random)));
  std::vector<NearPair> near;
  near.reserve(capsules.size() * obstacles.list().size() + finder.pairs().size());
  const long before = law::allocations();
  std::size_t found = 0;
  for (const Kinematics& state : states) {
    finder.place(state);
    obstacles.move(1, at({0.1, 1.0, 0.1}));
    finder.find(obstacles, 1.0, near);
    found += near.size();
  }
  EXPECT_EQ(law::allocations(), before);
  EXPECT_GT(found, 1000u);
}

}  // namespace check_test
}  // namespace limber
