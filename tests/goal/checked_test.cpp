// What checked() rejects and what it makes exact.
#include <gtest/gtest.h>

#include "limber/goal/goal.h"
#include "tests/support/figures.h"

namespace limber {
namespace checked_test {

using testing::good;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Bad {
  Goal goal;
  const char* where;
  const char* found;
};

Hold hold_with(double c) {
  Hold held;
  held.c = c;
  return held;
}

TEST(CheckedGoal, RejectsEachFaultWithItsPlace) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), zero = Vec3::Zero(), off(0, nan, 0), far(infinity, 0, 0);
  const std::vector<Face> flat = {{zero, x}, {zero, zero}}, away = {{off, x}};
  const auto residual = [](const HandleValue&, Residual&) {};
  const auto error = [](const HandleValue&) { return GoalError{}; };
  const std::vector<Bad> bad = {
      {Position{off}, "position goal, point", "(0, nan, 0)"},
      {Position{far}, "position goal, point", "(inf, 0, 0)"},
      {Distance{off}, "distance goal, point", "(0, nan, 0)"},
      {Distance{zero, -0.1}, "distance goal, distance", "-0.1"},
      {Distance{zero, infinity}, "distance goal, distance", "inf"},
      {Direction{zero}, "direction goal, direction", "a vector of length 0"},
      {Direction{off}, "direction goal, direction", "(0, nan, 0)"},
      {Direction{Vec3(1e300, 1e300, 0)}, "direction goal, direction", "a vector of length inf"},
      {Direction{x, -1.0}, "direction goal, c", "-1"},
      {Direction{x, nan}, "direction goal, c", "nan"},
      {Orientation{zero, y}, "orientation goal, x direction", "a vector of length 0"},
      {Orientation{x, zero}, "orientation goal, y direction", "a vector of length 0"},
      {Orientation{x, 2 * x}, "orientation goal", "directions at 0.000 degrees"},
      {Orientation{x, x + y}, "orientation goal", "directions at 45.000 degrees"},
      {Orientation{x, y, -1.0, 1.0}, "orientation goal, c_x", "-1"},
      {Orientation{x, y, 1.0, infinity}, "orientation goal, c_y", "inf"},
      {Placement{off}, "placement goal, point", "(0, nan, 0)"},
      {Placement{zero, {x, -x}}, "placement goal", "directions at 180.000 degrees"},
      {Placement{zero, {}, -0.5, 1.5}, "placement goal, w_p", "-0.5"},
      {Placement{zero, {}, 1.5, -0.5}, "placement goal, w_o", "-0.5"},
      {Placement{zero, {}, 0.5, 0.6}, "placement goal", "w_p + w_o = 1.1"},
      {Placement{zero, {}, nan, 0.6}, "placement goal, w_p", "nan"},
      {AimAt{off}, "aim-at goal, point", "(0, nan, 0)"},
      {AimAt{zero, -1.0}, "aim-at goal, c", "-1"},
      {Line{off, x}, "line goal, point", "(0, nan, 0)"},
      {Line{zero, zero}, "line goal, direction", "a vector of length 0"},
      {Plane{off, x}, "plane goal, point", "(0, nan, 0)"},
      {Plane{zero, zero}, "plane goal, normal", "a vector of length 0"},
      {HalfSpace{off, x}, "half-space goal, point", "(0, nan, 0)"},
      {HalfSpace{zero, far}, "half-space goal, normal", "(inf, 0, 0)"},
      {InsidePolyhedron{}, "inside polyhedron goal", "no face"},
      {OutsidePolyhedron{}, "outside polyhedron goal", "no face"},
      {InsidePolyhedron{flat}, "inside polyhedron goal, face normal", "a vector of length 0"},
      {OutsidePolyhedron{away}, "outside polyhedron goal, face point", "(0, nan, 0)"},
      {InsideCapsule{{off, zero, 1.0}}, "inside capsule goal, end a", "(0, nan, 0)"},
      {OutsideCapsule{{zero, far, 1.0}}, "outside capsule goal, end b", "(inf, 0, 0)"},
      {OutsideCapsule{{zero, zero, -1.0}}, "outside capsule goal, radius", "-1"},
      {InsideCapsule{{zero, zero, nan}}, "inside capsule goal, radius", "nan"},
      {Coincide{-1.0}, "coincide goal, c", "-1"},
      {hold_with(nan), "hold goal, c", "nan"},
      {CustomGoal{"mine", Shape::point, 1, {}, error}, "custom goal", "a missing function"},
      {CustomGoal{"mine", Shape::point, 1, residual, {}}, "custom goal", "a missing function"},
      {CustomGoal{"mine", Shape::point, 0, residual, error}, "custom goal", "0 rows"},
  };
  for (const Bad& fault : bad) {
    const Expected<Goal> goal = checked(fault.goal);
    ASSERT_FALSE(goal) << fault.where << " " << fault.found;
    EXPECT_EQ(goal.error().where, fault.where);
    EXPECT_EQ(goal.error().found, fault.found);
    EXPECT_FALSE(goal.error().expected.empty());
  }
}

