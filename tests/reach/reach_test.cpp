// Reach maps against closed forms, and laws of every map.
#include "limber/reach/reach.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "limber/kinematics/forward.h"
#include "tests/reach/arms.h"

namespace limber {
namespace reach_test {

using testing::built;
using testing::good;
using testing::map_of;
using testing::PlanarArm;
using testing::same;
using testing::SphericalArm;
using testing::volume_of;

// The invariants of a leaf, checked by closed forms.
template <class Tip>
void expect_true_witnesses(const ReachMap& map, const Figure& figure, const Tip& tip) {
  std::size_t reached = 0;
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    ++reached;
    ASSERT_GE(cell.pose, 0);
    const Pose pose = map.pose(cell);
    ASSERT_LE((tip(pose) - map.centre(cell)).norm(), map.tolerance * (1.0 + 1e-9));
    for (std::size_t j = 0; j < figure.parameters().size(); ++j) {
      ASSERT_GE(pose.theta[static_cast<Eigen::Index>(j)], figure.parameters()[j].range.lower);
      ASSERT_LE(pose.theta[static_cast<Eigen::Index>(j)], figure.parameters()[j].range.upper);
    }
  }
  EXPECT_GT(reached, 0U);
}

// A leaf must be correct if its centre is farther than `doubt` from the boundary of the set.
template <class Inside>
void expect_right_answers(const ReachMap& map, const Inside& depth, double doubt) {
  for (const ReachCell& cell : map.cells) {
    if (!cell.is_leaf()) continue;
    const double inside = depth(map.centre(cell));
    if (inside > doubt) {
      ASSERT_EQ(cell.state, Reach::reached) << map.centre(cell).transpose();
    }
    if (inside < -doubt) {
      ASSERT_EQ(cell.state, Reach::not_reached) << map.centre(cell).transpose();
    }
  }
}

// Every face between reached and unreached cells is between finest cells.
void expect_fine_boundary(const ReachMap& map) {
  for (const ReachCell& cell : map.cells)
    for (std::size_t k = 0; k < 6 && cell.is_leaf(); ++k) {
      const int other = map.neighbour(cell, neighbour_directions()[k]);
      if (other < 0) continue;
      const ReachCell& beside = map.cells[static_cast<std::size_t>(other)];
      if (!beside.is_leaf() || (beside.state == Reach::reached) == (cell.state == Reach::reached)) continue;
      ASSERT_EQ(cell.level, 0);
      ASSERT_EQ(beside.level, 0);
    }
}

// Depth of a point in the planar arm's reach: the minimum over the radii, the angles and the height. Negative outside.
double depth_in_planar_reach(const PlanarArm& arm, const Vec3& x) {
  const double r = std::hypot(x[0], x[1]);
  const double r0 = arm.radius(arm.elbow.upper), r1 = arm.radius(arm.elbow.lower);
  double depth = std::min({r - r0, r1 - r, x[2] - arm.slide.lower, arm.slide.upper - x[2]});
  if (r <= r0 || r >= r1) return depth;
  // e from r; s = angle of x minus the angle from the elbow.
  const double cosine = (r * r - arm.a * arm.a - arm.b * arm.b) / (2.0 * arm.a * arm.b);
  const double e = std::acos(std::clamp(cosine, -1.0, 1.0));
  const double s =
      std::remainder(std::atan2(x[1], x[0]) - std::atan2(arm.b * std::sin(e), arm.a + arm.b * std::cos(e)), 2.0 * pi);
  const double to_end = std::min(s - arm.shoulder.lower, arm.shoulder.upper - s);
  // The ends of the shoulder are arcs; near them this is a distance to first order, and half of it a lower bound.
  return std::min(depth, 0.5 * r * to_end);
}

TEST(Reach, OfAPlanarTwoLinkArmIsAnAnnulusWithItsHole) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = map_of(figure, "tip", {.resolution = 0.02});
  ASSERT_TRUE(map.finished);
  EXPECT_NEAR(volume_of(map), arm.volume(), 0.01 * arm.volume());
  EXPECT_EQ(volume_of(map, Reach::undecided), 0.0);
  expect_true_witnesses(map, figure, [&](const Pose& pose) { return arm.tip(pose); });
  expect_right_answers(map, [&](const Vec3& x) { return depth_in_planar_reach(arm, x); }, 2e-3);
  expect_fine_boundary(map);
  // The hole, and the sector behind, outside the shoulder's range.
  EXPECT_EQ(map.cells[static_cast<std::size_t>(map.leaf_at({0.05, 0.05, 0.05}))].state, Reach::not_reached);
  EXPECT_EQ(map.cells[static_cast<std::size_t>(map.leaf_at({-0.7, -0.1, 0.05}))].state, Reach::not_reached);
}

