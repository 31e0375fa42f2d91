// Common names for the parts of a body, so that one scene works on many figures.
//
// Every program that makes characters has its own names: CMU's motions say "rhumerus", MakeHuman "UpArm_R", Mixamo
// "mixamorig:RightArm", VRM "rightUpperArm". A table knows the names of such rigs; the rig with the most joints in the
// figure wins, and the figure gets sites with the names that human() uses too:
//
//   pelvis waist chest neck head head_top eyes
//   left_ and right_: clavicle shoulder elbow wrist hand palm fingertip hip knee ankle foot ball toe
//
// A site stands at the joint of that name: right_elbow is where the forearm begins. head_top, fingertip and toe are
// tips, where the file has them; eyes is halfway from head to head_top; palm is where the fingers begin, else the tip
// of the hand, else the hand. Sites point as those of human() do in the rest pose: forward (x) and up (y), but shoulder
// and hip outward, elbow backward, head_top up. No file tells where a palm faces: palm and hand point forward like the
// rest.
#pragma once

#include <string>
#include <vector>

#include "limber/base/diagnostic.h"
#include "limber/figure/figure.h"

namespace limber {

struct CommonNames {
  std::string rig = {};                     // "CMU", "Mixamo" …; empty: no rig of the table
  std::vector<SiteDescription> sites = {};  // only names that the figure does not have yet
};
CommonNames common_names(const Figure& figure);

// The figure with those sites. If its root can shift freely, it stands on the ground at rest: its lowest place at y =
// 0, as human() does; skeletons of motion files have their pelvis there, and with_usual_prior.
Expected<Figure> with_common_names(const Figure& figure);

// A skeleton with CMU's names that carries no prior with the built-in one (figure/usual.h); any other as it is.
Figure with_usual_prior(const Figure& figure);

// The figure with mirror pairs by the names of its rig, "lfemur" and "rfemur"; as it is where it has pairs already, is
// of no rig of the table, or where its two sides do not mirror.
Figure with_mirror_pairs(const Figure& figure);

}  // namespace limber
