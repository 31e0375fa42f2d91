// Pictures: well formed for any figure, deterministic, and consistent with the report.
#include "limber/picture/picture.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "limber/figure/human.h"
#include "limber/picture/camera.h"
#include "limber/picture/canvas.h"
#include "limber/picture/mark.h"
#include "limber/problem/balance.h"
#include "limber/solver/solve.h"
#include "tests/support/svg.h"

namespace limber {
namespace picture_test {

using testing::number_fault;
using testing::occurrences;
using testing::xml_fault;

const std::string green = "#16914b", red = "#cd2d32", amber = "#de8700", grey = "#8c96a0";

void expect_good(const std::string& svg) {
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(occurrences(svg, "class=\"view\""), 4);
  for (const char* id : {"view-front", "view-side", "view-top", "view-perspective"})
    EXPECT_EQ(occurrences(svg, "id=\"" + std::string(id) + "\""), 1) << id;
  EXPECT_EQ(number_fault(svg), "");
}

// A chain of n segments of equal length with hinges that bend at most one radian each.
Figure chain(int n, double length, double mass = 0.0) {
  FigureDescription d;
  d.name = "chain";
  for (int k = 0; k < n; ++k) {
    const std::string name = "s" + std::to_string(k);
    d.segments.push_back({name, mass, Vec3(0.0, 0.5 * length, 0.0)});
    JointDescription joint;
    joint.name = "j" + std::to_string(k);
    joint.parent = k == 0 ? "" : "s" + std::to_string(k - 1);
    joint.child = name;
    joint.in_parent = at(Vec3(0.0, k == 0 ? 0.0 : length, 0.0));
    joint.freedoms = {{"bend", Motion::rotate, Vec3::UnitX(), {.lower = -1.0, .upper = 1.0}}};
    d.joints.push_back(joint);
  }
  d.sites.push_back({"tip", "s" + std::to_string(n - 1), at(Vec3(0.0, length, 0.0))});
  return *build_figure(d);
}

std::string solved(const Problem& problem, const PictureOptions& options = {}) {
  Pose pose = problem.figure().rest();
  const Report report = solve(problem, pose);
  return draw_svg(problem, pose, report, options);
}

Problem reaching_human() {
  const Figure figure = human();
  Problem problem(figure);
  EXPECT_TRUE(problem.add(figure.point("right_palm"), Position{{-0.3, 1.2, 0.4}}, {.from = "waist"}));
  EXPECT_TRUE(
      problem.add(figure.point("left_palm"), Position{{2.0, 1.2, 0.4}}, {.from = "left_elbow", .name = "too far"}));
  EXPECT_TRUE(problem.add(figure.ray("eyes"), AimAt{{-0.3, 1.2, 0.4}}, {.from = "neck"}));
  return problem;
}

TEST(Picture, OfAHumanHasFourViewsAndIsWellFormed) { expect_good(solved(reaching_human())); }

TEST(Picture, NamesItsViewsByTheFigureFacing) {
  const Figure figure = human();
  const auto titles = [&](double turn) {
    Pose pose = figure.rest();
    EXPECT_TRUE(figure.set(pose, "root.turn", turn));
    const std::string svg = draw_svg(Problem(figure), pose, Report{});
    std::string found;
    for (const char* title :
         {"Front", "Back", "Side, from the left", "Side, from the right", "From +Z", "From -X", "Perspective", "Top"})
      if (occurrences(svg, ">" + std::string(title) + "<") == 1) found += std::string(title) + "; ";
    return found;
  };
  EXPECT_EQ(titles(0.0), "Front; Side, from the right; Perspective; Top; ");
  EXPECT_EQ(titles(pi), "Back; Side, from the left; Perspective; Top; ");
  EXPECT_EQ(titles(0.5 * pi), "Back; Side, from the right; Perspective; Top; ");
  EXPECT_EQ(titles(-0.5 * pi), "Front; Side, from the left; Perspective; Top; ");
  EXPECT_EQ(titles(0.25 * pi), "From +Z; From -X; Perspective; Top; ");
  // Unknown for a figure without such names, unless given.
  const Problem plain(chain(3, 0.4));
  EXPECT_EQ(occurrences(solved(plain), ">Front<"), 0);
  EXPECT_EQ(occurrences(solved(plain), ">From +Z<"), 1);
  EXPECT_EQ(occurrences(solved(plain, {.left = Vec3(0.1, 0.0, 0.0)}), ">Front<"), 1);
}

TEST(Picture, IsDeterministic) { EXPECT_EQ(solved(reaching_human()), solved(reaching_human())); }

TEST(Picture, IsSelfContained) {
  const std::string svg = solved(reaching_human());
  EXPECT_EQ(occurrences(svg, "http"), 1);  // the name of the SVG namespace
  for (const char* outside : {"href", "<script", "<image", "@import", "@font-face"})
    EXPECT_EQ(occurrences(svg, outside), 0) << outside;
}

TEST(Picture, ShowsMetAndUnmetGoals) {
  const Figure figure = chain(3, 0.3);
  Problem within(figure), beyond(figure);
  ASSERT_TRUE(within.add(figure.point("tip"), Position{{0.0, 0.8, 0.3}}));
  ASSERT_TRUE(beyond.add(figure.point("tip"), Position{{0.0, 2.0, 0.0}}));
  EXPECT_GT(occurrences(solved(within), green), 0);
  EXPECT_EQ(occurrences(solved(within), red), 0);
  EXPECT_EQ(occurrences(solved(beyond), green), 0);
  EXPECT_GT(occurrences(solved(beyond), red), 0);
  EXPECT_NE(solved(beyond).find("1100.0 mm off"), std::string::npos);
}

TEST(Picture, ShowsNearlyMetGoalsInAmber) {
  const Figure figure = chain(3, 0.3);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 0.92, 0.0}}));
  EXPECT_GT(occurrences(solved(problem), amber), 0);
  EXPECT_EQ(occurrences(solved(problem), red), 0);
}

