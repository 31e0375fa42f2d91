// Surfaces, grids and summaries of maps.
#include <gtest/gtest.h>

#include <map>

#include "limber/reach/reach_map.h"
#include "limber/reach/summary.h"
#include "tests/reach/arms.h"

namespace limber {
namespace surface_test {

using testing::map_of;
using testing::PlanarArm;
using testing::SphericalArm;
using testing::volume_of;

// Every edge belongs to two triangles, which run along it in opposite directions.
void expect_watertight(const ReachSurface& surface) {
  std::map<std::pair<int, int>, int> runs;
  for (const auto& triangle : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) ++runs[{triangle[k], triangle[(k + 1) % 3]}];
  for (const auto& [edge, times] : runs) {
    ASSERT_NE(edge.first, edge.second);
    ASSERT_EQ(times, 1);
    ASSERT_EQ(runs.count({edge.second, edge.first}), 1U);
  }
}

// A map with the given pattern of reached finest cells; one coarse level.
ReachMap painted(int n, const std::function<bool(int, int, int)>& is_reached) {
  ReachMap map;
  map.resolution = 0.1;
  map.tolerance = 1e-3;
  map.count = {n, n, n};
  map.finished = true;
  map.base = VecX::Zero(1);
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        ReachCell cell;
        cell.at = {x, y, z};
        cell.state = is_reached(x, y, z) ? Reach::reached : Reach::not_reached;
        cell.pose = 0;
        map.cells.push_back(cell);
      }
  return map;
}

double nothing(const Pose&) { return 0.5; }

// Any pattern: cells that touch by an edge or a corner, at the border of the map, holes.
TEST(ReachSurface, IsClosedWhateverTheCells) {
  constexpr std::uint64_t seed = 831;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int trial = 0; trial < 100; ++trial) {
    const double share = random.unit();
    std::vector<char> pattern(216);
    for (char& one : pattern) one = random.chance(share);
    const ReachMap map =
        painted(6, [&](int x, int y, int z) { return pattern[static_cast<std::size_t>((z * 6 + y) * 6 + x)] != 0; });
    const ReachSurface surface = surface_of(map, nothing);
    expect_watertight(surface);
    EXPECT_EQ(surface.positions.empty(), volume_of(map) == 0.0);
    if (!surface.positions.empty()) {
      EXPECT_GT(surface.volume(), 0.0);
    }
  }
}

TEST(ReachSurface, OfAShellIsClosedAndHasItsVolume) {
  const SphericalArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = map_of(figure, "tip", {.resolution = 0.03});
  const ReachSurface surface = surface_of(map, from_limits(figure, map.variables));
  expect_watertight(surface);
  EXPECT_NEAR(surface.volume(), arm.volume(), 0.005 * arm.volume());
  EXPECT_NEAR(surface.volume(), volume_of(map), 0.03 * arm.volume());
  // The area: two caps of the shell, two cones, two planes of longitude.
  const double du = arm.u.upper - arm.u.lower, dv = arm.v.upper - arm.v.lower;
  const double r0 = arm.r.lower, r1 = arm.r.upper, ring = 0.5 * (r1 * r1 - r0 * r0);
  const double area = du * (std::sin(arm.v.upper) - std::sin(arm.v.lower)) * (r0 * r0 + r1 * r1) +
                      du * ring * (std::cos(arm.v.upper) + std::cos(arm.v.lower)) + 2.0 * dv * ring;
  EXPECT_NEAR(surface.area(), area, 0.03 * area);
  // Away from the edges a vertex is much nearer to the boundary than the side of a cell.
  std::size_t near = 0;
  for (const Vec3& x : surface.positions) {
    const double r = x.norm(), v = std::asin(x[1] / r), u = std::atan2(-x[2], x[0]), across = std::hypot(x[0], x[2]);
    const double off =
        std::min({std::fabs(r - r0), std::fabs(r - r1), r * std::fabs(v - arm.v.lower), r * std::fabs(v - arm.v.upper),
                  across * std::fabs(u - arm.u.lower), across * std::fabs(u - arm.u.upper)});
    if (off < 0.1 * map.resolution) ++near;
  }
  EXPECT_GT(static_cast<double>(near), 0.85 * static_cast<double>(surface.positions.size()));
}

TEST(ReachSurface, IsHitByRaysWhereTheSetEnds) {
  const SphericalArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = map_of(figure, "tip", {.resolution = 0.03});
  const ReachSurface surface = surface_of(map, nothing);
  EXPECT_NEAR(surface.farthest(Vec3::Zero(), Vec3::UnitX()).value_or(0.0), arm.r.upper, 0.003);
  EXPECT_NEAR(surface.farthest({arm.r.upper + 1.0, 0, 0}, -Vec3::UnitX()).value_or(0.0),
              1.0 + arm.r.upper - arm.r.lower, 0.003);
  EXPECT_FALSE(surface.farthest(Vec3::Zero(), -Vec3::UnitX()));
  const ReachSummary summary = summary_of(map, surface, Vec3::Zero());
  EXPECT_NEAR(summary.litres_of_surface, 1000.0 * arm.volume(), 5.0 * arm.volume());
  EXPECT_EQ(summary.cells, summary.reached + summary.not_reached + summary.undecided);
  EXPECT_NEAR(summary.max[0], arm.r.upper, 0.003);
  double shares = 0.0;
  for (const HeldBack& held : summary.held_back_by) shares += static_cast<double>(held.share);
  EXPECT_NEAR(shares, 1.0, 1e-5);
  for (std::size_t k = 0; k < 26; ++k) {
    const CellIndex& d = neighbour_directions()[k];
    if (d == CellIndex{1, 0, 0}) {
      EXPECT_NEAR(summary.farthest[k].value_or(0.0), arm.r.upper, 0.003);
    }
    if (d == CellIndex{-1, 0, 0}) {
      EXPECT_FALSE(summary.farthest[k]);
    }
  }
}