TEST(CheckedGoal, HasUnitVectors) {
  EXPECT_EQ(std::get<Direction>(good(checked(Direction{{0, 3, 0}}))).v, Vec3(0, 1, 0));
  const Vec3 origin = Vec3::Zero();
  EXPECT_EQ(std::get<Line>(good(checked(Line{origin, {0, 0, -2}}))).v, Vec3(0, 0, -1));
  EXPECT_EQ(std::get<Plane>(good(checked(Plane{origin, {5, 0, 0}}))).v, Vec3(1, 0, 0));
  EXPECT_EQ(std::get<HalfSpace>(good(checked(HalfSpace{origin, {5, 0, 0}}))).v, Vec3(1, 0, 0));
  const std::vector<Face> faces = {{origin, {0, 4, 0}}, {origin, {0, 0, 9}}};
  const Goal inside = good(checked(InsidePolyhedron{faces})), outside = good(checked(OutsidePolyhedron{faces}));
  for (const Face& face : std::get<InsidePolyhedron>(inside).faces) EXPECT_EQ(face.v.norm(), 1.0);
  for (const Face& face : std::get<OutsidePolyhedron>(outside).faces) EXPECT_EQ(face.v.norm(), 1.0);
}

TEST(CheckedGoal, HasAxesAtRightAngles) {
  // Four digits off a right angle pass and are mended; x is kept.
  const Orientation goal = std::get<Orientation>(good(checked(Orientation{{2, 0, 0}, {0.00009, 1, 0}})));
  EXPECT_EQ(goal.x, Vec3(1, 0, 0));
  EXPECT_EQ(goal.x.dot(goal.y), 0.0);
  EXPECT_NEAR(goal.y.norm(), 1.0, 1e-15);
  EXPECT_FALSE(checked(Orientation{{2, 0, 0}, {0.00011, 1, 0}}));
  const Placement placed = std::get<Placement>(good(checked(Placement{Vec3::Zero(), {{0, 2, 0}, {3, 0, 0}}})));
  EXPECT_EQ(placed.orientation.x, Vec3(0, 1, 0));
  EXPECT_EQ(placed.orientation.y, Vec3(1, 0, 0));
}

TEST(CheckedGoal, MayHaveNoRadiusAndNoC) {
  EXPECT_TRUE(checked(InsideCapsule{sphere({1, 2, 3}, 0.0)}));
  EXPECT_TRUE(checked(Direction{Vec3::UnitX(), 0.0}));
  EXPECT_TRUE(checked(Placement{Vec3::Zero(), {}, 0.0, 1.0}));
  EXPECT_TRUE(checked(hold()));
}

TEST(GoalName, IsTheKindOfGoal) {
  EXPECT_STREQ(name_of(Goal(AimAt{})), "aim-at");
  EXPECT_STREQ(name_of(Goal(Hold{})), "hold");
  EXPECT_STREQ(name_of(Goal(Coincide{})), "coincide");
}

}  // namespace checked_test
}  // namespace limber
