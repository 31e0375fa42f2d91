#include <algorithm>
#include <cmath>

#include "limber/figure/human.h"
#include "limber/figure/human_tables.h"

namespace limber {

namespace {

constexpr double min_percentile = 0.1, max_percentile = 99.9;
constexpr double max_score = 4.0;  // beyond both percentiles
constexpr int halvings = 60;       // bisection to the last bit

double percentile_of(double score) { return 50.0 * std::erfc(-score / std::sqrt(2.0)); }

double score_of(double percentile) {
  double lower = -max_score, upper = max_score;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (lower + upper);
    (percentile_of(middle) < percentile ? lower : upper) = middle;
  }
  return 0.5 * (lower + upper);
}

double published(Sex sex, const StatureRow& row) { return sex == Sex::female ? row.female : row.male; }

}  // namespace

double stature_at(Sex sex, double percentile) {
  const double z = score_of(std::clamp(percentile, min_percentile, max_percentile));
  const StatureRow& end = z < 0.0 ? published_statures.front() : published_statures.back();
  const double median = published(sex, published_statures[1]);
  return median + (published(sex, end) - median) * z / score_of(end.percentile);
}

double stature_percentile(Sex sex, double stature) {
  const double median = published(sex, published_statures[1]);
  const StatureRow& end = stature < median ? published_statures.front() : published_statures.back();
  const double z = score_of(end.percentile) * (stature - median) / (published(sex, end) - median);
  return std::clamp(percentile_of(z), min_percentile, max_percentile);
}

double usual_stature(Sex sex) {
  return sex == Sex::female ? human_tables::female_sample.stature : human_tables::male_sample.stature;
}

}  // namespace limber