// Rays through edges and vertices meet both or all of their triangles only up to rounding.
TEST(ReachSurface, IsHitByRaysThroughItsEdgesAndVertices) {
  constexpr int n = 9;
  const ReachMap map = painted(n, [](int x, int y, int z) {
    const double d = Vec3(x - n / 2, y - n / 2, z - n / 2).norm();
    return d < 3.3 && d > 1.2;
  });
  const ReachSurface surface = surface_of(map, nothing);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : surface.positions) box.extend(x);
  const Vec3 from = box.center();
  const auto expect_hit = [&](const Vec3& x) {
    EXPECT_GE(surface.farthest(from, (x - from).normalized()).value_or(0.0), (1.0 - 1e-9) * (x - from).norm());
  };
  for (const auto& triangle : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &a = surface.positions[static_cast<std::size_t>(triangle[k])],
                 &b = surface.positions[static_cast<std::size_t>(triangle[(k + 1) % 3])];
      expect_hit(a);
      expect_hit(0.5 * (a + b));
    }
}

// Against brute force over all pairs.
TEST(ReachGrid, MeasuresTheDepthOfACell) {
  constexpr std::uint64_t seed = 832;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<char> pattern(343);
    const double share = random.between(0.05, 0.95);
    for (char& one : pattern) one = random.chance(share);
    const ReachMap map =
        painted(7, [&](int x, int y, int z) { return pattern[static_cast<std::size_t>((z * 7 + y) * 7 + x)] != 0; });
    const ReachGrid grid = grid_of(map);
    const std::vector<double> depth = margins(map, grid);
    const auto is_reached = [&](std::size_t k) {
      return grid.leaf[k] >= 0 && map.cells[static_cast<std::size_t>(grid.leaf[k])].state == Reach::reached;
    };
    std::vector<Vec3> centres;
    for (int z = 0; z < grid.count[2]; ++z)
      for (int y = 0; y < grid.count[1]; ++y)
        for (int x = 0; x < grid.count[0]; ++x) centres.push_back(grid.centre(x, y, z));
    for (std::size_t k = 0; k < grid.size(); ++k) {
      double nearest = infinity;
      for (std::size_t j = 0; j < grid.size(); ++j)
        if (is_reached(j) != is_reached(k)) nearest = std::min(nearest, (centres[j] - centres[k]).norm());
      ASSERT_NEAR(depth[k], is_reached(k) ? nearest - 0.05 : 0.05 - nearest, 1e-9);
    }
  }
}

TEST(FromLimits, IsOneInTheMiddleAndZeroAtTheEnds) {
  const Figure figure = PlanarArm{}.figure();
  const PoseMeasure measure = from_limits(figure, {0, 1, 2});
  EXPECT_DOUBLE_EQ(measure({Eigen::Vector3d(0.0, 0.0, 1.25)}), 1.0);
  EXPECT_NEAR(measure({Eigen::Vector3d(0.2, -2.0, 2.5)}), 0.0, 1e-15);
  EXPECT_NEAR(measure({Eigen::Vector3d(0.1, 0.0, 1.25)}), 1.0 - 0.25 / 3.0, 1e-15);
}

// By definition, over the requested parameters that count: the slider does not.
TEST(FromComfort, IsOneInComfortAndLessOutside) {
  const Figure figure = PlanarArm{}.figure();
  const JointComfort comfort =
      testing::good(JointComfort::make(figure, {{"shoulder.turn", -1.0, 1.0}, {"elbow.turn", 0.0, 1.0}}));
  const PoseMeasure measure = from_comfort(comfort, {0, 1, 2});
  EXPECT_EQ(measure({Eigen::Vector3d(0.2, 1.0, 1.0)}), 1.0);
  EXPECT_NEAR(measure({Eigen::Vector3d(0.2, -2.0, 2.5)}), 0.0, 1e-15);
  EXPECT_NEAR(measure({Eigen::Vector3d(0.0, 2.0, 1.0)}), 1.0 - std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(from_comfort(comfort, {2})({Eigen::Vector3d(0.0, 2.0, 1.0)}), 1.0, 1e-15);
  EXPECT_EQ(from_comfort(comfort, {0})({Eigen::Vector3d(0.2, 2.0, 2.5)}), 1.0);
}

}  // namespace surface_test
}  // namespace limber
