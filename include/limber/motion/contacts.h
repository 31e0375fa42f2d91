// Where places of a figure touch the ground in a motion, and how much they slide there.
//
// A place stands where it is low and slow. Its speed is the difference over a window of time that is centred on the
// frame and shorter at the ends of the motion,
//
//   v(t) = ‖x(t + w/2) - x(t - w/2)‖ / w,     x linear between frames,
//
// so that recordings of other rates are judged alike. Its height counts from a ground of its own: an ankle never gets
// to the floor, and in recordings the floor is some centimetres off. The ground of a place is the lowest height at
// which it stays slow for a while: of all bands of slow heights that hold enough frames the lowest, and in it the
// median.
//
// A recorded floor is seldom level: in CMU's walks it rises by some centimetres over a few steps. Its slope (a, b) is
// fitted, with one height g_p for each place, to the frames in which places stand,
//
//   Σ (y - g_p - a x - b z)² + n ℓ² (a² + b²)  →  least,      n frames, ℓ = 0.25 m
//
// and the grounds are taken over it; a few times, since the better the slope the more frames belong. The second part
// keeps the noise of a figure that stays where it is from tilting the floor.
//
// Two pairs of bounds keep noise from cutting a contact in pieces: a contact is a run of frames within the wider bounds
// (leave) of which at least one is within the narrower ones (enter). The same frames come out when time runs backward.
//
// The ground is one floor; stairs are not looked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/motion/clip.h"

namespace limber {

// Heights, distances and speeds are those of a person of 1.75 m, whose figure has the length person_length from the
// pelvis along the bones to the fingertips; they grow with Figure::length(). Times do not.
inline constexpr double person_length = 1.2;

struct ContactOptions {
  // The height of the floor, in the middle of where places stand; else the lowest ground of all places. A place whose
  // own ground is higher than highest_ground above it is never on it: a foot that is held up is slow, too.
  std::optional<double> floor = {};
  double highest_ground = 0.2;
  double steepest = 0.05;      // metres by which the floor may rise in a metre; 0: it is level
  double enter_height = 0.04;  // metres above the ground of the place, or below
  double leave_height = 0.06;
  double enter_speed = 0.25;  // metres a second
  double leave_speed = 0.4;
  double window = 0.08;           // seconds: w, at least two frames
  double min_duration = 0.06;     // seconds from the first frame to the last, and for a height to be a ground
  double max_gap = 0.1;           // seconds: two contacts as near as this are one …
  double bridge_distance = 0.05;  // … if the place is no farther than this after the gap, in metres
};

struct Contact {
  std::string place;
  int first = 0, last = 0;        // frames, both included
  double start = 0.0, end = 0.0;  // seconds, of these frames
  Vec3 at = Vec3::Zero();         // where it stays: the mean along the floor, its ground as height
};

// Of either foot the heel or else the ankle, and the ball or else the toe, by their common names (format/names.h).
// Rejected where a foot has none of them.
Expected<std::vector<std::string>> foot_places(const Figure& figure);

// All contacts of the places (none named: foot_places), by their first frame. Rejected for a motion of fewer than two
// frames or of another figure, and for options out of range.
Expected<std::vector<Contact>> find_contacts(const Figure& figure, const Clip& clip,
                                             const std::vector<std::string>& places = {},
                                             const ContactOptions& options = {});

// How far places move along the floor while they should stand.
struct Sliding {
  int contacts = 0;
  double seconds = 0.0;     // in contact
  double mean_speed = 0.0;  // metres a second: all of the way by all of the time
  double mean_way = 0.0;    // metres a contact, summed from frame to frame
  double max_drift = 0.0;   // metres from where a contact began
};
struct SlidingReport {
  struct Place {
    std::string name;
    Sliding sliding;
  };
  Sliding all = {};
  std::vector<Place> places = {};  // in the order in which the contacts name them
};

// Of the contacts in a motion: in that in which they were found, or in another of as many frames, such as that motion
// after it was cleaned.
Expected<SlidingReport> sliding(const Figure& figure, const Clip& clip, const std::vector<Contact>& contacts);

}  // namespace limber
