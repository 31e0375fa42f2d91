// Foot-slide removal: contacts become locks, and the motion is solved to keep them.
//
// In recordings, and on bodies of other proportions, feet slide during ground contact. Every contact (contacts.h)
// becomes a lock of its place, and all frames are solved together (timed/solve_motion.h), so that the legs, and
// slightly the pelvis, compensate. A motion is cut where the figure jumps, as from a T-pose to the recording after it,
// and its parts are solved one by one.
#pragma once

#include "limber/motion/contacts.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

// Places on one rigid segment, such as heel and ball, cannot both be locked at their mean positions: where their
// contacts overlap, the positions are moved to the fixed distance between the places.
std::vector<Contact> made_consistent(const Figure& figure, std::vector<Contact> contacts);

// One lock per contact of the motion `clip`, eased in and out. While it is eased, the goal is the place in the motion,
// moved by as much as at the near end of the contact: a foot that comes from far away is not drawn there early. Between
// two contacts of a place the easing is shortened to fit. With a finite weight they are no locks, but soft constraints.
Expected<void> lock_contacts(const std::vector<Contact>& contacts, const Clip& clip, double ease, TimedProblem& problem,
                             double weight = must);

// Stricter thresholds for locks: a foot that rolls over its ball does not stand still.
inline ContactOptions standing_still() {
  ContactOptions options;
  options.enter_speed = 0.15;
  options.leave_speed = 0.25;
  return options;
}

struct CleanOptions {
  std::vector<std::string> places = {};  // default: heels and balls, or ankles and toes, of both feet
  ContactOptions contacts = standing_still();
  double ease = 0.1;  // seconds
  // Recordings jitter, and what cancels the jitter of a foot jitters too. A correction that must be smooth over a
  // longer time avoids that by bending knees away from straight legs, and the free foot of a walk moved by 30 cm.
  MotionOptions motion = {.smooth_time = 0.04, .exact = 1e-6};
};

struct Cleaned {
  Clip clip;
  std::vector<Contact> contacts;
  SlidingReport before, after;
  MotionReport report;
};

// The motion without foot sliding. Rejected where find_contacts() rejects; a motion without contacts is returned
// unchanged.
Expected<Cleaned> clean_feet(const Figure& figure, const Clip& clip, const CleanOptions& options = {});

}  // namespace limber
