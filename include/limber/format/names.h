// Common names for the parts of a body, so that one scene works on many figures.
//
// Every character program has its own names: CMU "rhumerus", MakeHuman "UpArm_R", Mixamo "mixamorig:RightArm", VRM
// "rightUpperArm". The parts of a person are recognised by their shape, whatever they are called (roles/roles.h), and
// the figure gets sites with the names of human():
//
//   pelvis waist chest neck head head_top eyes
//   left_ and right_: clavicle shoulder elbow wrist hand palm fingertip hip knee ankle foot ball toe
//
// A site is at the joint of that name: right_elbow is the start of the forearm. head_top, fingertip and toe are tips,
// if the file has them; eyes is halfway from head to head_top; palm is the start of the fingers, else the tip of the
// hand, else the hand. Sites are oriented as in human() at rest: forward (x) and up (y), but shoulder and hip outward,
// elbow backward, head_top up. No file states the direction of a palm: palm and hand point forward.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"
#include "limber/roles/roles.h"

namespace limber {

struct CommonNames {
  BodyPlan plan = BodyPlan::unknown;
  std::vector<SiteDescription> sites = {};  // of a person; without names that the figure already has
};
CommonNames common_names(const Figure& figure);
CommonNames common_names(const Figure& figure, const Roles& roles);

// The figure with those sites and with_usual_prior. If its root can translate freely, it stands on the ground at rest
// like human(), with its lowest site at y = 0; skeletons of motion files have their pelvis there.
Expected<Figure> with_common_names(const Figure& figure);
Expected<Figure> with_common_names(const Figure& figure, const Roles& roles);

// Adds the built-in prior to a skeleton with the parameters of CMU's and no prior; others are unchanged.
Figure with_usual_prior(const Figure& figure);

}  // namespace limber
