#include <gtest/gtest.h>

#include <cmath>

#include "limber/figure/human.h"

namespace limber {
namespace stature_test {

TEST(Stature, IsThePublishedOneAtThePublishedPercentiles) {
  for (const StatureRow& row : published_statures) {
    EXPECT_NEAR(stature_at(Sex::male, row.percentile), row.male, 1e-12);
    EXPECT_NEAR(stature_at(Sex::female, row.percentile), row.female, 1e-12);
  }
}

TEST(Stature, PercentileIsTheInverse) {
  for (const Sex sex : {Sex::male, Sex::female}) {
    double before = 0.0;
    for (double percentile = 1.0; percentile < 99.5; percentile += 1.0) {
      const double stature = stature_at(sex, percentile);
      EXPECT_GT(stature, before);
      EXPECT_NEAR(stature_percentile(sex, stature), percentile, 1e-9);
      before = stature;
    }
  }
}

// A normal distribution with the standard deviation that the book gives for men, 70 mm: tables of the normal
// distribution have 0.6745 for the third quartile and 2.3263 for the 99th percentile.
TEST(Stature, OfMenIsNormal) {
  const double deviation = (1.855 - 1.740) / 1.6449;
  EXPECT_NEAR(deviation, 0.070, 5e-4);
  EXPECT_NEAR(stature_at(Sex::male, 75.0), 1.740 + 0.6745 * deviation, 1e-5);
  EXPECT_NEAR(stature_at(Sex::male, 1.0), 1.740 - 2.3263 * deviation, 1e-5);
}

TEST(Stature, DefaultsToThatOfHuman) {
  for (const Sex sex : {Sex::male, Sex::female}) {
    const Expected<Figure> usual = human({.sex = sex}), asked = human({.sex = sex, .stature = usual_stature(sex)});
    ASSERT_TRUE(usual && asked);
    EXPECT_EQ(usual->length(), asked->length());
  }
}

}  // namespace stature_test
}  // namespace limber
