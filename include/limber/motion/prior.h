// How a body usually stands, learned from sampled motion: mean, spread and correlation of its joint angles, and which
// direction of its root points up.                                                            W93 7.2, ZB94 section 12
//
// Angles are compared by name, so motions of bodies of other sizes can be added as long as their joints turn about the
// same axes. A joint that turns about three axes has two triples of angles for one rotation, and each angle any number
// of full turns; the samples are brought near each other first. Where the figure has mirror pairs, each pose counts
// mirrored too: what one arm does, the other can do.
#pragma once

#include <vector>

#include "limber/motion/clip.h"

namespace limber {

struct PriorOptions {
  bool correlation = true;
  // A few motions say less about how angles go together than their correlation pretends: this part of it is kept.
  double trust = 0.5;
  // Radians, added to the spread of every angle as if it were noise: no joint is as rigid as in a few motions. To that
  // of a shift, a thousandth of the figure's length.
  double min_spread = 0.03;
  // Whether each motion counts alike, however long it is; else each pose does.
  bool motions_alike = false;
};

class PriorEstimate {
 public:
  explicit PriorEstimate(const Figure& figure);

  // Takes the poses of a motion, at most one in `seconds`. The figure must have the same parameters; its bones may
  // differ.
  Expected<void> add(const Figure& figure, const Clip& clip, double seconds = 1.0 / 30.0);
  int poses() const { return static_cast<int>(samples_.size()); }

  // Of all parameters but those of the root. Rejected with fewer than two poses, or options out of range.
  Expected<PriorDescription> prior(const PriorOptions& options = {}) const;

 private:
  void bring_near(const VecX& reference, VecX& theta) const;

  Figure figure_;
  std::vector<int> learned_;             // parameters
  std::vector<VecX> samples_;            // poses
  std::vector<Vec3> up_;                 // in the root, one a pose
  std::vector<int> motion_ends_;         // in poses
  std::vector<std::vector<int>> turns_;  // by joint: its freedoms that turn and are their own parameters
};

}  // namespace limber
