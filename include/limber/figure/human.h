// The built-in human figures.                                                      ZB94 section 12, ZB89 section 6
//
//   human()         17 vertebrae and two shoulder complexes, driven as joint groups: 22 parameters above the
//                   waist, or 70 with independent vertebrae.
//   simple_human()  the simpler body of the earlier papers: a torso of five joints, no groups.
//
// Metres, radians, Y up. At rest the figure stands and faces +Z; its left is +X, soles at y = 0, arms hanging, palms to
// the thighs. At rest all segments are aligned with the world and all parameters are 0. A positive value is the same
// anatomical motion on the left and on the right. doc/human.md lists names and sources.
#pragma once

#include <array>

#include "limber/base/diagnostic.h"
#include "limber/figure/description.h"
#include "limber/figure/figure.h"

namespace limber {

enum class Sex { male, female };
enum class Spine { grouped, independent };
enum class Root { free, fixed };

struct HumanOptions {
  Sex sex = Sex::male;
  double stature = 0.0;  // metres; 0: the mean of the sex's published sample
  double mass = 0.0;     // kg; 0: from the stature and the mean body-mass index of that sample
  Spine spine = Spine::grouped;
  Root root = Root::free;
};

Figure human();
// Rejected: a stature or mass, other than 0, outside the range of people in metres and kilograms.
Expected<Figure> human(const HumanOptions& options);
Expected<FigureDescription> human_description(const HumanOptions& options);

struct SimpleHumanOptions {
  double stature = 0.0;  // as in HumanOptions, with the male proportions
  double mass = 0.0;
  Root root = Root::free;
  bool clavicles = false;  // each arm has a clavicle with one DOF, "shrug": 8 DOF per arm, else 7
};

Expected<Figure> simple_human(const SimpleHumanOptions& options = {});
Expected<FigureDescription> simple_human_description(const SimpleHumanOptions& options = {});

// --- Stature of people by percentile.
//
// Statures of British adults aged 19 to 65 at three percentiles (Pheasant and Haslegrave 2006, Bodyspace). Between them
// the distribution is taken as normal: with z the normal score of a percentile and m the median,
//
//   s(z) = m + (s_5 - m) z / z_5   below the median,   s(z) = m + (s_95 - m) z / z_95   above
//
// which reproduces the three published values.

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