TEST(Picture, ShowsDisabledConstraintsInGrey) {
  const Figure figure = chain(3, 0.3);
  Problem problem(figure);
  const auto id = problem.add(figure.point("tip"), Position{{0.0, 0.8, 0.3}});
  ASSERT_TRUE(id);
  ASSERT_TRUE(problem.set_enabled(*id, false));
  const std::string svg = solved(problem);
  EXPECT_GT(occurrences(svg, grey), 0);
  EXPECT_EQ(occurrences(svg, green), 0);
  EXPECT_NE(svg.find(">off<"), std::string::npos);
}

TEST(Picture, NamesTheLimitsThatBlockAGoalWithTheirShares) {
  const Figure figure = chain(1, 0.5);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 0.0, 0.5}}));
  Pose pose = figure.rest();
  const Report report = solve(problem, pose);
  ASSERT_EQ(report.constraints.at(0).held_back_by.size(), 1u);
  const std::string svg = draw_svg(problem, pose, report);
  EXPECT_NE(svg.find(">j0.bend upper limit<"), std::string::npos);
  EXPECT_NE(svg.find(">100 %<"), std::string::npos);
  EXPECT_NE(svg.find(">1<"), std::string::npos);  // its number in the views
}

TEST(Picture, MarksMovableAndFixedJoints) {
  const Figure figure = chain(4, 0.3);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 1.1, 0.2}}, {.from = "j2"}));
  const std::string svg = solved(problem, {.legend = false});
  EXPECT_EQ(occurrences(svg, "fill=\"#184a87\""), 4 * 2);
  EXPECT_EQ(occurrences(svg, "fill-opacity=\"0.28\""), 4 * 2);
}

TEST(Picture, EscapesNames) {
  FigureDescription d = chain(2, 0.3).description();
  d.name = "a < b & \"c\" > d\x01\xff";
  const Figure figure = *build_figure(d);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 0.5, 0.1}}, {.name = "<&\"'>"}));
  const std::string svg = solved(problem, {.names = true});
  expect_good(svg);
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot; &gt; d??"), std::string::npos);
  EXPECT_NE(svg.find("&lt;&amp;&quot;'&gt;"), std::string::npos);
}

TEST(Picture, ShortensLongNames) {
  const Figure figure = chain(2, 0.3);
  Problem problem(figure);
  const std::string name(500, 'w');
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 0.5, 0.1}}, {.name = name}));
  const std::string svg = solved(problem, {.names = true});
  expect_good(svg);
  EXPECT_EQ(svg.find(name), std::string::npos);
  EXPECT_NE(svg.find("…"), std::string::npos);
}

TEST(Picture, TakesMoreConstraintsThanFitIntoTheLegend) {
  const Figure figure = chain(3, 0.3);
  Problem problem(figure);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.01 * k, 0.8, 0.1}}));
  const std::string svg = solved(problem);
  expect_good(svg);
  EXPECT_NE(svg.find(" more<"), std::string::npos);
}

