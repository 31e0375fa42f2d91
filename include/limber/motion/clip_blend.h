// Two motions of one figure mixed, or one after the other with an overlap.
//
// Channels are interpolated with rotations as rotations (Rotations::of_balls, channel.h), so the way from one motion to
// the other is short. Feet may slide meanwhile; clean/clean.h holds them.
#pragma once

#include "limber/motion/clip.h"

namespace limber {

// Part of the way from `clip` to `other`, from 0 to 1, frame by frame. The other motion is taken as long as the first.
Expected<Clip> blended(const Figure& figure, const Clip& clip, const Clip& other, double weight);

// Where the second motion takes place: as recorded, or so that it continues the first one. Then it is turned about the
// vertical and moved over the ground such that, in the middle of the overlap, its root is where that of the first one
// is and faces the same way.
enum class Continuation { as_recorded, in_place };

// Goes over from `clip` to `next`, which begins so many seconds before the end of `clip`. The weight is a smooth step.
// The frame rate is that of `clip`.
Expected<Clip> cross_faded(const Figure& figure, const Clip& clip, const Clip& next, double seconds,
                           Continuation continuation = Continuation::in_place);

// The clip turned about the vertical by `heading` radians, about the origin, and then moved by `travel`. Rejected for a
// figure whose root does not slide along three axes and then turn about three.
Expected<Clip> carried(const Figure& figure, const Clip& clip, double heading, const Vec3& travel);

}  // namespace limber
