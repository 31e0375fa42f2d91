// Plots: axes that people can read, and one mark per value.
#include "limber/picture/plot.h"

#include <gtest/gtest.h>

namespace limber::picture {
namespace plot_test {

std::string drawn(const Plot& plot) {
  Canvas canvas;
  draw_plot(plot, {50.0, 10.0, 400.0, 200.0}, canvas);
  return canvas.take();
}

bool has(const std::string& svg, const std::string& part) { return svg.find(part) != std::string::npos; }

TEST(Plot, MapsEqualRatiosToEqualDistancesOnALogarithmicAxis) {
  const Axis axis{.min = 1.0, .max = 1000.0, .logarithmic = true};
  EXPECT_DOUBLE_EQ(axis.part(1.0), 0.0);
  EXPECT_NEAR(axis.part(10.0), 1.0 / 3.0, 1e-12);
  EXPECT_NEAR(axis.part(100.0) - axis.part(10.0), 1.0 / 3.0, 1e-12);
  EXPECT_DOUBLE_EQ(axis.part(1000.0), 1.0);
}

TEST(Plot, WritesPowersOfTenAndRoundNumbers) {
  const std::string svg = drawn({.id = "a", .x = {.min = 1.0, .max = 1000.0, .logarithmic = true}, .y = {.max = 8.0}});
  for (const char* text : {">1<", ">10<", ">100<", ">1000<", ">0<", ">3<", ">8<"}) EXPECT_TRUE(has(svg, text)) << text;
  EXPECT_FALSE(has(svg, ">20<"));
}

TEST(Plot, WritesTwoAndFiveWhereThereIsHardlyADecade) {
  const std::string svg = drawn({.id = "a", .x = {.min = 1.0, .max = 10.0, .logarithmic = true}});
  for (const char* text : {">1<", ">2<", ">5<", ">10<"}) EXPECT_TRUE(has(svg, text)) << text;
}

TEST(Plot, DrawsABarFromTheStartOfItsAxisToItsValue) {
  Plot plot{.id = "a", .x = {.max = 10.0}, .y = {.min = -0.5, .max = 0.5}, .horizontal_bars = true};
  plot.bars.push_back(
      {.colour = "#123456", .thickness = 1.0, .value = 5.0, .text = "five", .tip = "a < b", .group = "m1"});
  const std::string svg = drawn(plot);
  EXPECT_TRUE(has(svg, "<rect x=\"50\" y=\"10\" width=\"200\" height=\"200\" fill=\"#123456\"")) << svg;
  EXPECT_TRUE(has(svg, "class=\"bar m1\"") && has(svg, ">five<") && has(svg, "<title>a &lt; b</title>")) << svg;
}

TEST(Plot, MarksASinglePointWithoutALine) {
  Plot plot{.id = "a"};
  plot.curves.push_back({.colour = "#123456", .points = {{0.5, 0.5}}});
  EXPECT_TRUE(has(drawn(plot), "<circle cx=\"250\" cy=\"110\"")) << drawn(plot);
}

}  // namespace plot_test
}  // namespace limber::picture
