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

}  // namespace limber
