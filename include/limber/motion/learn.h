// What is learned from recorded motion: joint limits, and a prior over poses.
#pragma once

#include <vector>

#include "limber/motion/clip.h"

namespace limber {

// --- Joint limits estimated from sampled motion.                                                    EE09's reference
// [10]
//
// The range of a DOF is that of its samples, optionally without outliers at either end (mistracked frames), widened by
// a margin, since a motion seldom uses the full range of a joint.

struct LimitOptions {
  double margin = 0.05;    // of the sampled range, added at either end
  double outliers = 0.0;   // fraction of the samples dropped at either end, below 0.5
  bool with_root = false;  // whether limits of root joints are estimated too
};

class LimitEstimate {
 public:
  explicit LimitEstimate(const Figure& figure);

  // Takes all poses of a motion of the figure.
  void add(const Clip& clip);
  int poses() const { return poses_; }

  // The figure with the estimated limits, for every DOF that is its own parameter; DOFs driven by groups keep their
  // limits. The rest pose is moved within them. Rejected without a pose.
  Expected<Figure> figure(const LimitOptions& options = {}) const;

 private:
  Figure figure_;
  std::vector<std::vector<double>> samples_;  // by parameter
  int poses_ = 0;
};

// --- Usual poses of a figure, learned from sampled motion.                                       W93 7.2, ZB94 section
// 12
//
// Mean, standard deviation and correlation of the joint angles, and the direction of the root that points up.
//
// Angles are matched by name, so motions of bodies of other sizes can be added if their joints rotate about the same
// axes. A joint with three axes has two triples of angles per rotation, and each angle is unique up to full turns; the
// samples are brought near each other first. If the figure has mirror pairs, each pose is also counted mirrored.

struct PriorOptions {
  bool correlation = true;
  // Fraction of the correlation that is kept: a few motions overstate it.
  double trust = 0.5;
  // Radians, added as noise to the spread of every angle: no joint is as rigid as in a few motions. For a translation,
  // a thousandth of the figure's length.
  double min_spread = 0.03;
  // Every motion has the same total weight, however long; else every pose has the same weight.
  bool equal_motion_weights = false;
};

class PriorEstimate {
 public:
  explicit PriorEstimate(const Figure& figure);

  // Adds the poses of a motion, at most one every `seconds`. The figure must have the same parameters; its bones may
  // differ.
  Expected<void> add(const Figure& figure, const Clip& clip, double seconds = 1.0 / 30.0);
  int poses() const { return static_cast<int>(samples_.size()); }

  // Over all parameters except those of the root. Rejected with fewer than two poses, or options out of range.
  Expected<PriorDescription> prior(const PriorOptions& options = {}) const;

 private:
  void bring_near(const VecX& reference, VecX& theta) const;

  Figure figure_;
  std::vector<int> learned_;                 // parameters
  std::vector<VecX> samples_;                // poses
  std::vector<Vec3> up_;                     // in the root frame, one per pose
  std::vector<int> motion_ends_;             // in poses
  std::vector<std::vector<int>> rotations_;  // by joint: its rotational DOFs that are their own parameters
};

}  // namespace limber
