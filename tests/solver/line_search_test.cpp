#include "limber/solver/gradient/line_search.h"

#include <gtest/gtest.h>

#include <vector>

#include "limber/base/random.h"

namespace limber {
namespace line_search_test {

// Random curves with a falling start: a cosine on a parabola.
struct Wave {
  double a, b, w, slope;
  double value(double t) const { return a * t * t + b * (std::cos(w * t) - 1.0) + slope * t; }
  double derivative(double t) const { return 2.0 * a * t - b * w * std::sin(w * t) + slope; }
};

// ZB94 (31), or the longest step with enough decrease.
TEST(LineSearch, GivesAStepThatMeetsBothConditions) {
  int at_longest = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Wave wave{std::pow(10.0, random.between(-3.0, 3.0)), random.between(0.0, 1.0), random.between(0.0, 10.0),
                    -std::pow(10.0, random.between(-3.0, 1.0))};
    const double longest = random.chance(0.5) ? 1e6 : std::pow(10.0, random.between(-4.0, 1.0));
    int probes = 0;
    const auto probe = [&](double step) {
      EXPECT_GT(step, 0.0);
      EXPECT_LE(step, longest);
      ++probes;
      return LinePoint{step, wave.value(step), wave.derivative(step)};
    };
    const LineSearchResult found = line_search(0.0, wave.slope, 1.0, longest, probe);
    ASSERT_GT(found.step, 0.0);
    EXPECT_LE(wave.value(found.step), 1e-4 * found.step * wave.slope) << "not enough decrease";
    if (found.at_longest) {
      EXPECT_EQ(found.step, longest);
      ++at_longest;
    } else {
      EXPECT_GE(wave.derivative(found.step), 0.5 * wave.slope) << "the slope has not flattened";
    }
    EXPECT_LE(probes, 40);
  }
  EXPECT_GT(at_longest, 100);
}

TEST(LineSearch, GoesPastOneWhereTheSlopeIsStillSteep) {
  const auto probe = [](double step) { return LinePoint{step, 0.5 * (step - 50.0) * (step - 50.0), step - 50.0}; };
  const LineSearchResult found = line_search(1250.0, -50.0, 1.0, infinity, probe);
  EXPECT_GE(found.step, 25.0);
}

TEST(LineSearch, BacksOutOfWhatIsNotANumber) {
  const auto probe = [](double step) {
    return step > 0.01 ? LinePoint{step, std::nan(""), std::nan("")} : LinePoint{step, -step, -1.0};
  };
  const LineSearchResult found = line_search(0.0, -1.0, 1.0, infinity, probe);
  EXPECT_GT(found.step, 0.0);
  EXPECT_LE(found.step, 0.01);
}

TEST(LineSearch, GivesNoStepWhereNothingDecreases) {
  const auto probe = [](double step) { return LinePoint{step, step, 1.0}; };
  EXPECT_EQ(line_search(0.0, -1.0, 1.0, infinity, probe).step, 0.0);
}

}  // namespace line_search_test
}  // namespace limber