TEST(Reach, OfASphericalArmIsAPartOfAShell) {
  const SphericalArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = map_of(figure, "tip", {.resolution = 0.02});
  EXPECT_NEAR(volume_of(map), arm.volume(), 0.01 * arm.volume());
  expect_true_witnesses(map, figure, SphericalArm::tip);
  expect_fine_boundary(map);
  const auto depth = [&](const Vec3& x) {
    const double r = x.norm(), v = std::asin(x[1] / r), u = std::atan2(-x[2], x[0]);
    const double across = std::hypot(x[0], x[2]);
    return std::min({r - arm.r.lower, arm.r.upper - r, r * (v - arm.v.lower), r * (arm.v.upper - v),
                     across * (u - arm.u.lower), across * (arm.u.upper - u)});
  };
  expect_right_answers(map, depth, 2e-3);
}

// The volume converges with finer cells, and the solves grow with the surface, not with the volume.
TEST(Reach, CostsInProportionToItsSurface) {
  const SphericalArm arm;
  const Figure figure = arm.figure();
  std::vector<double> solves;
  for (const double h : {0.04, 0.02, 0.01}) {
    const ReachMap map = map_of(figure, "tip", {.resolution = h});
    double sum = 0.0;
    for (const ReachCell& cell : map.cells) sum += cell.solves;
    solves.push_back(sum);
  }
  // With the surface: four times as many; with the volume: eight times.
  EXPECT_LT(solves[1], 5.0 * solves[0]);
  EXPECT_LT(solves[2], 5.0 * solves[1]);
}

// A rod of fixed length reaches a sphere: no volume, and no centre of a cell. Still the sphere is found.
TEST(Reach, FindsAShellWithoutVolume) {
  const SphericalArm arm{.r = {0.7, 0.7}};
  const ReachMap map = map_of(arm.figure(), "tip", {.resolution = 0.02});
  constexpr std::uint64_t seed = 821;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<Vec3> touched;
  for (const ReachCell& cell : map.cells)
    if (cell.is_leaf() && cell.touched) {
      EXPECT_EQ(cell.level, 0);
      EXPECT_NEAR(map.centre(cell).norm(), 0.7, 0.02);
      touched.push_back(map.centre(cell));
    }
  Random random(seed);
  for (int sample = 0; sample < 500; ++sample) {
    const Pose pose{
        Eigen::Vector3d(random.between(arm.u.lower, arm.u.upper), random.between(arm.v.lower, arm.v.upper), 0.7)};
    const Vec3 x = SphericalArm::tip(pose);
    double nearest = infinity;
    for (const Vec3& c : touched) nearest = std::min(nearest, (c - x).norm());
    EXPECT_LT(nearest, 0.03);
  }
}

TEST(Reach, IsTheSameForAnyNumberOfThreads) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  const ReachMap one = map_of(figure, "tip", {.resolution = 0.04, .threads = 1});
  for (const int threads : {2, 3, 7})
    EXPECT_TRUE(same(one, map_of(figure, "tip", {.resolution = 0.04, .threads = threads})));
}

// Waves are solved elsewhere, in parts of any size: the map is the same, bit for bit.
TEST(Reach, IsTheSameIfItsWavesAreSolvedInParts) {
  const Figure figure = PlanarArm().figure();
  const Problem problem(figure);
  const ReachOptions whole{.resolution = 0.05, .threads = 1, .lanes = 4};
  const ReachMap one = map_of(figure, "tip", whole);
  for (const std::size_t size : {7UL, 100UL, 5000UL}) {
    int parts = 0;
    ReachOptions options = whole;
    options.solve = [&](const ReachWave& wave) -> Expected<ReachAnswers> {
      ReachAnswers all{MatX(wave.starts.rows(), wave.starts.cols()), {}};
      for (std::size_t from = 0; from < wave.points.size(); from += size, ++parts) {
        const auto first = static_cast<Eigen::Index>(from);
        const auto count = static_cast<Eigen::Index>(std::min(size, wave.points.size() - from));
        const ReachWave part{{wave.points.begin() + first, wave.points.begin() + first + count},
                             wave.starts.middleCols(first, count),
                             wave.restarts};
        const ReachAnswers some = good(solve_wave(problem, figure.rest(), figure.point("tip"), whole, part));
        all.poses.middleCols(first, count) = some.poses;
        all.answers.insert(all.answers.end(), some.answers.begin(), some.answers.end());
      }
      return all;
    };
    EXPECT_TRUE(same(one, map_of(figure, "tip", options))) << size;
    EXPECT_GT(parts, 1) << size;
  }
  ReachOptions none = whole;
  none.solve = [](const ReachWave&) -> Expected<ReachAnswers> { return ReachAnswers{}; };
  EXPECT_FALSE(reach(problem, figure.rest(), figure.point("tip"), none));
}

