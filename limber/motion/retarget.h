// A motion of one body carried over to another of other proportions and other joints.
//
// The two figures must have the places of a body under the common names (format/names.h gives them to the rigs it
// knows). Where each place of the new body should be follows from the directions of the recorded bones and the lengths
// of its own; the pose is then tracked (motion/track.h), frame by frame.
#pragma once

#include "limber/motion/clip.h"

namespace limber {

struct RetargetOptions {
  int every = 1;        // frames
  int iterations = 50;  // a frame, at most
};

// The motion on `to`, at `every` times the frame time. Refused where the figures have fewer than six places in common.
Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options = {});

}  // namespace limber
