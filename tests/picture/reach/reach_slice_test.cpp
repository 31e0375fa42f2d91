// Slices of a reach map: a valid SVG with the panels and the outline.
#include "limber/picture/reach/reach_slice.h"

#include <gtest/gtest.h>

#include "tests/reach/arms.h"
#include "tests/support/svg.h"

namespace limber {
namespace reach_slice_test {

TEST(ReachSlice, IsAnSvgWithThreePanels) {
  const Figure figure = testing::PlanarArm{}.figure();
  const ReachMap map = testing::map_of(figure, "tip", {.resolution = 0.08});
  const ReachSurface surface = surface_of(map, from_limits(figure, map.variables));
  const std::string svg =
      draw_reach_slices(map, surface, figure, figure.rest(), {{0.0, 0.0, 0.01}, "Reach of <tip> & more"});
  EXPECT_EQ(testing::xml_fault(svg), "");
  for (const char* panel : {"panel-x", "panel-y", "panel-z"}) EXPECT_NE(svg.find(panel), std::string::npos);
  // A plane far away cuts nothing.
  const std::string nothing = draw_reach_slices(map, surface, figure, figure.rest(), {{9.0, 9.0, 9.0}, ""});
  EXPECT_EQ(testing::xml_fault(nothing), "");
  EXPECT_LT(nothing.size(), svg.size());
}

TEST(ReachSlice, ShowsTheMeasureAndTheObstacles) {
  const Figure figure = testing::PlanarArm{}.figure();
  const ReachMap map = testing::map_of(figure, "tip", {.resolution = 0.08});
  const PoseMeasure measure = from_limits(figure, map.variables);
  const ReachSurface surface = surface_of(map, measure);
  SliceOptions options{{0.0, 0.0, 0.01}, "Reach"};
  const std::string plain = draw_reach_slices(map, surface, figure, figure.rest(), options);
  options.measure = measure;
  options.measure_name = "room";
  const std::string coloured = draw_reach_slices(map, surface, figure, figure.rest(), options);
  EXPECT_EQ(testing::xml_fault(coloured), "");
  EXPECT_NE(coloured.find(">room<"), std::string::npos);
  EXPECT_EQ(plain.find(">room<"), std::string::npos);
  const std::string brown = "#96643c";
  EXPECT_EQ(coloured.find(brown), std::string::npos);
  options.obstacles = {
      testing::good(build_obstacle("post", BoxShape{{0.1, 0.1, 2.0}}, {Mat3::Identity(), {0.5, 0.2, 0.0}}))};
  EXPECT_NE(draw_reach_slices(map, surface, figure, figure.rest(), options).find(brown), std::string::npos);
}

}  // namespace reach_slice_test
}  // namespace limber
