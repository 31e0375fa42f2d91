// Transfers a motion to a body of other proportions and other joints.
//
// The two figures must share places of a body under common names (format/names.h recognises them). The target
// of each place follows from the directions of the recorded bones and the bone lengths of the new body; the hips'
// height and travel scale with leg length, above the floor that the recorded feet stand on. Eyes and feet keep their
// directions. Every frame is solved from the previous one, which determines what the goals leave open.
//
// Then the contacts of the recorded feet (contacts.h) are locked, at the rest height of the new body's feet, and all
// frames are solved together (clean.h).
#pragma once

#include <functional>

#include "limber/motion/clean/clean.h"

namespace limber {

struct RetargetOptions {
  int every = 1;         // frames
  int iterations = 50;   // per frame, at most
  bool contacts = true;  // lock foot contacts
  ContactOptions contact = standing_still();
  double ease = 0.1;  // of the locks, in seconds
  // Called after every frame of the first pass; false cancels: the remaining frames repeat the last one, and nothing is
  // locked.
  std::function<bool(int frame, int frames)> observer = {};
};

struct Retargeted {
  Clip clip;
  double scale = 1.0;               // of travel
  std::vector<Contact> contacts;    // of the new body
  SlidingReport before, after;      // locking the contacts
  double mean_deviation_deg = 0.0;  // of limb bones from the recorded directions, in the final motion
  MotionReport report;              // of locking the contacts
};

// The motion on `to`, at `every` times the frame time. `to` needs a free root (figure/figure.h). Rejected: figures
// with fewer than six common places or without knees or elbows, a motion without a frame or of another figure, and
// options out of range.
Expected<Retargeted> retarget(const Figure& from, const Clip& clip, const Figure& to,
                              const RetargetOptions& options = {});

// The clip alone.
Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options = {});

}  // namespace limber
