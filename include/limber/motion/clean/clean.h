// Feet that stand, stand still: contacts as locks, and a motion that keeps them.
//
// In recordings and on bodies of other proportions feet slide while they stand. Every contact (contacts.h) becomes a
// lock of its place, and all frames are solved together (timed/solve_motion.h), so that the legs, and a little the
// pelvis, make up for what the foot did.
#pragma once

#include "limber/motion/contacts.h"
#include "limber/motion/timed/solve_motion.h"

namespace limber {

// Places that are fixed to each other, as a heel and a ball are, cannot both stay at the mean of where they were: where
// their contacts overlap, the places of the two are moved to the distance that they have.
std::vector<Contact> made_consistent(const Figure& figure, std::vector<Contact> contacts);

// A lock a contact, eased in and out. Where two contacts of a place are nearer to each other than that, the easing is
// as long as there is room for.
Expected<void> lock_contacts(const std::vector<Contact>& contacts, double ease, TimedProblem& problem);

// What is to be locked must stand still: a foot that rolls over its ball no longer does.
inline ContactOptions standing_still() {
  ContactOptions options;
  options.enter_speed = 0.15;
  options.leave_speed = 0.25;
  return options;
}

struct CleanOptions {
  std::vector<std::string> places = {};  // none: heels and balls, or ankles and toes, of both feet
  ContactOptions contacts = standing_still();
  double ease = 0.1;  // seconds
  MotionOptions motion = {.exact = 1e-6};
};

struct Cleaned {
  Clip clip;
  std::vector<Contact> contacts;
  SlidingReport before, after;
  MotionReport report;
};

// The motion without the sliding of its feet. Rejected where find_contacts() rejects; without a contact the motion
// comes back as it is.
Expected<Cleaned> clean_feet(const Figure& figure, const Clip& clip, const CleanOptions& options = {});

}  // namespace limber
