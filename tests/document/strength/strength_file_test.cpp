// Tables of strength as JSON.
#include <gtest/gtest.h>

#include <filesystem>

#include "limber/document/files.h"
#include "tests/format/sample.h"
#include "tests/support/tree.h"

namespace limber {
namespace strength_file_test {

std::string strength_rejection(const std::string& rows) {
  const Expected<StrengthTable> table = read_strength("{\"limber\": \"strength 1\", \"rows\": " + rows + "}", "s.json");
  return table ? "" : table.error().text();
}

TEST(StrengthFormat, ReadsWhatItWrites) {
  for (const Sex sex : {Sex::male, Sex::female}) {
    const StrengthTable table = human_strength(sex);
    const std::string text = write_strength(table);
    const Expected<StrengthTable> again = read_strength(text, "s.json");
    ASSERT_TRUE(again) << again.error().text();
    ASSERT_EQ(again->size(), table.size());
    for (std::size_t k = 0; k < table.size(); ++k) {
      const StrengthRow &a = table[k], &b = (*again)[k];
      EXPECT_EQ(a.freedom, b.freedom);
      EXPECT_EQ(a.direction, b.direction);
      EXPECT_EQ(a.percentile_5, b.percentile_5);
      EXPECT_EQ(a.percentile_50, b.percentile_50);
      EXPECT_EQ(a.percentile_95, b.percentile_95);
      EXPECT_EQ(a.of_size, b.of_size);
      EXPECT_EQ(a.curve, b.curve);
      EXPECT_NEAR(a.best_angle, b.best_angle, 1e-15);
      EXPECT_EQ(a.source, b.source);
    }
    EXPECT_EQ(write_strength(*again), text);
  }
}

TEST(StrengthFormat, TakesOneNumberForAll) {
  const Expected<StrengthTable> table = read_strength(
      R"({"limber": "strength 1", "rows": [{"freedom": "elbow.flexion", "direction": "-", "torque": 30}]})", "s.json");
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_EQ(table->size(), 1u);
  EXPECT_EQ(table->front().direction, -1);
  EXPECT_EQ(table->front().percentile_5, 30.0);
  EXPECT_EQ(table->front().percentile_95, 30.0);
  EXPECT_FALSE(table->front().of_size);
}

TEST(StrengthFormat, IsAsTheDocumentShows) {
  const std::string page = read_sample(std::filesystem::path(source_dir()) / "doc/assess.md");
  const std::size_t begin = page.find("```json\n") + std::string_view("```json\n").size();
  ASSERT_GT(page.size(), begin);
  const Expected<StrengthTable> table = read_strength(page.substr(begin, page.find("```", begin) - begin), "doc");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->size(), 2u);
}

TEST(StrengthFormat, RejectsWithThePlace) {
  EXPECT_EQ(strength_rejection("[]"), "");
  EXPECT_NE(strength_rejection(R"([{"freedom": "a", "direction": "up", "torque": 1}])").find("/rows/0/direction"),
            std::string::npos);
  EXPECT_NE(strength_rejection(R"([{"freedom": "a", "direction": "+", "torque": [1, 2]}])").find("/rows/0/torque"),
            std::string::npos);
  EXPECT_NE(strength_rejection(R"([{"freedom": "a", "direction": "+", "torque": [3, 2, 1]}])").find("/rows/0"),
            std::string::npos);
  EXPECT_NE(strength_rejection(R"([{"freedom": "a", "direction": "+", "torque": 1, "colour": 2}])").find("colour"),
            std::string::npos);
  EXPECT_NE(strength_rejection(R"([{"freedom": "", "direction": "+", "torque": 1}])"), "");
  EXPECT_NE(strength_rejection("3"), "");
  EXPECT_FALSE(read_strength("{\"limber\": \"scene 1\"}", "s.json"));
  EXPECT_FALSE(read_strength("not json", "s.json"));
}

}  // namespace strength_file_test
}  // namespace limber
