// Stature of people by percentile.
//
// Statures of British adults aged 19 to 65 at three percentiles (Pheasant and Haslegrave 2006, Bodyspace). Between them
// the distribution is taken as normal: with z the normal score of a percentile and m the median,
//
//   s(z) = m + (s_5 - m) z / z_5   below the median,   s(z) = m + (s_95 - m) z / z_95   above
//
// which reproduces the three published values.
#pragma once

#include <array>

#include "limber/figure/human.h"

namespace limber {

struct StatureRow {
  const char* name;
  double percentile;    // 0 to 100
  double male, female;  // metres
};
inline constexpr std::array<StatureRow, 3> published_statures = {
    {{"5th", 5.0, 1.625, 1.505}, {"50th", 50.0, 1.740, 1.610}, {"95th", 95.0, 1.855, 1.710}}};

// Metres. Percentiles are clamped to 0.1 to 99.9.
double stature_at(Sex sex, double percentile);
// The inverse.
double stature_percentile(Sex sex, double stature);
// The default of human().
double usual_stature(Sex sex);

}  // namespace limber
