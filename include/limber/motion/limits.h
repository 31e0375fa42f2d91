// Joint limits estimated from sampled motion.                                                    EE09's reference [10]
//
// The range of a DOF is that of its samples, optionally without outliers at either end (mistracked frames), widened by
// a margin, since a motion seldom uses the full range of a joint.
#pragma once

#include <vector>

#include "limber/motion/clip.h"

namespace limber {

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

}  // namespace limber
