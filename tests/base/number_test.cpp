#include "limber/base/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "limber/base/diagnostic.h"
#include "limber/base/random.h"

namespace limber {
namespace number_test {

TEST(NumberText, ReadsBackAsTheSameBits) {
  Random random(1);
  int tried = 0;
  while (tried < 20000) {
    const double value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    ++tried;
    const std::optional<double> back = to_number(to_text(value));
    ASSERT_TRUE(back) << to_text(value);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << to_text(value);
  }
}

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(2.0), "2");
  EXPECT_EQ(to_text(-1e300), "-1e+300");
  EXPECT_EQ(to_text(1.0 / 3.0), "0.3333333333333333");
}

TEST(NumberText, HasTheRequestedDecimals) {
  EXPECT_EQ(to_text(2.0 / 3.0, 3), "0.667");
  EXPECT_EQ(to_text(-12.0, 2), "-12.00");
  EXPECT_EQ(to_text(1234.5, 0), "1234");  // ties to even
}

TEST(NumberText, AllowsOnePlusSign) {
  EXPECT_EQ(to_number("+1.5"), 1.5);
  EXPECT_EQ(to_number("-1.5e3"), -1500.0);
  EXPECT_FALSE(to_number("+-1.5"));
  EXPECT_FALSE(to_number("++1.5"));
  EXPECT_FALSE(to_number("+"));
}

TEST(NumberText, RejectsPartialNumbers) {
  for (const char* text : {"", " 1", "1 ", "1,5", "1.5x", "x", "0x10", "1e", "--1", "1.2.3", "1e999"})
    EXPECT_FALSE(to_number(text)) << "'" << text << "'";
}

TEST(DiagnosticText, GivesPlaceFoundAndExpected) {
  EXPECT_EQ((Diagnostic{"joint 'a'", "2", "1"}.text()), "joint 'a': found 2; expected 1");
  EXPECT_EQ((Diagnostic{"", "2", "1"}.text()), "found 2; expected 1");
  EXPECT_EQ((Diagnostic{"joint 'a'", "2", ""}.text()), "joint 'a': found 2");
  const Expected<int> rejected = reject("here", "this", "that");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().where, "here");
  EXPECT_EQ(rejected.error().found, "this");
  EXPECT_EQ(rejected.error().expected, "that");
}

}  // namespace number_test
}  // namespace limber