TEST(Picture, OfEverySizeIsGood) {
  for (const double length : {0.001, 0.3, 1000.0})
    for (const double mass : {0.0, 1e-6, 5.0, 1e9}) {
      const Figure figure = chain(4, length, mass);
      Problem problem(figure);
      ASSERT_TRUE(problem.add(figure.point("tip"), Position{length * Vec3(0.1, 3.0, 1.0)}));
      SCOPED_TRACE(length);
      expect_good(solved(problem));
    }
}

TEST(Picture, OfAFigureWithoutExtentIsGood) {
  expect_good(solved(Problem(chain(1, 0.0))));
  expect_good(solved(Problem(chain(5, 0.0))));
  expect_good(solved(Problem(chain(5, 0.0, 2.0))));
}

TEST(Picture, OfAPoseThatIsNotFiniteIsStillGood) {
  const Figure figure = chain(3, 0.3, 1.0);
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.point("tip"), Position{{0.0, 0.5, 0.1}}));
  Pose pose = figure.rest();
  Report report = solve(problem, pose);
  pose.theta[1] = std::numeric_limits<double>::quiet_NaN();
  report.constraints[0].met = false;
  report.constraints[0].error.metres = std::numeric_limits<double>::quiet_NaN();
  expect_good(draw_svg(problem, pose, report));
}

TEST(Picture, OfGoalsFarAwayIsGood) {
  const Figure figure = human();
  Problem problem(figure);
  ASSERT_TRUE(problem.add(figure.ray("eyes"), AimAt{{3e8, 1e8, 2e9}}, {.from = "neck"}));
  ASSERT_TRUE(problem.add(figure.point("left_palm"), Position{{0.0, 1.0, 1e6}}, {.from = "left_elbow"}));
  expect_good(solved(problem));
}

TEST(Picture, DrawsEveryKindOfGoal) {
  const Figure figure = human();
  std::vector<Face> box;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) box.push_back({0.2 * side * Vec3::Unit(axis), side * Vec3::Unit(axis)});
  CustomGoal custom;
  custom.residual = [](const HandleValue& x, Residual& out) {
    out.r[0] = x[0].y();
    out.row(0, 0) = Vec3::UnitY().transpose();
  };
  custom.error_function = [](const HandleValue& x) { return GoalError{std::fabs(x[0].y()), {}}; };
  const std::vector<Goal> points = {Position{},
                                    Line{},
                                    Plane{},
                                    HalfSpace{},
                                    Distance{{0, 2, 0}, 0.3},
                                    Distance{{0, 2, 0}, 9.0, Distance::Bound::at_most},
                                    Distance{{0, 2, 0}, 9.0, Distance::Bound::at_least},
                                    InsidePolyhedron{box},
                                    OutsidePolyhedron{box},
                                    InsidePolyhedron{{box[0]}},
                                    InsideCapsule{sphere({0, 1, 1}, 0.1)},
                                    OutsideCapsule{{{0, 1, 0}, {0, 1, 1}, 0.3}},
                                    Coincide{},
                                    hold(),
                                    custom};
  std::vector<std::pair<Expected<Handle>, Goal>> all;
  for (const Goal& goal : points) all.push_back({figure.point("left_palm"), goal});
  all.push_back({figure.direction("left_palm"), Direction{}});
  all.push_back({figure.frame("left_palm"), Placement{}});
  all.push_back({figure.frame("left_palm"), hold()});
  all.push_back({figure.ray("eyes"), AimAt{{0.0, 1.0, 2.0}}});
  all.push_back({difference(figure.point("left_palm"), figure.point("right_palm")), Coincide{}});
  all.push_back({difference(figure.point("left_palm"), figure.point("right_palm")), Distance{}});
  all.push_back({figure.mass_centre(), Line{{0.0, 0.0, 0.0}, Vec3::UnitY()}});
  for (const auto& [handle, goal] : all) {
    Problem problem(figure);
    ASSERT_TRUE(problem.add(handle, goal, {.name = "the goal"})) << name_of(goal);
    SCOPED_TRACE(name_of(goal));
    expect_good(draw_svg(problem, figure.rest(), Report{}));
  }
  Problem problem(figure);
  ASSERT_TRUE(problem.add_one_of({all[0], all[1], all[2]}));
  expect_good(draw_svg(problem, figure.rest(), Report{}));
}

