// JSON values with their places, and the writer.
#include "limber/format/text/json.h"

#include <gtest/gtest.h>

#include "limber/format/text/text.h"
#include "limber/format/text/unit.h"
#include "tests/support/laws.h"

namespace limber {
namespace json_test {

std::string error_of(std::string_view text) {
  JsonDocument document(text, "f");
  return document.error() ? document.error()->text() : "";
}

TEST(Json, ReadsValues) {
  JsonDocument document(R"({"a": [1, -2.5e3, "x\u00e9\n"], "b": {"c": true, "d": null}})", "f");
  const JsonValue root = document.root();
  ASSERT_TRUE(root.object({"a", "b"}));
  std::vector<JsonValue> a;
  for (const JsonValue element : root["a"]) a.push_back(element);
  ASSERT_EQ(a.size(), 3u);
  EXPECT_EQ(a[0].number(), 1.0);
  EXPECT_EQ(a[1].number(), -2500.0);
  EXPECT_EQ(a[2].text(), "x\xC3\xA9\n");
  EXPECT_TRUE(root["b"]["c"].boolean());
  EXPECT_TRUE(root["b"]["d"].is(JsonKind::null));
  EXPECT_FALSE(root["b"]["e"].exists());
  EXPECT_FALSE(root["x"]["y"].exists());
  EXPECT_FALSE(document.error());
}

TEST(Json, KeepsTheSignOfZeroAndTheLastBit) {
  JsonDocument document("[-0, 0.1, 1e-400, 18446744073709551617, 4.9e-324]", "f");
  std::vector<double> numbers;
  for (const JsonValue element : document.root()) numbers.push_back(element.number());
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_TRUE(std::signbit(numbers[0]));
  EXPECT_EQ(numbers[1], 0.1);
  EXPECT_EQ(numbers[2], 0.0);
  EXPECT_EQ(numbers[3], 18446744073709551616.0);
  EXPECT_EQ(numbers[4], std::numeric_limits<double>::denorm_min());
}

TEST(Json, ReportsLineColumnAndPointer) {
  for (const std::string_view end : {"\n", "\r\n", "\r"}) {
    const std::string text = "{\n  \"é/~\": [1,\n    {\"b\": 2}]}";
    std::string with_end;
    for (const char c : text) with_end += c == '\n' ? std::string(end) : std::string(1, c);
    const std::string whole = "\xEF\xBB\xBF" + with_end;
    JsonDocument document(whole, "f");
    for (const JsonValue element : *document.root().begin())
      if (element.is(JsonKind::object)) element["b"].text();
    ASSERT_TRUE(document.error());
    EXPECT_EQ(document.error()->where, "f:3:11: /é~1~0/1/b");
    EXPECT_EQ(document.error()->found, "the number 2");
  }
}

TEST(Json, CountsCharactersNotBytes) { EXPECT_EQ(error_of("[\"ééé\", nul]").substr(0, 6), "f:1:9:"); }

TEST(Json, TheFirstErrorCounts) {
  JsonDocument document("[1, 2]", "f");
  for (const JsonValue element : document.root()) element.text();
  EXPECT_EQ(document.error()->where, "f:1:2: /0");
}

TEST(Json, RejectsInvalidJson) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "f:1:1: found the end of the text"},
      {"  \n ", "f:2:2: found the end of the text"},
      {"{\"a\": NaN}", "f:1:7: found \"NaN\""},
      {"{\"a\": nan}", "f:1:7: found \"nan\""},
      {"{\"a\": -Infinity}", "f:1:7: found \"-Infinity\""},
      {"[1,]", "f:1:4: found \"]\""},
      {"[1 2]", "f:1:4: found \"2\""},
      {"{\"a\" 1}", "f:1:6: found \"1\""},
      {"[1]]", "f:1:4: found \"]\""},
      {"[\"abc", "f:1:3: found \"abc\" (invalid string: missing closing quote)"},
      {"[0x10]", "f:1:2: found \"0x10\""},
      {"[1e999]", "f:1:2: found \"1e999\""},
      {"[-1e999]", "f:1:2: found \"-1e999\""},
      {"// no\n[]", "f:1:1: found"},
  };
  for (const auto& [text, answer] : cases)
    EXPECT_EQ(error_of(text).substr(0, std::string_view(answer).size()), answer) << text << "\n" << error_of(text);
  EXPECT_NE(error_of("[\"\xFF\"]"), "");
  EXPECT_NE(error_of(std::string_view("[\0]", 3)), "");
}

TEST(Json, RejectsTheSecondOfTwoEqualKeys) {
  EXPECT_EQ(error_of("{\"b\": {\"a\": 1, \"c\": 2,\n \"\\u0061\": 3}}"),
            "f:2:2: /b/a: found the key \"a\" twice; expected each key once");
}

TEST(Json, RejectsDeepNestingBeforeParsing) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') + std::string(static_cast<std::size_t>(levels), ']');
  };
  EXPECT_EQ(error_of(nested(JsonDocument::max_levels)), "");
  EXPECT_EQ(error_of(nested(JsonDocument::max_levels + 1)).substr(0, 7), "f:1:65:");
  EXPECT_NE(error_of(nested(1'000'000)), "");
  EXPECT_NE(error_of(std::string(1'000'000, '{')), "");
}

TEST(Json, ReadsLongArrays) {
  const int many = law::whole_or_quick(1'000'000, 100'000);
  std::string text = "[1";
  for (int i = 0; i < many; ++i) text += ",1";
  text += "]";
  JsonDocument document(text, "f");
  EXPECT_FALSE(document.error());
  EXPECT_EQ(document.root().size(), static_cast<std::size_t>(many) + 1);
}

TEST(Json, QuotesOnOneLineAndNotTooLong) {
  EXPECT_EQ(in_quotes("a\nb\x1B[1m"), "\"a?b?[1m\"");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "\"" + std::string(60, 'x') + "…\"");
}

TEST(JsonWriter, PutsRowsOnOneLine) {
  JsonWriter out;
  out.begin_object()
      .member("a", Vec3(1, 0.5, -2))
      .key("b")
      .begin_array()
      .begin_object(JsonWriter::Layout::row)
      .member("c", true)
      .key("d")
      .direction(-Vec3::UnitY());
  out.end().end().key("e").begin_array().end().member("f", "quote \" and \xFF").member("g", infinity).end();
  EXPECT_EQ(out.take(),
            "{\n  \"a\": [1, 0.5, -2],\n  \"b\": [\n    {\"c\": true, \"d\": \"-y\"}\n  ],\n  \"e\": [],\n  "
            "\"f\": \"quote \\\" and \xEF\xBF\xBD\",\n  \"g\": null\n}\n");
}

TEST(Unit, NumbersRoundTripAsTheSameText) {
  for (int k = -72'000; k <= 72'000; ++k) {
    const double angle_deg = k / 200.0;
    ASSERT_EQ(written_degrees(radians(angle_deg)), angle_deg);
    ASSERT_EQ(written_mm(metres_of_mm(angle_deg)), angle_deg);
  }
}

TEST(Unit, AnglesRoundTripUpToTheLastBit) {
  double angle = 1e-9;
  for (int k = 0; k < 10'000; ++k, angle *= 1.0023) {
    const double back = radians(written_degrees(angle));
    ASSERT_LE(std::fabs(back - angle), 2.3e-16 * angle);
    // And then stays.
    ASSERT_EQ(radians(written_degrees(back)), back);
  }
}

}  // namespace json_test
}  // namespace limber
