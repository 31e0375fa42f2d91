// Balance: the centre of mass over the support of the feet.
#include "limber/problem/balance.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "limber/figure/human.h"
#include "limber/format/file.h"
#include "limber/format/names.h"
#include "limber/kinematics/forward.h"
#include "limber/problem/assembly.h"
#include "limber/solver/solve.h"
#include "tests/support/derivative.h"
#include "tests/support/figures.h"
#include "tests/support/tree.h"

namespace limber {
namespace balance_test {

using testing::built;
using testing::expect_derivative;
using testing::good;

const std::vector<std::string> both_feet = {"left_foot", "right_foot"};

// How far x is within the triangle abc, seen from above; negative outside.
double depth_in_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto side = [](const Vec3& from, const Vec3& to, const Vec3& point) {
    return ((to - from).cross(point - from)).y() / (to - from).norm();
  };
  const double turn = side(a, b, c) > 0.0 ? 1.0 : -1.0;
  return std::fmin(turn * side(a, b, x), std::fmin(turn * side(b, c, x), turn * side(c, a, x)));
}

// A point is within a hull where it is within a triangle of three of its points (Carathéodory).
bool is_over(const std::vector<Vec3>& flat, const Vec3& x) {
  const Vec3 below(x.x(), 0.0, x.z());
  for (std::size_t i = 0; i < flat.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t k = 0; k < j; ++k)
        if (depth_in_triangle(below, flat[i], flat[j], flat[k]) >= 0.0) return true;
  return false;
}

// The same of a disc around the point.
bool is_over(const std::vector<Vec3>& flat, const Vec3& x, double radius) {
  constexpr int directions = 180;
  for (int k = 0; k < directions; ++k) {
    const double angle = 2.0 * pi * k / directions;
    if (!is_over(flat, x + radius * Vec3(std::cos(angle), 0.0, std::sin(angle)))) return false;
  }
  return true;
}

double distance_outside(const InsidePolyhedron& goal, const Vec3& x) { return *goal.error({Shape::point, &x}).metres; }

// Added up by segment, as the definition says.
Vec3 mass_centre_of(const Figure& figure, const Pose& pose) {
  const Kinematics state = forward(figure, pose);
  Vec3 sum = Vec3::Zero();
  double mass = 0.0;
  for (std::size_t s = 0; s < figure.segments().size(); ++s) {
    sum += figure.segments()[s].mass * (state.segments[s] * figure.segments()[s].mass_centre);
    mass += figure.segments()[s].mass;
  }
  return sum / mass;
}

TEST(Support, IsTheConvexHullFromAbove) {
  Random random(11);
  constexpr double half_width = 1e-3, near = 1e-6;
  for (int round = 0; round < 40; ++round) {
    std::vector<Vec3> places, flat;
    const int count = 4 + round % 6;
    for (int k = 0; k < count; ++k) {
      flat.emplace_back(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
      places.push_back(flat.back() + Vec3(0.0, random.between(-1.0, 1.0), 0.0));
    }
    places.push_back(places.front());  // twice the same
    const InsidePolyhedron goal = support_over(places, half_width);
    EXPECT_TRUE(checked(goal));
    int inside = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const Vec3 x(random.between(-1.0, 1.0), random.between(-9.0, 9.0), random.between(-1.0, 1.0));
      const double outside = distance_outside(goal, x);
      if (outside > 0.0 && outside < near) continue;
      EXPECT_EQ(outside == 0.0, is_over(flat, x)) << x.transpose() << " is out by " << outside;
      inside += outside == 0.0;
    }
    EXPECT_GT(inside, 0);
    for (const Vec3& place : places) EXPECT_LE(distance_outside(goal, place), 1e-6);
  }
}

TEST(Support, KeepsTheMarginFromEveryEdge) {
  Random random(12);
  constexpr double margin = 0.1, near = 2e-3;
  int inside = 0, outside = 0;
  for (int round = 0; round < 10; ++round) {
    std::vector<Vec3> flat = {{-0.5, 0, -0.5}, {0.6, 0, -0.4}, {0.4, 0, 0.7}, {-0.4, 0, 0.5}};
    for (Vec3& place : flat) place += Vec3(random.between(-0.1, 0.1), 0.0, random.between(-0.1, 0.1));
    const InsidePolyhedron goal = support_over(flat, 1e-3, margin);
    for (int trial = 0; trial < 100; ++trial) {
      const Vec3 x(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
      if (is_over(flat, x, margin + near)) {
        EXPECT_EQ(distance_outside(goal, x), 0.0);
        ++inside;
      } else if (!is_over(flat, x, margin - near)) {
        EXPECT_GT(distance_outside(goal, x), 0.0);
        ++outside;
      }
    }
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(outside, 50);
}

TEST(Support, ShrinksToItsMiddleWhereTheMarginHasNoRoom) {
  const std::vector<Vec3> places = {{0, 0, 0}, {0.4, 0, 0}, {0.4, 0, 0.1}, {0, 0, 0.1}};
  for (const double margin : {0.05, 0.06, 3.0}) {
    const InsidePolyhedron goal = support_over(places, 0.01, margin);
    EXPECT_LE(distance_outside(goal, {0.06, 1.0, 0.05}), 1e-9);
    EXPECT_LE(distance_outside(goal, {0.34, 1.0, 0.05}), 1e-9);
    EXPECT_NEAR(distance_outside(goal, {0.2, 1.0, 0.06}), 0.01, 1e-9);
    EXPECT_NEAR(distance_outside(goal, {0.37, 1.0, 0.05}), 0.02, 1e-9);
  }
  // Of a triangle the circle that touches all three sides remains.
  const InsidePolyhedron corner = support_over({{0, 0, 0}, {3, 0, 0}, {0, 0, 4}}, 0.01, 2.0);
  EXPECT_LE(distance_outside(corner, {1, 0, 1}), 1e-8);
  EXPECT_NEAR(distance_outside(corner, {1, 0, 0.5}), 0.5, 1e-8);
}

TEST(Support, OfALineIsAStripAndOfAPlaceAnOctagon) {
  constexpr double half = 0.03;
  const InsidePolyhedron strip = support_over({{0, 0.1, 0}, {0, 0, 0.1}, {0, 0, 0.3}}, half);
  EXPECT_EQ(distance_outside(strip, {0.0299, 1.0, 0.299}), 0.0);
  EXPECT_EQ(distance_outside(strip, {-0.0299, 1.0, 0.001}), 0.0);
  EXPECT_NEAR(distance_outside(strip, {0.05, 1.0, 0.15}), 0.02, 1e-12);
  EXPECT_NEAR(distance_outside(strip, {0.0, 1.0, 0.31}), 0.01, 1e-12);
  const InsidePolyhedron octagon = support_over({{1, 0, 2}}, half);
  for (int k = 0; k < 8; ++k) {
    const Vec3 out = rotation(Vec3::UnitY(), 0.25 * pi * k) * Vec3::UnitX();
    EXPECT_EQ(distance_outside(octagon, Vec3(1.0, 5.0, 2.0) + 0.0299 * out), 0.0);
    EXPECT_NEAR(distance_outside(octagon, Vec3(1.0, 5.0, 2.0) + 0.04 * out), 0.01, 1e-12);
  }
  // A sliver becomes as wide as a strip, and hardly longer.
  const InsidePolyhedron sliver = support_over({{0, 0, 0}, {0.001, 0, 0.15}, {0, 0, 0.3}}, half);
  EXPECT_NEAR(distance_outside(sliver, {0.0505, 1.0, 0.15}), 0.02, 1e-4);
  EXPECT_NEAR(distance_outside(sliver, {0.0, 1.0, 0.31}), 0.01, 1e-4);
}

bool has_place(const std::vector<Vec3>& places, const Figure& figure, const Pose& pose, const char* name) {
  const Element place = good(figure.point(name)).plus[0];
  const Vec3 x = forward(figure, pose).segments[static_cast<std::size_t>(place.segment)] * place.local;
  return std::any_of(places.begin(), places.end(), [&](const Vec3& p) { return (p - x).norm() < 1e-9; });
}

TEST(Contacts, AreTheLowPlacesOfAFootOrASiteAlone) {
  for (const Figure& figure : {human(), good(simple_human())}) {
    Pose pose = figure.rest();
    const std::vector<Vec3> flat = good(contact_points(figure, pose, {"left_foot"}));
    for (const char* name : {"left_heel", "left_foot", "left_ball", "left_toe"})
      EXPECT_TRUE(has_place(flat, figure, pose, name)) << name;
    EXPECT_FALSE(has_place(flat, figure, pose, "left_ankle"));
    EXPECT_FALSE(has_place(flat, figure, pose, "right_heel"));
    // On tiptoe the heel does not count, wherever the ground is.
    ASSERT_TRUE(figure.set(pose, "left_ankle.flexion", radians(-40.0)));
    ASSERT_TRUE(figure.set(pose, "root.y", 7.0));
    const std::vector<Vec3> tiptoe = good(contact_points(figure, pose, {"left_foot"}));
    EXPECT_TRUE(has_place(tiptoe, figure, pose, "left_toe"));
    EXPECT_FALSE(has_place(tiptoe, figure, pose, "left_heel"));
    const std::vector<Vec3> heel = good(contact_points(figure, pose, {"left_heel"}));
    EXPECT_EQ(heel.size(), 1u);
    EXPECT_TRUE(has_place(heel, figure, pose, "left_heel"));
  }
}

// A figure of a motion file, with a mass for every bone: such files have none.
Figure figure_of_a_motion() {
  std::ifstream file(source_dir() + "/data/acclaim/02.asf", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const Figure bare = good(with_common_names(*good(read_content(bytes, "02.asf")).figure));
  FigureDescription description = bare.description();
  for (SegmentDescription& segment : description.segments) segment.mass = 1.0;
  return built(description);
}

TEST(Contacts, OfAMotionFileReachFromTheAnkleToTheToe) {
  const Figure figure = figure_of_a_motion();
  const std::vector<Vec3> places = good(contact_points(figure, figure.rest(), both_feet));
  for (const char* name : {"left_foot", "left_ball", "left_toe", "right_foot", "right_ball", "right_toe"})
    EXPECT_TRUE(has_place(places, figure, figure.rest(), name)) << name;
  EXPECT_FALSE(has_place(places, figure, figure.rest(), "left_knee"));
}

// Feet that are locked, and a hand that reaches.
Problem reaching(const Figure& figure, const std::vector<std::string>& feet, const char* hand, const Vec3& where) {
  Problem problem(figure);
  for (const std::string& foot : feet) good(problem.add(figure.frame(foot), hold(), {.weight = must}));
  good(problem.add(figure.point(hand), Position{where}));
  return problem;
}

TEST(Balance, KeepsTheCentreOfMassOverTheFeet) {
  // A hand that is met but for 1 mm pulls with that much; the balance, which weighs a thousand times as much, gives way
  // by a thousandth of it, times the ratio of their levers.
  constexpr double slack = 1e-3 / balance_weight * 2.0;
  const Figure humans[] = {human(), good(simple_human())};
  for (const Figure& figure : humans)
    for (const double margin : {0.0, 0.03})
      for (const double ahead : {0.7, 0.9, 1.2}) {
        const Pose start = figure.rest();
        const InsidePolyhedron over =
            support_over(good(contact_points(figure, start, both_feet)), min_half_width * figure.length(), margin);
        Problem free = reaching(figure, both_feet, "right_palm", {-0.2, 0.9, ahead}), balanced = free;
        good(add_balance(balanced, start, both_feet, {.margin = margin}));
        Pose pose = start;
        EXPECT_TRUE(solve(free, pose).met());
        EXPECT_GT(distance_outside(over, mass_centre_of(figure, pose)), 2e-3) << "nothing to keep";
        pose = start;
        const Report report = solve(balanced, pose);
        EXPECT_TRUE(report.met()) << to_text(report);
        EXPECT_LE(distance_outside(over, mass_centre_of(figure, pose)), slack) << to_text(report);
        EXPECT_EQ(report.constraints.back().name, "balance");
        EXPECT_LE(*report.constraints.back().error.metres, slack);
      }
}

TEST(Balance, ComesBeforeAGoalOutOfReach) {
  const Figure figure = human();
  const Pose start = figure.rest();
  Problem problem = reaching(figure, both_feet, "right_palm", {-0.2, 0.9, 2.0});
  good(add_balance(problem, start, both_feet));
  Pose pose = start;
  const Report report = solve(problem, pose, {.iterations = 300, .restarts = 0});
  EXPECT_FALSE(report.constraints[2].met);
  EXPECT_TRUE(report.constraints[3].met) << to_text(report);
  const std::vector<Vec3> flat = {
      {0.0808, 0, -0.0662}, {-0.0808, 0, -0.0662}, {0.0808, 0, 0.1985}, {-0.0808, 0, 0.1985}};
  const Vec3 centre = mass_centre_of(figure, pose);
  EXPECT_TRUE(is_over(flat, centre - Vec3(0.0, 0.0, 1e-3) + Vec3(1e-3, 0.0, 0.0))) << centre.transpose();
}

TEST(Balance, StandsOnOneFoot) {
  const Figure figure = human();
  Problem problem(figure);
  good(problem.add(figure.frame("left_foot"), hold(), {.weight = must}));
  good(problem.add(figure.point("right_foot"), Position{{-0.1, 0.15, -0.1}}));
  good(add_balance(problem, figure.rest(), {"left_foot"}));
  Pose pose = figure.rest();
  EXPECT_GT(std::fabs(mass_centre_of(figure, pose).x() - 0.0808), 0.05);
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.met()) << to_text(report);
  EXPECT_LE(std::fabs(mass_centre_of(figure, pose).x() - 0.0808), min_half_width * figure.length() + 1e-3);
}

TEST(Balance, WorksOnAFigureOfAMotionFile) {
  const Figure figure = figure_of_a_motion();
  const Pose start = figure.rest();
  Problem problem = reaching(figure, both_feet, "right_palm", {-0.2, 0.9, 0.7});
  good(add_balance(problem, start, both_feet));
  Pose pose = start;
  const Report report = solve(problem, pose);
  EXPECT_TRUE(report.constraints.back().met) << to_text(report);
  const InsidePolyhedron over =
      support_over(good(contact_points(figure, start, both_feet)), min_half_width * figure.length());
  EXPECT_LE(distance_outside(over, mass_centre_of(figure, pose)), 1e-3);
}

TEST(Balance, HasTheDerivativesOfItsValue) {
  Random random(13);
  const Figure figure = good(simple_human());
  Problem problem(figure);
  good(add_balance(problem, figure.rest(), {"left_foot"}, {.margin = 0.02, .constraint = {.weight = 3.0}}));
  Assembly assembly(problem);
  VecX phi, rubbish, gradient;
  assembly.start(figure.rest().theta, phi);
  rubbish.resize(phi.size());
  gradient.resize(phi.size());
  EXPECT_GT(assembly(phi, gradient), 0.0);
  expect_derivative([&](const VecX& x) { return VecX(VecX::Constant(1, assembly(x, rubbish))); }, phi,
                    gradient.transpose(), random);
}

TEST(Balance, DoesNotDependOnTheUnitOfLength) {
  std::vector<Vec3> places = {{0, 0, 0}, {0, 0, 0.2}, {0.001, 0, 0.1}};
  const InsidePolyhedron one = support_over(places, 0.03, 0.01);
  for (const double scale : {1e-3, 1e3}) {
    std::vector<Vec3> scaled;
    for (const Vec3& place : places) scaled.push_back(scale * place);
    const InsidePolyhedron other = support_over(scaled, 0.03 * scale, 0.01 * scale);
    ASSERT_EQ(other.faces.size(), one.faces.size());
    for (std::size_t k = 0; k < one.faces.size(); ++k) {
      EXPECT_LE((other.faces[k].p - scale * one.faces[k].p).norm(), 1e-12 * scale);
      EXPECT_LE((other.faces[k].v - one.faces[k].v).norm(), 1e-12);
    }
  }
}

TEST(Balance, RejectsAndRemembersWhatIsWrong) {
  const Figure figure = human();
  const auto said = [](const Figure& of, const std::vector<std::string>& feet, BalanceOptions options = {}) {
    Problem problem(of);
    const Expected<ConstraintId> id = add_balance(problem, of.rest(), feet, std::move(options));
    EXPECT_FALSE(id);
    EXPECT_EQ(problem.rejections().size(), 1u);
    EXPECT_TRUE(problem.constraints().empty());
    return id ? std::string() : id.error().text();
  };
  EXPECT_EQ(said(figure, {"left_fot"}),
            "constraint 'balance': foot: figure 'human': found the name 'left_fot'; expected a site, segment or joint, "
            "such as 'left_foot', 'left_toe', 'left_hip'");
  EXPECT_EQ(said(figure, {}),
            "constraint 'balance': feet: found none; expected at least one place that touches the ground");
  EXPECT_EQ(said(figure, both_feet, {.margin = -0.1}),
            "constraint 'balance': margin: found -0.1; expected metres, 0 or more");
  EXPECT_NE(said(figure, both_feet, {.margin = infinity}), "");
  EXPECT_EQ(
      said(figure, both_feet, {.constraint = {.weight = must, .name = "upright"}}),
      "constraint 'upright': weight: found must; expected a finite number, such as 1000: hard constraints are kept "
      "as equations, and the edge of a support is none");
  EXPECT_NE(said(figure, both_feet, {.constraint = {.weight = -1.0}}), "");
  FigureDescription weightless = testing::planar_arm();
  for (SegmentDescription& segment : weightless.segments) segment.mass = 0.0;
  EXPECT_EQ(said(built(weightless), {"tip"}),
            "constraint 'balance': figure 'planar arm': found no mass; expected segments with a mass");
  Problem problem(figure);
  EXPECT_FALSE(add_balance(problem, {VecX::Zero(3)}, both_feet));
  Pose lost = figure.rest();
  lost.theta[0] = 1e200;
  EXPECT_FALSE(add_balance(problem, lost, both_feet));
}

}  // namespace balance_test
}  // namespace limber