// The region of a balance is vertically unbounded; nothing of it is drawn below the feet.
TEST(Picture, OfABalanceShowsTheGroundAndNothingBelow) {
  const Figure figure = human();
  for (const double margin : {0.0, 9.0}) {
    Problem problem(figure);
    ASSERT_TRUE(add_balance(problem, figure.rest(), {"left_foot", "right_foot"}, {.margin = margin}));
    expect_good(draw_svg(problem, figure.rest(), Report{}));
    const std::vector<picture::Mark> marks = picture::make_marks(problem, forward(figure, figure.rest()), Report{});
    ASSERT_EQ(marks.size(), 1u);
    for (const Vec3& x : marks[0].framed) EXPECT_GE(x.y(), -1e-12);
    if (margin > 0.0) continue;
    ASSERT_EQ(marks[0].faces.size(), 1u);
    for (const Vec3& x : marks[0].faces[0]) {
      EXPECT_NEAR(x.y(), 0.0, 1e-12);
      EXPECT_NEAR(std::fabs(x.x()), 0.0808, 1e-4);
    }
  }
}

TEST(Picture, HasTheRequestedSize) {
  const std::string svg = solved(reaching_human(), {.width = 800, .height = 600});
  EXPECT_NE(svg.find("width=\"800\" height=\"600\" viewBox=\"0 0 800 600\""), std::string::npos);
  expect_good(solved(reaching_human(), {.width = -5, .height = 0}));
}

TEST(Picture, ColoursTheBodyByHeat) {
  const Figure body = human();
  const std::size_t segments = body.segments().size();
  const auto picture = [&](double value) {
    return draw_svg(Problem(body), body.rest(), Report{},
                    {.heat = std::vector<double>(segments, value), .heat_name = "load & <more>"});
  };
  // The nearest part has the colour itself as a stop of its gradient; farther parts are darker.
  const std::string cool = "#76be7a", hot = "#db4437";
  // The scale has each of them once.
  EXPECT_GT(occurrences(picture(0.0), cool), 1);
  EXPECT_EQ(occurrences(picture(0.0), hot), 1);
  EXPECT_GT(occurrences(picture(1.0), hot), 1);
  EXPECT_EQ(occurrences(picture(1.0), cool), 1);
  for (const double value : {-1.0, 0.0, 0.5, 1.0, 7.0}) {
    expect_good(picture(value));
    EXPECT_EQ(occurrences(picture(value), "load &amp; &lt;more&gt;"), 1);
  }
  // Without heat there is no scale.
  EXPECT_EQ(occurrences(draw_svg(Problem(body), body.rest(), Report{}), ">more<"), 0);
}

TEST(PictureText, FitsItsWidth) {
  for (const std::string text : {"left_shoulder.elevation upper limit", "WWWWWWWWWWWWWWWW", "äöüäöüäöüäöü", ""})
    for (const double room : {20.0, 60.0, 300.0})
      EXPECT_LE(picture::text_width(picture::fitted(text, 11.0, room), 11.0), room);
  EXPECT_EQ(picture::fitted("short", 11.0, 300.0), "short");
}

TEST(PictureCamera, OutlineOfAHullTouchesBothCirclesAndTheirTangents) {
  picture::Camera camera = picture::Camera::looking(Vec3::UnitZ(), Vec3::UnitY());
  camera.scale = 100.0;
  const std::vector<picture::Vec2> points =
      picture::outline(camera, {picture::Ellipsoid::ball({0, 0, 0}, 1.0), picture::Ellipsoid::ball({3, 0, 5}, 0.5)});
  // The tangents' normals make the angle φ with the axis, cos φ = (1 - 0.5) / 3.
  const double c = 0.5 / 3.0, s = std::sqrt(1.0 - c * c);
  double min = infinity, max = -infinity;
  for (const picture::Vec2& x : points) {
    const double out = std::fmax(picture::Vec2(c, s).dot(x), picture::Vec2(c, -s).dot(x));
    EXPECT_LE(out, 100.0 + 1e-6);
    max = std::fmax(max, out);
    min = std::fmin(min, x.x());
  }
  EXPECT_NEAR(max, 100.0, 1e-3);
  EXPECT_NEAR(min, -100.0, 1e-9);
}

TEST(PictureCamera, DerivativeIsThatOfTheProjection) {
  picture::Camera camera = picture::Camera::looking({1.0, 0.4, 0.8}, Vec3::UnitY());
  camera.distance = 5.0;
  camera.scale = 70.0;
  const Vec3 x(0.3, -0.7, 1.1);
  constexpr double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    const picture::Vec2 slope =
        (camera.project(x + h * Vec3::Unit(k)) - camera.project(x - h * Vec3::Unit(k))) / (2.0 * h);
    EXPECT_NEAR((camera.derivative(x).col(k) - slope).norm(), 0.0, 1e-5);
  }
}

}  // namespace picture_test
}  // namespace limber