TEST(Reach, ResumesAsIfNotInterrupted) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  const Problem problem(figure);
  int waves = 0;
  ReachOptions options{.resolution = 0.04};
  options.after_wave = [&](const ReachProgress& progress) {
    waves = progress.wave;
    return true;
  };
  const ReachMap whole = good(reach(problem, figure.rest(), figure.point("tip"), options));
  ASSERT_GT(waves, 5);
  for (int stop = 1; stop <= waves; stop += 3) {
    options.after_wave = [&](const ReachProgress& progress) { return progress.wave < stop; };
    ReachMap map = good(reach(problem, figure.rest(), figure.point("tip"), options));
    // And once more, somewhere in between.
    options.after_wave = [&](const ReachProgress& progress) { return progress.wave < 2; };
    ASSERT_TRUE(resume(problem, figure.rest(), figure.point("tip"), options, map));
    options.after_wave = {};
    ASSERT_TRUE(resume(problem, figure.rest(), figure.point("tip"), options, map));
    EXPECT_TRUE(same(map, whole)) << "stopped after wave " << stop;
  }
}

// Interrupted after every wave, with other arms, whose cells are divided for other reasons.
TEST(Reach, ResumesWhateverTheArm) {
  const SphericalArm shell, thin{.r = {0.7, 0.7}}, ball{.u = {-3.1, 3.1}, .v = {-1.5, 1.5}, .r = {0.0, 0.9}};
  for (const SphericalArm& arm : {shell, thin, ball}) {
    const ReachMap steps = testing::map_in_steps(arm.figure(), "tip", {.resolution = 0.03});
    EXPECT_TRUE(same(steps, map_of(arm.figure(), "tip", {.resolution = 0.03})));
  }
}

TEST(Reach, GrowsWhenLimitsWiden) {
  const PlanarArm narrow, wide{.slide = {-0.25, 0.2}, .shoulder = {-2.2, 2.4}, .elbow = {0.0, 2.7}};
  const ReachMap small = map_of(narrow.figure(), "tip", {.resolution = 0.03});
  const ReachMap large = map_of(wide.figure(), "tip", {.resolution = 0.03});
  EXPECT_LT(volume_of(small), volume_of(large));
  for (const ReachCell& cell : small.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    const int there = large.leaf_at(small.centre(cell));
    ASSERT_GE(there, 0);
    EXPECT_EQ(large.cells[static_cast<std::size_t>(there)].state, Reach::reached);
  }
}

// The arm with a free root and a pinned base: the same reach by another problem.
TEST(Reach, OfAFreeFigureWithAPinnedFootIsThatOfAFixedOne) {
  const PlanarArm arm{.slide = {-0.1, 0.1}};
  FigureDescription loose = arm.figure().description();
  loose.joints.push_back(free_root("root", "base"));
  const Figure figure = built(loose);
  Problem problem(figure);
  EXPECT_FALSE(reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.05})) << "nothing fixes it in space";
  good(problem.add(figure.frame("heel"), hold()));
  const ReachMap pinned = good(reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.05}));
  const ReachMap fixed = map_of(arm.figure(), "tip", {.resolution = 0.05});
  double differ = 0.0;
  for (const ReachCell& cell : fixed.cells) {
    if (!cell.is_leaf()) continue;
    const int there = pinned.leaf_at(fixed.centre(cell));
    const bool is_reached = there >= 0 && pinned.cells[static_cast<std::size_t>(there)].state == Reach::reached;
    if (is_reached != (cell.state == Reach::reached)) differ += std::pow(fixed.side(cell), 3);
  }
  EXPECT_LT(differ, 0.02 * arm.volume());
  for (const ReachCell& cell : pinned.cells) {
    if (!cell.is_leaf() || cell.state != Reach::reached) continue;
    const Kinematics state = forward(figure, pinned.pose(cell));
    ASSERT_LE(evaluate(figure, state, good(figure.point("heel")).plus[0]).norm(), pinned.tolerance);
    ASSERT_LE((evaluate(figure, state, good(figure.point("tip")).plus[0]) - pinned.centre(cell)).norm(),
              pinned.tolerance);
  }
}

TEST(Reach, MeetsTheOtherConstraints) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  Problem problem(figure);
  const Vec3 elbow_side(0.0, 0.1, 0.0);  // the elbow stays above y = 0.1
  good(problem.add(figure.point("elbow"), HalfSpace{elbow_side, Vec3::UnitY()}));
  const ReachMap map = good(reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.03}));
  EXPECT_LT(volume_of(map), 0.9 * arm.volume());
  EXPECT_GT(volume_of(map), 0.1 * arm.volume());
  for (const ReachCell& cell : map.cells)
    if (cell.is_leaf() && cell.state == Reach::reached) {
      ASSERT_GE(arm.a * std::sin(map.pose(cell).theta[1]), 0.1 - map.tolerance);
    }
}

