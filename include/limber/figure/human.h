// The built-in human figures.                                                      ZB94 section 12, ZB89 section 6
//
//   human()         17 vertebrae and the shoulder complexes, each driven as a joint group: 22 parameters above the
//                   waist, or 70 where the vertebrae are independent.
//   simple_human()  the plainer body of the older figures: a torso of five joints, no groups.
//
// Metres, radians, Y up; the figure stands at rest, faces +Z, its left is +X, soles at y = 0, arms hanging, palms to
// the thighs. All segments are aligned with the world at rest and all parameters are 0 there. The same positive
// value means the same anatomical motion on the left and on the right. doc/human.md lists names and sources.
#pragma once

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
  double mass = 0.0;     // kg; 0: the stature squared times the mean body-mass index of that sample
  Spine spine = Spine::grouped;
  Root root = Root::free;
};

Figure human();
// Rejected: a stature or mass that is not 0 and not that of a person in metres and kilograms.
Expected<Figure> human(const HumanOptions& options);
Expected<FigureDescription> human_description(const HumanOptions& options);

struct SimpleHumanOptions {
  double stature = 0.0;  // as in HumanOptions, with the male proportions
  double mass = 0.0;
  Root root = Root::free;
  bool clavicles = false;  // each arm starts with a clavicle of one freedom, "shrug": 8 freedoms an arm, else 7
};

Expected<Figure> simple_human(const SimpleHumanOptions& options = {});
Expected<FigureDescription> simple_human_description(const SimpleHumanOptions& options = {});

}  // namespace limber
