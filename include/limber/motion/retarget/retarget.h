// A motion of one body carried over to another of other proportions and other joints.
//
// The two figures must have the places of a body under the common names (format/names.h gives them to the rigs it
// knows). Where each place of the new body should be follows from the directions of the recorded bones and the lengths
// of its own; the hips rise and travel with the length of the legs, over the floor that the recorded feet stand on.
// Eyes and feet point where they did. Every frame is solved from the one before: what the goals leave open stays as it
// was.
//
// Then the contacts of the recorded feet (contacts.h) are locked, at the height where the new body's feet stand at
// rest, and all frames are solved together (clean.h).
#pragma once

#include <functional>

#include "limber/motion/clean/clean.h"

namespace limber {

struct RetargetOptions {
  int every = 1;         // frames
  int iterations = 50;   // a frame, at most
  bool contacts = true;  // feet that stand, stand still
  ContactOptions contact = standing_still();
  double ease = 0.1;  // of the locks, in seconds
  // Called after every frame of the first part; false cancels it, the other frames stay as the last one, and nothing is
  // locked.
  std::function<bool(int frame, int frames)> observer = {};
};

struct Retargeted {
  Clip clip;
  double scale = 1.0;             // of the ways that are travelled
  std::vector<Contact> contacts;  // of the new body
  SlidingReport before, after;    // before and after the contacts were locked
  double mean_off = 0.0;          // degrees, of the bones from the recorded directions, at the end
  MotionReport report;            // of the locks
};

// The motion on `to`, at `every` times the frame time. `to` needs a root that is free to go (figure/free_root.h).
// Rejected: figures with fewer than six places in common, a motion without a frame or of another figure, and options
// out of range.
Expected<Retargeted> retarget(const Figure& from, const Clip& clip, const Figure& to,
                              const RetargetOptions& options = {});

// The clip alone.
Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options = {});

}  // namespace limber
