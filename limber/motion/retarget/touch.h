// What a body touches besides standing on its feet: hands that rest on the ground, hands that touch each other, and
// feet that must not sink into the ground. Soft constraints on the motion that follows the recorded directions: the
// feet that stand come first. Private to motion/retarget/.
#pragma once

#include <vector>

#include "limber/motion/contacts.h"
#include "limber/motion/retarget/match.h"
#include "limber/motion/timed/timed_problem.h"

namespace limber {

struct TouchSource {
  const BodyMatch& match;
  const Clip& clip;  // recorded
  int every = 1;     // frames of it per frame of the new motion
  double ease = 0.1;
  ContactOptions contact = {};
  // Height of the recorded floor under a place, as y - floor_from - slope · x; 0 at the height match.ground_from of
  // the body at rest.
  double floor_from = 0.0;
  Vec3 slope = Vec3::Zero();
};

// The height of the lowest sole of a motion above the ground on which the body stands at rest; infinite without feet.
double height_above_ground(const Figure& figure, const Kinematics& rest, const Clip& clip);

// `given` is the motion of the new body so far.
Expected<void> add_touches(const TouchSource& source, const Clip& given, TimedProblem& problem);

}  // namespace limber
