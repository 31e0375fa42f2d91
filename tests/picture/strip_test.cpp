// Strips and films: well formed for any motion, true to scale, speed and direction.
#include "limber/picture/strip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "limber/base/number.h"
#include "limber/base/random.h"
#include "limber/figure/human.h"
#include "limber/picture/sheet.h"
#include "limber/picture/skin.h"
#include "tests/support/figures.h"
#include "tests/support/svg.h"

namespace limber {
namespace strip_test {

using testing::built;
using testing::good;
using testing::number_fault;
using testing::occurrences;
using testing::shift;
using testing::turn;
using testing::xml_fault;

constexpr double strip_h = 1.0 / 60.0;  // frame time
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A trunk on two legs, `size` metres high, with a free root; its legs swing fore and aft along its x axis.
Figure strider(double size, const std::string& foot = "left_foot") {
  FigureDescription d;
  d.name = "strider";
  d.segments = {{"trunk", 0.0}, {"left_leg", 0.0}, {"right_leg", 0.0}};
  d.joints = {{"root",
               "",
               "trunk",
               at({0.0, 0.5 * size, 0.0}),
               {},
               {shift("x", Vec3::UnitX()), shift("y", Vec3::UnitY()), shift("z", Vec3::UnitZ()),
                turn("heading", Vec3::UnitY())}}};
  for (const std::string side : {"left", "right"})
    d.joints.push_back({side + "_hip",
                        "trunk",
                        side + "_leg",
                        at({0.0, 0.0, (side == "left" ? -0.1 : 0.1) * size}),
                        {},
                        {turn("swing", Vec3::UnitZ())}});
  d.sites = {{"head", "trunk", at({0.0, 0.5 * size, 0.0})},
             {foot, "left_leg", at({0.0, -0.5 * size, 0.0})},
             {"right_foot", "right_leg", at({0.0, -0.5 * size, 0.0})}};
  return built(d);
}

// Walks `steps` times its own size per second in the direction `heading` about the vertical.
MatX strides(double size, int frames, double steps, double heading) {
  MatX poses(6, frames);
  for (int k = 0; k < frames; ++k) {
    const double t = k * strip_h, way = steps * size * t, swing = 0.5 * std::sin(6.0 * t);
    poses.col(k) << way * std::cos(heading), 0.0, -way * std::sin(heading), heading, swing, -swing;
  }
  return poses;
}

StripOptions with_feet() { return {.places = {"left_foot", "right_foot"}, .title = "walk"}; }

void expect_sound(const std::string& svg) {
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(number_fault(svg), "");
}

// The numbers of the n-th path of that class.
std::vector<double> path_numbers(const std::string& svg, const std::string& kind, int n) {
  std::size_t end = svg.find("class=\"" + kind + "\"");
  for (int k = 0; k < n && end != std::string::npos; ++k) end = svg.find("class=\"" + kind + "\"", end + 1);
  std::vector<double> numbers;
  if (end == std::string::npos) return numbers;
  std::string word;
  for (const char c : svg.substr(svg.rfind("d=\"", end) + 3, end - svg.rfind("d=\"", end) - 3)) {
    if (c == '-' || c == '.' || (c >= '0' && c <= '9')) {
      word += c;
    } else if (!word.empty()) {
      numbers.push_back(to_number(word).value_or(not_a_number));
      word.clear();
    }
  }
  return numbers;
}

// --- The page ---

TEST(Strip, ShowsTheRequestedFrames) {
  const Figure figure = strider(1.8);
  const MatX poses = strides(1.8, 200, 0.8, 0.0);
  for (const int count : {1, 2, 7, 12, 60}) {
    StripOptions options = with_feet();
    options.count = count;
    const std::string svg = good(draw_strip(figure, poses, strip_h, options));
    expect_sound(svg);
    EXPECT_EQ(occurrences(svg, "class=\"frame\""), count);
  }
  StripOptions options = with_feet();
  options.frames = {3, 50, 199};
  const std::string svg = good(draw_strip(figure, poses, strip_h, options));
  for (const char* label : {">frame 3<", ">frame 50<", ">frame 199<"}) EXPECT_EQ(occurrences(svg, label), 1) << label;
  EXPECT_EQ(occurrences(good(draw_strip(figure, poses.leftCols(5), strip_h, with_feet())), "class=\"frame\""), 5);
}

TEST(Strip, IsDeterministic) {
  const Figure figure = strider(1.8);
  const MatX poses = strides(1.8, 90, 0.8, 0.3);
  EXPECT_EQ(good(draw_strip(figure, poses, strip_h, with_feet())),
            good(draw_strip(figure, poses, strip_h, with_feet())));
}

TEST(Strip, DrawsAnAntAndAGiantAlike) {
  const std::string one = good(draw_strip(strider(1.0), strides(1.0, 90, 0.8, 0.3), strip_h, with_feet()));
  ASSERT_GT(path_numbers(one, "path", 0).size(), 20u);
  for (const double size : {1.0 / 1024.0, 1024.0}) {  // powers of two: every number is scaled without rounding
    const std::string svg = good(draw_strip(strider(size), strides(size, 90, 0.8, 0.3), strip_h, with_feet()));
    expect_sound(svg);
    for (const int place : {0, 1}) EXPECT_EQ(path_numbers(svg, "path", place), path_numbers(one, "path", place));
  }
}

TEST(Strip, DrawsTravelInAnyDirectionToTheRight) {
  const std::uint64_t seed = 20;
  SCOPED_TRACE(seed);
  Random random(seed);
  const Figure figure = strider(1.8);
  const auto path = [&](double heading) {
    return path_numbers(good(draw_strip(figure, strides(1.8, 120, 1.0, heading), strip_h, with_feet())), "path", 0);
  };
  const std::vector<double> first = path(0.0);
  ASSERT_GT(first.size(), 40u);
  EXPECT_GT(first[first.size() - 2] - first[0], 500.0) << "across the page";
  for (int k = 0; k < 10; ++k) {
    const std::vector<double> here = path(random.between(-pi, pi));
    EXPECT_NEAR(here[0], first[0], 0.3);
    EXPECT_NEAR(here[here.size() - 2], first[first.size() - 2], 0.3);
    EXPECT_NEAR(here.back(), first.back(), 0.3);
  }
}

TEST(Strip, TakesASingleFrameAndABodyWithoutTravel) {
  const Figure figure = human();
  MatX poses = figure.rest().theta.replicate(1, 1);
  const std::string one = good(draw_strip(figure, poses, strip_h, {.places = {"left_palm", "head_top"}}));
  expect_sound(one);
  EXPECT_EQ(occurrences(one, "class=\"frame\""), 1);
  EXPECT_EQ(occurrences(one, "class=\"plot\""), 0) << "a single frame has no curve";
  poses = figure.rest().theta.replicate(1, 30);
  const std::string still = good(draw_strip(figure, poses, strip_h, {.places = {"left_palm", "head_top"}}));
  expect_sound(still);
  EXPECT_EQ(occurrences(still, "class=\"plot\""), 2);
  EXPECT_EQ(occurrences(still, "travel"), 0);
  EXPECT_EQ(xml_fault(good(draw_strip(figure, poses, strip_h))), "") << "no place at all";
}

TEST(Strip, SurvivesMotionsFarOutside) {
  const Figure figure = strider(1.8);
  for (const double far : {1e9, 1e160, -1e300}) {
    MatX poses = strides(1.8, 40, 0.8, 0.0);
    poses.row(0).tail(20).array() += far;
    const Expected<std::string> svg = draw_strip(figure, poses, strip_h, with_feet());
    if (svg) expect_sound(*svg);
  }
  for (const double h : {1e-9, 1e9}) expect_sound(good(draw_strip(figure, strides(1.8, 40, 1.0, 0.0), h, with_feet())));
}

TEST(Strip, EscapesNames) {
  const Figure figure = strider(1.8, "a<b>&\"foot\"");
  const MatX poses = strides(1.8, 40, 0.8, 0.0);
  const std::string svg = good(draw_strip(
      figure, poses, strip_h,
      {.places = {"a<b>&\"foot\""}, .compare = &poses, .compare_name = "<old & new>", .title = "\"x\" < & \x01\xff"}));
  expect_sound(svg);
  EXPECT_EQ(occurrences(svg, "a&lt;b&gt;&amp;&quot;foot&quot;"), 1);
  EXPECT_EQ(occurrences(svg, "&lt;old &amp; new&gt;"), 1);
}

TEST(Strip, DrawsContactsAndTheMotionToCompareWith) {
  const Figure figure = strider(1.8);
  const MatX poses = strides(1.8, 120, 0.8, 0.0), before = strides(1.8, 100, 0.9, 0.0);
  StripOptions options = with_feet();
  EXPECT_EQ(occurrences(good(draw_strip(figure, poses, strip_h, options)), "class=\"before\""), 0);
  options.contacts = {{"left_foot", 0.2, 0.6}, {"head", 0.5, 0.7}, {"left_foot", 1.0, 1.3}};
  options.compare = &before;
  const std::string svg = good(draw_strip(figure, poses, strip_h, options));
  expect_sound(svg);
  EXPECT_EQ(occurrences(svg, "class=\"path\""), 3) << "the head has a contact, so it is drawn too";
  EXPECT_EQ(occurrences(svg, "class=\"before\""), 3);
  EXPECT_EQ(occurrences(svg, "class=\"contact\""), 3);
  EXPECT_EQ(occurrences(svg, "class=\"band\""), 9) << "in all plots";
  EXPECT_EQ(occurrences(svg, "class=\"curve\""), 18) << "six of height, six of speed, six of contacts";
}

TEST(Strip, StatesTheMaximumIfAJumpLeavesThePlot) {
  const Figure figure = strider(1.8);
  MatX poses = strides(1.8, 300, 0.5, 0.0);
  EXPECT_EQ(occurrences(good(draw_strip(figure, poses, strip_h, with_feet())), ">Speed<"), 1);
  poses.row(1).head(1).array() += 3.0;
  EXPECT_EQ(occurrences(good(draw_strip(figure, poses, strip_h, with_feet())), ">Speed, up to 18"), 1);
}

void expect_no_strip(const MatX& poses, double h, const StripOptions& options, const std::string& why) {
  const Expected<std::string> svg = draw_strip(strider(1.8), poses, h, options);
  ASSERT_FALSE(svg.has_value()) << why;
  EXPECT_EQ(svg.error().text(), why);
}

TEST(Strip, RejectsInvalidInput) {
  const MatX poses = strides(1.8, 40, 0.8, 0.0);
  MatX broken = poses;
  broken(2, 7) = not_a_number;
  expect_no_strip(MatX(6, 0), strip_h, {}, "poses: found a motion without frames; expected at least one");
  expect_no_strip(MatX(5, 3), strip_h, {}, "poses: found 5 parameters; expected 6, as in the figure");
  expect_no_strip(broken, strip_h, {}, "frame 7: found a number that is not finite; expected finite numbers");
  for (const double h : {0.0, -1.0, infinity, not_a_number})
    expect_no_strip(poses, h, {},
                    "frame_time: found a time that is not above 0; expected the seconds from one frame to the next");
  expect_no_strip(poses, strip_h, {.count = 0}, "frames: found 0; expected 1 to 60");
  expect_no_strip(poses, strip_h, {.count = 61}, "frames: found 61; expected 1 to 60");
  expect_no_strip(poses, strip_h, {.frames = {3, 40}}, "frames: found frame 40; expected 0 to 39");
  expect_no_strip(poses, strip_h, {.frames = {5, 5}},
                  "frames: found frame 5 after 5; expected frames in ascending order");
  expect_no_strip(poses, strip_h, {.columns = -1}, "columns: found -1; expected 0 to 60");
  expect_no_strip(poses, strip_h, {.ghosts = -1}, "ghosts: found -1; expected 0 to 60");
  expect_no_strip(poses, strip_h, {.contacts = {{"head", 2.0, 1.0}}},
                  "contact of 'head': found 2 s to 1 s; expected a start and a later end");
  expect_no_strip(poses, strip_h, {.compare = &broken},
                  "compare: frame 7: found a number that is not finite; expected finite numbers");
  const Expected<std::string> svg = draw_strip(strider(1.8), poses, strip_h, {.places = {"left_food"}});
  ASSERT_FALSE(svg.has_value());
  EXPECT_NE(svg.error().text().find("'left_food'"), std::string::npos) << svg.error().text();
  EXPECT_NE(svg.error().text().find("'left_foot'"), std::string::npos) << "the nearest name";
  EXPECT_FALSE(draw_strip(strider(1.8), poses, strip_h, {.contacts = {{"nowhere", 0.0, 1.0}}}).has_value());
}

// --- Measurements ---

TEST(Course, MeasuresSpeedByCentralDifferences) {
  const Figure figure = strider(1.8);
  const double A = 0.7, w = 5.0, h = strip_h;
  MatX poses = MatX::Zero(6, 50);
  for (int k = 0; k < 50; ++k) poses(1, k) = A * std::sin(w * k * h);
  const picture::Course course = good(picture::make_course(figure, poses, h, {"head"}));
  for (int k = 1; k < 49; ++k)  // sin(a + b) - sin(a - b) = 2 cos a sin b
    EXPECT_NEAR(course.traces[0].speed[static_cast<std::size_t>(k)],
                std::fabs(A * std::cos(w * k * h) * std::sin(w * h) / h), 1e-12);
  EXPECT_NEAR(course.traces[0].speed[0], A * std::sin(w * h) / h, 1e-12);
  EXPECT_FALSE(course.travels);
}

TEST(Course, FindsTheDirectionOfTravel) {
  const std::uint64_t seed = 21;
  SCOPED_TRACE(seed);
  Random random(seed);
  for (int k = 0; k < 20; ++k) {
    const double heading = random.between(-pi, pi), size = std::pow(10.0, random.between(-3.0, 3.0));
    const picture::Course course =
        good(picture::make_course(strider(size), strides(size, 90, 1.0, heading), strip_h, {}));
    ASSERT_TRUE(course.travels);
    EXPECT_NEAR(course.along.dot(Vec3(std::cos(heading), 0.0, -std::sin(heading))), 1.0, 1e-3);
    EXPECT_NEAR(course.travel / size, 89.0 * strip_h, 0.02);
    EXPECT_NEAR(course.side().dot(course.along), 0.0, 1e-12);
    EXPECT_GT(course.aslant(0.5, 0.2).dot(course.side()), 0.0);
    EXPECT_NEAR(course.floor / size, 0.0, 1e-9) << "it stands on the ground";
  }
}

TEST(Course, ViewsABodyWithoutTravelFromTheSideOfItsSwing) {
  for (const double heading : {0.0, 1.0, -2.5}) {
    const picture::Course course =
        good(picture::make_course(strider(1.8), strides(1.8, 90, 0.0, heading), strip_h, {}));
    EXPECT_FALSE(course.travels);
    EXPECT_NEAR(course.along.dot(Vec3(std::cos(heading), 0.0, -std::sin(heading))), 1.0, 1e-9)
        << "its left is known, so that it faces to the right";
  }
}

TEST(Course, TakesEvenlySpacedFramesWithBothEnds) {
  for (int frames = 1; frames < 80; ++frames)
    for (int count = 1; count < 20; ++count) {
      const std::vector<int> list = picture::evenly_spaced(frames, count);
      ASSERT_EQ(list.size(), static_cast<std::size_t>(std::min(frames, count)));
      EXPECT_EQ(list.front(), 0);
      if (list.size() > 1) {
        EXPECT_EQ(list.back(), frames - 1);
      }
      for (std::size_t k = 1; k < list.size(); ++k) EXPECT_LT(list[k - 1], list[k]);
    }
}

TEST(Strip, MeasuresHowFarAPlaceSlides) {
  picture::Trace trace{"foot", {}, {}};
  for (int k = 0; k <= 100; ++k) trace.at.emplace_back(0.003 * k, 0.5 * std::sin(k), 0.004 * k);  // 5 mm per frame
  EXPECT_NEAR(picture::slide(trace, 0.01, {{"foot", 0.195, 0.605}}), 40 * 0.005, 1e-12) << "frames 20 to 60";
  EXPECT_NEAR(picture::slide(trace, 0.01, {{"foot", -1.0, 9.0}}), 100 * 0.005, 1e-12);
  EXPECT_NEAR(picture::slide(trace, 0.01, {{"foot", 0.0, 0.104}, {"foot", 0.895, 2.0}}), 20 * 0.005, 1e-12);
  EXPECT_EQ(picture::slide(trace, 0.01, {{"hand", 0.0, 1.0}}), 0.0);
}

// --- Drawing ---

TEST(Skin, SimplifiesWithoutLeavingTheOutline) {
  const std::uint64_t seed = 22;
  SCOPED_TRACE(seed);
  Random random(seed);
  std::size_t fewer = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const double finest = random.between(0.05, 1.0), radius = random.between(1.0, 60.0);
    std::vector<picture::Vec2> polygon;
    for (int k = 0; k < 40; ++k)
      polygon.emplace_back(radius * std::cos(2.0 * pi * k / 40.0),
                           random.between(0.3, 1.0) * radius * std::sin(2.0 * pi * k / 40.0));
    const std::vector<picture::Vec2> kept = picture::simplified(polygon, finest);
    fewer += kept.size() < polygon.size() ? 1 : 0;
    for (const picture::Vec2& x : polygon) {
      double nearest = infinity;
      for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
        const picture::Vec2 d = kept[k + 1] - kept[k];
        const double t = std::clamp((x - kept[k]).dot(d) / d.squaredNorm(), 0.0, 1.0);
        nearest = std::fmin(nearest, (x - kept[k] - t * d).norm());
      }
      EXPECT_LE(nearest, finest);
    }
    EXPECT_EQ(picture::simplified(polygon, 0.0).size(), polygon.size());
  }
  EXPECT_GT(fewer, 20u);
}

