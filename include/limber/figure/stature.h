// How tall people are.
//
// Statures of British adults aged 19 to 65 at three percentiles (Pheasant and Haslegrave 2006, Bodyspace). Between them
// statures are as a normal distribution has them: with z the normal score of a percentile and m the median,
//
//   s(z) = m + (s_5 - m) z / z_5   below the median,   s(z) = m + (s_95 - m) z / z_95   above
//
// which is the published value at each of the three.
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

// Metres. What is nearer to 0 or 100 than a tenth counts as a tenth.
double stature_at(Sex sex, double percentile);
// The other way.
double stature_percentile(Sex sex, double stature);
// Of human() where no stature is given.
double usual_stature(Sex sex);

}  // namespace limber
