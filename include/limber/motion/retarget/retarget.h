// Transfers a motion to a body of other proportions and other joints.
//
// The two figures must share places of a body under common names (format/names.h recognises them). The target
// of each place follows from the directions of the recorded bones and the bone lengths of the new body; the hips'
// height and travel scale with leg length, above the floor that the recorded feet stand on. Pelvis, chest, head and
// feet turn as the recorded ones do relative to rest, where both bodies face forward on flat soles, and limbs about
// their bones as at rest with the limbs alike: with small weights, which decide where knees and elbows are straight.
// Every frame is solved from the previous one; what the goals leave open goes back to rest.
//
// Then the contacts of the recorded feet (contacts.h) are locked, at the rest height of the new body's feet, other
// feet are kept above the ground, hands that rest on the ground or on each other do so again, and all frames are solved
// together (clean.h). Without contacts, a motion that would sink into the ground is raised onto it.
//
// A still pose before a jump at the start, such as a T-pose, is left out.
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

// Of a bone of a limb from its recorded direction, over all frames of the result.
struct LimbDeviation {
  std::string bone;  // the place where it ends: "left_knee"
  double mean_deg = 0.0, max_deg = 0.0;
};
// A limb that is off by more on the average does not look as recorded.
inline constexpr double max_limb_deviation_deg = 25.0;

struct Retargeted {
  Clip clip;
  int skipped = 0;                  // frames at the start of the source: a still pose before a jump, such as a T-pose
  double scale = 1.0;               // of travel
  std::vector<Contact> contacts;    // of the new body
  SlidingReport before, after;      // locking the contacts
  double mean_deviation_deg = 0.0;  // of limb bones from the recorded directions, in the final motion
  std::vector<LimbDeviation> limbs;
  MotionReport report;  // of locking the contacts

  // Whether no limb is off by more than max_limb_deviation_deg on the average.
  bool is_alike() const;
};

// The motion on `to`, at `every` times the frame time. `to` needs a free root (figure/figure.h). Rejected: figures
// with fewer than six common places or without knees or elbows, a motion without a frame or of another figure, and
// options out of range.
Expected<Retargeted> retarget(const Figure& from, const Clip& clip, const Figure& to,
                              const RetargetOptions& options = {});

// The clip alone.
Expected<Clip> retargeted(const Figure& from, const Clip& clip, const Figure& to, const RetargetOptions& options = {});

}  // namespace limber