// --- The film ---

TEST(Film, HasOneFramingForAllFrames) {
  const Figure figure = strider(1.8);
  const MatX poses = strides(1.8, 60, 1.0, 0.4);
  const FilmView view = good(film_view(figure, poses, {.width = 641, .height = 361, .title = "a & b"}));
  EXPECT_EQ(view.width, 640) << "video codecs need even numbers";
  EXPECT_EQ(view.height, 360);
  std::string floor;
  for (int k = 0; k < 60; k += 5) {
    const std::string svg = draw_frame_svg(figure, Pose{poses.col(k)}, view, "t < " + std::to_string(k));
    expect_sound(svg);
    const std::size_t end = svg.find("<g opacity");  // the shadow comes after the floor
    ASSERT_NE(end, std::string::npos);
    ASSERT_LT(svg.find("#eaeef3"), end) << "the colour of the floor";
    if (k == 0) floor = svg.substr(0, end);
    EXPECT_EQ(svg.substr(0, end), floor) << "page and floor of frame " << k;
    std::vector<picture::Ellipsoid> body;
    picture::add_shifted(body::make_body(figure, forward(figure, Pose{poses.col(k)})), Vec3::Zero(), body);
    const picture::Bounds box = picture::bounds(*view.camera, body);
    EXPECT_GE(box.min.minCoeff(), 0.0);
    EXPECT_LE(box.max.x(), view.width);
    EXPECT_LE(box.max.y(), view.height);
  }
}

TEST(Film, TakesAnySizeAndRejectsWhatTheStripRejects) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const Figure figure = strider(size);
    const MatX poses = strides(size, 20, 1.0, 0.0);
    const FilmView view = good(film_view(figure, poses));
    EXPECT_EQ(view.title, "strider");
    expect_sound(draw_frame_svg(figure, Pose{poses.col(19)}, view));
  }
  EXPECT_FALSE(film_view(strider(1.0), MatX(6, 0)).has_value());
  EXPECT_FALSE(film_view(strider(1.0), MatX::Constant(6, 3, not_a_number)).has_value());
}

}  // namespace strip_test
}  // namespace limber
