// On which side of an obstacle a motion goes past it (motion_contacts.h). Private to motion/timed/.
//
// A window is a time in which capsules are too near to one obstacle O. Where they are at places x of the motion, the
// translation along a unit vector d that brings all of them to the far side of O is
//
//   D(d) = max over x of ( h(d) + radius + margin - min over the core at x of d · y ),   h(d) = max over y in O of d ·
//   y
//
// Of many directions, the one with the smallest D is taken: across the motion where it goes through, the nearest face
// where it dips in. Others follow, if that one fails.
#pragma once

#include <vector>

#include "limber/motion/timed/motion_contacts.h"
#include "limber/motion/timed/sweep.h"

namespace limber {

struct TimedContact {
  double time = 0.0;  // in frames
  SweepContact contact;
};

class Passages {
 public:
  explicit Passages(const std::vector<Clearance>& clearances) : clearances_(clearances) {}

  // Takes the contacts of a motion: windows that are known take the next direction, others are new. False if nothing
  // can be done any more.
  bool take(const std::vector<TimedContact>& contacts);
  const std::vector<Passage>& list() const { return list_; }

 private:
  struct Place {
    int capsule;
    LineSegment core;
  };
  struct Window {
    int clearance, obstacle;
    double from, to;
    std::vector<Place> places;
    std::vector<Vec3> tried;
  };
  std::vector<Window> windows_of(const std::vector<TimedContact>& contacts) const;
  bool choose(Window& window) const;

  const std::vector<Clearance>& clearances_;
  std::vector<Window> windows_;
  std::vector<Passage> list_;
};

}  // namespace limber