// An eye at the same place, which tilts up less than the arm: reached points are also visible.
TEST(Reach, WithEyesOnThePointIsWhatTheySee) {
  SphericalArm arm;
  FigureDescription seeing = arm.figure().description();
  seeing.segments.push_back({"head", 0.0});
  seeing.joints.push_back(
      {"neck",
       "base",
       "head",
       {},
       {},
       {testing::turn("u", Vec3::UnitY(), {-1.2, 1.2}), testing::turn("v", Vec3::UnitZ(), {-0.7, 0.3})}});
  seeing.sites.push_back({"eye", "head", {}});
  const Figure figure = built(seeing);
  Problem problem(figure);
  const ConstraintId eyes = good(problem.add(figure.ray("eye"), AimAt{{1.0, 0.0, 0.0}}));
  const ReachMap map =
      good(reach(problem, figure.rest(), figure.point("tip"), {.resolution = 0.04, .looking = {eyes}}));
  arm.v.upper = 0.3;
  EXPECT_NEAR(volume_of(map), arm.volume(), 0.03 * arm.volume());
  const ConstraintId no_aim = good(problem.add(figure.point("eye"), Position{}));
  EXPECT_FALSE(reach(problem, figure.rest(), figure.point("tip"), {.looking = {no_aim}}));
}

// The tip oriented along x: s + e = 0, so that s = -e and the set is a thin arc.
TEST(Reach, WithAnOrientationIsThatOfPosesWithIt) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = good(reach(Problem(figure), figure.rest(), figure.frame("tip"),
                                  {.resolution = 0.03, .orientation = Mat3::Identity()}));
  for (const ReachCell& cell : map.cells)
    if (cell.is_leaf() && cell.state == Reach::reached) {
      const Pose pose = map.pose(cell);
      ASSERT_LE(std::fabs(pose.theta[1] + pose.theta[2]), radians(0.51));
    }
  // On the arc the tip is at (b + a cos e, -a sin e): cells are touched or reached there, nowhere else.
  for (const ReachCell& cell : map.cells)
    if (cell.is_leaf() && cell.state == Reach::reached) {
      const Vec3 c = map.centre(cell);
      ASSERT_NEAR(std::hypot(c[0] - arm.b, c[1]), arm.a, 0.02);
    }
}

TEST(Reach, NamesTheLimitsThatBlockTheHandle) {
  const PlanarArm arm;
  const Figure figure = arm.figure();
  const ReachMap map = map_of(figure, "tip", {.resolution = 0.03});
  // Just beyond the end of the shoulder's range, at a radius within reach.
  const double r = 0.8, cosine = (r * r - arm.a * arm.a - arm.b * arm.b) / (2.0 * arm.a * arm.b);
  const double e = std::acos(cosine);
  const double angle = 2.0 + std::atan2(arm.b * std::sin(e), arm.a + arm.b * cosine) + 0.1;
  const int id = map.leaf_at({r * std::cos(angle), r * std::sin(angle), 0.0});
  ASSERT_GE(id, 0);
  const ReachCell& cell = map.cells[static_cast<std::size_t>(id)];
  ASSERT_EQ(cell.state, Reach::not_reached);
  EXPECT_LT(cell.distance, 0.15);
  ASSERT_GE(cell.held_back_by[0].limit, 0);
  EXPECT_EQ(limit_name(figure, cell.held_back_by[0].limit), "shoulder.turn upper limit");
}

TEST(Reach, RejectsInvalidInput) {
  const Figure figure = PlanarArm{}.figure();
  const Problem problem(figure);
  const auto rejected = [&](const Expected<Handle>& handle, const ReachOptions& options) {
    const Expected<ReachMap> map = reach(problem, figure.rest(), handle, options);
    return map ? std::string("a map") : map.error().where;
  };
  EXPECT_EQ(rejected(figure.point("tip"), {.resolution = 0.0}), "options, resolution");
  EXPECT_EQ(rejected(figure.point("tip"), {.resolution = 1e-6}), "options, resolution");
  EXPECT_EQ(rejected(figure.point("tip"), {.tolerance = -1.0}), "options, tolerance");
  EXPECT_NE(rejected(figure.point("nose"), {}), "a map");
  EXPECT_NE(rejected(figure.point("tip"), {.from = "nose"}), "a map");
  EXPECT_NE(rejected(figure.direction("tip"), {}), "a map");
  EXPECT_NE(rejected(figure.point("tip"), {.orientation = Mat3::Identity()}), "a map") << "a point has no orientation";
  ReachMap map = map_of(figure, "tip", {.resolution = 0.1});
  EXPECT_FALSE(resume(problem, figure.rest(), figure.point("tip"), {.resolution = 0.05}, map));
}

}  // namespace reach_test
}  // namespace limber
