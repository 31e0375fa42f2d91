// Ground contacts of places of a figure in a motion, and how much they slide.
//
// A place is in contact while it is low and slow. Its speed is the difference over a time window centred on the frame,
// shortened at the ends of the motion,
//
//   v(t) = ‖x(t + w/2) - x(t - w/2)‖ / w,     x linear between frames,
//
// so that the frame rate does not matter. Its height is measured from a ground level of its own: an ankle never touches
// the floor, and recorded floors are off by some centimetres. The ground level of a place is the lowest height at which
// it stays slow for a while: the median of the lowest band of slow heights with enough frames.
//
// A recorded floor is seldom level: in CMU's walks it rises by some centimetres over a few steps. Its slope (a, b) is
// fitted, with one height g_p per place, to the frames in contact,
//
//   min Σ (y - g_p - a x - b z)² + n ℓ² (a² + b²),      n frames, ℓ = 0.25 m
//
// and the ground levels are measured again above it. This is repeated a few times: a better slope admits more frames.
// The second term keeps the noise of a figure that stays in place from tilting the floor.
//
// Hysteresis keeps noise from splitting a contact: a contact is a run of frames within the wider thresholds (leave), at
// least one of them within the narrower ones (enter). The result is the same when time runs backward.
//
// Where a figure walks on the spot, the ground moves under it at a constant velocity, which is found too
// (motion/ground_motion.h): positions and speeds are then relative to the ground, and speeds within a third of its own
// count as rest.
//
// The ground is one plane; stairs are not detected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/motion/clip.h"

namespace limber {

// Heights, distances and speeds are for a person of 1.75 m, whose figure measures person_length from the pelvis along
// the bones to the fingertips; they scale with Figure::length(). Times do not.
inline constexpr double person_length = 1.2;

struct ContactOptions {
  // Height of the floor at the centre of the contacts; default: the lowest ground level of all places. A place with a
  // ground level more than max_ground_height above it has no contacts: a raised foot is slow, too.
  std::optional<double> floor = {};
  double max_ground_height = 0.2;
  double max_slope = 0.05;     // of the floor, rise per run; 0: level
  double enter_height = 0.04;  // metres above or below the ground level of the place
  double leave_height = 0.06;
  double enter_speed = 0.25;  // metres per second
  double leave_speed = 0.4;
  double window = 0.08;           // seconds: w, at least two frames
  double min_duration = 0.06;     // seconds, of a contact and of the frames that define a ground level
  double max_gap = 0.1;           // seconds: contacts with a gap of at most this are merged …
  double bridge_distance = 0.05;  // … if the place moved no farther than this, in metres
  bool moving_ground = true;      // find the motion of the ground under a figure that walks on the spot
};

struct Contact {
  std::string place;
  int first = 0, last = 0;        // frames, both included
  double start = 0.0, end = 0.0;  // seconds, of these frames
  // Its position: the mean along the floor, the ground level as height. A place that rests half of enter_height or more
  // above its ground level keeps its median height: an ankle is higher while standing than while lying.
  Vec3 at = Vec3::Zero();        // at the start
  Vec3 velocity = Vec3::Zero();  // of the ground, in metres per second

  Vec3 at_time(double time) const { return at + (time - start) * velocity; }
};

// For each foot the heel or else the ankle, and the ball or else the toe, by their common names (format/names.h).
// Rejected if a foot has none of them.
Expected<std::vector<std::string>> foot_places(const Figure& figure);

// All contacts of the places (default: foot_places), ordered by first frame. Rejected for a motion with fewer than two
// frames or of another figure, and for options out of range.
Expected<std::vector<Contact>> find_contacts(const Figure& figure, const Clip& clip,
                                             const std::vector<std::string>& places = {},
                                             const ContactOptions& options = {});

// How far places slide along the floor during contact.
struct Sliding {
  int contacts = 0;
  double seconds = 0.0;        // in contact
  double mean_speed = 0.0;     // metres per second: total distance over total time
  double mean_distance = 0.0;  // metres per contact, summed from frame to frame
  double max_drift = 0.0;      // metres from the position at the start of the contact
};
struct SlidingReport {
  struct Place {
    std::string name;
    Sliding sliding;
  };
  Sliding all = {};
  std::vector<Place> places = {};  // in order of first contact
};

// Measured in the motion in which the contacts were found, or in another with as many frames, such as the cleaned one.
Expected<SlidingReport> sliding(const Figure& figure, const Clip& clip, const std::vector<Contact>& contacts);

}  // namespace limber
