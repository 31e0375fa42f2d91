// Where markers are fixed, written and read.
#include <gtest/gtest.h>

#include "limber/document/files.h"
#include "limber/figure/human.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace marker_set_test {

TEST(MarkerSetFile, ComesBackAsItWas) {
  MarkerSet set{.turn = -pi / 2};
  set.markers = {{.marker = "LANK", .place = "ltibia", .at = {0.1, -1.0 / 3.0, 1e-9}, .spread = 0.002},
                 {.marker = "R.Heel \"é\"", .place = "right heel"},
                 {.marker = "T10", .place = "thorax", .at = {0, 0.5, 0}, .weight = 0.25}};
  const std::string text = write_marker_set(set);
  const Expected<MarkerSet> back = read_marker_set(text, "set.json");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->turn, set.turn);
  ASSERT_EQ(back->markers.size(), set.markers.size());
  for (std::size_t m = 0; m < set.markers.size(); ++m) {
    EXPECT_EQ(back->markers[m].marker, set.markers[m].marker);
    EXPECT_EQ(back->markers[m].place, set.markers[m].place);
    EXPECT_EQ(back->markers[m].at, set.markers[m].at);
    EXPECT_EQ(back->markers[m].weight, set.markers[m].weight);
    EXPECT_EQ(back->markers[m].spread, set.markers[m].spread);
  }
  EXPECT_EQ(write_marker_set(*back), text);
}

TEST(MarkerSetFile, SaysWhatIsWrongAndWhere) {
  const auto why = [](const std::string& text) {
    const Expected<MarkerSet> set = read_marker_set(text, "set.json");
    return set ? std::string("nothing") : set.error().text();
  };
  EXPECT_EQ(why(R"({"limber": "markers 2", "markers": {}})").find("set.json:1:12: /limber: found"), 0u);
  for (const char* text : {"", "[]", R"({"limber": "markers 1"})", R"({"limber": "markers 1", "markers": []})",
                           R"({"limber": "markers 1", "markers": {"a": {}}})",
                           R"({"limber": "markers 1", "markers": {"a": {"place": 3}}})",
                           R"({"limber": "markers 1", "markers": {"a": {"place": "head", "at": [1, 2]}}})",
                           R"({"limber": "markers 1", "markers": {"a": {"place": "head", "weight": -1}}})",
                           R"({"limber": "markers 1", "markers": {"a": {"place": "head", "spot": 1}}})",
                           R"({"limber": "markers 1", "markers": {"a": {"place": "x"}, "a": {"place": "y"}}})"})
    EXPECT_EQ(why(text).find("set.json:"), 0u) << text << "\n" << why(text);
}

TEST(MarkerSetFile, OfTheExampleFitsAPerson) {
  const Expected<MarkerSet> set =
      read_marker_set(read_sample(source_dir() + "/example/markers/gait.json"), "gait.json");
  ASSERT_TRUE(set) << set.error().text();
  const Figure figure = human();
  for (const Attachment& attachment : set->markers) {
    const Expected<Handle> point = marker_point(figure, attachment);
    EXPECT_TRUE(point) << point.error().text();
  }
}

}  // namespace marker_set_test
}  // namespace limber
